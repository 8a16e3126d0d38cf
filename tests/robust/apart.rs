//! Overlapping discs pushed apart at once.

use carom_engine::{DVec2, Disc, DiscId, Error, Moved, Partner, Wall, World};

use crate::common::grammar;
use crate::common::record::{deepest_overlap_by, state_bits};
use crate::common::rng::{Rng, cases};
use carom_testkit::at;

pub(super) fn put(world: &mut World, position: DVec2, radius: f64) -> DiscId {
    world.insert(Disc::new(position, radius).with_overlap()).unwrap()
}

/// 4 ulp of coordinates up to `size`, as the engine takes them, and the rounding of computing a gap here.
fn slack(size: f64) -> f64 {
    8.0 * f64::EPSILON * size
}

/// Nothing overlaps by more than touching: checked from outside, pair by pair; and by the engine's own test,
/// as every disc may be put where it is without being allowed to overlap.
pub(super) fn assert_apart(world: &mut World, what: &str) {
    let deepest = deepest_overlap_by(world, |depth, [(_, a), (_, b)]| {
        let pass = a.mass == b.mass && (a.mass == 0.0 || a.mass == f64::INFINITY);
        let size = a.position.abs().max(b.position.abs()).max_element().max(a.radius + b.radius);
        if pass { f64::NEG_INFINITY } else { depth - slack(size) }
    });
    assert!(deepest <= 0.0, "{what}: two overlap by {deepest:e} more than touching: {world:?}");
    let mut copy = world.clone();
    for (id, disc) in world.discs() {
        copy.set_overlap(id, carom_engine::Overlap::Refuse).unwrap();
        copy.set_position(id, disc.position).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    assert_eq!(world.push_apart(), Ok(vec![]), "{what}: a second call");
    world.assert_well_formed();
}

fn sum_of_squares(moved: &[Moved]) -> f64 {
    moved.iter().map(|m| m.from.distance_squared(m.to)).sum()
}

/// δ/2 each along the line of centres, whatever the masses; half the margin of 10⁻¹³ of the reach, with 4
/// ulp, on top.
#[test]
fn two_discs_move_by_half_the_depth() {
    let mut rng = Rng::new(1);
    for case in 0..cases(500) {
        let offset = rng.vector(1.0) * rng.pick(&[0.0, 1.0, 1e3, 1e6]);
        let (r, s) = (rng.range(0.1, 1.0), rng.range(0.1, 1.0));
        let way = DVec2::from_angle(rng.range(0.0, 7.0));
        let depth = rng.pick(&[1e-8, 1e-3, 0.1, 0.9]) * (r + s);
        let masses = [rng.pick(&[1.0, 1e-3, 7.0]), rng.pick(&[1.0, 1e6])];
        let mut world = World::new();
        let places = [offset, offset + way * (r + s - depth)];
        let velocities = [rng.vector(1.0), rng.vector(1.0)];
        let ids = [0, 1].map(|i| {
            let disc = Disc::new(places[i], [r, s][i]).with_mass(masses[i]).with_velocity(velocities[i]);
            world.insert(disc.with_overlap()).unwrap()
        });
        let moved = world.push_apart().unwrap();
        assert_eq!(
            moved.iter().map(|m| (m.disc, m.from)).collect::<Vec<_>>(),
            [(ids[0], places[0]), (ids[1], places[1])]
        );
        // The depth is known to the rounding of the places.
        let error = 2e-13 * (r + s) + slack(offset.abs().max_element() + 2.0);
        for (m, sign) in moved.iter().zip([-1.0, 1.0]) {
            assert!((m.to - m.from - way * (sign * depth / 2.0)).length() <= error, "case {case}: {m:?}");
            assert_eq!(world.get(m.disc).unwrap().position(), m.to);
        }
        assert_eq!(ids.map(|id| world.get(id).unwrap().velocity()), velocities);
        assert_apart(&mut world, "two discs");
    }
}

/// Out of a wall by the depth, straight; on the side where the centre is.
#[test]
fn a_disc_leaves_a_wall_by_the_depth() {
    let up = DVec2::Y;
    for (wall, position, to) in [
        (Wall::half_plane(at(0.0, 0.0), up), at(0.3, 0.7), at(0.3, 1.0)),
        (Wall::half_plane(at(0.0, 0.0), up), at(0.3, -5.0), at(0.3, 1.0)),
        (Wall::segment(at(-2.0, 0.0), at(2.0, 0.0)), at(0.3, 0.7), at(0.3, 1.0)),
        (Wall::segment(at(-2.0, 0.0), at(2.0, 0.0)), at(0.3, -0.1), at(0.3, -1.0)),
        // Its ends are inside the disc, and in the way of nothing.
        (Wall::segment(at(-0.5, 0.0), at(0.5, 0.0)), at(0.1, 0.25), at(0.1, 1.0)),
        (Wall::segment(at(-1.0, 0.0), at(1.0, 0.0)), at(1.5, 0.0), at(2.0, 0.0)),
        (Wall::one_sided_segment(at(-2.0, 0.0), at(2.0, 0.0)), at(0.3, 0.1), at(0.3, 1.0)),
        (Wall::disc(at(0.0, 0.0), 2.0), at(0.0, 2.25), at(0.0, 3.0)),
        (Wall::circle(at(0.0, 0.0), 3.0), at(0.0, 2.5), at(0.0, 2.0)),
        (Wall::circle(at(0.0, 0.0), 3.0), at(0.0, 9.0), at(0.0, 2.0)),
        (Wall::arc(at(0.0, 0.0), 3.0, 0.0, 3.0), at(0.0, 2.75), at(0.0, 2.0)),
        (Wall::arc(at(0.0, 0.0), 3.0, 0.0, 3.0), at(0.0, 3.25), at(0.0, 4.0)),
        (Wall::polyline(&[at(-3.0, 0.0), at(0.0, 0.0), at(3.0, 0.0)]), at(0.25, 0.5), at(0.25, 1.0)),
        (Wall::container(at(-2.0, -2.0), at(2.0, 2.0)), at(1.25, 1.75), at(1.0, 1.0)),
        (Wall::stadium(at(0.0, 0.0), 2.0, 2.0), at(0.0, 1.25), at(0.0, 1.0)),
    ] {
        for mass in [1.0, 0.0, f64::INFINITY] {
            let mut world = World::new();
            world.add_wall(wall.clone()).unwrap();
            let disc = world.insert(Disc::new(position, 1.0).with_mass(mass).with_overlap()).unwrap();
            let moved = world.push_apart().unwrap();
            assert_eq!(moved.len(), 1);
            let place = world.get(disc).unwrap().position();
            // The margin is 10⁻¹³ of the radius and 4 ulp of lengths up to 3.
            assert!((place - to).length() < 2e-13, "{wall:?}: {place} instead of {to}");
            assert_apart(&mut world, "a wall");
        }
    }
    // Behind a one-sided segment one is not in its way.
    let mut world = World::new();
    world.add_wall(Wall::one_sided_segment(at(-2.0, 0.0), at(2.0, 0.0))).unwrap();
    put(&mut world, at(0.3, -0.1), 1.0);
    assert_eq!(world.push_apart(), Ok(vec![]));
}

/// What overlaps by more than touching comes apart, however little that is: also by less than the margin of
/// 10⁻¹³ that gaps are opened to.
#[test]
fn overlaps_below_the_margin_come_apart() {
    let mut rng = Rng::new(12);
    for case in 0..cases(200) {
        let mut world = World::new();
        world.add_wall(Wall::half_plane(at(0.0, 0.0), at(0.0, 1.0))).unwrap();
        let depth = 10_f64.powf(rng.range(-14.0, -12.0));
        let (r, s) = (rng.range(0.5, 1.0), rng.range(0.5, 1.0));
        let way = DVec2::from_angle(rng.range(0.5, 2.5));
        let (below, above) = match case % 3 {
            // In the floor; in each other; in both.
            0 => (depth, -0.1),
            1 => (0.0, depth),
            _ => (depth, depth),
        };
        let place = at(0.0, r - below);
        put(&mut world, place, r);
        put(&mut world, place + way * (r + s - above), s);
        let moved = world.push_apart().unwrap_or_else(|error| panic!("case {case}, {depth:e}: {error}"));
        assert!(!moved.is_empty(), "case {case}, {depth:e}");
        assert_apart(&mut world, "a small overlap");
    }
}

/// A disc in no other's way stays to the last bit, and so does its stored state, touching neighbours
/// included.
#[test]
fn others_stay() {
    let mut world = World::new();
    world.add_wall(Wall::container(at(-9.0, -9.0), at(9.0, 9.0))).unwrap();
    let mut others = vec![];
    for k in 0..6 {
        let disc = Disc::new(at(0.3 * f64::from(k) - 7.0, 7.0), 0.15).with_velocity(at(0.0, -0.01));
        others.push(world.insert(disc).unwrap());
    }
    // In a corner, touching both walls.
    others.push(world.insert(Disc::new(at(-8.0, -8.0), 1.0)).unwrap());
    world.advance(3.0).unwrap();
    let (a, b) = (put(&mut world, at(0.0, 0.0), 1.0), put(&mut world, at(1.5, 0.0), 1.0));
    let state = |world: &World, id| (world.get(id).unwrap().to_disc(), world.get(id).unwrap().state_time());
    let before: Vec<_> = others.iter().map(|&id| state(&world, id)).collect();
    let moved = world.push_apart().unwrap();
    assert_eq!(moved.iter().map(|m| m.disc).collect::<Vec<_>>(), [a, b]);
    assert_eq!(others.iter().map(|&id| state(&world, id)).collect::<Vec<_>>(), before);
    assert_eq!(world.get(a).unwrap().state_time(), world.now());
    assert_apart(&mut world, "others");
}

/// Regular polygons of discs that all overlap their neighbours grow about their centre: it is the least move,
/// as by the symmetry of a convex problem, and stays symmetric up to rounding.
#[test]
fn polygons_stay_symmetric() {
    for n in 3..8 {
        for turn in [0.0, 0.3] {
            let mut world = World::new();
            let ways: Vec<DVec2> = (0..n)
                .map(|k| DVec2::from_angle(turn + core::f64::consts::TAU * f64::from(k) / f64::from(n)))
                .collect();
            // Neighbours at 1.7 of the 2 that they need.
            let needed = 1.0 / (core::f64::consts::PI / f64::from(n)).sin();
            for way in &ways {
                put(&mut world, *way * (0.85 * needed), 1.0);
            }
            let moved = world.push_apart().unwrap();
            assert_eq!(moved.len(), n as usize);
            for (m, way) in moved.iter().zip(&ways) {
                // The demands are met to the margin of 2·10⁻¹³, here with a factor 1/sin(π/n) < 3 between gap
                // and move.
                assert!((m.to - *way * needed).length() < 2e-12, "{n}: {m:?}");
            }
            assert_apart(&mut world, "a polygon");
        }
    }
}

/// The least sum of squares for three discs, by search: two touch the middle one, in directions φ and ψ from
/// it; where the middle one is then best follows. The third gap is a condition.
fn least_for_three(places: [DVec2; 3], radii: [f64; 3]) -> f64 {
    let mut best = f64::INFINITY;
    for middle in 0..3 {
        let (i, j) = ((middle + 1) % 3, (middle + 2) % 3);
        let cost = |phi: f64, psi: f64| {
            let (p, q) = (
                DVec2::from_angle(phi) * (radii[middle] + radii[i]),
                DVec2::from_angle(psi) * (radii[middle] + radii[j]),
            );
            if p.distance(q) < radii[i] + radii[j] - 1e-9 {
                return f64::INFINITY;
            }
            let center = (places[middle] + (places[i] - p) + (places[j] - q)) / 3.0;
            center.distance_squared(places[middle])
                + (center + p).distance_squared(places[i])
                + (center + q).distance_squared(places[j])
        };
        let (mut phi, mut psi, mut width) = (0.0, 0.0, core::f64::consts::PI);
        let mut least = f64::INFINITY;
        for round in 0..40 {
            let n = if round == 0 { 180 } else { 12 };
            let (around_phi, around_psi) = (phi, psi);
            for k in -n..=n {
                for l in -n..=n {
                    let [a, b] = [(around_phi, k), (around_psi, l)]
                        .map(|(c, m)| c + width * f64::from(m) / f64::from(n));
                    let cost = cost(a, b);
                    if cost < least {
                        (least, phi, psi) = (cost, a, b);
                    }
                }
            }
            width *= if round == 0 { 3.0 / 180.0 } else { 0.5 };
        }
        best = best.min(least);
    }
    best
}

#[test]
fn three_discs_move_as_little_as_they_can() {
    let mut rng = Rng::new(3);
    let mut tried = 0;
    while tried < 20 {
        let radii = [rng.range(0.7, 1.3), rng.range(0.7, 1.3), rng.range(0.7, 1.3)];
        let places = [rng.vector(1.5), rng.vector(1.5), rng.vector(1.5)];
        let overlap = |i: usize, j: usize| 1.0 - places[i].distance(places[j]) / (radii[i] + radii[j]);
        let overlaps = [overlap(0, 1), overlap(1, 2), overlap(0, 2)];
        // At least two pairs overlap, so that in the end two touch; not so deep that other minima are near.
        if overlaps.iter().filter(|&&o| o > 0.05).count() < 2 || overlaps.iter().any(|&o| o > 0.35) {
            continue;
        }
        tried += 1;
        let mut world = World::new();
        for i in 0..3 {
            put(&mut world, places[i], radii[i]);
        }
        let moved = sum_of_squares(&world.push_apart().unwrap());
        let least = least_for_three(places, radii);
        // The search ends at angles 10⁻¹³ apart, but where the third gap is a condition it stays within 10⁻⁹
        // of it; rounds end at a change of 10⁻⁹.
        assert!((moved / least - 1.0).abs() < 1e-6, "{places:?} {radii:?}: {moved} instead of {least}");
        assert_apart(&mut world, "three");
    }
}

/// Any number on one point, and clouds that are about as bad.
#[test]
fn heaps_come_apart() {
    let mut rng = Rng::new(4);
    for n in [2, 3, 10, 40, 100] {
        for spread in [0.0, 1e-300, 1e-12, 0.3] {
            for place in [at(0.0, 0.0), at(-3e5, 7e5)] {
                let mut world = World::new();
                for _ in 0..n {
                    let radius = if spread == 0.3 { rng.range(0.2, 1.0) } else { 0.5 };
                    put(&mut world, place + rng.vector(spread), radius);
                }
                let moved = world.push_apart().unwrap();
                assert!(moved.len() + 1 >= n, "{n} discs");
                assert_apart(&mut world, "a heap");
            }
        }
    }
}

/// Others do not feel a tracer: it alone makes way. An infinite mass makes way for walls alone; two of
/// them pass through each other, and so do two tracers.
#[test]
fn what_makes_way() {
    let inf = f64::INFINITY;
    let mut world = World::new();
    let mut put = |x: f64, y: f64, mass: f64| {
        world.insert(Disc::new(at(x, y), 1.0).with_mass(mass).with_overlap()).unwrap()
    };
    let (finite, tracer) = (put(0.0, 0.0, 1.0), put(1.5, 0.0, 0.0));
    let (heavy, light) = (put(10.0, 0.0, inf), put(11.5, 0.0, 1.0));
    for k in 0..2 {
        put(20.0 + f64::from(k), 0.0, inf);
        put(30.0 + f64::from(k), 0.0, 0.0);
    }
    let moved = world.push_apart().unwrap();
    assert_eq!(moved.iter().map(|m| m.disc).collect::<Vec<_>>(), [tracer, light]);
    for (id, x) in [(finite, 0.0), (tracer, 2.0), (heavy, 10.0), (light, 12.0)] {
        assert!((world.get(id).unwrap().position() - at(x, 0.0)).length() < 1e-12);
    }
    assert_apart(&mut world, "who makes way");
}

/// Where there is no room, an error, and not a bit is changed.
#[test]
fn no_room() {
    let worlds: [&dyn Fn(&mut World); 5] = [
        // Too large for the room, the corridor, the circle; too many; one between two infinite masses and two
        // walls.
        &|w| {
            w.add_wall(Wall::container(at(-1.0, -1.0), at(1.0, 1.0))).unwrap();
            put(w, at(0.0, 0.3), 1.5);
        },
        &|w| {
            w.add_wall(Wall::half_plane(at(0.0, 0.0), DVec2::Y)).unwrap();
            w.add_wall(Wall::half_plane(at(0.0, 1.9), DVec2::NEG_Y)).unwrap();
            put(w, at(0.3, 0.4), 1.0);
        },
        &|w| {
            w.add_wall(Wall::circle(at(3.0, 0.0), 2.0)).unwrap();
            put(w, at(2.0, 0.5), 1.1);
            put(w, at(3.0, 0.5), 1.1);
        },
        &|w| {
            w.add_wall(Wall::container(at(-1.0, -1.0), at(1.0, 1.0))).unwrap();
            for k in 0..30 {
                put(w, at(0.01 * f64::from(k), 0.0), 0.2);
            }
        },
        &|w| {
            w.add_wall(Wall::container(at(-3.0, -1.0), at(3.0, 1.0))).unwrap();
            for (x, mass) in [(-1.8, f64::INFINITY), (0.1, 1.0), (1.8, f64::INFINITY)] {
                w.insert(Disc::new(at(x, 0.0), 1.0).with_mass(mass).with_overlap()).unwrap();
            }
        },
    ];
    for (k, build) in worlds.into_iter().enumerate() {
        let mut world = World::new();
        build(&mut world);
        // Outside, where that is allowed.
        let _ = world.insert(Disc::new(at(50.0, 1.0), 0.5).with_velocity(at(1.0, 0.1)));
        let before = state_bits(&world);
        match world.push_apart() {
            Err(Error::NoRoom { disc, depth }) => {
                assert!(world.contains(disc) && depth > 1e-3, "world {k}: {disc} {depth}");
            }
            other => panic!("world {k}: {other:?}"),
        }
        assert_eq!(state_bits(&world), before);
    }
    // Out of the range of coordinates.
    let mut world = World::new();
    put(&mut world, at(1e15, 0.0), 1.0);
    put(&mut world, at(1e15 - 1.0, 0.0), 1.0);
    let before = state_bits(&world);
    assert!(matches!(world.push_apart(), Err(Error::OutOfRange { field: "position.x", .. })));
    assert_eq!(state_bits(&world), before);
}

/// The work would go up with the square of the discs: both calls refuse a heap of 1500 before it, as 2²⁰
/// pairs are looked at and 32 for each disc. What passes through each other is no overlap.
#[test]
fn too_many_overlaps_are_refused_at_once() {
    let heap = |team: u32| {
        let mut world: World = World::new();
        let disc = Disc::new([0.0, 0.0], 0.5).with_overlap().with_team(team);
        for _ in 0..1500 {
            world.insert(disc).unwrap();
        }
        world
    };
    let (mut world, most) = (heap(0), (1 << 20) + 32 * 1500);
    let before = state_bits(&world);
    assert_eq!(world.push_apart(), Err(Error::TooManyOverlaps { most }));
    assert_eq!(world.separate_overlaps(1.0), Err(Error::TooManyOverlaps { most }));
    assert_eq!(state_bits(&world), before);
    let mut team = heap(1);
    assert_eq!(team.push_apart(), Ok(Vec::new()));
    assert!(team.separate_overlaps(1.0).unwrap().overlaps.is_empty());
}

/// The order of insertion decides nothing where no centres coincide.
#[test]
fn order_of_insertion() {
    let mut rng = Rng::new(6);
    for _ in 0..10 {
        let places: Vec<(DVec2, f64)> = (0..12).map(|_| (rng.vector(2.5), rng.range(0.3, 0.8))).collect();
        let run = |order: &[usize]| {
            let mut world = World::new();
            world.add_wall(Wall::container(at(-4.0, -4.0), at(4.0, 4.0))).unwrap();
            let mut ids = vec![DVec2::ZERO; 12];
            let discs: Vec<_> =
                order.iter().map(|&k| (k, put(&mut world, places[k].0, places[k].1))).collect();
            world.push_apart().unwrap();
            for (k, id) in discs {
                ids[k] = world.get(id).unwrap().position();
            }
            ids
        };
        let one = run(&(0..12).collect::<Vec<_>>());
        let other = run(&rng.permutation(12));
        for (a, b) in one.iter().zip(other) {
            // Rounds end when the sum of squares changes by 10⁻⁹; near a minimum places go with its root.
            assert!(a.distance(b) < 1e-4, "{a} and {b}");
        }
    }
}

/// Whatever stands there, walls of every kind and discs of every mass and size: nothing overlaps, or an error
/// and the same bits; and then velocities at which they part, or an error and the same bits.
#[test]
fn any_world() {
    let mut rng = Rng::new(11);
    let (mut apart, mut parted, tried) = (0, 0, cases(150));
    for case in 0..tried {
        let mut world = World::new();
        // A pinched tracer bounces without end.
        world.set_budget(1000);
        for _ in 0..rng.below(4) {
            let _ = world.add_wall(grammar::wall(&mut rng, 4.0));
        }
        for _ in 0..1 + rng.below(25) {
            let radius = rng.pick(&[0.0, 0.5, 0.5, 0.01, 1.2]);
            let mass = rng.pick(&[1.0, 1.0, 1.0, 1e-3, 5.0, 0.0, f64::INFINITY]);
            let spread = rng.pick(&[4.0, 1.0]);
            let disc = Disc::new(rng.vector(spread), radius).with_velocity(rng.vector(2.0)).with_mass(mass);
            world.insert(disc.with_overlap()).unwrap();
        }
        let _ = world.advance(rng.pick(&[0.0, 0.1]));
        let before = state_bits(&world);
        let mut other = world.clone();
        match world.push_apart() {
            Ok(moved) => {
                apart += 1;
                assert!(moved.iter().all(|m| m.from != m.to));
                assert_apart(&mut world, &format!("case {case}"));
            }
            Err(error) => {
                assert!(matches!(error, Error::NoRoom { .. }), "case {case}: {error}");
                assert_eq!(state_bits(&world), before);
            }
        }
        match other.separate_overlaps(0.5) {
            Ok(report) => {
                parted += 1;
                for overlap in &report.overlaps {
                    let Partner::Disc(b) = overlap.b else { continue };
                    let v = other.get(b).unwrap().velocity() - other.get(overlap.a).unwrap().velocity();
                    // Velocities of up to some 10³ are rounded when they are stored.
                    assert!(v.dot(overlap.normal) >= 0.5 - 1e-12, "case {case}");
                }
                other.assert_well_formed();
            }
            Err(error) => {
                assert!(matches!(error, Error::CannotPart { .. }), "case {case}: {error}");
                assert_eq!(state_bits(&other), before);
            }
        }
    }
    // Neither is always refused.
    assert!(4 * apart > tried && 4 * parted > tried, "{apart} and {parted} of {tried}");
}

/// Thousands of discs at random take seconds, not minutes.
#[test]
fn a_crowd_comes_apart() {
    let mut rng = Rng::new(9);
    let (n, packing) = (2000, 0.5);
    let mut world = World::new();
    let size = (f64::from(n) * core::f64::consts::PI * 0.25 / packing).sqrt() / 2.0;
    world.add_wall(Wall::container(at(-size, -size), at(size, size))).unwrap();
    for _ in 0..n {
        put(&mut world, rng.vector(size - 0.5), 0.5);
    }
    let moved = world.push_apart().unwrap();
    // The mean square is below that of 0.8 radii: they give way, they are not strewn about.
    assert!(sum_of_squares(&moved) < f64::from(n) * 0.4 * 0.4);
    assert_eq!(world.push_apart(), Ok(vec![]));
}
