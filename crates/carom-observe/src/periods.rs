use crate::ObserveError;
use carom_engine::limits::{MAX_LENGTH, MIN_LENGTH};
use glam::DVec2;

/// The periods of a rectangular world, axis by axis; an axis without one is open.
///
/// On an axis of period L the world repeats itself after L length units, and a wrapped coordinate is in [0, L).
///
/// ```
/// use carom_math::DVec2;
/// use carom_observe::Periods;
///
/// let tube = Periods::new(Some(10.0), None)?;
/// assert_eq!(tube.nearest(DVec2::new(9.0, 9.0)), DVec2::new(-1.0, 9.0));
/// assert_eq!(tube.wrap(DVec2::new(-0.5, -0.5)), DVec2::new(9.5, -0.5));
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Periods {
    x: Option<f64>,
    y: Option<f64>,
}

impl Periods {
    /// Open on both axes.
    pub const NONE: Self = Self { x: None, y: None };

    /// Periods in length units, from 10⁻¹⁵ to 10¹⁵.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn new(x: Option<f64>, y: Option<f64>) -> Result<Self, ObserveError> {
        for (field, period) in [("periods.x", x), ("periods.y", y)] {
            if let Some(period) = period {
                ObserveError::check(field, period, MIN_LENGTH, MAX_LENGTH)?;
            }
        }
        Ok(Self { x, y })
    }

    /// Periodic on both axes.
    ///
    /// # Errors
    /// If a side is out of range.
    pub fn rectangle(sides: DVec2) -> Result<Self, ObserveError> {
        Self::new(Some(sides.x), Some(sides.y))
    }

    /// The period along x, if there is one.
    #[must_use]
    pub fn x(self) -> Option<f64> {
        self.x
    }

    /// The period along y, if there is one.
    #[must_use]
    pub fn y(self) -> Option<f64> {
        self.y
    }

    /// The shorter one, if there is one.
    #[must_use]
    pub fn shortest(self) -> Option<f64> {
        match (self.x, self.y) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        }
    }

    /// The area of one period, if both axes have one.
    #[must_use]
    pub fn area(self) -> Option<f64> {
        Some(self.x? * self.y?)
    }

    /// The shortest of all images of a displacement: on a periodic axis it is in [−L/2, L/2].
    ///
    /// Rounded once at most.
    #[inline]
    #[must_use]
    pub fn nearest(self, d: DVec2) -> DVec2 {
        DVec2::new(nearest(d.x, self.x), nearest(d.y, self.y))
    }

    /// The image of a place in [0, L) on each periodic axis.
    #[inline]
    #[must_use]
    pub fn wrap(self, place: DVec2) -> DVec2 {
        DVec2::new(wrap(place.x, self.x), wrap(place.y, self.y))
    }
}

#[inline]
fn nearest(d: f64, period: Option<f64>) -> f64 {
    let Some(period) = period else { return d };
    let half = 0.5 * period;
    if d.abs() <= half {
        return d;
    }
    let once = d - period.copysign(d);
    if once.abs() <= half {
        return once;
    }
    // The remainder is exact and less than a period: one more subtraction, which is exact, too.
    let rest = d % period;
    if rest.abs() <= half { rest } else { rest - period.copysign(rest) }
}

#[inline]
fn wrap(x: f64, period: Option<f64>) -> f64 {
    let Some(period) = period else { return x };
    if (0.0..period).contains(&x) {
        // So that −0 is 0.
        return x + 0.0;
    }
    let rest = x % period;
    let wrapped = if rest < 0.0 { rest + period } else { rest + 0.0 };
    // A place just below 0 is rounded to the period itself, which is 0.
    if wrapped < period { wrapped } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of all sizes, and those that sit on or beside a multiple of half a period.
    fn coordinate(period: f64) -> impl Strategy<Value = f64> {
        prop_oneof![
            -3.0 * period..3.0 * period,
            (-6i32..=6, -2i32..=2).prop_map(move |(halves, ulps)| {
                let x = f64::from(halves) * 0.5 * period;
                x + f64::from(ulps) * f64::EPSILON * x.abs().max(1e-300)
            }),
            (-12f64..12.0).prop_map(|power| 10f64.powf(power)),
            (-12f64..12.0).prop_map(|power| -10f64.powf(power)),
        ]
    }

    proptest! {
        #[test]
        fn images_differ_by_whole_periods(period in 0.1f64..10.0, x in coordinate(1.0)) {
            let x = x * period;
            let periods = Periods::new(Some(period), None).unwrap();
            // An ulp of what was given, and one of the period, that wrapping may add.
            let slack = 2.0 * f64::EPSILON * (x.abs() + period);
            for (image, least, most) in [
                (periods.nearest(DVec2::new(x, x)), -0.5 * period, 0.5 * period),
                (periods.wrap(DVec2::new(x, x)), 0.0, period),
            ] {
                prop_assert!(image.x >= least && image.x <= most);
                prop_assert_eq!(image.y, x);
                let turns = (x - image.x) / period;
                prop_assert!((turns - turns.round()).abs() * period <= slack, "{} {}", x, image.x);
            }
            prop_assert!(periods.wrap(DVec2::new(x, x)).x < period);
        }
    }

    #[test]
    fn a_hair_below_zero_is_zero() {
        let periods = Periods::new(Some(1.0), Some(3.0)).unwrap();
        assert_eq!(periods.wrap(DVec2::new(-1e-20, 3.0)), DVec2::ZERO);
        assert!(periods.wrap(DVec2::new(-0.0, -0.0)).x.is_sign_positive());
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for bad in [0.0, -1.0, 1e-16, 1e16, f64::NAN, f64::INFINITY] {
            assert!(Periods::new(Some(bad), None).is_err(), "{bad}");
            assert!(Periods::new(None, Some(bad)).is_err(), "{bad}");
        }
        assert_eq!(Periods::rectangle(DVec2::new(2.0, 3.0)).unwrap().area(), Some(6.0));
        assert_eq!(Periods::new(None, Some(3.0)).unwrap().area(), None);
        assert_eq!(Periods::new(Some(4.0), Some(3.0)).unwrap().shortest(), Some(3.0));
    }
}
