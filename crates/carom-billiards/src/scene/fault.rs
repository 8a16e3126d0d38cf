//! What is wrong with a scene: where in the file, in the words of the file.

use crate::Error;
use carom_engine::Error as EngineError;
use carom_engine::math::Shown;
use carom_scene::{FieldPath, SceneError};

/// A field at the top.
pub(super) fn field(name: &str) -> FieldPath {
    FieldPath::root().field(name)
}

/// What [`Coefficients`](crate::Coefficients) calls its fields.
const COEFFICIENTS: [&str; 7] =
    ["sliding", "rolling", "spinning", "friction", "restitution", "cushion_friction", "cushion_restitution"];

pub(super) fn out_of_range(path: FieldPath, value: f64, allowed: &str) -> SceneError {
    SceneError::value(path, Shown(value), allowed)
}

/// An error of something that stands at a path: a number that it names is a field there.
pub(super) fn wrong(path: FieldPath, error: &Error) -> SceneError {
    let is_whole = [field("table"), field("shot"), field("rack")].contains(&path);
    let named = |name: &str| {
        // Where files have what the table, a ball or a mouth calls by this name.
        let place = match name.split_once('.') {
            Some(("physics", name)) => name.to_owned(),
            Some(("friction", _)) => "ball.friction".into(),
            Some(("corner" | "side", _)) => format!("pockets.{name}"),
            None if COEFFICIENTS.contains(&name) => format!("ball.{name}"),
            _ => name.to_owned(),
        };
        let steps = place.split('.').map(|step| if is_whole { None } else { "xyz".find(step) }.ok_or(step));
        steps.fold(path.clone(), |path, step| match step {
            Ok(item) => path.item(item),
            Err(step) => path.field(step),
        })
    };
    match error {
        Error::OutOfRange { field, value, allowed }
        | Error::Engine(EngineError::OutOfRange { field, value, allowed }) => {
            out_of_range(named(field), *value, allowed)
        }
        Error::Miscue { offset, allowed } => {
            let allowed =
                format!("a tip at most {} radii off the centre: beyond, it slips off", Shown(*allowed));
            SceneError::value(path, format!("an offset of {}", Shown(*offset)), allowed)
        }
        error => SceneError::value(path, "this", format!("something else: {error}")),
    }
}
