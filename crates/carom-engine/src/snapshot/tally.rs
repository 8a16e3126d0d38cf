use super::error::SnapshotError;
use super::{MOST, at_most};
use crate::Counters;
use crate::walk::fields;

/// The counters that a snapshot holds, and those that it leaves out. Named one by one, so that a new counter
/// does not compile until it is decided where it belongs.
macro_rules! tally {
    ($($kept:ident),+; without $($left:ident),+) => {
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub(super) struct Tally {
            $($kept: u64,)+
        }

        fields!(Tally: $($kept),+);

        impl Tally {
            pub(super) fn of(counters: &Counters) -> Self {
                let Counters { $($kept,)+ $($left: _,)+ } = *counters;
                Tally { $($kept,)+ }
            }

            pub(super) fn counters(&self) -> Counters {
                let Tally { $($kept,)+ } = *self;
                Counters { $($kept,)+ ..Counters::default() }
            }

            pub(super) fn check(&self) -> Result<(), SnapshotError> {
                $(at_most(concat!("counters.", stringify!($kept)), self.$kept, MOST)?;)+
                Ok(())
            }
        }
    };
}

tally!(
    events, disc_impacts, wall_impacts, groups, changes, slides, pieces, made_plastic, clamped;
    without ledger, pair_times, roots, solo_times, queue_operations, row_searches
);
