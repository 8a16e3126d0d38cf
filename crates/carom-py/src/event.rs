//! Events as objects.

use crate::handle::{self, Body, NONE};
use crate::record::{CAUSES, CHANGES, COMMANDS, KINDS, REASONS, Record};
use crate::time::Time;
use crate::vector::Pair;
use pyo3::prelude::*;

/// Something that happened. What an event of its kind does not have is `None`.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Event(pub(crate) Record);

fn known([x, y]: [f64; 2]) -> Option<Pair> {
    (!x.is_nan()).then_some((x, y))
}

fn number(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

impl Event {
    fn is(&self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind())
    }

    fn other_of(&self, kinds: &[&str]) -> Option<u64> {
        self.is(kinds).then_some(self.0.other)
    }
}

#[pymethods]
impl Event {
    #[getter]
    fn kind(&self) -> &'static str {
        KINDS.get(self.0.kind as usize).copied().unwrap_or("other")
    }

    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    #[getter]
    fn exact_time(&self) -> Time {
        Time::of_parts(self.0.epoch, self.0.offset)
    }

    #[getter]
    fn a(&self) -> Option<u64> {
        (self.0.a != NONE).then_some(self.0.a)
    }

    #[getter]
    fn b(&self) -> Option<Body> {
        handle::named(self.0.b_kind as u8, self.0.b, self.0.part)
    }

    #[getter]
    fn group(&self) -> Option<u64> {
        self.is(&["impact"]).then_some(self.0.group)
    }

    #[getter]
    fn point(&self) -> Option<Pair> {
        known(self.0.point)
    }

    #[getter]
    fn normal(&self) -> Option<Pair> {
        known(self.0.normal)
    }

    #[getter]
    fn target(&self) -> Option<Pair> {
        known(self.0.target)
    }

    #[getter]
    fn approach_speed(&self) -> Option<f64> {
        number(self.0.approach_speed)
    }

    #[getter]
    fn impulse(&self) -> Option<f64> {
        number(self.0.impulse)
    }

    #[getter]
    fn angle(&self) -> Option<f64> {
        number(self.0.angle)
    }

    #[getter]
    fn before(&self) -> Option<(Pair, Pair)> {
        let [a, b] = self.0.before;
        known(a).zip(known(b))
    }

    #[getter]
    fn after(&self) -> Option<(Pair, Pair)> {
        let [a, b] = self.0.after;
        known(a).zip(known(b))
    }

    #[getter]
    fn velocity(&self) -> Option<Pair> {
        if self.is(&["impact"]) { None } else { known(self.0.after[0]) }
    }

    #[getter]
    fn user_data(&self) -> (u64, u64) {
        self.0.user_data.into()
    }

    #[getter]
    fn region(&self) -> Option<u64> {
        self.other_of(&["entered", "left"])
    }

    #[getter]
    fn timer(&self) -> Option<u64> {
        self.other_of(&["timer"])
    }

    #[getter]
    fn by(&self) -> Option<u64> {
        self.other_of(&["crushed"])
    }

    #[getter]
    fn note(&self) -> Option<u64> {
        self.is(&["timer"]).then_some(self.0.note)
    }

    #[getter]
    fn cause(&self) -> Option<&'static str> {
        if self.is(&["entered", "left"]) { CAUSES.get(self.0.code as usize).copied() } else { None }
    }

    #[getter]
    fn change(&self) -> Option<&'static str> {
        if self.is(&["change"]) { CHANGES.get(self.0.code as usize).copied() } else { None }
    }

    #[getter]
    fn what(&self) -> Option<&'static str> {
        if self.is(&["refused"]) { COMMANDS.get(self.0.code as usize).copied() } else { None }
    }

    #[getter]
    fn reason(&self) -> Option<&'static str> {
        if self.is(&["refused"]) { REASONS.get(self.0.note as usize).copied() } else { None }
    }

    fn __repr__(&self) -> String {
        let of = |name: &str, number: u64| {
            if number == NONE { String::new() } else { format!(" {name}={number}") }
        };
        let (a, b) = (of("a", self.0.a), of("b", self.0.b));
        format!("<Event {} at {:?} s{a}{b}>", self.kind(), self.0.time)
    }
}
