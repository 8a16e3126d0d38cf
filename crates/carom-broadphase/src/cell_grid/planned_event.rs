use crate::Slot;

/// The next event of a slot, and where the calendar has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedEvent {
    /// Seconds from its stored state until then.
    pub(crate) dt: f64,
    pub(crate) target: EventTarget,
    /// The bucket with its valid mark, which is the one of its time or an earlier one; above [`LAST_BUCKET`]
    /// the ticket of its imminent event, or [`UNMARKED`].
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

/// There is no valid mark.
pub(crate) const UNMARKED: u32 = u32::MAX;
/// The last bucket. It also has whatever is later.
pub(crate) const LAST_BUCKET: u32 = (1 << 31) - 1;

impl PlannedEvent {
    pub(crate) const NOTHING: PlannedEvent =
        PlannedEvent { dt: f64::INFINITY, target: NOTHING, bucket: UNMARKED };
}
