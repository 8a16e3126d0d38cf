//! The grid with discs whose times are made up.

use carom_broadphase::{
    Circle, EventTimes, Kind, Meeting, NextMeeting, Predictor, Scheduler, SchedulerKind, Slot, Solo,
};
use carom_math::{Clock, DVec2, Periods, Time};
use std::cell::Cell;

/// Two discs far from each other: the first does something by itself after a second, the second is in no
/// circle for longer than rounding.
struct Restless {
    clock: Clock,
    /// How often it was asked when a disc leaves a circle.
    asked: Cell<u32>,
}

/// More questions than this have no end.
const MOST_ASKED: u32 = 1000;

impl EventTimes for Restless {
    fn seconds(&self, _: Slot, _: Slot) -> f64 {
        f64::INFINITY
    }

    fn state_time(&self, _: Slot) -> Time {
        Time::ZERO
    }

    fn after(&self, _: Slot, dt: f64) -> Time {
        self.clock.after(Time::ZERO, dt)
    }

    fn resolution(&self) -> f64 {
        0.0
    }

    fn solo(&self, slot: Slot) -> Solo {
        let time = if slot == 0 { self.clock.at(1.0) } else { Time::NEVER };
        Solo { time, kind: Kind::MotionChange, tag: 0 }
    }
}

impl Predictor for Restless {
    fn solo_within(&self, slot: Slot, _: &Circle) -> Solo {
        self.solo(slot)
    }

    fn now(&self) -> Time {
        Time::ZERO
    }

    fn serial(&self, slot: Slot) -> u64 {
        slot.into()
    }

    fn soonest(&self, slot: Slot, dt: f64, from: Time) -> f64 {
        self.after(slot, dt).since(from) - 1e-9
    }

    fn circle(&self, slot: Slot, _: Time) -> Circle {
        Circle { center: DVec2::new(1e3 * f64::from(slot), 0.0), radius: 1.0 }
    }

    fn velocity(&self, _: Slot) -> DVec2 {
        DVec2::ZERO
    }

    fn has_straight_paths(&self) -> bool {
        false
    }

    fn flown(&self, _: Slot, _: Time) -> f64 {
        0.0
    }

    fn exit_time(&self, slot: Slot, _: Circle, at: Time, _: f64) -> f64 {
        self.asked.set(self.asked.get() + 1);
        assert!(self.asked.get() <= MOST_ASKED, "circles are rebuilt without end");
        if slot == 0 { f64::INFINITY } else { at.since(Time::ZERO).next_down().max(0.0) }
    }

    fn first_met(&self, _: Slot, _: &[Slot], _: Time) -> Meeting {
        Meeting::NEVER
    }

    fn is_without_solos(&self) -> bool {
        false
    }

    fn prefetch(&self, _: Slot, _: bool) {}

    fn periods(&self) -> Periods {
        Periods::NONE
    }
}

/// Law 5, `advance` always comes back: the question for the next event has an answer, also where each circle
/// of a disc is left as soon as it is drawn, a rounding before the event for which all were drawn anew.
#[test]
fn the_next_event_comes_though_no_circle_holds_a_disc() {
    let clock = Clock::new(Clock::DEFAULT_EPOCH).expect("a power of two");
    let world = Restless { clock, asked: Cell::new(0) };
    let mut grid = Scheduler::default();
    grid.prepare(2, false, SchedulerKind::Grid);
    for slot in 0..2 {
        grid.insert(slot, slot.into());
        grid.place(slot, &world);
    }
    grid.refresh(&[0, 1], &[NextMeeting::UNKNOWN; 2], &world);
    for until in [clock.at(1.0), clock.at(2.0), Time::NEVER] {
        let next = grid.next(until, &world).map(|next| (next.time, next.a, next.b));
        assert_eq!(next, Some((clock.at(1.0), 0, 0)));
    }
}
