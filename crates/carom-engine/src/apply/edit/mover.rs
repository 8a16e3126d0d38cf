//! Journeys of kinematic discs.

use crate::apply::rest::end_piece;
use crate::apply::token::{GuardedCommon, GuardedStore, Open};
use crate::apply::write::store_in_group;
use crate::state::contacts::{Held, HeldTo};
use crate::state::movers::{Journey, Line};
use crate::state::stamp::Stamp;
use crate::state::timers::Timer;
use crate::store::Store;
use crate::{DiscId, Physics, State};
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
        let line = Line::default();
        mover.journey = Some(Journey { target, velocity, timer, is_late: false, line });
    }
}

/// Notes that a disc on its way goes on to another target, until it arrives there: as it does, or at another
/// velocity. That is to differ by a rounding; what the disc holds is settled now, as at the end of a piece.
pub(crate) fn go_on<P: Physics>(
    store: &mut GuardedStore<P>,
    id: DiscId,
    target: DVec2,
    arrival: Time,
    aimed: Option<DVec2>,
) {
    let (store, slot) = (store.open(), id.slot());
    let Some(before) = store.bodies.movers.get(slot).and_then(|mover| mover.journey) else { return };
    let (now, is_open) = (store.now, store.bodies.periods.is_open());
    let here = store.bodies.arrived_at(slot).unwrap_or_else(|| store.motion_at(slot, now).position);
    if let Some(velocity) = aimed {
        aim(store, slot, here, velocity);
    }
    store.timers.remove(before.timer);
    let timer = store.timers.add(arrival, Timer::Arrival(id));
    let line = Line(before.line.0.or(is_open.then_some((here, now))));
    let velocity = aimed.unwrap_or(before.velocity);
    if let Some(mover) = store.bodies.movers.get_mut(slot) {
        mover.journey = Some(Journey { target, velocity, timer, is_late: false, line });
    }
    store.edited();
}

/// Gives a disc a place and a velocity that differ from its own by roundings.
fn aim<P: Physics>(store: &mut Store<P>, slot: Slot, here: DVec2, velocity: DVec2) {
    let held = store.bodies.contacts.holds.of(slot).to_vec();
    let (now, extra) = (store.now, store.state_now(slot).extra);
    let position = store.bodies.image_reached(slot, here, now);
    // Where no path bends, what it has just met stays met.
    let stamp = if P::ACCELERATED { Stamp::NONE } else { store.bodies.stamp(slot) };
    store_in_group(store, slot, &State { position, velocity, extra }, stamp);
    for held in held {
        // What friction has taken up to now has been noted.
        let held = Held { heat: [0.0; 2], ..held };
        if let (HeldTo::Disc(other), true) = (held.to, held.presses) {
            store.bodies.contacts.holds.add(slot, held);
            store.bodies.contacts.holds.add(other, held.of_other(slot));
            end_piece(store, other);
        }
    }
    store.chains.dissolve(slot);
    store.mark(slot);
}

/// Notes that a disc has arrived, and stops later; the timer of its arrival is taken.
pub(crate) fn arrive<P: Physics>(store: &mut GuardedStore<P>, id: DiscId, timer: (Time, u64)) {
    let store = store.open();
    let journey = store.common.bodies.movers.get_mut(id.slot()).and_then(|mover| mover.journey.as_mut());
    if let Some(journey) = journey {
        journey.timer = store.timers.stop_later(timer, Timer::Arrival(id));
    }
}

/// The journey that a disc is on, which ends: its timer has run down.
pub(crate) fn take_journey(mut store: GuardedCommon<'_>, slot: Slot) -> Option<Journey> {
    store.open().bodies.movers.take_journey(slot)
}
