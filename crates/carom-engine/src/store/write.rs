use super::Store;
use crate::state::added::Added;
use crate::state::bend::Bend;
use crate::state::bodies::NewState;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::walls::facet::Facet;
use crate::{Disc, Physics, Wall, WallId};
use carom_broadphase::Slot;
use std::sync::Arc;

/// What is written of discs and walls.
impl<P: Physics> Store<P> {
    /// Numbers the next impact.
    pub(crate) fn next_impact(&mut self, kind: ImpactKind) -> (u64, Stamp) {
        self.impacts += 1;
        (self.impacts, Stamp::impact(self.impacts, kind))
    }

    /// Notes the work of a disc's acceleration up to the present, at which its state is going to be stored.
    #[inline(always)]
    pub(crate) fn note_path(&mut self, slot: Slot) {
        if P::ACCELERATED {
            let work = self.work_on_path(slot, self.now);
            self.book.forces.add(work);
            if P::TURNING.is_some() {
                self.note_heat(slot);
            }
        }
    }

    /// Stores a state: the only place where one is rewritten, beside the fast loop. Ends a slide, and what
    /// holds the disc.
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: Slot, new_state: &NewState, extra: P::Extra, stamp: Stamp) {
        self.note_path(slot);
        self.put_first(slot, new_state, extra, stamp);
    }

    /// As `put`, of a disc that had no path before.
    #[inline(always)]
    pub(crate) fn put_first(&mut self, slot: Slot, new_state: &NewState, mut extra: P::Extra, stamp: Stamp) {
        self.bodies.put(slot, new_state, stamp);
        if let Some(turning) = P::TURNING {
            // Until it is held again.
            let spin = (turning.spin)(&extra).angular_velocity;
            (turning.set_spin)(&mut extra, [spin, 0.0]);
        }
        if Self::ADDS {
            self.added[slot as usize].extra = extra;
        }
        if P::ACCELERATED {
            self.bodies.contacts.holds.forget(slot);
            let low_impacts = self.bodies.bend(slot).low_impacts;
            let bend = Bend { low_impacts, ..self.own_bend(slot) };
            self.bodies.set_bend(slot, bend);
        } else {
            self.bodies.copy_to_block(slot);
        }
    }

    /// Sets the angular acceleration of a disc that is held.
    pub(crate) fn set_turning(&mut self, slot: Slot, acceleration: f64) {
        if let Some(turning) = P::TURNING {
            let extra = &mut self.added[slot as usize].extra;
            let spin = (turning.spin)(extra).angular_velocity;
            (turning.set_spin)(extra, [spin, acceleration]);
        }
    }

    /// Sets an extra state as it is, with the angular acceleration of a disc that is held.
    pub(crate) fn set_extra(&mut self, slot: Slot, extra: P::Extra) {
        if Self::ADDS {
            self.added[slot as usize].extra = extra;
        }
    }

    /// Changes what the physics adds to the properties of a disc.
    pub(crate) fn set_own(&mut self, slot: Slot, own: P::Body) {
        if Self::ADDS {
            self.added[slot as usize].own = own;
        }
    }

    /// How the path of a disc bends by its stored state alone.
    #[inline(always)]
    pub(crate) fn own_bend(&self, slot: Slot) -> Bend {
        let bend = if self.bodies.is_unforced(slot) {
            Bend::NONE
        } else {
            Bend::of(&self.physics, &self.body(slot), &self.state(slot))
        };
        bend.cut(self.bodies.record(slot).velocity(), &self.bodies.periods)
    }

    /// Inserts a disc; returns where, and its serial number.
    pub(crate) fn insert(&mut self, disc: &Disc<P::Body, P::Extra>) -> (Slot, u64) {
        let now = self.now;
        let (slot, serial) = self.bodies.insert(disc, now);
        if Self::ADDS {
            self.added.resize_with(self.common.bodies.slots(), Added::default);
            self.added[slot as usize] = Added { own: disc.body, extra: disc.extra };
        }
        let new_state = self.bodies.new_state(slot, self.now, disc.position, disc.velocity);
        self.put_first(slot, &new_state, disc.extra, Stamp::NONE);
        (slot, serial)
    }

    /// What users know of a wall, to be changed.
    pub(crate) fn wall_mut(&mut self, slot: u32) -> &mut Wall<P::Surface> {
        &mut Arc::make_mut(&mut self.descriptions)[slot as usize]
    }

    /// Inserts a wall of these facets.
    pub(crate) fn insert_wall(&mut self, wall: Wall<P::Surface>, facets: Vec<Facet>) -> WallId {
        let id = self.walls.insert(facets, wall.user_data);
        if id.slot() as usize == self.descriptions.len() {
            Arc::make_mut(&mut self.descriptions).push(wall);
        } else {
            *self.wall_mut(id.slot()) = wall;
        }
        id
    }

    /// Removes a wall.
    pub(crate) fn remove_wall(&mut self, slot: u32) -> Wall<P::Surface> {
        self.walls.remove(slot);
        core::mem::replace(self.wall_mut(slot), Wall::free())
    }
}
