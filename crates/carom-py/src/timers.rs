//! Timers: set, cancelled, listed.

use crate::errors::OrRaise;
use crate::room::in_room;
use crate::time::{Time, When};
use crate::world::World;
use carom_engine::TimerId;
use pyo3::prelude::*;

#[pymethods]
impl World {
    /// An event in this many seconds, with a note; gives the timer.
    #[pyo3(signature = (seconds, note = 0))]
    pub fn set_timer(&mut self, seconds: f64, note: u64) -> PyResult<u64> {
        in_room!(self.edit(), held => held.world.set_timer(seconds, note)).map(TimerId::number).or_raise()
    }

    /// An event at a time, after all impacts of that instant; gives the timer.
    #[pyo3(signature = (time, note = 0))]
    pub fn set_timer_at(&mut self, time: When, note: u64) -> PyResult<u64> {
        in_room!(self.edit(), held => {
            let at = time.moment(&held.world)?;
            held.world.set_timer_at(at, note).map(TimerId::number).or_raise()
        })
    }

    /// Cancels a timer; false if it is over, or has been cancelled.
    pub fn cancel_timer(&mut self, timer: u64) -> bool {
        in_room!(self.edit(), held => held.world.cancel_timer(TimerId::from_number(timer)))
    }

    /// The timers that are set, in the order in which they come, with their times.
    #[getter]
    pub fn timers(&self) -> Vec<(u64, Time)> {
        let listed = |(timer, at): (TimerId, carom_engine::Time)| (timer.number(), Time::of(at));
        in_room!(self.room(), held => held.world.timers().map(listed).collect())
    }
}
