use carom_engine::math::Shown;
use std::fmt;

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Its standard error, ≥ 0.
    pub error: f64,
}

impl Estimate {
    /// The same in other units: `factor` times both.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, error: self.error * factor.abs() }
    }

    /// How many standard errors it lies above `exact`.
    #[must_use]
    pub fn sigmas(self, exact: f64) -> f64 {
        (self.value - exact) / self.error
    }
}

/// `1.2345 ± 0.0067`, to two digits of the error; all digits if the error is 0 or no number.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, error } = *self;
        if !(error > 1e-300 && error < f64::INFINITY) {
            return write!(f, "{} ± {}", Shown(value), Shown(error));
        }
        // The power of ten of the error once it is rounded to two digits: 0.0996 is 0.10.
        let rounded = format!("{error:.1e}");
        let power: i32 = rounded.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
        let digits = usize::try_from(1 - power).unwrap_or(0);
        write!(f, "{value:.digits$} ± {error:.digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_of_the_error() {
        for (value, error, text) in [
            (1.234_567, 0.0123, "1.235 ± 0.012"),
            (1.234_567, 0.0996, "1.23 ± 0.10"),
            (-5.0, 0.000_10, "-5.00000 ± 0.00010"),
            (123_456.0, 78.9, "123456 ± 79"),
            (2.5, 0.0, "2.5 ± 0"),
        ] {
            assert_eq!(Estimate { value, error }.to_string(), text);
        }
    }

    #[test]
    fn deviations_are_counted_in_errors() {
        let estimate = Estimate { value: 3.0, error: 0.5 };
        assert_eq!(estimate.sigmas(2.0), 2.0);
        assert_eq!(estimate.times(-2.0), Estimate { value: -6.0, error: 1.0 });
    }
}
