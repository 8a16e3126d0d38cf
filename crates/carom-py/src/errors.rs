//! Refusals as exceptions: those of `carom.errors`, with field, value and what is allowed.

use crate::handle::Numbered;
use carom_engine::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A value as an exception holds it: a number, or text.
#[derive(Clone, Debug, IntoPyObject)]
pub(crate) enum Value {
    Number(f64),
    Whole(u64),
    Text(String),
}

/// A class of `carom.errors`; `ValueError` if the package is broken.
fn exception(name: &'static str, told: (String, Option<String>, Option<Value>, Option<String>)) -> PyErr {
    static CAROM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static STALE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static SCENE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| {
        let class = match name {
            "StaleHandle" => &STALE,
            "SceneError" => &SCENE,
            _ => &CAROM,
        };
        match class.import(py, "carom.errors", name) {
            Ok(class) => PyErr::from_type(class.clone(), told),
            Err(_) => PyValueError::new_err(told.0),
        }
    })
}

/// A value that is not allowed.
pub(crate) fn value(field: &str, value: Value, allowed: &str) -> PyErr {
    let shown = match &value {
        Value::Number(number) => number.to_string(),
        Value::Whole(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    };
    let message = format!("{field} is {shown}, allowed is {allowed}");
    exception("CaromError", (message, Some(field.to_owned()), Some(value), Some(allowed.to_owned())))
}

/// Text that is not allowed.
pub(crate) fn text(field: &str, given: &str, allowed: &str) -> PyErr {
    value(field, Value::Text(format!("{given:?}")), allowed)
}

/// A refusal without a field.
pub(crate) fn plain(message: impl ToString) -> PyErr {
    exception("CaromError", (message.to_string(), None, None, None))
}

/// A handle that names nothing.
pub(crate) fn stale(field: &'static str, number: u64) -> PyErr {
    let allowed = format!("the handle of a {field} of this world that has not been removed");
    let message = format!("{field} {number} does not exist (any more)");
    exception("StaleHandle", (message, Some(field.to_owned()), Some(Value::Whole(number)), Some(allowed)))
}

/// A refusal of the engine.
pub(crate) fn refused(error: Error) -> PyErr {
    let told = |field: &str, value: f64, allowed: &str| {
        let field = Some(field.to_owned());
        (error.to_string(), field, Some(Value::Number(value)), Some(allowed.to_owned()))
    };
    match error {
        Error::NoSuchDisc(id) => stale("disc", id.number()),
        Error::NoSuchWall(id) => stale("wall", id.number()),
        Error::NoSuchRegion(id) => stale("region", id.number()),
        Error::OutOfRange { field, value, allowed } => exception("CaromError", told(field, value, allowed)),
        Error::Inconsistent { field, value, reason } => exception("CaromError", told(field, value, reason)),
        Error::OverlapsDisc { depth, .. }
        | Error::OverlapsWall { depth, .. }
        | Error::WallOverlapsDisc { depth, .. }
        | Error::NoRoom { depth, .. } => exception("CaromError", told("overlap", depth, "touching")),
        other => plain(other),
    }
}

/// A refusal of a scene file.
pub(crate) fn scene(error: &carom_scene::SceneError) -> PyErr {
    use carom_scene::SceneError;
    let (field, value, allowed) = match error {
        SceneError::Value { place, value, allowed } => {
            (Some(place.to_string()), Some(value.clone()), Some(allowed.clone()))
        }
        SceneError::Unsupported { place, found, allowed } => {
            (Some(place.to_string()), Some(found.clone()), Some(allowed.to_string()))
        }
        SceneError::Syntax { place, .. }
        | SceneError::Missing { place, .. }
        | SceneError::Unexpected { place, .. }
        | SceneError::NoRoom { place, .. }
        | SceneError::Refused { place, .. } => (Some(place.to_string()), None, None),
        _ => (None, None, None),
    };
    exception("SceneError", (error.to_string(), field, value.map(Value::Text), allowed))
}

/// A refusal of billiards.
pub(crate) fn billiards(error: &carom_billiards::Error) -> PyErr {
    use carom_billiards::Error as Wrong;
    let told = |field: &str, value: Value, allowed: &str| {
        let (field, allowed) = (Some(field.to_owned()), Some(allowed.to_owned()));
        exception("CaromError", (error.to_string(), field, Some(value), allowed))
    };
    match error {
        Wrong::OutOfRange { field, value, allowed } => told(field, Value::Number(*value), allowed),
        Wrong::Misplaced { label, allowed, .. } => told("balls", Value::Text(label.clone()), allowed),
        Wrong::OffTable { label, .. } => told("balls", Value::Text(label.clone()), "places on the table"),
        Wrong::Overlap { depth, .. } => told("overlap", Value::Number(*depth), "touching"),
        Wrong::Miscue { offset, allowed } => {
            told("side, height", Value::Number(*offset), &allowed.to_string())
        }
        Wrong::Unknown { what, name, known } => told(what, Value::Text(name.clone()), known),
        Wrong::NoSuchBall { label, known } => told("ball", Value::Text(label.clone()), known),
        Wrong::Engine(error) => refused(*error),
        _ => plain(error),
    }
}

/// A refusal of a picture or a movie.
pub(crate) fn drawn(error: &carom_draw::DrawError) -> PyErr {
    match error {
        carom_draw::DrawError::OutOfRange { field, value, allowed } => {
            let field = field.trim_start_matches("style.").trim_start_matches("options.");
            self::value(field, Value::Text(value.clone()), allowed)
        }
        other => plain(other),
    }
}

/// The same of a row of a bulk call.
pub(crate) fn at_row(row: usize, raised: PyErr) -> PyErr {
    // What is no exception of ours stays as it is.
    Python::attach(|py| raised.value(py).setattr("row", row).ok());
    raised
}

/// What the engine refuses, as an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(refused)
    }
}

/// A handle from a number that Python was given before.
pub(crate) trait Given: Numbered {
    fn given(number: u64) -> PyResult<Self> {
        Self::from_number(number).ok_or_else(|| stale(Self::FIELD, number))
    }
}

impl<H: Numbered> Given for H {}
