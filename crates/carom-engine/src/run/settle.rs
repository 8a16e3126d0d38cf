//! Discs that are held, and where their pieces of motion end; what edits have put where it may press on
//! something.

use super::responder::Responder;
use crate::apply::rest::fly_on;
use crate::apply::settle::{count_piece, end_settling, store_unsettled, take_unsettled};
use crate::respond::rest::EDIT;
use crate::sink::{Nothing, Sink};
use crate::state::contacts::{HeldTo, PIECE};
use crate::state::stamp::ImpactKind;
use crate::store::Store;
use crate::{Physics, StopReason};
use carom_broadphase::{Kind, Scheduled, Slot};
use smallvec::SmallVec;

impl<P: Physics> Responder<'_, P> {
    /// The end of a piece of the motion of held discs, or of a motion of one of them; or of one that has
    /// flown a period.
    pub(crate) fn resolve_piece<K: Sink<P>>(&mut self, slot: Slot, sink: &mut K) -> Result<(), StopReason> {
        count_piece(self.store.common());
        if !self.store.is_held(slot) {
            fly_on(self.store, slot);
            return Ok(());
        }
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
        let mut slots = take_unsettled(self.store.common());
        add_clusters(self.store, &mut slots);
        store_unsettled(self.store, &slots);
        let before = self.store.impacts;
        for &slot in &slots {
            // One that an earlier one was settled with is settled.
            if self.store.bodies.stamp(slot).number() <= before {
                _ = self.settle_around(slot, EDIT, &mut Nothing);
            }
        }
        end_settling(self.store.common(), slots);
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
