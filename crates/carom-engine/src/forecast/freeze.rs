use crate::{Physics, World, apply};
use carom_broadphase::Slot;

/// Makes all discs but one stand still, as discs of infinite mass, and nothing grow: see
/// [`apply::all::freeze_but`].
pub(super) fn freeze_but<P: Physics>(world: &mut World<P>, kept: Slot) {
    if world.store.bodies.growth.is_on() {
        world.change_growth(0.0);
    }
    for wall in world.store.walls.on_course() {
        _ = world.stop_wall(wall);
    }
    apply::all::freeze_but(&mut world.store, kept);
}
