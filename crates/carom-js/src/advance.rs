//! Time goes on.

use crate::engine::{Engine, time};
use crate::handle::{NONE, Numbered};
use crate::keep::Keep;
use crate::laws::Laws;
use crate::refused::{Refused, shown};
use crate::room::{Held, in_room};
use carom_engine::{Advance, Error, Moment, StopReason, UpcomingKind};
use wasm_bindgen::prelude::*;

/// How far a call is to go.
#[derive(Clone, Copy)]
enum Far {
    By(f64),
    To(Moment),
    NextEvent,
}

fn run<P: Laws>(held: &mut Held<P>, far: Far, keep: &mut Keep) -> Result<Advance, Error> {
    let world = &mut held.world;
    match far {
        Far::By(seconds) => world.advance_with(seconds, keep),
        Far::To(moment) => world.advance_to_with(moment, keep),
        Far::NextEvent => {
            let until = world.next_event().map_or(world.now(), |next| next.time);
            let budget = world.settings().budget;
            world.set_budget(1);
            let advance = world.advance_to_with(until, keep);
            world.set_budget(budget);
            advance
        }
    }
}

/// A reason to stop as a number: as in `package/carom.js`.
pub(crate) fn stop(end: StopReason) -> f64 {
    match end {
        StopReason::Reached => 0.0,
        StopReason::Stopped => 1.0,
        StopReason::OutOfBudget => 2.0,
        StopReason::Crushed { .. } => 3.0,
        StopReason::Jammed => 4.0,
        StopReason::Outgrown => 5.0,
        _ => 6.0,
    }
}

impl Engine {
    /// A time that this world has given.
    pub(crate) fn exact(&self, epoch: f64, offset: f64) -> Result<Moment, Refused> {
        let at = in_room!(&self.room, held => held.world.clock().from_parts(epoch, offset));
        let allowed = "a time that this world has given";
        at.map(Moment::Exact).ok_or_else(|| Refused::value("time", shown(epoch + offset), allowed))
    }

    fn go(&mut self, far: Far) -> Result<(), Refused> {
        let mut keep = Keep::records(std::mem::take(&mut self.events));
        let advance = in_room!(&mut self.room, held => run(held, far, &mut keep));
        self.events = keep.into_records();
        let advance = advance?;
        let [epoch, offset] = time(advance.time);
        self.give([stop(advance.end), epoch, offset, advance.events as f64]);
        Ok(())
    }
}

#[wasm_bindgen]
impl Engine {
    /// Advances by some seconds.
    ///
    /// # Errors
    /// They are negative, not finite, or too many for the clock.
    pub fn advance(&mut self, seconds: f64) -> Result<(), Refused> {
        self.go(Far::By(seconds))
    }

    /// Advances to a time in seconds.
    ///
    /// # Errors
    /// It is past, not finite, or too far for the clock.
    pub fn advance_to(&mut self, seconds: f64) -> Result<(), Refused> {
        self.go(Far::To(Moment::Seconds(seconds)))
    }

    /// Advances to a time that the world has given, to the last bit.
    ///
    /// # Errors
    /// As `advance_to`, or it is none of this world's clock.
    pub fn advance_to_exact(&mut self, epoch: f64, offset: f64) -> Result<(), Refused> {
        let at = self.exact(epoch, offset)?;
        self.go(Far::To(at))
    }

    /// Advances to the next event and past it.
    ///
    /// # Errors
    /// None.
    pub fn step_event(&mut self) -> Result<(), Refused> {
        self.go(Far::NextEvent)
    }

    /// The next event: time, kind, the disc, and what it meets. False if there is none.
    pub fn next_event(&mut self) -> bool {
        let next = in_room!(&mut self.room, held => held.world.next_event());
        let Some(next) = next else { return false };
        let [epoch, offset] = time(next.time);
        let [kind, a, b, part] = match next.kind {
            UpcomingKind::Discs(a, b) => [0.0, a.nearest_number(), b.nearest_number(), 0.0],
            UpcomingKind::Wall(a, b, part) => [1.0, a.nearest_number(), b.nearest_number(), f64::from(part)],
            UpcomingKind::Change(a) => [2.0, a.nearest_number(), NONE, 0.0],
            UpcomingKind::Release(a) => [3.0, a.nearest_number(), NONE, 0.0],
            UpcomingKind::Enter(a, b) => [4.0, a.nearest_number(), b.nearest_number(), 0.0],
            UpcomingKind::Leave(a, b) => [5.0, a.nearest_number(), b.nearest_number(), 0.0],
            UpcomingKind::Timer(timer) => [6.0, NONE, NONE, timer.number() as f64],
            UpcomingKind::Arrive(a) => [7.0, a.nearest_number(), NONE, 0.0],
            UpcomingKind::Turned(b) => [8.0, NONE, b.nearest_number(), 0.0],
            UpcomingKind::WallMoved(b) => [9.0, NONE, b.nearest_number(), 0.0],
            _ => [10.0, NONE, NONE, 0.0],
        };
        self.give([epoch, offset, kind, a, b, part]);
        true
    }

    /// Sets how many events one call may have.
    pub fn set_budget(&mut self, events: f64) {
        in_room!(&mut self.room, held => held.world.set_budget(events as u64));
    }

    /// Sets how many seconds of the world pass in one of `advance`.
    ///
    /// # Errors
    /// The number is not allowed.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), Refused> {
        Ok(in_room!(&mut self.room, held => held.world.set_time_scale(scale))?)
    }
}
