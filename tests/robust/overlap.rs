//! What may be put where: touching always, overlapping only if allowed.

use carom_engine::{DVec2, Disc, Error, Forces, Overlap, Partner, Settings, StopReason, Wall, World};

use crate::common::rng::Rng;
use carom_testkit::at;

#[test]
fn overlaps_are_refused_with_whom_and_how_deep() {
    let mut rng = Rng::new(1);
    for _ in 0..5000 {
        let mut world = World::new();
        let [r, s] = [rng.range(0.1, 1.0), rng.range(0.1, 1.0)];
        let far = rng.pick(&[0.0, 1.0, 1e6]);
        let place = rng.vector(1.0) * far;
        let direction = DVec2::from_angle(rng.range(0.0, 7.0));
        world.insert(Disc::new(place - direction * 9.0, 0.5)).unwrap();
        let there = world.insert(Disc::new(place, r)).unwrap();
        // From 8 ulp of the coordinates on there is no doubt, up to one inside the other.
        let least = 16.0 * f64::EPSILON * (far + 2.0);
        let depth = (least * 10.0_f64.powf(rng.range(0.0, 15.0))).min(r + s);
        let other = Disc::new(place + direction * (r + s - depth), s);
        let refused = world.insert(other).unwrap_err();
        let Error::OverlapsDisc { other: with, depth: told } = refused else { panic!("{refused}") };
        assert_eq!(with, there);
        assert!((told - depth).abs() <= least, "{told:e} instead of {depth:e}");
        assert_eq!(world.len(), 2);
        // Edits that lead there are refused as well, and change nothing.
        let beside = world.insert(Disc::new(place + direction * 5.0, s)).unwrap();
        let before = world.clone();
        assert_eq!(world.set_position(beside, other.position), Err(refused));
        assert!(matches!(world.set_radius(beside, 5.5), Err(Error::OverlapsDisc { .. })));
        assert_eq!(world.diff(&before), None);
        // And accepted from who allows it.
        world.insert(other.with_overlap()).unwrap();
    }
}

#[test]
fn overlaps_with_walls_are_refused_both_ways() {
    let walls = [
        (Wall::half_plane(at(0.0, 0.0), DVec2::Y), at(0.3, 0.7), 0.3),
        (Wall::segment(at(-1.0, 0.0), at(1.0, 0.0)), at(0.3, -0.7), 0.3),
        (Wall::segment(at(-1.0, 0.0), at(1.0, 0.0)), at(1.5, 0.0), 0.5),
        (Wall::one_sided_segment(at(-1.0, 0.0), at(1.0, 0.0)), at(0.3, 0.7), 0.3),
        (Wall::disc(at(0.0, 0.0), 2.0), at(0.0, 2.25), 0.75),
        (Wall::circle(at(0.0, 0.0), 2.0), at(0.0, 1.25), 0.25),
        (Wall::arc(at(0.0, 0.0), 2.0, 0.0, 3.0), at(0.0, 1.25), 0.25),
        (Wall::arc(at(0.0, 0.0), 2.0, 0.0, 3.0), at(0.0, 2.75), 0.25),
        (Wall::polygon(&[at(-2.0, 0.0), at(2.0, 0.0), at(0.0, 9.0)]), at(0.0, 0.75), 0.25),
        (Wall::container(at(-2.0, -2.0), at(2.0, 2.0)), at(1.25, 0.0), 0.25),
        (Wall::stadium(at(0.0, 0.0), 2.0, 2.0), at(0.0, 1.25), 0.25),
    ];
    for (wall, position, depth) in walls {
        let mut world = World::new();
        let id = world.add_wall(wall.clone()).unwrap();
        let refused = world.insert(Disc::new(position, 1.0)).unwrap_err();
        let is_told = |told: f64| (told - depth).abs() < 1e-15;
        let is_so =
            matches!(refused, Error::OverlapsWall { wall, depth, .. } if wall == id && is_told(depth));
        assert!(is_so, "{refused} instead of {depth}: {wall:?}");
        let elsewhere = world.insert(Disc::new(at(50.0, 50.0), 1.0).with_overlap()).unwrap();
        world.set_overlap(elsewhere, Overlap::Refuse).unwrap();
        assert_eq!(world.set_position(elsewhere, position), Err(refused));
        let mut world = World::new();
        let id = world.insert(Disc::new(position, 1.0)).unwrap();
        let refused = world.add_wall(wall.clone()).unwrap_err();
        let is_so =
            matches!(refused, Error::WallOverlapsDisc { disc, depth } if disc == id && is_told(depth));
        assert!(is_so, "{refused} instead of {depth}: {wall:?}");
        assert_eq!(world.walls().count(), 0);
    }
    // What is behind a one-sided segment does not overlap it.
    let mut world = World::new();
    world.add_wall(Wall::one_sided_segment(at(-1.0, 0.0), at(1.0, 0.0))).unwrap();
    world.insert(Disc::new(at(0.0, -0.5), 1.0)).unwrap();
}

/// A rack of 15 at this place, computed the ordinary way: hexagonal, side 2R, columns √3 R apart.
fn rack(offset: DVec2, radius: f64) -> World {
    let mut world = World::new();
    for (row, k) in (0..5).flat_map(|row| (0..=row).map(move |k| (row, k))) {
        let place = at(f64::from(row) * radius * 3.0_f64.sqrt(), f64::from(2 * k - row) * radius);
        let placed = world.insert(Disc::new(offset + place, radius));
        assert!(placed.is_ok(), "radius {radius} at {offset}: {placed:?}");
    }
    world
}

/// Rows and racks computed the ordinary way touch, wherever they are: their rounding is below the 4 ulp.
#[test]
fn computed_racks_touch() {
    for radius in [0.028575, 0.5, 1.0, 0.3, 0.026250000000000002] {
        for offset in [at(0.0, 0.0), at(1.905, 0.635), at(-17.3, 1e3), at(1e6, -3e5), at(1e9, 0.1)] {
            rack(offset, radius);
            // A row along a slant, by summing up steps.
            let mut world = World::new();
            let step = DVec2::from_angle(0.7) * (2.0 * radius);
            let mut place = offset;
            for _ in 0..10 {
                world.insert(Disc::new(place, radius)).unwrap();
                place += step;
            }
        }
    }
}

/// The 15 balls touch by the meaning of the engine: a blow on the apex goes through all in one group.
#[test]
fn a_rack_takes_the_blow_as_one() {
    for offset in [at(0.0, 0.0), at(1.905, 0.635), at(1e4, -3e3)] {
        let radius = 0.028575;
        let mut world = rack(offset, radius);
        let velocity = at(7.3, 0.0);
        world.insert(Disc::new(offset - at(1.0, 0.0), radius).with_velocity(velocity)).unwrap();
        assert_eq!(world.step_event().events, 1);
        let moving = world.discs().filter(|(_, disc)| disc.velocity.length() > 1e-3).count();
        assert!(moving >= 10, "{moving} move");
        assert!(world.events().iter().all(|event| event.impact().unwrap().group == 1));
        assert_eq!(world.counters().groups, 1);
        // 16 velocities of up to 8, an ulp each: the sum of squares to 16 · 8 · 2 · 9·10⁻¹⁶, relative to 53.
        assert!((world.kinetic_energy() / (0.5 * 7.3 * 7.3) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn allowed_overlaps() {
    let overlapping = |velocity: DVec2| {
        let mut world = World::new();
        let a = world.insert(Disc::new(at(0.0, 0.0), 0.5)).unwrap();
        let b = world.insert(Disc::new(at(0.8, 0.0), 0.5).with_velocity(velocity).with_overlap()).unwrap();
        (world, a, b)
    };
    // Separating: nothing. At rest: nothing. Past each other: the distance grows, nothing.
    for velocity in [at(1.0, 0.0), DVec2::ZERO, at(0.0, 3.0)] {
        let (mut world, _, b) = overlapping(velocity);
        assert_eq!(world.next_event(), None);
        assert_eq!(world.advance(2.0).unwrap().events, 0);
        assert_eq!(world.get(b).unwrap().position(), at(0.8, 0.0) + velocity * 2.0);
    }
    // Approaching: at once, and then no more.
    let (mut world, a, b) = overlapping(at(-1.0, 0.25));
    let advance = world.advance(0.0).unwrap();
    assert_eq!((advance.events, advance.end), (1, StopReason::Reached));
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity()), [at(-1.0, 0.0), at(0.0, 0.25)]);
    assert_eq!(world.advance(10.0).unwrap().events, 0);
    // Coincident centres have no direction in which to approach: they pass.
    let mut world = World::new();
    world.insert(Disc::new(at(1.0, 1.0), 0.5)).unwrap();
    world.insert(Disc::new(at(1.0, 1.0), 0.5).with_velocity(DVec2::X).with_overlap()).unwrap();
    assert_eq!(world.next_event(), None);
    // In a wall: the same, and out of a room one is let in.
    let mut world = World::new();
    world.add_wall(Wall::container(at(0.0, 0.0), at(10.0, 10.0))).unwrap();
    let out =
        world.insert(Disc::new(at(-3.0, 5.0), 0.5).with_velocity(at(-1.0, 0.0)).with_overlap()).unwrap();
    let end = world.advance(0.0).unwrap();
    assert_eq!(end.events, 1);
    assert!(matches!(world.events()[0].impact().unwrap().b, Partner::Wall { part: 0, .. }));
    world.advance(5.0).unwrap();
    assert_eq!(world.get(out).unwrap().position(), at(2.0, 5.0));
}

/// Ten on one point, a heap of overlaps, everyone moving: bounded, and energy never rises.
#[test]
fn heaps() {
    let mut rng = Rng::new(2);
    for case in 0..60 {
        let settings = Settings::default().with_budget(20_000).with_record_events(false);
        let mut world = World::with_settings(settings).unwrap();
        let spread = [0.0, 1e-12, 0.3][case % 3];
        let e = [1.0, 0.5, 0.0][case / 3 % 3];
        for _ in 0..10 {
            let disc = Disc::new(rng.vector(spread), 0.5).with_velocity(rng.vector(1.0)).with_restitution(e);
            world.insert(disc.with_overlap()).unwrap();
        }
        let (energy, momentum) = (world.kinetic_energy(), world.momentum());
        let end = world.advance(100.0).unwrap();
        assert!(world.kinetic_energy() <= energy * (1.0 + 1e-12), "case {case}");
        assert!((world.momentum() - momentum).length() <= 1e-15 * (10.0 + end.events as f64), "case {case}");
        // Elastic ones leave.
        if e == 1.0 {
            assert_eq!(end.end, StopReason::Reached, "case {case}: {end:?}");
        }
        world.assert_well_formed();
    }
}

/// What overlaps is hit as deep as it is. Once it has parted it bounces where it touches, off walls of each
/// form and off other discs.
#[test]
fn what_has_parted_bounces_at_the_surface() {
    let floors = [
        Wall::half_plane([0.0, 0.0], [0.0, 1.0]),
        Wall::segment([-1.0, 0.0], [1.0, 0.0]),
        Wall::disc([0.0, -3.0], 3.0),
        Wall::arc([0.0, -3.0], 3.0, 0.1, 3.0),
        Wall::circle([0.0, 3.0], 3.0),
    ];
    for floor in floors.into_iter().map(Some).chain([None]) {
        let mut world = World::with_physics(Forces::new(), Settings::default()).unwrap();
        world.set_physics(Forces::new().with_gravity([0.0, -1.0]).unwrap()).unwrap();
        match floor.clone() {
            Some(floor) => _ = world.add_wall(floor).unwrap(),
            None => _ = world.insert(Disc::new([0.0, -3.0], 3.0).kinematic()).unwrap(),
        }
        let disc = Disc::new([0.0, 0.4], 0.5).with_velocity([0.0, -1.0]).with_overlap();
        let id = world.insert(disc).unwrap();
        for bounce in 0..20 {
            assert_eq!(world.advance_until_event(9.0, |event| event.impact().is_some()).unwrap().events, 1);
            let (at, expected) = (world.get(id).unwrap().position().y, if bounce == 0 { 0.4 } else { 0.5 });
            assert!((at - expected).abs() <= 1e-12, "{floor:?}, {bounce}: at {at}");
        }
    }
}
