//! A motion that begins as a wall is passed, and a change of motion that captures: discs over pits.

use crate::common::record::{event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use crate::common::toys::{Toy, Which};
use carom_engine::{DVec2, Disc, DiscId, Event, Partner, SchedulerKind, Settings, StopReason, Wall, World};
use std::collections::BTreeMap;

/// What falls is captured if it is no faster than this by the end, and climbs out if it is.
const FAST: f64 = 3.0;

/// How a fall ends, the one and the other.
const SINKS: u8 = 0;
const CLIMBS: u8 = 1;

fn empty() -> World<Toy> {
    let pits = Toy { which: Which::Pits, strength: FAST };
    World::with_physics(pits, Settings::default().with_budget(5000)).unwrap()
}

fn pit(center: DVec2, lasts: f64) -> Wall<f64> {
    let mut wall: Wall<f64> = Wall::disc(center, 1.0);
    wall.surface = lasts;
    wall
}

/// A disc of radius ½ meets a pit of radius 1 five metres away after 3½ m, and falls for half a second: at
/// 2 m/s it is captured at 4½ m, at 4 m/s it climbs out at 5½ m, once, and goes on.
#[test]
fn a_fall_ends_in_a_capture_or_not() {
    let kinds = |world: &World<Toy>| -> Vec<(&str, f64)> {
        let name = |event: &Event<u8>| match event {
            Event::Passed(_) => "passed",
            Event::Change { change: SINKS, .. } => "sinks",
            Event::Change { change: CLIMBS, .. } => "climbs",
            Event::Captured(_) => "captured",
            _ => "other",
        };
        world.events().iter().map(|event| (name(event), event.time().as_secs())).collect()
    };
    for (speed, place, expected) in [
        (2.0, 4.5, [("passed", 1.75), ("sinks", 2.25), ("captured", 2.25)].as_slice()),
        (4.0, 40.0, [("passed", 0.875), ("climbs", 1.375)].as_slice()),
    ] {
        let mut world = empty();
        world.add_wall(pit(DVec2::new(5.0, 0.0), 0.5)).unwrap();
        let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([speed, 0.0])).unwrap();
        world.advance(10.0).unwrap();
        assert_eq!(kinds(&world), expected);
        assert_eq!(world.is_enabled(ball), expected.len() == 2);
        let disc = world.get(ball).unwrap();
        assert_eq!((disc.position(), disc.extra().amount), (DVec2::new(place, 0.0), 0.0));
    }
}

/// What falls is under the others: a disc that would have hit it goes on.
#[test]
fn what_falls_lets_others_pass() {
    let mut world = empty();
    world.add_wall(pit(DVec2::new(5.0, 0.0), 2.0)).unwrap();
    world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let other = world.insert(Disc::new([4.5, 5.5], 0.5).with_velocity([0.0, -1.0])).unwrap();
    world.advance(3.0).unwrap();
    assert_eq!(world.get(other).unwrap().velocity(), DVec2::new(0.0, -1.0));
    // At 3½ s the first is over the pit, at 4½ s the centres are one diameter apart.
    world.advance(2.0).unwrap();
    assert!(world.events().iter().all(|event| event.impact().is_none()), "{:?}", world.events());
}

fn random(seed: u64, kind: SchedulerKind) -> World<Toy> {
    let rng = &mut Rng::new(seed);
    let mut world = empty();
    world.set_scheduler(kind).unwrap();
    world.add_wall(Wall::container([-8.0, -8.0], [8.0, 8.0])).unwrap();
    for _ in 0..1 + rng.below(4) {
        // Pits may overlap, and are deep or shallow.
        world.add_wall(pit(rng.vector(7.0), rng.pick(&[0.125, 0.5, 1.5]))).unwrap();
    }
    for _ in 0..5 + rng.below(20) {
        let velocity = if rng.chance(20) { DVec2::ZERO } else { rng.vector(5.0) };
        _ = world.insert(Disc::new(rng.vector(7.0), rng.pick(&[0.25, 0.5])).with_velocity(velocity));
    }
    world
}

/// Law: the same bits with the table, with the grid and in frames, saved and loaded in mid-fall; each change
/// comes as long after the passage as the pit that was met first says, and what it is follows from the speed.
#[test]
fn falls_do_not_depend_on_frames_and_schedulers() {
    let (mut sunk, mut climbed, mut over_a_pit) = (0, 0, 0);
    for seed in 0..cases(40) {
        let mut whole = random(seed, SchedulerKind::Table);
        let mut cut = random(seed, SchedulerKind::Grid);
        let walls: BTreeMap<_, _> = whole.walls().map(|(id, wall)| (id, wall.surface)).collect();
        let mut fell: BTreeMap<DiscId, f64> = BTreeMap::new();
        let mut seen = Vec::new();
        let mut law = |event: &Event<u8>| {
            seen.extend(event_bits(event));
            let now = event.time().as_secs();
            match event {
                Event::Passed(met) => {
                    let Partner::Wall { wall, .. } = met.b else { return };
                    fell.entry(met.a).or_insert(now + walls[&wall]);
                }
                Event::Change { disc, change, .. } => {
                    let ends = fell.remove(disc).unwrap();
                    assert!((ends - now).abs() < 1e-12, "{seed}: {ends} {now}");
                    if *change == SINKS { sunk += 1 } else { climbed += 1 }
                }
                Event::Captured(gone) => assert!(gone.velocity.length() <= FAST, "{seed}"),
                _ => {}
            }
        };
        let end = whole.advance_with(10.0, &mut law).unwrap().end;
        assert_eq!(end, StopReason::Reached, "{seed}");
        let mut cut_seen = Vec::new();
        for frame in 0..40 {
            cut.advance_with(0.25, &mut |event: &Event<u8>| cut_seen.extend(event_bits(event))).unwrap();
            let falls = cut.discs().any(|(_, disc)| disc.extra.amount > 0.0);
            over_a_pit += u32::from(falls);
            if falls && frame % 3 == 0 {
                cut = Format::Postcard.load(&Format::Postcard.save(&cut)).unwrap();
            }
        }
        assert_eq!(seen, cut_seen, "{seed}");
        assert_eq!(state_bits(&whole), state_bits(&cut), "{seed}");
    }
    assert!(sunk > 30 && climbed > 30 && over_a_pit > 100, "{sunk} {climbed} {over_a_pit}");
}
