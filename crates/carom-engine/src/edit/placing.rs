use crate::physics::Reach;
use crate::predict::with_margin;
use crate::state::sort::Sort;
use crate::store::Store;
use crate::touch::{Apart, overlap_depth};
use crate::{Disc, Error, Overlap, Physics};
use carom_broadphase::{Circle, Slot};
use carom_math::toi::Motion;
use carom_solver::MassClass;
use glam::DVec2;

/// What decides with what a disc that is put somewhere overlaps.
pub(crate) struct Placing {
    /// None of a disc that is inserted.
    slot: Option<Slot>,
    radius: f64,
    sort: Sort,
    is_kinematic: bool,
}

impl Placing {
    /// Of a disc that is inserted.
    pub(crate) fn of_new<P: Physics>(disc: &Disc<P::Body, P::Extra>) -> Self {
        let sort = Sort::new::<P>(disc.collision_rules(), MassClass::of(disc.mass), disc.radius);
        Placing { slot: None, radius: disc.radius, sort, is_kinematic: disc.kinematic }
    }

    /// Of a disc that is put elsewhere.
    pub(crate) fn of<P: Physics>(store: &Store<P>, slot: Slot) -> Self {
        let bodies = &store.bodies;
        let captured = bodies.off.get(slot).filter(|off| off.is_captured);
        let rules = captured.map_or_else(|| bodies.rules.latest(slot), |off| off.rules);
        let (radius, is_kinematic) = (bodies.radius_at(slot, store.now), bodies.movers.contains(slot));
        let sort = Sort::new::<P>(rules, bodies.class(slot), radius);
        Placing { slot: Some(slot), radius, sort, is_kinematic }
    }

    pub(crate) fn with_radius(self, radius: f64) -> Self {
        let sort = Sort { is_point: self.sort.is_point && radius == 0.0, ..self.sort };
        Placing { radius, sort, ..self }
    }

    /// The circle in which all is that it would touch at a position.
    pub(crate) fn circle<P: Physics>(&self, store: &Store<P>, position: DVec2) -> Circle {
        let center = store.bodies.periods.wrap(position).0;
        Circle { center, radius: with_margin(center, self.radius) }
    }

    /// Whether it meets discs of a sort.
    pub(crate) fn meets(&self, sort: &Sort) -> bool {
        self.sort.meets(sort)
    }

    /// Refuses its `circle` if it would overlap a disc that it can meet, of those `near`, or a wall there.
    /// Discs in `but`, in order, do not count.
    pub(crate) fn check<P: Physics>(
        &self,
        store: &Store<P>,
        circle: &Circle,
        near: &[Slot],
        but: &[Slot],
    ) -> Result<(), Error> {
        let &Placing { slot, radius, sort: Sort { rules, class, .. }, is_kinematic } = self;
        let (bodies, walls, physics) = (&store.bodies, &store.walls, &store.physics);
        let (now, position) = (store.now, circle.center);
        for &other in near.iter().filter(|other| but.binary_search(other).is_err()) {
            let motion = bodies.wrapped_motion_at(other, now);
            let reach = physics.reach(radius, motion.radius);
            let is_excluded = slot.is_some_and(|slot| bodies.contacts.excluded.contains(slot, other));
            let passes = class.pass_through(bodies.class(other)) || is_excluded;
            if passes || !rules.collides_with(&bodies.rules.latest(other)) {
                continue;
            }
            let apart = Apart::new(position, motion.position, &bodies.periods);
            if let Some(depth) = overlap_depth(&apart, reach) {
                return Err(Error::OverlapsDisc { other: bodies.id(other), depth });
            }
        }
        if is_kinematic {
            return Ok(());
        }
        let motion = Motion::new(position, DVec2::ZERO, radius);
        for f in walls.planes.near(store.simd, circle) {
            let facet = &walls.facets[f as usize];
            if let Some(depth) = facet.overlap(&motion, now)
                && rules.collides_with(&walls.latest_rules(f))
            {
                let (wall, part) = (walls.id(facet.wall), facet.part);
                return Err(Error::OverlapsWall { wall, part, depth });
            }
        }
        Ok(())
    }
}

/// Refuses places at which discs that are moved together would overlap each other.
pub(crate) fn check_among<P: Physics>(store: &Store<P>, moved: &[(Slot, DVec2)]) -> Result<(), Error> {
    let (bodies, physics, now) = (&store.bodies, &store.physics, store.now);
    let spread = |&(slot, position): &(Slot, DVec2)| {
        let position = bodies.periods.wrap(position).0;
        let reach = with_margin(position, physics.size(bodies.radius_at(slot, now)));
        // Over an edge, or with a contact distance of its own, any two may touch.
        let is_bounded = bodies.periods.is_open() && !P::OWN_REACH;
        let reach = if is_bounded { reach } else { f64::INFINITY };
        (position.x - reach, position.x + reach, slot, position)
    };
    let mut spreads: Vec<_> = moved.iter().map(spread).collect();
    spreads.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (k, &(_, end, a, place_a)) in spreads.iter().enumerate() {
        for &(_, _, b, place_b) in spreads[k + 1..].iter().take_while(|other| other.0 <= end) {
            let is_allowed = [a, b].iter().all(|&slot| bodies.overlap.get(slot) == Overlap::Allow);
            if is_allowed || bodies.ignore(a, b) {
                continue;
            }
            let apart = Apart::new(place_a, place_b, &bodies.periods);
            let [of_a, of_b] = [a, b].map(|slot| bodies.radius_at(slot, now));
            if let Some(depth) = overlap_depth(&apart, physics.reach(of_a, of_b)) {
                return Err(Error::OverlapsDisc { other: bodies.id(b), depth });
            }
        }
    }
    Ok(())
}
