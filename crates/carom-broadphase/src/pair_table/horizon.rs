/// How far ahead the discs of an impact look, in mean times between a disc's writes.
///
/// With more, more discs are within reach; with less, more rows are filled again. Measured: see
/// `docs/benchmarks-tried.md`. No event depends on it.
const AGES_AHEAD: f64 = 2.25;

/// Share of a new age in the running mean of ages.
///
/// Larger, and the mean follows the chance of single impacts; smaller, and it lags behind a gas that cools or
/// is compressed.
const AGE_WEIGHT: f64 = 1.0 / 64.0;

/// Impacts whose discs look at all others, after one that had too many within its horizon.
///
/// Fewer, and a crowd pays for a horizon again and again; more, and a gas that has thinned out stays slow.
const PAUSED_IMPACTS: u32 = 256;

/// Ratio up to which the horizon may differ from the wanted one before it is set anew.
///
/// A change costs the caller what it keeps for one horizon; beyond some tenths the horizon is that of another
/// gas.
const STEADY_RATIO: f64 = 1.125;

/// How far ahead the rows of an impact's discs are filled, for
/// [`PairTable::take_in`](super::PairTable::take_in).
#[derive(Clone, Copy, Debug, Default)]
pub struct Horizon {
    /// Of the discs of impacts: seconds from one write to the next.
    mean_age: f64,
    /// Seconds from an impact.
    ahead: f64,
    /// Impacts until it is used again.
    pause: u32,
}

impl Horizon {
    /// How many seconds ahead the discs of an impact are to look. `ages` are the seconds since their last
    /// writes. `None` if rows are to have all entries.
    ///
    /// Later entries are computed if the row has nothing earlier left when that time comes.
    #[inline(always)]
    pub fn after<const N: usize>(&mut self, ages: [f64; N]) -> Option<f64> {
        let Horizon { mean_age, ahead, pause } = self;
        for age in ages {
            let weight = if *mean_age > 0.0 { AGE_WEIGHT } else { 1.0 };
            *mean_age += (age - *mean_age) * weight;
        }
        let wanted = AGES_AHEAD * *mean_age;
        if wanted > *ahead * STEADY_RATIO || *ahead > wanted * STEADY_RATIO {
            *ahead = wanted;
        }
        if *pause > 0 || *ahead == 0.0 {
            *pause = pause.saturating_sub(1);
            return None;
        }
        Some(*ahead)
    }

    /// To be called when an impact had too many discs within its horizon to gain anything by it.
    #[cold]
    pub fn suspend(&mut self) {
        self.pause = PAUSED_IMPACTS;
    }
}
