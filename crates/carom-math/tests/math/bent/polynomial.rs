//! Real roots of polynomials in 320 bits: those of the derivative separate those of the polynomial. Nothing
//! here calls the crate under test.

use carom_testkit::big::Big;

/// 96 decimal digits: the coefficients of a squared distance whose lengths, speeds and accelerations range
/// from 10⁻¹² to 10⁶ are exact in it.
pub(crate) type Number = Big<320>;

/// Coefficients, the constant first.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial(pub(crate) Vec<Number>);

impl Polynomial {
    pub(crate) fn at(&self, t: &Number) -> Number {
        self.0.iter().rev().fold(Number::zero(), |sum, c| sum * t + c)
    }

    pub(crate) fn derivative(&self) -> Polynomial {
        let terms = self.0.iter().enumerate().skip(1);
        Polynomial(terms.map(|(k, c)| &Number::new(k as f64) * c).collect())
    }

    /// A number that no root exceeds, or 0 (Fujiwara 1916).
    fn bound(&self) -> f64 {
        let Some(degree) = self.0.iter().rposition(|c| *c != Number::zero()) else { return 0.0 };
        let lead = self.0[degree].abs().f64();
        let term = |k: usize| (self.0[k].abs().f64() / lead).powf(1.0 / (degree - k) as f64);
        2.5 * (0..degree).map(term).fold(0.0, f64::max)
    }

    /// The positive roots in order, without those at which the sign does not change.
    pub(crate) fn roots(&self) -> Vec<Number> {
        if self.0.len() < 2 {
            return Vec::new();
        }
        self.roots_between(&self.derivative().roots())
    }

    /// As [`Polynomial::roots`], given those of the derivative.
    pub(crate) fn roots_between(&self, turns: &[Number]) -> Vec<Number> {
        let mut ends = vec![Number::zero()];
        ends.extend_from_slice(turns);
        let last = ends[ends.len() - 1].f64();
        ends.push(Number::new(self.bound().max(2.0 * last).max(f64::MIN_POSITIVE)));
        let slope = self.derivative();
        let values: Vec<Number> = ends.iter().map(|t| self.at(t)).collect();
        let mut roots = Vec::new();
        for k in 1..ends.len() {
            if (values[k - 1].is_negative() && values[k].is_positive())
                || (values[k - 1].is_positive() && values[k].is_negative())
            {
                roots.push(self.root_between(&slope, &ends[k - 1], &ends[k], values[k].is_positive()));
            }
        }
        roots
    }

    /// Newton's method between bounds, from where bisection in double precision leads.
    fn root_between(&self, slope: &Polynomial, low: &Number, high: &Number, rises: bool) -> Number {
        let (mut low, mut high) = (low.clone(), high.clone());
        let half = Number::new(0.5);
        let mut t = Number::new(self.rough_root(low.f64(), high.f64(), rises));
        for _ in 0..2000 {
            if !(low < t && t < high) {
                t = &(&low + &high) * &half;
            }
            let value = self.at(&t);
            if value == Number::zero() {
                return t;
            }
            if value.is_positive() == rises {
                high = t.clone();
            } else {
                low = t.clone();
            }
            let width = &high - &low;
            let newton = &t - &value.over(&slope.at(&t));
            let moved = (&newton - &t).abs();
            let is_done = |step: &Number| step.f64() <= 1e-45 * t.f64();
            if is_done(&moved) || is_done(&width) {
                return newton;
            }
            // Where Newton's method does not halve the step, bisection halves the bounds.
            t = if moved < &width * &half { newton } else { &(&low + &high) * &half };
        }
        panic!("no root of {self:?}")
    }

    /// By bisection, in double precision.
    fn rough_root(&self, low: f64, high: f64, rises: bool) -> f64 {
        let (mut low, mut high) = (low, high);
        let coefficients: Vec<f64> = self.0.iter().map(Number::f64).collect();
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let value = coefficients.iter().rev().fold(0.0, |sum, c| sum * middle + c);
            if (value > 0.0) == rises { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}
