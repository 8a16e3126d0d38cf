use super::area::nearest_image;
use super::search::{Rank, Search};
use super::shapes;
use crate::Partner;
use carom_broadphase::{Circle, Zone};
use glam::DVec2;

/// A disc or wall near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// The disc, or the nearest part of the wall.
    pub body: Partner,
    /// The distance from the point to its surface, in length units; 0 if the point is in it.
    pub distance: f64,
    /// The nearest place of it: the point itself, if that is in it. In a periodic world that of the nearest
    /// image, not wrapped.
    pub point: DVec2,
}

/// The nearest so far.
struct Best<'a> {
    most: usize,
    found: &'a mut Vec<Nearest>,
}

impl Search<'_> {
    /// Adds the nearest to an empty list.
    pub(crate) fn add_nearest(&self, point: DVec2, most: usize, found: &mut Vec<Nearest>) {
        if most == 0 {
            return;
        }
        let store = self.store;
        let (bodies, walls, now) = (&store.bodies, &store.walls, store.now);
        let mut best = Best { most, found };
        self.each_facet(None, |f| {
            let near = shapes::nearest(&walls.facets[f as usize].shape_at(now), point);
            if let Some((distance, place)) = near
                && best.takes(distance)
                && self.passes_facet(f)
            {
                self.add_near(&mut best, Nearest { body: walls.partner(f), distance, point: place });
            }
        });
        // Rings of twice the radius each, until they hold enough, or more cells than discs.
        let mut radius = self.scheduler.spacing();
        let most_cells = bodies.len() as f64;
        while radius > 0.0 {
            let cells = radius / self.scheduler.spacing();
            if cells * cells > most_cells {
                break;
            }
            self.add_discs_near(&mut best, &Zone::Circle(Circle { center: point, radius }), point);
            if best.found.len() >= most && best.found.last().is_some_and(|last| last.distance <= radius) {
                return;
            }
            radius *= 2.0;
        }
        let everywhere = Zone::Circle(Circle { center: point, radius: f64::INFINITY });
        self.add_discs_near(&mut best, &everywhere, point);
    }

    fn add_discs_near(&self, best: &mut Best<'_>, zone: &Zone, point: DVec2) {
        let bodies = &self.store.bodies;
        self.each_disc(zone, |slot, disc| {
            let center = nearest_image(disc.position, point, &bodies.periods);
            let (distance, place) = shapes::nearest_of_disc(center, disc.radius, point);
            if best.takes(distance) && self.passes_disc(slot) {
                let body = Partner::Disc(bodies.id(slot));
                self.add_near(best, Nearest { body, distance, point: place });
            }
            f64::INFINITY
        });
    }

    /// Adds one to the nearest, if it is among these and not there yet.
    fn add_near(&self, best: &mut Best<'_>, near: Nearest) {
        let key = |near: &Nearest| (near.distance, self.rank(near.body));
        let own: (f64, Rank) = key(&near);
        let found = &mut *best.found;
        if let Partner::Wall { wall, .. } = near.body
            && let Some(at) = found.iter().position(|other| other.body.wall() == Some(wall))
        {
            if key(&found[at]) <= own {
                return;
            }
            found.remove(at);
        }
        let place = found.partition_point(|other| key(other) < own);
        let is_there = found.get(place).is_some_and(|other| other.body == near.body);
        if is_there || place >= best.most {
            return;
        }
        if found.len() == best.most {
            found.pop();
        }
        found.insert(place, near);
    }
}

impl Best<'_> {
    /// Whether something at this distance may be among them.
    fn takes(&self, distance: f64) -> bool {
        self.found.len() < self.most || self.found.last().is_some_and(|last| distance <= last.distance)
    }
}
