use crate::{DVec2, sqrt};

/// The solid half-plane behind a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// A point of the line.
    pub point: DVec2,
    /// Unit normal, from the solid to the free side.
    pub normal: DVec2,
}

impl HalfPlane {
    /// From a point of the line and a direction towards the free side, of any length.
    /// `None` if the direction has no length or is not finite: its length must be in 10⁻¹⁵⁰ … 10¹⁵⁴.
    #[must_use]
    pub fn new(point: DVec2, towards_free: DVec2) -> Option<Self> {
        Some(HalfPlane { point, normal: unit(towards_free)? })
    }
}

/// The straight stretch between two points, without its end points' roundness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it starts.
    pub start: DVec2,
    /// Unit vector along it.
    pub direction: DVec2,
    /// Length, > 0.
    pub length: f64,
}

impl Segment {
    /// From `a` to `b`; `None` if they coincide or are not finite: the length must be in 10⁻¹⁵⁰ … 10¹⁵⁴.
    #[must_use]
    pub fn new(a: DVec2, b: DVec2) -> Option<Self> {
        let along = b - a;
        Some(Segment { start: a, direction: unit(along)?, length: norm(along) })
    }

    /// Unit normal to the left, looking along the segment: the front.
    #[inline(always)]
    #[must_use]
    pub fn normal(&self) -> DVec2 {
        DVec2::new(-self.direction.y, self.direction.x)
    }
}

/// A circle, to be hit from outside (as a fixed disc) or from inside (as a round room).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre.
    pub center: DVec2,
    /// Radius, ≥ 0.
    pub radius: f64,
}

impl Circle {
    /// A fixed point.
    #[inline(always)]
    #[must_use]
    pub fn point(center: DVec2) -> Self {
        Circle { center, radius: 0.0 }
    }
}

/// A part of a circle, without the roundness of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// The circle that it is part of.
    pub circle: Circle,
    /// Unit vector from the centre to the first end.
    pub first: DVec2,
    /// Unit vector from the centre to the last end, counter-clockwise from the first.
    pub last: DVec2,
    /// Whether the arc is longer than half of the circle.
    pub major: bool,
    /// Whether the arc is the whole circle.
    pub full: bool,
}

impl Arc {
    /// Whether the direction from the centre to `from_center` meets the arc.
    ///
    /// `from_center` is not normalised. Its ends are taken generously by a few ulps, so that no disc finds a
    /// gap between an arc and what it joins.
    #[inline]
    #[must_use]
    pub fn spans(&self, from_center: DVec2) -> bool {
        self.spans_within(from_center, crate::tolerance::touch_slack(norm1(from_center)))
    }

    /// Whether the arc meets a direction, with ends that are generous by `slack`: a length along the circle,
    /// 0 for exact ends.
    #[inline]
    #[must_use]
    pub fn spans_within(&self, from_center: DVec2, slack: f64) -> bool {
        if self.full {
            return true;
        }
        // Written so that a slack that is not a number spans: it comes from a contact at the very centre.
        let after_first = !(self.first.perp_dot(from_center) < -slack);
        let before_last = !(from_center.perp_dot(self.last) < -slack);
        if self.major { after_first || before_last } else { after_first && before_last }
    }
}

/// `|x| + |y|`: a cheap bound of the length, at most √2 too large.
#[inline(always)]
pub(crate) fn norm1(x: DVec2) -> f64 {
    x.x.abs() + x.y.abs()
}

#[inline]
pub(crate) fn norm(x: DVec2) -> f64 {
    sqrt(x.x * x.x + x.y * x.y)
}

/// `x / |x|`. Exactly an axis vector for a vector along an axis, since √(x²) = |x| in IEEE arithmetic.
/// `None` below 10⁻¹⁵⁰, where the squares lose digits to underflow, and above 10¹⁵⁴, where they overflow.
#[inline]
pub(crate) fn unit(x: DVec2) -> Option<DVec2> {
    let length = norm(x);
    (length >= 1e-150 && length.is_finite()).then(|| DVec2::new(x.x / length, x.y / length))
}
