//! What has arrived stops as time goes on: see [frames](World#frames).
//!
//! Between the calls of a frame loop the next command may continue a motion. Would it stop in between, what
//! rides on it would hit it. So at the time of arrival the motion is over for whoever asks, and the stop is a
//! timer that comes after all else of that time, and not before time goes on. A call to that time leaves it
//! waiting. The next call to a later time begins with it, before what was edited meanwhile. Where a call ends
//! early, for its budget, something else may be due that comes before; the timer says which.

use crate::edit::Change;
use crate::sink::Listener;
use crate::state::timers::{Timer, TimerOf};
use crate::{Advance, Physics, World, apply};
use carom_math::Time;

/// Stops what has arrived in a world.
pub(crate) struct Stops<'w, P: Physics>(pub(crate) &'w mut World<P>);

impl<P: Physics> Stops<'_, P> {
    /// Stops all.
    pub(super) fn all(&mut self) {
        while let Some((stop, _)) = self.0.store.timers.first_stop(self.0.now()) {
            if let Some(timer) = apply::time::take_stop(&mut self.0.store, stop) {
                self.one(&timer);
            }
        }
    }

    /// Stops a disc or a wall; its timer is taken.
    pub(super) fn one(&mut self, timer: &TimerOf<P>) {
        let world = &mut *self.0;
        match *timer {
            Timer::Arrival(disc) | Timer::Stop(disc) => {
                let Ok(slot) = world.store.bodies.slot(disc) else { return };
                if let Some(journey) = apply::mover::take_journey(world.store.common(), slot) {
                    world.change(slot, Change::Arrived(journey.target));
                }
            }
            Timer::WallArrival(wall) | Timer::WallStop(wall) => {
                if let Ok(slot) = world.store.walls.slot(wall) {
                    _ = world.stop_wall(slot);
                }
            }
            Timer::Note(_) | Timer::Command(_) => {}
        }
    }

    /// Time is going on: stops all, unless something else may be due before.
    #[inline(never)]
    pub(super) fn first(&mut self) {
        if let Some((_, false)) = self.0.store.timers.first_stop(self.0.now()) {
            self.all();
        }
    }

    /// As `first`, for a question about what comes: stops also what would stop next, and brings the schedule
    /// up to date.
    pub(super) fn next(&mut self) {
        self.first();
        self.0.reschedule();
        let now = self.0.store.now;
        if let Some((stop, true)) = self.0.store.timers.first_stop(self.0.now())
            && self.0.store.timers.first() == Some(stop)
            && self.0.next_time_before(now).is_none()
        {
            self.all();
            self.0.reschedule();
        }
    }

    /// Goes on to the time of the next event, which is known, and resolves it.
    pub(crate) fn step_to(mut self, next: Time, listener: Listener<'_, P>) -> Advance {
        self.next();
        self.0.run(next, 1, listener)
    }
}
