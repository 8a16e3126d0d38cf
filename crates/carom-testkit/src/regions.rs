//! Random regions, and an observer that checks what is reported of them against distances.

use crate::rng::Rng;
use carom_engine::{
    CrossingCause, DVec2, DiscId, Event, Extent, Physics, Region, RegionId, RegionShape, Sensor, WallShape,
    World,
};
use std::collections::BTreeSet;

/// A region of a random form within some distance of the origin, or of the disc that carries it.
pub fn random_region(rng: &mut Rng, size: f64, carriers: &[DiscId]) -> Region {
    let is_carried = !carriers.is_empty() && rng.chance(40);
    let center = rng.vector(if is_carried { 0.2 * size } else { size });
    let region = match rng.below(4) {
        0 => Region::disc(center, size * rng.range(0.05, 0.5)),
        1 => Region::rectangle(center, center + DVec2::new(rng.range(0.1, 1.0), rng.range(0.1, 1.0)) * size),
        2 => Region::segment(center, center + rng.vector(size)),
        _ => Region::half_plane(center, rng.vector(1.0)),
    };
    let region = if rng.chance(50) { region.by_edge() } else { region };
    let region = if rng.chance(50) { region.with_sensors() } else { region };
    let region = if rng.chance(20) { region.with_groups(rng.below(4) as u32, !0) } else { region };
    let region = region.with_user_data(rng.bits());
    if is_carried { region.carried_by(carriers[rng.below(carriers.len())]) } else { region }
}

/// How far a disc is from a region now; negative if it is inside, by how much it is.
pub fn gap<P: Physics>(world: &World<P>, region: &Region, disc: DiscId) -> f64 {
    let disc = world.get(disc).unwrap();
    let origin = region.carrier.map_or(DVec2::ZERO, |carrier| world.get(carrier).unwrap().position());
    let place = disc.position() - origin;
    let radius = if region.extent == Extent::Edge { disc.radius() } else { 0.0 };
    match region.shape {
        RegionShape::Disc { center, radius: own } => place.distance(center) - own - radius,
        RegionShape::HalfPlane { point, normal } => (place - point).dot(normal.normalize()) - radius,
        RegionShape::Rectangle { min, max } => {
            let outside = (place - place.clamp(min, max)).length();
            let depth = (place - min).min_element().min((max - place).min_element());
            if outside > 0.0 { outside - radius } else { -depth - radius }
        }
        RegionShape::Segment { a, b } => {
            let along = (place - a).dot(b - a) / a.distance_squared(b);
            place.distance(a + (b - a) * along.clamp(0.0, 1.0)) - radius
        }
        RegionShape::Wall { wall } => {
            let (_, wall) = world.walls().find(|(id, _)| *id == wall).unwrap();
            wall_gap(&wall.shape, place) - radius
        }
        other => unreachable!("{other:?}"),
    }
}

/// The distance of a place from what is solid of a wall.
pub fn wall_gap(shape: &WallShape, place: DVec2) -> f64 {
    let from_segment = |a: DVec2, b: DVec2| {
        let along = (place - a).dot(b - a) / a.distance_squared(b);
        place.distance(a + (b - a) * along.clamp(0.0, 1.0))
    };
    match *shape {
        WallShape::HalfPlane { point, normal } => (place - point).dot(normal.normalize()),
        WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => from_segment(a, b),
        WallShape::Disc { center, radius } => place.distance(center) - radius,
        WallShape::Circle { center, radius } => radius - place.distance(center),
        WallShape::Container { min, max } => (place - min).min_element().min((max - place).min_element()),
        WallShape::Polyline { ref points, closed } => {
            let last = closed.then(|| [points[points.len() - 1], points[0]]);
            let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]).chain(last);
            pairs.map(|[a, b]| from_segment(a, b)).fold(f64::INFINITY, f64::min)
        }
        WallShape::Arc { center, radius, start, sweep } => {
            let d = place - center;
            if (d.to_angle() - start).rem_euclid(core::f64::consts::TAU) <= sweep {
                return (d.length() - radius).abs();
            }
            let end = |angle: f64| place.distance(center + DVec2::from_angle(angle) * radius);
            end(start).min(end(start + sweep))
        }
        WallShape::Stadium { center, half_length, radius } => {
            let d = (place - center).abs();
            (DVec2::new((d.x - half_length).max(0.0), d.y).length() - radius).abs()
        }
        ref other => unreachable!("{other:?}"),
    }
}

/// Whether a region sees a disc.
pub fn sees<P: Physics>(world: &World<P>, region: &Region, disc: DiscId) -> bool {
    let is_other = region.carrier != Some(disc);
    let disc = world.get(disc).unwrap();
    let may_see = disc.sensor() == Sensor::No || (disc.sensor() == Sensor::AmongSensors && region.sensors);
    is_other && may_see && region.rules.collides_with(&disc.rules())
}

/// What is inside of which region, by the events alone.
#[derive(Default)]
pub struct Watch {
    inside: BTreeSet<(RegionId, DiscId)>,
    /// Crossings so far.
    pub crossings: usize,
}

impl Watch {
    /// Takes the events of a call: those of a disc and a region come by turns.
    pub fn note<C: std::fmt::Debug>(&mut self, events: &[Event<C>]) {
        for event in events {
            let Some(crossing) = event.crossing() else { continue };
            let pair = (crossing.region, crossing.disc);
            let is_new = match event {
                Event::Entered(_) => self.inside.insert(pair),
                _ => self.inside.remove(&pair),
            };
            assert!(is_new, "twice: {event:?}");
            self.crossings += 1;
        }
    }

    /// Advances event by event, and checks each: a crossing is where the distance is zero. How many events.
    pub fn follow<P: Physics>(&mut self, world: &mut World<P>, until: f64) -> usize {
        let mut steps = 0;
        world.advance_to(world.now()).unwrap();
        self.note(world.events());
        while world.next_event().is_some_and(|next| next.time.as_secs() < until) {
            world.step_event();
            steps += 1;
            self.note(world.events());
            for crossing in world.events().iter().filter_map(Event::crossing) {
                let distance = gap(world, world.region(crossing.region).unwrap(), crossing.disc);
                // Of grazing paths the time, not the distance, is less exact.
                assert!(distance.abs() < 1e-12, "{distance} at {crossing:?}");
                assert_eq!(crossing.cause, CrossingCause::Motion);
            }
            self.check(world, 1e-9);
        }
        world.advance_to(until).unwrap();
        self.check(world, 1e-9);
        steps
    }

    /// Checks that a world says the same, and that it is so by their distances, but for `slack`.
    pub fn check<P: Physics>(&self, world: &World<P>, slack: f64) {
        let mut inside = BTreeSet::new();
        for (id, region) in world.regions() {
            inside.extend(world.inside(id).unwrap().map(|disc| (id, disc)));
            for disc in world.ids() {
                let (gap, is_inside) = (gap(world, region, disc), world.is_inside(id, disc));
                assert_eq!(is_inside, inside.contains(&(id, disc)));
                let is_right = is_inside == (gap <= 0.0 && sees(world, region, disc)) || gap.abs() <= slack;
                assert!(is_right, "{:?}: {gap} from {id:?}, {region:?}, {disc:?}", world.now());
            }
        }
        assert_eq!(inside, self.inside, "as reported");
    }
}
