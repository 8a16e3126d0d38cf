use crate::{Physics, Rules, State, World};
use carom_broadphase::Slot;
use glam::DVec2;

impl<P: Physics> World<P> {
    /// Makes all discs but one stand still, as discs of infinite mass, and nothing grow. Those that would not
    /// deflect the one do not collide any more.
    ///
    /// For a world that is thrown away: it keeps no account of energy, and may do with discs what an edit may
    /// not.
    pub(super) fn freeze_but(&mut self, kept: Slot) {
        if self.store.bodies.growth.is_on() {
            self.change_growth(0.0);
        }
        let own = self.store.bodies.class(kept);
        self.end_journeys(Some(kept));
        self.stop_arms();
        self.stop_walls();
        self.store.bodies.only = Some(kept);
        self.store.bodies.contacts.remove_if(|record| record.body != kept);
        self.for_each_live(|world, slot| {
            if slot == kept {
                return;
            }
            let class = world.store.bodies.class(slot);
            let state = State { velocity: DVec2::ZERO, ..world.state_now(slot) };
            world.store.bodies.set_mass(slot, f64::INFINITY);
            world.rewrite(slot, &state);
            if class.yields_to(own) || class.pass_through(own) {
                world.store.bodies.rules.set(slot, Rules::new().with_mask(0));
            }
        });
    }
}
