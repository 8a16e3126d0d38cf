//! Worlds with their past.

use crate::advance::{Advance, without_callback};
use crate::errors::{OrRaise, plain};
use crate::laws::{Laws, RoughRuled, Ruled};
use crate::room::{Held, Room, in_room};
use crate::time::{Time, When};
use crate::world::World;
use carom_engine::Smooth;
use pyo3::prelude::*;

/// The past of a world of any of the physics.
enum Past {
    Smooth(Box<carom_timeline::Timeline<Smooth>>),
    Forces(Box<carom_timeline::Timeline<Ruled>>),
    Rough(Box<carom_timeline::Timeline<RoughRuled>>),
}

/// The same expression for each of them.
macro_rules! in_past {
    ($past:expr, $timeline:ident => $body:expr) => {
        match $past {
            Past::Smooth($timeline) => $body,
            Past::Forces($timeline) => $body,
            Past::Rough($timeline) => $body,
        }
    };
}

/// A world with its past: it goes to any time at which it has been, or on to a later one.
#[pyclass(module = "carom")]
pub(crate) struct Timeline {
    past: Past,
}

fn past_of<P: Laws>(world: &carom_engine::World<P>, bytes: usize) -> Box<carom_timeline::Timeline<P>> {
    let mut world = world.clone();
    world.set_record_events(true);
    Box::new(carom_timeline::Timeline::with_limit(world, bytes))
}

fn shown<P: Laws>(timeline: &carom_timeline::Timeline<P>) -> Box<Held<P>> {
    let mut held = Held::new(timeline.world().clone());
    held.events.extend_from_slice(timeline.world().events());
    held
}

fn take<P: Laws>(timeline: &mut carom_timeline::Timeline<P>, world: &carom_engine::World<P>) {
    let edited = timeline.edit(|own| {
        own.clone_from(world);
        own.set_record_events(true);
        Ok::<(), carom_engine::Error>(())
    });
    debug_assert!(edited.is_ok(), "the edit is one that does not fail");
}

#[pymethods]
impl Timeline {
    /// From the present of a world on, with copies of up to this many bytes.
    #[new]
    #[pyo3(signature = (world, *, bytes = 64 << 20))]
    fn new(world: PyRef<'_, World>, bytes: usize) -> PyResult<Timeline> {
        in_room!(world.room(), held => without_callback(held))?;
        let past = match world.room() {
            Room::Smooth(held) => Past::Smooth(past_of(&held.world, bytes)),
            Room::Forces(held) => Past::Forces(past_of(&held.world, bytes)),
            Room::Rough(held) => Past::Rough(past_of(&held.world, bytes)),
        };
        Ok(Timeline { past })
    }

    /// A copy of the world as it is now.
    #[getter]
    fn world(&self) -> World {
        World::of(match &self.past {
            Past::Smooth(timeline) => Room::Smooth(shown(timeline)),
            Past::Forces(timeline) => Room::Forces(shown(timeline)),
            Past::Rough(timeline) => Room::Rough(shown(timeline)),
        })
    }

    #[getter]
    fn now(&self) -> f64 {
        in_past!(&self.past, timeline => timeline.world().now().as_secs())
    }

    #[getter]
    fn start(&self) -> Time {
        Time::of(in_past!(&self.past, timeline => timeline.start()))
    }

    #[getter]
    fn end(&self) -> Time {
        Time::of(in_past!(&self.past, timeline => timeline.end()))
    }

    /// The number of the last event up to the present, counted from 1.
    #[getter]
    fn event(&self) -> u64 {
        in_past!(&self.past, timeline => timeline.event())
    }

    #[getter]
    fn first_event(&self) -> u64 {
        in_past!(&self.past, timeline => timeline.first_event())
    }

    #[getter]
    fn last_event(&self) -> u64 {
        in_past!(&self.past, timeline => timeline.last_event())
    }

    /// Goes to a time, back or on.
    fn go_to(&mut self, py: Python<'_>, time: When) -> PyResult<Advance> {
        in_past!(&mut self.past, timeline => {
            let at = time.moment(timeline.world())?;
            py.detach(|| timeline.go_to(at)).map(Advance::of).or_raise()
        })
    }

    /// Goes on by some seconds.
    fn advance(&mut self, py: Python<'_>, dt: f64) -> PyResult<Advance> {
        in_past!(&mut self.past, timeline => py.detach(|| timeline.advance(dt))).map(Advance::of).or_raise()
    }

    /// Goes to just after an event, by its number.
    fn go_to_event(&mut self, py: Python<'_>, number: u64) -> PyResult<Advance> {
        let done = in_past!(&mut self.past, timeline => py.detach(|| timeline.go_to_event(number)));
        done.map(Advance::of).or_raise()
    }

    /// Goes on to the next event.
    fn step(&mut self) -> Advance {
        Advance::of(in_past!(&mut self.past, timeline => timeline.step()))
    }

    /// Goes back by an event.
    fn step_back(&mut self) -> Advance {
        Advance::of(in_past!(&mut self.past, timeline => timeline.step_back()))
    }

    /// Takes an edited copy of the present for the present, and forgets the future.
    fn edit(&mut self, world: PyRef<'_, World>) -> PyResult<()> {
        match (&mut self.past, world.room()) {
            (Past::Smooth(timeline), Room::Smooth(held)) => take(timeline, &held.world),
            (Past::Forces(timeline), Room::Forces(held)) => take(timeline, &held.world),
            (Past::Rough(timeline), Room::Rough(held)) => take(timeline, &held.world),
            _ => return Err(plain("the world has another physics than the timeline")),
        }
        Ok(())
    }
}
