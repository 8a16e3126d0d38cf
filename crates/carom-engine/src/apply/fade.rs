//! What is left of a disc's memory of walls when its state is written elsewhere than at a wall.

use crate::predict::{CommonPredictor, with_margin};
use crate::state::wall_memory::WallMemory;
use crate::store::Common;
use crate::touch::is_point;
use carom_broadphase::{Circle, Slot};
use carom_math::toi::{Memory, Motion};
use glam::DVec2;

/// Forgets the walls that a disc has been hit by, but not the side of those that it is still at.
#[inline(always)]
pub(super) fn fade_wall_memory(store: &mut Common, slot: Slot) {
    if !store.bodies.walls.get(slot).is_empty() {
        fade_known_walls(store, slot);
    }
}

fn fade_known_walls(store: &mut Common, slot: Slot) {
    let motion = store.bodies.motion_at(slot, store.now);
    let before = store.bodies.walls.get(slot);
    let mut known =
        before.faded(|f, side| store.walls.facets[f as usize].is_still_at(side, &motion, store.now));
    // Half-planes have no ends, and nothing goes on from them.
    if !store.walls.planes.others.is_empty() && is_point(&motion) {
        add_continuations(store, slot, &before, &mut known, &motion);
    }
    store.bodies.walls.set(slot, known);
}

/// Adds to what a point still knows of the walls that it knew `before` what goes on from these where it
/// is now, on one line or circle, or at a joint: it has run along them over the joint.
///
/// Where its path leads says nothing of that. (A point on its way to the tip of a wedge is in front of
/// the other side of the wedge at the tip, and far behind it before. Sent away from there, it would hit
/// it at once.)
fn add_continuations(
    store: &Common,
    slot: Slot,
    before: &WallMemory,
    known: &mut WallMemory,
    motion: &Motion,
) {
    let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
    let seen = |f: u32| {
        let seen = store.walls.facets[f as usize].seen(motion, store.now);
        Motion { velocity: DVec2::ZERO, ..seen }
    };
    for f in store.walls.planes.near(store.simd, &circle) {
        if known.of(f) == Memory::None
            && let Memory::Near(side) | Memory::Met(side) =
                CommonPredictor::of(store).memory_of_neighbour(slot, before, f, &seen(f))
            && store.walls.facets[f as usize].is_still_at(side, motion, store.now)
        {
            known.add(f, side);
        }
    }
}
