//! The rule against inelastic collapse: see [`Collapse`](crate::Collapse).

use super::contact::{combined_restitution, touched};
use crate::state::bodies::Detail;
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::touch::magnitude;
use crate::{Collapse, Physics, State};
use carom_broadphase::Slot;
use carom_math::tolerance::touch_slack;
use carom_solver::{Group, Stuck};

/// Impacts of one disc at one instant after which even elastic ones are made plastic: one by one, a disc
/// between two walls as far apart as it is wide passes a blow on for ever; and so does a heap of
/// overlapping discs, in which some part while others approach.
const LOCKED: u32 = 1024;

/// How many impacts without restitution later what is still locked moves as one, and as many later it stops.
///
/// Where discs just fit, sliding along a curve takes them into each other whatever the restitution: each
/// impulse lets them go on by some 10⁻⁸ of their size.
const STUCK: u32 = 32;

/// How many times the slack of touching a disc comes at most, since its last event, where it gets nowhere.
///
/// What slides along a round wall that it just fits is turned off the wall by up to 10⁻³ of its velocity, so
/// that a gap of an ulp lets it go on by a thousand; with as many as discs of a cluster are apart, a row of
/// 1024 is often broken by one longer way. About 3·10⁻¹¹ of the coordinates: what bounces as narrowly without
/// being jammed, as a disc between a wall and a heavy one that closes in, has had 10¹⁰ impacts before.
const NOWHERE_SLACKS: f64 = 32_768.0;

/// The unit of the second of two counts that share `Detail::rapid_impacts`: multiples of it count impacts
/// before which no disc of the group had moved, and what is below it counts impacts within the contact time.
const NOWHERE: u32 = 1 << 16;

/// Both counts of a disc that has an impact of this restitution now: how many in a row came too soon, and
/// before how many in a row no disc of the group had moved. `is_nowhere` says that none has before this one.
///
/// Elastic ones come too soon only at one and the same instant: there is no collapse without loss.
#[inline(always)]
pub(crate) fn rapid_impacts(store: &Common, slot: Slot, restitution: f64, is_nowhere: bool) -> u32 {
    let age = store.now.since(store.bodies.time(slot));
    match &store.settings.collapse {
        Some(rule) if is_nowhere || age <= rule.contact_time => {
            more_rapid_impacts(store, slot, (restitution < 1.0 || age == 0.0, is_nowhere), rule.contact_time)
        }
        _ => 0,
    }
}

#[cold]
fn more_rapid_impacts(
    store: &Common,
    slot: Slot,
    (counts, is_nowhere): (bool, bool),
    contact_time: f64,
) -> u32 {
    let Detail { mass, rapid_impacts: before, .. } = *store.bodies.detail(slot);
    // What cannot be deflected does not collapse, however often it is hit.
    if mass == f64::INFINITY {
        return 0;
    }
    let time = store.bodies.time(slot);
    // True time passes no more slowly than that of a clock with drag.
    let age = store.drag().map_or(store.now.since(time), |drag| drag.true_age(time, store.now));
    let one_more = |count: u32| (count + 1).min(NOWHERE - 1);
    let (nowhere, rapid) = (before / NOWHERE, before % NOWHERE);
    let rapid = if counts { one_more(rapid) } else { rapid };
    let rapid = if age > contact_time { 0 } else { rapid };
    rapid + NOWHERE * if is_nowhere { one_more(nowhere) } else { 0 }
}

/// The rapid impacts of two discs that meet, or of one that meets a wall and is named twice. What begins a
/// row comes within the contact time of the last event of one of them.
#[inline(always)]
pub(crate) fn rapid_impacts_of_two(store: &Common, slots: [Slot; 2], restitution: f64) -> [u32; 2] {
    let Some(rule) = &store.settings.collapse else { return [0; 2] };
    let [a, b] = slots.map(|slot| {
        let is_late = store.now.since(store.bodies.time(slot)) > rule.contact_time;
        !is_late || store.bodies.detail(slot).rapid_impacts > 0
    });
    if a | b { more_rapid_impacts_of_two(store, slots, restitution) } else { [0; 2] }
}

#[cold]
fn more_rapid_impacts_of_two(store: &Common, slots: [Slot; 2], restitution: f64) -> [u32; 2] {
    let is_nowhere = are_nowhere(store, slots);
    let of = |slot| rapid_impacts(store, slot, restitution, is_nowhere);
    [of(slots[0]), if slots[0] == slots[1] { 0 } else { of(slots[1]) }]
}

/// Whether discs have come no further since their last events than by [`NOWHERE_SLACKS`]; where contacts are
/// held, than by the gap to which they are followed, as what jams there is no closer together.
#[cold]
pub(crate) fn are_nowhere(store: &Common, slots: impl IntoIterator<Item = Slot>) -> bool {
    let rest = store.settings.rest.filter(|_| store.bodies.is_bent());
    let gap = rest.map_or(0.0, |rest| rest.gap);
    slots.into_iter().all(|slot| {
        let State { position, velocity, .. } = store.bodies.state(slot);
        let age = store.now.since(store.bodies.time(slot));
        let radius = store.bodies.radius(slot);
        let rounding = NOWHERE_SLACKS * touch_slack(magnitude(position).max(radius));
        let nowhere = rounding.max(gap * radius);
        age == 0.0 || velocity.length_squared() * (age * age) <= nowhere * nowhere
    })
}

/// Whether the rule against collapse makes an impact of two bodies plastic. `rapid_impacts` has the counts of
/// each.
#[inline(always)]
pub(crate) fn makes_plastic(store: &Common, rapid_impacts: [u32; 2], restitution: f64) -> bool {
    let [a, b] = rapid_impacts;
    let is_many = |rule: &Collapse| a % NOWHERE >= rule.impacts || b % NOWHERE >= rule.impacts;
    (a | b) > 0 && restitution < 1.0 && store.settings.collapse.as_ref().is_some_and(is_many)
}

/// Whether an impact is made plastic, with all that is near: its discs have had too many, too soon
/// after each other or between bodies that close in.
#[inline]
pub(crate) fn is_locked<P: Physics>(store: &Store<P>, slots: [Slot; 2], with: With) -> bool {
    let [a, b] = slots.map(|slot| store.bodies.detail(slot).rapid_impacts);
    (a | b) > 0 && has_too_many_rapid_impacts(store, slots, with) || store.chains.is_any_spent(slots)
}

/// How a group ends in which nothing else has helped. Where discs accelerate, what moves as one would press
/// on again.
pub(crate) fn stuck<P: Physics>(store: &Store<P>, group: &Group) -> Option<Stuck> {
    let slots = || group.members.iter().map(|member| member.slot);
    let nowhere = |slot| store.bodies.detail(slot).rapid_impacts / NOWHERE;
    let most = slots().map(nowhere).max().filter(|&most| most >= LOCKED && are_nowhere(store, slots()))?;
    match (most - LOCKED) / STUCK {
        0 => None,
        1 if !P::ACCELERATED => Some(Stuck::AsOne),
        _ => Some(Stuck::Still),
    }
}

fn is_count_locked(rapid_impacts: u32) -> bool {
    (rapid_impacts % NOWHERE).max(rapid_impacts / NOWHERE) >= LOCKED
}

#[cold]
fn has_too_many_rapid_impacts<P: Physics>(store: &Store<P>, slots: [Slot; 2], with: With) -> bool {
    let restitution = combined_restitution(store, slots[0], with);
    let is_nowhere = are_nowhere(store, slots);
    let counts = slots.map(|slot| rapid_impacts(store, slot, restitution, is_nowhere));
    counts.into_iter().any(is_count_locked) || makes_plastic(store, counts, restitution)
}

/// Whether one of the impacts of a group is locked: then the whole is made plastic, whichever of them
/// comes first in the order of events.
pub(crate) fn has_locked_contact<P: Physics>(store: &Store<P>, group: &Group) -> bool {
    group.contacts.iter().filter(|contact| group.approach_before(contact) > 0.0).any(|contact| {
        let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
        is_locked(store, [a, if let With::Disc(b) = with { b } else { a }], with)
    })
}
