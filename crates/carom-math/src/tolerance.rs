//! The tolerances of the crate, side by side. No tolerance is a length of time: a contact is a sign change of
//! an exact expression, not a distance below an epsilon.

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

/// Half an ulp of 1: the largest relative error of one rounding.
pub(crate) const HALF_ULP: f64 = 0.5 * f64::EPSILON;

/// Room that a curve leaves to the centre of a disc, in what counts as touching, up to which the disc fits in
/// exactly.
///
/// In less room the place of the centre, and the direction of the wall seen from it, are rounding: the disc
/// would meet the wall in any direction. In more, the direction is known to a part in a thousand.
pub(crate) const FITTING_TOUCHES: f64 = 1024.0;

/// Errors of the end of an arc, in what counts as touching: it is computed from an angle, which is rounded,
/// and from sine and cosine.
///
/// Smaller, and a point that slides along a straight wall into a tangent arc hits the arc's end from outside.
/// Larger, and a point that hits the arc just beside the end passes.
pub(crate) const ARC_END_TOUCHES: f64 = 4.0;

/// How deep, in what counts as touching, a disc is at most that rounding has put into a one-sided segment.
///
/// What its path or a jam puts there is some dozens deep. Smaller, and a disc that lies on the segment falls
/// through it; larger, and one that turns back before it has come through is stopped sooner.
pub(crate) const FRONT_TOUCHES: f64 = 1024.0;

/// As [`FRONT_TOUCHES`], in radii: 2⁻³⁰, some times what contacts that rest leave, which is 10⁻¹⁰.
pub(crate) const FRONT_DEPTH: f64 = 1.0 / (1u64 << 30) as f64;

/// Squared cosine between path and normal from which a path out of a round room leaves the arc's surface for
/// certain.
///
/// Below it the path may be a slide along the wall, or a chord of one. A slide that ends at the arc's end
/// leaves the arc there, and does not meet it within the generous ends.
pub(crate) const STEEP: f64 = 1.0 / 1024.0;

/// A chord shorter than this fraction of a round room's radius is not told from sliding along the wall: 2⁻³³.
///
/// Its sagitta is 2⁻⁶⁹ of the radius, far below an ulp. Shorter chords would be computed from rounding;
/// longer ones are flown.
pub(crate) const SLIDING_CHORD: f64 = 1.0 / (1u64 << 33) as f64;

/// Squared rate of the distance, as a share of the largest that the bend of the path allows, up to which a
/// path on a parabola grazes: 1024 · 2⁻⁵², 64 times the rounding of the gap.
///
/// There `rate t` and `½ bend t²` of the squared gap may be of one size, so a gap within rounding moves the
/// time of contact by more than it does along the path: it is computed with the exact gap. With less, such
/// times lose half of their digits; with more, plain hits take the slow way.
pub(crate) const GRAZING_RATE: f64 = 1024.0 * f64::EPSILON;

/// Share of the magnitudes of its terms from which on a sum has the sign that it shows: 2⁻²⁰.
///
/// Far above rounding, since the sum is divided by: a quotient of a smaller one would say nothing. What fails
/// is decided by the slower search.
pub(crate) const CERTAIN_SUM: f64 = 1.0 / (1u64 << 20) as f64;

/// Factor of `bend · gap` that a squared rate stays below where a parabola has no root: 4, less far more than
/// the rounding of both sides. Nearer to 4, and rounding would decide; farther, and more misses take a square
/// root.
pub(crate) const MISSES_LINE: f64 = 3.999;

/// What a lower bound of a time gives away for its own rounding, as a share of it: 2⁻⁴⁰.
///
/// Far more than the few ulps that it takes, and far less than the bound leaves to the time. Smaller than the
/// rounding, and a disc could be found outside of its circle before it is asked for.
pub(crate) const BOUND_MARGIN: f64 = 1.0 / (1u64 << 40) as f64;

/// What bounds of speeds, accelerations and reaches in a search are taken larger by, as a share: far above
/// rounding. Larger, and the search takes shorter steps; smaller than rounding, and a step could pass a
/// contact.
pub(crate) const SEARCH_MARGIN: f64 = 1e-9;

/// Rounding of places on a path among images, as a share of the way and the coordinates: 36 half ulps.
///
/// Path, rows and images are each rounded by a few 2⁻⁵³ of their magnitude. Smaller, and an image that is
/// just touched is left out; larger costs a look at an image that is missed.
pub(crate) const IMAGE_ROUNDING: f64 = 4e-15;

/// Rounding of a position within a row of images, in periods: about a hundred half ulps of 1. It bounds the
/// reduction of offset and slope modulo 1. Errors like those of [`IMAGE_ROUNDING`].
pub(crate) const COLUMN_ROUNDING: f64 = 1e-14;

/// What times that end a search among images are taken larger by, as a share of them. It only lengthens the
/// search; smaller than the rounding of the quotients, and the last image is left out.
pub(crate) const WINDOW_MARGIN: f64 = 1e-12;
