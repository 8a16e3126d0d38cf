use crate::Slot;

/// Numbers of eight slots, side by side in a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct RowLanes(pub [f64; RowLanes::WIDTH]);

impl RowLanes {
    /// How many there are.
    pub const WIDTH: usize = 8;
    /// What never happens, and what is newer than all.
    pub const INFINITE: RowLanes = RowLanes([f64::INFINITY; RowLanes::WIDTH]);

    /// All numbers, one after the other.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "arrays of arrays are arrays")]
    pub fn flat(lanes: &mut [RowLanes]) -> &mut [f64] {
        // SAFETY: they are `repr(C)`, eight numbers without padding, and borrowed for as long as these are.
        unsafe { core::slice::from_raw_parts_mut(lanes.as_mut_ptr().cast(), lanes.len() * RowLanes::WIDTH) }
    }

    /// The number of a slot.
    #[inline(always)]
    pub(crate) fn of(lanes: &[RowLanes], slot: Slot) -> f64 {
        lanes[slot as usize / RowLanes::WIDTH].0[slot as usize % RowLanes::WIDTH]
    }

    /// The number of a slot, to be set.
    #[inline(always)]
    pub(crate) fn of_mut(lanes: &mut [RowLanes], slot: Slot) -> &mut f64 {
        &mut lanes[slot as usize / RowLanes::WIDTH].0[slot as usize % RowLanes::WIDTH]
    }

    /// The least of some numbers, no NaN among them. A number that is larger by at most `resolution` is tied
    /// with it.
    #[inline(always)]
    #[must_use]
    pub fn least(lanes: &[RowLanes], resolution: f64) -> RowMin {
        let numbers = || lanes.iter().flat_map(|lanes| lanes.0);
        let seconds =
            numbers().fold(f64::INFINITY, |least, number| if number < least { number } else { least });
        let mut found = (0..).zip(numbers()).filter(|&(_, number)| number <= seconds + resolution);
        let column = found.next().map_or(0, |(column, _)| column);
        RowMin { seconds, column, is_tied: found.next().is_some() }
    }
}

/// The least number of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowMin {
    /// That number.
    pub seconds: f64,
    /// A slot that has it, or one that is hardly larger. Means nothing if the least is infinite.
    pub column: Slot,
    /// Whether others are as small, or hardly larger.
    pub is_tied: bool,
}

/// The row of a disc: seconds from its stored state until it meets each of the discs that were written before
/// it.
#[derive(Debug)]
pub struct PairRow<'a> {
    /// When each slot was written: the number of the write. Infinite for free slots.
    pub written: &'a [RowLanes],
    /// The number of the disc's own. What was written then or after has no place in this row.
    pub own: f64,
    /// Whether at most one disc was written after this one. Its entry then need not be left out: it is found
    /// to be stale if it is the earliest.
    pub is_last: bool,
    /// The row: infinite where they never meet. What stands for slots without a place in it is not read as a
    /// time; infinite is fastest.
    pub seconds: &'a mut [RowLanes],
    /// Scratch: a bit for each slot.
    pub words: &'a mut [u64],
}

impl PairRow<'_> {
    /// Fills the row, one after the other.
    pub fn fill(&mut self, mut seconds_to: impl FnMut(Slot) -> f64) {
        let written = self.written.iter().flat_map(|lanes| lanes.0);
        for (other, (seconds, written)) in (0..).zip(RowLanes::flat(self.seconds).iter_mut().zip(written)) {
            *seconds = if written < self.own { seconds_to(other) } else { f64::INFINITY };
        }
    }

    /// Clears what was written anew since.
    pub fn clear_stale(&mut self) {
        for (seconds, written) in self.seconds.iter_mut().zip(self.written) {
            for (seconds, written) in seconds.0.iter_mut().zip(written.0) {
                *seconds = if written < self.own { *seconds } else { f64::INFINITY };
            }
        }
    }
}
