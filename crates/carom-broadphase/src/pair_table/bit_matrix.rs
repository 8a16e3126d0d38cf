use alloc::vec;
use alloc::vec::Vec;

/// A square matrix of bits, row by row in 64-bit words; grows without moving a bit's indices.
#[derive(Debug, Default)]
pub(crate) struct BitMatrix {
    words: Vec<u64>,
    rows: usize,
    /// Words a row.
    stride: usize,
}

crate::clone_fields!(BitMatrix: words, rows, stride);

impl BitMatrix {
    /// Adds a row and a column of zeros. Amortised O(N / 64) words.
    pub(crate) fn grow(&mut self) {
        let needed = (self.rows + 1).div_ceil(64);
        if needed > self.stride {
            let stride = needed.max(2 * self.stride);
            let mut words = vec![0; stride * self.rows];
            if self.stride > 0 {
                for (to, from) in words.chunks_mut(stride).zip(self.words.chunks(self.stride)) {
                    to[..self.stride].copy_from_slice(from);
                }
            }
            (self.words, self.stride) = (words, stride);
        }
        self.rows += 1;
        self.words.resize(self.stride * self.rows, 0);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<u64>() * self.words.capacity()
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> &[u64] {
        &self.words[i * self.stride..(i + 1) * self.stride]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.stride..(i + 1) * self.stride]
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize, j: usize) -> bool {
        self.words[i * self.stride + j / 64] >> (j % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, i: usize, j: usize, value: bool) {
        let word = &mut self.words[i * self.stride + j / 64];
        let bit = 1 << (j % 64);
        if value {
            *word |= bit;
        } else {
            *word &= !bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row gets twice as long when a column needs another word, so that N rows are moved O(log N) times,
    /// and is never longer than twice what is needed.
    #[test]
    fn rows_double() {
        let mut matrix = BitMatrix::default();
        assert_eq!(matrix.stride(), 0);
        for n in 1..=600_usize {
            matrix.grow();
            assert_eq!(matrix.stride(), n.div_ceil(64).next_power_of_two(), "{n} rows");
            assert_eq!(matrix.row(n - 1).len(), matrix.stride());
        }
    }
}
