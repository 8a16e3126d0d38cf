use super::error::SnapshotError;
use super::{MOST, at_most};
use crate::Counters;

/// The counters, without those of the scheduler.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tally {
    events: u64,
    disc_impacts: u64,
    wall_impacts: u64,
    groups: u64,
    changes: u64,
    #[serde(rename = "joined")]
    made_plastic: u64,
    energy_taken: f64,
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
            made_plastic,
            energy_taken,
            pair_times: _,
            roots: _,
            solo_times: _,
            queue_operations: _,
            row_searches: _,
        } = *counters;
        Tally { events, disc_impacts, wall_impacts, groups, changes, made_plastic, energy_taken }
    }

    pub(super) fn counters(&self) -> Counters {
        let Tally { events, disc_impacts, wall_impacts, groups, changes, made_plastic, energy_taken } = *self;
        Counters {
            events,
            disc_impacts,
            wall_impacts,
            groups,
            changes,
            made_plastic,
            energy_taken,
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
            ("counters.made_plastic", self.made_plastic),
        ] {
            at_most(field, count, MOST)?;
        }
        if self.energy_taken.is_finite() {
            return Ok(());
        }
        Err(SnapshotError::refused("counters.energy_taken", self.energy_taken, "a finite number"))
    }
}
