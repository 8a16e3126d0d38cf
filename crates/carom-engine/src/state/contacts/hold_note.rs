use crate::Hold;
use crate::walk::fields;

/// That a contact may have begun to be held, or ceased to be, since that was last reported.
///
/// What is reported is the difference between then and now: records that an edit drops and the next settling
/// makes again are no event.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct HoldNote {
    /// As it was when this was noted: what it names may be gone by now.
    pub(crate) hold: Hold,
    /// The serial numbers of the discs, 0 for a wall.
    pub(crate) serials: [u64; 2],
    /// Whether it was held before.
    pub(crate) was_held: bool,
}

fields!(HoldNote: hold, serials, was_held);
fields!(Hold: time, a, b, user_data, point, normal);
