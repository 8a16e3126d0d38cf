//! What searches give away for rounding. They find what may overlap: to find more costs time, to find less
//! loses an event. So each is far above the roundings that it stands for, and far below what is sought.

use carom_math::{DVec2, Periods};

/// Length that is added to a reach, as a share of the coordinates: 2⁻⁴⁸, thirty-two roundings of half an ulp.
///
/// A centre, its image and the corner of its cell are rounded fewer than ten times. With less than these a
/// circle that just overlaps is overlooked; from 10⁻⁶ on the cells beside a reach are looked at in vain.
const SHARE_OF_PLACE: f64 = 1.0 / (1u64 << 48) as f64;

/// The length that is added to a reach for the rounding of coordinates of this magnitude, and of what is made
/// of them.
pub(crate) fn place_rounding(scale: DVec2, periods: &Periods) -> f64 {
    (scale.abs() + periods.lengths()).element_sum() * SHARE_OF_PLACE
}

/// Share of a range of cells, or of a length along a path, by which it is taken larger.
///
/// Quotients of lengths and sides of cells are rounded to 10⁻¹⁶. A cell is added where a range ends within
/// this share of its edge, which costs nothing; with less than the rounding that cell is left out.
pub(crate) const RANGE_MARGIN: f64 = 1e-9;

/// Rounding of one coordinate or of one multiple of a cell's side, as a share of it: nine half ulps.
///
/// It bounds two or three operations. Smaller, and a strip of cells far out is left out.
pub(crate) const COORDINATE_ROUNDING: f64 = 1e-15;

/// Rounding of a place on a path, as a share of the way and of the coordinates: ninety half ulps.
///
/// It bounds a product, a sum, and the roundings of what they are made of. Smaller, and a path that touches a
/// circle after a long way is taken to pass it.
pub(crate) const PATH_ROUNDING: f64 = 1e-14;

/// Rounding of a number of single precision, as a share of it: sixteen half ulps of 2⁻²⁴.
///
/// It bounds the conversion from double precision, two products and two sums. Smaller, and a member of a cell
/// that touches a line or a wide circle is overlooked.
pub(crate) const SINGLE_ROUNDING: f32 = 1e-6;
