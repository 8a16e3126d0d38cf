use crate::{EventKey, Slot};
use alloc::vec::Vec;

/// An indexed priority queue: a binary heap of rows, each with its current key, updated in place.
///
/// Rows are `0..len`, all of them always in the queue. Reading the first is O(1), changing a key O(log N), and
/// O(1) on average for keys that stay where they are. Nothing is allocated but when a row is added.
#[derive(Clone, Debug, Default)]
pub struct RowQueue {
    heap: Vec<Node>,
    /// Where each row stands in the heap.
    place: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    key: EventKey,
    row: Slot,
}

impl RowQueue {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Adds the row `len()`.
    pub fn push(&mut self, key: EventKey) {
        let row = self.heap.len() as Slot;
        self.heap.push(Node { key, row });
        self.place.push(row);
        self.sift_up(row as usize);
    }

    /// The row with the smallest key.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Slot> {
        self.heap.first().map(|node| node.row)
    }

    /// The current key of a row.
    #[must_use]
    pub fn key(&self, row: Slot) -> &EventKey {
        &self.heap[self.place[row as usize] as usize].key
    }

    /// Gives a row another key.
    #[inline]
    pub fn update(&mut self, row: Slot, key: EventKey) {
        let at = self.place[row as usize] as usize;
        let earlier = key.is_before(&self.heap[at].key);
        self.heap[at].key = key;
        if earlier {
            self.sift_up(at);
        } else {
            self.sift_down(at);
        }
    }

    fn sift_up(&mut self, mut at: usize) {
        let node = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !node.key.is_before(&self.heap[parent].key) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, node);
    }

    fn sift_down(&mut self, mut at: usize) {
        let node = self.heap[at];
        let len = self.heap.len();
        loop {
            let mut child = 2 * at + 1;
            if child >= len {
                break;
            }
            if child + 1 < len && self.heap[child + 1].key.is_before(&self.heap[child].key) {
                child += 1;
            }
            if !self.heap[child].key.is_before(&node.key) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, node);
    }

    #[inline(always)]
    fn put(&mut self, at: usize, node: Node) {
        self.heap[at] = node;
        self.place[node.row as usize] = at as u32;
    }

    /// Checks that the heap is in order and knows where its rows are.
    ///
    /// # Panics
    /// If not.
    pub fn assert_well_formed(&self) {
        assert_eq!(self.heap.len(), self.place.len());
        for (at, node) in self.heap.iter().enumerate() {
            assert_eq!(self.place[node.row as usize] as usize, at, "row {} is elsewhere", node.row);
            if at > 0 {
                let parent = &self.heap[(at - 1) / 2];
                assert!(parent.key <= node.key, "row {} comes before its parent {}", node.row, parent.row);
            }
        }
    }
}
