//! Regions that come, go, and are changed.

use crate::apply::token::{GuardedCommon, Open};
use crate::sense::{Flights, Sensing};

/// Puts up, changes or takes down a region.
pub(crate) fn edit<R>(mut store: GuardedCommon<'_>, edit: impl FnOnce(&mut Sensing, &Flights<'_>) -> R) -> R {
    let store = store.open();
    store.edited();
    store.begin_sensing(edit)
}
