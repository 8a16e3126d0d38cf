//! How a disc looks: its colour, as [`Rgb`], and its label. The physics never asks.

use carom_math::elementary::sin_cos;
use csscolorparser::Color;
use std::fmt;
use std::str::FromStr;

/// An opaque colour: red, green and blue of sRGB, each 0 to 255.
///
/// Read from `#rrggbb`, `#rgb` or a CSS colour name; written as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Rgb(pub u8, pub u8, pub u8);

/// A text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a colour; allowed: \"#rrggbb\", \"#rgb\" or a CSS colour name")]
pub struct ParseRgbError {
    /// The text.
    pub text: String,
}

/// Oklch of [`Rgb::of_phase`]: lightness at size 0 and 1; the most chroma that sRGB has at that lightness for
/// every hue; the hue of phase 0, a red.
const PHASE_DARKEST: f64 = 0.35;
const PHASE_LIGHTEST: f64 = 0.75;
const PHASE_CHROMA: f64 = 0.12;
const PHASE_START: f64 = 0.35;

impl Rgb {
    /// White.
    pub const WHITE: Self = Self(255, 255, 255);
    /// A dark grey, for words and lines.
    pub const INK: Self = Self(0x2b, 0x2d, 0x33);

    fn css(self) -> Color {
        Color::from_rgba8(self.0, self.1, self.2, 255)
    }

    fn from_css(colour: &Color) -> Self {
        let [r, g, b, _] = colour.to_rgba8();
        Self(r, g, b)
    }

    /// A colour for a complex number of size ≤ 1: its phase is the hue, once around, and its size how strong
    /// and how light the colour is; 0 is a dark grey. In Oklch (Ottosson 2020), where equal steps of phase
    /// look equally large and all phases equally light, so that no orientation of a lattice looks better than
    /// another.
    ///
    /// What is larger than 1 is taken as 1, and what is not finite as 0.
    #[must_use]
    pub fn of_phase(re: f64, im: f64) -> Self {
        let size = carom_math::sqrt(re * re + im * im);
        if !size.is_finite() {
            return Self::of_phase(0.0, 0.0);
        }
        let strength = size.min(1.0);
        let lightness = PHASE_DARKEST + (PHASE_LIGHTEST - PHASE_DARKEST) * strength;
        let scale = if size > 1.0 { PHASE_CHROMA / size } else { PHASE_CHROMA };
        let (sin, cos) = sin_cos(PHASE_START);
        let [a, b] = [re * cos - im * sin, re * sin + im * cos].map(|part| (part * scale) as f32);
        Self::from_css(&Color::from_oklaba(lightness as f32, a, b, 1.0).clamp())
    }

    /// How much light the colour has in red, green and blue, each 0 to 1: what adds up where colours meet in
    /// a pixel.
    #[must_use]
    pub fn light(self) -> [f32; 3] {
        let [r, g, b, _] = self.css().to_linear_rgba();
        [r, g, b]
    }

    /// The colour of so much light.
    #[must_use]
    pub fn of_light([r, g, b]: [f32; 3]) -> Self {
        Self::from_css(&Color::from_linear_rgba(r, g, b, 1.0).clamp())
    }

    /// The colour `t` of the way from this one (0) to `other` (1), in Oklab, where equal steps look equal:
    /// in plain sRGB the middle of a blue and a yellow would be a muddy grey.
    #[must_use]
    pub fn mix(self, other: Self, t: f64) -> Self {
        // The ends are exact whatever the conversion there and back rounds.
        if t <= 0.0 {
            self
        } else if t >= 1.0 {
            other
        } else {
            Self::from_css(&self.css().interpolate_oklab(&other.css(), t as f32).clamp())
        }
    }

    /// Oklab lightness, 0 (black) to 1 (white).
    #[must_use]
    pub fn lightness(self) -> f64 {
        f64::from(self.css().to_oklaba()[0])
    }

    /// Distance in Oklab: about 0.02 is just visible side by side, 1 is black against white.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (a, b) = (self.css().to_oklaba(), other.css().to_oklaba());
        (0..3).map(|k| f64::from(a[k] - b[k])).map(|d| d * d).sum::<f64>().sqrt()
    }
}

impl FromStr for Rgb {
    type Err = ParseRgbError;

    fn from_str(text: &str) -> Result<Self, ParseRgbError> {
        let refuse = || ParseRgbError { text: text.to_owned() };
        // The parser also knows rgb(), hsl() and more; the format keeps to the two ways that every tool
        // knows.
        let hex = text.starts_with('#') && matches!(text.len(), 4 | 7);
        let name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !(hex || name) {
            return Err(refuse());
        }
        let [red, green, blue, alpha] = csscolorparser::parse(text).map_err(|_| refuse())?.to_rgba8();
        // "abc" alone would be read as hex digits without the sign.
        let bare_hex = name && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if alpha == u8::MAX && !bare_hex { Ok(Self(red, green, blue)) } else { Err(refuse()) }
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl TryFrom<String> for Rgb {
    type Error = ParseRgbError;

    fn try_from(text: String) -> Result<Self, ParseRgbError> {
        text.parse()
    }
}

impl From<Rgb> for String {
    fn from(colour: Rgb) -> Self {
        colour.to_string()
    }
}

/// How one disc looks: what a drawing may use and the physics never sees.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Look {
    /// A short text to write on the disc, such as a ball's number. Left out where it would be too small to
    /// read; names of more than two characters stand in the legend then.
    pub label: Option<String>,
    /// The colour of the disc and its path; a palette supplies one where this is `None`.
    pub colour: Option<Rgb>,
    /// Whether the colour is a stripe on a white ball rather than the whole ball.
    pub stripe: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_three_ways_and_written_in_one() {
        for (text, want) in [("#ff8000", "#ff8000"), ("#f80", "#ff8800"), ("Tomato", "#ff6347")] {
            assert_eq!(text.parse::<Rgb>().unwrap().to_string(), want);
        }
    }

    #[test]
    fn what_is_no_colour_is_refused() {
        for text in
            ["", "#", "#ff80", "#ff800080", "#gggggg", "rgb(1,2,3)", "transparent", "abc", "nosuch", "#µµ"]
        {
            let error = text.parse::<Rgb>().unwrap_err().to_string();
            assert!(error.contains("is not a colour"), "{text}: {error}");
        }
    }

    /// One turn of the phase: as light everywhere, every step as large, and nothing cut off by what sRGB can
    /// show.
    #[test]
    fn phases_are_a_circle_of_equal_steps() {
        for size in [1.0, 0.5, 0.1] {
            let at = |k: i32| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos();
                Rgb::of_phase(size * cos, size * sin)
            };
            let chord = 2.0 * PHASE_CHROMA * size * (std::f64::consts::PI / 24.0).sin();
            let lightness = PHASE_DARKEST + (PHASE_LIGHTEST - PHASE_DARKEST) * size;
            for k in 0..24 {
                // Half a level of each of three channels is up to 0.003 in Oklab, at either end of a step.
                assert!((at(k).lightness() - lightness).abs() < 0.003, "{} {k}", at(k).lightness());
                assert!(
                    (at(k).distance(at(k + 1)) - chord).abs() < 0.006,
                    "{k}: {}",
                    at(k).distance(at(k + 1))
                );
            }
            assert_eq!(at(24), at(0));
        }
        assert_eq!(Rgb::of_phase(3.0, -4.0), Rgb::of_phase(0.6, -0.8));
        for (re, im) in [(f64::NAN, 0.0), (f64::INFINITY, 1.0), (-0.0, 0.0), (1e-300, -1e-300)] {
            let Rgb(r, g, b) = Rgb::of_phase(re, im);
            assert!(r == g && g == b && r < 70, "{re} {im}: {r} {g} {b}");
        }
    }

    #[test]
    fn light_goes_there_and_back() {
        for level in 0..=255 {
            let colour = Rgb(level, 255 - level, level / 2);
            assert_eq!(Rgb::of_light(colour.light()), colour);
        }
        // Half the light of white is the level 188 of sRGB, not 128.
        assert_eq!(Rgb::of_light([0.5; 3]), Rgb(188, 188, 188));
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for text in ["", "#12345", "bed", "no-such-colour", "#11223344", "transparent", "123456"] {
            let error = text.parse::<Rgb>().unwrap_err().to_string();
            assert!(error.contains("colour") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn a_mix_starts_and_ends_exactly_and_is_ordered_by_lightness() {
        let (dark, light) = (Rgb(10, 40, 90), Rgb(250, 220, 130));
        assert_eq!((dark.mix(light, 0.0), dark.mix(light, 1.0)), (dark, light));
        let steps: Vec<f64> = (0..=10).map(|k| dark.mix(light, f64::from(k) / 10.0).lightness()).collect();
        assert!(steps.windows(2).all(|w| w[0] < w[1]), "{steps:?}");
    }
}
