use super::PairTable;

/// How far ahead the discs of an impact look, in mean times between a disc's writes. With more, more discs
/// are within reach; with less, more rows are filled again. Measured: see `docs/benchmarks-tried.md`.
const MEAN_AGES: f64 = 2.25;

/// By how much of the difference each new age changes the mean.
const WEIGHT: f64 = 1.0 / 64.0;

/// So many impacts look at all after one that has had too many within reach.
const PAUSE: u32 = 256;

/// By how much the horizon may differ from what it should be, before it is changed.
const SLACK: f64 = 1.125;

/// How far ahead rows are filled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Horizon {
    /// Of the discs of impacts: seconds from one write to the next.
    mean_age: f64,
    /// Seconds from an impact.
    ahead: f64,
    /// Impacts until it is used again.
    pause: u32,
}

impl PairTable {
    /// How many seconds ahead the discs of an impact are to look, for rows that are filled to be
    /// [taken in](PairTable::take_in). `ages` are the seconds since their last writes. `None` if rows are to
    /// have all entries.
    ///
    /// Later ones are computed if the row has nothing earlier left when that time comes.
    #[inline(always)]
    pub fn horizon<const N: usize>(&mut self, ages: [f64; N]) -> Option<f64> {
        let Horizon { mean_age, ahead, pause } = &mut self.horizon;
        for age in ages {
            let weight = if *mean_age > 0.0 { WEIGHT } else { 1.0 };
            *mean_age += (age - *mean_age) * weight;
        }
        let wanted = MEAN_AGES * *mean_age;
        if wanted > *ahead * SLACK || *ahead > wanted * SLACK {
            *ahead = wanted;
        }
        if *pause > 0 || *ahead == 0.0 {
            *pause = pause.saturating_sub(1);
            return None;
        }
        Some(*ahead)
    }

    /// Says that within the horizon of an impact there were so many that it is no use.
    #[cold]
    pub fn suspend_horizon(&mut self) {
        self.horizon.pause = PAUSE;
    }
}
