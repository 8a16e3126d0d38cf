//! The right to write the store.

use crate::Physics;
use crate::store::{Guarded, Store};

/// Shows that whoever writes the store is this room: nothing else can make one.
#[derive(Debug)]
pub(crate) struct Token(());

/// The store of a world, which only this room can write.
pub(crate) type GuardedStore<P> = Guarded<Store<P>, Token>;

/// Opens the store for this room.
pub(super) trait Open<P: Physics> {
    fn open(&mut self) -> &mut Store<P>;
}

impl<P: Physics> Open<P> for GuardedStore<P> {
    #[inline(always)]
    fn open(&mut self) -> &mut Store<P> {
        self.write(Token(()))
    }
}
