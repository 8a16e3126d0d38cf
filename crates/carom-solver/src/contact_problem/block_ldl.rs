use super::elimination::Elimination;
use alloc::vec::Vec;
use core::ops::Range;

/// A 2 × 2 block, row by row.
pub(super) type Block = [f64; 4];

/// A symmetric positive definite matrix of 2 × 2 blocks, one row of blocks a body, and its sparse factor `L
/// D Lᵀ`.
///
/// Order and structure are found once for a graph, by [`Elimination`]; factors of matrices with that
/// graph are left-looking (Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, ch. 4). The factor of
/// a planar patch of N bodies has O(N log N) blocks and takes O(N^1.5) operations.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLdl {
    order: Elimination,
    /// The blocks: of the matrix until it is factored, then of `D` and `L`.
    diagonal: Vec<Block>,
    blocks: Vec<Block>,
    pivots: Vec<Pivot>,
    /// Whether there are few bodies, and no column has more than one block.
    is_small_forest: bool,
    /// Scratch of the factor: a column, and for each column the next block to be used, and the next one
    /// among the columns whose next block is in the same row.
    column: Vec<Block>,
    next_block: Vec<u32>,
    next_column: Vec<u32>,
    first_column: Vec<u32>,
    /// Scratch of the solution, in the order of elimination.
    permuted: Vec<[f64; 2]>,
}

/// The most bodies of a forest that is factored without lists. It then looks for the columns before each one
/// by trying all of them, O(n²) comparisons: with more bodies the lists are faster.
const SMALL: usize = 8;

/// No block, or no column.
const NONE: u32 = u32::MAX;

impl BlockLdl {
    /// Starts a graph of `size` bodies without neighbours. Keeps the memory of earlier ones.
    pub(super) fn reset(&mut self, size: usize) {
        self.order.reset(size);
    }

    /// Makes two bodies neighbours, i ≠ j.
    pub(super) fn connect(&mut self, i: u32, j: u32) {
        self.order.connect(i, j);
    }

    /// Finds the order of elimination and the structure of the factor.
    pub(super) fn analyze(&mut self) {
        self.order.analyze();
        let has_one = |range: Range<usize>| range.len() <= 1;
        let size = self.order.place.len();
        self.is_small_forest = size <= SMALL && (0..size).all(|k| has_one(self.order.range_of(k)));
    }

    /// Where the block of two neighbours is, once analyzed.
    pub(super) fn place_of(&self, i: u32, j: u32) -> u32 {
        self.order.place_of(i, j)
    }

    /// Starts a matrix, all zero.
    pub(super) fn clear(&mut self) {
        self.diagonal.clear();
        self.diagonal.resize(self.order.place.len(), [0.0; 4]);
        self.blocks.clear();
        self.blocks.resize(self.order.row_of.len(), [0.0; 4]);
    }

    /// Adds to a diagonal block.
    #[inline(always)]
    pub(super) fn add_diagonal(&mut self, i: u32, block: Block) {
        add(&mut self.diagonal[self.order.place[i as usize] as usize], block);
    }

    /// Subtracts a symmetric block at the place of two neighbours.
    #[inline(always)]
    pub(super) fn subtract_symmetric(&mut self, place: u32, [a, b, c, d]: Block) {
        add(&mut self.blocks[place as usize], [-a, -b, -c, -d]);
    }

    /// Factors the matrix. False if a pivot is not positive definite in the arithmetic.
    ///
    /// Left-looking: column `j` of the matrix, less `L_k D_k L_jkᵀ` for each column `k` before it that has a
    /// block in row `j`. Which columns these are is known without a search: each column is filed in the list
    /// of the row of its next block, `first_column` and `next_column`, and when that row has been used it is
    /// filed anew, one block further (Davis, ch. 4). So the lists are walked once for each block of `L`.
    pub(super) fn factor(&mut self) -> bool {
        let size = self.order.place.len();
        self.pivots.clear();
        if self.is_small_forest {
            return self.factor_forest();
        }
        self.column.resize(size.max(self.column.len()), [0.0; 4]);
        for list in [&mut self.next_block, &mut self.next_column, &mut self.first_column] {
            list.clear();
            list.resize(size, NONE);
        }
        for j in 0..size {
            let range = self.order.range_of(j);
            // The column spread out, so that others are subtracted by row and not by a search for the row.
            for (&row, &block) in self.order.row_of[range.clone()].iter().zip(&self.blocks[range.clone()]) {
                self.column[row as usize] = block;
            }
            let mut k = self.first_column[j];
            while k != NONE {
                // Read before `subtract_column` files `k` under another row.
                let next = self.next_column[k as usize];
                self.subtract_column(k, j);
                k = next;
            }
            let Some(pivot) = Pivot::new(self.diagonal[j]) else { return false };
            self.pivots.push(pivot);
            for (&row, block) in self.order.row_of[range.clone()].iter().zip(&mut self.blocks[range.clone()])
            {
                *block = pivot.reduce_rows(self.column[row as usize]);
            }
            self.file_column(j as u32, range.start);
        }
        true
    }

    /// Does what `factor` does, for few bodies whose columns have at most one block: the same operations in
    /// the same order, without lists.
    fn factor_forest(&mut self) -> bool {
        for j in 0..self.diagonal.len() {
            for k in (0..j).rev() {
                let range = self.order.range_of(k);
                if let ([row], [of_j]) = (&self.order.row_of[range.clone()], &self.blocks[range])
                    && *row as usize == j
                {
                    subtract_product(&mut self.diagonal[j], *of_j, self.pivots[k].scale_columns(*of_j));
                }
            }
            let Some(pivot) = Pivot::new(self.diagonal[j]) else { return false };
            self.pivots.push(pivot);
            let range = self.order.range_of(j);
            for block in &mut self.blocks[range] {
                *block = pivot.reduce_rows(*block);
            }
        }
        true
    }

    /// Subtracts from column `j` what column `k` adds to it.
    fn subtract_column(&mut self, k: u32, j: usize) {
        let start = self.next_block[k as usize] as usize;
        let end = self.order.ends[k as usize] as usize;
        let of_j = self.blocks[start];
        let scaled = self.pivots[k as usize].scale_columns(of_j);
        subtract_product(&mut self.diagonal[j], of_j, scaled);
        for (&row, &block) in self.order.row_of[start + 1..end].iter().zip(&self.blocks[start + 1..end]) {
            subtract_product(&mut self.column[row as usize], block, scaled);
        }
        self.file_column(k, start + 1);
    }

    /// Files a column under the row of its next block.
    fn file_column(&mut self, k: u32, block: usize) {
        if block < self.order.ends[k as usize] as usize {
            let row = self.order.row_of[block] as usize;
            self.next_block[k as usize] = block as u32;
            self.next_column[k as usize] = self.first_column[row];
            self.first_column[row] = k;
        }
    }

    /// Solves in place, once factored.
    pub(super) fn solve(&mut self, x: &mut [[f64; 2]]) {
        if let ([of_i, of_j], [i, j]) = (&self.pivots[..], &self.order.order[..]) {
            return solve_two([of_i, of_j], self.blocks.first(), [*i as usize, *j as usize], x);
        }
        let y = &mut self.permuted;
        y.clear();
        y.extend(self.order.order.iter().map(|&i| x[i as usize]));
        let mut start = 0;
        for (k, (pivot, &end)) in self.pivots.iter().zip(&self.order.ends).enumerate() {
            let end = end as usize;
            let of_k = pivot.reduce(y[k]);
            y[k] = of_k;
            let [sx, sy] = pivot.scale(of_k);
            for (&row, [a, b, c, d]) in self.order.row_of[start..end].iter().zip(&self.blocks[start..end]) {
                let of_j = &mut y[row as usize];
                (of_j[0], of_j[1]) = (of_j[0] - (a * sx + b * sy), of_j[1] - (c * sx + d * sy));
            }
            start = end;
        }
        for (k, pivot) in self.pivots.iter().enumerate().rev() {
            let (start, end) =
                (if k == 0 { 0 } else { self.order.ends[k - 1] as usize }, self.order.ends[k] as usize);
            let [mut rx, mut ry] = y[k];
            for (&row, [a, b, c, d]) in self.order.row_of[start..end].iter().zip(&self.blocks[start..end]) {
                let [jx, jy] = y[row as usize];
                (rx, ry) = (rx - (a * jx + c * jy), ry - (b * jx + d * jy));
            }
            y[k] = pivot.expand(pivot.scale([rx, ry]));
        }
        for (&i, y) in self.order.order.iter().zip(y.iter()) {
            x[i as usize] = *y;
        }
    }
}

/// Does what [`BlockLdl::solve`] does, for two bodies in the order of elimination.
fn solve_two([of_i, of_j]: [&Pivot; 2], block: Option<&Block>, [i, j]: [usize; 2], x: &mut [[f64; 2]]) {
    let ([mut rx, mut ry], mut at_j) = (of_i.reduce(x[i]), x[j]);
    if let Some([a, b, c, d]) = block {
        let [sx, sy] = of_i.scale([rx, ry]);
        at_j = [at_j[0] - (a * sx + b * sy), at_j[1] - (c * sx + d * sy)];
    }
    let [jx, jy] = of_j.expand(of_j.scale(of_j.reduce(at_j)));
    if let Some([a, b, c, d]) = block {
        (rx, ry) = (rx - (a * jx + c * jy), ry - (b * jx + d * jy));
    }
    (x[i], x[j]) = (of_i.expand(of_i.scale([rx, ry])), [jx, jy]);
}

/// Factors and solves, in place, for two bodies with a block between them: the same operations in the same
/// order, which is from the second to the first. False if a pivot is not positive definite.
pub(super) fn solve_pair([mut of_i, of_j]: [Block; 2], between: Block, x: &mut [[f64; 2]]) -> bool {
    let Some(of_j) = Pivot::new(of_j) else { return false };
    let block = of_j.reduce_rows(between);
    subtract_product(&mut of_i, block, of_j.scale_columns(block));
    let Some(of_i) = Pivot::new(of_i) else { return false };
    solve_two([&of_j, &of_i], Some(&block), [1, 0], x);
    true
}

#[inline(always)]
pub(super) fn add(to: &mut Block, [a, b, c, d]: Block) {
    *to = [to[0] + a, to[1] + b, to[2] + c, to[3] + d];
}

/// Subtracts `A Bᵀ`.
#[inline(always)]
fn subtract_product(from: &mut Block, [a, b, c, d]: Block, [e, f, g, h]: Block) {
    let product = [a * e + b * f, a * g + b * h, c * e + d * f, c * g + d * h];
    *from = [from[0] - product[0], from[1] - product[1], from[2] - product[2], from[3] - product[3]];
}

/// A positive definite block as `l d lᵀ`, `l` unit lower triangular.
///
/// A column is reduced by `l⁻ᵀ` and divided by `d` where it is used, as in a factor without blocks: the
/// product with the inverse of a nearly singular block would lose what its smaller pivot holds.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    lower: f64,
    /// The inverse of `d`.
    inverse: [f64; 2],
}

impl Pivot {
    fn new([a, b, _, d]: Block) -> Option<Self> {
        let lower = b / a;
        let second = d - lower * b;
        (a > 0.0 && second > 0.0 && a < f64::INFINITY && second < f64::INFINITY)
            .then_some(Pivot { lower, inverse: [1.0 / a, 1.0 / second] })
    }

    /// `l⁻¹ x`.
    fn reduce(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x, y - self.lower * x]
    }

    /// `d⁻¹ x`.
    fn scale(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x * self.inverse[0], y * self.inverse[1]]
    }

    /// `l⁻ᵀ x`.
    fn expand(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x - self.lower * y, y]
    }

    /// `B l⁻ᵀ`.
    fn reduce_rows(&self, [a, b, c, d]: Block) -> Block {
        let ([a, b], [c, d]) = (self.reduce([a, b]), self.reduce([c, d]));
        [a, b, c, d]
    }

    /// `B d⁻¹`.
    fn scale_columns(&self, [a, b, c, d]: Block) -> Block {
        let ([a, b], [c, d]) = (self.scale([a, b]), self.scale([c, d]));
        [a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// Random sparse matrices `I + Σ n nᵀ` over pairs: the product with the solution is the right side again.
    #[test]
    fn solves_what_it_factors() {
        let mut rng = Rng::new(1);
        let mut random = || rng.unit();
        let mut ldl = BlockLdl::default();
        for case in 0..200 {
            let size = 1 + case % 40;
            let mut dense = vec![0.0; 4 * size * size];
            let mut put = |i: usize, j: usize, block: Block| {
                for (k, x) in block.into_iter().enumerate() {
                    dense[(2 * i + k / 2) * 2 * size + 2 * j + k % 2] += x;
                }
            };
            let mut pairs = Vec::new();
            for _ in 0..2 * size {
                let (i, j) = ((random() * size as f64) as usize, (random() * size as f64) as usize);
                let (x, y) = (random() - 0.5, random() - 0.5);
                if i != j {
                    pairs.push((i, j, [x * x, x * y, x * y, y * y].map(|x| 100.0 * x)));
                }
            }
            ldl.reset(size);
            pairs.iter().for_each(|&(i, j, _)| ldl.connect(i as u32, j as u32));
            ldl.analyze();
            ldl.clear();
            for i in 0..size {
                put(i, i, [1.0, 0.0, 0.0, 1.0]);
                ldl.add_diagonal(i as u32, [1.0, 0.0, 0.0, 1.0]);
            }
            for (i, j, block) in pairs {
                let opposite = block.map(|x| -x);
                for (i, j, block) in [(i, i, block), (j, j, block), (i, j, opposite), (j, i, opposite)] {
                    put(i, j, block);
                }
                ldl.add_diagonal(i as u32, block);
                ldl.add_diagonal(j as u32, block);
                ldl.subtract_symmetric(ldl.place_of(i as u32, j as u32), block);
            }
            assert!(ldl.factor());
            let right: Vec<[f64; 2]> = (0..size).map(|_| [random(), random()]).collect();
            let mut x = right.clone();
            ldl.solve(&mut x);
            for i in 0..2 * size {
                let row = &dense[2 * size * i..2 * size * (i + 1)];
                let product: f64 = row.iter().zip(x.as_flattened()).map(|(a, x)| a * x).sum();
                // 10³ is above the condition of these, times an ulp of the right side.
                assert!((product - right[i / 2][i % 2]).abs() < 1e3 * f64::EPSILON, "case {case}");
            }
        }
    }

    #[test]
    fn what_is_not_definite_is_said() {
        let mut ldl = BlockLdl::default();
        ldl.reset(1);
        ldl.analyze();
        ldl.clear();
        ldl.add_diagonal(0, [1.0, 1.0, 1.0, 1.0]);
        assert!(!ldl.factor());
    }
}
