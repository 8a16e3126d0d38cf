//! Timers. That input at times of its own has the same bits whatever the frames, random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use crate::verdicts::{Ruled, always};
use carom_engine::{Command, DVec2, Disc, Event, Settings, StopReason, UpcomingKind, Verdict, World};

/// At one time timers come after the impacts, in the order in which they were set.
#[test]
fn timers_come_last_and_in_order() {
    let mut world = always(Verdict::Bounce);
    world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    world.insert(Disc::new([2.0, 0.0], 0.5)).unwrap();
    let late = world.set_timer_at(2.0, 1).unwrap();
    let first = world.set_timer(1.0, 2).unwrap();
    world.set_timer(1.0, 3).unwrap();
    assert_eq!(world.timers().map(|(timer, _)| timer).next(), Some(first));
    let kind = world.next_event().unwrap().kind;
    assert!(matches!(kind, UpcomingKind::Discs(..)));
    world.advance(1.0).unwrap();
    assert!(world.events()[0].impact().is_some());
    let notes = |world: &Ruled| -> Vec<u64> {
        let note = |event: &Event| if let Event::Timer { note, .. } = event { Some(*note) } else { None };
        world.events().iter().filter_map(note).collect()
    };
    assert_eq!(notes(&world), [2, 3]);
    assert_eq!(world.next_event().map(|next| next.kind), Some(UpcomingKind::Timer(late)));
    let done = world.step_event();
    assert_eq!((done.end, done.events, done.time.as_secs()), (StopReason::Reached, 1, 2.0));
    assert_eq!(notes(&world), [1]);
    assert!(!world.cancel_timer(late));
}

#[test]
fn bad_timers_are_refused() {
    let mut world = always(Verdict::Bounce);
    world.advance(2.0).unwrap();
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
        assert!(world.set_timer(bad, 0).is_err(), "{bad}");
    }
    for bad in [1.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(world.set_timer_at(bad, 0).is_err(), "{bad}");
    }
    assert_eq!(world.timers().count(), 0);
}

/// With drag timers are at true times.
#[test]
fn timers_have_true_times_with_drag() {
    let settings = Settings::default().with_drag(0.5);
    let mut world = World::with_settings(settings).unwrap();
    let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0])).unwrap();
    world.command_at(1.0, Command::SetVelocity(ball, DVec2::new(0.0, 2.0))).unwrap();
    world.set_timer(1.5, 4).unwrap();
    world.advance(2.0).unwrap();
    // Each second of flight: 2 (1 − e^(−½))/½.
    let way = 4.0 * (1.0 - (-0.5f64).exp());
    let place = world.get(ball).unwrap().position();
    assert!((place - DVec2::splat(way)).abs().max_element() < 1e-13, "{place}");
    assert!(matches!(world.events(), [Event::Timer { time, note: 4, .. }] if time.as_secs() == 1.5));
}
