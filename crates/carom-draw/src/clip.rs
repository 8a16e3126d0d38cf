//! Cuts shapes to what is near the sheet, so that the rasteriser never sees a huge coordinate.
//!
//! All coordinates are pixels. The rasteriser works in 32-bit floats with fixed-point edges; a half-plane, a
//! disc that flew off or a circle that looks like a line must be cut in f64 before.

use glam::DVec2;

/// A rectangle, `min` ≤ `max` in both coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) min: DVec2,
    pub(crate) max: DVec2,
}

impl Area {
    pub(crate) fn new(min: DVec2, max: DVec2) -> Self {
        Self { min, max }
    }

    pub(crate) fn size(&self) -> DVec2 {
        self.max - self.min
    }

    pub(crate) fn centre(&self) -> DVec2 {
        self.min + (self.max - self.min) * 0.5
    }

    pub(crate) fn grown(&self, by: f64) -> Self {
        Self { min: self.min - DVec2::splat(by), max: self.max + DVec2::splat(by) }
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn contains(&self, p: DVec2) -> bool {
        p.cmpge(self.min).all() && p.cmple(self.max).all()
    }

    pub(crate) fn contains_area(&self, other: &Self) -> bool {
        self.contains(other.min) && self.contains(other.max)
    }

    pub(crate) fn corners(&self) -> [DVec2; 4] {
        [self.min, DVec2::new(self.max.x, self.min.y), self.max, DVec2::new(self.min.x, self.max.y)]
    }

    /// Whether a circle reaches into the rectangle.
    pub(crate) fn touches_circle(&self, centre: DVec2, radius: f64) -> bool {
        centre.is_finite() && (centre - centre.clamp(self.min, self.max)).length() <= radius
    }

    /// The part of a segment inside, or `None` (Liang and Barsky 1984).
    pub(crate) fn segment(&self, a: DVec2, b: DVec2) -> Option<(DVec2, DVec2)> {
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let d = b - a;
        if !d.is_finite() {
            return None;
        }
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            if d[axis] == 0.0 {
                if a[axis] < self.min[axis] || a[axis] > self.max[axis] {
                    return None;
                }
                continue;
            }
            let t = [(self.min[axis] - a[axis]) / d[axis], (self.max[axis] - a[axis]) / d[axis]];
            enter = enter.max(t[0].min(t[1]));
            leave = leave.min(t[0].max(t[1]));
        }
        (enter <= leave).then(|| {
            // An end that is inside stays exactly where it is.
            let begin = if enter == 0.0 { a } else { a + d * enter };
            let end = if leave == 1.0 { b } else { a + d * leave };
            (begin.clamp(self.min, self.max), end.clamp(self.min, self.max))
        })
    }

    /// The part of a filled polygon inside: empty where there is none (Sutherland and Hodgman 1974).
    pub(crate) fn polygon(&self, points: &[DVec2]) -> Vec<DVec2> {
        if points.iter().any(|p| !p.is_finite()) {
            return Vec::new();
        }
        let sides =
            [(DVec2::X, self.min), (DVec2::Y, self.min), (DVec2::NEG_X, self.max), (DVec2::NEG_Y, self.max)];
        let mut kept =
            sides.into_iter().fold(points.to_vec(), |rest, (inwards, at)| half_plane(&rest, at, inwards));
        // Where an edge of 10^17 pixels crosses a side is known to ten pixels: along that side only.
        kept.iter_mut().for_each(|p| *p = p.clamp(self.min, self.max));
        kept
    }
}

/// The part of a filled polygon on the side of the line through `at` to which `inwards` points.
pub(crate) fn half_plane(points: &[DVec2], at: DVec2, inwards: DVec2) -> Vec<DVec2> {
    let depth = |p: DVec2| (p - at).dot(inwards);
    let mut kept = Vec::with_capacity(points.len() + 2);
    for (k, &p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        let (dp, dq) = (depth(p), depth(q));
        if dp >= 0.0 {
            kept.push(p);
        }
        if (dp >= 0.0) != (dq >= 0.0) {
            kept.push(p + (q - p) * (dp / (dp - dq)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Area {
        Area::new(DVec2::ZERO, DVec2::ONE)
    }

    fn area_of(points: &[DVec2]) -> f64 {
        (0..points.len()).map(|k| points[k].perp_dot(points[(k + 1) % points.len()])).sum::<f64>() / 2.0
    }

    #[test]
    fn segments_are_cut_at_the_sides() {
        let cut = unit().segment(DVec2::new(-1.0, 0.5), DVec2::new(3.0, 0.5));
        assert_eq!(cut, Some((DVec2::new(0.0, 0.5), DVec2::new(1.0, 0.5))));
        let inside = (DVec2::new(0.1, 0.2), DVec2::new(0.7, 0.9));
        assert_eq!(unit().segment(inside.0, inside.1), Some(inside));
        assert_eq!(unit().segment(DVec2::new(-1.0, 0.5), DVec2::new(0.5, 2.5)), None);
        assert_eq!(unit().segment(DVec2::new(2.0, 2.0), DVec2::new(2.0, 2.0)), None);
        let (a, b) = unit().segment(DVec2::new(-1e9, 0.25), DVec2::new(1e9, 0.25)).unwrap();
        assert!(a.x.abs() < 1e-6 && (b.x - 1.0).abs() < 1e-6, "{a} {b}");
        assert_eq!(unit().segment(DVec2::new(f64::NAN, 0.0), DVec2::ONE), None);
        assert_eq!(unit().segment(DVec2::new(-f64::MAX, 0.0), DVec2::new(f64::MAX, 0.0)), None);
    }

    #[test]
    fn polygons_are_cut_to_the_right_area() {
        let diamond = [(0.5, -0.5), (1.5, 0.5), (0.5, 1.5), (-0.5, 0.5)].map(|(x, y)| DVec2::new(x, y));
        assert!((area_of(&unit().polygon(&diamond)) - 1.0).abs() < 1e-12);
        let shifted = diamond.map(|p| p + DVec2::new(0.5, 0.0));
        // Half of it hangs out on the right, and its left corner is exactly on the left side.
        assert!((area_of(&unit().polygon(&shifted)) - 0.75).abs() < 1e-12);
        assert!(unit().polygon(&diamond.map(|p| p + DVec2::splat(9.0))).is_empty());
        assert!(unit().polygon(&[]).is_empty());
    }
}
