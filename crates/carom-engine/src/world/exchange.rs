use crate::walls::drift::Drift;
use crate::walls::facet::{Facet, Shape};
use crate::walls::turn;
use crate::{Physics, World};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use smallvec::SmallVec;

/// What parts of a wall are to those that it gets instead.
pub(super) enum Sides {
    /// The same.
    Same,
    /// Those of an arm that begins to turn, or ceases to.
    OfArm,
}

/// A side of a part of a wall that a disc knows.
struct Known {
    disc: Slot,
    /// 0 of an arm.
    part: u32,
    side: Side,
}

/// Walls that get other parts: those that begin to move or to turn, and that cease to.
impl<P: Physics> World<P> {
    /// Takes the parts of a wall down and puts others up, as of the present. What touches it touches it as if
    /// it was put up then.
    pub(super) fn exchange_parts(
        &mut self,
        slot: u32,
        shapes: Vec<Shape>,
        drift: Option<Drift>,
        sides: &Sides,
    ) {
        let mut parts = self.store.walls.planned(slot, shapes, self.store.now, self.store.impacts);
        if let Some(drift) = drift {
            parts.iter_mut().for_each(|part| *part = part.with_drift(drift));
        }
        let mut places = self.store.walls.facets_of(slot).to_vec();
        places.extend_from_slice(&parts);
        let near = self.discs_near(&places);
        let known = self.known_sides(slot, &near, sides);
        self.note_dropped_from_wall(slot);
        self.part_from_wall(slot, &near);
        near.into_iter().for_each(|disc| self.store.mark_solo(disc));
        for k in 0..self.store.bodies.contacts.passing_walls.len() {
            let record = self.store.bodies.contacts.passing_walls[k];
            if record.wall == slot {
                self.store.mark(record.disc);
            }
        }
        self.store.edited();
        self.store.chains.clear();
        self.free_blocked();
        self.store.walls.exchange(slot, parts);
        self.forget_gone_parts();
        self.know_sides(slot, &known, sides);
    }

    /// The sides of a wall that discs at it know: points that lie on it know them from nothing else.
    fn known_sides(&self, slot: u32, near: &[Slot], sides: &Sides) -> SmallVec<[Known; 8]> {
        let (first, is_thick) = (self.store.walls.first_of(slot), self.store.walls.is_thick_at_rest(slot));
        let of = |&disc: &Slot| {
            let motion = self.store.bodies.motion_at(disc, self.store.now);
            let known = self.store.bodies.walls.get(disc);
            let is_there = |&(f, side): &(u32, Side)| {
                self.store.walls.facets[f as usize].wall == slot && self.is_still_at(f, side, &motion)
            };
            let known: SmallVec<[_; 2]> = known.known().filter(is_there).collect();
            known.into_iter().filter_map(move |(f, side)| match sides {
                Sides::Same => Some(Known { disc, part: f - first, side }),
                Sides::OfArm => {
                    let side = turn::side_of_arm(f - first, side, is_thick)?;
                    Some(Known { disc, part: 0, side })
                }
            })
        };
        near.iter().flat_map(of).collect()
    }

    fn know_sides(&mut self, slot: u32, known: &[Known], sides: &Sides) {
        let (first, is_thick) = (self.store.walls.first_of(slot), self.store.walls.is_thick_at_rest(slot));
        for &Known { disc, part, side } in known {
            let (part, side) = match sides {
                Sides::Same => (part, side),
                Sides::OfArm => turn::part_on(side, is_thick),
            };
            let others = self.store.bodies.walls.get(disc);
            self.store.bodies.walls.set(disc, others.with_first(first + part, side));
        }
    }

    /// Forgets the facets that have been taken down.
    pub(super) fn forget_gone_parts(&mut self) {
        let facets = &self.store.walls.facets;
        self.store
            .bodies
            .contacts
            .held
            .renumber(|facet| (!facets[facet as usize].is_gone()).then_some(facet));
        self.release_from_walls(Facet::is_gone);
        if self.store.walls.is_sparse(self.store.bodies.slots()) {
            self.renumber_facets();
        }
    }
}
