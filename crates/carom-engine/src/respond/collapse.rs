//! The rule against inelastic collapse: see [`Collapse`](crate::Collapse).

use super::contact::{combined_restitution, touched};
use crate::Physics;
use crate::state::with::With;
use crate::store::{Common, Store};
use carom_broadphase::Slot;
use carom_solver::Group;

/// Impacts of one disc at one instant after which even elastic ones are made plastic: one by one, a disc
/// between two walls as far apart as it is wide passes a blow on for ever; and so does a heap of
/// overlapping discs, in which some part while others approach.
const LOCKED: u32 = 1024;

/// The rapid impacts of a disc that has one of this restitution now: how many in a row came too soon.
///
/// Elastic ones count only at one and the same instant: there is no collapse without loss.
#[inline(always)]
pub(crate) fn rapid_impacts(store: &Common, slot: Slot, restitution: f64) -> u32 {
    let age = store.now.since(store.bodies.time(slot));
    match &store.settings.collapse {
        Some(rule) if age <= rule.contact_time => {
            more_rapid_impacts(store, slot, restitution < 1.0 || age == 0.0, rule.contact_time)
        }
        _ => 0,
    }
}

#[cold]
fn more_rapid_impacts(store: &Common, slot: Slot, counts: bool, contact_time: f64) -> u32 {
    // True time passes no more slowly than that of a clock with drag.
    if store.drag().is_some_and(|drag| drag.true_age(store.bodies.time(slot), store.now) > contact_time) {
        return 0;
    }
    let detail = store.bodies.detail(slot);
    // What cannot be deflected does not collapse, however often it is hit.
    if detail.mass == f64::INFINITY { 0 } else { detail.rapid_impacts.saturating_add(u32::from(counts)) }
}

/// Whether the rule against collapse makes an impact plastic. `rapid_impacts` is the larger number of rapid
/// impacts that one of the two has had.
#[inline(always)]
pub(crate) fn makes_plastic(store: &Common, rapid_impacts: u32, restitution: f64) -> bool {
    rapid_impacts > 0
        && restitution < 1.0
        && store.settings.collapse.as_ref().is_some_and(|rule| rapid_impacts >= rule.impacts)
}

/// Whether an impact is made plastic, with all that is near: its discs have had too many, too soon
/// after each other or between bodies that close in.
#[inline]
pub(crate) fn is_locked<P: Physics>(store: &Store<P>, slots: [Slot; 2], with: With) -> bool {
    let [a, b] = slots.map(|slot| store.bodies.detail(slot).rapid_impacts);
    (a | b) > 0 && has_too_many_rapid_impacts(store, slots, with) || store.chains.is_any_spent(slots)
}

#[cold]
fn has_too_many_rapid_impacts<P: Physics>(store: &Store<P>, slots: [Slot; 2], with: With) -> bool {
    let restitution = combined_restitution(store, slots[0], with);
    let [a, b] = slots.map(|slot| rapid_impacts(store, slot, restitution));
    a.max(b) >= LOCKED || makes_plastic(store, a.max(b), restitution)
}

/// Whether one of the impacts of a group is locked: then the whole is made plastic, whichever of them
/// comes first in the order of events.
pub(crate) fn has_locked_contact<P: Physics>(store: &Store<P>, group: &Group) -> bool {
    group.contacts.iter().filter(|contact| group.approach_before(contact) > 0.0).any(|contact| {
        let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
        is_locked(store, [a, if let With::Disc(b) = with { b } else { a }], with)
    })
}
