//! Errors of the engine as the texts from which JavaScript makes a `CaromError`.

use carom_engine::Error;
use carom_scene::SceneError;
use wasm_bindgen::JsValue;

/// A refusal: JSON with `code`, `message`, `field`, `value` and `allowed`, which the package makes an error
/// of.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Refused {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
}

impl Refused {
    /// A value that is not allowed.
    pub(crate) fn value(field: &str, value: impl ToString, allowed: &str) -> Self {
        let value = value.to_string();
        let message = format!("{field} is {value}, allowed is {allowed}");
        let [field, allowed] = [field, allowed].map(|text| Some(text.to_owned()));
        Refused { code: "value", message, field, value: Some(value), allowed }
    }

    /// A text that cannot be read.
    pub(crate) fn text(field: &str, message: impl ToString) -> Self {
        let field = Some(field.to_owned());
        Refused { code: "text", message: message.to_string(), field, value: None, allowed: None }
    }

    /// What is wrong, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        let (mut field, mut value, mut allowed) = (None, None, None);
        let code = match error {
            Error::OutOfRange { field: name, value: given, allowed: range } => {
                (field, value, allowed) = (Some(name), Some(given.to_string()), Some(range.to_owned()));
                "value"
            }
            Error::Inconsistent { field: name, value: given, reason } => {
                (field, value, allowed) = (Some(name), Some(given.to_string()), Some(reason.to_owned()));
                "value"
            }
            Error::NoSuchDisc(id) => {
                (field, value) = (Some("disc"), Some(id.to_string()));
                allowed = Some("a disc of this world that has not been removed".to_owned());
                "gone"
            }
            Error::NoSuchWall(id) => {
                (field, value) = (Some("wall"), Some(id.to_string()));
                allowed = Some("a wall of this world that has not been removed".to_owned());
                "gone"
            }
            Error::NoSuchRegion(id) => {
                (field, value) = (Some("region"), Some(id.to_string()));
                allowed = Some("a region of this world that has not been removed".to_owned());
                "gone"
            }
            Error::OverlapsDisc { depth, .. }
            | Error::OverlapsWall { depth, .. }
            | Error::WallOverlapsDisc { depth, .. } => {
                (field, value) = (Some("overlap"), Some(depth.to_string()));
                allowed = Some("touching".to_owned());
                "overlap"
            }
            Error::Full(_) => "full",
            _ => "refused",
        };
        Refused { code, message: error.to_string(), field: field.map(str::to_owned), value, allowed }
    }
}

impl From<SceneError> for Refused {
    fn from(error: SceneError) -> Self {
        let message = error.to_string();
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

impl From<Refused> for JsValue {
    fn from(refused: Refused) -> JsValue {
        match serde_json::to_string(&refused) {
            Ok(text) => JsValue::from_str(&text),
            Err(_) => JsValue::from_str(&refused.message),
        }
    }
}
