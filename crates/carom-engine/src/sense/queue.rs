use carom_broadphase::{Slot, clone_fields};
use carom_math::Time;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// A crossing that follows from the stored states; in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Planned {
    pub(crate) time: Time,
    pub(crate) enters: bool,
    /// The serial number of the disc, and the number of the region.
    pub(crate) serials: [u64; 2],
    pub(crate) disc: Slot,
    pub(crate) region: u32,
    /// How often the disc had been planned, and the region, when this was.
    pub(super) versions: [u32; 2],
}

/// The planned crossings; those that are void are left in it until they come up or are more than the others.
#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<Planned>>,
    /// How long it was when those that are void were last taken out.
    tidied: usize,
}

clone_fields!(Queue: heap, tidied);

/// Shorter queues are not tidied.
const FEW: usize = 64;

impl Queue {
    pub(super) fn push(&mut self, planned: Planned) {
        self.heap.push(Reverse(planned));
    }

    /// The first that is not void.
    pub(super) fn first(&mut self, is_valid: impl Fn(&Planned) -> bool) -> Option<Planned> {
        while let Some(Reverse(planned)) = self.heap.peek() {
            if is_valid(planned) {
                return Some(*planned);
            }
            self.heap.pop();
        }
        None
    }

    pub(super) fn pop(&mut self) {
        self.heap.pop();
    }

    /// Takes out those that are void, if there may be many.
    pub(super) fn tidy(&mut self, is_valid: impl Fn(&Planned) -> bool) {
        if self.heap.len() > FEW + 2 * self.tidied {
            self.heap.retain(|Reverse(planned)| is_valid(planned));
            self.tidied = self.heap.len();
        }
    }

    /// All that are not void.
    pub(super) fn valid(&self, is_valid: impl Fn(&Planned) -> bool) -> Vec<Planned> {
        self.heap.iter().map(|Reverse(planned)| *planned).filter(is_valid).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Planned>()
    }
}
