use crate::Estimate;

/// The mean of a series whose terms remember each other, with a standard error that knows of it.
///
/// Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461: the series is halved again and again, each time by
/// the means of neighbours. The naive error of the mean grows with the length of the blocks until they are
/// longer than the memory, and stays then. O(1) a term, O(log n) memory: the series is not kept.
///
/// ```
/// use carom_observe::Blocking;
///
/// let mut series = Blocking::new();
/// (0..4096u32).for_each(|k| series.push(f64::from(k % 2)));
/// assert_eq!(series.mean(), Some(0.5));
/// // Pairs all have the same mean.
/// assert_eq!(series.error_of_blocks(1), Some(0.0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Blocking {
    levels: Vec<Level>,
}

/// The blocks of 2ᵏ terms: Welford's sums, and one that waits for its neighbour.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    count: u64,
    mean: f64,
    squares: f64,
    waiting: Option<f64>,
}

impl Level {
    fn push(&mut self, term: f64) -> Option<f64> {
        self.count += 1;
        let step = term - self.mean;
        self.mean += step / self.count as f64;
        self.squares += step * (term - self.mean);
        match self.waiting.take() {
            Some(before) => Some(0.5 * (before + term)),
            None => {
                self.waiting = Some(term);
                None
            }
        }
    }

    fn error(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count >= 2).then(|| carom_math::sqrt(self.squares / (n * (n - 1.0))))
    }
}

impl Blocking {
    /// An empty series.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next term.
    pub fn push(&mut self, term: f64) {
        let mut carried = Some(term);
        for level in &mut self.levels {
            let Some(block) = carried else { return };
            carried = level.push(block);
        }
        if let Some(block) = carried {
            let mut level = Level::default();
            level.push(block);
            self.levels.push(level);
        }
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.count)
    }

    /// Whether there are no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The mean of all terms.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.levels.first().map(|level| level.mean)
    }

    /// The error of the mean if blocks of 2^`level` terms are taken to be independent; level 0 is the naive
    /// error. `None` if there are fewer than two such blocks. Its own relative error is 1/√(2(blocks − 1)).
    #[must_use]
    pub fn error_of_blocks(&self, level: usize) -> Option<f64> {
        self.levels.get(level)?.error()
    }

    /// Mean and error for terms that are independent, such as blocks that are already long. `None` for fewer
    /// than two.
    #[must_use]
    pub fn independent(&self) -> Option<Estimate> {
        Some(Estimate { value: self.mean()?, error: self.error_of_blocks(0)? })
    }

    /// Mean and error for terms that are not: with the shortest blocks of B terms for which B³ >
    /// 2n·(ε(B)/ε(1))⁴, ε(B) being the error from blocks of B terms. There, the blocks' remaining memory and
    /// the scatter of their variance weigh the same (Wolff, Comput. Phys. Commun. 156 (2004) 143; Lee et al.,
    /// Phys. Rev. E 83 (2011) 066706).
    ///
    /// `None` if no length fulfils it: the series is too short for its memory, and the error is unknown.
    /// The error of what differs by rounding only, such as an energy that is kept, is 0.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let naive = self.error_of_blocks(0)?;
        let value = self.mean()?;
        // What is kept differs by rounding, which remembers itself for ever.
        if naive <= 4.0 * f64::EPSILON * value.abs() {
            return Some(Estimate { value, error: 0.0 });
        }
        let terms = self.len() as f64;
        let mut cube = 1.0;
        for level in &self.levels {
            let error = level.error()?;
            let growth = (error / naive) * (error / naive);
            if cube > 2.0 * terms * growth * growth {
                return Some(Estimate { value, error });
            }
            cube *= 8.0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{Generator, Random};

    #[test]
    fn mean_and_naive_error_are_those_of_the_textbook() {
        let mut series = Blocking::new();
        assert!(series.is_empty() && series.mean().is_none() && series.estimate().is_none());
        for term in [1.0, 2.0, 3.0, 4.0, 5.0] {
            series.push(term);
        }
        // Variance 2.5 of 5 terms, and of the blocks 1.5 and 3.5: 2.
        let independent = series.independent().unwrap();
        assert_eq!(series.len(), 5);
        assert!((independent.value - 3.0).abs() < 1e-15 && (independent.error - 0.5f64.sqrt()).abs() < 1e-15);
        assert!((series.error_of_blocks(1).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(series.error_of_blocks(2), None);
    }

    /// For x′ = φx + ξ the variance of the mean is (1 + φ)/(1 − φ) times the naive one, up to 1/n.
    #[test]
    fn memory_is_found() {
        for memory in [0.0, 0.5, 0.9, 0.98] {
            let mut random = Random::new(Generator::default(), 11);
            let mut series = Blocking::new();
            let n = 1 << 20;
            let mut x = 0.0;
            for _ in 0..n {
                x = memory * x + random.normal_pair().x;
                series.push(x);
            }
            let estimate = series.estimate().unwrap();
            let exact = 1.0 / (1.0 - memory) / f64::from(n).sqrt();
            // With B = c·(2n)^⅓·(ratio of variances)^⅔, 1 ≤ c < 2, there are n/B blocks; ratio ≤ 99 and n =
            // 2²⁰ leave 190, whose error is known to 1/√380 = 5 %. Memory across the ends of blocks takes 1 %
            // more. Four errors.
            assert!((estimate.error / exact - 1.0).abs() < 0.21, "{memory}: {estimate:?} {exact}");
            assert!(estimate.sigmas(0.0).abs() < 4.0, "{memory}: {estimate:?}");
        }
    }

    #[test]
    fn a_series_shorter_than_its_memory_has_no_error() {
        let mut series = Blocking::new();
        (0..1000).for_each(|k| series.push(f64::from(k)));
        assert_eq!(series.estimate(), None);
    }

    #[test]
    fn a_constant_has_no_error() {
        let mut series = Blocking::new();
        (0..3).for_each(|_| series.push(0.1));
        assert_eq!(series.estimate(), Some(Estimate { value: 0.1, error: 0.0 }));
        // Nor has an energy that is kept to rounding, which drifts by an ulp each time.
        let mut series = Blocking::new();
        (0..100).for_each(|k| series.push(0.1 + f64::from(k) * 2.0_f64.powi(-56)));
        assert_eq!(series.estimate().map(|estimate| estimate.error), Some(0.0));
    }
}
