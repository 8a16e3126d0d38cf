//! Memory for many values.
#![allow(unsafe_code, reason = "advice to the operating system")]

use alloc::vec::Vec;

/// Makes room for `len` values in all, and no more. Asks the system for large pages, so that scattered reads
/// do not wait for page tables.
pub fn reserve_huge_pages<T>(values: &mut Vec<T>, len: usize) {
    values.reserve_exact(len.saturating_sub(values.len()));
    advise(values);
}

/// Makes room for `len` values in all; if memory must be moved, for twice the present ones at least.
pub(crate) fn make_room<T>(values: &mut Vec<T>, len: usize) {
    if len > values.capacity() {
        reserve_huge_pages(values, len.max(2 * values.len()));
    }
}

/// `len` copies of a value, in memory like that of [`reserve_huge_pages`].
pub(crate) fn filled<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut values = Vec::new();
    reserve_huge_pages(&mut values, len);
    values.resize(len, value);
    values
}

#[cfg(all(target_os = "linux", feature = "std"))]
fn advise<T>(values: &mut Vec<T>) {
    /// The size of a large page on most machines; where it is another one, this is only the grain of the
    /// advice.
    const LARGE: usize = 1 << 21;

    let bytes = values.capacity() * size_of::<T>();
    let start = values.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(LARGE);
    let Some(inside) = bytes.checked_sub(before).map(|rest| rest & !(LARGE - 1)) else { return };
    if inside > 0 {
        // SAFETY: the range is within the vector's own memory, and advice of this kind changes no content.
        // That it is not taken does not matter.
        unsafe { libc::madvise(start.add(before).cast(), inside, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", feature = "std")))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_so_many_and_no_more() {
        for len in [0, 1, 1000, 3 << 20] {
            let mut values = alloc::vec![7u64; 100];
            reserve_huge_pages(&mut values, len);
            assert!(values.capacity() >= len && values == [7; 100]);
            let copies = filled(3u16, len);
            assert!(copies.len() == len && copies.iter().all(|&value| value == 3));
        }
    }
}
