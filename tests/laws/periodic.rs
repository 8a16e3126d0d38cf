//! Periodic worlds: the events of an open world of copies, and what is refused. That every scheduler finds
//! the same, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::by::By;
use crate::common::record::{bits_of, state_bits};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, Wall, WallShape, World};

fn square(side: f64) -> World {
    World::with_settings(Settings::default().with_period([Some(side); 2])).unwrap()
}

/// Until news of the edge can arrive, the middle of 7 × 7 copies in an open plane is the periodic world.
#[test]
fn a_periodic_world_is_an_open_one_of_copies() {
    for seed in 0..cases(6) {
        let mut rng = Rng::new(seed);
        let (side, radius) = (10.0, 1.1);
        let mut periodic = square(side);
        let mut discs = Vec::new();
        while discs.len() < 9 {
            let at = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
            let disc = Disc::new(at, radius).with_velocity(rng.vector(1.0));
            if periodic.insert(disc).is_ok() {
                discs.push(disc);
            }
        }
        let mut copies = World::new();
        for (k, disc) in discs.iter().enumerate() {
            for i in -3..=3 {
                for j in -3..=3 {
                    let at = disc.position + side * DVec2::new(f64::from(i), f64::from(j));
                    let note = if (i, j) == (0, 0) { k as u64 + 1 } else { 0 };
                    copies.insert(disc.with_position(at).with_user_data(note)).unwrap();
                }
            }
        }
        // From the edge to the middle are three periods, at a speed that no front has: twice the fastest disc
        // at first.
        let time = 6.0;
        periodic.advance(time).unwrap();
        copies.advance(time).unwrap();
        let impacts = periodic.events().len();
        assert!(impacts > 4, "{impacts}");
        let middle: Vec<_> = copies.discs().filter(|(_, disc)| disc.user_data > 0).collect();
        for (id, copy) in middle {
            let (own, _) = periodic.discs().nth(copy.user_data as usize - 1).unwrap();
            let unwrapped = periodic.get(own).unwrap().unwrapped_position();
            // Chaos: a few collisions a disc, each with a factor of about ten.
            assert!((unwrapped - copy.position).length() < 1e-8, "{id} {unwrapped} {}", copy.position);
        }
    }
}

/// Whatever is changed of a disc but its place, it has come as far as it has: 2.5 periods after 1 s, 5
/// after 2.
#[test]
fn edits_leave_the_way_that_a_disc_has_gone() {
    type Edit = fn(&mut World, DiscId);
    let edits: [(&str, Edit); 6] = [
        ("body", |world, id| world.set_body(id, ()).unwrap()),
        ("extra", |world, id| world.set_extra(id, ()).unwrap()),
        ("mass", |world, id| world.set_mass(id, 2.0).unwrap()),
        ("class", |world, id| world.set_mass(id, f64::INFINITY).unwrap()),
        ("radius", |world, id| world.set_radius(id, 0.5).unwrap()),
        ("velocity", |world, id| world.set_velocity(id, [25.0, 0.0]).unwrap()),
    ];
    for (what, edit) in edits {
        let mut world = square(10.0);
        let id = world.insert(Disc::new([0.0, 5.0], 1.0).with_velocity([25.0, 0.0])).unwrap();
        for x in [25.0, 50.0] {
            world.advance(1.0).unwrap();
            edit(&mut world, id);
            assert_eq!(world.get(id).unwrap().unwrapped_position(), DVec2::new(x, 5.0), "{what}");
        }
    }
}

/// A path is p + v t, wherever it has been wrapped; hundreds of periods on, too.
#[test]
fn positions_are_wrapped_and_unwrapped_ones_are_not() {
    let mut world = square(3.0);
    let fast = Disc::new(DVec2::new(1.0, 2.0), 0.1).with_velocity(DVec2::new(700.0, -300.5));
    let id = world.insert(fast).unwrap();
    world.advance(10.0).unwrap();
    let expected = DVec2::new(7001.0, -3003.0);
    assert!((world.get(id).unwrap().unwrapped_position() - expected).length() < 1e-11);
    let wrapped = DVec2::new(7001.0 - 3.0 * 2333.0, -3003.0 + 3.0 * 1001.0);
    assert!((world.get(id).unwrap().position() - wrapped).length() < 1e-11);
    // An edit stores the state, and with it how often it was wound round.
    world.set_velocity(id, DVec2::ZERO).unwrap();
    assert!((world.get(id).unwrap().unwrapped_position() - expected).length() < 1e-11);
    assert_eq!(world.get(id).unwrap().state_time(), world.now());
    // To be put somewhere is to start anew there.
    world.set_position(id, DVec2::new(-1.0, 4.0)).unwrap();
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(2.0, 1.0));
    assert_eq!(world.get(id).unwrap().unwrapped_position(), DVec2::new(-1.0, 4.0));
}

/// The image that is met is the one that the path comes to.
#[test]
fn the_colliding_image_need_not_be_the_nearest() {
    let mut world = square(10.0);
    let runner = Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::new(2.0, 1.0));
    world.insert(runner).unwrap();
    world.insert(Disc::new(DVec2::new(5.0, 7.5), 0.5)).unwrap();
    // The line y = x/2 comes to (15, 7.5): √(15² + 7.5²) − 1 away.
    let next = world.next_event().unwrap();
    let expected = (15.0f64.hypot(7.5) - 1.0) / 5.0f64.sqrt();
    assert!((next.time.as_secs() - expected).abs() < 1e-14);
}

/// Of discs that are large beside the period another image than the nearest may be met first, which lists of
/// neighbours know as well as the table does, and one pair after the other.
#[test]
fn large_discs_meet_the_first_of_all_images() {
    let mut events = 0;
    for seed in 0..cases(60) {
        let run = |by: By| {
            let mut rng = Rng::new(seed);
            let mut world = by.world(Settings::default().with_period([Some(8.0); 2]));
            for _ in 0..rng.pick(&[4, 8, 20]) {
                let at = DVec2::new(rng.range(0.0, 8.0), rng.range(0.0, 8.0));
                let disc = Disc::new(at, rng.pick(&[0.05, 0.4, 0.9, 1.9])).with_velocity(rng.vector(3.0));
                _ = world.insert(disc);
            }
            let (_, events) = by.advance(&mut world, 10.0);
            (bits_of(&events), state_bits(&world))
        };
        let table = run(By::Table);
        events += table.0.len();
        for by in [By::Grid, By::Rescan] {
            assert_eq!(table, run(by), "seed {seed} {by:?}");
        }
    }
    assert!(events > 600, "{events}");
}

/// Parallel to an axis two discs pass each other for ever: to advance takes bookkeeping and no events, and
/// the question for the next event comes back.
#[test]
fn flights_that_never_end() {
    let mut world = square(1.0);
    let a = world.insert(Disc::new(DVec2::new(0.1, 0.2), 0.1).with_velocity(DVec2::X)).unwrap();
    world.insert(Disc::new(DVec2::new(0.1, 0.7), 0.1).with_velocity(-DVec2::X)).unwrap();
    assert_eq!(world.next_event(), None);
    assert_eq!(world.step_event().events, 0);
    let before = world.now();
    assert_eq!(world.advance(1000.0).unwrap().events, 0);
    assert_eq!(world.get(a).unwrap().state_time(), before);
    assert!((world.get(a).unwrap().position() - DVec2::new(0.1, 0.2)).length() < 1e-12);
}

/// Energy and, where nothing is fixed, momentum are those of the start.
#[test]
fn conservation() {
    let mut world = square(20.0);
    let mut rng = Rng::new(1);
    for k in 0..100 {
        let at = DVec2::new(f64::from(k % 10), f64::from(k / 10)) * 2.0;
        world.insert(Disc::new(at, 0.8).with_velocity(rng.vector(1.0))).unwrap();
    }
    let (energy, momentum) = (world.kinetic_energy(), world.momentum());
    world.advance(300.0).unwrap();
    assert!(world.counters().disc_impacts > 20_000);
    // As in a box: the error of an impact is a random one of an ulp.
    assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-13);
    assert!((world.momentum() - momentum).length() < 1e-11);
}

#[test]
fn what_does_not_fit_is_refused() {
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e16, 1e-16] {
        let settings = Settings::default().with_period([None, Some(length)]);
        let error = World::with_settings(settings).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { field: "period[1]", .. }), "{error}");
    }
    let refused =
        |result: Result<DiscId, Error>| matches!(result, Err(Error::Inconsistent { field: "radius", .. }));
    let mut world = World::with_settings(Settings::default().with_period([Some(10.0), None])).unwrap();
    assert!(refused(world.insert(Disc::new(DVec2::ZERO, 4.95))));
    let large = world.insert(Disc::new(DVec2::ZERO, 4.0)).unwrap();
    // It would touch its own images.
    assert!(refused(world.insert(Disc::new(DVec2::new(5.0, 0.0), 4.91))));
    assert!(matches!(
        world.insert(Disc::new(DVec2::new(7.0, 0.0), 0.5)),
        Err(Error::OverlapsDisc { other, depth }) if other == large && (depth - 1.5).abs() < 1e-12
    ));
    let small = world.insert(Disc::new(DVec2::new(5.0, 0.0), 0.5)).unwrap();
    assert!(matches!(world.set_radius(small, 4.91), Err(Error::Inconsistent { field: "radius", .. })));
    world.set_radius(small, 0.95).unwrap();
    // Walls.
    world.add_wall(Wall::half_plane(DVec2::new(0.0, -9.0), DVec2::Y)).unwrap();
    for wall in [
        Wall::half_plane(DVec2::new(-9.0, 0.0), DVec2::X),
        Wall::half_plane(DVec2::new(0.0, -9.0), DVec2::new(1e-300, 1.0)),
        Wall::container(DVec2::splat(-50.0), DVec2::splat(50.0)),
        Wall::disc(DVec2::new(5.0, 50.0), 1.0),
    ] {
        let shape: WallShape = wall.shape.clone();
        let error = world.add_wall(wall).unwrap_err();
        assert!(matches!(error, Error::Inconsistent { field: "period", .. }), "{shape:?} {error}");
    }
    assert!(matches!(world.push_apart(), Err(Error::Inconsistent { field: "period", .. })));
    assert!(matches!(world.separate_overlaps(1.0), Err(Error::Inconsistent { field: "period", .. })));
}
