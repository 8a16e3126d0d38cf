/// Dense index of a disc; reused after removal.
pub type Slot = u32;
