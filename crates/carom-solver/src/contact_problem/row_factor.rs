use super::row::{Body, Row};
use crate::tolerances::CLEAR_PIVOT;

/// The most rows that are factored as they are. The factor is dense, O(n³), and stands in the struct, without
/// a list; a pass of a rack rarely has more contacts that push. With more the sparse factor is faster.
const MOST_ROWS: usize = 8;

/// The matrix `A` over the active set as `L D Lᵀ`.
///
/// A step with it reduces what is left by the rounding of `f64`, where one with the soft factor of the bodies
/// reduces it by the softness: three do what takes that six or seven. It has one answer where the rows do not
/// depend on each other, so there softness has nothing to decide.
#[derive(Clone, Debug, Default)]
pub(super) struct RowFactor {
    size: usize,
    /// The rows of the active set.
    rows: [usize; MOST_ROWS],
    /// `L` below its diagonal, and the inverse of `D`.
    lower: [[f64; MOST_ROWS]; MOST_ROWS],
    inverse: [f64; MOST_ROWS],
}

impl RowFactor {
    /// Factors the rows that push. False if they are not few, or may depend on each other.
    pub(super) fn factor(&mut self, rows: &[Row], bodies: &[Body]) -> bool {
        self.size = 0;
        if rows.iter().filter(|row| row.pushes).count() > MOST_ROWS {
            return false;
        }
        for (r, row) in rows.iter().enumerate().filter(|(_, row)| row.pushes) {
            let i = self.size;
            let (mut pivot, mut of_row) = (row.diagonal, [0.0; MOST_ROWS]);
            for k in 0..i {
                let mut entry = coupling(row, &rows[self.rows[k]], bodies);
                for (of_row, of_k) in of_row[..k].iter().zip(&self.lower[k]) {
                    entry -= of_row * of_k;
                }
                of_row[k] = entry;
                self.lower[i][k] = entry * self.inverse[k];
                pivot -= entry * self.lower[i][k];
            }
            if !(pivot > CLEAR_PIVOT * row.diagonal && pivot < f64::INFINITY) {
                return false;
            }
            (self.rows[i], self.inverse[i]) = (r, 1.0 / pivot);
            self.size = i + 1;
        }
        true
    }

    /// The impulses that change the speeds of opening by `wanted`, into `trial`.
    pub(super) fn solve(&self, rows: &mut [Row]) {
        let (size, mut x) = (self.size, [0.0; MOST_ROWS]);
        for i in 0..size {
            x[i] = rows[self.rows[i]].wanted;
            for k in 0..i {
                x[i] -= self.lower[i][k] * x[k];
            }
        }
        for i in (0..size).rev() {
            x[i] *= self.inverse[i];
            for k in i + 1..size {
                x[i] -= self.lower[k][i] * x[k];
            }
            rows[self.rows[i]].trial = x[i];
        }
    }
}

/// By how much a unit impulse at one row opens the other.
fn coupling(r: &Row, s: &Row, bodies: &[Body]) -> f64 {
    let mut mobility = 0.0;
    for (i, of_r) in r.ends.into_iter().enumerate() {
        for (j, of_s) in s.ends.into_iter().enumerate() {
            if let Some(body) = of_r.filter(|_| of_r == of_s) {
                let of_body = bodies[body as usize].mobility;
                mobility += if i == j { of_body } else { -of_body };
            }
        }
    }
    mobility * r.normal.dot(s.normal)
}

#[cfg(test)]
mod tests {
    use super::super::row::RowKind;
    use super::super::system::System;
    use super::RowFactor;
    use glam::DVec2;

    /// Three contacts of one body in the plane depend on each other, and are left to softness; two at right
    /// angles do not.
    #[test]
    fn takes_only_rows_that_are_clearly_independent() {
        for (normals, is_clear) in [
            (&[DVec2::X, DVec2::Y][..], true),
            (&[DVec2::X, DVec2::X], false),
            (&[DVec2::X, DVec2::from_angle(1e-2)], false),
            (&[DVec2::X, DVec2::Y, DVec2::from_angle(1.0)], false),
        ] {
            let mut system = System::default();
            let body = system.add_body(2.0);
            for &normal in normals {
                system.add_row([Some(body), None], normal, 1.0.into(), RowKind::OneSided);
            }
            assert_eq!(RowFactor::default().factor(&system.rows, &system.bodies), is_clear, "{normals:?}");
        }
    }
}
