use alloc::vec::Vec;

/// Scratch of a rough solution, by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Rough {
    /// The impulses about which a step is made.
    pub(super) prox: Vec<f64>,
    /// Those of a descent, and which rows rounding has kept from it.
    pub(super) at: Vec<f64>,
    pub(super) barred: Vec<bool>,
}
