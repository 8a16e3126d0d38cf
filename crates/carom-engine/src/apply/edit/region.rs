//! Regions that come, go, and are changed.

use crate::apply::token::{GuardedStore, Open};
use crate::{Physics, Region, RegionId};

pub(crate) fn put_up<P: Physics>(store: &mut GuardedStore<P>, region: Region) -> RegionId {
    let store = store.open();
    store.edited();
    store.begin_sensing(|sensing, flights| sensing.put_up(flights, region, false))
}

pub(crate) fn change<P: Physics>(store: &mut GuardedStore<P>, r: u32, region: Region) {
    let store = store.open();
    store.sense(|sensing, flights| sensing.change(flights, r, region, false));
    store.edited();
}

pub(crate) fn take_down<P: Physics>(store: &mut GuardedStore<P>, r: u32) -> Option<Region> {
    let store = store.open();
    store.edited();
    store.begin_sensing(|sensing, flights| sensing.take_down(flights, r))
}
