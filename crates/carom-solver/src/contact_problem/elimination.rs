use alloc::vec::Vec;
use core::ops::Range;

/// The order in which the bodies of a sparse symmetric matrix are eliminated, and the structure of its
/// factor.
///
/// The order is that of minimum degree (Tinney and Walker, Proc. IEEE 55 (1967) 1801): bodies in the plane
/// touch at most a handful of others, and a body with few neighbours fills in little.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    /// The graph: for each body its neighbours, ascending. Consumed by the elimination.
    neighbours: Vec<Vec<u32>>,
    /// For each body its place in the order of elimination.
    pub(crate) place: Vec<u32>,
    /// The columns of `L`, one after another: where they end, and the rows of their blocks, ascending. Rows
    /// and columns are places in the order.
    pub(crate) ends: Vec<u32>,
    pub(crate) row_of: Vec<u32>,
    /// Bodies by number of neighbours; an entry is out of date once the number has changed.
    by_degree: Vec<Vec<u32>>,
    /// The bodies in the order of elimination.
    pub(crate) order: Vec<u32>,
    /// Scratch.
    merged: Vec<u32>,
}

/// No place in the order.
const NONE: u32 = u32::MAX;

impl Elimination {
    /// Starts a graph of `size` bodies without neighbours. Keeps the memory of earlier ones.
    pub(crate) fn reset(&mut self, size: usize) {
        if self.neighbours.len() < size {
            self.neighbours.resize_with(size, Vec::new);
        }
        self.neighbours[..size].iter_mut().for_each(Vec::clear);
        self.place.clear();
        self.place.resize(size, NONE);
    }

    /// Makes two bodies neighbours, i ≠ j.
    pub(crate) fn connect(&mut self, i: u32, j: u32) {
        for (body, other) in [(i, j), (j, i)] {
            let list = &mut self.neighbours[body as usize];
            if let Err(at) = list.binary_search(&other) {
                list.insert(at, other);
            }
        }
    }

    /// Finds the order of elimination and the structure of the factor.
    pub(crate) fn analyze(&mut self) {
        let size = self.place.len();
        self.order.clear();
        self.ends.clear();
        self.row_of.clear();
        self.by_degree.iter_mut().for_each(Vec::clear);
        for i in 0..size {
            self.file_by_degree(i);
        }
        let mut degree = 0;
        while self.order.len() < size {
            let Some(i) = self.by_degree[degree].pop() else {
                degree += 1;
                continue;
            };
            if self.place[i as usize] == NONE && self.neighbours[i as usize].len() == degree {
                self.eliminate(i);
                // Its neighbours have lost one, and gained others.
                degree = degree.saturating_sub(1);
            }
        }
        let mut start = 0;
        for &end in &self.ends {
            let rows = &mut self.row_of[start as usize..end as usize];
            rows.iter_mut().for_each(|row| *row = self.place[*row as usize]);
            rows.sort_unstable();
            start = end;
        }
    }

    fn file_by_degree(&mut self, i: usize) {
        let degree = self.neighbours[i].len();
        if self.by_degree.len() <= degree {
            self.by_degree.resize_with(degree + 1, Vec::new);
        }
        self.by_degree[degree].push(i as u32);
    }

    /// Makes the neighbours of a body neighbours of each other, without it.
    fn eliminate(&mut self, i: u32) {
        self.place[i as usize] = self.order.len() as u32;
        self.order.push(i);
        let clique = core::mem::take(&mut self.neighbours[i as usize]);
        for &j in &clique {
            self.merged.clear();
            merge(&self.neighbours[j as usize], &clique, [i, j], &mut self.merged);
            core::mem::swap(&mut self.neighbours[j as usize], &mut self.merged);
            self.file_by_degree(j as usize);
        }
        self.row_of.extend_from_slice(&clique);
        self.ends.push(self.row_of.len() as u32);
        self.neighbours[i as usize] = clique;
    }

    /// Where the block of two neighbours is, once analyzed.
    pub(crate) fn place_of(&self, i: u32, j: u32) -> u32 {
        let (i, j) = (self.place[i as usize], self.place[j as usize]);
        self.place_in_column(i.min(j), i.max(j))
    }

    /// Where the block of a row in a column is.
    pub(crate) fn place_in_column(&self, column: u32, row: u32) -> u32 {
        let column = self.range_of(column as usize);
        let start = column.start;
        start as u32 + self.row_of[column].partition_point(|&other| other < row) as u32
    }

    /// The blocks of a column.
    pub(crate) fn range_of(&self, column: usize) -> Range<usize> {
        let start = if column == 0 { 0 } else { self.ends[column - 1] as usize };
        start..self.ends[column] as usize
    }
}

/// The union of two ascending lists, without two of their entries.
fn merge(a: &[u32], b: &[u32], but: [u32; 2], into: &mut Vec<u32>) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let x = a.get(i).copied().unwrap_or(NONE);
        let y = b.get(j).copied().unwrap_or(NONE);
        let least = x.min(y);
        i += usize::from(x == least);
        j += usize::from(y == least);
        if !but.contains(&least) {
            into.push(least);
        }
    }
}
