use carom_broadphase::{Scheduled, Slot};

/// What a disc meets: another disc, or a facet of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With {
    Disc(Slot),
    Facet(u32),
}

impl With {
    /// What `due.a` meets at an impact that is due.
    #[inline(always)]
    pub(crate) fn of(due: &Scheduled) -> With {
        if due.a == due.b { With::Facet(due.tag) } else { With::Disc(due.b) }
    }
}
