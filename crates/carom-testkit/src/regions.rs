//! What is reported of regions, against distances.

use carom_engine::{
    CrossingCause, DVec2, DiscId, Event, Extent, Physics, Region, RegionShape, Sensor, WallShape, World,
};
use std::collections::BTreeSet;

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
        RegionShape::Segment { a, b } => wall_gap(&WallShape::Segment { a, b }, place) - radius,
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
        WallShape::Capsule { a, b, radius } => from_segment(a, b) - radius,
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

/// How many crossings a call has reported.
pub fn crossings<P: Physics>(world: &World<P>) -> usize {
    world.events().iter().filter_map(Event::crossing).count()
}

/// Advances event by event, and checks each: a crossing is where the distance is zero. How many events there
/// are, and how many crossings.
///
/// # Panics
/// If it is not so, or one is inside that is not so by distance.
pub fn follow<P: Physics>(world: &mut World<P>, until: f64) -> [usize; 2] {
    world.advance_to(world.now()).unwrap();
    let [mut steps, mut crossed] = [0, crossings(world)];
    while world.next_event().is_some_and(|next| next.time.as_secs() < until) {
        world.step_event();
        (steps, crossed) = (steps + 1, crossed + crossings(world));
        for crossing in world.events().iter().filter_map(Event::crossing) {
            let distance = gap(world, world.region(crossing.region).unwrap(), crossing.disc);
            // Of grazing paths the time, not the distance, is less exact.
            assert!(distance.abs() < 1e-12, "{distance} at {crossing:?}");
            assert_eq!(crossing.cause, CrossingCause::Motion);
        }
        check(world, 1e-9);
    }
    world.advance_to(until).unwrap();
    check(world, 1e-9);
    [steps, crossed]
}

/// Checks that who is inside is so by distance, except for `slack`.
pub fn check<P: Physics>(world: &World<P>, slack: f64) {
    for (id, region) in world.regions() {
        let inside: BTreeSet<_> = world.inside(id).unwrap().collect();
        for disc in world.ids() {
            let (gap, is_inside) = (gap(world, region, disc), world.is_inside(id, disc));
            assert_eq!(is_inside, inside.contains(&disc));
            let is_right = is_inside == (gap <= 0.0 && sees(world, region, disc)) || gap.abs() <= slack;
            assert!(is_right, "{:?}: {gap} from {id:?}, {region:?}, {disc:?}", world.now());
        }
    }
}
