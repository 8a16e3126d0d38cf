//! A world that is advanced on several cores has the events and the bits that it has on one.
#![cfg(feature = "threads")]

use carom_engine::{
    DVec2, Disc, Event, Region, SchedulerKind, Settings, Sink, SplitWorld, Wall, WallId, World,
};
use carom_testkit::rng::{Rng, cases};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// A wide gas: in periods, a box, or partly in the open; of equal discs or not, elastic or not. Some begin
/// with the same few velocities on a lattice, so that much happens at one instant in all parts.
fn gas(seed: u64) -> World {
    let mut rng = Rng::new(seed);
    let (columns, rows) = (30 + rng.below(50), 4 + rng.below(8));
    let pitch = rng.pick(&[1.05, 1.25, 2.0, 4.0]);
    let size = DVec2::new(columns as f64, rows as f64) * pitch;
    let is_tall = rng.chance(30);
    let turned = |v: DVec2| if is_tall { DVec2::new(v.y, v.x) } else { v };
    let place = rng.below(4);
    let period = match place {
        0 => [Some(size.x), Some(size.y)],
        1 => [Some(size.x), None],
        2 => [None, Some(size.y)],
        _ => [None; 2],
    };
    let period = if is_tall { [period[1], period[0]] } else { period };
    let settings = Settings::default()
        .with_period(period)
        .with_scheduler(rng.pick(&[SchedulerKind::Grid, SchedulerKind::Grid, SchedulerKind::Table]))
        .with_record_events(false);
    let mut world = World::with_settings(settings).unwrap();
    let restitution = rng.pick(&[1.0, 1.0, 1.0, 0.9, 0.5]);
    if period == [None; 2] && rng.chance(80) {
        world.add_wall(Wall::container(DVec2::ZERO, turned(size)).with_restitution(restitution)).unwrap();
    }
    let (is_even, are_alike) = (rng.chance(25), rng.chance(60));
    let holes = rng.pick(&[0, 0, 20]);
    for k in 0..columns * rows {
        if rng.chance(holes) {
            continue;
        }
        let at = DVec2::new((k % columns) as f64 + 0.5, (k / columns) as f64 + 0.5) * pitch;
        let velocity = if is_even { rng.pick(&[DVec2::X, DVec2::NEG_X, DVec2::Y]) } else { rng.vector(1.0) };
        let (radius, mass) =
            if are_alike { (0.5, 1.0) } else { (rng.range(0.2, 0.5), rng.pick(&[0.5, 1.0, 3.0])) };
        let disc = Disc::new(turned(at), radius).with_velocity(turned(velocity)).with_mass(mass);
        world.insert(disc.with_restitution(restitution).with_user_data(rng.bits())).unwrap();
    }
    world
}

/// Events of all calls, and the world at the end.
fn alone(mut world: World, steps: &[f64]) -> (Vec<Event>, World) {
    let mut events = Vec::new();
    for &dt in steps {
        world.advance_with(dt, &mut events).unwrap();
    }
    (events, world)
}

/// How often threads agreed, and did not.
fn windows(split: &SplitWorld) -> [u64; 2] {
    [split.windows().agreed, split.windows().forgotten]
}

#[test]
fn a_split_world_has_the_same_events_and_ends_in_the_same_bits() {
    let mut total = [0; 2];
    for seed in 0..cases(60) {
        let world = gas(seed);
        let mut rng = Rng::new(!seed);
        let steps: Vec<f64> = (0..1 + rng.below(4)).map(|_| rng.range(0.0, 4.0)).collect();
        let (expected, whole) = alone(world.clone(), &steps);
        let mut split = SplitWorld::new(world, threads(2 + rng.below(3)));
        let mut events = Vec::new();
        for &dt in &steps {
            if rng.chance(50) {
                split.advance_with(dt, &mut events).unwrap();
            } else {
                let before = split.counters().events;
                let advance = split.advance(dt).unwrap();
                assert_eq!(split.counters().events - before, advance.events, "seed {seed}");
                let heard = expected.iter().filter(|event| event.time() <= advance.time).count();
                events = expected[..heard].to_vec();
            }
        }
        assert_eq!(events.len(), expected.len(), "seed {seed}");
        for (k, (found, expected)) in events.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "event {k}, seed {seed}");
        }
        let [agreed, forgotten] = windows(&split);
        total = [total[0] + agreed, total[1] + forgotten];
        assert_eq!(whole.diff(&split.into_world()), None, "seed {seed}");
    }
    // Both ways were taken.
    assert!(total[0] > 3 * cases(60) && total[1] > 0, "{total:?}");
}

#[test]
fn edits_between_calls_are_those_of_the_world() {
    for seed in 0..cases(12) {
        let mut world = gas(seed);
        let mut split = SplitWorld::new(world.clone(), threads(3));
        let mut rng = Rng::new(seed ^ 0xED17);
        for _ in 0..4 {
            let dt = rng.range(0.0, 2.0);
            assert_eq!(world.advance(dt), split.advance(dt), "seed {seed}");
            let ids: Vec<_> = world.ids().collect();
            let (gone, turned, velocity) = (rng.pick(&ids), rng.pick(&ids), rng.vector(2.0));
            for world in [&mut world, split.world_mut()] {
                let removed = world.remove(gone).unwrap();
                if turned != gone {
                    world.set_velocity(turned, velocity).unwrap();
                }
                world.insert(removed.with_velocity(-velocity)).unwrap();
            }
        }
        assert_eq!(world.advance(1.0), split.advance(1.0), "seed {seed}");
        assert_eq!(world.diff(&split.into_world()), None, "seed {seed}");
    }
}

/// Few enough discs for the table, in a row, above a half-plane.
fn ribbon() -> (World, WallId) {
    let mut world = World::new();
    let below = world.add_wall(Wall::half_plane([0.0, -1.0], [0.0, 1.0])).unwrap();
    for k in 0..120 {
        let (at, velocity) = ([(k / 3) as f64, (k % 3) as f64], [(k % 5) as f64 - 2.0, (k % 7) as f64 - 3.0]);
        world.insert(Disc::new(at, 0.25).with_velocity(velocity)).unwrap();
    }
    (world, below)
}

/// The walls of a split world are those that are there: the place of one that was removed has none.
#[test]
fn removed_walls_are_gone() {
    let (mut world, below) = ribbon();
    let mut split = SplitWorld::new(world.clone(), threads(2));
    for call in 0..4 {
        let (one, two) = (world.advance(0.125), split.advance(0.125));
        assert_eq!(one, two);
        if call == 1 {
            for world in [&mut world, split.world_mut()] {
                world.remove_wall(below).unwrap();
            }
        }
    }
    assert!(windows(&split)[0] > 1, "{:?}", split.windows());
    assert_eq!(world.diff(&split.into_world()), None);
}

/// Stops at each so manieth event.
struct Every {
    most: usize,
    events: Vec<Event>,
}

impl Sink for Every {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.events.push(*event);
        if self.events.len().is_multiple_of(self.most) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn a_sink_stops_it_and_a_budget_ends_it_at_the_same_event() {
    for seed in 0..cases(12) {
        let (mut world, most) = (gas(seed), 50 + seed as usize * 37);
        world.set_budget(most as u64 * 2 + 1);
        let mut split = SplitWorld::new(world.clone(), threads(2));
        let [mut of_one, mut of_two] = [(); 2].map(|()| Every { most, events: Vec::new() });
        for call in 0..5 {
            let dt = 0.25 * (1 << call) as f64;
            let (one, two) = (world.advance_with(dt, &mut of_one), split.advance_with(dt, &mut of_two));
            assert_eq!(one, two, "seed {seed}");
            assert_eq!(world.advance(dt), split.advance(dt), "seed {seed}");
        }
        assert_eq!(of_one.events, of_two.events, "seed {seed}");
        assert_eq!(world.diff(&split.into_world()), None, "seed {seed}");
    }
}

#[test]
fn what_cannot_be_split_is_advanced_as_one_world() {
    let with = |add: fn(&mut World)| {
        let mut world = World::new();
        for k in 0..120 {
            let (at, velocity) = ([(k / 3) as f64, (k % 3) as f64], [(k % 5) as f64 - 2.0, (k % 7) as f64]);
            world.insert(Disc::new(at, 0.25).with_velocity(velocity)).unwrap();
        }
        let mut split = SplitWorld::new(world.clone(), threads(2));
        split.advance(0.5).unwrap();
        assert!(windows(&split)[0] > 0);
        add(&mut world);
        let mut split = SplitWorld::new(world.clone(), threads(2));
        let obstacle = split.obstacle();
        assert_eq!(world.advance(1.0), split.advance(1.0));
        assert_eq!((windows(&split), world.diff(&split.into_world())), ([0; 2], None));
        obstacle
    };
    let far = 1e6;
    assert_eq!(with(|world| _ = world.set_timer(1.0, 7).unwrap()), Some("there are timers"));
    let region = |world: &mut World| _ = world.add_region(Region::disc([1e6, 1e6], 1.0)).unwrap();
    assert_eq!(with(region), Some("there are regions"));
    let wall = |world: &mut World| _ = world.add_wall(Wall::segment([1e6, 0.0], [1e6, 1.0])).unwrap();
    assert_eq!(with(wall), Some("there are walls other than half-planes"));
    let heavy = |world: &mut World| {
        _ = world.insert(Disc::new([1e6, 1e6], 1.0).with_mass(f64::INFINITY)).unwrap();
    };
    assert_eq!(with(heavy), Some("there are discs without mass, or of infinite mass"));
    // At rest, too narrow for strips, or empty, or with one thread: nothing is in the way, and it is advanced
    // as one.
    let mut few = World::new();
    few.insert(Disc::new([far, 0.0], 0.5)).unwrap();
    let mut at_rest = gas(3);
    for id in at_rest.ids().collect::<Vec<_>>() {
        at_rest.set_velocity(id, DVec2::ZERO).unwrap();
    }
    for (world, count) in [(at_rest, 2), (few, 4), (World::new(), 2), (gas(3), 1)] {
        let mut split = SplitWorld::new(world, threads(count));
        assert_eq!(split.obstacle(), None);
        split.advance(1.0).unwrap();
        assert_eq!(windows(&split), [0; 2]);
    }
}

/// Walls that come and go between calls: the whole is scheduled as ever when its parts are one world again.
#[test]
fn edits_of_walls_between_calls_are_those_of_the_world() {
    let (mut world, _) = ribbon();
    let mut split = SplitWorld::new(world.clone(), threads(2));
    for call in 0..6 {
        let far = Wall::half_plane([0.0, -1e4 - f64::from(call)], [0.0, 1.0]);
        let wall = [&mut world, split.world_mut()].map(|world| world.add_wall(far.clone()).unwrap())[0];
        assert_eq!(world.advance(0.25), split.advance(0.25));
        let next = [&mut world, split.world_mut()].map(|world| {
            world.remove_wall(wall).unwrap();
            world.next_event()
        });
        assert_eq!(next[0], next[1], "call {call}");
        assert_eq!(world.advance(0.25), split.advance(0.25));
    }
    assert_eq!(world.diff(&split.into_world()), None);
}
