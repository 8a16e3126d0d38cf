use super::QueryFilter;
use crate::Partner;
use crate::state::sort::Sort;
use crate::store::Common;
use carom_broadphase::{Circle, Scheduler, Slot, Zone};
use carom_math::toi::Motion;

/// The order of results at one distance: discs by serial number, then parts of walls as they were put up.
pub(super) type Rank = (bool, u64);

/// A query: what it is to find, and what it reads.
pub(crate) struct Search<'w> {
    pub(crate) store: &'w Common,
    /// Knows which discs are near.
    pub(crate) scheduler: &'w Scheduler,
    pub(crate) filter: &'w QueryFilter<'w>,
}

impl Search<'_> {
    /// Calls `see` with the discs that may reach into a zone at the present; some perhaps more than once.
    /// What `see` returns is as for [`Scheduler::search`].
    #[inline(always)]
    pub(super) fn each_slot(&self, zone: &Zone, mut see: impl FnMut(Slot) -> f64) {
        let store = self.store;
        let wanted = |species| self.may_pass(&Sort::of(species));
        if self.filter.discs && !self.scheduler.search(zone, store.now, wanted, &mut see) {
            for slot in store.bodies.live() {
                see(slot);
            }
        }
    }

    /// Whether a filter may let discs of a sort pass: rules that are set come into force where time passes.
    fn may_pass(&self, sort: &Sort) -> bool {
        self.store.bodies.rules.has_edited() || self.filter.rules.collides_with(&sort.rules)
    }

    /// As `each_slot`, with where they are at the present.
    #[inline(always)]
    pub(super) fn each_disc(&self, zone: &Zone, mut see: impl FnMut(Slot, &Motion) -> f64) {
        let (bodies, now) = (&self.store.bodies, self.store.now);
        self.each_slot(zone, |slot| see(slot, &bodies.wrapped_motion_at(slot, now)));
    }

    /// Calls `see` with the parts of walls that may reach into a circle, each once; with all of them if none
    /// is given. Ends of other parts are left out, as these are closed.
    pub(super) fn each_facet(&self, circle: Option<&Circle>, mut see: impl FnMut(u32)) {
        if !self.filter.walls {
            return;
        }
        let see_part = |f: u32| {
            if !self.is_end(f) {
                see(f);
            }
        };
        let (walls, simd) = (&self.store.walls, self.store.simd);
        match circle {
            Some(circle) => walls.planes.each_reached(simd, circle, see_part),
            None => walls.planes.each(see_part),
        }
    }

    /// Whether a part of a wall is an end of other parts, which contain it.
    pub(super) fn is_end(&self, f: u32) -> bool {
        self.store.walls.facets[f as usize].shape.end().is_some()
    }

    /// Whether a filter lets a disc pass.
    #[inline]
    pub(super) fn passes_disc(&self, slot: Slot) -> bool {
        let (filter, bodies) = (self.filter, &self.store.bodies);
        let id = bodies.id(slot);
        filter.excluded != Some(id)
            && !bodies.off.contains(slot)
            && filter.rules.collides_with(&bodies.rules.latest(slot))
            && filter.predicate.is_none_or(|passes| passes(Partner::Disc(id)))
    }

    /// Whether a filter lets a part of a wall pass.
    pub(super) fn passes_facet(&self, f: u32) -> bool {
        let (filter, store) = (self.filter, self.store);
        filter.rules.collides_with(&store.walls.latest_rules(f))
            && filter.predicate.is_none_or(|passes| passes(store.walls.partner(f)))
    }

    pub(super) fn rank_of_disc(&self, slot: Slot) -> Rank {
        (false, self.store.bodies.detail(slot).serial)
    }

    /// As `rank_of_disc`, of what is in the world.
    pub(super) fn rank(&self, body: Partner) -> Rank {
        match body {
            Partner::Disc(id) => self.rank_of_disc(id.slot()),
            Partner::Wall { wall, part } => (true, u64::from(self.store.walls.first_of(wall.slot()) + part)),
        }
    }
}
