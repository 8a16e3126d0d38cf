//! What is changed of all discs.

use super::rewrite::rewrite_here;
use crate::apply::token::{GuardedCommon, GuardedStore, Open};
use crate::state::growth::Growth;
use crate::store::Store;
use crate::{Physics, Settings, State};
use carom_broadphase::Slot;
use glam::DVec2;

/// Rewrites the states of all discs at the present time.
pub(super) fn restate<P: Physics>(store: &mut Store<P>, change: impl Fn(State<P::Extra>) -> State<P::Extra>) {
    for slot in 0..store.bodies.slots() as Slot {
        if store.bodies.is_live(slot) {
            rewrite_here(store, slot, &change(store.state_now(slot)));
        }
    }
}

/// Scales the velocities of all discs, and those in the records of contacts.
pub(in crate::apply) fn scale<P: Physics>(store: &mut Store<P>, factor: f64) {
    restate(store, |state| State { velocity: state.velocity * factor, ..state });
    store.bodies.contacts.scale(factor);
}

/// As [`World::scale_velocities`](crate::World::scale_velocities), of a factor in range.
pub(crate) fn scale_velocities<P: Physics>(store: &mut GuardedStore<P>, factor: f64) {
    let store = store.open();
    store.end_journeys(None);
    scale(store, factor);
    store.bodies.off.iter_mut().for_each(|(_, off)| off.velocity *= factor);
}

/// Lets all radii grow at another rate from now on. The scheduler is to look back no further than that.
pub(crate) fn change_growth<P: Physics>(store: &mut GuardedStore<P>, rate: f64, sweeps: bool) {
    let store = store.open();
    restate(store, |state| state);
    let before = store.bodies.growth;
    // The sizes are those of the present from here on, and so are the stored radii.
    let (bodies, now) = (&mut store.common.bodies, store.common.now);
    bodies.growth = Growth { rate, since: now, limit: None };
    for slot in 0..bodies.slots() as Slot {
        if bodies.is_live(slot) {
            bodies.set_radius(slot, before.grown(bodies.radius(slot), now));
        }
    }
    bodies.note_size(before.grown(bodies.largest, now));
    bodies.set_sweeping(sweeps);
    store.edited();
}

/// Gives the world another physics, from now on.
pub(crate) fn set_physics<P: Physics>(store: &mut GuardedStore<P>, physics: P) {
    let store = store.open();
    // To the present by the old one, and on from there by the new one.
    restate(store, |state| state);
    store.physics = physics;
    restate(store, |state| state);
    store.edited();
}

/// Changes settings, and takes the vector instructions that they allow.
pub(crate) fn change_settings(mut store: GuardedCommon<'_>, change: impl FnOnce(&mut Settings)) {
    let store = store.open();
    change(&mut store.settings);
    store.simd = crate::simd::Simd::chosen(store.settings.instructions);
    store.edited();
}

/// Makes all discs but one stand still as discs of infinite mass, in a world that is thrown away: it keeps no
/// account of energy, and may do with discs what an edit may not. Those that would not deflect the one do not
/// collide any more, and no command is carried out.
pub(crate) fn freeze_but<P: Physics>(store: &mut GuardedStore<P>, kept: Slot) {
    let store = store.open();
    let own = store.bodies.class(kept);
    store.end_journeys(Some(kept));
    store.timers.retain(|timer| !timer.is_of_caller());
    store.bodies.only = Some(kept);
    store.bodies.contacts.remove_if(|record| record.body != kept);
    for slot in store.bodies.live().filter(|&slot| slot != kept).collect::<Vec<_>>() {
        let class = store.bodies.class(slot);
        let state = State { velocity: DVec2::ZERO, ..store.state_now(slot) };
        store.bodies.set_mass(slot, f64::INFINITY);
        super::rewrite::rewrite(store, slot, &state);
        if class.yields_to(own) || class.pass_through(own) {
            store.bodies.rules.set(slot, crate::Rules::new().with_mask(0));
        }
    }
}
