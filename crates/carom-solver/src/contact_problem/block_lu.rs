use super::elimination::Elimination;
use super::row::Ends;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

/// A 3 × 3 block, by columns: what is done to its rows is done to all of a column at once.
type Block = [[f64; 3]; 3];

/// A matrix of 3 × 3 blocks, one row of blocks a body, that need not be symmetric, and its sparse factor
/// `L U`.
///
/// The structure is symmetric: a block between two bodies has its mirror image. So the order of
/// elimination is that of [`Elimination`]. Pivots are sought within the blocks on the diagonal only; the
/// factor of a matrix that needs others is inexact, which the residual shows.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLu {
    order: Elimination,
    /// The blocks on the diagonal, those below it by columns, and those right of it by rows; once factored
    /// those of the factor, with the diagonal in `pivots`.
    diagonal: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    pivots: Vec<Pivot>,
    /// Where the block is from which each product of a block below and one right of a pivot is subtracted, in
    /// the order of the elimination: on, below or right of the diagonal as the product is.
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
                    if row == column { row } else { order.place_in_column(row.min(column), row.max(column)) }
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
        for (blocks, count) in
            [(&mut self.diagonal, bodies), (&mut self.lower, beside), (&mut self.upper, beside)]
        {
            blocks.clear();
            blocks.resize(count, [[0.0; 3]; 3]);
        }
        for (&place, mass) in self.order.place.iter().zip(masses) {
            (0..3).for_each(|i| self.diagonal[place as usize][i][i] = mass[i]);
        }
    }

    /// Adds `k f gᵀ`, where `f` and `g` have three components for each of the two ends.
    pub(super) fn add(&mut self, ends: Ends, place: u32, k: f64, f: &[[f64; 3]; 2], g: &[[f64; 3]; 2]) {
        let BlockLu { order, diagonal, lower, upper, .. } = self;
        for (end, (f, g)) in ends.into_iter().zip(f.iter().zip(g)) {
            if let Some(body) = end {
                add_product(&mut diagonal[order.place[body as usize] as usize], k, f, g);
            }
        }
        if let [Some(a), Some(b)] = ends {
            let is_a_later = order.place[a as usize] > order.place[b as usize];
            let (late, early) = if is_a_later { (0, 1) } else { (1, 0) };
            add_product(&mut lower[place as usize], k, &f[late], &g[early]);
            add_product(&mut upper[place as usize], k, &f[early], &g[late]);
        }
    }

    /// Factors the matrix. False if a block on the diagonal has no inverse.
    pub(super) fn factor(&mut self) -> bool {
        let BlockLu { order, diagonal, lower, upper, pivots, targets, .. } = self;
        pivots.clear();
        let mut targets = targets.iter();
        for k in 0..diagonal.len() {
            let Some(pivot) = Pivot::new(&diagonal[k]) else { return false };
            pivots.push(pivot);
            let Range { start, end } = order.range_of(k);
            // What is changed lies in later columns and rows.
            let (lower, later_lower) = lower.split_at_mut(end);
            let (upper, later_upper) = upper.split_at_mut(end);
            let (lower, upper) = (&mut lower[start..], &mut upper[start..]);
            lower.iter_mut().for_each(|block| pivot.divide_rows(block));
            upper.iter_mut().for_each(|block| pivot.reduce_columns(block));
            for (i, a) in lower.iter().enumerate() {
                for ((j, b), &target) in upper.iter().enumerate().zip(targets.by_ref()) {
                    let target = target as usize;
                    let from = match i.cmp(&j) {
                        Ordering::Equal => &mut diagonal[target],
                        Ordering::Greater => &mut later_lower[target - end],
                        Ordering::Less => &mut later_upper[target - end],
                    };
                    subtract_product(from, a, b);
                }
            }
        }
        true
    }

    /// Solves in place, once factored.
    pub(super) fn solve(&mut self, x: &mut [[f64; 3]]) {
        let BlockLu { order, pivots, lower, upper, permuted: y, .. } = self;
        y.clear();
        y.extend(order.order.iter().map(|&i| x[i as usize]));
        for (k, pivot) in pivots.iter().enumerate() {
            let of_k = pivot.reduce(y[k]);
            y[k] = of_k;
            let range = order.range_of(k);
            for (&row, block) in order.row_of[range.clone()].iter().zip(&lower[range]) {
                subtract_image(&mut y[row as usize], block, &of_k);
            }
        }
        for (k, pivot) in pivots.iter().enumerate().rev() {
            let mut left = y[k];
            let range = order.range_of(k);
            for (&row, block) in order.row_of[range.clone()].iter().zip(&upper[range]) {
                subtract_image(&mut left, block, &y[row as usize]);
            }
            y[k] = pivot.divide(left);
        }
        for (&i, y) in order.order.iter().zip(y.iter()) {
            x[i as usize] = *y;
        }
    }
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

// Loops over indices from here on: closures over arrays are not always inlined.

/// Adds `k f gᵀ`.
fn add_product(block: &mut Block, k: f64, f: &[f64; 3], g: &[f64; 3]) {
    let f = [k * f[0], k * f[1], k * f[2]];
    for j in 0..3 {
        for i in 0..3 {
            block[j][i] += f[i] * g[j];
        }
    }
}

/// Subtracts `a b`.
#[inline(always)]
fn subtract_product(from: &mut Block, a: &Block, b: &Block) {
    for j in 0..3 {
        subtract_image(&mut from[j], a, &b[j]);
    }
}

/// Subtracts `a x`.
#[inline(always)]
fn subtract_image(from: &mut [f64; 3], a: &Block, x: &[f64; 3]) {
    for i in 0..3 {
        from[i] -= a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2];
    }
}

/// A block as `Pᵀ L U`, by elimination with the largest pivot of each column.
///
/// Blocks beside it are multiplied by `L⁻¹` and by `U⁻¹`, as in a factor without blocks. The product with the
/// inverse of a nearly singular block would lose what its smaller pivots hold: with it corrections took off a
/// tenth each in place of 2⁻²⁶.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    /// `U`, and below it `L` without its diagonal, by rows.
    factor: [[f64; 3]; 3],
    /// The inverse of the diagonal of `U`. Divisions are what a factor waits for.
    inverse: [f64; 3],
    /// The row of the block that is each row of the factor.
    row_of: [usize; 3],
}

impl Pivot {
    /// None if a pivot is 0 or no number.
    fn new(columns: &Block) -> Option<Self> {
        let mut a = [0, 1, 2].map(|i| columns.map(|column| column[i]));
        let (mut row_of, mut inverse) = ([0, 1, 2], [0.0; 3]);
        for j in 0..3 {
            let mut pivot = j;
            for i in j + 1..3 {
                pivot = if a[i][j].abs() > a[pivot][j].abs() { i } else { pivot };
            }
            let size = a[pivot][j].abs();
            if !(size > 0.0 && size < f64::INFINITY) {
                return None;
            }
            if pivot != j {
                a.swap(j, pivot);
                row_of.swap(j, pivot);
            }
            inverse[j] = 1.0 / a[j][j];
            for i in j + 1..3 {
                a[i][j] *= inverse[j];
                for c in j + 1..3 {
                    a[i][c] -= a[i][j] * a[j][c];
                }
            }
        }
        Some(Pivot { factor: a, inverse, row_of })
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
        let [u0, u1, _] = &self.factor;
        let [i0, i1, i2] = self.inverse;
        let z = z * i2;
        let y = (y - u1[2] * z) * i1;
        [(x - u0[1] * y - u0[2] * z) * i0, y, z]
    }

    /// `L⁻¹ P B`.
    #[inline(always)]
    fn reduce_columns(&self, b: &mut Block) {
        for column in b {
            *column = self.reduce(*column);
        }
    }

    /// `B U⁻¹`.
    #[inline(always)]
    fn divide_rows(&self, [x, y, z]: &mut Block) {
        let [u0, u1, _] = &self.factor;
        let [i0, i1, i2] = self.inverse;
        for i in 0..3 {
            x[i] *= i0;
            y[i] = (y[i] - x[i] * u0[1]) * i1;
            z[i] = (z[i] - x[i] * u0[2] - y[i] * u1[2]) * i2;
        }
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
