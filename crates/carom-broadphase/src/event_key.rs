use carom_math::Time;
use ordered_float::OrderedFloat;

/// What kind of event; the order is the one in which events of the same moment happen.
///
/// Part of the order of events, which no later version may change. Of kinds that have no events yet, a disc's
/// leaving a region belongs before impacts, its entering one and timers after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A motion ends or changes its law.
    MotionChange,
    /// Two discs, or a disc and a wall, meet.
    Impact,
}

/// The total order of events: by time, then by kind, then by the stable identities of those concerned.
///
/// The identities are serial numbers given at insertion and never reused, the smaller one first; a solo event
/// has its disc's serial twice. So no two events compare equal unless they are the same, and the order
/// depends neither on memory nor on luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventKey {
    start: OrderedFloat<f64>,
    offset: OrderedFloat<f64>,
    kind: Kind,
    first: u64,
    second: u64,
}

impl EventKey {
    /// The key of what never happens to this disc: after every event that does happen.
    #[must_use]
    pub fn never(serial: u64) -> Self {
        EventKey::new(Time::NEVER, Kind::Impact, serial, serial)
    }

    /// The key of an event between the discs (or of the one disc) with these serials, in either order.
    #[inline]
    #[must_use]
    pub fn new(time: Time, kind: Kind, a: u64, b: u64) -> Self {
        EventKey {
            start: OrderedFloat(time.epoch_start()),
            offset: OrderedFloat(time.offset()),
            kind,
            first: a.min(b),
            second: a.max(b),
        }
    }

    /// When it is.
    #[inline]
    #[must_use]
    pub fn time(&self) -> Time {
        Time::from_stored(self.start.0, self.offset.0)
    }

    /// Whether `self` comes before `other`: the derived order, with the likely answer first.
    #[inline(always)]
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        let (a, b) = (self.start.0, other.start.0);
        if a != b {
            return a < b;
        }
        let (a, b) = (self.offset.0, other.offset.0);
        if a != b {
            return a < b;
        }
        (self.kind, self.first, self.second) < (other.kind, other.first, other.second)
    }
}
