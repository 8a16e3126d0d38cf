//! A motion that begins as a wall is passed, and a change of motion that captures: discs over pits.

use crate::common::record::{event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use carom_engine::{
    Body, Commands, DVec2, Disc, DiscId, Encounter, Event, Partner, Physics, SchedulerKind, Settings, State,
    StopReason, Verdict, Wall, World,
};
use std::collections::BTreeMap;

/// Walls that are pits: a disc that passes into one falls for so many seconds, is captured if it is slow by
/// then, and climbs out if it is fast. What falls passes beneath the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Pits;

const FAST: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Landing {
    Sinks,
    Climbs,
}

impl Physics for Pits {
    /// Seconds left of a fall; 0 on the ground.
    type Extra = f64;
    type Body = ();
    /// Seconds that a fall lasts; 0 for a wall that is none.
    type Surface = f64;
    type Change = Landing;

    const JUDGES: bool = true;

    fn verdict(&self, met: &Encounter<'_, (), f64, f64>, _: &mut Commands<(), f64>) -> Verdict {
        let falls = [met.a.extra, met.b.extra].into_iter().flatten().any(|left| left > 0.0);
        let is_pit = met.b.surface.is_some_and(|lasts| *lasts > 0.0);
        if is_pit || (falls && met.b.extra.is_some()) { Verdict::Pass } else { Verdict::Bounce }
    }

    fn enter(&self, lasts: &f64, _: &Body<()>, state: &State<f64>) -> Option<f64> {
        (state.extra == 0.0 && *lasts > 0.0).then_some(*lasts)
    }

    fn evolve(&self, _: &Body<()>, state: &State<f64>, dt: f64) -> f64 {
        (state.extra - dt).max(0.0)
    }

    fn next_change(&self, _: &Body<()>, state: &State<f64>) -> Option<(f64, Landing)> {
        let landing = if state.velocity.length() > FAST { Landing::Climbs } else { Landing::Sinks };
        (state.extra > 0.0).then_some((state.extra, landing))
    }

    fn change(&self, _: Landing, _: &Body<()>, state: &mut State<f64>) {
        state.extra = 0.0;
    }

    fn captures(&self, landing: Landing, _: &Body<()>, _: &State<f64>) -> bool {
        landing == Landing::Sinks
    }
}

type Pitted = World<Pits>;

fn empty() -> Pitted {
    World::with_physics(Pits, Settings::default().with_budget(5000)).unwrap()
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
    let kinds = |world: &Pitted| -> Vec<(&str, f64)> {
        let name = |event: &Event<Landing>| match event {
            Event::Passed(_) => "passed",
            Event::Change { change: Landing::Sinks, .. } => "sinks",
            Event::Change { change: Landing::Climbs, .. } => "climbs",
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
        assert_eq!((disc.position(), disc.extra()), (DVec2::new(place, 0.0), 0.0));
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

fn random(seed: u64, kind: SchedulerKind) -> Pitted {
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

/// A world that was saved and loaded.
#[cfg(feature = "serde")]
fn reloaded(world: &Pitted) -> Pitted {
    postcard::from_bytes(&postcard::to_stdvec(world).unwrap()).unwrap()
}

#[cfg(not(feature = "serde"))]
fn reloaded(world: &Pitted) -> Pitted {
    world.clone()
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
        let mut law = |event: &Event<Landing>| {
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
                    if *change == Landing::Sinks { sunk += 1 } else { climbed += 1 }
                }
                Event::Captured(gone) => assert!(gone.velocity.length() <= FAST, "{seed}"),
                _ => {}
            }
        };
        let end = whole.advance_with(10.0, &mut law).unwrap().end;
        assert_eq!(end, StopReason::Reached, "{seed}");
        let mut cut_seen = Vec::new();
        for frame in 0..40 {
            cut.advance_with(0.25, &mut |event: &Event<Landing>| cut_seen.extend(event_bits(event))).unwrap();
            let falls = cut.discs().any(|(_, disc)| disc.extra > 0.0);
            over_a_pit += u32::from(falls);
            if falls && frame % 3 == 0 {
                cut = reloaded(&cut);
            }
        }
        assert_eq!(seen, cut_seen, "{seed}");
        assert_eq!(state_bits(&whole), state_bits(&cut), "{seed}");
    }
    assert!(sunk > 30 && climbed > 30 && over_a_pit > 100, "{sunk} {climbed} {over_a_pit}");
}
