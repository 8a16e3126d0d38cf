/// The correctly rounded square root: the same bits from the processor (`std`) and from `libm`.
///
/// IEEE 754 requires `sqrt` to be correctly rounded, and `libm::sqrt` is, so the choice is one of speed.
#[inline(always)]
#[must_use]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(all(not(feature = "std"), feature = "libm"))]
    {
        libm::sqrt(x)
    }
    // The crate does not compile without either; this keeps its error the only one.
    #[cfg(not(any(feature = "std", feature = "libm")))]
    {
        x
    }
}
