//! What overlaps and what is nearest, against formulas of their own.

use super::{KINDS, place, smooth};
use crate::common::by::By;
use crate::common::regions::wall_gap;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Partner, Physics, QueryFilter, Ray, RayHit, Wall, World};
use std::ops::ControlFlow;

/// Distances from here on are of no sign that a test may depend on.
const ROUNDING: f64 = 1e-12;

/// The difference of two places, as in the nearest of all images near by.
fn apart<P: Physics>(world: &World<P>, a: DVec2, b: DVec2) -> DVec2 {
    let lengths = world.periods().lengths();
    let images = (-2..=2).flat_map(|i| (-2..=2).map(move |j| DVec2::new(f64::from(i), f64::from(j))));
    images.map(|turns| a - b + turns * lengths).min_by(|a, b| a.length().total_cmp(&b.length())).unwrap()
}

/// Checks a list of discs against signed distances, of which those at 0 may be in or out.
fn check(found: &[Partner], gaps: &[(DiscId, f64)], what: &str) {
    let ids: Vec<DiscId> = found.iter().filter_map(|body| body.disc()).collect();
    for &(id, gap) in gaps {
        assert!(gap.abs() < ROUNDING || (gap < 0.0) == ids.contains(&id), "{what}: {id} at {gap}");
    }
}

#[test]
fn discs_are_found_where_formulas_have_them() {
    for seed in 0..cases(150) {
        let mut rng = Rng::new(seed);
        let mut world = smooth(By::Grid, seed as usize % KINDS, &mut rng);
        let filter = QueryFilter::new().only_discs();
        for step in 0..4 {
            world.advance(0.2).unwrap();
            for _ in 0..10 {
                let (at, radius) = (place(&mut rng), rng.pick(&[0.0, 0.5, 2.0, 9.0]));
                let what = format!("seed {seed} step {step} at {at}");
                let distance = |disc: &Disc| apart(&world, disc.position, at).length() - disc.radius;
                let mut found = Vec::new();
                world.overlap_disc(at, radius, &filter, &mut found).unwrap();
                let gaps: Vec<_> = world.discs().map(|(id, disc)| (id, distance(&disc) - radius)).collect();
                check(&found, &gaps, &what);

                let half = DVec2::new(radius, 0.3 * radius);
                world.overlap_box(at - half, at + half, &filter, &mut found).unwrap();
                let gaps: Vec<_> = world
                    .discs()
                    .map(|(id, disc)| {
                        let d = apart(&world, disc.position, at).abs();
                        let (x, y) = ((d.x - half.x).max(0.0), (d.y - half.y).max(0.0));
                        (id, x.hypot(y) - disc.radius)
                    })
                    .collect();
                check(&found, &gaps, &what);

                let mut near = Vec::new();
                world.nearest(at, 4, &filter, &mut near).unwrap();
                let mut all: Vec<_> = world.discs().map(|(_, disc)| distance(&disc).max(0.0)).collect();
                all.sort_by(f64::total_cmp);
                assert_eq!(near.len(), all.len().min(4));
                for (near, distance) in near.iter().zip(all) {
                    assert!((near.distance - distance).abs() < ROUNDING, "{what}: {near:?} {distance}");
                    assert!(((near.point - at).length() - distance).abs() < ROUNDING, "{what}: {near:?}");
                }
            }
        }
    }
}

/// Numbers without rounding, so that what touches is known: 3-4-5 and all its kin.
#[test]
fn what_touches_is_found_and_what_is_an_ulp_away_is_not() {
    let mut world = World::new();
    let touching = world.insert(Disc::new([3.0, 4.0], 2.0)).unwrap();
    let apart = world.insert(Disc::new([-3.0, 4.0], 5.0_f64.next_down() - 3.0)).unwrap();
    let point = world.insert(Disc::new([0.0, -3.0], 0.0)).unwrap();
    let filter = QueryFilter::new();
    let mut found = Vec::new();
    world.overlap_disc([0.0, 0.0], 3.0, &filter, &mut found).unwrap();
    assert_eq!(found, [touching, point].map(Partner::Disc));
    world.overlap_disc([0.0, 0.0], 3.0 + 1e-15, &filter, &mut found).unwrap();
    assert_eq!(found, [touching, apart, point].map(Partner::Disc));
    // The corner of a box, 3-4-5 from the centre of one of radius 5.
    let corner = world.insert(Disc::new([103.0, 104.0], 5.0)).unwrap();
    world.overlap_box([90.0, 90.0], [100.0, 100.0], &filter, &mut found).unwrap();
    assert_eq!(found, [Partner::Disc(corner)]);
    world.overlap_box([90.0, 90.0], [100.0, 100.0_f64.next_down()], &filter, &mut found).unwrap();
    assert_eq!(found, []);
    // A box without a size is a point.
    world.overlap_box([0.0, -3.0], [0.0, -3.0], &filter, &mut found).unwrap();
    assert_eq!(found, [Partner::Disc(point)]);
    world.overlap_point([0.0, -3.0], &filter, &mut found).unwrap();
    assert_eq!(found, [Partner::Disc(point)]);
}

/// Results are ordered by serial numbers, not by slots, which are used again.
#[test]
fn sets_are_in_the_order_of_insertion() {
    let mut world = World::new();
    let ids: Vec<_> =
        (0..5).map(|_| world.insert(Disc::new([0.0, 0.0], 1.0).with_overlap()).unwrap()).collect();
    world.remove(ids[1]).unwrap();
    let last = world.insert(Disc::new([0.0, 0.0], 1.0).with_overlap()).unwrap();
    assert_eq!(last.slot(), ids[1].slot());
    let (mut found, mut near) = (Vec::new(), Vec::new());
    world.overlap_point([0.0, 0.0], &QueryFilter::new(), &mut found).unwrap();
    let order = [ids[0], ids[2], ids[3], ids[4], last].map(Partner::Disc);
    assert_eq!(found, order);
    world.nearest([3.0, 0.0], 3, &QueryFilter::new(), &mut near).unwrap();
    assert_eq!(near.iter().map(|near| near.body).collect::<Vec<_>>(), order[..3]);
    assert!(near.iter().all(|near| (near.distance, near.point) == (2.0, DVec2::X)));
}

/// The distance of a point from a closed wall, by formulas other than the engine's.
pub(super) fn wall_distance(wall: &Wall, at: DVec2) -> f64 {
    wall_gap(&wall.shape, at).max(0.0)
}

#[test]
fn walls_are_found_where_formulas_have_them() {
    for seed in 0..cases(300) {
        let mut rng = Rng::new(seed);
        let world = smooth(By::Grid, 0, &mut rng);
        let filter = QueryFilter::new().only_walls();
        for _ in 0..30 {
            let at = rng.vector(24.0);
            let radius = rng.pick(&[0.0, 0.2, 2.0]);
            let mut found = Vec::new();
            world.overlap_disc(at, radius, &filter, &mut found).unwrap();
            let mut near = Vec::new();
            world.nearest(at, 100, &filter, &mut near).unwrap();
            assert_eq!(near.len(), world.walls().count());
            for (id, wall) in world.walls() {
                let distance = wall_distance(wall, at);
                let is_found = found.iter().any(|body| body.wall() == Some(id));
                let gap = distance - radius;
                // Points in the open are not on a curve.
                let is_clear = gap.abs() > 1e-11 || (radius == 0.0 && distance == 0.0);
                assert!(!is_clear || is_found == (gap <= 0.0), "seed {seed}: {wall:?} {at} {radius}");
                let near = near.iter().find(|near| near.body.wall() == Some(id)).unwrap();
                assert!((near.distance - distance).abs() < 1e-11, "seed {seed}: {near:?} {distance}");
                assert!(wall_distance(wall, near.point) < 1e-11, "seed {seed}: {near:?}");
            }
            assert!(near.is_sorted_by(|a, b| a.distance <= b.distance));
        }
    }
}

/// A box overlaps a wall if a point of it does: of a fine lattice, or of the wall, as far as that tells.
#[test]
fn boxes_find_walls() {
    let mut both = [0, 0];
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed);
        let world = smooth(By::Grid, 0, &mut rng);
        let filter = QueryFilter::new().only_walls();
        for _ in 0..8 {
            let (min, size) = (rng.vector(21.0), rng.vector(3.0).abs());
            let mut found = Vec::new();
            world.overlap_box(min, min + size, &filter, &mut found).unwrap();
            for (id, wall) in world.walls() {
                // Nearest approach over a lattice: no point is further from one of it than half its diagonal.
                let n = 24;
                let lattice =
                    (0..=n).flat_map(|i| (0..=n).map(move |j| DVec2::new(f64::from(i), f64::from(j))));
                let nearest = lattice
                    .map(|k| wall_distance(wall, min + size * k / f64::from(n)))
                    .fold(f64::INFINITY, f64::min);
                let is_found = found.iter().any(|body| body.wall() == Some(id));
                let between = 0.5 * size.length() / f64::from(n);
                both[usize::from(is_found)] += 1;
                assert!(!is_found || nearest <= between + 1e-9, "seed {seed}: {wall:?} {min} {size}");
                // What comes so near is inside, unless it is near the border, from outside.
                let middle = wall_distance(wall, min + size * 0.5);
                let is_inside = middle < 0.5 * size.min_element() - 1e-9;
                assert!(is_found || !(is_inside || nearest == 0.0), "seed {seed}: {wall:?} {min} {size}");
            }
        }
    }
    assert!(both.iter().all(|&times| times > 100), "{both:?}");
}

/// A query that calls is the one that fills a list: it sees the same things in the same order, and no more of
/// them than it asks for.
#[test]
fn what_is_called_is_what_is_listed() {
    /// All that a query sees, and what it sees that breaks at the second.
    fn seen<T: Copy>(query: impl Fn(&mut dyn FnMut(T) -> ControlFlow<()>)) -> [Vec<T>; 2] {
        [usize::MAX, 2].map(|most| {
            let mut seen = Vec::new();
            query(&mut |found| {
                seen.push(found);
                if seen.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            seen
        })
    }
    fn check<T: PartialEq + std::fmt::Debug>([all, two]: [Vec<T>; 2], listed: &[T]) {
        assert_eq!(all, listed);
        assert_eq!(two, listed[..listed.len().min(2)]);
    }
    let filter = QueryFilter::new();
    for seed in 0..cases(60) {
        let mut rng = Rng::new(seed);
        let world = smooth(By::Grid, seed as usize % KINDS, &mut rng);
        let (at, half) = (place(&mut rng), DVec2::splat(rng.range(1.0, 9.0)));
        let mut listed = Vec::new();
        world.overlap_point(at, &filter, &mut listed).unwrap();
        check(seen(|see| world.overlap_point_with(at, &filter, see).unwrap()), &listed);
        world.overlap_disc(at, half.x, &filter, &mut listed).unwrap();
        check(seen(|see| world.overlap_disc_with(at, half.x, &filter, see).unwrap()), &listed);
        world.overlap_box(at - half, at + half, &filter, &mut listed).unwrap();
        check(seen(|see| world.overlap_box_with(at - half, at + half, &filter, see).unwrap()), &listed);
        let (ray, mut hits) = (Ray::new(at, rng.vector(1.0)), Vec::new());
        world.ray_hits(&ray, &filter, &mut hits).unwrap();
        check(seen::<RayHit>(|see| world.ray_hits_with(&ray, &filter, |hit| see(*hit)).unwrap()), &hits);
    }
}
