use super::error::SnapshotError;
use super::{MOST, at_most};
use crate::Counters;

/// The counters that a snapshot holds, and those that it leaves out. Named one by one, so that a new counter
/// does not compile until it is decided where it belongs.
macro_rules! tally {
    (
        { $($(#[$attribute:meta])* $kept:ident: $type:ty,)* }
        without { $($left:ident,)* }
    ) => {
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct Tally {
            $($(#[$attribute])* $kept: $type,)*
        }

        impl Tally {
            pub(super) fn of(counters: &Counters) -> Self {
                let Counters { $($kept,)* $($left: _,)* } = *counters;
                Tally { $($kept,)* }
            }

            pub(super) fn counters(&self) -> Counters {
                let Tally { $($kept,)* } = *self;
                Counters { $($kept,)* ..Counters::default() }
            }
        }
    };
}

tally! {
    {
        events: u64,
        disc_impacts: u64,
        wall_impacts: u64,
        groups: u64,
        changes: u64,
        slides: u64,
        pieces: u64,
        #[serde(rename = "joined")]
        made_plastic: u64,
        clamped: u64,
    }
    without { ledger, pair_times, roots, solo_times, queue_operations, row_searches, }
}

impl Tally {
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
        Ok(())
    }
}
