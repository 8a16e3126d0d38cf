//! Means and their errors.

use std::fmt;

/// A measured number and its standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Estimate {
    /// How many standard errors it lies above a known number.
    pub(crate) fn sigmas(self, exact: f64) -> f64 {
        (self.value - exact) / self.error
    }

    /// The same in other units.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, error: self.error * factor.abs() }
    }

    /// 1/x, to first order in the error.
    pub(crate) fn inverse(self) -> Self {
        Self { value: 1.0 / self.value, error: self.error / (self.value * self.value) }
    }
}

/// `1.2345(67)`: the error in units of the last digits, two of them.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !(self.error > 0.0 && self.error < 1.0) {
            return write!(f, "{} ± {}", self.value, self.error);
        }
        // 0.0995 and above is rounded to 0.10, not to 0.100.
        let digits = (1.0 - (self.error / 0.995).log10().floor()) as usize;
        let last = (self.error * 10f64.powi(digits as i32)).round();
        write!(f, "{:.digits$}({last})", self.value)
    }
}

/// The mean of independent samples, by Welford's sums.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Mean {
    pub(crate) fn push(&mut self, sample: f64) {
        self.count += 1.0;
        let step = sample - self.mean;
        self.mean += step / self.count;
        self.squares += step * (sample - self.mean);
    }

    /// The variance of one sample.
    pub(crate) fn variance(&self) -> f64 {
        self.squares / (self.count - 1.0)
    }

    pub(crate) fn estimate(&self) -> Estimate {
        Estimate { value: self.mean, error: (self.variance() / self.count).sqrt() }
    }
}

/// Something computed from sums, with an error from how it changes when one block is left out.
///
/// A long run is cut into blocks, each longer than anything remembers, and each gives the same K sums. The
/// jackknife needs no formula for how their errors go together (Efron and Stein, Ann. Statist. 9 (1981) 586).
pub(crate) fn jackknife<const K: usize>(blocks: &[[f64; K]], f: impl Fn(&[f64; K]) -> f64) -> Estimate {
    let n = blocks.len() as f64;
    let total: [f64; K] = std::array::from_fn(|k| blocks.iter().map(|block| block[k]).sum());
    let mut without = Mean::default();
    for block in blocks {
        without.push(f(&std::array::from_fn(|k| total[k] - block[k])));
    }
    Estimate { value: f(&total), error: (without.variance() * (n - 1.0) * (n - 1.0) / n).sqrt() }
}
