use super::elimination::Elimination;
use super::row::Ends;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A 3 × 3 block, by rows.
pub(super) type Block = [[f64; 3]; 3];

/// A matrix of 3 × 3 blocks, one row of blocks a body, that need not be symmetric, and its sparse factor
/// `L U`.
///
/// The structure is symmetric: a block between two bodies has its mirror image. So the order of
/// elimination is that of [`Elimination`]. Pivots are sought within the blocks on the diagonal only; the
/// factor of a matrix that needs others is inexact, which the residual shows.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLu {
    order: Elimination,
    /// The blocks on the diagonal, then those below it by columns, then those right of it by rows; once
    /// factored those of the factor, with the diagonal in `pivots`.
    blocks: Vec<Block>,
    pivots: Vec<Pivot>,
    /// What each product of a block below and one right of a pivot is subtracted from, in the order of the
    /// elimination.
    targets: Vec<u32>,
    /// Scratch of the solution.
    permuted: Vec<[f64; 3]>,
}

impl BlockLu {
    /// Finds the structure for a number of bodies and the pairs between which there are blocks.
    pub(super) fn analyze(&mut self, bodies: usize, pairs: impl Iterator<Item = Ends>) {
        self.order.reset(bodies);
        for ends in pairs {
            if let [Some(a), Some(b)] = ends {
                self.order.connect(a, b);
            }
        }
        self.order.analyze();
        self.targets.clear();
        let BlockLu { order, targets, .. } = self;
        for k in 0..bodies {
            let rows = &order.row_of[order.range_of(k)];
            for &row in rows {
                targets.extend(rows.iter().map(|&column| {
                    let place = || order.place_in_column(row.min(column), row.max(column)) as usize;
                    let block = match row.cmp(&column) {
                        Ordering::Equal => row as usize,
                        Ordering::Greater => bodies + place(),
                        Ordering::Less => bodies + order.row_of.len() + place(),
                    };
                    block as u32
                }));
            }
        }
    }

    /// Where the blocks of a pair are.
    pub(super) fn place_of(&self, ends: Ends) -> u32 {
        if let [Some(a), Some(b)] = ends { self.order.place_of(a, b) } else { 0 }
    }

    /// Starts a matrix: these blocks on the diagonal, and 0.
    pub(super) fn clear(&mut self, masses: impl Iterator<Item = [f64; 3]>) {
        let (bodies, beside) = (self.order.place.len(), self.order.row_of.len());
        self.blocks.clear();
        self.blocks.resize(bodies + 2 * beside, [[0.0; 3]; 3]);
        for (&place, mass) in self.order.place.iter().zip(masses) {
            (0..3).for_each(|i| self.blocks[place as usize][i][i] = mass[i]);
        }
    }

    /// Adds `k f gᵀ`, where `f` and `g` have three components for each of the two ends.
    pub(super) fn add(&mut self, ends: Ends, place: u32, k: f64, f: &[[f64; 3]; 2], g: &[[f64; 3]; 2]) {
        let BlockLu { order, blocks, .. } = self;
        for (end, (f, g)) in ends.into_iter().zip(f.iter().zip(g)) {
            if let Some(body) = end {
                add_product(&mut blocks[order.place[body as usize] as usize], k, f, g);
            }
        }
        if let [Some(a), Some(b)] = ends {
            let is_a_later = order.place[a as usize] > order.place[b as usize];
            let (late, early) = if is_a_later { (0, 1) } else { (1, 0) };
            let lower = order.place.len() + place as usize;
            add_product(&mut blocks[lower], k, &f[late], &g[early]);
            add_product(&mut blocks[lower + order.row_of.len()], k, &f[early], &g[late]);
        }
    }

    /// Factors the matrix. False if a block on the diagonal has no inverse.
    pub(super) fn factor(&mut self) -> bool {
        let BlockLu { order, blocks, pivots, targets, .. } = self;
        let (bodies, beside) = (order.place.len(), order.row_of.len());
        pivots.clear();
        let mut targets = targets.iter();
        for k in 0..bodies {
            let Some(pivot) = Pivot::new(blocks[k]) else { return false };
            pivots.push(pivot);
            let range = order.range_of(k);
            for i in range.clone() {
                blocks[bodies + i] = pivot.divide_rows(&blocks[bodies + i]);
                blocks[bodies + beside + i] = pivot.reduce_columns(&blocks[bodies + beside + i]);
            }
            for i in range.clone() {
                let lower = blocks[bodies + i];
                for j in range.clone() {
                    let upper = blocks[bodies + beside + j];
                    if let Some(&target) = targets.next() {
                        subtract_product(&mut blocks[target as usize], &lower, &upper);
                    }
                }
            }
        }
        true
    }

    /// Solves in place, once factored.
    pub(super) fn solve(&mut self, x: &mut [[f64; 3]]) {
        let BlockLu { order, pivots, blocks, permuted, .. } = self;
        let (lower, upper) = blocks[order.place.len()..].split_at(order.row_of.len());
        permuted.clear();
        permuted.extend(order.order.iter().map(|&i| x[i as usize]));
        for k in 0..permuted.len() {
            let of_k = pivots[k].reduce(permuted[k]);
            permuted[k] = of_k;
            for i in order.range_of(k) {
                subtract_image(&mut permuted[order.row_of[i] as usize], &lower[i], &of_k);
            }
        }
        for k in (0..permuted.len()).rev() {
            let mut left = permuted[k];
            for i in order.range_of(k) {
                subtract_image(&mut left, &upper[i], &permuted[order.row_of[i] as usize]);
            }
            permuted[k] = pivots[k].divide(left);
        }
        for (&i, y) in order.order.iter().zip(permuted.iter()) {
            x[i as usize] = *y;
        }
    }
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Adds `k f gᵀ`.
fn add_product(block: &mut Block, k: f64, f: &[f64; 3], g: &[f64; 3]) {
    for (row, f) in block.iter_mut().zip(f) {
        for (entry, g) in row.iter_mut().zip(g) {
            *entry += k * f * g;
        }
    }
}

/// Subtracts `a b`.
// Loops over indices, here and below: closures over arrays are not always inlined.
#[inline(always)]
fn subtract_product(from: &mut Block, a: &Block, b: &Block) {
    for i in 0..3 {
        for j in 0..3 {
            from[i][j] -= a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

/// Subtracts `a x`.
fn subtract_image(from: &mut [f64; 3], a: &Block, x: &[f64; 3]) {
    for (from, row) in from.iter_mut().zip(a) {
        *from -= dot(row, x);
    }
}

/// A block as `Pᵀ L U`, by elimination with the largest pivot of each column.
///
/// Blocks beside it are multiplied by `L⁻¹` and by `U⁻¹`, as in a factor without blocks. The product with the
/// inverse of a nearly singular block would lose what its smaller pivots hold: with it corrections took off a
/// tenth each in place of 2⁻²⁶.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    /// `U`, and below it `L` without its diagonal.
    factor: Block,
    /// The row of the block that is each row of the factor.
    row_of: [usize; 3],
}

impl Pivot {
    /// None if a pivot is 0 or no number.
    fn new(mut a: Block) -> Option<Self> {
        let mut row_of = [0, 1, 2];
        for j in 0..3 {
            let pivot = (j..3).max_by(|&r, &s| a[r][j].abs().total_cmp(&a[s][j].abs()))?;
            let size = a[pivot][j].abs();
            if !(size > 0.0 && size < f64::INFINITY) {
                return None;
            }
            a.swap(j, pivot);
            row_of.swap(j, pivot);
            for i in j + 1..3 {
                a[i][j] /= a[j][j];
                for c in j + 1..3 {
                    a[i][c] -= a[i][j] * a[j][c];
                }
            }
        }
        Some(Pivot { factor: a, row_of })
    }

    /// `L⁻¹ P x`.
    #[inline(always)]
    fn reduce(&self, x: [f64; 3]) -> [f64; 3] {
        let [_, l1, l2] = &self.factor;
        let [i, j, k] = self.row_of;
        let [x, y, z] = [x[i], x[j], x[k]];
        let y = y - l1[0] * x;
        [x, y, z - l2[0] * x - l2[1] * y]
    }

    /// `U⁻¹ x`.
    #[inline(always)]
    fn divide(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [u0, u1, u2] = &self.factor;
        let z = z / u2[2];
        let y = (y - u1[2] * z) / u1[1];
        [(x - u0[1] * y - u0[2] * z) / u0[0], y, z]
    }

    /// `L⁻¹ P B`.
    #[inline(always)]
    fn reduce_columns(&self, b: &Block) -> Block {
        let mut reduced = *b;
        for j in 0..3 {
            let [x, y, z] = self.reduce([b[0][j], b[1][j], b[2][j]]);
            (reduced[0][j], reduced[1][j], reduced[2][j]) = (x, y, z);
        }
        reduced
    }

    /// `B U⁻¹`.
    #[inline(always)]
    fn divide_rows(&self, b: &Block) -> Block {
        let [u0, u1, u2] = &self.factor;
        let inverse = [1.0 / u0[0], 1.0 / u1[1], 1.0 / u2[2]];
        let mut divided = *b;
        for row in &mut divided {
            row[0] *= inverse[0];
            row[1] = (row[1] - row[0] * u0[1]) * inverse[1];
            row[2] = (row[2] - row[0] * u0[2] - row[1] * u1[2]) * inverse[2];
        }
        divided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// Random sparse matrices `I + Σ f gᵀ` over pairs: the product with the solution is the right side again.
    #[test]
    fn solves_what_it_factors() {
        let mut rng = Rng::new(1);
        let mut random = || rng.unit() - 0.5;
        let mut lu = BlockLu::default();
        for case in 0..200 {
            let size = 1 + case % 40;
            let mut ranks = Vec::new();
            for _ in 0..2 * size {
                let [i, j] = [0; 2].map(|_| ((random() + 0.5) * size as f64) as u32);
                let vectors = [[0; 2]; 2].map(|ends| ends.map(|_| [0; 3].map(|_| random())));
                ranks.push(([Some(i), (i != j).then_some(j)], vectors));
            }
            lu.analyze(size, ranks.iter().map(|&(ends, _)| ends));
            lu.clear((0..size).map(|_| [4.0; 3]));
            for (ends, [f, g]) in &ranks {
                lu.add(*ends, lu.place_of(*ends), 1.0, f, g);
            }
            assert!(lu.factor());
            let right: Vec<[f64; 3]> = (0..size).map(|_| [0; 3].map(|_| random())).collect();
            let mut x = right.clone();
            lu.solve(&mut x);
            let mut image: Vec<[f64; 3]> = x.iter().map(|x| x.map(|x| 4.0 * x)).collect();
            for (ends, [f, g]) in &ranks {
                let of_end = |(end, g): (Option<u32>, &[f64; 3])| end.map_or(0.0, |i| dot(g, &x[i as usize]));
                let along: f64 = ends.iter().copied().zip(g).map(of_end).sum();
                for (end, f) in ends.iter().zip(f) {
                    let Some(i) = end else { continue };
                    image[*i as usize].iter_mut().zip(f).for_each(|(to, f)| *to += f * along);
                }
            }
            for (image, right) in image.iter().flatten().zip(right.iter().flatten()) {
                // 10³ is above the condition of these, times an ulp of the right side.
                assert!((image - right).abs() < 1e3 * f64::EPSILON, "case {case}: {image} {right}");
            }
        }
    }
}
