use super::area::Area;
use super::search::Search;
use crate::{DiscId, Partner, WallId};
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// What overlaps an area.
impl Search<'_> {
    pub(crate) fn overwrite(&self, area: &Area, found: &mut Vec<Partner>) {
        found.clear();
        self.each_overlapping(area, |body| found.push(body));
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by_key(disc_or_wall);
    }

    pub(crate) fn visit(&self, area: &Area, mut see: impl FnMut(Partner) -> ControlFlow<()>) {
        let mut found: SmallVec<[Partner; 32]> = SmallVec::new();
        self.each_overlapping(area, |body| found.push(body));
        found.sort_unstable_by_key(|&body| self.rank(body));
        found.dedup_by_key(disc_or_wall);
        _ = found.into_iter().try_for_each(&mut see);
    }

    /// Shows all that overlaps, in no order and some more than once.
    #[inline(always)]
    fn each_overlapping(&self, area: &Area, mut see: impl FnMut(Partner)) {
        let store = self.store;
        let (bodies, walls, now) = (&store.bodies, &store.walls, store.now);
        self.each_disc(&area.zone(), |slot, disc| {
            if area.overlaps_disc(disc, &bodies.periods) && self.passes_disc(slot) {
                see(Partner::Disc(bodies.id(slot)));
            }
            f64::INFINITY
        });
        self.each_facet(Some(&area.circle()), |f| {
            if area.overlaps_wall(&walls.facets[f as usize].shape_at(now)) && self.passes_facet(f) {
                see(walls.partner(f));
            }
        });
    }
}

/// Which of the two it is, whatever its part.
fn disc_or_wall(body: &mut Partner) -> (Option<DiscId>, Option<WallId>) {
    (body.disc(), body.wall())
}
