use super::block_ldl::BlockLdl;
use super::complementarity::{Complementarity, Infeasible};
use super::ground::{Found, Ground};
use super::proximal::Rough;
use super::role::{Precision, Role};
pub(crate) use super::row::Ends;
pub(super) use super::row::{Body, Inside, Row};
use super::row_factor::RowFactor;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// The impulses at zero restitution of contacts that hang together through bodies that they can move.
///
/// Find `λ ≥ 0` with `w = A λ + q ≥ 0` and `λ·w = 0`, where `q` are the speeds of opening, `A = G M⁻¹ Gᵀ`:
/// impulses that only push, contacts that do not approach, and no impulse where bodies part. The velocities
/// are the projection onto those that do not approach, which is unique; the impulses are not where there
/// are more contacts than degrees of freedom. There they are the ones of the least norm, weighted with
/// `A`'s diagonal.
///
/// **How.** The proximal point method (Rockafellar, SIAM J. Control Optim. 14 (1976) 877): each step solves
/// the problem with `A + ε D`, `D` the diagonal of `A`, which has one answer. The first step finds which
/// contacts push, in `f64` on a sparse factor: by block principal pivoting (Júdice and Pires, Comput. Oper.
/// Res. 21 (1994) 587), and where that stalls from the interior (`interior.rs`). All later ones correct by
/// the residual, computed in double-double from the velocities themselves, until it is below 2⁻⁹⁶ of the
/// speeds: so velocities do not depend on the order of contacts, nor on the rounding of the factor. The null
/// space of `A` is left alone by the corrections; hence the least norm.
///
/// Where masses or angles are too unlike for that, elimination in double-double takes over: see
/// [`Complementarity`].
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactProblem {
    pub(super) bodies: Vec<Body>,
    last: Body,
    pub(super) rows: Vec<Row>,
    /// The solution: impulses by row.
    pub(crate) impulses: Vec<Dd>,
    /// The changes of velocity that they make, by body.
    pub(crate) changes: Vec<[Dd; 2]>,
    pub(super) precision: Precision,
    pub(super) rough: Rough,
    /// By body, where friction acts: see `grip.rs`.
    pub(super) grounds: Vec<Ground>,
    /// Whether the problem is nearly the one before: its sets are the first guess then.
    pub(super) is_again: bool,
    pub(super) found: Found,
    pub(super) ldl: BlockLdl,
    pub(super) row_factor: RowFactor,
    /// Whether the factor is that.
    pub(super) is_by_rows: bool,
    /// What that has been analyzed for: the number of bodies, and of each row its ends and its place.
    pub(super) analyzed: (usize, Vec<(Ends, u32)>),
    /// Whether that is this problem.
    pub(super) is_analyzed: bool,
    elimination: Complementarity,
    /// The impulses before elimination.
    soft: Vec<Dd>,
    /// Scratch, by body: momenta and velocities of a step.
    pub(super) momenta: Vec<[Dd; 2]>,
    pub(super) step: Vec<[f64; 2]>,
}

/// The softness of a step, as a fraction of the diagonal. The factor is exact to 2⁻⁵³/ε, a step reduces
/// what is left by ε over the least singular value; here they balance for patches of a thousand.
pub(super) const SOFTNESS: f64 = 1.0 / (1u64 << 26) as f64;

/// As a fraction of the speeds: the residual that is aimed at.
pub(super) const FINE: f64 = 1.0 / (1u128 << 98) as f64;

/// The residual that is accepted, as a fraction of the speeds. Normals are rounded, so that contacts which
/// depend on each other contradict each other by an ulp.
pub(super) const ACCEPTED: f64 = 1.0 / (1u64 << 48) as f64;

/// The tolerance of elimination, as a fraction of the speeds.
const RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// The most contacts that elimination is tried for where nothing else helps; and where the residual is
/// accepted, but not yet so small that velocities do not depend on the order of contacts.
const MAX_ELIMINATED: usize = 256;
pub(super) const MAX_POLISHED: usize = 48;

impl ContactProblem {
    /// With room for so many bodies and rows.
    pub(super) fn with_room(few: usize) -> Self {
        ContactProblem {
            bodies: Vec::with_capacity(few),
            rows: Vec::with_capacity(few),
            impulses: Vec::with_capacity(few),
            changes: Vec::with_capacity(few),
            momenta: Vec::with_capacity(few),
            step: Vec::with_capacity(few),
            ..ContactProblem::default()
        }
    }

    /// Starts a problem.
    pub(crate) fn reset(&mut self) {
        self.bodies.clear();
        self.rows.clear();
        self.is_analyzed = false;
    }

    /// Adds a body that the contacts can move. Its index.
    pub(crate) fn add_body(&mut self, mass: f64) -> u32 {
        // Most have the mass of the one before, in this problem or another.
        if self.last.mass != mass {
            self.last = Body { mass, mobility: Dd::from(1.0) / Dd::from(mass) };
        }
        self.bodies.push(self.last);
        self.bodies.len() as u32 - 1
    }

    /// Adds a contact: its unit normal from the first to the second, and the speed at which it closes.
    pub(crate) fn add_contact(&mut self, ends: Ends, normal: DVec2, closing: Dd) {
        self.add_row(ends, normal, closing, Role::OneSided);
    }

    /// As `add_contact`, with its role.
    pub(super) fn add_row(&mut self, ends: Ends, normal: DVec2, closing: Dd, role: Role) {
        let square = Dd::product(normal.x, normal.x) + Dd::product(normal.y, normal.y);
        let mobility = ends
            .into_iter()
            .flatten()
            .fold(0.0, |sum, body| sum + self.bodies[body as usize].mobility.to_f64());
        let opening = -closing;
        self.rows.push(Row {
            ends,
            place: 0,
            normal,
            opening,
            wanted: 0.0,
            trial: 0.0,
            diagonal: mobility * square.to_f64(),
            is_bilateral: role == Role::TwoSided,
            pushes: match role {
                Role::OneSided => opening < Dd::ZERO,
                Role::Pushing | Role::TwoSided => true,
                Role::Idle => false,
            },
            is_wrong: false,
            softness: SOFTNESS,
            inside: Inside::default(),
        });
    }

    /// Finds `impulses` and `changes`. `speed` is the largest one around, to which rounding is compared.
    ///
    /// # Errors If no impulses do it: what cannot be stopped closes in. Where nothing does, to stand still
    /// is an answer: then the problem is not `crushable`.
    pub(crate) fn solve(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        self.clear_solution();
        let is_solved = |row: &Row| row.opening == Dd::ZERO || (!row.is_bilateral && row.opening > Dd::ZERO);
        if self.rows.iter().all(is_solved) {
            return Ok(());
        }
        if let [row] = &self.rows[..] {
            let impulse = -row.opening / self.mobility_of(0, 0);
            self.push(0, impulse);
            return Ok(());
        }
        if self.precision == Precision::Full {
            return self.solve_fully(speed, crushable);
        }
        let is_found = self.solve_roughly(speed);
        if is_found && !(self.is_too_rough(speed) && self.rows.len() <= MAX_POLISHED) {
            return Ok(());
        }
        if self.precision == Precision::Soft {
            return Err(Infeasible);
        }
        let rough = if is_found { self.impulses.clone() } else { Vec::new() };
        self.clear_solution();
        for row in &mut self.rows {
            row.softness = SOFTNESS;
            row.pushes = row.is_bilateral || row.opening < Dd::ZERO;
        }
        let result = self.solve_fully(speed, crushable);
        if result.is_err() && is_found {
            self.clear_solution();
            rough.into_iter().enumerate().for_each(|(r, impulse)| self.push(r, impulse));
            return Ok(());
        }
        result
    }

    fn solve_fully(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        let residual = if self.find_active_set() { self.refine(speed) } else { f64::INFINITY };
        if residual <= FINE * speed || (residual <= ACCEPTED * speed && self.rows.len() > MAX_POLISHED) {
            return Ok(());
        }
        if self.precision == Precision::Rounded && self.rows.len() > MAX_POLISHED {
            return Err(Infeasible);
        }
        let mut soft = core::mem::take(&mut self.soft);
        core::mem::swap(&mut soft, &mut self.impulses);
        let mut result = self.eliminate(speed, crushable);
        if residual <= ACCEPTED * speed {
            if result.is_err() {
                self.clear_solution();
                (0..soft.len()).for_each(|r| self.push(r, soft[r]));
                result = Ok(());
            }
            // Good enough for impulses, and the least ones.
            self.impulses.clone_from(&soft);
        }
        self.soft = soft;
        result
    }

    pub(super) fn clear_solution(&mut self) {
        self.impulses.clear();
        self.impulses.resize(self.rows.len(), Dd::ZERO);
        self.changes.clear();
        self.changes.resize(self.bodies.len(), [Dd::ZERO; 2]);
    }

    /// Adds to the impulse of a row, and to the velocities.
    pub(super) fn push(&mut self, r: usize, impulse: Dd) {
        self.impulses[r] = self.impulses[r] + impulse;
        let Row { ends, normal, .. } = self.rows[r];
        for (end, normal) in ends.into_iter().zip([-normal, normal]) {
            let Some(body) = end else { continue };
            let change = impulse * self.bodies[body as usize].mobility;
            let [x, y] = &mut self.changes[body as usize];
            (*x, *y) = (*x + change * Dd::from(normal.x), *y + change * Dd::from(normal.y));
        }
    }

    /// By how much a unit impulse at one row opens the other.
    fn mobility_of(&self, r: usize, s: usize) -> Dd {
        let (r, s) = (&self.rows[r], &self.rows[s]);
        let mut mobility = Dd::ZERO;
        for (i, of_r) in r.ends.into_iter().enumerate() {
            for (j, of_s) in s.ends.into_iter().enumerate() {
                let Some(body) = of_r.filter(|_| of_r == of_s) else { continue };
                let of_body = self.bodies[body as usize].mobility;
                mobility = if i == j { mobility + of_body } else { mobility - of_body };
            }
        }
        if mobility == Dd::ZERO {
            return mobility;
        }
        mobility * (Dd::product(r.normal.x, s.normal.x) + Dd::product(r.normal.y, s.normal.y))
    }

    /// The impulse at a contact, as the change of its speed of opening that it makes by itself.
    pub(crate) fn push_of(&self, contact: usize) -> f64 {
        self.impulses[contact].to_f64().max(0.0) * self.rows[contact].diagonal
    }

    /// The speed at which a contact opens with the solution.
    pub(crate) fn opening_after(&self, contact: usize) -> Dd {
        self.opening(&self.rows[contact])
    }

    /// The speed at which a row opens with the present changes.
    pub(super) fn opening(&self, row: &Row) -> Dd {
        let [[ax, ay], [bx, by]] =
            row.ends.map(|end| end.map_or([Dd::ZERO; 2], |body| self.changes[body as usize]));
        row.opening + (bx - ax) * Dd::from(row.normal.x) + (by - ay) * Dd::from(row.normal.y)
    }

    /// Factors `M + Σ n nᵀ / (ε D)` over the active set: by the identity of Woodbury as good as `A + ε D`
    /// on it, and sparser.
    pub(super) fn factor(&mut self) -> bool {
        if !self.is_analyzed {
            self.analyze();
        }
        self.is_by_rows = false;
        self.ldl.clear();
        for (i, body) in (0..).zip(&self.bodies) {
            self.ldl.add_diagonal(i, [body.mass, 0.0, 0.0, body.mass]);
        }
        for row in self.rows.iter().filter(|row| row.pushes) {
            let DVec2 { x, y } = row.normal;
            let stiffness = 1.0 / (row.softness * row.diagonal);
            let block = [x * x * stiffness, x * y * stiffness, x * y * stiffness, y * y * stiffness];
            for body in row.ends.into_iter().flatten() {
                self.ldl.add_diagonal(body, block);
            }
            if let [Some(_), Some(_)] = row.ends {
                self.ldl.add_symmetric(row.place, block.map(|x| -x));
            }
        }
        self.ldl.factor()
    }

    /// As `factor`, or `A` itself where the active set has few rows that clearly do not depend on each other.
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
        self.note_momenta(|row| row.pushes.then_some(row.wanted / (row.softness * row.diagonal)));
        self.ldl.solve(&mut self.step);
        for row in self.rows.iter_mut().filter(|row| row.pushes) {
            row.trial = (row.wanted - row.opened_by(&self.step)) / (row.softness * row.diagonal);
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
            let mobility = body.mobility.to_f64();
            *step = step.map(|momentum| momentum * mobility);
        }
    }

    /// Solves by elimination.
    fn eliminate(&mut self, speed: f64, crushable: bool) -> Result<(), Infeasible> {
        let size = self.rows.len();
        if size > MAX_ELIMINATED {
            return Err(Infeasible);
        }
        self.clear_solution();
        self.elimination.reset(size);
        for i in 0..size {
            self.elimination.set_bilateral(i, self.rows[i].is_bilateral);
            *self.elimination.offset_mut(i) = self.rows[i].opening;
            for j in 0..=i {
                let mobility = self.mobility_of(i, j);
                self.elimination.set_symmetric(i, j, mobility);
            }
        }
        let tolerance = RESIDUAL * speed;
        let negligible = if crushable { Complementarity::NEGLIGIBLE * tolerance } else { f64::INFINITY };
        self.elimination.solve(tolerance, negligible)?;
        for r in 0..size {
            self.push(r, self.elimination.impulses[r]);
        }
        // The velocities carry the rounding of impulses that nearly cancel: what it leaves is taken away.
        for _ in 0..2 {
            let mut elimination = core::mem::take(&mut self.elimination);
            for (r, impulse) in elimination.corrections(|r| self.opening(&self.rows[r])) {
                self.push(r, impulse);
            }
            self.elimination = elimination;
        }
        Ok(())
    }
}
