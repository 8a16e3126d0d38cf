use super::block_ldl::BlockLdl;
use super::row::{Body, Ends, Iterate, Row, RowKind};
use super::row_factor::RowFactor;
use crate::tolerances::SOFTNESS;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// The factor by bodies of problems with the same graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub(super) ldl: BlockLdl,
    /// The graph: the number of bodies, and of each row its ends and its place.
    bodies: usize,
    rows: Vec<(Ends, u32)>,
}

/// How many structures are kept beside that of the last problem. A heap has three or four in turn; to look
/// through more costs as much as it saves.
const OTHERS: usize = 3;

impl Structure {
    fn is_of(&self, bodies: &[Body], rows: &[Row]) -> bool {
        self.bodies == bodies.len()
            && self.rows.len() == rows.len()
            && self.rows.iter().zip(rows).all(|(&(ends, _), row)| ends == row.ends)
    }

    /// Finds that of a problem, and the places of its rows.
    fn analyze(&mut self, bodies: &[Body], rows: &mut [Row]) {
        self.ldl.reset(bodies.len());
        for row in &*rows {
            if let [Some(a), Some(b)] = row.ends {
                self.ldl.connect(a, b);
            }
        }
        self.ldl.analyze();
        self.bodies = bodies.len();
        self.rows.clear();
        for row in rows {
            if let [Some(a), Some(b)] = row.ends {
                row.place = self.ldl.place_of(a, b);
            }
            self.rows.push((row.ends, row.place));
        }
    }
}

/// The bodies and rows of a problem, and the factor of its matrix over the active set: the rows that
/// [push](Row::pushes).
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) bodies: Vec<Body>,
    /// The body whose mobility was noted last, in this problem or another.
    last: Body,
    pub(super) rows: Vec<Row>,
    /// The factor by bodies, and the structures of others that problems had not long ago: problems of one
    /// instant take in turn the contacts that are held, those that press, and all.
    pub(super) structure: Structure,
    others: [Structure; OTHERS],
    row_factor: RowFactor,
    /// Whether the factor is that of the rows.
    pub(super) is_by_rows: bool,
    /// Whether `structure` is that of this problem.
    is_analyzed: bool,
    /// By body: momenta on the right side of a step, then the velocities that solve it.
    pub(super) step: Vec<[f64; 2]>,
}

impl System {
    /// With room for this many bodies and rows.
    pub(super) fn with_room(few: usize) -> Self {
        System {
            bodies: Vec::with_capacity(few),
            rows: Vec::with_capacity(few),
            step: Vec::with_capacity(few),
            ..System::default()
        }
    }

    /// Starts a problem.
    pub(super) fn reset(&mut self) {
        self.bodies.clear();
        self.rows.clear();
        self.is_analyzed = false;
    }

    /// Adds a body that the contacts can move. Its index.
    pub(super) fn add_body(&mut self, mass: f64) -> u32 {
        self.bodies.push(Body { mass, mobility: 1.0 / mass, exact_mobility: Dd::ZERO });
        self.bodies.len() as u32 - 1
    }

    /// Notes the mobilities in double-double: what is solved in `f64` needs none, and a division costs as
    /// much as a row.
    pub(super) fn note_exact_mobilities(&mut self) {
        for body in &mut self.bodies {
            // Most have the mass of the one before, in this problem or another.
            if self.last.mass != body.mass {
                self.last = Body { exact_mobility: Dd::from(1.0) / Dd::from(body.mass), ..*body };
            }
            body.exact_mobility = self.last.exact_mobility;
        }
    }

    /// Adds a contact: its unit normal from the first to the second, the speed at which it closes, and what
    /// it is to do.
    pub(super) fn add_row(&mut self, ends: Ends, normal: DVec2, closing: Dd, kind: RowKind) {
        let square = Dd::product(normal.x, normal.x) + Dd::product(normal.y, normal.y);
        let mobility =
            ends.into_iter().flatten().fold(0.0, |sum, body| sum + self.bodies[body as usize].mobility);
        let opening = -closing;
        self.rows.push(Row {
            ends,
            place: 0,
            normal,
            opening,
            wanted: 0.0,
            trial: 0.0,
            diagonal: mobility * square.to_f64(),
            is_bilateral: kind == RowKind::TwoSided,
            pushes: match kind {
                RowKind::OneSided => opening < Dd::ZERO,
                RowKind::Pushing | RowKind::TwoSided => true,
                RowKind::Idle => false,
            },
            is_wrong: false,
            softness: SOFTNESS,
            iterate: Iterate::default(),
        });
    }

    /// By how much a unit impulse at one row opens the other.
    pub(super) fn mobility_of(&self, r: usize, s: usize) -> Dd {
        let (r, s) = (&self.rows[r], &self.rows[s]);
        let mut mobility = Dd::ZERO;
        for (i, of_r) in r.ends.into_iter().enumerate() {
            for (j, of_s) in s.ends.into_iter().enumerate() {
                let Some(body) = of_r.filter(|_| of_r == of_s) else { continue };
                let of_body = self.bodies[body as usize].exact_mobility;
                mobility = if i == j { mobility + of_body } else { mobility - of_body };
            }
        }
        if mobility == Dd::ZERO {
            return mobility;
        }
        mobility * (Dd::product(r.normal.x, s.normal.x) + Dd::product(r.normal.y, s.normal.y))
    }

    /// Finds the structure of the factor, unless it is that of the problem before.
    pub(super) fn analyze(&mut self) {
        self.is_analyzed = true;
        let System { bodies, rows, structure, others, .. } = self;
        if !structure.is_of(bodies, rows) {
            // The one that was used last goes to the front, so that the last of them is the oldest.
            let known = others.iter().position(|other| other.is_of(bodies, rows));
            for other in &mut others[..known.map_or(OTHERS, |k| k + 1)] {
                core::mem::swap(structure, other);
            }
            if known.is_none() {
                return structure.analyze(bodies, rows);
            }
        }
        rows.iter_mut().zip(&structure.rows).for_each(|(row, &(_, place))| row.place = place);
    }

    /// Factors `M + Gᵀ (ε D)⁻¹ G` over the active set, in place of `A + ε D` with `A = G M⁻¹ Gᵀ`.
    ///
    /// With `K = M + Gᵀ (ε D)⁻¹ G` the identity of Woodbury is `(A + ε D)⁻¹ = (ε D)⁻¹ − (ε D)⁻¹ G K⁻¹ Gᵀ (ε
    /// D)⁻¹`: one solution with `K` gives the impulses. `K` has a block of two by two for each body and for
    /// each pair that touches, and stays sparse when factored; `A` has an entry for each pair of contacts of
    /// one body, and is singular where contacts depend on each other.
    pub(super) fn factor(&mut self) -> bool {
        if !self.is_analyzed {
            self.analyze();
        }
        self.is_by_rows = false;
        self.structure.ldl.clear();
        for (i, body) in (0..).zip(&self.bodies) {
            self.structure.ldl.add_diagonal(i, [body.mass, 0.0, 0.0, body.mass]);
        }
        for row in self.rows.iter().filter(|row| row.pushes) {
            let DVec2 { x, y } = row.normal;
            let stiffness = 1.0 / (row.softness * row.diagonal);
            let block = [x * x * stiffness, x * y * stiffness, x * y * stiffness, y * y * stiffness];
            let [a, b] = row.ends;
            if let Some(a) = a {
                self.structure.ldl.add_diagonal(a, block);
            }
            if let Some(b) = b {
                self.structure.ldl.add_diagonal(b, block);
            }
            if a.is_some() && b.is_some() {
                self.structure.ldl.subtract_symmetric(row.place, block);
            }
        }
        self.structure.ldl.factor()
    }

    /// Factors `A` itself where the active set has few rows that clearly do not depend on each other, else as
    /// [`System::factor`].
    pub(super) fn factor_active(&mut self) -> bool {
        self.is_by_rows = self.row_factor.factor(&self.rows, &self.bodies);
        self.is_by_rows || self.factor()
    }

    /// The impulses that change the speeds of opening of the active set by `wanted`, into `trial`: soft ones,
    /// unless the factor is that of the rows.
    pub(super) fn solve_step(&mut self) {
        if self.is_by_rows {
            return self.row_factor.solve(&mut self.rows);
        }
        // The identity of Woodbury, from the right: `step` is `K⁻¹ Gᵀ (ε D)⁻¹ wanted`, the velocities.
        self.note_momenta(|row| row.pushes.then_some(row.wanted / (row.softness * row.diagonal)));
        self.structure.ldl.solve(&mut self.step);
        for row in self.rows.iter_mut().filter(|row| row.pushes) {
            row.trial = (row.wanted - row.opened_by(&self.step)) / (row.softness * row.diagonal);
        }
    }

    /// Changes the impulse of a row, in `trial`, so that its speed becomes that which is wanted, or it no
    /// longer pushes; and the velocities, in `step`.
    pub(super) fn relax_row(&mut self, r: usize) {
        let row = &mut self.rows[r];
        let relaxed = row.trial - (row.opened_by(&self.step) - row.wanted) / row.diagonal;
        let impulse = if row.is_bilateral { relaxed } else { relaxed.max(0.0) };
        let change = impulse - row.trial;
        row.trial = impulse;
        for (end, sign) in row.ends.into_iter().zip([-1.0, 1.0]) {
            let Some(body) = end else { continue };
            let by = sign * change * self.bodies[body as usize].mobility;
            let [x, y] = &mut self.step[body as usize];
            (*x, *y) = (*x + by * row.normal.x, *y + by * row.normal.y);
        }
    }

    /// Lets the rows on the wrong side change it.
    pub(super) fn change_sides(&mut self) {
        for row in self.rows.iter_mut().filter(|row| row.is_wrong) {
            row.pushes = !row.pushes;
        }
    }

    /// The momenta that impulses give to the bodies, into `step`.
    fn note_momenta(&mut self, impulse: impl Fn(&Row) -> Option<f64>) {
        self.step.clear();
        self.step.resize(self.bodies.len(), [0.0; 2]);
        for row in &self.rows {
            if let Some(impulse) = impulse(row) {
                row.add_momentum(impulse, &mut self.step);
            }
        }
    }

    /// The velocities that impulses give to the bodies, into `step`.
    pub(super) fn note_velocities(&mut self, impulse: impl Fn(&Row) -> Option<f64>) {
        self.note_momenta(impulse);
        for (step, body) in self.step.iter_mut().zip(&self.bodies) {
            let mobility = body.mobility;
            *step = [step[0] * mobility, step[1] * mobility];
        }
    }
}
