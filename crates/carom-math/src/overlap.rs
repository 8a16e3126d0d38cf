//! Overlap of two discs by squared distances: no square root, no division.
//!
//! `d` is the relative position of the centres, `v` their relative velocity, `reach` the contact distance
//! (the sum of the radii), all in the caller's units. `overlaps` is strict: touching discs do not overlap.
//! `touches_or_overlaps` is inclusive. Both are exact for the rounded squares that they compare; when a gap
//! of a few ulps matters, use [`crate::toi::squared_gap`], which does not round the cancellation.

use crate::DVec2;

/// Whether the discs overlap: `|d|² < reach²`. Touching is not overlapping.
#[inline]
#[must_use]
pub fn overlaps(d: DVec2, reach: f64) -> bool {
    d.length_squared() < reach * reach
}

/// Whether the discs touch or overlap: `|d|² ≤ reach²`.
#[inline]
#[must_use]
pub fn touches_or_overlaps(d: DVec2, reach: f64) -> bool {
    d.length_squared() <= reach * reach
}

/// Whether discs in uniform relative motion would overlap `dt` from now (`dt` may be negative).
#[inline]
#[must_use]
pub fn overlaps_at(d: DVec2, v: DVec2, reach: f64, dt: f64) -> bool {
    overlaps(d + v * dt, reach)
}

/// Whether discs in uniform relative motion would touch or overlap `dt` from now (`dt` may be negative).
#[inline]
#[must_use]
pub fn touches_or_overlaps_at(d: DVec2, v: DVec2, reach: f64, dt: f64) -> bool {
    touches_or_overlaps(d + v * dt, reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    // 3-4-5: |d| = 5 exactly, so the border is met without rounding.
    const D: DVec2 = DVec2::new(3.0, -4.0);

    #[test]
    fn the_border_belongs_to_the_inclusive_form_only() {
        assert!(!overlaps(D, 5.0) && touches_or_overlaps(D, 5.0));
        let more = 5.0 * (1.0 + f64::EPSILON);
        assert!(overlaps(D, more) && touches_or_overlaps(D, more));
        let less = 5.0 * (1.0 - f64::EPSILON);
        assert!(!overlaps(D, less) && !touches_or_overlaps(D, less));
    }

    #[test]
    fn later_and_earlier() {
        let v = DVec2::new(-1.0, 0.0);
        // From (10, 0) with reach 2: inside for 8 < t < 12, touching at 8 and at 12.
        let d = DVec2::new(10.0, 0.0);
        for (t, strict, inclusive) in [
            (7.5, false, false),
            (8.0, false, true),
            (10.0, true, true),
            (12.0, false, true),
            (-8.0, false, false),
        ] {
            assert_eq!(overlaps_at(d, v, 2.0, t), strict, "{t}");
            assert_eq!(touches_or_overlaps_at(d, v, 2.0, t), inclusive, "{t}");
        }
    }

    #[test]
    fn two_points_overlap_nowhere() {
        assert!(!overlaps(DVec2::ZERO, 0.0));
        assert!(touches_or_overlaps(DVec2::ZERO, 0.0));
    }
}
