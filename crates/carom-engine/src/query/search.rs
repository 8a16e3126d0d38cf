use super::QueryFilter;
use crate::{Partner, Physics, World};
use carom_broadphase::{Circle, Slot, Zone};
use carom_math::toi::Motion;

/// The order of results at one distance: discs by serial number, then parts of walls as they were put up.
pub(super) type Rank = (bool, u64);

impl<P: Physics> World<P> {
    /// Calls `see` with the discs that may reach into a zone at the present; some perhaps more than once.
    /// What `see` returns is as for [`Scheduler::search`].
    #[inline(always)]
    pub(super) fn each_slot(&self, filter: &QueryFilter<'_>, zone: &Zone, mut see: impl FnMut(Slot) -> f64) {
        if filter.discs && !self.scheduler.search(zone, self.now, &mut see) {
            for slot in self.bodies.live() {
                see(slot);
            }
        }
    }

    /// As `each_slot`, with where they are at the present.
    #[inline(always)]
    pub(super) fn each_disc(
        &self,
        filter: &QueryFilter<'_>,
        zone: &Zone,
        mut see: impl FnMut(Slot, &Motion) -> f64,
    ) {
        self.each_slot(filter, zone, |slot| see(slot, &self.bodies.wrapped_motion_at(slot, self.now)));
    }

    /// Calls `see` with the parts of walls that may reach into a circle, each once; with all of them if none
    /// is given. Ends of other parts are left out, as these are closed.
    pub(super) fn each_facet(
        &self,
        filter: &QueryFilter<'_>,
        circle: Option<&Circle>,
        mut see: impl FnMut(u32),
    ) {
        if !filter.walls {
            return;
        }
        let see_part = |f: u32| {
            if !self.is_end(f) {
                see(f);
            }
        };
        match circle {
            Some(circle) => self.walls.planes.each_reached(self.simd, circle, see_part),
            None => self.walls.planes.each(see_part),
        }
    }

    /// Whether a part of a wall is an end of other parts, which contain it.
    pub(super) fn is_end(&self, f: u32) -> bool {
        self.walls.facets[f as usize].shape.end().is_some()
    }

    /// Whether a filter lets a disc pass.
    #[inline]
    pub(super) fn passes_disc(&self, filter: &QueryFilter<'_>, slot: Slot) -> bool {
        let id = self.bodies.id(slot);
        filter.excluded != Some(id)
            && !self.bodies.off.contains(slot)
            && filter.rules.collides_with(&self.bodies.rules.latest(slot))
            && filter.predicate.is_none_or(|passes| passes(Partner::Disc(id)))
    }

    /// Whether a filter lets a part of a wall pass.
    pub(super) fn passes_facet(&self, filter: &QueryFilter<'_>, f: u32) -> bool {
        let wall = self.walls.facets[f as usize].wall;
        filter.rules.collides_with(&self.walls.get(wall).rules)
            && filter.predicate.is_none_or(|passes| passes(self.walls.partner(f)))
    }

    pub(super) fn rank_of_disc(&self, slot: Slot) -> Rank {
        (false, self.bodies.detail(slot).serial)
    }

    /// As `rank_of_disc`, of what is in the world.
    pub(super) fn rank(&self, body: Partner) -> Rank {
        match body {
            Partner::Disc(id) => self.rank_of_disc(id.slot()),
            Partner::Wall { wall, part } => (true, u64::from(self.walls.first_of(wall.slot()) + part)),
        }
    }
}
