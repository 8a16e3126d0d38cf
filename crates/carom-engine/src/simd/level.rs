/// The widest vector instructions that the sweeps over all discs may use: [`Settings::instructions`].
///
/// A sweep only filters, and each of its operations is rounded by itself on all of them, so the bits of a run
/// are the same; what differs is its speed. To be fixed for a comparison of speeds, or to see for oneself
/// that nothing else depends on them. Ordered by width.
///
/// AVX2 is looked for at run time, on x86-64 and with the feature `std`; elsewhere there is `Portable`
/// alone. A machine that lacks what is asked for uses the widest below it that it has, and
/// [`World::instructions`] says which.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{SimdLevel, Settings, World};
///
/// let world = World::with_settings(Settings::default().with_instructions(SimdLevel::Portable))?;
/// assert_eq!(world.instructions(), SimdLevel::Portable);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// [`Settings::instructions`]: crate::Settings::instructions
/// [`World::instructions`]: crate::World::instructions
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SimdLevel {
    /// Plain Rust, whatever the compiler makes of it for the target. In WebAssembly that is built for
    /// `simd128`, where nothing is chosen at run time: registers of two doubles.
    Portable,
    /// AVX2 and POPCNT: registers of four doubles.
    Avx2,
    /// The widest of these that this machine has.
    #[default]
    Best,
}
