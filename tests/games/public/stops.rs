//! Runs that end at an event: by a sink that stops them, and by waiting for one.

use crate::common::record::event_bits;
use crate::common::rng::Rng;
use carom_engine::{
    Disc, Error, Event, Moment, Partner, SchedulerKind, Settings, Sink, SinkFlow, StopReason, Wall, World,
};
use std::ops::ControlFlow;

/// A box with discs of random velocities, some of which touch, so that there are groups.
fn crowd(seed: u64) -> World {
    let (mut world, mut rng) = (World::new(), Rng::new(seed));
    world.add_wall(Wall::container([0.0, 0.0], [10.0, 10.0])).unwrap();
    for k in 0..16 {
        let place = [1.5 + f64::from(k % 4) * 2.0, 1.5 + f64::from(k / 4) * 2.0];
        let radius = if k % 4 < 2 { 1.0 } else { 0.5 };
        world
            .insert(Disc::new(place, radius).with_velocity(rng.vector(2.0)).with_user_data(k as u64))
            .unwrap();
    }
    world
}

/// Whether a run is stopped after every event, after some, or never: events, states and time have the same
/// bits.
#[test]
fn stopping_changes_no_bit() {
    for seed in 0..8 {
        let (mut whole, mut stopped) = (crowd(seed), crowd(seed));
        let mut expected = Vec::new();
        whole.advance_with(5.0, &mut |event: &Event| expected.push(event_bits(event))).unwrap();
        let mut seen = Vec::new();
        let mut stops = 0;
        loop {
            let ended = stopped.advance_to_with(5.0, &mut |event: &Event| {
                seen.push(event_bits(event));
                if seen.len() % (1 + seed as usize) == 0 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            match ended.unwrap().end {
                StopReason::Stopped => stops += 1,
                end => break assert_eq!(end, StopReason::Reached),
            }
        }
        assert!(stops > 3, "seed {seed} stops {stops} times");
        assert_eq!(seen, expected);
        assert_eq!(whole.counters().events, stopped.counters().events);
        assert!(whole.discs().eq(stopped.discs()));
    }
}

/// Three discs in a row, hit by a fourth: one group of three contacts, all of which are reported before the
/// stop.
#[test]
fn a_group_is_reported_to_its_end() {
    let mut world = World::new();
    for x in [0.0, 3.0, 4.0, 5.0] {
        world.insert(Disc::new([x, 0.0], 0.5)).unwrap();
    }
    let cue = world.ids().next().unwrap();
    world.set_velocity(cue, [1.0, 0.0]).unwrap();
    let mut contacts = 0;
    let ended = world.advance_with(10.0, &mut |_: &Event| {
        contacts += 1;
        ControlFlow::Break(())
    });
    assert_eq!((ended.unwrap().events, contacts), (1, 3));
    assert_eq!(world.now().as_secs(), 2.0);
}

#[test]
fn the_wanted_event_is_recorded_last_and_the_run_goes_on_from_it() {
    let (mut world, mut whole) = (crowd(1), crowd(1));
    whole.advance(5.0).unwrap();
    let of_nine = |event: &Event| event.impact().is_some_and(|impact| impact.user_data.contains(&9));
    let mut expected: Vec<_> =
        whole.events().iter().filter(|event| of_nine(event)).map(Event::time).collect();
    // A group may name it twice.
    expected.dedup();
    assert!(expected.len() > 2);
    for time in expected {
        let ended = world.advance_until_event(5.0, of_nine).unwrap();
        assert_eq!((ended.end, ended.time, world.now()), (StopReason::Stopped, time, time));
        let wanted: Vec<_> = world.events().iter().filter(|event| of_nine(event)).collect();
        assert!(!wanted.is_empty() && wanted.iter().all(|event| event.time() == time));
    }
    let rest = world.advance_until_event(1e-9, |_| false).unwrap();
    assert_eq!((rest.end, rest.events), (StopReason::Reached, 0));
    assert!(matches!(world.advance_until_event(-1.0, |_| true), Err(Error::OutOfRange { field: "dt", .. })));
}

#[test]
fn with_recording_off_the_run_stops_all_the_same() {
    let mut world = crowd(2);
    world.set_record_events(false);
    let ended = world.advance_until_event(5.0, |_| true).unwrap();
    assert_eq!((ended.end, ended.events, world.events().len()), (StopReason::Stopped, 1, 0));
}

/// Exact times and seconds are the same argument; a time of the past is refused and changes nothing.
#[test]
fn advance_to_takes_seconds_or_times() {
    let (mut by_seconds, mut by_time) = (crowd(3), crowd(3));
    by_seconds.advance_to(2.5).unwrap();
    let time = by_seconds.now();
    by_time.advance_to(time).unwrap();
    assert!(by_seconds.discs().eq(by_time.discs()));
    by_seconds.advance(1.0).unwrap();
    for past in [Moment::from(1.0), Moment::from(time)] {
        let refused = by_seconds.advance_to(past);
        assert!(matches!(refused, Err(Error::Inconsistent { field: "time", .. })), "{refused:?}");
    }
    assert_eq!(by_seconds.now().as_secs(), 3.5);
}

#[test]
fn impacts_say_who_met_and_carry_the_notes() {
    let mut world = World::new();
    let wall = Wall::half_plane([0.0, 0.0], [1.0, 0.0]).with_user_data(77);
    let wall = world.add_wall(wall).unwrap();
    let a = world.insert(Disc::new([5.0, 0.0], 0.5).with_user_data(1)).unwrap();
    let b = world.insert(Disc::new([3.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_user_data(2)).unwrap();
    let c = world.insert(Disc::new([3.0, 9.0], 0.5).with_velocity([-1.0, 0.0]).with_user_data(3)).unwrap();
    world.advance(3.0).unwrap();
    let impacts: Vec<_> = world.events().iter().filter_map(Event::impact).collect();
    let [first, second] = impacts[..] else { panic!("{impacts:?}") };
    assert_eq!((first.a, first.b, first.user_data), (a, Partner::Disc(b), [1, 2]));
    assert_eq!(
        (first.other(a), first.other(b), first.other(c)),
        (Some(first.b), Some(Partner::Disc(a)), None)
    );
    assert!(first.between(a, b) && first.between(b, a) && !first.between(a, c) && !first.involves(c));
    assert_eq!((second.a, second.b.wall(), second.user_data), (c, Some(wall), [3, 77]));
    assert_eq!((second.b.disc(), first.b.disc()), (None, Some(b)));
    assert_eq!(first.to_string(), "1 s: disc 0 hits disc 1 at (4.5, 0)");
    assert_eq!(second.to_string(), "2.5 s: disc 2 hits wall 0, part 0 at (0, 9)");
}

/// Lists, closures that return nothing and closures that return a verdict are sinks.
#[test]
fn closures_and_lists_are_sinks() {
    fn run(sink: &mut impl Sink) -> u64 {
        crowd(4).advance_with(1.0, sink).unwrap().events
    }
    let (mut list, mut count) = (Vec::new(), 0);
    let all = run(&mut list);
    assert_eq!(run(&mut |_: &Event| count += 1), all);
    assert_eq!(list.len(), count);
    assert_eq!(run(&mut |_: &Event| ControlFlow::Continue(())), all);
    assert_eq!(run(&mut |_: &Event| ControlFlow::Break(())), 1);
    assert!(().into_flow().is_continue());
}

/// A group counts in the budget by its contacts, so that a heap of overlapping discs, of which every impact
/// is one of the whole heap, comes back.
#[test]
fn a_heap_counts_by_its_contacts() {
    let mut world = World::with_settings(Settings::default().with_budget(50)).unwrap();
    world.add_wall(Wall::container([0.0, 0.0], [10.0, 10.0])).unwrap();
    for k in 0..100 {
        // Places and velocities that spread: multiples of two irrational numbers.
        let spread = |step: f64| (f64::from(k) * step).fract();
        let place = [1.0 + 8.0 * spread(0.6180339887), 1.0 + 8.0 * spread(0.4142135623)];
        let velocity = [spread(0.7320508075) - 0.5, spread(0.2360679774) - 0.5];
        world.insert(Disc::new(place, 0.9).with_velocity(velocity).with_overlap()).unwrap();
    }
    let advance = world.advance(60.0).unwrap();
    assert_eq!(advance.end, StopReason::OutOfBudget);
    // Some 400 contacts each.
    assert!((1..=12).contains(&advance.events), "{} events", advance.events);
    assert!(world.advance(60.0).unwrap().events > 0);
}

/// The list of events that is handed over is the one that the world had, and the world goes on in the other.
#[test]
fn events_are_handed_over_without_a_copy() {
    let (mut world, mut other) = (crowd(1), crowd(1));
    world.advance(1.0).unwrap();
    other.advance(1.0).unwrap();
    let mut taken = Vec::new();
    world.swap_events(&mut taken);
    assert!(!taken.is_empty() && taken == other.events() && world.events().is_empty());
    world.advance(1.0).unwrap();
    other.advance(1.0).unwrap();
    assert_eq!(world.events(), other.events());
}

/// The table has a number for each pair: of two that meet after `(3 − 1) / 4` s that time, of those that part
/// never. A grid has no such numbers.
#[test]
fn the_table_says_when_two_meet() {
    for kind in [SchedulerKind::Table, SchedulerKind::Grid] {
        let mut world = World::with_settings(Settings::default().with_scheduler(kind)).unwrap();
        let disc = |x: f64, speed: f64| Disc::new([x, 0.0], 0.5).with_velocity([speed, 0.0]);
        let [left, a, b] =
            [(-5.0, -1.0), (0.0, 4.0), (3.0, 0.0)].map(|(x, v)| world.insert(disc(x, v)).unwrap());
        world.next_event();
        let of_table = |secs: f64| (kind == SchedulerKind::Table).then_some(secs);
        for pair in [[a, b], [b, a]] {
            let entry = world.table_entry(pair[0], pair[1]).unwrap();
            assert_eq!(entry.map(|time| time.as_secs()), of_table(0.5));
        }
        assert_eq!(
            world.table_entry(left, a).unwrap().map(|time| time.is_never()),
            of_table(1.0).map(|_| true)
        );
        world.remove(b).unwrap();
        assert_eq!(world.table_entry(a, b), Err(Error::NoSuchDisc(b)));
    }
}
