//! Journeys of kinematic discs.

use crate::apply::token::{GuardedCommon, GuardedStore, Open};
use crate::state::movers::Journey;
use crate::state::timers::Timer;
use crate::{DiscId, Physics};
use carom_broadphase::Slot;
use carom_math::{DVec2, Time};

/// Notes that a disc is on its way to a target at a velocity that it has, until it arrives.
pub(crate) fn set_off<P: Physics>(
    store: &mut GuardedStore<P>,
    id: DiscId,
    target: DVec2,
    velocity: DVec2,
    arrival: Time,
) {
    let store = store.open();
    let timer = store.timers.add(arrival, Timer::Arrival(id));
    if let Some(mover) = store.bodies.movers.get_mut(id.slot()) {
        mover.journey = Some(Journey { target, velocity, timer, is_late: false });
    }
}

/// The journey that a disc is on, which ends: its timer has run down.
pub(crate) fn take_journey(mut store: GuardedCommon<'_>, slot: Slot) -> Option<Journey> {
    store.open().bodies.movers.take_journey(slot)
}

/// Ends the journey of a disc, with its timer.
pub(crate) fn end_journey<P: Physics>(store: &mut GuardedStore<P>, slot: Slot) {
    store.open().end_journey(slot);
}
