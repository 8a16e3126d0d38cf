use super::error::SnapshotError;
use super::{MOST, at_most};
use crate::{Counters, Ledger};

/// The counters, without those of the scheduler.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tally {
    events: u64,
    disc_impacts: u64,
    wall_impacts: u64,
    groups: u64,
    changes: u64,
    slides: u64,
    #[serde(rename = "joined")]
    made_plastic: u64,
    energy_taken: f64,
    ledger: Ledger,
    clamped: u64,
}

impl Tally {
    pub(super) fn of(counters: &Counters) -> Self {
        // Named one by one, so that a new counter does not compile until it is decided where it belongs.
        let Counters {
            events,
            disc_impacts,
            wall_impacts,
            groups,
            changes,
            slides,
            made_plastic,
            energy_taken,
            ledger,
            clamped,
            pair_times: _,
            roots: _,
            solo_times: _,
            queue_operations: _,
            row_searches: _,
        } = *counters;
        Tally {
            events,
            disc_impacts,
            wall_impacts,
            groups,
            changes,
            slides,
            made_plastic,
            energy_taken,
            ledger,
            clamped,
        }
    }

    pub(super) fn counters(&self) -> Counters {
        let Tally {
            events,
            disc_impacts,
            wall_impacts,
            groups,
            changes,
            slides,
            made_plastic,
            energy_taken,
            ledger,
            clamped,
        } = *self;
        Counters {
            events,
            disc_impacts,
            wall_impacts,
            groups,
            changes,
            slides,
            made_plastic,
            energy_taken,
            ledger,
            clamped,
            ..Counters::default()
        }
    }

    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        for (field, count) in [
            ("counters.events", self.events),
            ("counters.disc_impacts", self.disc_impacts),
            ("counters.wall_impacts", self.wall_impacts),
            ("counters.groups", self.groups),
            ("counters.changes", self.changes),
            ("counters.slides", self.slides),
            ("counters.made_plastic", self.made_plastic),
            ("counters.clamped", self.clamped),
        ] {
            at_most(field, count, MOST)?;
        }
        let Ledger { work, growth, kicks, look_again } = self.ledger;
        for (field, energy) in [
            ("counters.energy_taken", self.energy_taken),
            ("counters.ledger.work", work),
            ("counters.ledger.growth", growth),
            ("counters.ledger.kicks", kicks),
            ("counters.ledger.look_again", look_again),
        ] {
            if !energy.is_finite() {
                return Err(SnapshotError::refused(field, energy, "a finite number"));
            }
        }
        Ok(())
    }
}
