//! How a disc looks. The physics never asks.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A colour: red, green and blue, 0 to 255 each.
///
/// Read from `#rrggbb`, `#rgb` or a CSS colour name; written as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

impl Colour {
    /// The colour with these three parts.
    #[must_use]
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }
}

impl FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse =
            || format!("`{text}` is not a colour; allowed: \"#rrggbb\", \"#rgb\" or a CSS colour name");
        // The parser also knows rgb(), hsl() and more; the format keeps to the two ways that every tool knows.
        let hex = text.starts_with('#') && matches!(text.len(), 4 | 7);
        let name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !(hex || name) {
            return Err(refuse());
        }
        let [red, green, blue, alpha] = csscolorparser::parse(text).map_err(|_| refuse())?.to_rgba8();
        // "abc" alone would be read as hex digits without the sign.
        let bare_hex = name && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if alpha == u8::MAX && !bare_hex { Ok(Self { red, green, blue }) } else { Err(refuse()) }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl TryFrom<String> for Colour {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.to_string()
    }
}

/// How one disc looks: what a drawing may use and the physics never sees.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Look {
    /// A short text to write on the disc, such as a ball's number.
    pub label: Option<String>,
    /// The colour of the disc.
    pub colour: Option<Colour>,
    /// Whether the colour is a stripe on a white ball rather than the whole ball.
    pub stripe: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_three_ways_and_written_in_one() {
        for (text, want) in [("#ff8000", "#ff8000"), ("#f80", "#ff8800"), ("Tomato", "#ff6347")] {
            assert_eq!(text.parse::<Colour>().unwrap().to_string(), want);
        }
    }

    #[test]
    fn what_is_no_colour_is_refused() {
        for text in
            ["", "#", "#ff80", "#ff800080", "#gggggg", "rgb(1,2,3)", "transparent", "abc", "nosuch", "#µµ"]
        {
            let error = text.parse::<Colour>().unwrap_err();
            assert!(error.contains("is not a colour"), "{text}: {error}");
        }
    }
}
