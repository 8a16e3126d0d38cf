//! The door for other physics: toys that use each hook, and prove that it is called when, and with what, it
//! says.

use crate::common::record::{event_bits, state_bits};
use crate::common::rescan::Rescan;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    Body, Contact, DVec2, Disc, Event, Partner, Physics, Settings, State, StopReason, Time, UpcomingKind,
    Wall, World,
};
use core::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Discs that stop after a distance: the extra state is the distance left. At the first half they announce
/// themselves as tired, at the end they stop; a wall costs a tenth of what is left, another disc gives new
/// strength.
#[derive(Clone, Debug, Default)]
struct Tiring;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fatigue {
    Tired,
    Stopped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Left {
    distance: f64,
    tired: bool,
}

impl Physics for Tiring {
    type Extra = Left;
    /// Distance left at which a disc is tired.
    type Body = f64;
    type Surface = ();
    type Change = Fatigue;

    fn evolve(&self, _: &Body<f64>, state: &State<Left>, dt: f64) -> Left {
        let speed = state.velocity.length();
        Left { distance: state.extra.distance - speed * dt, ..state.extra }
    }

    fn next_change(&self, body: &Body<f64>, state: &State<Left>) -> Option<(f64, Fatigue)> {
        let speed = state.velocity.length();
        if speed == 0.0 {
            return None;
        }
        if !state.extra.tired {
            return Some((((state.extra.distance - body.own) / speed).max(0.0), Fatigue::Tired));
        }
        Some(((state.extra.distance / speed).max(0.0), Fatigue::Stopped))
    }

    fn change(&self, change: Fatigue, _: &Body<f64>, state: &mut State<Left>) {
        match change {
            Fatigue::Tired => state.extra.tired = true,
            Fatigue::Stopped => {
                state.velocity = DVec2::ZERO;
                state.extra.distance = 0.0;
            }
        }
    }

    fn pair(&self, _: &Contact<Left>, _: [&Body<f64>; 2], a: &mut State<Left>, b: &mut State<Left>) {
        for state in [a, b] {
            state.extra.distance = state.extra.distance.max(0.25);
        }
    }

    fn wall(&self, _: &Contact<Left>, _: &Body<f64>, (): &(), a: &mut State<Left>) {
        a.extra.distance *= 0.9;
    }
}

/// A lone disc: tired and stopped at the moments and places that its law gives, in that order, once each; its
/// extra state read in between is the evolved one.
#[test]
fn a_motion_changes_its_law_by_itself() {
    let mut world: World<Tiring> = World::with_physics(Tiring, Settings::default()).unwrap();
    let extra = Left { distance: 6.0, tired: false };
    let disc = Disc::new(DVec2::new(1.0, 1.0), 0.5).with_velocity(DVec2::new(0.0, 2.0));
    let id = world.insert(disc.with_body(2.0).with_extra(extra)).unwrap();
    assert_eq!(
        world.next_event().map(|next| (next.kind, next.time.as_secs())),
        Some((UpcomingKind::Change(id), 2.0))
    );
    world.advance(1.0).unwrap();
    assert_eq!(world.get(id).unwrap().extra(), Left { distance: 4.0, tired: false });
    assert_eq!(world.get(id).unwrap().state_time(), Time::ZERO);
    world.advance(9.0).unwrap();
    let seen: Vec<_> = world
        .events()
        .iter()
        .map(|event| match event {
            Event::Change { time, disc, change } => (time.as_secs(), *disc, *change),
            Event::Impact(_) => panic!("there is nothing to hit"),
            other => unreachable!("{other:?}"),
        })
        .collect();
    assert_eq!(seen, [(2.0, id, Fatigue::Tired), (3.0, id, Fatigue::Stopped)]);
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(1.0, 7.0));
    assert_eq!(world.get(id).unwrap().extra(), Left { distance: 0.0, tired: true });
    assert_eq!((world.counters().changes, world.next_event()), (2, None));
}

fn tiring<S: carom_engine::broadphase::Scheduler>(seed: u64) -> World<Tiring, S> {
    let mut rng = Rng::new(seed);
    let mut world: World<Tiring, S> = World::with_physics(Tiring, Settings::default()).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(6.0))).unwrap();
    for k in 0..9 {
        let at = DVec2::new(f64::from(k % 3), f64::from(k / 3)) * 2.0 + DVec2::ONE;
        let disc = Disc::new(at, rng.range(0.3, 0.6)).with_velocity(rng.vector(3.0));
        let left = Left { distance: rng.range(1.0, 40.0), tired: false };
        world.insert(disc.with_body(rng.range(0.0, 1.0)).with_extra(left)).unwrap();
    }
    world
}

fn extras<S: carom_engine::broadphase::Scheduler>(world: &World<Tiring, S>) -> Vec<u64> {
    world.discs().map(|(_, disc)| disc.extra.distance.to_bits() ^ u64::from(disc.extra.tired)).collect()
}

/// Extra state takes part in the laws: the same bits for any slicing and any scheduler.
#[test]
fn extra_state_keeps_the_laws() {
    for seed in 0..cases(30) {
        let mut whole: World<Tiring> = tiring(seed);
        assert_eq!(whole.advance_to(40.0).unwrap().end, StopReason::Reached);
        let events: Vec<_> = whole.events().iter().map(event_bits).collect();
        let changes = whole.events().iter().filter(|event| event.impact().is_none()).count();
        assert!(changes >= 9, "{changes} changes");

        let mut oracle: World<Tiring, Rescan> = tiring(seed);
        oracle.advance_to(40.0).unwrap();
        assert_eq!(oracle.events().iter().map(event_bits).collect::<Vec<_>>(), events);
        assert_eq!((state_bits(&oracle), extras(&oracle)), (state_bits(&whole), extras(&whole)));

        let mut sliced: World<Tiring> = tiring(seed);
        let (mut seen, mut rng) = (Vec::new(), Rng::new(seed));
        while sliced.now().as_secs() < 39.9 {
            let until = sliced.now().as_secs() + rng.range(0.0, 0.1);
            sliced.advance_to(until).unwrap();
            seen.extend(sliced.events().iter().map(event_bits));
            let _ = (sliced.next_event(), extras(&sliced));
            if rng.chance(10) {
                sliced.assert_well_formed();
            }
        }
        sliced.advance_to(40.0).unwrap();
        seen.extend(sliced.events().iter().map(event_bits));
        assert_eq!(seen, events);
        assert_eq!((state_bits(&sliced), extras(&sliced)), (state_bits(&whole), extras(&whole)));
    }
}

/// A change and an impact at one moment: the end of a motion comes first.
#[test]
fn a_motion_ends_before_it_hits() {
    let mut world: World<Tiring> = World::with_physics(Tiring, Settings::default()).unwrap();
    world.add_wall(Wall::half_plane(DVec2::new(4.0, 0.0), DVec2::NEG_X)).unwrap();
    let left = Left { distance: 3.0, tired: true };
    let disc = Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X).with_extra(left);
    let id = world.insert(disc).unwrap();
    world.advance(10.0).unwrap();
    assert_eq!(world.events().len(), 1);
    assert!(matches!(world.events()[0], Event::Change { change: Fatigue::Stopped, .. }));
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(3.0, 0.0));
    assert_eq!(world.get(id).unwrap().velocity(), DVec2::ZERO);
}

type NextChange = dyn Fn(&Body<f64>, &State<u64>) -> Option<(f64, u8)> + Send + Sync;

/// A physics whose changes of motion are functions of a test: one for several, as each is an engine to
/// compile.
#[derive(Clone)]
struct Scripted {
    next: Arc<NextChange>,
    change: fn(&mut State<u64>),
}

impl Physics for Scripted {
    type Extra = u64;
    type Body = f64;
    type Surface = ();
    type Change = u8;

    fn next_change(&self, body: &Body<f64>, state: &State<u64>) -> Option<(f64, u8)> {
        (self.next)(body, state)
    }

    fn change(&self, _: u8, _: &Body<f64>, state: &mut State<u64>) {
        (self.change)(state);
    }
}

fn scripted(
    settings: Settings,
    next: impl Fn(&Body<f64>, &State<u64>) -> Option<(f64, u8)> + Send + Sync + 'static,
    change: fn(&mut State<u64>),
) -> World<Scripted> {
    World::with_physics(Scripted { next: Arc::new(next), change }, settings).unwrap()
}

/// A change that is due at once, again and again, is bounded by the budget, and each is an event.
#[test]
fn endless_changes_are_bounded() {
    let settings = Settings::default().with_budget(1000);
    let mut world = scripted(settings, |_, _| Some((0.0, 7)), |state| state.extra += 1);
    let id = world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    let advance = world.advance(1.0).unwrap();
    assert_eq!((advance.end, advance.events, advance.time), (StopReason::OutOfBudget, 1000, Time::ZERO));
    assert_eq!(world.get(id).unwrap().extra(), 1000);
}

/// Times from a change that are not in the future of the state (negative, NaN, infinite, beyond the clock)
/// may not upset the order of events.
#[test]
fn a_lying_physics_is_survived() {
    for dt in [f64::NAN, f64::INFINITY, 1e300] {
        let mut world = scripted(Settings::default(), move |_, _| Some((dt, 7)), |_| {});
        world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X)).unwrap();
        let advance = world.advance(1.0).unwrap();
        assert_eq!((advance.end, advance.events), (StopReason::Reached, 0), "{dt}");
    }
}

/// A physics that is no pure function, and announces a change that it then knows nothing of, is survived.
#[test]
fn a_forgetful_physics_is_survived() {
    let asked = AtomicBool::new(false);
    let once =
        move |_: &Body<f64>, _: &State<u64>| (!asked.swap(true, Ordering::Relaxed)).then_some((0.5, 1));
    let mut world = scripted(Settings::default(), once, |_| {});
    world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X)).unwrap();
    assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);
    assert!(world.events().is_empty());
}

/// The physics' own properties can be edited, and the schedule follows: a disc that stops after a time given
/// to it.
#[test]
fn own_properties_can_be_edited() {
    let stops = |body: &Body<f64>, state: &State<u64>| (state.extra == 0).then_some((body.own, 0));
    let mut world =
        scripted(Settings::default(), stops, |state| (state.velocity, state.extra) = (DVec2::ZERO, 1));
    let id = world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X).with_body(3.0)).unwrap();
    world.advance(1.0).unwrap();
    world.set_body(id, 0.5).unwrap();
    world.advance(10.0).unwrap();
    // 1 s before the edit, 0.5 s after it.
    assert_eq!(world.get(id).unwrap().position(), DVec2::new(1.5, 0.0));
    assert_eq!(world.get(id).unwrap().extra(), 1);
}

/// Discs on a cloth: balls of radius a and b whose centres are that high touch at the distance 2√(ab).
#[derive(Clone)]
struct Cloth;

impl Physics for Cloth {
    type Extra = ();
    type Body = ();
    type Surface = ();
    type Change = Infallible;

    const REACH: Option<fn(&Self, f64, f64) -> f64> = Some(|_, a, b| 2.0 * (a * b).sqrt());
}

/// Contact at the reach, not at the sum of the radii: for the time of impact, for overlap and for groups.
#[test]
fn a_reach_of_its_own() {
    let mut world: World<Cloth> = World::with_physics(Cloth, Settings::default()).unwrap();
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
    let mut world: World<Cloth> = World::with_physics(Cloth, Settings::default()).unwrap();
    let ids = [(0.0, 1.0), (1.0, 0.25), (1.5, 0.25), (-5.0, 0.25)]
        .map(|(x, radius)| world.insert(Disc::new(DVec2::new(x, 0.0), radius)).unwrap());
    world.set_velocity(ids[3], DVec2::X).unwrap();
    assert_eq!(world.advance(6.0).unwrap().events, 1);
    assert_eq!(world.counters().groups, 1);
    assert_eq!(ids.map(|id| world.get(id).unwrap().velocity().x), [0.0, 0.0, 1.0, 0.0]);
}

/// As above for random worlds: the sweeps, which are compiled for a reach of its own, against one pair at a
/// time.
#[test]
fn a_reach_of_its_own_in_the_sweeps() {
    for seed in 0..cases(30) {
        fn run<S: carom_engine::broadphase::Scheduler>(seed: u64) -> (Vec<Vec<u64>>, Vec<u64>) {
            let mut rng = Rng::new(seed);
            let mut world: World<Cloth, S> = World::with_physics(Cloth, Settings::default()).unwrap();
            world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(9.0))).unwrap();
            for _ in 0..30 {
                let disc = Disc::new(rng.vector(4.0) + DVec2::splat(4.5), rng.pick(&[0.1, 0.3, 0.9, 0.0]));
                let _ = world.insert(disc.with_velocity(rng.vector(2.0)));
            }
            world.advance(5.0).unwrap();
            world.assert_well_formed();
            (world.events().iter().map(event_bits).collect(), state_bits(&world))
        }
        let table = run::<carom_engine::broadphase::PairTable>(seed);
        assert!(table.0.len() > 20);
        assert_eq!(table, run::<Rescan>(seed), "seed {seed}");
    }
}
