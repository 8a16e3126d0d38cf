//! The door for other physics: toys that use each hook, and prove that it is called when, and with what, it
//! says.

use crate::common::by::By;
use crate::common::record::{bits_of, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::toys::{self, Balls, Extra, Laws, Toy, Which};
use carom_engine::{DVec2, Disc, Event, Partner, Settings, StopReason, Time, UpcomingKind, Wall, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// Discs that stop after a distance, and announce themselves as tired before that.
fn tiring(settings: Settings) -> World<Toy> {
    World::with_physics(Toy { which: Which::Tiring, strength: 0.25 }, settings).unwrap()
}

const TIRED: u8 = 0;
const STOPPED: u8 = 1;

/// A lone disc: tired and stopped at the moments and places that its law gives, in that order, once each; its
/// extra state read in between is the evolved one.
#[test]
fn a_motion_changes_its_law_by_itself() {
    let mut world = tiring(Settings::default());
    let extra = Extra::amount(6.0);
    let disc = Disc::new(DVec2::new(1.0, 1.0), 0.5).with_velocity(DVec2::new(0.0, 2.0));
    let id = world.insert(disc.with_body(2.0).with_extra(extra)).unwrap();
    assert_eq!(
        world.next_event().map(|next| (next.kind, next.time.as_secs())),
        Some((UpcomingKind::Change(id), 2.0))
    );
    world.advance(1.0).unwrap();
    assert_eq!(world.get(id).unwrap().extra(), Extra::amount(4.0));
    assert_eq!(world.get(id).unwrap().state_time(), Time::ZERO);
    world.advance(9.0).unwrap();
    let change = |event: &Event<u8>| match event {
        Event::Change { time, disc, change } => (time.as_secs(), *disc, *change),
        other => panic!("there is nothing to hit: {other:?}"),
    };
    let seen: Vec<_> = world.events().iter().map(change).collect();
    assert_eq!(seen, [(2.0, id, TIRED), (3.0, id, STOPPED)]);
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(1.0, 7.0));
    assert_eq!(world.get(id).unwrap().extra(), Extra::count(1));
    assert_eq!((world.counters().changes, world.next_event()), (2, None));
}

fn tiring_nine(by: By, seed: u64) -> World<Toy> {
    let mut rng = Rng::new(seed);
    let mut world = tiring(by.settings(Settings::default()));
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(6.0)).with_surface(0.9)).unwrap();
    for k in 0..9 {
        let at = DVec2::new(f64::from(k % 3), f64::from(k / 3)) * 2.0 + DVec2::ONE;
        let disc = Disc::new(at, rng.range(0.3, 0.6)).with_velocity(rng.vector(3.0));
        let left = Extra::amount(rng.range(1.0, 40.0));
        world.insert(disc.with_body(rng.range(0.0, 1.0)).with_extra(left)).unwrap();
    }
    world
}

/// Extra state takes part in the laws: the same bits for any slicing and any scheduler.
#[test]
fn extra_state_keeps_the_laws() {
    for seed in 0..cases(30) {
        let run = |by: By, frame: fn(&mut Rng) -> f64| {
            let (mut world, mut rng, mut events) = (tiring_nine(by, seed), Rng::new(seed), Vec::new());
            while world.now().as_secs() < 40.0 {
                let until = world.clock().at((world.now().as_secs() + frame(&mut rng)).min(40.0));
                let (advance, seen) = by.advance_to(&mut world, until);
                assert_eq!(advance.end, StopReason::Reached);
                events.extend(seen);
                let _ = (world.next_event(), state_bits(&world));
                if rng.chance(10) {
                    world.assert_well_formed();
                }
            }
            (events, world)
        };
        let (events, whole) = run(By::Table, |_| 40.0);
        let changes = events.iter().filter(|event| event.impact().is_none()).count();
        assert!(changes >= 9, "{changes} changes");
        for (events_of_other, other) in [run(By::Rescan, |_| 40.0), run(By::Table, |rng| rng.range(0.0, 0.1))]
        {
            assert_eq!(bits_of(&events_of_other), bits_of(&events), "seed {seed}");
            assert_eq!(other.diff(&whole), None, "seed {seed}");
        }
    }
}

/// A change and an impact at one moment: the end of a motion comes first.
#[test]
fn a_motion_ends_before_it_hits() {
    let mut world = tiring(Settings::default());
    world.add_wall(Wall::half_plane(DVec2::new(4.0, 0.0), DVec2::NEG_X)).unwrap();
    let left = Extra { count: 1, ..Extra::amount(3.0) };
    let disc = Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X).with_extra(left);
    let id = world.insert(disc).unwrap();
    world.advance(10.0).unwrap();
    assert_eq!(world.events().len(), 1);
    assert!(matches!(world.events()[0], Event::Change { change: STOPPED, .. }));
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(3.0, 0.0));
    assert_eq!(world.get(id).unwrap().velocity(), DVec2::ZERO);
}

/// A change that is due at once, again and again, is bounded by the budget, and each is an event.
#[test]
fn endless_changes_are_bounded() {
    const ENDLESS: Laws = Laws {
        next_change: |_, _, _| Some((0.0, 7)),
        change: |_, _, _, state| state.extra.count += 1,
        ..Laws::NONE
    };
    let settings = Settings::default().with_budget(1000);
    let mut world: World<Toy> = World::with_physics(Toy::of(&ENDLESS), settings).unwrap();
    let id = world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    let advance = world.advance(1.0).unwrap();
    assert_eq!((advance.end, advance.events, advance.time), (StopReason::OutOfBudget, 1000, Time::ZERO));
    assert_eq!(world.get(id).unwrap().extra(), Extra::count(1000));
}

/// Times from a change that are not in the future of the state (negative, NaN, infinite, beyond the clock)
/// may not upset the order of events.
#[test]
fn a_lying_physics_is_survived() {
    const LYING: Laws = Laws { next_change: |dt, _, _| Some((dt, 7)), ..Laws::NONE };
    for dt in [f64::NAN, f64::INFINITY, 1e300] {
        let physics = Toy { strength: dt, ..Toy::of(&LYING) };
        let mut world: World<Toy> = World::with_physics(physics, Settings::default()).unwrap();
        world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X)).unwrap();
        let advance = world.advance(1.0).unwrap();
        assert_eq!((advance.end, advance.events), (StopReason::Reached, 0), "{dt}");
    }
}

/// A physics that is no pure function, and announces a change that it then knows nothing of, is survived.
#[test]
fn a_forgetful_physics_is_survived() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    const FORGETFUL: Laws = Laws {
        next_change: |_, _, _| (!ASKED.swap(true, Ordering::Relaxed)).then_some((0.5, 1)),
        ..Laws::NONE
    };
    let mut world: World<Toy> = toys::world(&FORGETFUL);
    world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X)).unwrap();
    assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);
    assert!(world.events().is_empty());
}

/// The physics' own properties can be edited, and the schedule follows: a disc that stops after a time given
/// to it.
#[test]
fn own_properties_can_be_edited() {
    const STOPPING: Laws = Laws {
        next_change: |_, body, state| (state.extra.count == 0).then_some((body.own, 0)),
        change: |_, _, _, state| (state.velocity, state.extra.count) = (DVec2::ZERO, 1),
        ..Laws::NONE
    };
    let mut world: World<Toy> = toys::world(&STOPPING);
    let id = world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X).with_body(3.0)).unwrap();
    world.advance(1.0).unwrap();
    world.set_body(id, 0.5).unwrap();
    world.advance(10.0).unwrap();
    // 1 s before the edit, 0.5 s after it.
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(1.5, 0.0));
    assert_eq!(world.get(id).unwrap().extra(), Extra::count(1));
}

/// Contact at the reach, not at the sum of the radii: for the time of impact, for overlap and for groups.
#[test]
fn a_reach_of_its_own() {
    let mut world: World<Balls> = World::with_physics(Balls, Settings::default()).unwrap();
    // 2√(1 · 0.25) = 1, the radii add up to 1.25.
    let big = world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    assert!(world.insert(Disc::new(DVec2::new(0.99, 0.0), 0.25)).is_err());
    let near = world.insert(Disc::new(DVec2::new(0.0, 1.0), 0.25)).unwrap();
    let small = world.insert(Disc::new(DVec2::new(5.0, 0.0), 0.25).with_velocity(DVec2::NEG_X)).unwrap();
    world.advance(10.0).unwrap();
    let impact = world.events()[0].impact().unwrap();
    assert_eq!((impact.a, impact.b, impact.time.as_secs()), (big, Partner::Disc(small), 4.0));
    assert_eq!(world.get(small).unwrap().velocity(), DVec2::ZERO);
    assert_eq!(world.get(near).unwrap().velocity(), DVec2::ZERO);
    assert_eq!(world.get(big).unwrap().velocity(), DVec2::NEG_X);

    // A cradle of three touching at their reach, struck by a fourth: one group, the last one leaves.
    let mut world: World<Balls> = World::with_physics(Balls, Settings::default()).unwrap();
    let ids = [(0.0, 1.0), (1.0, 0.25), (1.5, 0.25), (-5.0, 0.25)]
        .map(|(x, radius)| world.insert(Disc::new(DVec2::new(x, 0.0), radius)).unwrap());
    world.set_velocity(ids[3], DVec2::X).unwrap();
    assert_eq!(world.advance(6.0).unwrap().events, 1);
    assert_eq!(world.counters().groups, 1);
    assert_eq!(ids.map(|id| world.get(id).unwrap().velocity().x), [0.0, 0.0, 1.0, 0.0]);
}

/// As above for random worlds: the sweeps, which are compiled for a reach of its own, and the lists of
/// neighbours, against one pair at a time.
#[test]
fn a_reach_of_its_own_in_the_sweeps() {
    for seed in 0..cases(30) {
        let run = |by: By| {
            let mut rng = Rng::new(seed);
            let settings = by.settings(Settings::default());
            let mut world: World<Balls> = World::with_physics(Balls, settings).unwrap();
            world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(9.0))).unwrap();
            for _ in 0..30 {
                let disc = Disc::new(rng.vector(4.0) + DVec2::splat(4.5), rng.pick(&[0.1, 0.3, 0.9, 0.0]));
                let _ = world.insert(disc.with_velocity(rng.vector(2.0)));
            }
            let (_, events) = by.advance(&mut world, 5.0);
            world.assert_well_formed();
            (bits_of(&events), state_bits(&world))
        };
        let table = run(By::Table);
        assert!(table.0.len() > 20);
        for by in [By::Grid, By::Rescan] {
            assert_eq!(table, run(by), "seed {seed} {by:?}");
        }
    }
}
