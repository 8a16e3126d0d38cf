use crate::ObserveError;

/// How often values were seen, of values whose range is not known before: speeds, free times, energies.
///
/// Bins of one width begin at 0, and the first value above 0 is in the middle of them. Where a value is
/// beyond the last one, the width is doubled and bins are joined in pairs. So the largest value is in the
/// upper half, and each count is exact. Memory is O(bins), and so is the time for a doubling; a value takes
/// O(1).
///
/// ```
/// use carom_observe::Histogram;
///
/// let mut speeds = Histogram::new(8)?;
/// for speed in [1.0, 1.5, 2.0, 5.0] {
///     speeds.add(speed)?;
/// }
/// // The first value made bins of 1/4, the last one doubled that twice.
/// let bins: Vec<_> = speeds.bins().collect();
/// assert_eq!((bins[1].low, bins[1].high, bins[1].count), (1.0, 2.0, 2));
/// assert_eq!(bins.iter().map(|bin| bin.density * (bin.high - bin.low)).sum::<f64>(), 1.0);
/// assert_eq!(speeds.mean(), Some(2.375));
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Histogram {
    /// Of a bin; 0 before the first value above 0.
    width: f64,
    counts: Vec<u64>,
    /// Values that were 0 before there was a width.
    zeros: u64,
    count: u64,
    sum: f64,
}

/// A bin of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistogramBin {
    /// The least value in it.
    pub low: f64,
    /// The end of its range, which is the least value of the next one.
    pub high: f64,
    /// How many values it has.
    pub count: u64,
    /// The share of all values that it has, over its width: an estimate of the probability density.
    pub density: f64,
}

impl Histogram {
    /// The largest number of bins.
    pub const MOST_BINS: usize = 1 << 24;

    /// With an even number of bins, from 2 to [`Histogram::MOST_BINS`].
    ///
    /// # Errors
    /// If the number is another one.
    pub fn new(bins: usize) -> Result<Self, ObserveError> {
        if !(2..=Self::MOST_BINS).contains(&bins) || !bins.is_multiple_of(2) {
            let allowed = format!("an even number from 2 to {}", Self::MOST_BINS);
            return Err(ObserveError::OutOfRange { field: "bins", value: bins as f64, allowed });
        }
        Ok(Histogram { width: 0.0, counts: vec![0; bins], zeros: 0, count: 0, sum: 0.0 })
    }

    /// Counts a value.
    ///
    /// # Errors
    /// If it is below 0, not a number or infinite, or so large that the range of the bins would be.
    pub fn add(&mut self, value: f64) -> Result<(), ObserveError> {
        let bins = self.counts.len() as f64;
        if !(0.0..f64::MAX / 4.0).contains(&value) {
            let allowed = "from 0 to a fourth of the largest number".to_owned();
            return Err(ObserveError::OutOfRange { field: "value", value, allowed });
        }
        self.count += 1;
        self.sum += value;
        if self.width == 0.0 {
            // A width that is not 0 for any value.
            self.width = (value / (0.5 * bins)).max(f64::MIN_POSITIVE);
            if value == 0.0 {
                (self.width, self.zeros) = (0.0, self.zeros + 1);
                return Ok(());
            }
            self.counts[0] = self.zeros;
        }
        while value / self.width >= bins {
            self.double();
        }
        self.counts[(value / self.width) as usize] += 1;
        Ok(())
    }

    /// Joins bins in pairs.
    fn double(&mut self) {
        let half = self.counts.len() / 2;
        for k in 0..half {
            self.counts[k] = self.counts[2 * k] + self.counts[2 * k + 1];
        }
        self.counts[half..].fill(0);
        self.width *= 2.0;
    }

    /// How many values were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of all values; none before the first.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The bins up to the last one that has a value.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = HistogramBin> + '_ {
        let used = self.counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        self.counts[..used].iter().enumerate().map(|(k, &count)| HistogramBin {
            low: k as f64 * self.width,
            high: (k + 1) as f64 * self.width,
            count,
            density: count as f64 / (self.count as f64 * self.width),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubling moves no value into another range: a histogram in any order is one of fewer bins of the
    /// values.
    #[test]
    fn counts_are_those_of_a_second_look() {
        let mut histogram = Histogram::new(64).unwrap();
        // Weyl's sequence, squeezed towards 0 and over nine decades.
        let values: Vec<f64> =
            (1..5000).map(|k| 1e9_f64.powf((f64::from(k) * 0.618_033_988_749_894_9).fract())).collect();
        for &value in &values {
            histogram.add(value).unwrap();
        }
        let mut seen = 0;
        for bin in histogram.bins() {
            let inside = values.iter().filter(|&&value| bin.low <= value && value < bin.high).count() as u64;
            assert_eq!(bin.count, inside, "{bin:?}");
            seen += inside;
        }
        assert_eq!(seen, histogram.count());
        assert!(histogram.bins().len() > 32);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((histogram.mean().unwrap() / mean - 1.0).abs() < 1e-12);
    }

    #[test]
    fn zeros_are_values() {
        let mut histogram = Histogram::new(4).unwrap();
        histogram.add(0.0).unwrap();
        assert_eq!((histogram.bins().len(), histogram.mean()), (0, Some(0.0)));
        histogram.add(3.0).unwrap();
        let counts: Vec<_> = histogram.bins().map(|bin| [bin.low, bin.count as f64]).collect();
        assert_eq!(counts, [[0.0, 1.0], [1.5, 0.0], [3.0, 1.0]]);
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let mut histogram = Histogram::new(2).unwrap();
        for value in [-1.0, f64::NAN, f64::INFINITY, f64::MAX] {
            assert!(histogram.add(value).is_err());
        }
        assert_eq!(histogram.count(), 0);
        histogram.add(f64::MIN_POSITIVE).unwrap();
        histogram.add(1e300).unwrap();
        assert_eq!(histogram.bins().map(|bin| bin.count).sum::<u64>(), 2);
        assert!([0, 1, 3, Histogram::MOST_BINS + 2].into_iter().all(|bins| Histogram::new(bins).is_err()));
    }
}
