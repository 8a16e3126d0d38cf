use crate::DVec2;

/// A rectangle of the plane that repeats itself, along one axis, both or none: periodic boundaries.
///
/// Points that are whole periods apart are one. On an axis without a period every displacement is taken as it
/// is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Periods {
    /// 0 on an axis without a period.
    lengths: DVec2,
    /// 0 on an axis without a period.
    inverse: DVec2,
}

impl Periods {
    /// Adding and subtracting this rounds a number below 2⁵¹ to the nearest whole one, half to even.
    pub const ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;

    /// No period on either axis: the open plane.
    pub const NONE: Periods = Periods { lengths: DVec2::ZERO, inverse: DVec2::ZERO };

    /// With these lengths in length units; `None` if one of them, or its reciprocal, is not a positive finite
    /// number.
    #[must_use]
    pub fn new(x: Option<f64>, y: Option<f64>) -> Option<Self> {
        let checked = |length: Option<f64>| match length {
            None => Some((0.0, 0.0)),
            Some(length) => {
                let inverse = 1.0 / length;
                let fits = |x: f64| x > 0.0 && x.is_finite();
                (fits(length) && fits(inverse)).then_some((length, inverse))
            }
        };
        let ((x, by_x), (y, by_y)) = (checked(x)?, checked(y)?);
        Some(Periods { lengths: DVec2::new(x, y), inverse: DVec2::new(by_x, by_y) })
    }

    /// Whether neither axis has a period.
    #[inline(always)]
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.lengths == DVec2::ZERO
    }

    /// The period along x.
    #[must_use]
    pub fn x(&self) -> Option<f64> {
        (self.lengths.x > 0.0).then_some(self.lengths.x)
    }

    /// The period along y.
    #[must_use]
    pub fn y(&self) -> Option<f64> {
        (self.lengths.y > 0.0).then_some(self.lengths.y)
    }

    /// The shorter of the periods; infinite without any.
    #[must_use]
    pub fn shortest(&self) -> f64 {
        self.x().unwrap_or(f64::INFINITY).min(self.y().unwrap_or(f64::INFINITY))
    }

    /// Both lengths, 0 on an axis without a period.
    #[inline(always)]
    #[must_use]
    pub fn lengths(&self) -> DVec2 {
        self.lengths
    }

    /// The reciprocals of [`Periods::lengths`], 0 on an axis without a period.
    #[inline(always)]
    #[must_use]
    pub fn inverse(&self) -> DVec2 {
        self.inverse
    }

    /// How many periods to take off a displacement to have its nearest image. Odd in `d`. Rounded, which may
    /// give one of two that are equally near; whole up to 2⁵¹ periods.
    #[inline(always)]
    #[must_use]
    pub fn whole_periods(&self, d: DVec2) -> DVec2 {
        let count = d * self.inverse;
        DVec2::new((count.x + Self::ROUNDER) - Self::ROUNDER, (count.y + Self::ROUNDER) - Self::ROUNDER)
    }

    /// The image of a displacement that is `count` periods back.
    #[inline(always)]
    #[must_use]
    pub fn image(&self, d: DVec2, count: DVec2) -> DVec2 {
        d - count * self.lengths
    }

    /// The shortest of all images of a displacement (the minimum image).
    #[inline(always)]
    #[must_use]
    pub fn nearest(&self, d: DVec2) -> DVec2 {
        if self.is_open() { d } else { self.image(d, self.whole_periods(d)) }
    }

    /// Whether a displacement is its own nearest image.
    #[inline(always)]
    #[must_use]
    pub fn is_nearest(&self, d: DVec2) -> bool {
        self.whole_periods(d) == DVec2::ZERO
    }

    /// The image of a place that is in the rectangle at the origin, `0 ≤ x < length`, and by how many periods
    /// the place is beyond it. Only the image is rounded, once.
    #[inline]
    #[must_use]
    pub fn wrap(&self, place: DVec2) -> (DVec2, [i64; 2]) {
        let (x, across) = wrap_along(place.x, self.lengths.x, self.inverse.x);
        let (y, up) = wrap_along(place.y, self.lengths.y, self.inverse.y);
        (DVec2::new(x, y), [across, up])
    }
}

#[inline(always)]
fn wrap_along(x: f64, length: f64, inverse: f64) -> (f64, i64) {
    if length == 0.0 || (x >= 0.0 && x < length) {
        return (x, 0);
    }
    let quotient = x * inverse;
    let whole = (quotient + Periods::ROUNDER) - Periods::ROUNDER;
    let count = if whole > quotient { whole - 1.0 } else { whole };
    let wrapped = x - count * length;
    // The quotient was rounded, or the place is less than an ulp below the edge.
    let (wrapped, count) = if wrapped < 0.0 { (wrapped + length, count - 1.0) } else { (wrapped, count) };
    if wrapped >= length { ((wrapped - length).max(0.0), count as i64 + 1) } else { (wrapped, count as i64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_image_is_within_half_a_period() {
        let tube = Periods::new(Some(10.0), None).unwrap();
        for (d, nearest) in [(4.0, 4.0), (6.0, -4.0), (-1234.5, -4.5), (1e6 + 3.0, 3.0)] {
            assert!((tube.nearest(DVec2::new(d, d)) - DVec2::new(nearest, d)).length() < 1e-9);
        }
        assert_eq!(Periods::NONE.nearest(DVec2::splat(1e300)), DVec2::splat(1e300));
    }

    #[test]
    fn odd_to_the_last_bit() {
        let periods = Periods::new(Some(0.7), Some(1.3)).unwrap();
        let mut x = 0.1f64;
        for k in 0..10_000 {
            x = (x * 1.618_033_988_7 + 0.377).fract();
            // Halves, too, where rounding decides.
            let d = DVec2::new((x - 0.5) * 40.0, 0.65 * f64::from(k % 7 - 3));
            let (there, back) = (periods.nearest(d), periods.nearest(-d));
            assert_eq!(there, -back, "{d}");
        }
    }

    #[test]
    fn wrapped_places_are_in_the_rectangle() {
        for length in [0.1, 1.0, 3.7] {
            let periods = Periods::new(Some(length), None).unwrap();
            for n in [-1000i64, -3, -1, 0, 1, 2, 999_999] {
                for part in [0.0, f64::EPSILON, 0.25, 1.0 - f64::EPSILON] {
                    for x in [(n as f64 + part) * length, ((n as f64 + part) * length).next_down(), -1e-300] {
                        let (wrapped, count) = periods.wrap(DVec2::new(x, x));
                        assert!((0.0..length).contains(&wrapped.x), "{x} to {wrapped}");
                        assert_eq!(wrapped.y, x);
                        let back = wrapped.x + count[0] as f64 * length;
                        assert!((back - x).abs() <= f64::EPSILON * x.abs().max(length), "{x} {back}");
                        assert_eq!(count[1], 0);
                    }
                }
            }
        }
    }

    #[test]
    fn lengths_that_are_none() {
        for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
            assert_eq!(Periods::new(Some(length), None), None);
            assert_eq!(Periods::new(Some(1.0), Some(length)), None);
        }
        assert_eq!(Periods::new(None, None), Some(Periods::NONE));
    }
}
