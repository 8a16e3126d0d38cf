/// Rounds in which overlaps do not get less, taken together, after which discs are stuck.
const PATIENCE: usize = 25;

/// The overlap that is left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlap {
    /// The deepest, in proportion to the contact distance, or to the radius for a wall: its depth, ratio and
    /// disc.
    pub(super) depth: f64,
    pub(super) ratio: f64,
    pub(super) disc: usize,
    /// Sum of the ratios of all.
    pub(super) total: f64,
}

/// Notices that overlaps do not get less.
pub(super) struct Stuck {
    least: f64,
    rounds: usize,
}

impl Default for Stuck {
    fn default() -> Self {
        Stuck { least: f64::INFINITY, rounds: 0 }
    }
}

impl Stuck {
    /// Whether that many rounds have passed, this one included, in which the overlap became no less.
    pub(super) fn after(&mut self, overlap: Overlap) -> bool {
        self.rounds = if overlap.total < 0.98 * self.least { 0 } else { self.rounds + 1 };
        self.least = self.least.min(overlap.total);
        self.rounds > PATIENCE
    }
}

impl Overlap {
    /// With one overlap more.
    pub(super) fn or(self, depth: f64, ratio: f64, disc: usize) -> Self {
        let total = self.total + ratio;
        if ratio > self.ratio { Overlap { depth, ratio, disc, total } } else { Overlap { total, ..self } }
    }
}
