//! The right to write the store.

use crate::Physics;
use crate::store::{Common, Guarded, Store};

/// Shows that whoever writes the store is this room: nothing else can make one.
#[derive(Debug)]
pub(crate) struct Token(());

/// The store of a world, which only this room can write.
pub(crate) type GuardedStore<P> = Guarded<Store<P>, Token>;

/// What of it worlds of all physics have in common, under the same guard.
pub(crate) type GuardedCommon<'a> = Guarded<&'a mut Common, Token>;

/// Opens the store for this room.
pub(super) trait Open {
    type Opened;

    fn open(&mut self) -> &mut Self::Opened;
}

impl Open for GuardedCommon<'_> {
    type Opened = Common;

    #[inline(always)]
    fn open(&mut self) -> &mut Common {
        self.write(Token(()))
    }
}

impl<P: Physics> Open for GuardedStore<P> {
    type Opened = Store<P>;

    #[inline(always)]
    fn open(&mut self) -> &mut Store<P> {
        self.write(Token(()))
    }
}
