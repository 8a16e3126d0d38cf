use crate::Kind;
use carom_math::Time;

/// Dense index of a disc; reused after removal.
pub type Slot = u32;

/// The next thing that a disc does on its own: the diagonal of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solo {
    /// When, `NEVER` if it does nothing on its own.
    pub time: Time,
    /// What.
    pub kind: Kind,
    /// A note of the predictor to itself (which wall, say), handed back with the event.
    pub tag: u32,
}

impl Solo {
    /// Nothing, ever.
    pub const NEVER: Solo = Solo { time: Time::NEVER, kind: Kind::Timer, tag: 0 };
}

/// The physics as a scheduler sees it: slots in, times out.
///
/// Every answer is a pure function of the states of the slots asked for: it does not depend on the present
/// time, nor on who asks, nor in which order.
pub trait Predictor {
    /// When the discs meet; `NEVER` if they do not. Symmetric to the last bit.
    fn pair(&self, a: Slot, b: Slot) -> Time;

    /// What the disc does next on its own.
    fn solo(&self, slot: Slot) -> Solo;

    /// Marks the slots that `slot` may meet: bit `k % 64` of `words[k / 64]`.
    ///
    /// Overwrites all of `words`. A superset is allowed (a marked pair may answer `NEVER`), an omission is not;
    /// `slot` itself and dead slots are not marked. This is where a predictor sweeps many discs at once.
    fn candidates(&self, slot: Slot, words: &mut [u64]);
}
