//! Pieces of the motion of discs that are held together.
//!
//! Over a piece of `T` seconds every disc has a constant acceleration. The force of a held contact acts
//! along the bisector `n̄` of the lines of centres at the piece's beginning and end, with the gap closed at
//! the end: of relative velocity `w` and acceleration `α` that is `n̄·α + 2 n̄·w/T + 2 g/T² = 0`, exactly,
//! with `g = (|d|² − R²)/|d₀ + d₁|` at the beginning. Along the bisector the force does no work between the
//! two ends of a piece. As the end depends on the accelerations, they are found by iteration.

use super::clusters::{Clusters, clusters_through};
use super::flight::{Flight, Instant, fly};
use super::forces::largest_pull;
use super::rough::{leave_slow_slips, let_slide};
use super::slip::{first_stop, has_grip, is_instant, is_slipping, stop_at_end, stopping, time_to_turn};
use super::slip_ends::{lock_ends, slip_ends, slip_ends_after, stops_within};
use crate::group::{Contact, Group, Other, Rim, Sought};
use crate::mass_class::MassClass;
use crate::tolerances::{MAX_PUSH, MAX_TURN, STOP_FOUND, STOPS_LATER};
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// How often a piece is shortened to a fourth where iterations for its end do not converge: by 4¹² in all.
/// After that it has the forces of the instant, and what these leave is mended by the next piece.
const SHORTENED: usize = 12;

/// The same where friction acts: each iteration is dear there, and pieces are short already.
const SHORTENED_SLIPS: usize = 3;

/// How often the end of a piece is moved to where a force falls to zero. The time found changes with the
/// forces of the shorter piece; after this many it is near enough, and the next piece begins without the
/// contact.
const SOUGHT: usize = 3;

/// The same with friction, where each time is dear. Where forces seem to be discontinuous, the end is moved
/// once more. Without that, a force that ends in the first ninth of a piece was taken for discontinuous, and
/// the energy of a heap rose by 10⁻⁴ of the whole.
const SOUGHT_SLIPS: usize = 1;

/// A part of a piece. A force that falls to zero is found to do so at the end of the shorter piece, once the
/// end was moved. One that ends in this part of it still, after the end was moved once more than
/// [`SOUGHT_SLIPS`], is discontinuous: with friction forces need not be unique, and the piece has other ones
/// than the instant at which it begins. Then the piece is not cut. Cut there, each piece of a heap of 40
/// lasted a hundredth of the time to the end of a slip, a thousand pieces in a row.
const JUMPS: f64 = 0.5;

/// Of the largest gap: a gap that a piece with friction leaves as it is, where all of them cannot close.
///
/// It is far above the rounding of places, and adds next to nothing to overlaps. With less, a disc that
/// slides between two walls at the distance of its diameter is pressed by both as by a vice, harder in each
/// iteration, as the one gap cannot close without the other. Left in all pieces, such gaps stay, and the two
/// count as near where they touched.
const SMALL_GAP: f64 = 1e-3;

/// How many times as long as its accelerations allow a piece with friction may be. Gaps grow with the fourth
/// power of its length: they are 2.4 times the largest. With less, pieces are found again for what changes
/// within them.
const LONGER: f64 = 1.25;

/// Halvings for the longest piece whose gap is allowed: it is found to 2⁻²⁴, as a bound need not be exact.
const HALVINGS: u32 = 24;

/// How often the end of a piece is moved to where a disc stops: accelerations change with it, by a ratio.
const SOUGHT_STOPS: usize = 8;

/// Finds the pieces of all clusters that move.
pub(crate) fn plan_pieces(group: &mut Group) {
    let roots = clusters_of_pieces(group);
    let active = (0..group.contacts.len() as u32).filter(|&c| group.contacts[c as usize].pressing.is_active);
    let root_of = |c: u32| {
        let ends = || group.contacts[c as usize].ends().into_iter().flatten();
        let moved = ends().find(|&m| group.members[m].class != MassClass::Infinite);
        (roots[moved.unwrap_or(group.contacts[c as usize].a)], c)
    };
    let mut active: SmallVec<[(u32, u32); 64]> = active.map(root_of).collect();
    active.sort_unstable();
    for cluster in active.chunk_by(|a, b| a.0 == b.0) {
        let mut contacts: SmallVec<[u32; 64]> = cluster.iter().map(|&(_, c)| c).collect();
        contacts.sort_unstable_by_key(|&c| (group.class_of(&group.contacts[c as usize]).rank(), c));
        plan_piece(group, &contacts);
    }
}

/// The clusters of the active contacts, where an infinite mass that walls bend joins what it carries: the
/// pieces of that end with its own.
fn clusters_of_pieces(group: &Group) -> Clusters {
    let is_bent = |m: usize| {
        let of_walls = |contact: &Contact| {
            contact.a == m && contact.pressing.is_active && matches!(contact.with, Other::Facet(..))
        };
        let member = &group.members[m];
        member.class == MassClass::Infinite
            && (group.velocity(m) != DVec2::ZERO || member.acceleration != DVec2::ZERO)
            && group.contacts.iter().any(of_walls)
    };
    let joins: SmallVec<[bool; 32]> = (0..group.members.len())
        .map(|m| group.members[m].class != MassClass::Infinite || is_bent(m))
        .collect();
    clusters_through(group, |pressing| pressing.is_active, |m| joins[m])
}

fn plan_piece(group: &mut Group, contacts: &[u32]) {
    let is_moving = contacts.iter().any(|&c| {
        let [w, a] = group.relative(c);
        w != DVec2::ZERO || a != DVec2::ZERO
    });
    let is_turning = group.friction.is_on && is_turning(group, contacts);
    if !is_moving && !is_turning && !is_slipping(group, contacts) {
        return;
    }
    let to_ends = contacts.iter().map(|&c| time_to_end(group, c)).fold(f64::INFINITY, f64::min);
    let without_slips = longest_piece(group, contacts, to_ends);
    group.sought = Sought::default();
    let lasts = if group.friction.is_on {
        seek_with_friction(group, contacts, without_slips)
    } else {
        seek(group, contacts, without_slips)
    };
    for &c in contacts {
        for m in group.contacts[c as usize].ends().into_iter().flatten() {
            if !stays(group, m) {
                group.members[m].lasts = group.members[m].lasts.min(lasts);
            }
        }
    }
}

/// Whether a member has no motion in its piece, so that no end of one is an event of its own. Where it holds
/// what moves, it is part of the events of that.
///
/// With an end, a disc at rest had an event after what had moved beside it had been stopped by an impact.
fn stays(group: &Group, m: usize) -> bool {
    let member = &group.members[m];
    let turns = |rim: &Rim| rim.speed != 0.0 || rim.acceleration != 0.0;
    group.velocity(m) == DVec2::ZERO
        && member.acceleration == DVec2::ZERO
        && !member.stops
        && !(group.friction.is_on && turns(&group.friction.rims[m]))
}

/// Seeks a piece with friction: of at most `longest` seconds, without slips. How long it lasts.
///
/// Where a flight finds the piece, it finds whether slow slips stop. Elsewhere the forces of the instant act
/// to its end, and slips end it. Where no forces of a piece are found, though there are some of the instant,
/// as of discs that are jammed between what moves, contacts slide without friction, and no slip ends the
/// piece: those of the instant ended one after 10⁻⁸ s that went on without friction, and so again.
fn seek_with_friction(group: &mut Group, contacts: &[u32], longest: f64) -> f64 {
    // Forces of a piece may be large where these are not unique. As the measure of those of the next one
    // they let these be larger, up to 10²⁵ after a few.
    group.sought.largest_at_instant = Some(largest_pull(group, contacts));
    group.sought.closes_within = (longest < f64::INFINITY).then_some(longest);
    let instant = Instant::of(group, contacts);
    if is_flown(group, contacts) {
        leave_slow_slips(group, contacts, longest);
    }
    let lasts = seek(group, contacts, longest);
    if !group.sought.is_smooth {
        return lasts;
    }
    instant.take(group, contacts);
    let_slide(group, contacts);
    seek(group, contacts, longest)
}

/// Seeks a piece of at most `without_slips` seconds, as far as contacts do not slip. How long it lasts.
fn seek(group: &mut Group, contacts: &[u32], without_slips: f64) -> f64 {
    let longest = first_slip_end(group, contacts, without_slips);
    let mut lasts = longest.min(time_to_turn(group, contacts));
    // A point on a curve has a piece of no length, with the forces of the instant.
    let is_sought = 0.0 < lasts && lasts < f64::INFINITY;
    if is_instant(group, contacts, lasts) {
        stop_at_end(group, contacts, lasts);
    } else if is_flown(group, contacts) && is_sought {
        lasts = find_piece(group, contacts, lasts);
        if group.friction.is_on && lasts == longest {
            // Where forces jump, the slips of the instant may end over the piece much later, or not at all.
            // Cut at their ends, 150 pieces of a heap of 73 followed each other in a frame, each of a
            // hundredth of the time that it could last.
            let later = first_slip_end(group, contacts, without_slips.min(time_to_turn(group, contacts)));
            if lasts < JUMPS * later {
                lasts = find_piece(group, contacts, later);
            }
        }
        lasts = end_at_stops(group, contacts, lasts, longest.max(lasts));
        if group.friction.is_on {
            lasts = end_at_slips(group, contacts, lasts);
            lasts = end_at_locks(group, contacts, lasts);
        }
    }
    lasts
}

/// Whether the accelerations of a piece are other ones than those of the instant at which it begins: where
/// contacts turn, or the ground rubs.
fn is_flown(group: &Group, contacts: &[u32]) -> bool {
    let is_bent = |&c: &u32| group.contacts[c as usize].pressing.round.is_some();
    contacts.iter().any(is_bent) || has_grip(group, contacts)
}

/// When the first of the contacts ends to slip with the accelerations at hand, `longest` at most.
fn first_slip_end(group: &Group, contacts: &[u32], longest: f64) -> f64 {
    let slip_ends = |&c: &u32| if group.friction.is_on { slip_ends(group, c) } else { f64::INFINITY };
    contacts.iter().map(slip_ends).fold(longest, f64::min)
}

/// Finds the accelerations of a piece of at most `lasts` seconds. How long it lasts.
fn find_piece(group: &mut Group, contacts: &[u32], mut lasts: f64) -> f64 {
    let (mut shortened, mut sought, mut uncut) = (0, 0, None);
    let has_friction = group.friction.is_on || has_grip(group, contacts);
    let most = if has_friction { SHORTENED_SLIPS } else { SHORTENED };
    let most_sought = if group.friction.is_on { SOUGHT_SLIPS } else { SOUGHT };
    (group.sought.leaves_gaps, group.sought.small_gap) = (group.friction.is_on, 0.0);
    let instant = Instant::of(group, contacts);
    let has_rubs = group.friction.is_on;
    let jumps = |at: f64, lasts: f64| has_rubs && at < lasts * JUMPS;
    loop {
        let outcome = fly(group, contacts, lasts);
        match outcome {
            Ok(Flight::Converged) => break,
            Ok(Flight::LetsGo(at)) if sought < most_sought + usize::from(jumps(at, lasts)) => {
                if group.friction.is_on && sought == 0 {
                    uncut = Some((lasts, Instant::of(group, contacts)));
                }
                instant.take_forces(group, contacts);
                sought += 1;
                lasts = at;
            }
            Ok(Flight::LetsGo(at)) => {
                if jumps(at, lasts)
                    && let Some((of_uncut, flown)) = &uncut
                {
                    lasts = *of_uncut;
                    flown.take(group, contacts);
                }
                break;
            }
            // In a jam the gaps of what rests contradict each other: to close them pieces of a room with a
            // piston became so short that a second took more than 20,000.
            _ if !group.sought.leaves_gaps => group.sought.leaves_gaps = true,
            _ if group.friction.is_on && group.sought.small_gap == 0.0 => {
                group.sought.small_gap = SMALL_GAP * group.max_gap;
            }
            _ if shortened < most => {
                shortened += 1;
                lasts *= 0.25;
                uncut = None;
            }
            // No piece converges: with the forces of the instant what so short a piece leaves is mended by
            // the next.
            _ => {
                instant.take(group, contacts);
                break;
            }
        }
    }
    if group.friction.is_on { shorten_to_found(group, contacts, &instant, lasts) } else { lasts }
}

/// Shortens a piece with friction to what its accelerations allow. How long it lasts.
///
/// Its length is that for the accelerations of the instant. With friction those of the piece may be other
/// ones, as forces need not be unique: a disc in the corner of a rising floor was taken to stand at the
/// instant, and was driven out by 7.5 m/s² over a piece of 73 ms, whose line of centres turned by three times
/// the most. It is closed at its end, and was 34 gaps deep before.
fn shorten_to_found(group: &mut Group, contacts: &[u32], instant: &Instant, mut lasts: f64) -> f64 {
    for _ in 0..SOUGHT {
        let longest = longest_piece(group, contacts, f64::INFINITY);
        if lasts <= LONGER * longest {
            break;
        }
        lasts = longest;
        if !matches!(fly(group, contacts, lasts), Ok(Flight::Converged | Flight::LetsGo(_))) {
            instant.take(group, contacts);
            break;
        }
    }
    lasts
}

/// Seconds until a member leaves a facet over one of its ends.
fn time_to_end(group: &Group, c: u32) -> f64 {
    let contact = &group.contacts[c as usize];
    let v = group.velocity(contact.a) - contact.surface;
    let a = group.members[contact.a].acceleration;
    let mut first = f64::INFINITY;
    for &(left, towards) in contact.pressing.exits.iter().flatten() {
        let (speed, bend) = (v.dot(towards), 0.5 * a.dot(towards));
        // The first root of `bend t² + speed t = left`.
        let disc = speed * speed + 4.0 * bend * left;
        if disc >= 0.0 && (speed > 0.0 || bend > 0.0) {
            first = first.min(2.0 * left / (speed + sqrt(disc)));
        }
    }
    if first > 0.0 { first } else { f64::INFINITY }
}

/// How long a piece of at most `longest` seconds may be for the turns and gaps of its contacts.
fn longest_piece(group: &Group, contacts: &[u32], longest: f64) -> f64 {
    contacts.iter().fold(longest, |longest, &c| longest.min(longest_for(group, c, longest)))
}

/// How long a piece may be for a contact; some time of at least `longest` if it may last so long.
fn longest_for(group: &Group, c: u32, longest: f64) -> f64 {
    let contact = &group.contacts[c as usize];
    let [w, a] = group.relative(c);
    let Some(round) = contact.pressing.round else {
        // Until the rounding of the path is what counts as touching: `½ 2⁻⁵² |a| t²` of 4 ulp.
        let scale = contact.pressing.touch / f64::EPSILON;
        return if a == DVec2::ZERO { f64::INFINITY } else { sqrt(2.0 * scale / a.length()) };
    };
    // Negative in a room smaller than the disc.
    let reach = round.reach.abs();
    let speed = w.perp_dot(contact.normal).abs();
    let (across, all) = (a.perp_dot(contact.normal).abs(), a.length());
    let push = contact.pressing.force;
    // The root of θ_v + ½ θ_a = MAX_TURN, θ_v = v T/R and θ_a = a T²/R, so that nothing cancels.
    let turning = 2.0 * MAX_TURN * reach / (speed + sqrt(speed * speed + 2.0 * across * MAX_TURN * reach));
    let pulled = sqrt(reach * (MAX_TURN / all).min(MAX_PUSH / push));
    let [mut low, mut high] = [0.0, turning.min(pulled)];
    // The gap inside, to leading order: the chord of a turn by θ_v sags by θ_v⁴/32 once the constant
    // acceleration has taken the first order away, and what else accelerates adds θ_a (θ_v + θ_a)/20
    // (`resting.md`, Pieces).
    let gap = |t: f64| {
        let of_v = speed * t / reach;
        // The force turns with the line of centres.
        let of_a = (across + 0.5 * push * of_v) * t * t / reach;
        of_a * (of_v + of_a) / 20.0 + of_v * of_v * of_v * of_v / 32.0
    };
    if !(high < f64::INFINITY) {
        return high;
    }
    // Pieces that are cut short leave their gaps open. The next ones get what is left of four gaps, so that
    // these do not add up; a sixteenth at least, so that pieces do not vanish.
    let open = 1.0 - contact.pressing.gap.abs() / (4.0 * group.max_gap * contact.pressing.size);
    // At a round wall that is larger than the disc, a fraction of the distance to its centre would be a large
    // part of the disc.
    let most = group.max_gap * open.max(1.0 / 16.0) * (2.0 * contact.pressing.size / reach).min(1.0);
    // One evaluation tells the contacts that do not decide, with room for what halving leaves.
    let left = 1.0 / (1u64 << (HALVINGS - 1)) as f64;
    if gap(high.min(longest + high * left)) <= most {
        return high;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if gap(middle) <= most { low = middle } else { high = middle }
    }
    low
}

/// Whether something turns or slips in contacts.
fn is_turning(group: &Group, contacts: &[u32]) -> bool {
    contacts.iter().any(|&c| {
        let turns = |(rim, _): (Rim, f64)| rim.is_turned() && (rim.speed != 0.0 || rim.acceleration != 0.0);
        group.friction.grips[c as usize].slips != [false; 2]
            || group.rims_of(c).into_iter().flatten().any(turns)
    })
}

/// Ends a piece of `lasts` seconds where the first of the contacts that slip ends to do so, if that comes
/// before. How long it lasts then. Slips change nearly evenly, so that the secant finds it soon.
fn end_at_slips(group: &mut Group, contacts: &[u32], mut lasts: f64) -> f64 {
    for _ in 0..SOUGHT_STOPS {
        let ends = contacts.iter().map(|&c| slip_ends_after(group, c, lasts));
        let end = ends.fold(f64::INFINITY, f64::min);
        if end >= lasts * (1.0 - STOP_FOUND) {
            break;
        }
        lasts = end;
        if !matches!(fly_or_keep(group, contacts, lasts), Some(Flight::Converged)) {
            break;
        }
    }
    lasts
}

/// Finds the accelerations of a piece that is cut. Where none are found it keeps those of the longer one: cut
/// short, that is a motion as well, as it is where an impact ends it.
///
/// Accelerations of a search that did not converge went through a heap at thirty times its weight, and discs
/// overlapped by 4·10⁻⁵ of their radius.
fn fly_or_keep(group: &mut Group, contacts: &[u32], lasts: f64) -> Option<Flight> {
    let found = Instant::of(group, contacts);
    match fly(group, contacts, lasts) {
        Ok(flight @ (Flight::Converged | Flight::LetsGo(_))) => Some(flight),
        Ok(Flight::Diverged) | Err(_) => {
            found.take(group, contacts);
            None
        }
    }
}

/// Ends a piece of `lasts` seconds where friction without a limit has stopped what slipped at its beginning:
/// before that has passed a rest height. How long it lasts then.
///
/// Two discs that roll in contact slip on each other. Where nothing presses them together at the instant they
/// go on to; where they press over a piece of seconds, they were to be at its end where they were at its
/// beginning, and crept up a slope for a second. What is driven on is left as it is: pieces that do not stop
/// it followed each other, 2700 in a frame of a press.
fn end_at_locks(group: &mut Group, contacts: &[u32], lasts: f64) -> f64 {
    let end = contacts.iter().map(|&c| lock_ends(group, c)).fold(lasts, f64::min);
    // A point has no length that it could pass.
    if !(0.0 < end && end < lasts) {
        return lasts;
    }
    let is_locked = |&c: &u32| lock_ends(group, c) < lasts;
    let locked: SmallVec<[u32; 8]> = contacts.iter().copied().filter(is_locked).collect();
    let found = Instant::of(group, contacts);
    let is_found = matches!(fly(group, contacts, end), Ok(Flight::Converged | Flight::LetsGo(_)));
    if is_found && locked.iter().all(|&c| stops_within(group, c, end)) {
        return end;
    }
    found.take(group, contacts);
    lasts
}

/// Ends a piece of `lasts` seconds exactly where the first of those that stop does, `longest` at most.
/// How long it lasts then.
fn end_at_stops(group: &mut Group, contacts: &[u32], mut lasts: f64, longest: f64) -> f64 {
    for _ in 0..SOUGHT_STOPS {
        let Some(stop) = first_stop(group, contacts) else { return lasts };
        if stop > lasts * (1.0 + STOPS_LATER) || stop > longest {
            return lasts;
        }
        if (stop - lasts).abs() <= STOP_FOUND * lasts {
            break;
        }
        lasts = stop;
        if !matches!(fly_or_keep(group, contacts, lasts), Some(Flight::Converged)) {
            return lasts;
        }
    }
    let stopping = stopping(group, contacts, lasts);
    if !stopping.is_empty() {
        stopping.iter().for_each(|&m| group.members[m].stops = true);
        let forces: SmallVec<[(f64, bool); 32]> = contacts
            .iter()
            .map(|&c| group.contacts[c as usize].pressing)
            .map(|pressing| (pressing.force, pressing.is_held))
            .collect();
        _ = fly_or_keep(group, contacts, lasts);
        // Nothing presses on those whose accelerations are given.
        for (&c, (force, is_held)) in contacts.iter().zip(forces) {
            let pressing = &mut group.contacts[c as usize].pressing;
            (pressing.force, pressing.is_held) = (force, is_held);
        }
        stopping.iter().for_each(|&m| group.members[m].stops = false);
    }
    lasts
}
