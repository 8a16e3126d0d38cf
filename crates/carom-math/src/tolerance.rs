//! The tolerances of the engine, by name. There is none in time: a contact is a sign change of an exact
//! expression, not a distance below an epsilon.

/// Gaps of at most this many units in the last place of the coordinates count as touching.
///
/// A position is rounded when it is stored (half an ulp a coordinate) and so is the path that led to it, so
/// two discs that meet exactly are stored up to a few ulps apart or inside each other. Smaller than 4 and a
/// tight rack would fall apart into pairs; larger and discs that are really apart would share an impact.
pub const TOUCH_ULPS: f64 = 4.0;

/// The largest gap that counts as touching among coordinates and lengths of magnitude `scale`.
///
/// `scale` in length units, ≥ 0. Taken as `4 · 2⁻⁵² · scale`, which is between 4 and 8 ulps of `scale`,
/// as the size of an ulp relative to its number varies by two within a binade.
#[inline]
#[must_use]
pub fn touch_slack(scale: f64) -> f64 {
    TOUCH_ULPS * f64::EPSILON * scale
}

/// A squared gap `|d|² − R²` smaller than this fraction of `R²` is computed with error-free products.
///
/// Above it, cancellation leaves the plain expression at least 41 of its 53 bits, which is as good as `d` and
/// `R` are known after one rounding; the value only decides where the slower, more precise form starts, never
/// a result's meaning.
pub const NEARLY_TOUCHING: f64 = 1.0 / 1024.0;
