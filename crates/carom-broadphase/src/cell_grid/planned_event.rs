use crate::Slot;

/// EventTarget a slot will do next, and where the calendar has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedEvent {
    /// Seconds from its stored state until then.
    pub(crate) dt: f64,
    pub(crate) target: EventTarget,
    /// The bucket with the mark that is meant, which is the one of its time or an earlier one; above
    /// [`LAST`] the ticket of what is meant in the front, or [`UNMARKED`].
    pub(crate) bucket: u32,
}

/// A slot that it will meet, or one of the following.
pub(crate) type EventTarget = Slot;
/// Nothing, ever.
pub(crate) const NOTHING: EventTarget = Slot::MAX;
/// It leaves its circle.
pub(crate) const NEIGHBOURHOOD_EXIT: EventTarget = Slot::MAX - 1;
/// Something by itself.
pub(crate) const SOLO: EventTarget = Slot::MAX - 2;

/// There is no mark that is meant.
pub(crate) const UNMARKED: u32 = u32::MAX;
/// The last bucket: what is later is in it, too.
pub(crate) const LAST: u32 = (1 << 31) - 1;

impl PlannedEvent {
    pub(crate) const NOTHING: PlannedEvent =
        PlannedEvent { dt: f64::INFINITY, target: NOTHING, bucket: UNMARKED };
}
