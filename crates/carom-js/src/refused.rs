//! A refusal as the text from which JavaScript makes a `CaromError`.

use carom_engine::math::Shown;
use wasm_bindgen::JsValue;

/// A number as JavaScript writes it: `1e300`, `Infinity`. It has all digits that tell it from other numbers,
/// and no long run of zeros in place of an exponent.
pub(crate) fn shown(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    Shown(number).to_string()
}

/// A refusal: JSON with `code`, `message`, `field`, `value` and `allowed`, which the package makes an error
/// of.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Refused {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allowed: Option<String>,
}

impl Refused {
    /// A value that is not allowed.
    pub(crate) fn value(field: &str, value: impl ToString, allowed: &str) -> Self {
        let value = value.to_string();
        let message = format!("{field} is {value}, allowed is {allowed}");
        let [field, allowed] = [field, allowed].map(|text| Some(text.to_owned()));
        Refused { code: "value", message, field, value: Some(value), allowed }
    }

    /// The same of a value that is a part of another one.
    pub(crate) fn within(mut self, whole: &str) -> Self {
        self.message = format!("{whole}.{}", self.message);
        self.field = self.field.map(|field| format!("{whole}.{field}"));
        self
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

impl From<Refused> for JsValue {
    fn from(refused: Refused) -> JsValue {
        match serde_json::to_string(&refused) {
            Ok(text) => JsValue::from_str(&text),
            Err(_) => JsValue::from_str(&refused.message),
        }
    }
}
