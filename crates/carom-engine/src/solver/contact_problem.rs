use super::block_ldl::BlockLdl;
use super::complementarity::{Complementarity, Infeasible, NEGLIGIBLE};
use super::ground::{Found, Ground};
use super::proximal::Rough;
use super::role::{Precision, Role};
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
    /// What that has been analyzed for: the number of bodies, and of each row its ends and its place.
    pub(super) analyzed: (usize, Vec<(Ends, u32)>),
    elimination: Complementarity,
    /// The impulses before elimination.
    soft: Vec<Dd>,
    /// Scratch, by body: momenta and velocities of a step.
    momenta: Vec<[Dd; 2]>,
    pub(super) step: Vec<[f64; 2]>,
}

/// A body that the contacts can move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) mass: f64,
    /// Velocity per impulse.
    pub(super) mobility: Dd,
}

/// A contact between two bodies, or between one and something that does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) ends: Ends,
    /// Where the factor has its block.
    pub(super) place: u32,
    pub(super) normal: DVec2,
    /// Speed of opening before.
    pub(super) opening: Dd,
    /// By how much a step is to change it, and the impulse that does.
    pub(super) wanted: f64,
    pub(super) trial: f64,
    /// The entry of `A` on the diagonal.
    pub(super) diagonal: f64,
    /// Whether it is to neither approach nor part, and may pull for that.
    pub(super) is_bilateral: bool,
    /// Whether it is in the active set: it may push, and neither approaches nor parts.
    pub(super) pushes: bool,
    /// While it is sought by pivoting: whether this is the wrong side.
    pub(super) is_wrong: bool,
    /// As a fraction of the diagonal, that of the factor: see [`SOFTNESS`].
    pub(super) softness: f64,
    pub(super) inside: Inside,
}

/// A row while the active set is sought from the interior, see `interior.rs`: speeds and their products.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inside {
    /// The impulse times the diagonal, and the speed of opening with what the softness adds to it.
    pub(super) impulse: f64,
    pub(super) speed: f64,
    /// How a step changes them.
    pub(super) impulse_change: f64,
    pub(super) speed_change: f64,
    /// By how much the speed is off that which the impulses make.
    pub(super) residual: f64,
    /// What the product of impulse and speed is to become.
    pub(super) target: f64,
}

impl Row {
    /// The speed at which it closes before; or opens, where it is not to.
    pub(super) fn closing(&self) -> f64 {
        let opening = self.opening.to_f64();
        if self.is_bilateral { opening.abs() } else { -opening }
    }

    /// Adds what an impulse does to the momenta of the bodies.
    pub(super) fn add_momentum(&self, impulse: f64, momenta: &mut [[f64; 2]]) {
        for (end, impulse) in self.ends.into_iter().zip([-impulse, impulse]) {
            let Some(body) = end else { continue };
            let [x, y] = &mut momenta[body as usize];
            (*x, *y) = (*x + impulse * self.normal.x, *y + impulse * self.normal.y);
        }
    }

    /// By how much velocities change the speed of opening.
    pub(super) fn opened_by(&self, velocities: &[[f64; 2]]) -> f64 {
        let [[ax, ay], [bx, by]] =
            self.ends.map(|end| end.map_or([0.0; 2], |body| velocities[body as usize]));
        (bx - ax) * self.normal.x + (by - ay) * self.normal.y
    }
}

/// The bodies of a contact that can move, by index: the normal points from the first to the second.
pub(crate) type Ends = [Option<u32>; 2];

/// The softness of a step, as a fraction of the diagonal. The factor is exact to 2⁻⁵³/ε, a step reduces
/// what is left by ε over the least singular value; here they balance for patches of a thousand.
pub(super) const SOFTNESS: f64 = 1.0 / (1u64 << 26) as f64;

/// Solves with center 0: the first, and what brings it to twice the precision of the factor. They fix what
/// belongs to the null space.
const FIRST_STEPS: usize = 3;

/// Most solves with one active set.
const MAX_STEPS: usize = 14;

/// A correction that leaves more than this fraction of the residual is the last.
const STAGNANT: f64 = 0.25;

/// Most factorisations.
const MAX_FACTORS: usize = 24;

/// As a fraction of the speeds: the residual that is aimed at, and that at which a row is still to change
/// sides.
const FINE: f64 = 1.0 / (1u128 << 98) as f64;
const SIDES: f64 = 1.0 / (1u128 << 92) as f64;

/// The residual that is accepted, as a fraction of the speeds. Normals are rounded, so that contacts which
/// depend on each other contradict each other by an ulp.
const ACCEPTED: f64 = 1.0 / (1u64 << 48) as f64;

/// The tolerance of elimination, as a fraction of the speeds.
const RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// The most contacts that elimination is tried for where nothing else helps; and where the residual is
/// accepted, but not yet so small that velocities do not depend on the order of contacts.
const MAX_ELIMINATED: usize = 256;
pub(super) const MAX_POLISHED: usize = 48;

impl ContactProblem {
    /// Starts a problem.
    pub(crate) fn reset(&mut self) {
        self.bodies.clear();
        self.rows.clear();
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
        self.analyze();
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
    fn opening(&self, row: &Row) -> Dd {
        let [[ax, ay], [bx, by]] =
            row.ends.map(|end| end.map_or([Dd::ZERO; 2], |body| self.changes[body as usize]));
        row.opening + (bx - ax) * Dd::from(row.normal.x) + (by - ay) * Dd::from(row.normal.y)
    }

    /// Factors `M + Σ n nᵀ / (ε D)` over the active set: by the identity of Woodbury as good as `A + ε D`
    /// on it, and sparser.
    pub(super) fn factor(&mut self) -> bool {
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

    /// The soft impulses that change the speeds of opening of the active set by `wanted`, into `trial`.
    pub(super) fn solve_step(&mut self) {
        self.step.clear();
        self.step.resize(self.bodies.len(), [0.0; 2]);
        for row in self.rows.iter().filter(|row| row.pushes) {
            row.add_momentum(row.wanted / (row.softness * row.diagonal), &mut self.step);
        }
        self.ldl.solve(&mut self.step);
        for row in self.rows.iter_mut().filter(|row| row.pushes) {
            row.trial = (row.wanted - row.opened_by(&self.step)) / (row.softness * row.diagonal);
        }
    }

    /// Brings impulses and changes to the precision of double-double. The largest residual left: that of
    /// the active set, or, if contacts do not settle on their sides, that of all conditions.
    fn refine(&mut self, speed: f64) -> f64 {
        let mut first_steps = FIRST_STEPS;
        for _ in 0..MAX_FACTORS {
            let residual = self.correct(speed, first_steps);
            if self.settle_sides(speed, residual) {
                return residual;
            }
            first_steps = 0;
            if !self.factor() {
                break;
            }
        }
        self.rows.iter().zip(&self.impulses).fold(0.0, |most: f64, (row, impulse)| {
            let opening = self.opening(row).to_f64();
            let pulls = if row.is_bilateral { 0.0 } else { -impulse.to_f64() * row.diagonal };
            most.max(if row.pushes { opening.abs() } else { -opening }).max(pulls)
        })
    }

    /// Corrects by the residual of the active set until that is gone, or as often as is worth it. The
    /// largest one left.
    fn correct(&mut self, speed: f64, first_steps: usize) -> f64 {
        let mut residual = f64::INFINITY;
        for step in 0..MAX_STEPS {
            let mut largest = 0.0_f64;
            for r in 0..self.rows.len() {
                let row = &self.rows[r];
                if !row.pushes {
                    continue;
                }
                let opening = self.opening(row);
                largest = largest.max(opening.to_f64().abs());
                // Steps about 0 are of the soft problem; later ones are about where the one before ended.
                let softened = if step < first_steps {
                    opening + self.impulses[r] * Dd::from(row.softness * row.diagonal)
                } else {
                    opening
                };
                self.rows[r].wanted = -softened.to_f64();
            }
            // Contacts that depend on each other contradict each other by the rounding of their normals.
            let stagnates = step > first_steps + 1 && largest > STAGNANT * residual;
            residual = largest;
            if step >= first_steps && (residual <= FINE * speed || stagnates) {
                break;
            }
            self.solve_step();
            self.apply_step();
        }
        residual
    }

    /// Adds the step's impulses.
    fn apply_step(&mut self) {
        self.momenta.clear();
        self.momenta.resize(self.bodies.len(), [Dd::ZERO; 2]);
        for (row, impulse) in self.rows.iter().zip(&mut self.impulses).filter(|(row, _)| row.pushes) {
            *impulse = *impulse + Dd::from(row.trial);
            let along = [Dd::product(row.trial, row.normal.x), Dd::product(row.trial, row.normal.y)];
            let [a, b] = row.ends;
            if let Some(a) = a {
                let [x, y] = &mut self.momenta[a as usize];
                (*x, *y) = (*x - along[0], *y - along[1]);
            }
            if let Some(b) = b {
                let [x, y] = &mut self.momenta[b as usize];
                (*x, *y) = (*x + along[0], *y + along[1]);
            }
        }
        for ((body, [px, py]), [x, y]) in self.bodies.iter().zip(&self.momenta).zip(&mut self.changes) {
            (*x, *y) = (*x + *px * body.mobility, *y + *py * body.mobility);
        }
    }

    /// Whether all rows are on the right side; those that are not change it.
    ///
    /// A speed of opening is not known better than the residual. Impulses of contacts that depend on each
    /// other are known less well by the softness.
    fn settle_sides(&mut self, speed: f64, residual: f64) -> bool {
        let (tolerance, of_impulse) = if residual <= FINE * speed {
            (SIDES * speed, SIDES * speed)
        } else {
            (4.0 * residual, (4.0 * residual / SOFTNESS).min(ACCEPTED * speed))
        };
        let mut settled = true;
        for r in 0..self.rows.len() {
            let row = &self.rows[r];
            if row.pushes {
                let impulse = self.impulses[r];
                if !row.is_bilateral && impulse.to_f64() * row.diagonal < -of_impulse {
                    self.push(r, -impulse);
                    (self.rows[r].pushes, settled) = (false, false);
                }
            } else if self.opening(row).to_f64() < -tolerance {
                (self.rows[r].pushes, settled) = (true, false);
            }
        }
        settled
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
                *self.elimination.matrix_mut(i, j) = mobility;
                *self.elimination.matrix_mut(j, i) = mobility;
            }
        }
        let tolerance = RESIDUAL * speed;
        let negligible = if crushable { NEGLIGIBLE * tolerance } else { f64::INFINITY };
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
