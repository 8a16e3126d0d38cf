//! Runs a scene for a number of events or turns: `carom-instructions SCENE COUNT`. The difference between two
//! counts is what these take. See `count`, beside it.

use carom_engine::{DVec2, Disc, SchedulerKind, Settings, Wall, World};
use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let [_, scene, count] = &args[..] else { return usage() };
    let Ok(count) = count.parse() else { return usage() };
    match &**scene {
        "box-of-4" => gas(4, 0.3, false, count),
        "box-of-16" => gas(16, 0.3, false, count),
        "box-of-100" => gas(100, 0.3, false, count),
        "periodic-1024" => gas(1024, 0.5, true, count),
        "turn-race" => turns(100.0, 0.0, count),
        "turn-scrum" => turns(1500.0, 0.25, count),
        "clone-200" => clones(200, count),
        "vectors" => println!("{:?}", World::new().instructions()),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: carom-instructions SCENE COUNT");
    ExitCode::FAILURE
}

/// SplitMix64 (Steele, Lea and Flood 2014), from −½ to ½.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    fn vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.next(), self.next()) * size
    }
}

/// Elastic unit discs in a square, with walls or periodic, from a square lattice.
fn gas(discs: u32, packing: f64, is_periodic: bool, events: u64) {
    let mut world = warm_gas(
        discs,
        packing,
        is_periodic,
        if discs > 100 { SchedulerKind::Grid } else { SchedulerKind::Table },
    );
    run(&mut world, events);
}

/// Overwrites a world with a gas by the table, so many times.
fn clones(discs: u32, times: u64) {
    let world = warm_gas(discs, 0.3, false, SchedulerKind::Table);
    let mut other = world.clone();
    for _ in 0..times {
        other.clone_from(black_box(&world));
    }
    black_box(other);
}

fn warm_gas(discs: u32, packing: f64, is_periodic: bool, scheduler: SchedulerKind) -> World {
    let side = (f64::from(discs) * std::f64::consts::PI / packing).sqrt();
    let across = f64::from(discs).sqrt().ceil() as u32;
    let period = is_periodic.then_some(side);
    let settings =
        Settings::default().with_record_events(false).with_period([period; 2]).with_scheduler(scheduler);
    let mut world = World::with_settings(settings).expect("the period is in range");
    if !is_periodic {
        world.add_wall(Wall::container([0.0, 0.0], [side, side])).expect("it is a box");
    }
    let (mut random, pitch) = (Random(1), side / f64::from(across));
    for k in 0..discs {
        let place = DVec2::new(f64::from(k % across) + 0.5, f64::from(k / across) + 0.5) * pitch;
        let disc = Disc::new(place + random.vector(0.01), 1.0).with_velocity(random.vector(2.0));
        world.insert(disc).expect("there is room");
    }
    run(&mut world, 2000 + 10 * u64::from(discs));
    world
}

fn run(world: &mut World, events: u64) {
    world.set_budget(events);
    let advance = world.advance(1e9).expect("the time is in range");
    assert_eq!(advance.events, events);
}

/// Four discs whose velocities are set in each turn, as in a contest; the more they are pulled to the middle,
/// the more they meet.
fn turns(speed: f64, pull: f64, turns: u64) {
    let settings = Settings::default().with_record_events(false);
    let mut world = World::with_settings(settings).expect("the settings are in range");
    let mut random = Random(7);
    let pods = [[-1500.0, -1500.0], [1500.0, -1500.0], [-1500.0, 1500.0], [1500.0, 1500.0]]
        .map(|place| world.insert(Disc::new(place, 400.0)).expect("there is room"));
    // Every second turn takes back the one before, so that a disc that meets none stays where it is.
    let mut wishes: Vec<[DVec2; 4]> = Vec::new();
    for _ in 0..512 {
        let turn: [DVec2; 4] = std::array::from_fn(|_| random.vector(speed));
        wishes.extend([turn, turn.map(|v| -v)]);
    }
    let mut places = [DVec2::ZERO; 4];
    world.read_positions(&mut places).expect("four places");
    for turn in 0..1000 + turns {
        let wishes = &wishes[turn as usize % wishes.len()];
        let edits: [_; 4] = std::array::from_fn(|k| (pods[k], wishes[k] - places[k] * pull));
        world.set_velocities(&edits).expect("the pods are there");
        world.advance(1.0).expect("the time is in range");
        world.read_positions(&mut places).expect("four places");
        black_box(&places);
    }
}
