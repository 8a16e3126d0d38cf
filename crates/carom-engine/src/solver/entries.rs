use carom_math::eft::Sum;

/// How the energy of the finite masses of a group changes, entry by entry of the [`Ledger`](crate::Ledger).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entries {
    pub(crate) work: Sum,
    pub(crate) growth: Sum,
    pub(crate) kicks: Sum,
    pub(crate) restitution: Sum,
    pub(crate) collapse: Sum,
    pub(crate) crush: Sum,
    pub(crate) rest: Sum,
    pub(crate) held: Sum,
    pub(crate) look_again: Sum,
}
