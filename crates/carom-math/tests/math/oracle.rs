//! The textbook quadratic in exact arithmetic. Nothing here calls the crate under test.

pub(crate) use carom_testkit::big::Exact as Big;

pub(crate) type Vector = carom_testkit::big::Vector<0>;

/// Half an ulp of 1: the relative error of one rounding.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// When is the distance of two centres, apart by `d` and moving with `v`, equal to `reach`?
/// The textbook form, `b² − a c` and `(−b ∓ √)/a`, in exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Quadratic {
    pub(crate) a: Big,
    pub(crate) b: Big,
    pub(crate) c: Big,
    pub(crate) discriminant: Big,
    /// `|d|`, `|v|`, `|d × v|/|v|` and `reach`, for error bounds.
    pub(crate) distance: f64,
    pub(crate) speed: f64,
    pub(crate) impact: f64,
    pub(crate) reach: f64,
}

impl Quadratic {
    pub(crate) fn new(d: &Vector, v: &Vector, reach: &Big) -> Quadratic {
        let (a, b) = (v.dot(v), d.dot(v));
        let c = d.dot(d) - reach.squared();
        let discriminant = b.squared() - &a * &c;
        let cross2 = &(&a * &d.dot(d)) - &b.squared();
        let speed = a.root();
        let impact = if speed > 0.0 { cross2.root() / speed } else { 0.0 };
        Quadratic { a, b, c, discriminant, distance: d.length(), speed, impact, reach: reach.f64() }
    }

    pub(crate) fn first(&self) -> Big {
        (&-&self.b - &self.discriminant.sqrt()).over(&self.a)
    }

    pub(crate) fn last(&self) -> Big {
        (&-&self.b + &self.discriminant.sqrt()).over(&self.a)
    }

    /// Cosine of the angle between path and normal at contact: √(1 − (impact/reach)²), the root of the
    /// relative discriminant. 0 for a graze.
    pub(crate) fn steepness(&self) -> f64 {
        if self.discriminant.is_positive() {
            (self.discriminant.root() / (self.speed * self.reach)).min(1.0)
        } else {
            0.0
        }
    }

    /// Unit of the rounding error of the discriminant `a R² − (d × v)²`.
    pub(crate) fn discriminant_unit(&self) -> f64 {
        U * self.speed * self.speed * (self.reach * self.reach + self.impact * self.distance)
    }

    /// Unit of the rounding error of `b`.
    pub(crate) fn b_unit(&self) -> f64 {
        U * self.speed * self.distance
    }

    /// Unit of the error of a root: the time in which the discs move by `U (|d| + R)/s`, where `s` is the
    /// steepness, which never counts as less than the square root of its own rounding error.
    pub(crate) fn time_unit(&self) -> f64 {
        if self.speed == 0.0 {
            return 0.0;
        }
        let size = self.distance + self.reach;
        let least = if self.reach > 0.0 { (U * size / self.reach).sqrt().min(1.0) } else { 1.0 };
        U * size / (self.speed * self.steepness().max(least))
    }
}
