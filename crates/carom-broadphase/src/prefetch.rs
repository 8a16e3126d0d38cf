//! Asking for memory that will be needed soon.
#![allow(unsafe_code, reason = "an instruction that changes nothing")]

/// Begins to bring a value into the cache, where the machine knows how. Nothing happens if the index is out
/// of range.
#[inline(always)]
pub fn prefetch<T>(values: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which neither reads nor writes, whatever the address. Without asking whether
        // there is such a value, which takes longer.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(index).cast()) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = (values, index);
}
