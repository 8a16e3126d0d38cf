//! What is left of a disc's memory of walls when its state is written elsewhere than at a wall.

use crate::predict::with_margin;
use crate::state::wall_memory::WallMemory;
use crate::touch::is_point;
use crate::{Physics, World};
use carom_broadphase::{Circle, Slot};
use carom_math::toi::{Memory, Motion};
use glam::DVec2;

impl<P: Physics> World<P> {
    /// Forgets the walls that a disc has been hit by, but not the side of those that it is still at.
    #[inline(always)]
    pub(crate) fn fade_wall_memory(&mut self, slot: Slot) {
        if !self.store.bodies.walls.get(slot).is_empty() {
            self.fade_known_walls(slot);
        }
    }

    fn fade_known_walls(&mut self, slot: Slot) {
        let motion = self.store.bodies.motion_at(slot, self.store.now);
        let before = self.store.bodies.walls.get(slot);
        let mut known = before
            .faded(|f, side| self.store.walls.facets[f as usize].is_still_at(side, &motion, self.store.now));
        // Half-planes have no ends, and nothing goes on from them.
        if !self.store.walls.planes.others.is_empty() && is_point(&motion) {
            self.add_continuations(slot, &before, &mut known, &motion);
        }
        self.store.bodies.walls.set(slot, known);
    }

    /// Adds to what a point still knows of the walls that it knew `before` what goes on from these where it
    /// is now, on one line or circle, or at a joint: it has run along them over the joint.
    ///
    /// Where its path leads says nothing of that. (A point on its way to the tip of a wedge is in front of
    /// the other side of the wedge at the tip, and far behind it before. Sent away from there, it would hit
    /// it at once.)
    fn add_continuations(&self, slot: Slot, before: &WallMemory, known: &mut WallMemory, motion: &Motion) {
        let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
        let seen = |f: u32| {
            let seen = self.store.walls.facets[f as usize].seen(motion, self.store.now);
            Motion { velocity: DVec2::ZERO, ..seen }
        };
        for f in self.store.walls.planes.near(self.store.simd, &circle) {
            if known.of(f) == Memory::None
                && let Memory::Near(side) | Memory::Met(side) =
                    self.predictor().memory_of_neighbour(slot, before, f, &seen(f))
                && self.store.walls.facets[f as usize].is_still_at(side, motion, self.store.now)
            {
                known.add(f, side);
            }
        }
    }
}
