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

    /// How many events and edits there have been.
    pub(crate) fn edits(&self) -> u64 {
        self.edits
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
