/// A 2 × 2 block, row by row.
pub(super) type Block = [f64; 4];

/// A symmetric positive definite matrix of 2 × 2 blocks, one row of blocks a body, and its sparse factor `L
/// D Lᵀ`.
///
/// Right-looking elimination in the order of minimum degree (Tinney and Walker, Proc. IEEE 55 (1967) 1801):
/// bodies in the plane touch at most a handful of others, and a body with few neighbours fills in little.
/// The factor of a planar patch of N bodies has O(N log N) blocks and takes O(N^1.5) operations, with small
/// constants.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLdl {
    size: usize,
    /// Before and during elimination: the diagonal blocks, and the off-diagonal ones of each row.
    diagonal: Vec<Block>,
    rows: Vec<Vec<(u32, Block)>>,
    /// The factor: bodies in the order of elimination, their pivots, and where their columns of `L` end.
    order: Vec<u32>,
    pivots: Vec<Pivot>,
    ends: Vec<u32>,
    columns: Vec<(u32, Block)>,
    /// Bodies by number of neighbours; an entry is out of date once the number has changed.
    by_degree: Vec<Vec<u32>>,
    is_eliminated: Vec<bool>,
    /// Scratch: the row being eliminated.
    row: Vec<(u32, Block)>,
}

impl BlockLdl {
    /// Starts a matrix of `size` rows of blocks, all zero. Keeps the memory of earlier ones.
    pub(super) fn reset(&mut self, size: usize) {
        self.size = size;
        self.diagonal.clear();
        self.diagonal.resize(size, [0.0; 4]);
        if self.rows.len() < size {
            self.rows.resize_with(size, Vec::new);
        }
        self.rows[..size].iter_mut().for_each(Vec::clear);
    }

    /// Adds to a diagonal block.
    pub(super) fn add_diagonal(&mut self, i: usize, block: Block) {
        add(&mut self.diagonal[i], block);
    }

    /// Adds a symmetric block to the entries (i, j) and (j, i), i ≠ j.
    pub(super) fn add_symmetric(&mut self, i: usize, j: usize, block: Block) {
        add(entry(&mut self.rows[i], j as u32), block);
        add(entry(&mut self.rows[j], i as u32), block);
    }

    /// Factors the matrix. False if a pivot is not positive definite in the arithmetic.
    pub(super) fn factor(&mut self) -> bool {
        self.order.clear();
        self.pivots.clear();
        self.ends.clear();
        self.columns.clear();
        self.is_eliminated.clear();
        self.is_eliminated.resize(self.size, false);
        self.by_degree.iter_mut().for_each(Vec::clear);
        for i in 0..self.size {
            self.file_by_degree(i);
        }
        let mut degree = 0;
        while self.order.len() < self.size {
            let Some(i) = self.by_degree[degree].pop() else {
                degree += 1;
                continue;
            };
            if self.is_eliminated[i as usize] || self.rows[i as usize].len() != degree {
                continue;
            }
            if !self.eliminate(i) {
                return false;
            }
            // Its neighbours have lost one, and gained others.
            degree = degree.saturating_sub(1);
        }
        true
    }

    fn file_by_degree(&mut self, i: usize) {
        let degree = self.rows[i].len();
        if self.by_degree.len() <= degree {
            self.by_degree.resize_with(degree + 1, Vec::new);
        }
        self.by_degree[degree].push(i as u32);
    }

    fn eliminate(&mut self, i: u32) -> bool {
        let Some(pivot) = Pivot::new(self.diagonal[i as usize]) else { return false };
        self.is_eliminated[i as usize] = true;
        let mut row = core::mem::take(&mut self.row);
        core::mem::swap(&mut row, &mut self.rows[i as usize]);
        for (k, &(j, of_i)) in row.iter().enumerate() {
            let factor = pivot.solve_rows(transposed(of_i));
            self.columns.push((j, factor));
            let j = j as usize;
            subtract(&mut self.diagonal[j], product(factor, of_i));
            let place = self.rows[j].iter().position(|&(other, _)| other == i);
            if let Some(place) = place {
                self.rows[j].swap_remove(place);
            }
            for &(other, of_other) in &row[..k] {
                let change = product(factor, of_other);
                subtract(entry(&mut self.rows[j], other), change);
                subtract(entry(&mut self.rows[other as usize], j as u32), transposed(change));
            }
        }
        self.order.push(i);
        self.pivots.push(pivot);
        self.ends.push(self.columns.len() as u32);
        for &(j, _) in &row {
            self.file_by_degree(j as usize);
        }
        row.clear();
        self.row = row;
        true
    }

    /// Solves in place, once factored.
    pub(super) fn solve(&self, x: &mut [[f64; 2]]) {
        let mut start = 0;
        for (&i, &end) in self.order.iter().zip(&self.ends) {
            let of_i = x[i as usize];
            for &(j, factor) in &self.columns[start..end as usize] {
                let [fx, fy] = apply(factor, of_i);
                let of_j = &mut x[j as usize];
                (of_j[0], of_j[1]) = (of_j[0] - fx, of_j[1] - fy);
            }
            start = end as usize;
        }
        for (k, &i) in self.order.iter().enumerate().rev() {
            let start = if k == 0 { 0 } else { self.ends[k - 1] as usize };
            let mut of_i = self.pivots[k].solve(x[i as usize]);
            for &(j, factor) in &self.columns[start..self.ends[k] as usize] {
                let [fx, fy] = apply(transposed(factor), x[j as usize]);
                (of_i[0], of_i[1]) = (of_i[0] - fx, of_i[1] - fy);
            }
            x[i as usize] = of_i;
        }
    }
}

/// The block of a column in a row; added as zero if there is none.
fn entry(row: &mut Vec<(u32, Block)>, column: u32) -> &mut Block {
    let place = row.iter().position(|&(other, _)| other == column).unwrap_or_else(|| {
        row.push((column, [0.0; 4]));
        row.len() - 1
    });
    &mut row[place].1
}

fn add(to: &mut Block, block: Block) {
    to.iter_mut().zip(block).for_each(|(x, y)| *x += y);
}

fn subtract(from: &mut Block, block: Block) {
    from.iter_mut().zip(block).for_each(|(x, y)| *x -= y);
}

fn transposed([a, b, c, d]: Block) -> Block {
    [a, c, b, d]
}

fn product([a, b, c, d]: Block, [e, f, g, h]: Block) -> Block {
    [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
}

fn apply([a, b, c, d]: Block, [x, y]: [f64; 2]) -> [f64; 2] {
    [a * x + b * y, c * x + d * y]
}

/// A positive definite block as `L D Lᵀ`: what its inverse would round away where it is nearly singular is
/// kept.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    first: f64,
    lower: f64,
    second: f64,
}

impl Pivot {
    fn new([a, b, _, d]: Block) -> Option<Self> {
        let lower = b / a;
        let second = d - lower * b;
        (a > 0.0 && second > 0.0 && a < f64::INFINITY && second < f64::INFINITY).then_some(Pivot {
            first: a,
            lower,
            second,
        })
    }

    fn solve(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = (y - self.lower * x) / self.second;
        [x / self.first - self.lower * y, y]
    }

    /// `B P⁻¹`, which is `(P⁻¹ Bᵀ)ᵀ`.
    fn solve_rows(&self, [a, b, c, d]: Block) -> Block {
        let ([a, b], [c, d]) = (self.solve([a, b]), self.solve([c, d]));
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
            ldl.reset(size);
            let mut put = |ldl: &mut BlockLdl, i: usize, j: usize, block: Block| {
                for (k, x) in block.into_iter().enumerate() {
                    dense[(2 * i + k / 2) * 2 * size + 2 * j + k % 2] += x;
                }
                if i == j {
                    ldl.add_diagonal(i, block);
                } else if i < j {
                    ldl.add_symmetric(i, j, block);
                }
            };
            for i in 0..size {
                put(&mut ldl, i, i, [1.0, 0.0, 0.0, 1.0]);
            }
            for _ in 0..2 * size {
                let (i, j) = ((random() * size as f64) as usize, (random() * size as f64) as usize);
                let (x, y) = (random() - 0.5, random() - 0.5);
                let block = [x * x, x * y, x * y, y * y].map(|x| 100.0 * x);
                if i != j {
                    put(&mut ldl, i, i, block);
                    put(&mut ldl, j, j, block);
                    put(&mut ldl, i, j, block.map(|x| -x));
                    put(&mut ldl, j, i, block.map(|x| -x));
                }
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
        ldl.add_diagonal(0, [1.0, 1.0, 1.0, 1.0]);
        assert!(!ldl.factor());
    }
}
