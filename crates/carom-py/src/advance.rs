//! Time goes on.

use crate::errors::{Given, OrRaise, plain};
use crate::event::Event;
use crate::handle::Numbered;
use crate::judge::Callback;
use crate::laws::{Laws, Told};
use crate::record::{KINDS, Record};
use crate::room::{Held, in_room};
use crate::time::{Time, When};
use crate::words::of_word;
use crate::world::World;
use carom_engine::{DiscId, Moment, StopReason};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Events that a call resolves before it releases the GIL: less than a millisecond's.
const FIRST_SLICE: u64 = 1000;
/// Events between two looks for signals, such as Ctrl-C: some milliseconds.
const SLICE: u64 = 20_000;

/// How a call ended.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Advance {
    end: StopReason,
    time: carom_engine::Time,
    events: u64,
}

#[pymethods]
impl Advance {
    #[getter]
    pub(crate) fn end(&self) -> &'static str {
        match self.end {
            StopReason::Reached => "reached",
            StopReason::Stopped => "stopped",
            StopReason::OutOfBudget => "out_of_budget",
            StopReason::Crushed { .. } => "crushed",
            StopReason::Jammed => "jammed",
            StopReason::Outgrown => "outgrown",
            _ => "other",
        }
    }

    #[getter]
    fn time(&self) -> f64 {
        self.time.as_secs()
    }

    #[getter]
    fn exact_time(&self) -> Time {
        Time::of(self.time)
    }

    #[getter]
    fn events(&self) -> u64 {
        self.events
    }

    fn __repr__(&self) -> String {
        format!("<Advance {}, t = {:?} s, {} events>", self.end(), self.time.as_secs(), self.events)
    }
}

impl Advance {
    pub(crate) fn of(done: carom_engine::Advance) -> Self {
        Advance { end: done.end, time: done.time, events: done.events }
    }
}

/// At which events a call stops.
#[derive(Default)]
pub(crate) struct Stops {
    /// The kinds of events that are kept, a bit for each. 0 keeps all kinds.
    kinds: u32,
    involving: Option<DiscId>,
    function: Option<Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
    is_wanted: bool,
}

impl Stops {
    fn at(kinds: Vec<String>, involving: Option<u64>, function: Option<Py<PyAny>>) -> PyResult<Self> {
        let numbers: Vec<(&str, u32)> = (0..).zip(KINDS).map(|(number, kind)| (kind, number)).collect();
        let bits = kinds.iter().map(|kind| of_word("kind", kind, &numbers).map(|number| 1 << number));
        let kinds = bits.collect::<PyResult<Vec<u32>>>()?.into_iter().sum();
        let involving = involving.map(DiscId::given).transpose()?;
        Ok(Stops { kinds, involving, function, raised: Mutex::default(), is_wanted: true })
    }

    fn wants<P: Laws<Change: Told>>(&self, event: &carom_engine::Event<P::Change>) -> bool {
        if !self.is_wanted {
            return false;
        }
        let record = Record::of::<P>(event);
        let is_kind = self.kinds == 0 || self.kinds >> record.kind & 1 == 1;
        let is_disc = self.involving.is_none_or(|disc| {
            record.a == disc.number() || (record.b_kind == 1 && record.b == disc.number())
        });
        is_kind && is_disc && self.function.as_ref().is_none_or(|function| self.ask(function, record))
    }

    fn ask(&self, function: &Py<PyAny>, record: Record) -> bool {
        let answer = Python::attach(|py| function.bind(py).call1((Event(record),))?.is_truthy());
        answer.unwrap_or_else(|raised| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            true
        })
    }

    fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<P: Laws<Change: Told>> Held<P> {
    /// Runs on until `budget` more events are resolved, and keeps those that are reported.
    fn run(
        &mut self,
        to: carom_engine::Time,
        budget: u64,
        stops: &Stops,
    ) -> Result<carom_engine::Advance, carom_engine::Error> {
        let Held { world, events, .. } = self;
        let (own, is_recorded) = (world.settings().budget, world.settings().record_events);
        world.set_budget(budget);
        let done = world.advance_to_with(Moment::Exact(to), &mut |event: &carom_engine::Event<P::Change>| {
            if is_recorded {
                events.push(*event);
            }
            if stops.wants::<P>(event) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        world.set_budget(own);
        done
    }

    fn callback(&self) -> Option<Arc<Callback>> {
        self.world.physics().rules().and_then(|rules| rules.callback.clone())
    }

    /// What a function has raised that was asked for a verdict.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.callback()?.take_raised()
    }

    /// Runs on to a time. Long runs release the GIL, and end where a signal raises an exception.
    fn go(&mut self, py: Python<'_>, to: carom_engine::Time, stops: &Stops) -> PyResult<Advance> {
        self.events.clear();
        let callback = self.callback();
        let asks = callback.is_some() || stops.function.is_some();
        let (mut left, mut slice, mut events) = (self.world.settings().budget, FIRST_SLICE, 0);
        loop {
            // What a function raises ends the call at that event.
            let share = if callback.is_some() { left.min(1) } else { left.min(slice) };
            let is_first = slice == FIRST_SLICE;
            let done = if is_first || asks {
                self.run(to, share, stops)
            } else {
                py.detach(|| self.run(to, share, stops))
            };
            let done = done.or_raise()?;
            (left, slice, events) = (left - share, SLICE, events + done.events);
            if let Some(raised) = stops.take_raised().or_else(|| callback.as_ref()?.take_raised()) {
                return Err(raised);
            }
            if done.end != StopReason::OutOfBudget || left == 0 {
                return Ok(Advance { events, ..Advance::of(done) });
            }
            py.check_signals()?;
        }
    }
}

fn after<P: Laws>(world: &carom_engine::World<P>, dt: f64) -> PyResult<carom_engine::Time> {
    if !(dt >= 0.0) {
        return world.after(dt).or_raise();
    }
    world.after(dt * world.settings().time_scale).or_raise()
}

#[pymethods]
impl World {
    /// Advances by some seconds, events at the very end included.
    pub fn advance(&mut self, py: Python<'_>, dt: f64) -> PyResult<Advance> {
        in_room!(self.edit(), held => {
            let to = after(&held.world, dt)?;
            held.go(py, to, &Stops::default())
        })
    }

    /// Advances to a time.
    pub fn advance_to(&mut self, py: Python<'_>, time: When) -> PyResult<Advance> {
        in_room!(self.edit(), held => {
            let to = held.world.time_at(time.moment(&held.world)?).or_raise()?;
            held.go(py, to, &Stops::default())
        })
    }

    /// Advances by some seconds, or to the first event that is wanted.
    #[pyo3(signature = (dt, *, kinds = Vec::new(), involving = None, when = None))]
    pub fn until(
        &mut self,
        py: Python<'_>,
        dt: f64,
        kinds: Vec<String>,
        involving: Option<u64>,
        when: Option<Py<PyAny>>,
    ) -> PyResult<Advance> {
        let stops = Stops::at(kinds, involving, when)?;
        in_room!(self.edit(), held => {
            let to = after(&held.world, dt)?;
            held.go(py, to, &stops)
        })
    }

    /// Advances to the next event and past it. Without a next event it does nothing.
    pub fn step_event(&mut self) -> PyResult<Advance> {
        in_room!(self.edit(), held => {
            let done = held.world.step_event();
            held.world.swap_events(&mut held.events);
            match held.raised() {
                Some(raised) => Err(raised),
                None => Ok(Advance::of(done)),
            }
        })
    }
}

/// Refuses a copy that could not do what the world does.
pub(crate) fn without_callback<P: Laws>(held: &Held<P>) -> PyResult<()> {
    match held.world.physics().rules() {
        Some(rules) if rules.callback.is_some() => Err(plain(
            "a world whose `judge` is a function has no snapshots, timelines, movies or environments",
        )),
        _ => Ok(()),
    }
}
