//! What friction of the ground does to discs in a piece: they stop, or turn.

use crate::group::Group;
use crate::mass_class::MassClass;
use crate::tolerances::{INSTANT_WAY, MAX_TURN, SLIP_ROUNDING, STOPS_TOGETHER};
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// What friction lets a disc do that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slip {
    /// It stops after this many seconds.
    Stops(f64),
    /// Its direction has turned, or its speed is a half, after this many seconds.
    Turns(f64),
}

/// Whether friction acts on what the contacts join.
pub(super) fn has_grip(group: &Group, contacts: &[u32]) -> bool {
    gripped(group, contacts).next().is_some()
}

/// Whether a contact opens with a body at rest that the ground holds, by at most `closed` of the speeds of
/// falls. Forces decide there all the same, but the opening is not stopped: that would draw the body along,
/// to a stop after 10⁻¹² s, and again. It may press by a force that friction cancels, and such forces are not
/// unique.
pub(super) fn would_draw(group: &Group, c: u32, closed: f64) -> bool {
    let contact = &group.contacts[c as usize];
    let rests = |m: usize| group.members[m].grip > 0.0 && group.velocity(m) == DVec2::ZERO;
    let opening = group.opening_in_f64(c);
    let ends = || contact.ends().into_iter().flatten();
    let fall = ends().map(|m| group.members[m].fall_speed()).fold(0.0, f64::max);
    opening > 0.0 && opening <= closed * fall && ends().any(rests)
}

/// Whether friction acts on one of them that moves.
pub(super) fn is_slipping(group: &Group, contacts: &[u32]) -> bool {
    gripped(group, contacts).any(|m| group.velocity(m) != DVec2::ZERO)
}

/// The members of contacts on which friction acts, some of them more than once.
fn gripped<'a>(group: &'a Group, contacts: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let ends = contacts.iter().flat_map(|&c| group.contacts[c as usize].ends()).flatten();
    ends.filter(|&m| group.members[m].grip > 0.0 && group.members[m].class != MassClass::Infinite)
}

/// Seconds until friction turns or stops the first of the members of contacts.
pub(super) fn time_to_turn(group: &Group, contacts: &[u32]) -> f64 {
    let slips = gripped(group, contacts).filter_map(|m| slip_of(group, m));
    slips
        .map(|slip| match slip {
            Slip::Stops(t) | Slip::Turns(t) => t,
        })
        .fold(f64::INFINITY, f64::min)
}

/// What a member does with its present acceleration; nothing if it is at rest.
///
/// A direction that turns while the speed falls to 0 turns by a finite angle in infinitely many pieces, as
/// each may turn by [`MAX_TURN`] only. So pieces halve the speed, some twenty times, until the way across
/// that is left, `a_t T²`, is within the largest gap: then the disc stops straight.
fn slip_of(group: &Group, m: usize) -> Option<Slip> {
    let (v, member) = (group.velocity(m), &group.members[m]);
    if v == DVec2::ZERO {
        return None;
    }
    let (a, small) = (member.acceleration, group.max_gap * member.motion.radius);
    let speed = sqrt(v.length_squared());
    let (along, across) = (v.dot(a) / speed, v.perp_dot(a).abs() / speed);
    let stop = if along < 0.0 { speed / -along } else { f64::INFINITY };
    if stop < f64::INFINITY && across * stop * stop <= small {
        return Some(Slip::Stops(stop));
    }
    // The direction has turned by an angle φ when `across t = φ (speed + along t)`.
    let turning = across - MAX_TURN * along;
    let turned = if turning > 0.0 { MAX_TURN * speed / turning } else { f64::INFINITY };
    // No shorter than the way of a gap takes: what turns faster turns by less than is seen.
    let least = sqrt(small / (sqrt(a.length_squared()) + member.grip));
    Some(Slip::Turns(turned.min(0.5 * stop).max(least)))
}

/// What rounding leaves of accelerations over pieces as short as friction makes them, `2 n̄·w/T`.
pub(super) fn rounding_of_slips(group: &Group, contacts: &[u32], lasts: f64) -> f64 {
    if !has_grip(group, contacts) {
        return 0.0;
    }
    let fastest = |&c: &u32| group.relative(c)[0].abs().max_element();
    SLIP_ROUNDING * contacts.iter().map(fastest).fold(0.0, f64::max) / lasts
}

/// Whether a piece is so short that the accelerations of its beginning are as good: of discs that slip.
pub(super) fn is_instant(group: &Group, contacts: &[u32], lasts: f64) -> bool {
    let is_short = |m: usize| {
        let member = &group.members[m];
        let most = sqrt(member.acceleration.length_squared()) + member.grip;
        most * lasts * lasts <= group.max_gap * member.motion.radius
    };
    let turns_little = |&c: &u32| {
        let [w, _] = group.relative(c);
        w.abs().max_element() * lasts <= INSTANT_WAY * group.contacts[c as usize].pressing.size
    };
    has_grip(group, contacts) && gripped(group, contacts).all(is_short) && contacts.iter().all(turns_little)
}

/// Lets the discs stop at the end of such a piece that do so there.
pub(super) fn stop_at_end(group: &mut Group, contacts: &[u32], lasts: f64) {
    for m in stopping(group, contacts, lasts) {
        group.members[m].acceleration = -group.velocity(m) / lasts;
    }
}

/// The members that stop at the end of a piece.
pub(super) fn stopping(group: &Group, contacts: &[u32], lasts: f64) -> SmallVec<[usize; 32]> {
    let stops =
        |m: usize| matches!(slip_of(group, m), Some(Slip::Stops(t)) if t <= lasts * (1.0 + STOPS_TOGETHER));
    gripped(group, contacts).filter(|&m| stops(m)).collect()
}

/// Seconds until the first of the members stops, if one does.
pub(super) fn first_stop(group: &Group, contacts: &[u32]) -> Option<f64> {
    let stop = |m| match slip_of(group, m) {
        Some(Slip::Stops(t)) => Some(t),
        _ => None,
    };
    gripped(group, contacts).filter_map(stop).min_by(f64::total_cmp)
}
