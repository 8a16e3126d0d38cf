//! Rays, against formulas of their own.

use super::sets::wall_distance;
use super::{KINDS, place, smooth};
use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Partner, QueryFilter, Ray, Wall, World};

/// Where a line of unit direction enters a disc that it starts outside of, by the angle at the centre.
fn enters(d: DVec2, radius: f64, direction: DVec2) -> Option<f64> {
    let (along, across) = (d.dot(direction), d.perp_dot(direction));
    let sine = across / radius;
    (along > 0.0 && sine.abs() < 1.0).then(|| along - radius * sine.asin().cos())
}

#[test]
fn discs_are_hit_where_formulas_have_them() {
    for seed in 0..cases(90) {
        let mut rng = Rng::new(seed);
        let kind = [0, 3, 4][seed as usize % 3];
        assert!(kind < KINDS);
        let mut world = smooth(By::Grid, kind, &mut rng);
        for _ in 0..4 {
            world.advance(0.2).unwrap();
            for _ in 0..10 {
                let (origin, direction) = (place(&mut rng), rng.vector(1.0).normalize());
                let length = rng.pick(&[5.0, 100.0]);
                let ray = Ray::new(origin, direction * 7.0).with_max_distance(length);
                let mut hits = Vec::new();
                world.ray_hits(&ray, &QueryFilter::new().only_discs(), &mut hits).unwrap();
                for (id, disc) in world.discs() {
                    let d = disc.position - origin;
                    let hit = hits.iter().find(|hit| hit.body == Partner::Disc(id));
                    let miss = d.perp_dot(direction).abs() - disc.radius;
                    if miss.abs() < 1e-9 || (d.length() - disc.radius).abs() < 1e-9 {
                        continue;
                    }
                    if d.length() < disc.radius {
                        let hit = hit.expect("from inside");
                        assert!(hit.is_inside() && hit.distance == 0.0 && hit.point == origin);
                        continue;
                    }
                    let way = enters(d, disc.radius, direction).filter(|&way| way <= length);
                    assert_eq!(hit.map(|_| ()), way.map(|_| ()), "seed {seed}: {ray:?} {disc:?}");
                    if let (Some(hit), Some(way)) = (hit, way) {
                        assert!((hit.distance - way).abs() < 1e-7 && !hit.is_inside(), "{hit:?} {way}");
                        let normal = hit.normal.expect("it is outside");
                        assert!((normal - (hit.point - disc.position) / disc.radius).length() < 1e-6);
                        assert!((hit.point.distance(disc.position) - disc.radius).abs() < 1e-10);
                    }
                }
                assert!(hits.is_sorted_by(|a, b| a.distance <= b.distance));
            }
        }
    }
}

/// The place where a ray meets a wall is on it, and up to there it is clear of it.
#[test]
fn walls_are_hit_where_they_are() {
    let mut met = 0;
    for seed in 0..cases(400) {
        let mut rng = Rng::new(seed);
        let world = smooth(By::Grid, 0, &mut rng);
        for _ in 0..20 {
            let ray = Ray::new(rng.vector(24.0), rng.vector(1.0)).with_max_distance(60.0);
            let mut hits = Vec::new();
            world.ray_hits(&ray, &QueryFilter::new().only_walls(), &mut hits).unwrap();
            for (id, wall) in world.walls() {
                let first = hits.iter().find(|hit| hit.body.wall() == Some(id));
                let end = first.map_or(60.0, |hit| hit.distance);
                let starts_inside = first.is_some_and(|hit| hit.is_inside());
                let is_one_sided = matches!(wall.shape, carom_engine::WallShape::OneSidedSegment { .. });
                let clear = |k: u32| wall_distance(wall, ray.at(end * f64::from(k) / 300.0));
                let is_clear = starts_inside || is_one_sided || (0..300).all(|k| clear(k) > 0.0);
                assert!(is_clear, "seed {seed}: {ray:?} {wall:?}");
                let Some(hit) = first else { continue };
                met += 1;
                assert!(wall_distance(wall, hit.point) < 1e-10, "seed {seed}: {hit:?} {wall:?}");
                if let Some(normal) = hit.normal {
                    assert!(normal.dot(ray.direction) <= 0.0 && (normal.length() - 1.0).abs() < 1e-14);
                    let back = wall_distance(wall, hit.point + normal * 1e-4);
                    assert!(
                        (back - 1e-4).abs() < 1e-7 || is_near_corner(wall, hit.point),
                        "{hit:?} {wall:?}"
                    );
                } else {
                    assert_eq!((hit.distance, wall_distance(wall, ray.origin)), (0.0, 0.0));
                }
            }
        }
    }
    assert!(met > 1000, "{met}");
}

/// Where other parts are nearer than what was hit.
fn is_near_corner(wall: &Wall, at: DVec2) -> bool {
    let ring = (0..64).map(|k| at + 1e-3 * DVec2::from_angle(f64::from(k) * 0.1));
    ring.filter(|&place| wall_distance(wall, place) < 1e-4).count() > 16
        || matches!(wall.shape, carom_engine::WallShape::Container { .. })
}

/// Rays at a place where parts of walls join meet one of them: none slips between.
#[test]
fn no_ray_slips_through_a_vertex() {
    for seed in 0..cases(2000) {
        let mut rng = Rng::new(seed);
        let mut world = World::new();
        let n = 3 + rng.below(6);
        let turn = rng.range(0.0, 6.0);
        let corners: Vec<DVec2> = (0..n)
            .map(|k| 10.0 * DVec2::from_angle(turn + std::f64::consts::TAU * k as f64 / n as f64))
            .collect();
        world.add_wall(Wall::polygon(&corners)).unwrap();
        let origin = rng.vector(1.0);
        for &corner in &corners {
            let ray = Ray::new(origin, corner - origin);
            let hit = world.cast_ray(&ray, &QueryFilter::new()).unwrap().expect("a closed room");
            assert!((hit.distance - origin.distance(corner)).abs() < 1e-12, "seed {seed}: {hit:?}");
        }
    }
}

/// Exact cases: tangents touch, borders are inside, ties go by serial numbers and discs before walls.
#[test]
fn borders_and_ties() {
    let mut world = World::new();
    let wall = world.add_wall(Wall::segment([5.0, -5.0], [5.0, 5.0])).unwrap();
    let below = world.insert(Disc::new([6.0, -1.0], 1.0)).unwrap();
    let above = world.insert(Disc::new([6.0, 1.0], 1.0)).unwrap();
    let ray = Ray::new([0.0, 0.0], [2.0, 0.0]);
    let mut hits = Vec::new();
    // Both are touched at 6; the segment is met at 5.
    world.ray_hits(&ray, &QueryFilter::new(), &mut hits).unwrap();
    let order: Vec<_> = hits.iter().map(|hit| (hit.body, hit.distance)).collect();
    let part = Partner::Wall { wall, part: 0 };
    assert_eq!(order, [(part, 5.0), (Partner::Disc(below), 6.0), (Partner::Disc(above), 6.0)]);
    let normals: Vec<_> = hits.iter().map(|hit| hit.normal.unwrap()).collect();
    assert_eq!(normals, [DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y]);
    // Along the segment's line it meets its end, and starts on it from there.
    let along = world.cast_ray(&Ray::new([5.0, -9.0], DVec2::Y), &QueryFilter::new().only_walls()).unwrap();
    assert_eq!(along.map(|hit| (hit.distance, hit.normal)), Some((4.0, Some(DVec2::NEG_Y))));
    let on = world.cast_ray(&Ray::new([5.0, 0.0], DVec2::X), &QueryFilter::new().only_walls()).unwrap();
    assert!(on.is_some_and(|hit| hit.is_inside() && hit.distance == 0.0));
    // From the border of a disc, whichever way.
    let border = world.cast_ray(&Ray::new([7.0, 1.0], DVec2::X), &QueryFilter::new()).unwrap().unwrap();
    assert_eq!((border.body, border.normal), (Partner::Disc(above), None));
    // The end of the ray is part of it.
    let end =
        |world: &World, length| world.cast_ray(&ray.with_max_distance(length), &QueryFilter::new()).unwrap();
    assert!(end(&world, 5.0).is_some() && end(&world, 5.0_f64.next_down()).is_none());
    // A disc that touches the wall from before it at the same distance comes first.
    let tip = world.insert(Disc::new([6.0, 0.0], 1.0).with_overlap()).unwrap();
    assert_eq!(end(&world, 9.0).map(|hit| hit.body), Some(Partner::Disc(tip)));
}

/// Round the world, at distances of whole periods and fractions.
#[test]
fn rays_go_round_a_periodic_world() {
    let settings = carom_engine::Settings::default().with_period([Some(10.0), Some(10.0)]);
    let mut world = World::with_settings(settings).unwrap();
    let disc = world.insert(Disc::new([9.0, 5.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let cast = |world: &World, origin: [f64; 2], direction: [f64; 2]| {
        world.cast_ray(&Ray::new(origin, direction), &QueryFilter::new()).unwrap()
    };
    let hit = cast(&world, [2.0, 5.0], [-1.0, 0.0]).unwrap();
    assert_eq!((hit.body, hit.distance, hit.point), (Partner::Disc(disc), 2.5, DVec2::new(-0.5, 5.0)));
    assert_eq!(hit.normal, Some(DVec2::X));
    // Up the diagonal of 1 : 2 it comes to y = 5 at x = 9 after 12 to the right and 24 up, less 5.
    let hit = cast(&world, [7.0, 1.0], [1.0, 2.0]).unwrap();
    assert!((hit.distance - (5.0_f64.sqrt() * 2.0 - 0.5)).abs() < 1e-12, "{hit:?}");
    world.advance(2.0).unwrap();
    let hit = cast(&world, [2.0, 5.0], [-1.0, 0.0]).unwrap();
    assert!((hit.distance - 0.5).abs() < 1e-12 && hit.body == Partner::Disc(disc));
    assert_eq!(cast(&world, [0.0, 0.0], [1.0, 0.0]), None);
}
