//! Timers: set, cancelled, listed.

use crate::engine::{Engine, time};
use crate::refused::Refused;
use crate::room::in_room;
use carom_engine::TimerId;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// Sets a timer that ends in some seconds, with a note; gives its number.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn set_timer(&mut self, seconds: f64, note: f64) -> Result<f64, Refused> {
        let timer = in_room!(&mut self.room, held => held.world.set_timer(seconds, note as u64))?;
        Ok(timer.number() as f64)
    }

    /// Sets a timer that ends at a time in seconds, with a note; gives its number.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn set_timer_at(&mut self, seconds: f64, note: f64) -> Result<f64, Refused> {
        let timer = in_room!(&mut self.room, held => held.world.set_timer_at(seconds, note as u64))?;
        Ok(timer.number() as f64)
    }

    /// As `set_timer_at`, at a time that the world has given.
    ///
    /// # Errors
    /// It is past, or none of this world's clock.
    pub fn set_timer_at_exact(&mut self, epoch: f64, offset: f64, note: f64) -> Result<f64, Refused> {
        let at = self.exact(epoch, offset)?;
        let timer = in_room!(&mut self.room, held => held.world.set_timer_at(at, note as u64))?;
        Ok(timer.number() as f64)
    }

    /// Cancels a timer; false if it is over, or has been cancelled.
    pub fn cancel_timer(&mut self, timer: f64) -> bool {
        let timer = TimerId::from_number(timer as u64);
        in_room!(&mut self.room, held => held.world.cancel_timer(timer))
    }

    /// The timers that are set, in the order in which they come: number and time of each.
    pub fn timers(&mut self) {
        let numbers: Vec<[f64; 3]> = in_room!(&self.room, held => {
            let numbers = |(timer, at): (TimerId, _)| {
                let [epoch, offset] = time(at);
                [timer.number() as f64, epoch, offset]
            };
            held.world.timers().map(numbers).collect()
        });
        self.give(numbers.into_iter().flatten());
    }
}
