use crate::toi::disc_disc::both_roots;

/// A function at one argument.
pub(super) struct Value {
    /// Its value.
    pub(super) value: f64,
    /// Its derivative.
    pub(super) slope: f64,
    /// A bound of the rounding error of its value: nothing is known of a smaller one.
    pub(super) noise: f64,
}

/// Steps after which a search ends wherever it is.
///
/// Bisection alone needs this many to find the last bit of a root that is 10⁻¹⁵⁰ of the range. A search that
/// takes more has a function whose values are not numbers.
const MOST_STEPS: u32 = 600;

/// The root of a monotone function between `low` and `high`, where its values have opposite signs, that at
/// `low` a positive one if `is_positive_at_low`; looked for from `guess` on, which is between them.
///
/// Newton's method, kept between bounds that bisection narrows (as in Press et al., *Numerical Recipes*,
/// §9.4, `rtsafe`), until a step does not change the argument or the value is within its noise.
pub(super) fn between(
    bounds: (f64, f64),
    guess: f64,
    is_positive_at_low: bool,
    f: impl Fn(f64) -> Value,
) -> f64 {
    let (mut low, mut high) = bounds;
    let mut t = guess;
    let mut step = high - low;
    for _ in 0..MOST_STEPS {
        let Value { value, slope, noise } = f(t);
        if (value > 0.0) == is_positive_at_low {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let is_inside = low < newton && newton < high;
        if value.abs() <= noise {
            return if is_inside { newton } else { t };
        }
        let next = if is_inside && (newton - t).abs() <= 0.5 * step { newton } else { 0.5 * (low + high) };
        step = (next - t).abs();
        if next == t || !(low < next && next < high) {
            return t;
        }
        t = next;
    }
    t
}

/// The two roots of `a t² + 2 b t + c`, in order, for `a > 0`; `None` if there are not two.
#[inline]
pub(super) fn of_quadratic(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
    let disc = b * b - a * c;
    (disc > 0.0).then(|| both_roots(a, b, c, disc))
}
