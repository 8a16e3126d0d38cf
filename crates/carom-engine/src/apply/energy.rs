//! What impacts do to the energy: see [`Ledger`](crate::Ledger).

use crate::ledger::Book;
use crate::respond::energy::EnergyChange;
use crate::store::Common;
use carom_broadphase::Slot;
use carom_solver::{Entries, Group};

/// Notes an impact at which more than restitution changes the energy, or one that was made plastic and
/// would have had the restitution `wanted`.
#[cold]
#[inline(never)]
pub(super) fn note_energy_change(
    store: &mut Common,
    change: &EnergyChange,
    wanted: Option<f64>,
    slots: [Slot; 2],
) {
    if !note_work(store, change) {
        return;
    }
    let loss = change.loss();
    match wanted {
        Some(wanted) => {
            // What is beyond the loss at that restitution.
            let plastic = loss * (wanted * wanted).min(1.0);
            store.book.restitution.add(loss - plastic);
            let is_crushed = store.chains.is_any_spent(slots);
            if is_crushed { &mut store.book.crush } else { &mut store.book.collapse }.add(plastic);
        }
        None if change.restitution > 1.0 => store.book.kicks.add(-loss),
        None => store.book.restitution.add(loss),
    }
}

/// Enters what a group has done to the energy, with what physics and clamps have.
pub(super) fn enter_book_of(store: &mut Common, group: &mut Group, of_physics: Book) {
    group.note_work();
    let Entries { work, growth, kicks, restitution, collapse, crush, rest, held, friction, look_again } =
        group.book;
    let of_rest = Book { rest, held, friction, ..of_physics };
    let mut book = Book { work, growth, kicks, restitution, collapse, crush, look_again, ..of_rest };
    if !store.bodies.growth.is_on() {
        // Arms do not turn where radii grow.
        book.work += core::mem::take(&mut book.growth);
    }
    store.book += &book;
}

/// Notes the work of infinite masses and arms that exert an impulse, and of growing radii. Returns
/// whether a finite mass feels it: not what is between a tracer and another disc, nor what turns an
/// infinite mass at a wall.
///
/// The impulse is taken from the velocities, as what keeps discs from creeping has a part in it.
pub(super) fn note_work(store: &mut Common, change: &EnergyChange) -> bool {
    let &EnergyChange { is_pair, masses: [a, b], before, after, contact, .. } = change;
    if a == 0.0 || (is_pair && b == 0.0) || (!is_pair && a == f64::INFINITY) {
        return false;
    }
    let normal = contact.gap.normal;
    let impulse = if is_pair && b < f64::INFINITY {
        (after[1] - before[1]).dot(normal) * b
    } else {
        (before[0] - after[0]).dot(normal) * a
    };
    let entry = if store.bodies.growth.is_on() { &mut store.book.growth } else { &mut store.book.work };
    entry.add(impulse * contact.growth_speed);
    if is_pair && a == f64::INFINITY {
        store.book.work.add(impulse * before[0].dot(normal));
    } else if is_pair && b == f64::INFINITY {
        store.book.work.add(-impulse * before[1].dot(normal));
    }
    true
}
