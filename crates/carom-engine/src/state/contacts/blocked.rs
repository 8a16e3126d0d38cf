#[cfg(feature = "serde")]
use super::never;
use crate::walk::fields;
use crate::{DiscId, Partner};
use carom_broadphase::Slot;
use carom_math::{DVec2, Time};

/// A body that has given way.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Blocked {
    pub(crate) body: Slot,
    /// The velocity that it takes up in the end.
    pub(crate) wanted: DVec2,
    /// The velocity that it took instead.
    pub(crate) given: DVec2,
    /// What it was pressed on, and what held that, as the event said.
    pub(crate) on: DiscId,
    pub(crate) against: Partner,
    /// When it gave way.
    pub(crate) since: Time,
    /// Whether it has been given another velocity: then the record only tells what has been said at that
    /// instant.
    pub(crate) is_over: bool,
    /// Whether something between has been taken away or put elsewhere: it is to go on at once.
    pub(crate) is_free: bool,
    /// Contacts of the jam, the disc nearer to the body first, at which the second is in the way of the
    /// first.
    pub(crate) links: Vec<[Slot; 2]>,
    /// The discs of finite mass in the jam, sorted.
    pub(crate) between: Vec<Slot>,
    /// The other unstoppable discs of the jam, with their velocities.
    pub(crate) jaws: Vec<(Slot, DVec2)>,
    /// When it goes on.
    #[cfg_attr(feature = "serde", serde(skip, default = "never"))]
    pub(crate) end: Time,
}

fields!(
    Blocked: body as Disc, wanted, given, on, against, since as Past, is_over, is_free, links as Disc,
    between as Disc, jaws as Disc; without end
);

impl Blocked {
    /// Whether the record depends on the state of a disc.
    pub(crate) fn names(&self, slot: Slot) -> bool {
        self.body == slot
            || self.between.binary_search(&slot).is_ok()
            || self.jaws.iter().any(|&(jaw, _)| jaw == slot)
    }
}
