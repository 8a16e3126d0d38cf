use crate::{Physics, World};
use core::sync::atomic::{AtomicU64, Ordering};

/// Tells whether a world is the one that it was.
#[derive(Debug)]
pub(crate) struct Edition {
    /// Another one for each world that is made.
    world: u64,
    edits: u64,
}

impl Edition {
    pub(crate) fn new() -> Self {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        Edition { world: WORLDS.fetch_add(1, Ordering::Relaxed), edits: 0 }
    }

    /// Counts events, or edits.
    #[inline(always)]
    pub(crate) fn add(&mut self, edits: u64) {
        self.edits += edits;
    }

    /// To be compared with later.
    pub(crate) fn noted(&self) -> [u64; 2] {
        [self.world, self.edits]
    }
}

/// A clone is another world. One that is overwritten stays itself, in an edition that it has never been in.
impl Clone for Edition {
    fn clone(&self) -> Self {
        Edition { edits: self.edits, ..Edition::new() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.edits = self.edits.max(source.edits) + 1;
    }
}

impl<P: Physics> World<P> {
    /// A number that becomes a larger one with every edit, with every event, and where `clone_from`
    /// overwrites the world; by how much does not mean anything. Time that passes without an event leaves it
    /// as it is.
    ///
    /// For what is derived from the world and kept, such as a drawing: see also
    /// [`Forecast::is_current`](crate::Forecast::is_current). It begins anew in a world that is loaded.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let before = world.edits();
    /// world.advance(1.0)?;
    /// assert_eq!(world.edits(), before);
    /// world.set_velocity(ball, [0.0, 1.0])?;
    /// assert!(world.edits() > before);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.edition.edits
    }

    /// To be called by edits that do not mark a disc, which calls it.
    #[inline(always)]
    pub(crate) fn edited(&mut self) {
        self.edition.edits += 1;
    }
}
