//! Back and forth in time: the same bits as a run that goes straight there, in bounded memory.

use carom_engine::{DVec2, Disc, DiscId, Error, Event, Forces, Physics, Settings, StopReason, Wall, World};
use carom_testkit::odd::ODD;
use carom_testkit::record::{event_bits, state_bits};
use carom_testkit::rng::{Rng, cases};
use carom_timeline::Timeline;
use std::ops::ControlFlow;

fn fill<P: Physics>(world: &mut World<P>, rng: &mut Rng, count: usize) -> Vec<DiscId>
where
    P::Body: Default,
    P::Extra: Default,
    P::Surface: Default,
{
    let half = (count as f64).sqrt() + 1.0;
    world.add_wall(Wall::container(DVec2::splat(-half), DVec2::splat(half))).unwrap();
    let mut discs = Vec::new();
    for _ in 0..count {
        let disc = Disc::new(rng.vector(half - 0.5), 0.4).with_velocity(rng.vector(3.0));
        discs.extend(world.insert(disc));
    }
    discs
}

fn gas(rng: &mut Rng, count: usize) -> (World, Vec<DiscId>) {
    let mut world = World::new();
    let discs = fill(&mut world, rng, count);
    (world, discs)
}

/// Random journeys end in the bits of a copy of the start that goes straight to the same time.
fn wander<P: Physics>(start: &World<P>, rng: &mut Rng, limit: usize, longest: f64) {
    let mut timeline = Timeline::with_limit(start.clone(), limit);
    for _ in 0..30 {
        let mut straight = start.clone();
        if rng.chance(50) {
            let time = rng.range(0.0, longest);
            timeline.go_to(time).unwrap();
            straight.advance_to(time).unwrap();
        } else {
            let number = rng.below(400) as u64;
            timeline.go_to_event(number).unwrap();
            while straight.counters().events < number && straight.step_event().events > 0 {}
            let [there, here] =
                [straight.events(), timeline.world().events()].map(|of| of.last().map(event_bits));
            assert_eq!(here, there, "event {number}");
        }
        assert_eq!(state_bits(timeline.world()), state_bits(&straight));
        assert_eq!(timeline.event(), straight.counters().events);
        assert!(timeline.bytes() <= limit || timeline.copies() == 1);
    }
}

#[test]
fn whichever_way_one_came_the_bits_are_the_same() {
    for seed in 0..cases(12) {
        let rng = &mut Rng::new(seed);
        let count = 2 + rng.below(30);
        let (world, _) = gas(rng, count);
        // Room for all copies, for a few, and for one.
        for limit in [usize::MAX, 8 * world.bytes(), 0] {
            wander(&world, rng, limit, 20.0);
        }
    }
}

/// Events that go into a sink are those that a world records on the same way; a sink that stops is obeyed.
#[test]
fn events_go_into_a_sink() {
    for seed in 0..cases(8) {
        let rng = &mut Rng::new(seed);
        let (world, _) = gas(rng, 12);
        let [mut one, mut other] = [0, 1].map(|_| Timeline::with_limit(world.clone(), 4 * world.bytes()));
        for _ in 0..10 {
            let time = rng.range(0.0, 20.0);
            let mut events: Vec<Event> = Vec::new();
            let there = one.go_to_with(time, &mut events).unwrap();
            assert_eq!(other.go_to(time).unwrap(), there);
            let bits = |events: &[Event]| events.iter().map(event_bits).collect::<Vec<_>>();
            assert_eq!(bits(&events), bits(other.world().events()));
            assert!(one.world().events().is_empty());
        }
        let mut one = Timeline::new(world);
        let first = one.next_event().unwrap().time;
        let stopped = one.go_to_with(20.0, &mut |_: &Event| ControlFlow::Break(())).unwrap();
        assert_eq!((stopped.end, stopped.time), (StopReason::Stopped, first));
        assert_eq!(one.advance_with(1.0, &mut |_: &Event| {}).unwrap().end, StopReason::Reached);
    }
}

/// No call has more events than the budget, however far an event is.
#[test]
fn an_event_that_is_far_takes_several_calls() {
    let mut world = World::new();
    world.add_wall(Wall::container([-4.0, -4.0], [4.0, 4.0])).unwrap();
    world.insert(Disc::new([0.0, 0.0], 1.0).with_velocity([3.0, 2.0])).unwrap();
    world.set_budget(10);
    let mut timeline = Timeline::new(world);
    let ends: Vec<_> = (0..4).map(|_| timeline.go_to_event(35).unwrap()).collect();
    let expected = [10, 10, 10, 5]
        .map(|events| (events, if events == 5 { StopReason::Reached } else { StopReason::OutOfBudget }));
    assert_eq!(ends.iter().map(|end| (end.events, end.end)).collect::<Vec<_>>(), expected);
    assert_eq!(timeline.event(), 35);
}

#[test]
fn under_gravity_and_drag_too() {
    for seed in 0..cases(6) {
        let rng = &mut Rng::new(seed);
        let forces = Forces::new().with_gravity([0.0, -2.0]).unwrap();
        let mut falling: World<Forces> = World::with_physics(forces, Settings::default()).unwrap();
        fill(&mut falling, rng, 8);
        wander(&falling, rng, usize::MAX, 6.0);
        let mut slowed = World::with_settings(Settings::default().with_drag(0.1)).unwrap();
        fill(&mut slowed, rng, 12);
        wander(&slowed, rng, 8 * slowed.bytes(), 20.0);
    }
}

#[test]
fn edits_are_part_of_the_past_and_cut_the_future_off() {
    for seed in 0..cases(20) {
        let rng = &mut Rng::new(seed);
        let (world, discs) = gas(rng, 10);
        let mut timeline = Timeline::new(world.clone());
        // The oracle does the same edits in a straight run.
        let mut straight = world.clone();
        let mut seen = vec![(0.0, state_bits(&world))];
        let mut time = 0.0;
        for _ in 0..8 {
            time += rng.range(0.1, 2.0);
            straight.advance_to(time).unwrap();
            timeline.go_to(time + 3.0).unwrap();
            timeline.go_to(time).unwrap();
            let (disc, velocity) = (rng.pick(&discs), rng.vector(3.0));
            straight.set_velocity(disc, velocity).unwrap();
            timeline.edit(|world| world.set_velocity(disc, velocity)).unwrap();
            assert_eq!(timeline.end(), timeline.world().now());
            seen.push((time, state_bits(&straight)));
        }
        for _ in 0..40 {
            let (time, bits) = &seen[rng.below(seen.len())];
            timeline.go_to(*time).unwrap();
            assert_eq!(&state_bits(timeline.world()), bits);
            timeline.go_to(rng.range(0.0, 20.0)).unwrap();
        }
    }
}

#[test]
fn steps_go_through_edits_both_ways() {
    let rng = &mut Rng::new(7);
    let (world, discs) = gas(rng, 6);
    let mut timeline = Timeline::new(world);
    let mut bits = vec![state_bits(timeline.world())];
    for k in 0..40 {
        if k % 7 == 3 {
            timeline.advance(1e-6).unwrap();
            timeline.edit(|world| world.set_velocity(discs[k % discs.len()], [1.0, 0.5])).unwrap();
        }
        let before = timeline.event();
        timeline.step();
        assert_eq!(timeline.event(), before + 1);
        assert_eq!(timeline.world().events().first().map(Event::time), Some(timeline.world().now()));
        bits.push(state_bits(timeline.world()));
    }
    for k in (0..40).rev() {
        timeline.step_back();
        assert_eq!((timeline.event(), state_bits(timeline.world())), (k as u64, bits[k].clone()));
    }
    for (k, bits) in bits.iter().enumerate().skip(1) {
        timeline.step();
        assert_eq!((timeline.event(), &state_bits(timeline.world())), (k as u64, bits));
    }
}

#[test]
fn an_edit_that_fails_leaves_all_as_it_was() {
    let (world, discs) = gas(&mut Rng::new(3), 6);
    let mut timeline = Timeline::new(world);
    timeline.go_to(5.0).unwrap();
    timeline.go_to(2.0).unwrap();
    let before = state_bits(timeline.world());
    let refused: Result<(), Error> = timeline.edit(|world| {
        world.set_velocity(discs[0], [9.0, 9.0])?;
        world.set_velocity(discs[1], [f64::NAN, 0.0])
    });
    assert!(refused.is_err());
    assert_eq!((state_bits(timeline.world()), timeline.end().as_secs()), (before, 5.0));
    // A copy of an earlier world undoes what has happened since.
    let earlier = timeline.world().clone();
    timeline.go_to(4.0).unwrap();
    timeline.edit(|world| world.set_velocity(discs[0], [1.0, 0.0])).unwrap();
    let undone: Result<(), Error> = timeline.edit(|world| {
        world.clone_from(&earlier);
        Ok(())
    });
    assert!(undone.is_ok() && timeline.end() == earlier.now());
    assert!(timeline.go_to(1.0).is_ok() && timeline.start().as_secs() == 0.0);
}

#[test]
fn memory_is_bounded_however_long_it_runs_and_however_much_is_edited() {
    let (world, discs) = gas(&mut Rng::new(5), 40);
    let limit = 12 * world.bytes();
    let mut timeline = Timeline::with_limit(world, limit);
    let first = timeline.interval();
    timeline.go_to(300.0).unwrap();
    assert!(timeline.event() > 4000 && timeline.interval() > first);
    assert!(timeline.bytes() <= limit && timeline.start().as_secs() == 0.0);
    // Each edit is kept, until they fill the memory: then the past is forgotten.
    for k in 0..40 {
        timeline.advance(0.01).unwrap();
        timeline.edit(|world| world.set_velocity(discs[k % discs.len()], [1.0, 0.0])).unwrap();
        assert!(timeline.bytes() <= limit);
    }
    assert!(timeline.start().as_secs() > 300.0);
    let early = timeline.go_to(1.0);
    assert!(matches!(early, Err(Error::Inconsistent { field: "time", .. })), "{early:?}");
    assert!(timeline.go_to_event(1).is_err());
}

#[test]
fn where_nothing_happens_it_says_so() {
    let mut timeline = Timeline::new(World::new());
    assert_eq!(timeline.step().events, 0);
    assert_eq!(timeline.step_back().end, StopReason::Reached);
    assert_eq!(timeline.go_to_event(10).map(|done| done.events), Ok(0));
    assert_eq!(timeline.go_to(1e6).map(|done| done.end), Ok(StopReason::Reached));
    assert!(timeline.go_to(-1.0).is_err() && timeline.advance(f64::NAN).is_err());
    assert_eq!(timeline.world().now().as_secs(), 1e6);
}

/// Zeros, infinities, NaN and extreme numbers as times and counts: a refusal says why and leaves the timeline
/// where it is, and every other call returns.
#[test]
fn whatever_it_is_asked_for_it_goes_there_or_says_why_not() {
    let (mut world, _) = gas(&mut Rng::new(5), 6);
    world.set_budget(200);
    let mut timeline = Timeline::with_limit(world, 0);
    timeline.go_to(1.0).unwrap();
    for odd in ODD {
        let (event, before) = (timeline.event(), state_bits(timeline.world()));
        for outcome in [timeline.clone().go_to(odd), timeline.clone().advance(odd)] {
            if let Err(error) = outcome {
                assert!((15..200).contains(&error.to_string().len()), "{odd:e}: {error}");
            }
        }
        _ = timeline.clone().go_to_event(odd as u64);
        let mut refused = timeline.clone();
        if refused.go_to(odd).is_err() {
            assert_eq!((refused.event(), state_bits(refused.world())), (event, before), "{odd:e}");
        }
    }
}
