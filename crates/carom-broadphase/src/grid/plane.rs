use carom_math::DVec2;

/// The plane, or a rectangle of it that repeats itself along one axis or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// Lengths after which it repeats itself; infinite if it does not.
    pub(crate) periods: [f64; 2],
    /// Their reciprocals, 0 where it does not.
    inverse: [f64; 2],
}

impl Default for Plane {
    fn default() -> Self {
        Plane::new([f64::INFINITY; 2])
    }
}

/// Adding and subtracting this rounds a number below 2⁵¹ to the nearest whole one.
const ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;

impl Plane {
    pub(crate) fn new(periods: [f64; 2]) -> Self {
        Plane { periods, inverse: periods.map(|period| 1.0 / period) }
    }

    #[inline(always)]
    fn is_open(&self) -> bool {
        self.inverse == [0.0; 2]
    }

    /// The shortest of the displacements that lead to the same place.
    #[inline(always)]
    pub(crate) fn nearest(&self, d: DVec2) -> DVec2 {
        if self.is_open() {
            return d;
        }
        DVec2::new(self.nearest_along(0, d.x), self.nearest_along(1, d.y))
    }

    #[inline(always)]
    fn nearest_along(&self, axis: usize, d: f64) -> f64 {
        if self.inverse[axis] == 0.0 {
            return d;
        }
        let turns = (d * self.inverse[axis] + ROUNDER) - ROUNDER;
        d - turns * self.periods[axis]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_image_is_within_half_a_period() {
        let plane = Plane::new([10.0, f64::INFINITY]);
        for (d, nearest) in [(4.0, 4.0), (6.0, -4.0), (-1234.5, -4.5), (1e6 + 3.0, 3.0)] {
            assert!((plane.nearest(DVec2::new(d, d)) - DVec2::new(nearest, d)).length() < 1e-9);
        }
        assert_eq!(Plane::default().nearest(DVec2::splat(1e300)), DVec2::splat(1e300));
    }
}
