use crate::edit::rewrite;
use crate::{Physics, Rules, State, World};
use carom_broadphase::Slot;
use glam::DVec2;

/// Makes all discs but one stand still, as discs of infinite mass, and nothing grow. Those that would not
/// deflect the one do not collide any more.
///
/// For a world that is thrown away: it keeps no account of energy, and may do with discs what an edit may
/// not.
pub(super) fn freeze_but<P: Physics>(world: &mut World<P>, kept: Slot) {
    if world.store.bodies.growth.is_on() {
        world.change_growth(0.0);
    }
    let own = world.store.bodies.class(kept);
    world.store.end_journeys(Some(kept));
    for wall in world.store.walls.on_course() {
        _ = world.stop_wall(wall, false);
    }
    world.store.bodies.only = Some(kept);
    world.store.bodies.contacts.remove_if(|record| record.body != kept);
    world.store.for_each_live(|store, slot| {
        if slot == kept {
            return;
        }
        let class = store.bodies.class(slot);
        let state = State { velocity: DVec2::ZERO, ..store.state_now(slot) };
        store.bodies.set_mass(slot, f64::INFINITY);
        rewrite(store, slot, &state);
        if class.yields_to(own) || class.pass_through(own) {
            store.bodies.rules.set(slot, Rules::new().with_mask(0));
        }
    });
}
