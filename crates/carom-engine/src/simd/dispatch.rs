#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::avx2::Found;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::portable::Scalar as Usual;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::Pairs as Usual;
use super::{Kernel, SimdLevel};

/// The kinds of vector that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simd {
    Portable,
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[expect(
        private_interfaces,
        reason = "the proof that the instructions are there is made in this module alone"
    )]
    Avx2(Found),
}

impl Simd {
    /// All that this machine has, the widest last.
    pub(crate) fn available() -> Vec<Simd> {
        let portable = core::iter::once(Simd::Portable);
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let portable = portable.chain(Found::detect().map(Simd::Avx2));
        portable.collect()
    }

    /// The widest that this machine has, up to the one asked for.
    pub(crate) fn chosen(level: SimdLevel) -> Simd {
        let mut available = Simd::available();
        available.retain(|simd| simd.level() <= level);
        available.pop().unwrap_or(Simd::Portable)
    }

    pub(crate) fn level(self) -> SimdLevel {
        match self {
            Simd::Portable => SimdLevel::Portable,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Simd::Avx2(_) => SimdLevel::Avx2,
        }
    }

    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Simd::Portable => kernel.run::<Usual>(),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Simd::Avx2(found) => found.run(kernel),
        }
    }
}

impl SimdLevel {
    /// Those that this machine has, the narrowest first; never [`SimdLevel::Best`].
    #[must_use]
    pub fn available() -> Vec<SimdLevel> {
        Simd::available().into_iter().map(Simd::level).collect()
    }
}
