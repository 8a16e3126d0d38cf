//! Small dense systems of linear equations and inequalities.

/// The least pivot of a matrix whose diagonal is 1 that counts as one.
const PIVOT: f64 = 1e-11;
/// How far the sides of an equation may be apart where the matrix is singular, of the largest right side.
const CONSISTENT: f64 = 1e-8;

/// All solutions of a system: `point` plus any combination of `free`.
pub(super) struct Solutions {
    pub(super) point: Vec<f64>,
    pub(super) free: Vec<Vec<f64>>,
}

/// The solutions of `a x = b`, by elimination with complete pivoting of the matrix scaled by its diagonal.
/// `None` if the system has no solution.
pub(super) fn solutions(a: &[Vec<f64>], b: &[f64]) -> Option<Solutions> {
    let n = b.len();
    let scale: Vec<f64> = (0..n).map(|k| a[k][k].abs().max(f64::MIN_POSITIVE).sqrt().recip()).collect();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| a[i][j] * scale[i] * scale[j]).chain([b[i] * scale[i]]).collect())
        .collect();
    let size = rows.iter().map(|row| row[n].abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..n).collect();
    let mut rank = 0;
    while rank < n {
        let at = (rank..n).flat_map(|i| (rank..n).map(move |j| (i, j)));
        let (i, j) = at.max_by(|&(i, j), &(k, l)| rows[i][j].abs().total_cmp(&rows[k][l].abs()))?;
        if rows[i][j].abs() < PIVOT {
            break;
        }
        rows.swap(rank, i);
        order.swap(rank, j);
        rows.iter_mut().for_each(|row| row.swap(rank, j));
        let pivot = rows[rank].clone();
        for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != rank).map(|(_, row)| row) {
            let factor = row[rank] / pivot[rank];
            row.iter_mut().zip(&pivot).skip(rank).for_each(|(x, p)| *x -= factor * p);
        }
        rank += 1;
    }
    if rows[rank..].iter().any(|row| row[n].abs() > CONSISTENT * size) {
        return None;
    }
    let place = |of: &dyn Fn(usize) -> f64, own: Option<usize>| {
        let mut x = vec![0.0; n];
        (0..rank).for_each(|k| x[order[k]] = of(k) / rows[k][k] * scale[order[k]]);
        if let Some(own) = own {
            x[order[own]] = scale[order[own]];
        }
        x
    };
    let point = place(&|k| rows[k][n], None);
    let free = (rank..n).map(|j| place(&|k| -rows[k][j], Some(j))).collect();
    Some(Solutions { point, free })
}

/// A linear function, `factors · x + constant`.
pub(super) struct Line {
    pub(super) factors: Vec<f64>,
    pub(super) constant: f64,
}

impl Line {
    pub(super) fn at(&self, x: &[f64]) -> f64 {
        self.factors.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() + self.constant
    }

    fn along(&self, x: &[f64]) -> f64 {
        self.factors.iter().zip(x).map(|(a, x)| a * x).sum()
    }
}

/// Among the solutions that at which the least of the functions is largest.
pub(super) fn best(all: &Solutions, lines: &[Line]) -> Vec<f64> {
    if all.free.is_empty() || lines.is_empty() {
        return all.point.clone();
    }
    let constants: Vec<f64> = lines.iter().map(|line| line.at(&all.point)).collect();
    let slopes: Vec<Vec<f64>> =
        lines.iter().map(|line| all.free.iter().map(|way| line.along(way)).collect()).collect();
    let mut x = all.point.clone();
    for (way, z) in all.free.iter().zip(largest_least(&constants, &slopes)) {
        x.iter_mut().zip(way).for_each(|(x, way)| *x += way * z);
    }
    x
}

/// The largest least that is looked for.
const ENOUGH: f64 = 1.0;
/// What counts as 0 in the tableau.
const ZERO: f64 = 1e-13;

/// The `z` at which the least of `constants + slopes z` is largest, up to [`ENOUGH`]: the simplex method by
/// Bland's rule. With `z = z₁ − z₂` and the least `t − c`, where `c` makes all constants positive, 0 is
/// allowed, and `t` is to grow.
fn largest_least(constants: &[f64], slopes: &[Vec<f64>]) -> Vec<f64> {
    let (m, d) = (constants.len(), slopes[0].len());
    let below = -constants.iter().copied().fold(0.0, f64::min);
    let n = 2 * d + 1;
    let mut table: Vec<Vec<f64>> = (0..=m)
        .map(|i| {
            let own = (0..=m).map(|k| f64::from(k == i));
            let (ways, limit) = match slopes.get(i) {
                Some(slope) => (slope.clone(), constants[i] + below),
                None => (vec![0.0; d], ENOUGH + below),
            };
            ways.iter()
                .map(|x| -x)
                .chain(ways.iter().copied())
                .chain([1.0])
                .chain(own)
                .chain([limit])
                .collect()
        })
        .collect();
    let mut basis: Vec<usize> = (n..=n + m).collect();
    let mut gain: Vec<f64> = (0..n + m + 2).map(|k| f64::from(k == n - 1)).collect();
    let last = n + m + 1;
    for _ in 0..1000 {
        let Some(enters) = (0..last).find(|&k| gain[k] > ZERO) else { break };
        let ratio = |i: usize| table[i][last] / table[i][enters];
        let may_leave = (0..=m).filter(|&i| table[i][enters] > ZERO);
        let first = |&a: &usize, &b: &usize| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b]));
        let Some(leaves) = may_leave.min_by(first) else { break };
        let factor = table[leaves][enters].recip();
        table[leaves].iter_mut().for_each(|x| *x *= factor);
        let pivot = table[leaves].clone();
        let others = table.iter_mut().enumerate().filter(|(i, _)| *i != leaves).map(|(_, row)| row);
        for row in others.chain([&mut gain]) {
            let by = row[enters];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= by * p);
        }
        basis[leaves] = enters;
    }
    let value = |k: usize| basis.iter().position(|&b| b == k).map_or(0.0, |i| table[i][last]);
    (0..d).map(|k| value(k) - value(k + d)).collect()
}
