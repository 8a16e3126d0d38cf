//! The verbs of the fast loop, and of edits of velocities in worlds whose discs have only a place and a
//! velocity. There an impact or an edit ends nothing else, so these verbs do not look for it.

use super::fade::fade_wall_memory;
use super::token::{GuardedCommon, Open};
use crate::Physics;
use crate::ledger::energy_of_change;
use crate::respond::contact::ContactNow;
use crate::state::record::Record;
use crate::state::wall_memory::WallMemory;
use crate::store::Store;
use carom_broadphase::{Scheduled, Slot};
use carom_math::Time;
use glam::DVec2;

/// Whether a disc has no state beside place and velocity, and an edit of these ends nothing but what the
/// disc remembers of walls: smooth discs that fly straight without drag, growth, periods, kinematic
/// discs, discs off the plane, regions, chains, or contacts with records.
///
/// Edits of velocities keep it so.
#[inline(always)]
pub(crate) fn has_plain_states<P: Physics>(store: &Store<P>) -> bool {
    let (bodies, contacts) = (&store.bodies, &store.bodies.contacts);
    P::IS_SMOOTH
        && store.drag.is_none()
        && store.sensing.is_none()
        && store.chains.is_empty()
        && bodies.off.is_empty()
        && bodies.movers.is_empty()
        && !bodies.growth.is_on()
        && bodies.periods.is_open()
        && contacts.is_without_ends()
}

/// Whether two vectors have the same bits: a zero of the other sign is another value.
#[inline(always)]
pub(crate) fn is_same(a: DVec2, b: DVec2) -> bool {
    a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
}

/// As [`World::set_velocity`](crate::World::set_velocity), of a slot that is taken and a velocity in range,
/// where [states are plain](has_plain_states).
#[inline(always)]
pub(crate) fn set_plain_velocity(mut store: GuardedCommon<'_>, slot: Slot, velocity: DVec2) {
    let store = store.open();
    if is_same(store.bodies.record(slot).velocity(), velocity) {
        return;
    }
    fade_wall_memory(store, slot);
    let now = store.now;
    let (before, mass) = store.bodies.deflect(slot, now, velocity);
    store.book.edits.add(energy_of_change(mass, before, velocity));
    store.mark(slot);
}

/// An impact of two discs, or of one at a half-plane, in a [plain](crate::run::plain::run::is_plain) world.
pub(crate) struct PlainImpact<const N: usize> {
    pub(crate) slots: [Slot; N],
    pub(crate) records: [Record; N],
    /// By how many periods each position has been wrapped.
    pub(crate) turns: [[i64; 2]; N],
    /// Before they were.
    pub(crate) places: [DVec2; N],
    /// The wall, if it is one.
    pub(crate) met: WallMemory,
    /// Before the impact.
    pub(crate) velocities: [DVec2; N],
    pub(crate) contact: ContactNow,
    pub(crate) impulse: f64,
}

/// Shows the new state of a disc of an impact to the sweeps, which read copies of the records.
#[inline(always)]
pub(crate) fn show_after(mut store: GuardedCommon<'_>, slot: Slot, record: &Record) {
    store.open().bodies.show(slot, record);
}

/// Hides a disc from the sweeps.
#[inline(always)]
pub(crate) fn hide(mut store: GuardedCommon<'_>, slot: Slot) {
    store.open().bodies.hide(slot);
}

/// Shows its stored state again.
#[inline(always)]
pub(crate) fn show_stored(mut store: GuardedCommon<'_>, slot: Slot) {
    store.open().bodies.copy_to_block(slot);
}

/// Stores an impact whose new states are [shown](show_after); marks nothing.
#[inline(always)]
pub(crate) fn apply_plain<const N: usize>(
    mut store: GuardedCommon<'_>,
    impact: &PlainImpact<N>,
    now: Time,
    is_periodic: bool,
) {
    let store = store.open();
    let is_at_wall = N == 1;
    for k in 0..N {
        let slot = impact.slots[k];
        if is_periodic && impact.turns[k] != [0; 2] {
            store.bodies.note_turns(slot, impact.turns[k]);
        }
        store.bodies.put_shown(slot, &impact.records[k], impact.slots[N - 1 - k]);
        // Away from all walls none is remembered.
        if is_at_wall || !store.bodies.walls.get(slot).is_empty() {
            store.bodies.walls.set(slot, impact.met);
        }
    }
    store.now = now;
    store.impacts += 1;
    let counters = &mut store.counters;
    *(if is_at_wall { &mut counters.wall_impacts } else { &mut counters.disc_impacts }) += 1;
    let ContactNow { restitution, approach_speed, .. } = impact.contact;
    if restitution < 1.0 {
        store.book.restitution.add(0.5 * (1.0 - restitution) * impact.impulse * approach_speed.max(0.0));
    }
}

/// Ends a run of plain impacts and counts them. Marks the discs of the next event if their rows are spoiled.
#[inline(always)]
pub(crate) fn end_plain_run(mut store: GuardedCommon<'_>, events: u64, spoiled: Option<Scheduled>) {
    let store = store.open();
    store.edition.add(events);
    if let Some(due) = spoiled {
        store.dirty.extend([due.a, due.b]);
    }
}
