//! Exact times.

use crate::errors;
use carom_engine::{Moment, Physics, World};
use pyo3::prelude::*;

/// A time to the last bit: `epoch + offset` seconds, which as one number would be rounded.
#[pyclass(frozen, module = "carom", eq, ord, hash)]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Time {
    #[pyo3(get)]
    epoch: f64,
    #[pyo3(get)]
    offset: f64,
}

impl std::hash::Hash for Time {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Times that are equal have the same bits, except for the sign of zero.
        [self.epoch + 0.0, self.offset + 0.0].map(f64::to_bits).hash(state);
    }
}

impl Time {
    pub(crate) fn of(time: carom_engine::Time) -> Self {
        Time { epoch: time.epoch_start(), offset: time.offset() }
    }

    pub(crate) fn of_parts(epoch: f64, offset: f64) -> Self {
        Time { epoch, offset }
    }

    fn moment<P: Physics>(self, world: &World<P>) -> PyResult<Moment> {
        let exact = world.clock().from_parts(self.epoch, self.offset).map(Moment::Exact);
        let given = errors::Value::Number(self.epoch + self.offset);
        exact.ok_or_else(|| errors::value("time", given, "a time that this world has given"))
    }
}

#[pymethods]
impl Time {
    fn __float__(&self) -> f64 {
        self.epoch + self.offset
    }

    fn __repr__(&self) -> String {
        format!("Time({:?} + {:?} s)", self.epoch, self.offset)
    }
}

/// A time as it is given: seconds, or exact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    Seconds(f64),
    Exact(Time),
}

impl When {
    pub(crate) fn moment<P: Physics>(self, world: &World<P>) -> PyResult<Moment> {
        match self {
            When::Seconds(seconds) => Ok(Moment::Seconds(seconds)),
            When::Exact(time) => time.moment(world),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for When {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<Time>() {
            Ok(time) => Ok(When::Exact(*time.get())),
            Err(_) => given.extract().map(When::Seconds),
        }
    }
}
