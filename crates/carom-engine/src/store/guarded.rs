//! Who may write the store.

use super::{Common, Store};
use crate::Physics;
use core::marker::PhantomData;
use core::ops::Deref;

/// A store that is read by all who have it, and written by whoever has a token of type `T`. The room that can
/// make such tokens is the only one that writes: the compiler says so.
#[derive(Debug)]
pub(crate) struct Guarded<S, T> {
    store: S,
    by: PhantomData<T>,
}

impl<S, T> Guarded<S, T> {
    pub(crate) fn new(store: S) -> Self {
        Guarded { store, by: PhantomData }
    }

    /// The store, to be written.
    #[inline(always)]
    pub(crate) fn write(&mut self, _: T) -> &mut S {
        &mut self.store
    }
}

impl<P: Physics, T> Guarded<Store<P>, T> {
    /// What worlds of all physics have in common, under the same guard.
    #[inline(always)]
    pub(crate) fn common(&mut self) -> Guarded<&mut Common, T> {
        Guarded::new(&mut self.store.common)
    }
}

impl<S, T> Deref for Guarded<S, T> {
    type Target = S;

    #[inline(always)]
    fn deref(&self) -> &S {
        &self.store
    }
}

impl<S: Clone, T> Clone for Guarded<S, T> {
    fn clone(&self) -> Self {
        Guarded::new(self.store.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.store.clone_from(&source.store);
    }
}
