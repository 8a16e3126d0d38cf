//! Errors of the engine and of scenes as refusals: with the names that the package has for what it takes, and
//! with short numbers.

use crate::handle::Numbered;
use crate::refused::{Refused, shown};
use carom_engine::{DiscId, Error, RegionId, WallId};
use carom_scene::SceneError;

impl Refused {
    /// Something that would overlap by `depth`.
    fn overlap(what: &str, depth: f64, way_out: &str) -> Self {
        let message = format!("{what} by {}; allowed is touching{way_out}", rounded(depth));
        let [field, allowed] = ["overlap", "touching"].map(|text| Some(text.to_owned()));
        Refused { code: "overlap", message, field, value: Some(shown(depth)), allowed }
    }

    /// A handle that names nothing.
    fn gone(field: &'static str, number: f64) -> Self {
        let allowed = format!("a {field} of this world that has not been removed");
        let message = format!("{field} {number} does not exist (any more)");
        let [field, value] = [field.to_owned(), number.to_string()].map(Some);
        Refused { code: "gone", message, field, value, allowed: Some(allowed) }
    }
}

/// What the package calls a value that has another name in the engine.
fn named(field: &str) -> String {
    match field {
        "dt" => return "seconds".to_owned(),
        "time_scale" => return "scale".to_owned(),
        _ => {}
    }
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name + &head.to_uppercase() + rest
    })
}

/// A length as a sentence says it: four digits.
fn rounded(length: f64) -> String {
    shown(format!("{length:.3e}").parse().unwrap_or(length))
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        match error {
            Error::OutOfRange { field, value, allowed } => {
                Refused::value(&named(field), shown(value), allowed)
            }
            Error::Inconsistent { field, value, reason } => {
                let (field, value) = (named(field), shown(value));
                let message = format!("{field} is {value}: {reason}");
                let [field, value, allowed] = [field, value, reason.to_owned()].map(Some);
                Refused { code: "value", message, field, value, allowed }
            }
            Error::NoSuchDisc(id) => Refused::gone(DiscId::FIELD, id.nearest_number()),
            Error::NoSuchWall(id) => Refused::gone(WallId::FIELD, id.nearest_number()),
            Error::NoSuchRegion(id) => Refused::gone(RegionId::FIELD, id.nearest_number()),
            Error::OverlapsDisc { other, depth } => {
                let what = format!("the disc would overlap disc {}", other.nearest_number());
                Refused::overlap(&what, depth, ", or `overlap: true`")
            }
            Error::OverlapsWall { wall, part, depth } => {
                let what = format!("the disc would overlap part {part} of wall {}", wall.nearest_number());
                Refused::overlap(&what, depth, ", or `overlap: true`")
            }
            Error::WallOverlapsDisc { disc, depth } => {
                Refused::overlap(&format!("the wall would overlap disc {}", disc.nearest_number()), depth, "")
            }
            Error::NoRoom { disc, depth } => {
                let disc = disc.nearest_number();
                let what = format!("no room was found: disc {disc} would still overlap something");
                Refused::overlap(&what, depth, "")
            }
            other => {
                let code = if matches!(other, Error::Full(_)) { "full" } else { "refused" };
                let (field, value, allowed) = Default::default();
                Refused { code, message: other.to_string(), field, value, allowed }
            }
        }
    }
}

impl From<SceneError> for Refused {
    fn from(error: SceneError) -> Self {
        let message = match &error {
            // There are no files here.
            SceneError::NoSuchScene { name, closest } => {
                let near = closest.map_or_else(String::new, |near| format!("; the nearest name is `{near}`"));
                format!("there is no scene `{name}`{near}")
            }
            other => other.to_string(),
        };
        let (field, value, allowed) = match error {
            SceneError::Value { place, value, allowed } => {
                (Some(place.to_string()), Some(value), Some(allowed))
            }
            SceneError::Unsupported { place, found, allowed } => {
                (Some(place.to_string()), Some(found), Some(allowed.into_string()))
            }
            SceneError::Syntax { place, .. }
            | SceneError::Missing { place, .. }
            | SceneError::Unexpected { place, .. }
            | SceneError::NoRoom { place, .. }
            | SceneError::Refused { place, .. } => (Some(place.to_string()), None, None),
            _ => (None, None, None),
        };
        Refused { code: "scene", message, field, value, allowed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::{Disc, World};

    #[test]
    fn names_are_those_of_the_package_and_numbers_are_short() {
        let names = ["dt", "time_scale", "max_speed", "velocity.x", "max.x - min.x"].map(named);
        assert_eq!(names, ["seconds", "scale", "maxSpeed", "velocity.x", "max.x - min.x"]);
        let numbers = [1e300, -1e-300, f64::INFINITY, -f64::INFINITY, f64::NAN, 3.0, 0.1, -0.0].map(shown);
        assert_eq!(numbers, ["1e300", "-1e-300", "Infinity", "-Infinity", "NaN", "3", "0.1", "-0"]);
        assert_eq!(rounded(1.799_999_999_999_999_8), "1.8");
    }

    #[test]
    fn an_error_of_the_engine_says_what_the_package_was_given() {
        let mut world: World = World::new();
        let disc = world.insert(Disc::new([0.0, 0.0], 1.0)).unwrap();
        let said = |error: Result<_, Error>| Refused::from(error.unwrap_err()).message;
        let seconds = world.advance(-1e300).map(|_| ());
        assert_eq!(said(seconds), "seconds is -1e300, allowed is a finite number, at least 0");
        let overlap = world.insert(Disc::new([1.1, 0.0], 1.0)).map(|_| ());
        assert_eq!(
            said(overlap),
            "the disc would overlap disc 0 by 0.9; allowed is touching, or `overlap: true`"
        );
        world.remove(disc).unwrap();
        let gone = Refused::from(world.set_mass(disc, 1.0).unwrap_err());
        assert_eq!((gone.code, gone.value.as_deref()), ("gone", Some("0")));
    }
}
