//! What is kept of the events of a call.

use crate::laws::Laws;
use crate::record::{self, STRIDE};
use carom_engine::{Event, Sink};
use carom_scene::RunHash;
use std::ops::ControlFlow;

/// A call ends where this many records are kept, 2²⁰, so that no call takes more than 200 MB for them.
const MOST_RECORDS: usize = 1 << 20;

/// Records of events, or their hash. One type for all calls: the event loop is compiled once for each type.
pub(crate) struct Keep {
    records: Vec<f64>,
    hash: Option<RunHash>,
}

impl Keep {
    /// Records, in this memory.
    pub(crate) fn records(mut records: Vec<f64>) -> Self {
        records.clear();
        Keep { records, hash: None }
    }

    /// The hash of the events, and no records.
    pub(crate) fn hash() -> Self {
        Keep { records: Vec::new(), hash: Some(RunHash::new()) }
    }

    pub(crate) fn into_records(self) -> Vec<f64> {
        self.records
    }

    pub(crate) fn into_hash(self) -> RunHash {
        self.hash.unwrap_or_default()
    }
}

impl<P: Laws> Sink<P> for Keep {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        if let Some(hash) = &mut self.hash {
            hash.event(event);
            return ControlFlow::Continue(());
        }
        record::push::<P>(event, &mut self.records);
        if self.records.len() < MOST_RECORDS * STRIDE {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
