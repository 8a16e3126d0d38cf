//! Asking for memory that will be needed soon.
#![allow(unsafe_code, reason = "an instruction that changes nothing")]

/// Begins to bring a value into the cache, where the machine knows how.
#[inline(always)]
pub fn prefetch<T>(value: Option<&T>) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    if let Some(value) = value {
        // SAFETY: a hint, with an address that comes from a reference; it neither reads nor writes.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = value;
}
