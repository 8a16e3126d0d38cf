//! Overlapping discs given velocities at which they part.

use super::apart::put;
use carom_engine::{DVec2, Disc, Error, Partner, StopReason, Wall, World};

use crate::common::record::state_bits;
use crate::common::rng::{Rng, cases};
use carom_testkit::at;

/// By hand: the missing speed is shared inversely to the masses, ½ μ w² of energy at most is added.
#[test]
fn two_discs_part_at_the_speed() {
    let mut rng = Rng::new(7);
    for case in 0..cases(500) {
        let masses = [rng.pick(&[1.0, 1e-6, 3.0]), rng.pick(&[1.0, 1e6, 0.2])];
        let way = DVec2::from_angle(rng.range(0.0, 7.0));
        let velocities = [rng.vector(2.0), rng.vector(2.0)];
        let speed = rng.pick(&[0.0, 1e-3, 0.5, 20.0]);
        let mut world = World::new();
        let ids = [0, 1].map(|k| {
            let disc = Disc::new(way * (0.8 * k as f64), 0.5).with_velocity(velocities[k]);
            world.insert(disc.with_mass(masses[k]).with_overlap()).unwrap()
        });
        let beside = world.insert(Disc::new(at(9.0, 9.0), 0.5).with_velocity(DVec2::X)).unwrap();
        let (energy, momentum) = (world.kinetic_energy(), world.momentum());
        let others = state_bits(&world);
        let parted = world.separate_overlaps(speed).unwrap();
        let normal = parted.overlaps[0].normal;
        let opening = (velocities[1] - velocities[0]).dot(normal);
        let missing = (speed - opening).max(0.0);
        let mu = masses[0] * masses[1] / (masses[0] + masses[1]);
        let [v, w] = ids.map(|id| world.get(id).unwrap().velocity());
        // Rounding of velocities up to 40, relative to theirs.
        let error = 1e-14 * (4.0 + speed);
        assert!(((w - v).dot(normal) - opening - missing).abs() < error, "case {case}");
        assert!((v - velocities[0] + normal * (missing * mu / masses[0])).length() < error);
        assert!((w - velocities[1] - normal * (missing * mu / masses[1])).length() < error);
        let added = mu * missing * (opening + 0.5 * missing);
        assert!((parted.energy_added - added).abs() < 1e-13 * (energy + added.abs()), "case {case}");
        assert!(
            (world.kinetic_energy() - energy - parted.energy_added).abs() < 1e-14 * (energy + added.abs())
        );
        assert!((world.momentum() - momentum).length() < 1e-14 * (masses[0] + masses[1]) * (4.0 + speed));
        assert_eq!(parted.overlaps.len(), 1);
        let overlap = parted.overlaps[0];
        assert_eq!((overlap.a, overlap.b), (ids[0], Partner::Disc(ids[1])));
        assert!(
            (overlap.depth - 0.2).abs() < 1e-15
                && (overlap.impulse - mu * missing).abs() < 1e-14 * mu * (4.0 + speed)
        );
        assert!((normal - way).length() < 1e-15);
        assert_eq!(
            (world.get(beside).unwrap().velocity(), world.get(ids[0]).unwrap().position()),
            (DVec2::X, DVec2::ZERO)
        );
        if missing == 0.0 {
            assert_eq!(state_bits(&world), others);
        }
    }
}

/// Every pair, every wall; and what is fast enough already is left alone.
#[test]
fn heaps_part() {
    let mut rng = Rng::new(8);
    for case in 0..cases(30) {
        let n = rng.pick(&[3, 10, 10, 40]);
        let spread = rng.pick(&[0.0, 1e-12, 0.5, 2.0]);
        let speed = rng.pick(&[1e-3, 1.0, 30.0]);
        let mut world = World::new();
        let in_a_corner = rng.chance(50);
        if in_a_corner {
            world.add_wall(Wall::container(at(-0.2, -0.2), at(20.0, 20.0))).unwrap();
        }
        for _ in 0..n {
            let place = rng.vector(spread).abs();
            let mass = rng.pick(&[1.0, 1.0, 0.01, 50.0]);
            let disc = Disc::new(place, 0.5).with_velocity(rng.vector(1.0)).with_mass(mass);
            world.insert(disc.with_overlap()).unwrap();
        }
        let places: Vec<DVec2> = world.discs().map(|(_, disc)| disc.position).collect();
        let (energy, momentum) = (world.kinetic_energy(), world.momentum());
        let parted = world
            .separate_overlaps(speed)
            .unwrap_or_else(|e| panic!("{case} {n} {spread} {speed} {in_a_corner} {e}"));
        assert_eq!(world.discs().map(|(_, disc)| disc.position).collect::<Vec<_>>(), places);
        let fastest = world.discs().map(|(_, disc)| disc.velocity.length()).fold(0.0, f64::max);
        for overlap in &parted.overlaps {
            let with = overlap.b.disc().map_or(DVec2::ZERO, |b| world.get(b).unwrap().velocity());
            let opening = (with - world.get(overlap.a).unwrap().velocity()).dot(overlap.normal);
            // Velocities are rounded when they are stored.
            assert!(
                opening >= speed * (1.0 - 1e-12) - 4.0 * f64::EPSILON * fastest,
                "case {case}: {overlap:?} {opening}"
            );
            assert!(overlap.impulse >= 0.0 && overlap.depth > 0.0);
        }
        let near = |k: usize| places[..k].iter().filter(|p| p.distance(places[k]) < 1.0 - 1e-14).count();
        let pairs: usize = (0..places.len()).map(near).sum();
        let in_walls = parted.overlaps.iter().filter(|o| matches!(o.b, Partner::Wall { .. })).count();
        assert_eq!(parted.overlaps.len() - in_walls, pairs, "case {case}");
        let scale = energy + world.kinetic_energy();
        assert!((world.kinetic_energy() - energy - parted.energy_added).abs() < 1e-12 * scale);
        if in_walls == 0 {
            assert!((world.momentum() - momentum).length() < 1e-13 * 50.0 * f64::from(n) * (1.0 + fastest));
        }
        // Again: nothing is missing but what rounding took.
        let again = world.separate_overlaps(speed * (1.0 - 1e-9)).unwrap();
        assert!(again.overlaps.iter().all(|o| o.impulse == 0.0), "case {case}");
        assert_eq!(again.energy_added, 0.0);
        // And then they do part, without a collision among those that overlapped, and run free.
        world.assert_well_formed();
        world.advance(0.0).unwrap();
    }
}

/// Slowly out of each other, then to the walls and back: the second time they collide as any other two.
#[test]
fn parted_discs_collide_again() {
    let mut world = World::new();
    world.add_wall(Wall::container(at(-3.0, -3.0), at(3.0, 3.0))).unwrap();
    let (a, b) = (put(&mut world, at(-0.25, 0.0), 0.5), put(&mut world, at(0.25, 0.0), 0.5));
    let parted = world.separate_overlaps(1.0).unwrap();
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity()), [at(-0.5, 0.0), at(0.5, 0.0)]);
    assert_eq!((parted.energy_added, parted.overlaps[0].impulse), (0.25, 0.5));
    // From ±0.25 to the walls at 2.5 for the centres, back to ±0.5: 2.25 + 2 at half a unit a second.
    let end = world.advance(8.4).unwrap();
    assert_eq!((end.events, end.end), (2, StopReason::Reached));
    let end = world.advance(0.2).unwrap();
    assert_eq!((end.events, end.end), (1, StopReason::Reached));
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity()), [at(-0.5, 0.0), at(0.5, 0.0)]);
    // Elastic in a box: never inside each other again.
    for _ in 0..100 {
        world.advance(0.37).unwrap();
        assert!(world.get(a).unwrap().position().distance(world.get(b).unwrap().position()) >= 1.0 - 1e-13);
    }
}

/// From walls on the side where the centre is; from the end of a wall only if nothing of it is nearer.
#[test]
fn discs_part_from_walls() {
    let straight = Wall::segment(at(-0.5, 0.0), at(0.5, 0.0));
    for (wall, position, after) in [
        (straight.clone(), at(0.1, 0.25), at(0.0, 2.0)),
        (straight.clone(), at(0.1, -0.25), at(0.0, -2.0)),
        (straight, at(0.75, 0.0), at(2.0, 0.0)),
        (Wall::one_sided_segment(at(-0.5, 0.0), at(0.5, 0.0)), at(0.1, 0.25), at(0.0, 2.0)),
        (Wall::one_sided_segment(at(-0.5, 0.0), at(0.5, 0.0)), at(0.1, -0.25), at(0.0, 0.0)),
        (Wall::circle(at(0.0, 0.0), 2.0), at(1.5, 0.0), at(-2.0, 0.0)),
        (Wall::disc(at(0.0, 0.0), 2.0), at(1.5, 0.0), at(2.0, 0.0)),
        (Wall::container(at(0.0, 0.0), at(9.0, 9.0)), at(0.5, -4.0), at(2.0, 2.0)),
    ] {
        for mass in [3.0, 0.0, f64::INFINITY] {
            let mut world = World::new();
            world.add_wall(wall.clone()).unwrap();
            let disc = world.insert(Disc::new(position, 1.0).with_mass(mass).with_overlap()).unwrap();
            world.separate_overlaps(2.0).unwrap();
            assert!((world.get(disc).unwrap().velocity() - after).length() < 1e-15, "{wall:?} {mass}");
            assert_eq!(world.advance(0.01).unwrap().events, 0, "{wall:?}");
        }
    }
}

/// Tracers yield and do not push, infinite masses yield to walls alone; two of a kind pass.
#[test]
fn classes_part() {
    let inf = f64::INFINITY;
    let mut world = World::new();
    let mut put = |x: f64, vx: f64, mass: f64| {
        let disc = Disc::new(at(x, 0.0), 1.0).with_velocity(at(vx, 0.0)).with_mass(mass);
        world.insert(disc.with_overlap()).unwrap()
    };
    let row = [put(0.0, 3.0, inf), put(1.5, 0.0, 2.0), put(3.0, -1.0, 0.0)];
    let pass = [put(20.0, 1.0, inf), put(21.0, -1.0, inf), put(30.0, 1.0, 0.0), put(31.0, -1.0, 0.0)];
    let parted = world.separate_overlaps(0.5).unwrap();
    assert_eq!(row.map(|id| world.get(id).unwrap().velocity().x), [3.0, 3.5, 4.0]);
    assert_eq!(pass.map(|id| world.get(id).unwrap().velocity().x), [1.0, -1.0, 1.0, -1.0]);
    assert_eq!(parted.overlaps.len(), 2);
    assert_eq!(parted.energy_added, 3.5 * 3.5);
}

/// No velocities will do: an error, and not a bit is changed.
#[test]
fn what_cannot_part() {
    let mut between_masses = World::new();
    for (x, mass) in [(0.0, f64::INFINITY), (1.5, 1.0), (3.0, f64::INFINITY)] {
        between_masses.insert(Disc::new(at(x, 0.0), 1.0).with_mass(mass).with_overlap()).unwrap();
    }
    let mut between_walls = World::new();
    between_walls.add_wall(Wall::half_plane(at(0.0, 0.0), DVec2::Y)).unwrap();
    between_walls.add_wall(Wall::half_plane(at(0.0, 1.5), DVec2::NEG_Y)).unwrap();
    put(&mut between_walls, at(0.0, 0.75), 1.0);
    // Many: the same by iteration.
    for _ in 0..30 {
        put(&mut between_walls, at(5.0, 0.75), 1.0);
    }
    for mut world in [between_masses, between_walls] {
        world.insert(Disc::new(at(50.0, 9.0), 1.0).with_velocity(at(1.0, 0.1)).with_overlap()).unwrap();
        let before = state_bits(&world);
        assert!(matches!(world.separate_overlaps(0.1), Err(Error::CannotPart { speed: 0.1, .. })));
        assert_eq!(state_bits(&world), before);
        // At speed 0 they need not part, only not approach.
        assert!(world.separate_overlaps(0.0).is_ok());
    }
    let mut world = World::new();
    for speed in [-1.0, f64::NAN, 2e15, f64::INFINITY] {
        let refused = world.separate_overlaps(speed);
        assert!(matches!(refused, Err(Error::OutOfRange { field: "speed", .. })), "{refused:?}");
    }
    // Faster than anything may be.
    put(&mut world, at(0.0, 0.0), 1.0);
    world
        .insert(Disc::new(at(1.0, 0.0), 1.0).with_velocity(at(-1e15, 0.0)).with_mass(1e9).with_overlap())
        .unwrap();
    let before = state_bits(&world);
    assert!(matches!(world.separate_overlaps(1e15), Err(Error::OutOfRange { field: "velocity.x", .. })));
    assert_eq!(state_bits(&world), before);
}

/// In a row of N discs that all overlap each other each parts from the next: at speed s the least that does
/// so is an even spread, with the energy s² N (N² − 1) / 24. All but N − 1 of the N (N − 1) / 2 demands
/// follow from those of neighbours.
#[test]
fn a_row_of_which_all_overlap_parts() {
    let (n, speed, way) = (300_u32, 0.1, DVec2::new(0.8, 0.6));
    let mut world = World::new();
    for k in 0..n {
        world.insert(Disc::new(way * (0.001 * f64::from(k)), 0.5).with_overlap()).unwrap();
    }
    let parted = world.separate_overlaps(speed).unwrap();
    let n = f64::from(n);
    assert_eq!(parted.overlaps.len() as f64, n * (n - 1.0) / 2.0);
    let energy = speed * speed * n * (n * n - 1.0) / 24.0;
    // Speeds are met to 3·10⁻¹⁰ of the largest.
    let error = (parted.energy_added - energy).abs();
    assert!(error < 1e-7 * energy, "{} and not {energy}", parted.energy_added);
}
