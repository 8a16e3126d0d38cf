//! A world that was saved and loaded goes on as the one that was saved, to the last bit: what is easily lost.
//! Random games are saved between calls of all kinds (`crates/carom-fuzz/tests/games.rs`). That free slots
//! are taken in the same order, `diff.rs` shows.

use crate::common::record::state_bits;
use crate::common::rng::{Rng, cases};
use crate::common::stored::{FORMATS, advance_with_loaded};
use crate::common::toys::{Extra, Toy, Which};
use carom_engine::{
    Advance, DVec2, Disc, DiscId, Event, Forces, Impact, Never, Overlap, Partner, Rules, Settings,
    Simultaneous, Time, Wall, WallShape, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Signs of zeros, subnormal numbers and infinite masses come back as they were, as do the numbers of every
/// kind of wall, whose facets are made anew.
#[test]
fn every_bit_survives() {
    let mut world = World::new();
    let odd = [-0.0, 0.0, 5e-324, -1.1e-310, 0.1 + 0.2, 1e14, 1.0 / 3.0];
    for (k, &x) in odd.iter().enumerate() {
        let disc = Disc::new(DVec2::new(x, 100.0 * k as f64), 0.3)
            .with_velocity(DVec2::new(-x, x))
            .with_mass([f64::INFINITY, 0.0, 1e50, 1e-50, 1.0, 3.0, 0.1][k])
            .with_restitution([-0.0, 0.0, 1.0, 0.3, 1.0 / 3.0, 5e-324, 0.9][k])
            .with_user_data(u64::MAX - k as u64);
        world.insert(disc).unwrap();
    }
    for wall in every_wall() {
        world.add_wall(wall).unwrap();
    }
    for format in FORMATS {
        let loaded: World = format.load(&format.save(&world)).unwrap();
        assert_eq!(state_bits(&loaded), state_bits(&world), "{format:?}");
        // Debug shows the sign of a zero, and of the stores all there is.
        let shown = |world: &World| {
            format!("{:?} {:?}", world.discs().collect::<Vec<_>>(), world.walls().collect::<Vec<_>>())
        };
        assert_eq!(shown(&loaded), shown(&world), "{format:?}");
    }
}

/// Far from the discs of `every_bit_survives`, one of each form.
fn every_wall() -> Vec<Wall> {
    let p = |x: f64, y: f64| DVec2::new(-1e4 + x, y - 0.0);
    vec![
        Wall::half_plane(p(-5e3, 0.1), DVec2::new(0.3, -0.0)),
        Wall::segment(p(0.1, 0.2), p(0.3, -0.0)),
        Wall::one_sided_segment(p(1.0, 1.0), p(2.0, 1.7)).with_restitution(0.1),
        Wall::disc(p(0.0, 50.0), 0.0),
        Wall::circle(DVec2::ZERO, 1e15).with_user_data(u64::MAX),
        Wall::arc(p(9.0, 0.0), 2.0, -0.0, 1.0),
        Wall::polyline(&[p(0.0, 9.0), p(1.0, 9.0), p(1.0 / 3.0, 10.0)]),
        Wall::polygon(&[p(0.0, 19.0), p(1.0, 19.0), p(1.0 / 3.0, 20.0)]),
        Wall::container(p(-1e5, -1e5), DVec2::splat(2e15 / 3.0)),
        Wall::stadium(p(0.0, 77.0), 3.0, 0.7),
    ]
}

/// What a physics adds is stored, too: its parameters, extra states, properties of discs and of walls.
#[test]
fn another_physics_is_stored_with_all_it_adds() {
    for seed in 0..cases(40) {
        let mut rng = Rng::new(seed);
        let physics = Toy { which: Which::Tiring, strength: rng.unit() };
        let mut world: World<Toy> = World::with_physics(physics, Settings::default()).unwrap();
        for k in 0..2 {
            let size = 6.0 + f64::from(k);
            let room = Wall::new(WallShape::Container { min: DVec2::ZERO, max: DVec2::splat(size) });
            world.add_wall(room.with_surface(rng.unit())).unwrap();
        }
        for k in 0..9 {
            let at = DVec2::new(f64::from(k % 3), f64::from(k / 3)) * 2.0 + DVec2::ONE;
            let left = Extra::amount(rng.range(1.0, 40.0));
            let disc = Disc::new(at, rng.range(0.3, 0.6)).with_velocity(rng.vector(3.0)).with_extra(left);
            world.insert(disc.with_body(rng.range(0.0, 9.0))).unwrap();
        }
        for _ in 0..rng.below(60) {
            world.step_event();
        }
        world.advance(rng.range(0.0, 0.2)).unwrap();
        advance_with_loaded(&mut world, 20.0, &format!("seed {seed}"));
        assert!(world.counters().changes > 0 && world.counters().wall_impacts > 0);
    }
}

/// A world whose discs grow is stored at any instant, that at which the growth begins included.
#[test]
fn a_growing_world_goes_on() {
    let mut world = World::new();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(9.0))).unwrap();
    for (x, radius) in [(1.0, 0.5), (4.0, 0.7), (8.0, 0.3)] {
        let disc = Disc::new(DVec2::new(x, 4.0), radius).with_velocity(DVec2::new(1.0, 0.25 * x));
        world.insert(disc).unwrap();
    }
    world.advance(0.5).unwrap();
    world.set_growth(0.125).unwrap();
    for k in 0..4 {
        advance_with_loaded(&mut world, 1.0, &format!("second {k}"));
    }
    assert!(world.counters().disc_impacts > 0 && world.counters().wall_impacts > 0);
}

/// What was held until an edit keeps the path that it had until it is settled, which is where time goes on.
/// A disc that rests is given another mass and is saved at once, and does not fall through the floor.
#[test]
fn what_an_edit_lets_go_stays_where_it_is_until_it_is_settled() {
    let laws = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let mut world = World::with_physics(laws, Settings::default()).unwrap();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
    let [below, above] =
        [0.5, 1.5].map(|y| world.insert(Disc::new([0.0, y], 0.5).with_restitution(0.0)).unwrap());
    world.advance(1.0).unwrap();
    world.set_mass(above, 2.0).unwrap();
    advance_with_loaded(&mut world, 0.25, "another mass");
    assert_eq!(world.get(above).unwrap().position(), DVec2::new(0.0, 1.5));
    world.exclude(above, below).unwrap();
    advance_with_loaded(&mut world, 0.25, "excluded");
    assert_eq!(world.get(below).unwrap().position(), DVec2::new(0.0, 0.5));
    let fallen = world.get(above).unwrap().position();
    assert_eq!(fallen, DVec2::new(0.0, 1.5 - 5.0 * 0.25 * 0.25));
}

/// Walls are stored in the order in which they were put up, which is that of their slots only until one is
/// used again: here by a door that closes on a disc.
#[test]
fn what_passes_a_wall_in_a_slot_used_again_goes_on() {
    let mut world = World::new();
    let posts = [0.0, 10.0, 20.0].map(|x| world.add_wall(Wall::disc([x, 0.0], 1.0)).unwrap());
    world.remove_wall(posts[0]).unwrap();
    let door = world.add_wall(Wall::segment([5.0, -2.0], [5.0, 2.0]).with_groups(0, 0)).unwrap();
    assert_eq!(door.slot(), posts[0].slot());
    world.insert(Disc::new([5.25, 0.0], 0.5).with_velocity([-1.0, 0.0])).unwrap();
    world.set_wall_rules(door, Rules::new()).unwrap();
    world.advance(0.125).unwrap();
    advance_with_loaded(&mut world, 12.0, "a disc in a door");
    assert_eq!(world.counters().wall_impacts, 0);
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    for format in FORMATS {
        let loaded: T = format.load(&format.save(value)).unwrap();
        assert_eq!(&loaded, value, "{format:?}");
        assert_eq!(format!("{loaded:?}"), format!("{value:?}"), "{format:?}");
    }
}

/// The data of the interface can be stored by itself.
#[test]
fn handles_discs_walls_settings_and_events_come_back() {
    let mut world = World::new();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(9.0))).unwrap();
    let ids = [2.0, 4.0, 7.0].map(|x| world.insert(Disc::new(DVec2::new(x, 5.0), 0.5)).unwrap());
    world.set_velocity(ids[0], DVec2::new(3.0, 0.1)).unwrap();
    let advance: Advance = world.advance(30.0).unwrap();
    assert!(world.events().len() > 10);
    comes_back(&world.events().to_vec());
    comes_back(&advance);
    comes_back(&world.counters());
    comes_back(&world.now());
    comes_back(&[Time::ZERO, Time::NEVER]);
    comes_back(&ids);
    comes_back(&world.discs().collect::<Vec<(DiscId, Disc)>>());
    comes_back(&world.walls().map(|(id, wall)| (id, wall.clone())).collect::<Vec<_>>());
    comes_back(&every_wall());
    let infinite: Disc = Disc::new(DVec2::ONE, 0.5).with_mass(f64::INFINITY).with_overlap();
    comes_back(&infinite);
    assert!(serde_json::to_string(&infinite).unwrap().contains(r#""mass":"inf""#));
    comes_back(&[Overlap::Refuse, Overlap::Allow]);
    for collapse in [None, Some(carom_engine::Collapse::default())] {
        comes_back(&Settings::default().with_collapse(collapse).with_simultaneous(Simultaneous::OneByOne));
    }
    let change: Event<u8> = Event::Change { time: Time::ZERO, disc: ids[0], change: 3 };
    comes_back(&change);
    let impact: Impact = *world.events()[0].impact().unwrap();
    comes_back(&impact);
    comes_back::<Vec<Partner>>(&vec![impact.b, Partner::Disc(ids[1])]);
    let change = r#"{"change":{"time":{"epoch_start":0.0,"offset":0.0},"disc":{"slot":0,"generation":0},
        "change":"x"}}"#;
    assert!(serde_json::from_str::<Event<Never>>(change).is_err());
}

/// Times that are none of any clock do not get in by themselves either.
#[test]
fn damaged_times_are_refused() {
    for (parts, field) in [
        (r#"{"epoch_start":-1.0,"offset":0.0}"#, "epoch_start is -1"),
        (r#"{"epoch_start":1.0,"offset":-0.5}"#, "offset is -0.5"),
        (r#"{"epoch_start":"inf","offset":0.5}"#, "offset is 0.5"),
        (r#"{"epoch_start":"NaN","offset":0.0}"#, "NaN"),
        (r#"{"epoch_start":1.0}"#, "offset"),
    ] {
        let error = serde_json::from_str::<Time>(parts).unwrap_err().to_string();
        assert!(error.contains(field), "{parts}: {error}");
    }
    for parts in [[f64::NAN, 0.0], [0.0, f64::NAN], [0.0, f64::INFINITY], [-f64::INFINITY, 0.0]] {
        let bytes = postcard::to_stdvec(&parts).unwrap();
        assert!(postcard::from_bytes::<Time>(&bytes).is_err(), "{parts:?}");
    }
}

/// Loading takes work in proportion to the discs, however fast one of them flies round the world: what
/// happens next is searched when it is asked for.
#[test]
fn a_snapshot_with_a_hostile_speed_loads_at_once() {
    let settings = Settings::default().with_period([Some(1.0); 2]);
    let mut world = World::with_settings(settings).unwrap();
    let discs = 10_000;
    for k in 0..discs {
        let place = DVec2::new(f64::from(k % 100), f64::from(k / 100)) * 0.01;
        let speed = if k == 0 { 2.7e12 } else { 1.0 };
        let velocity = speed * DVec2::new(1.0, 0.1 + f64::from(k % 7));
        world.insert(Disc::new(place, 1e-9).with_velocity(velocity)).unwrap();
    }
    let bytes = postcard::to_stdvec(&world).unwrap();
    let loaded: World = postcard::from_bytes(&bytes).unwrap();
    let counters = loaded.counters();
    // Each disc is planned once, with some eight neighbours.
    let work = counters.pair_times + counters.row_searches;
    assert!(work < 20 * u64::from(discs as u32), "{work}");
}
