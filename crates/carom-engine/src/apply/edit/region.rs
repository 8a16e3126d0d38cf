//! Regions that come, go, and are changed.

use crate::Physics;
use crate::apply::token::{GuardedStore, Open};
use crate::sense::{Flights, Sensing};

/// Puts up, changes or takes down a region.
pub(crate) fn edit<P: Physics, R>(
    store: &mut GuardedStore<P>,
    edit: impl FnOnce(&mut Sensing, &Flights<'_>) -> R,
) -> R {
    let store = store.open();
    store.edited();
    store.begin_sensing(edit)
}
