//! An impact of two bodies.

use super::chains::count_in_chains;
use super::energy::{note_energy_change, note_work};
use super::fade::fade_wall_memory;
use super::slide::set_on_chord;
use super::token::{GuardedStore, Open};
use crate::limits::within_limit;
use crate::respond::energy::EnergyChange;
use crate::respond::outcome::{Deflected, Outcome, Settled};
use crate::respond::slide::start_sliding;
use crate::sink::Sink;
use crate::state::bodies::NewState;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::{Contact, Event, Impact, Physics, State};
use carom_math::DVec2;

/// Stores, marks and reports an impact of two bodies. Returns whether another velocity is stored than
/// the normal impulse has left.
#[inline(always)]
pub(crate) fn apply_two<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    new_states: &[NewState; 2],
    outcome: &Outcome<P::Body, P::Extra>,
    settled: Settled<P::Extra>,
    sink: &mut K,
) -> bool {
    let store = store.open();
    let Settled { mut after, deflected } = settled;
    let mut is_deflected = false;
    if let Some(deflected) = &deflected {
        is_deflected = true;
        note_deflection(store, outcome, deflected);
    }
    note_energy(store, outcome);
    if outcome.is_made_plastic {
        store.counters.made_plastic += 1;
    }
    let slid = store.bodies.contacts.held.get(outcome.slots[0]).is_some();
    let (number, stamp) = store.next_impact(ImpactKind::Two);
    store_after(store, outcome, 0, &new_states[0], after[0].extra, stamp);
    match outcome.with {
        With::Disc(_) => {
            store_after(store, outcome, 1, &new_states[1], after[1].extra, stamp);
            store.counters.disc_impacts += 1;
        }
        With::Facet(f) => {
            store.counters.wall_impacts += 1;
            let (side, applied) = (outcome.contact.gap.side, outcome.shown.restitution);
            if let Some(chord) = start_sliding(store, outcome.slots[0], f, side, applied, slid, 0.0) {
                set_on_chord(store, &chord);
                (after[0].velocity, is_deflected) = (chord.state.velocity, true);
            }
        }
    }
    let may_close_in = match outcome.with {
        With::Disc(_) => !outcome.has_finite_masses,
        With::Facet(f) => store.walls.facets[f as usize].drift.velocity != DVec2::ZERO,
    };
    if may_close_in || !store.chains.is_empty() {
        count_in_chains(store, outcome.slots[0], outcome.with, outcome.contact.gap.normal);
    }
    if K::ACTIVE {
        _ = sink.event(&Event::Impact(impact(store, number, outcome, &after)));
    }
    is_deflected
}

/// Notes what the physics, the limit of speeds, and what kept two from approaching have done to the energy.
#[inline(never)]
fn note_deflection<B: Copy, X: Copy>(store: &mut Common, outcome: &Outcome<B, X>, deflected: &Deflected) {
    let discs = if let With::Disc(_) = outcome.with { 2 } else { 1 };
    for (k, mass) in outcome.masses().into_iter().enumerate().take(discs) {
        let wanted = deflected.wanted[k];
        let limited = within_limit(wanted);
        store.counters.clamped += u64::from(limited != wanted);
        store.book.note_physics(mass, outcome.shown.pushed[k], wanted, limited);
    }
    if let Some(stopped) = &deflected.stopped
        && note_work(store, stopped)
    {
        store.book.look_again.add(stopped.loss());
    }
}

/// Notes what the normal impulse does to the energy.
// The loss by restitution is added in line, as inelastic impacts are no exception.
#[inline(always)]
fn note_energy<B: Copy, X: Copy>(store: &mut Common, outcome: &Outcome<B, X>) {
    let Outcome { contact, shown, .. } = outcome;
    let is_special = !outcome.has_finite_masses || outcome.is_made_plastic || contact.growth_speed != 0.0;
    if is_special || shown.restitution > 1.0 {
        // A copy: a reference to the outcome itself would keep it out of registers for every impact.
        let change = EnergyChange {
            is_pair: matches!(outcome.with, With::Disc(_)),
            masses: outcome.masses(),
            before: [shown.before[0].velocity, shown.before[1].velocity],
            after: shown.pushed,
            contact: *contact,
            restitution: shown.restitution,
            impulse: shown.impulse,
        };
        let wanted = outcome.is_made_plastic.then_some(contact.restitution);
        note_energy_change(store, &change, wanted, outcome.slots);
    } else if shown.restitution < 1.0 {
        let taken = 0.5 * (1.0 - shown.restitution) * shown.impulse * contact.approach_speed.max(0.0);
        store.book.restitution.add(taken);
    }
}

/// Stores the state of disc `k` of an impact of two bodies, with what it remembers of that, and marks it.
#[inline(always)]
fn store_after<P: Physics>(
    store: &mut Store<P>,
    outcome: &Outcome<P::Body, P::Extra>,
    k: usize,
    new_state: &NewState,
    extra: P::Extra,
    stamp: Stamp,
) {
    let slot = outcome.slots[k];
    match outcome.with {
        With::Disc(_) => fade_wall_memory(store, slot),
        With::Facet(f) => store.bodies.walls.set(slot, WallMemory::met(f, outcome.contact.gap.side)),
    }
    store.bodies.set_impact(slot, outcome.slots[1 - k], outcome.rapid_impacts[k]);
    store.put(slot, new_state, extra, stamp);
    store.mark(slot);
}

/// The record of an impact of two bodies.
fn impact<B: Copy, X: Copy>(
    store: &Common,
    group: u64,
    outcome: &Outcome<B, X>,
    after: &[State<X>; 2],
) -> Impact {
    let Contact { point, normal, before, .. } = outcome.shown;
    Impact {
        time: store.now,
        group,
        a: store.bodies.id(outcome.slots[0]),
        b: store.partner(outcome.with),
        user_data: [store.bodies.user_data.get(outcome.slots[0]), store.user_data_of(outcome.with)],
        point: store.bodies.periods.wrap(point).0,
        normal,
        approach_speed: outcome.contact.approach_speed,
        impulse: outcome.impulse,
        before: before.map(|before| before.velocity),
        after: [after[0].velocity, after[1].velocity],
    }
}
