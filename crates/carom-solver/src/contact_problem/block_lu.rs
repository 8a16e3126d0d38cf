use super::elimination::Elimination;
use super::row::Ends;
use alloc::vec::Vec;

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
    /// The blocks on the diagonal, and once factored their factors.
    diagonal: Vec<Block>,
    pivots: Vec<Pivot>,
    /// Below the diagonal, by columns, and right of it, by rows, at the same places.
    lower: Vec<Block>,
    upper: Vec<Block>,
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
    }

    /// Where the blocks of a pair are.
    pub(super) fn place_of(&self, ends: Ends) -> u32 {
        if let [Some(a), Some(b)] = ends { self.order.place_of(a, b) } else { 0 }
    }

    /// Starts a matrix: these blocks on the diagonal, and 0.
    pub(super) fn clear(&mut self, masses: impl Iterator<Item = [f64; 3]>) {
        self.diagonal.clear();
        self.diagonal.resize(self.order.place.len(), [[0.0; 3]; 3]);
        for (&place, mass) in self.order.place.iter().zip(masses) {
            (0..3).for_each(|i| self.diagonal[place as usize][i][i] = mass[i]);
        }
        for blocks in [&mut self.lower, &mut self.upper] {
            blocks.clear();
            blocks.resize(self.order.row_of.len(), [[0.0; 3]; 3]);
        }
    }

    /// Adds `k f gᵀ`, where `f` and `g` have three components for each of the two ends.
    pub(super) fn add(&mut self, ends: Ends, place: u32, k: f64, f: &[[f64; 3]; 2], g: &[[f64; 3]; 2]) {
        for (end, (f, g)) in ends.into_iter().zip(f.iter().zip(g)) {
            if let Some(body) = end {
                add_product(&mut self.diagonal[self.order.place[body as usize] as usize], k, f, g);
            }
        }
        if let [Some(a), Some(b)] = ends {
            let is_a_later = self.order.place[a as usize] > self.order.place[b as usize];
            let (late, early) = if is_a_later { (0, 1) } else { (1, 0) };
            add_product(&mut self.lower[place as usize], k, &f[late], &g[early]);
            add_product(&mut self.upper[place as usize], k, &f[early], &g[late]);
        }
    }

    /// Factors the matrix. False if a block on the diagonal has no inverse.
    pub(super) fn factor(&mut self) -> bool {
        self.pivots.clear();
        for k in 0..self.diagonal.len() {
            let Some(pivot) = Pivot::new(self.diagonal[k]) else { return false };
            self.pivots.push(pivot);
            let range = self.order.range_of(k);
            for i in range.clone() {
                self.lower[i] = pivot.divide_rows(&self.lower[i]);
                self.upper[i] = pivot.reduce_columns(&self.upper[i]);
            }
            for i in range.clone() {
                let row = self.order.row_of[i] as usize;
                for j in range.clone() {
                    let change = product(&self.lower[i], &self.upper[j]);
                    let column = self.order.row_of[j] as usize;
                    let block = if row == column {
                        &mut self.diagonal[row]
                    } else {
                        let of_column = self.order.range_of(row.min(column));
                        let rows = &self.order.row_of[of_column.clone()];
                        let at = of_column.start + rows.partition_point(|&r| (r as usize) < row.max(column));
                        if row > column { &mut self.lower[at] } else { &mut self.upper[at] }
                    };
                    for (block, change) in block.iter_mut().flatten().zip(change.iter().flatten()) {
                        *block -= change;
                    }
                }
            }
        }
        true
    }

    /// Solves in place, once factored.
    pub(super) fn solve(&mut self, x: &mut [[f64; 3]]) {
        let BlockLu { order, pivots, lower, upper, permuted, .. } = self;
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

fn product(a: &Block, b: &Block) -> Block {
    a.map(|row| [0, 1, 2].map(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
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
    fn reduce(&self, x: [f64; 3]) -> [f64; 3] {
        let [_, l1, l2] = &self.factor;
        let [x, y, z] = self.row_of.map(|i| x[i]);
        let y = y - l1[0] * x;
        [x, y, z - l2[0] * x - l2[1] * y]
    }

    /// `U⁻¹ x`.
    fn divide(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [u0, u1, u2] = &self.factor;
        let z = z / u2[2];
        let y = (y - u1[2] * z) / u1[1];
        [(x - u0[1] * y - u0[2] * z) / u0[0], y, z]
    }

    /// `L⁻¹ P B`.
    fn reduce_columns(&self, b: &Block) -> Block {
        let columns = [0, 1, 2].map(|j| self.reduce(b.map(|row| row[j])));
        [0, 1, 2].map(|i| columns.map(|column| column[i]))
    }

    /// `B U⁻¹`.
    fn divide_rows(&self, b: &Block) -> Block {
        let [u0, u1, u2] = &self.factor;
        b.map(|[x, y, z]| {
            let x = x / u0[0];
            let y = (y - x * u0[1]) / u1[1];
            [x, y, (z - x * u0[2] - y * u1[2]) / u2[2]]
        })
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
