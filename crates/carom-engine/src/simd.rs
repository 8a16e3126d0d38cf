//! The widest vectors that the processor has, for the sweeps over all discs.
//!
//! A sweep is written once, as plain loops over arrays of eight, and compiled for several instruction sets; one
//! is chosen at run time. Only the width differs: the compiler neither reorders nor fuses floating-point
//! operations, so the bits are the same on all.
#![allow(unsafe_code, reason = "calling a function compiled for instructions that were found at run time")]

/// A sweep.
pub(crate) trait Kernel {
    type Output;

    /// Must be `#[inline(always)]`, to be compiled anew for each instruction set.
    fn run(self) -> Self::Output;
}

/// The instruction sets that a sweep is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simd {
    Portable,
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx2(Found),
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx512(Found),
}

/// Proof that the instruction set was found on this machine: only [`Simd::available`] makes one.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found(());

impl Simd {
    /// All that this machine has, the widest last.
    pub(crate) fn available() -> Vec<Simd> {
        #[cfg_attr(
            not(all(target_arch = "x86_64", feature = "std")),
            expect(unused_mut, reason = "nothing to add")
        )]
        let mut all = vec![Simd::Portable];
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Simd::Avx2(Found(())));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                all.push(Simd::Avx512(Found(())));
            }
        }
        all
    }

    /// The widest that this machine has.
    pub(crate) fn best() -> Simd {
        Simd::available().pop().unwrap_or(Simd::Portable)
    }

    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Simd::Portable => kernel.run(),
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            // SAFETY: a `Found` in `Avx2` is made only after AVX2 was detected on this machine.
            Simd::Avx2(Found(())) => unsafe { run_avx2(kernel) },
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            // SAFETY: a `Found` in `Avx512` is made only after F, DQ and VL were detected on this machine.
            Simd::Avx512(Found(())) => unsafe { run_avx512(kernel) },
        }
    }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
