//! Discs that are held, and where their pieces of motion end; what edits have put where it may press on
//! something.

use super::responder::Responder;
use crate::apply::fade::fade_wall_memory;
use crate::apply::holds::shorten_hold_notes;
use crate::apply::write::store_state;
use crate::respond::rest::EDIT;
use crate::sink::{Nothing, Sink};
use crate::state::contacts::{HeldTo, PIECE};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::store::Store;
use crate::{Physics, StopReason};
use carom_broadphase::{Kind, Scheduled, Slot};
use smallvec::SmallVec;

impl<P: Physics> Responder<'_, P> {
    /// The end of a piece of the motion of held discs, or of a motion of one of them.
    pub(crate) fn resolve_piece<K: Sink<P>>(&mut self, slot: Slot, sink: &mut K) -> Result<(), StopReason> {
        self.store.counters.pieces += 1;
        self.settle_around(slot, PIECE, sink)
    }

    /// Settles a disc with all that it touches, where no impact is due.
    pub(super) fn settle_around<K: Sink<P>>(
        &mut self,
        slot: Slot,
        tag: u32,
        sink: &mut K,
    ) -> Result<(), StopReason> {
        self.note_positions();
        let due = Scheduled { time: self.store.now, kind: Kind::MotionChange, a: slot, b: slot, tag };
        self.resolve_group(&due, ImpactKind::Group, sink)
    }

    /// Settles the discs that edits have put where they may press on something, or taken away from there,
    /// with the clusters that they were in.
    ///
    /// Where one of them approaches what it touches there is an impact at this instant, which does it.
    #[cold]
    pub(crate) fn settle_edited(&mut self) {
        let mut slots = core::mem::take(&mut self.store.unsettled);
        add_clusters(self.store, &mut slots);
        for &slot in &slots {
            // What held it is gone, and so is the acceleration that it had for that.
            let state = self.store.state_now(slot);
            let mut stamp = self.store.bodies.stamp(slot);
            if self.store.bodies.time(slot) != self.store.now {
                // Of the walls that it has hit it is no longer where it hit them.
                fade_wall_memory(self.store, slot);
                stamp = Stamp::NONE;
            }
            store_state(self.store, slot, &state, stamp);
            self.store.mark(slot);
        }
        let before = self.store.impacts;
        for &slot in &slots {
            // One that an earlier one was settled with is settled. Nothing is crushed where nothing
            // approaches.
            if self.store.bodies.stamp(slot).number() <= before {
                _ = self.settle_around(slot, EDIT, &mut Nothing);
            }
        }
        slots.clear();
        self.store.unsettled = slots;
        shorten_hold_notes(self.store);
    }
}

/// Adds those that hang together with some discs through held contacts. In order, without the removed.
fn add_clusters<P: Physics>(store: &Store<P>, slots: &mut Vec<Slot>) {
    slots.sort_unstable();
    slots.dedup();
    slots.retain(|&slot| store.bodies.is_live(slot));
    // Layer by layer of contacts, so that what is known can be searched.
    let mut layer: SmallVec<[Slot; 32]> = SmallVec::from_slice(slots);
    while !layer.is_empty() {
        let held = layer.iter().flat_map(|&slot| store.bodies.contacts.holds.of(slot));
        let others = held.filter_map(|held| match held.to {
            HeldTo::Disc(other) => Some(other),
            HeldTo::Facet(..) => None,
        });
        let mut next: SmallVec<[Slot; 32]> =
            others.filter(|other| slots.binary_search(other).is_err()).collect();
        next.sort_unstable();
        next.dedup();
        slots.extend_from_slice(&next);
        slots.sort_unstable();
        layer = next;
    }
}
