//! The search for the accelerations of one piece, whose end depends on them.

use super::forces::{largest_pull, note_forces, solve_forces_of, take_forces};
use super::slip::{has_grip, rounding_of_slips};
use crate::complementarity::Infeasible;
use crate::group::{ContactGrip, Group, Round, Sought};
use crate::mass_class::MassClass;
use crate::tolerances::{
    LEAST_FORCE, LETS_GO_EARLY, LETS_GO_FORCE, MAX_CLOSING, MAX_TURN, PIECE_CONVERGED, ROUNDING,
};
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// Most iterations for the end of a piece. Changes fall by a ratio that is the smaller the shorter the piece;
/// one that needs more is shortened.
const ITERATIONS: usize = 12;

/// The most of [`slack_of_short`]. With 10 forces are within 10⁻⁴ of the accelerations. With more they would
/// be the less exact the shorter a piece is.
const MOST_SLACK: f64 = 10.0;

/// By how many times changes of accelerations fall more slowly in a cluster than at one contact.
///
/// A contact changes with both of its bodies, and a body with all of its contacts. Of 12,000 pieces in a heap
/// of 73 discs one in a thousand had more than 4.2. With that, the gap at the end is off by a fourteenth of
/// the largest one in place of a twentieth.
const RATIO_OF_CONTACTS: f64 = 3.0;

/// What became of the search for a piece.
pub(super) enum Flight {
    Converged,
    Diverged,
    /// A force falls to zero before its end, at this time.
    LetsGo(f64),
}

/// Finds the accelerations of a piece of `lasts` seconds.
///
/// A fixed point: accelerations give the end of the piece, the end gives bisectors and gaps (`row_of_piece`),
/// and with these forces give accelerations. A change of accelerations by `δ` turns a bisector by `δ T²/4R`,
/// which changes `2 n̄·w/T` by at most `δ v T/2R`: so changes fall by a half of the angle of the piece,
/// 5·10⁻³ or less, in each iteration. Who presses is decided with them: it is a matter of the piece as it is
/// flown.
pub(super) fn fly(group: &mut Group, contacts: &[u32], lasts: f64) -> Result<Flight, Infeasible> {
    let largest = group.sought.largest_at_instant.unwrap_or_else(|| largest_pull(group, contacts));
    let at_first: SmallVec<[f64; 32]> =
        contacts.iter().map(|&c| group.contacts[c as usize].pressing.force).collect();
    let grips_at_first = grips_of(group, contacts);
    // A flight before may have been without friction.
    group.sought.is_smooth &= grips_at_first.iter().all(|grip| grip.most == [0.0; 2]);
    let mut flight = Flight::Diverged;
    // The sets of one class are no guess for those of another.
    let has_one_class = by_class(group, contacts).len() == 1;
    // Friction may let contacts stick in one iteration and slide in the next, and no bound holds then: the
    // energy of a heap rose by 10⁻⁴ in a frame.
    let has_grip = has_grip(group, contacts);
    let is_bounded = !group.friction.is_on && !has_grip;
    let slack = if is_bounded { slack_of_short(group, contacts, lasts, largest) } else { 1.0 };
    let least = PIECE_CONVERGED * group.max_gap * largest * slack + rounding_of_slips(group, contacts, lasts);
    let mut last = f64::INFINITY;
    for iteration in 0..ITERATIONS {
        group.scratch.problem.ground.is_again = iteration > 0 && has_one_class;
        let change = iterate(group, contacts, lasts, largest);
        group.scratch.problem.ground.is_again = false;
        let change = change?;
        // The iteration that would confirm the last is left out: the next change is known from the ratio of
        // the last two, or after the first one from its bound.
        let ratio = match iteration {
            0 if is_bounded => largest_ratio(group, contacts, lasts),
            0 => 1.0,
            _ => change / last,
        };
        let next = change * ratio;
        if change.min(next) <= least {
            // The force of a contact alone is unique, however small it is: as far as the iteration tells.
            let is_unique = contacts.len() == 1 && !has_grip;
            let small = largest * if is_unique { PIECE_CONVERGED * group.max_gap } else { LETS_GO_FORCE };
            flight = force_ends(group, contacts, (&at_first, &grips_at_first), (small, is_unique), lasts);
            if group.friction.is_on {
                hold_what_dips(group, contacts, &at_first, (lasts, largest));
            }
            break;
        }
        last = change;
    }
    if matches!(flight, Flight::Diverged) {
        for (&c, &force) in contacts.iter().zip(&at_first) {
            group.contacts[c as usize].pressing.force = force;
        }
        for (&c, &grip) in contacts.iter().zip(&grips_at_first) {
            group.friction.grips[c as usize] = grip;
        }
    }
    Ok(flight)
}

/// By how many times [`PIECE_CONVERGED`] accelerations may change at last in a short piece.
///
/// That is for a way `a T²` of [`MAX_TURN`] of the diameter. In a shorter piece the gap at the end is off by
/// as many times less.
fn slack_of_short(group: &Group, contacts: &[u32], lasts: f64, largest: f64) -> f64 {
    let sizes = contacts.iter().map(|&c| group.contacts[c as usize].pressing.size);
    let diameter = 2.0 * sizes.fold(f64::INFINITY, f64::min);
    let slack = MAX_TURN * diameter / (largest * lasts * lasts);
    // No number for points on which nothing acts.
    if slack > 1.0 { slack.min(MOST_SLACK) } else { 1.0 }
}

/// By which ratio changes of accelerations fall at most from the first iteration for the end of a piece to
/// the second.
///
/// A change by `δ` turns a line of centres by `δ T²/4R`. So it changes what a contact asks for by `δ v T/2R`,
/// and its force by `λ δ T²/4R`.
fn largest_ratio(group: &Group, contacts: &[u32], lasts: f64) -> f64 {
    let of_contact = |&c: &u32| {
        let contact = &group.contacts[c as usize];
        let across = group.relative(c)[0].perp_dot(contact.normal).abs();
        (0.5 * across + 0.25 * contact.pressing.force * lasts) * lasts * contact.pressing.curvature.abs()
    };
    RATIO_OF_CONTACTS * contacts.iter().map(of_contact).fold(0.0, f64::max)
}

/// How contacts rub, if they do.
fn grips_of(group: &Group, contacts: &[u32]) -> SmallVec<[ContactGrip; 16]> {
    let rubbing: &[u32] = if group.friction.is_on { contacts } else { &[] };
    rubbing.iter().map(|&c| group.friction.grips[c as usize]).collect()
}

/// The contacts of a cluster by their classes, in the order of these: what those of one class move, those
/// of the next do not.
fn by_class<'a>(group: &Group, contacts: &'a [u32]) -> SmallVec<[(MassClass, &'a [u32]); 3]> {
    let class_of = |c: u32| group.class_of(&group.contacts[c as usize]);
    let of_class = contacts.chunk_by(|&a, &b| class_of(a) == class_of(b));
    of_class.map(|contacts| (class_of(contacts[0]), contacts)).collect()
}

/// What was found for the instant at which a piece begins, or over a piece.
pub(super) struct Instant {
    accelerations: SmallVec<[DVec2; 32]>,
    rims: SmallVec<[f64; 32]>,
    forces: SmallVec<[(f64, bool); 32]>,
    grips: SmallVec<[ContactGrip; 16]>,
    is_smooth: bool,
}

impl Instant {
    pub(super) fn of(group: &Group, contacts: &[u32]) -> Self {
        let force_of = |&c: &u32| {
            let pressing = &group.contacts[c as usize].pressing;
            (pressing.force, pressing.is_held)
        };
        Instant {
            accelerations: group.members.iter().map(|member| member.acceleration).collect(),
            rims: group.friction.rims.iter().map(|rim| rim.acceleration).collect(),
            forces: contacts.iter().map(force_of).collect(),
            grips: grips_of(group, contacts),
            is_smooth: group.sought.is_smooth,
        }
    }

    /// Takes the forces and the friction alone, with which the next flight begins.
    pub(super) fn take_forces(&self, group: &mut Group, contacts: &[u32]) {
        for (&c, &(force, _)) in contacts.iter().zip(&self.forces) {
            group.contacts[c as usize].pressing.force = force;
        }
        for (&c, &grip) in contacts.iter().zip(&self.grips) {
            group.friction.grips[c as usize] = grip;
        }
    }

    /// Takes the forces, and the accelerations with them.
    pub(super) fn take(&self, group: &mut Group, contacts: &[u32]) {
        for (member, &acceleration) in group.members.iter_mut().zip(&self.accelerations) {
            member.acceleration = acceleration;
        }
        for (rim, &acceleration) in group.friction.rims.iter_mut().zip(&self.rims) {
            rim.acceleration = acceleration;
        }
        for (&c, &(force, is_held)) in contacts.iter().zip(&self.forces) {
            let pressing = &mut group.contacts[c as usize].pressing;
            (pressing.force, pressing.is_held) = (force, is_held);
        }
        for (&c, &grip) in contacts.iter().zip(&self.grips) {
            group.friction.grips[c as usize] = grip;
        }
        group.sought.is_smooth = self.is_smooth;
    }
}

/// Holds contacts to the end of a piece with friction that have no force over it and close before they open,
/// by less than the largest gap: those that press at its beginning, and those that its accelerations close at
/// first. One alone is held if it closes by more than what counts as touching: then it is let go as its force
/// falls to 0, and not a piece later.
///
/// Let go such a contact is met at once, at 10⁻⁸ m/s, and again: in a heap of 73 four hundred times in a
/// frame. Of two that roll off each other, with `v²/R` as large as what drives them together, the mean
/// acceleration of each piece closed the contact, and what cut the piece opened it: 5000 times in a frame.
fn hold_what_dips(group: &mut Group, contacts: &[u32], at_first: &[f64], (lasts, largest): (f64, f64)) {
    let most = at_first.iter().fold(0.0, |most: f64, &force| most.max(force));
    let is_alone = contacts.len() == 1;
    for (&c, &first) in contacts.iter().zip(at_first) {
        let dips = if is_alone {
            dip(group, c, lasts) > group.contacts[c as usize].pressing.touch
        } else {
            first > LEAST_FORCE * most || closing_at_first(group, c, lasts) > ROUNDING * largest
        };
        group.contacts[c as usize].pressing.is_held |= dips;
    }
}

/// How deep a contact dips in a piece of `lasts` seconds that closes it at first, and has opened it at the
/// end.
///
/// Of the gap `−½ c t² + j t³/6` that is `2 c³/(3 j²)`.
fn dip(group: &Group, c: u32, lasts: f64) -> f64 {
    let closing = closing_at_first(group, c, lasts);
    let (contact, [w, a]) = (&group.contacts[c as usize], group.relative(c));
    let Some(Round { d, reach, is_inside, .. }) = contact.pressing.round else { return closing };
    let at_end = sqrt((d + (w + a * (0.5 * lasts)) * lasts).length_squared()) - reach;
    let gap = if is_inside { -at_end } else { at_end };
    let jerk = 6.0 * (gap + 0.5 * closing * lasts * lasts) / (lasts * lasts * lasts);
    if closing > 0.0 { 2.0 * closing * closing * closing / (3.0 * jerk * jerk) } else { 0.0 }
}

/// The acceleration at which a contact closes at first in a piece; 0 if that does not close it by more than
/// it has opened before.
fn closing_at_first(group: &Group, c: u32, lasts: f64) -> f64 {
    let contact = &group.contacts[c as usize];
    let [velocity, acceleration] = group.relative(c);
    let (opening, across) = (velocity.dot(contact.normal), velocity.perp_dot(contact.normal));
    let closing = -acceleration.dot(contact.normal) - across * across * contact.pressing.curvature;
    if closing * lasts > 2.0 * opening { closing } else { 0.0 }
}

/// One iteration for the end of a piece; by how much accelerations have changed.
fn iterate(group: &mut Group, contacts: &[u32], lasts: f64, largest: f64) -> Result<f64, Infeasible> {
    let before: SmallVec<[DVec2; 32]> = group.members.iter().map(|member| member.acceleration).collect();
    let classes = by_class(group, contacts);
    for (class, contacts) in classes {
        for &c in contacts {
            let (normal, opening) = row_of_piece(group, c, lasts, MAX_CLOSING * largest);
            let pressing = &mut group.contacts[c as usize].pressing;
            (pressing.bisector, pressing.opening) = (normal, opening);
        }
        solve_forces_of(group, contacts, class, (largest, lasts), |group, c| {
            let pressing = &group.contacts[c as usize].pressing;
            (pressing.bisector, Dd::from(-pressing.opening), pressing.guess)
        })?;
        note_forces(group, contacts);
        take_forces(group, contacts, largest);
    }
    let changes = group.members.iter().zip(&before).map(|(member, before)| member.acceleration - *before);
    Ok(changes.map(|change| change.abs().max_element()).fold(0.0, f64::max))
}

/// Whether a force falls to zero within the piece, and when.
///
/// A force `λ₀ + s t` moves the place at the end by `∫₀ᵀ (λ₀ + s t)(T − t) dt = λ₀ T²/2 + s T³/6`, as the
/// constant force `λ̄ = λ₀ + s T/3` does. So `s = 3 (λ̄ − λ₀)/T`, and the zero is at `T λ₀/(3 (λ₀ −
/// λ̄))`. The same holds of what a contact that sticks could bear beside its friction.
fn force_ends(
    group: &Group,
    contacts: &[u32],
    (at_first, grips): (&[f64], &[ContactGrip]),
    (small, is_unique): (f64, bool),
    lasts: f64,
) -> Flight {
    let mut until = lasts;
    let mut note = |first: f64, mean: f64| {
        // A piece with a mean of 0 begins where the force has fallen to that.
        if first > (if is_unique && mean > 0.0 { 0.0 } else { small }) && mean < first {
            until = until.min(lasts * first / (3.0 * (first - mean)));
        }
    };
    for (&c, &first) in contacts.iter().zip(at_first) {
        let bent = if group.friction.is_on { group.friction.grips[c as usize].bent } else { 0.0 };
        note(first, group.contacts[c as usize].pressing.force - bent);
    }
    for (&c, first) in contacts.iter().zip(grips) {
        let mean = group.friction.grips[c as usize].margin;
        first.margin.into_iter().zip(mean).for_each(|(first, mean)| note(first, mean));
    }
    if until < lasts * (1.0 - LETS_GO_EARLY * group.max_gap) {
        Flight::LetsGo(until.max(lasts / 64.0))
    } else {
        Flight::Converged
    }
}

/// The direction of the force of a contact over a piece, and the acceleration at which it opens without
/// forces.
///
/// At the end `d₁ = d₀ + w T + ½ α T²`, and `|d₁| = R` is `n̄·α + (2/T) n̄·w + 2 g/T² = 0`, exactly, with
/// `n̄ = (d₀ + d₁)/|d₀ + d₁|` and `g = (|d₀|² − R²)/|d₀ + d₁|` (`resting.md`, Pieces). `α` is the free
/// acceleration and what the force adds along `n̄`. The part that closes gaps is bounded by `most`.
///
/// A piece with friction that a slip cuts short closes a part of the gap, as long pieces do in that time. All
/// of it in 10⁻⁵ s takes an acceleration with which other contacts press than at the instant, or none
/// answer to Coulomb's law.
fn row_of_piece(group: &Group, c: u32, lasts: f64, most: f64) -> (DVec2, f64) {
    let contact = &group.contacts[c as usize];
    let [w, a] = group.relative(c);
    let free = group.relative_free(c);
    let (normal, gap) = match contact.pressing.round {
        None => (contact.normal, contact.pressing.gap),
        Some(Round { d, is_inside, squared_gap, .. }) => {
            let sum = d + (d + (w + a * (0.5 * lasts)) * lasts);
            let length = sqrt(sum.length_squared());
            let gap = squared_gap / length;
            let along = sum / length;
            if is_inside { (-along, -gap) } else { (along, gap) }
        }
    };
    // A gap within which the two count as touching is rounding of their places.
    let gap = gap - gap.clamp(-contact.pressing.touch, contact.pressing.touch);
    let Sought { leaves_gaps, small_gap, closes_within, .. } = group.sought;
    // What friction or a jam holds at rest cannot close a gap, and would be pressed ever harder.
    let is_small = gap.abs() <= small_gap * contact.pressing.size;
    let is_left = leaves_gaps && (w == DVec2::ZERO || is_small);
    let most = if is_left { 0.0 } else { most };
    let within = closes_within.map_or(lasts, |within| within.max(lasts));
    let closing = (2.0 * gap / (within * within)).clamp(-most, most);
    (normal, normal.dot(free) + 2.0 * normal.dot(w) / lasts + closing)
}
