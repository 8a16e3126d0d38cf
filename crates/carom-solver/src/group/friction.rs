use super::{Group, Other};
use crate::contact_problem::rough::Gradient;
use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// How the members of a [`Group`] turn, and how its contacts rub while they are held.
///
/// A member of radius `R` that turns at `ω` has a rim of the speed `Rω`. Two bodies slip at
/// `s = t·(v₂ − v₁) − R₁ω₁ − R₂ω₂`, with `t` the normal turned by +90°, and roll on each other at
/// `R̄ (ω₁ − ω₂)`, where `1/R̄ = 1/R₁ + 1/R₂`. See `docs/derivations/resting.md`, Friction.
#[derive(Clone, Debug, Default)]
pub struct Friction {
    /// Whether a contact rubs. If none does, the rest is not read.
    pub is_on: bool,
    /// By member.
    pub rims: Vec<Rim>,
    /// By contact.
    pub grips: Vec<ContactGrip>,
    /// By member: the velocity that [`Group::rub`] has found.
    pub rubbed: Vec<[f64; 2]>,
}

/// The largest coefficient that is not taken for infinite. A force along a slip is that many times the
/// one along the normal, and both stand in one row of the problem, whose factor is exact to 2⁻²⁷: with
/// 10⁹ a spinning disc that rubs at that coefficient takes a force along the normal which is rounding,
/// and with 10¹⁵ it overlaps another by 10⁻³ of its radius. With less, slips would end at once that last
/// for a visible time.
const LARGEST_MOST: f64 = 1e6;

/// How a member turns.
#[derive(Clone, Copy, Debug)]
pub struct Rim {
    /// The moment of inertia as a multiple of `m R²`, > 0; infinite for what nothing turns.
    pub inertia: f64,
    /// The speed of its rim, `Rω`.
    pub speed: f64,
    /// How that changes, from [`Group::come_to_rest`] on.
    pub acceleration: f64,
}

/// How a contact rubs: of the slip, and of rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactGrip {
    /// The largest tangential force for each unit of that along the normal, ≥ 0: the coefficients of friction
    /// and of rolling resistance.
    pub most: [f64; 2],
    /// In an impact, the speed of slip afterwards as a fraction of that before, against it: from −1 to 1.
    pub restitution: f64,
    /// The speed of the surface of a facet along the tangent.
    pub surface_speed: f64,
    /// Whether it stuck up to now, in a contact that was held.
    pub stuck: [bool; 2],
    /// Whether it sticks from now on.
    pub sticks: [bool; 2],
    /// The direction in which it slides, −1 or 1; 0 if it sticks or does not rub.
    pub(crate) slides: [f64; 2],
    /// Whether it slides in that direction in any case, as the two slip now.
    pub(crate) slips: [bool; 2],
    /// Whether its slow slip is set to 0 with the speed at which the contact opens.
    pub(crate) stops: [bool; 2],
    /// Whether it is not: forces drive it on.
    pub(crate) keeps: [bool; 2],
    /// The forces along the tangent, of rolling, and along the normal as if nothing moved, of when it was
    /// last asked who presses; 0 if it was not. The search for who presses begins with them.
    pub still: [f64; 3],
    /// The energy that its friction took in the piece up to now, in a contact that was held.
    pub heat: f64,
    /// Such forces that were found last in this event.
    pub(crate) forces: [f64; 3],
    /// How much more force what sticks could bear, as the acceleration of the contact.
    pub(crate) margin: [f64; 2],
    /// By how much the normal turns over a piece, in radians; 0 at an instant.
    pub(crate) turn: f64,
    /// What of the force along the normal is there because friction turns with it: see `take_rubbing`.
    pub(crate) bent: f64,
}

impl ContactGrip {
    /// With these coefficients, at a surface of this speed. Coefficients above 10⁶ count as infinite.
    #[must_use]
    pub fn new(most: [f64; 2], restitution: f64, surface_speed: f64) -> Self {
        let most = most.map(|most| if most > LARGEST_MOST { f64::INFINITY } else { most });
        ContactGrip { most, restitution, surface_speed, ..ContactGrip::default() }
    }

    /// The grip of a contact that was held up to now, with what [`stuck`](Self::stuck),
    /// [`still`](Self::still) and [`heat`](Self::heat) were in its piece.
    #[must_use]
    pub fn held(self, stuck: [bool; 2], still: [f64; 3], heat: f64) -> Self {
        ContactGrip { stuck, still, heat, ..self }
    }

    /// Lets the search for forces begin with those as if nothing moved. What bears all that it can slides.
    pub(crate) fn begin_still(&mut self) {
        let [.., pressing] = self.still;
        self.forces = self.still;
        for (k, &force) in self.still[..2].iter().enumerate() {
            let slides = force != 0.0 && force.abs() >= self.most[k] * pressing;
            self.slides[k] = if slides { -force.signum() } else { 0.0 };
        }
    }
}

impl Rim {
    /// Of what does not turn.
    pub const FIXED: Rim = Rim { inertia: f64::INFINITY, speed: 0.0, acceleration: 0.0 };

    /// Whether forces turn it.
    pub(crate) fn is_turned(&self) -> bool {
        self.inertia < f64::INFINITY
    }
}

impl Group {
    /// The rims of the ends of a contact, with how much of `R̄ ω` each has.
    pub(crate) fn rims_of(&self, c: u32) -> [Option<(Rim, f64)>; 2] {
        let contact = &self.contacts[c as usize];
        let radius = |m: usize| self.members[m].motion.radius;
        let share = |m: usize| match contact.with {
            Other::Member(b) => radius(contact.a + b - m) / (radius(contact.a) + radius(b)),
            Other::Facet(..) => 1.0,
        };
        contact.ends().map(|m| m.map(|m| (self.friction.rims[m], share(m))))
    }

    /// The speeds at which the two of a contact slip along a tangent, and roll on each other.
    pub(crate) fn slips_of(&self, c: u32, tangent: DVec2) -> [f64; 2] {
        let [w, _] = self.relative(c);
        let slip = w.dot(tangent) + self.friction.grips[c as usize].surface_speed;
        let [a, b] = self.rims_of(c).map(|rim| rim.map_or((0.0, 0.0), |(rim, share)| (rim.speed, share)));
        [slip - a.0 - b.0, a.0 * a.1 - b.0 * b.1]
    }

    /// The speeds up to which slip and rolling of a contact are slow. Rolling is, if no rim would change by
    /// more than the rest speed as it stops: where a small disc rolls on a large one, `R̄` is far below the
    /// radius of that, and the large one would stop that turned sixty times as fast as counts as slow.
    pub(crate) fn slow_rubs_of(&self, c: u32) -> [f64; 2] {
        let shares = self.rims_of(c).into_iter().flatten().map(|(_, share)| share);
        let slow = self.contacts[c as usize].pressing.slow;
        [slow, slow * shares.fold(1.0, f64::min)]
    }

    /// What does not change in a contact contributes to these speeds: surfaces, infinite masses, and what
    /// nothing turns.
    pub(crate) fn driven_slips_of(&self, c: u32, tangent: DVec2) -> [f64; 2] {
        let contact = &self.contacts[c as usize];
        let is_infinite = |end: Option<usize>| end.filter(|&m| self.members[m].class == MassClass::Infinite);
        let ends = contact.ends().map(is_infinite);
        let [along_a, along_b] = ends.map(|m| m.map_or(0.0, |m| self.velocity(m).dot(tangent)));
        let is_driven = |(rim, end): (Option<(Rim, f64)>, Option<usize>)| {
            let rim = rim.filter(|(rim, _)| end.is_some() || !rim.is_turned());
            rim.map_or([0.0; 2], |(rim, share)| [rim.speed, rim.speed * share])
        };
        let [rim_a, rim_b] = self.rims_of(c);
        let [a, b] = [(rim_a, ends[0]), (rim_b, ends[1])].map(is_driven);
        let of_wall = match contact.with {
            Other::Facet(..) => contact.surface.dot(tangent) + self.friction.grips[c as usize].surface_speed,
            Other::Member(_) => 0.0,
        };
        [of_wall + along_b - along_a - a[0] - b[0], a[1] - b[1]]
    }

    /// The speed at which the two of a contact slip now, in double-double.
    pub(crate) fn exact_slip_of(&self, c: u32) -> Dd {
        let contact = &self.contacts[c as usize];
        let of_a = self.members[contact.a].velocity;
        let of_b = match contact.with {
            Other::Member(b) => self.members[b].velocity,
            Other::Facet(..) => contact.surface.to_array().map(Dd::from),
        };
        let tangent = contact.normal.perp();
        let slip = (of_b[0] - of_a[0]) * Dd::from(tangent.x) + (of_b[1] - of_a[1]) * Dd::from(tangent.y);
        let [a, b] = self.rims_of(c).map(|rim| Dd::from(rim.map_or(0.0, |(rim, _)| rim.speed)));
        slip + Dd::from(self.friction.grips[c as usize].surface_speed) - (a + b)
    }

    /// The rows of slip, along a tangent, and of rolling of a contact. What nothing turns has no part in
    /// them.
    pub(crate) fn gradients_of(&self, c: u32, tangent: DVec2) -> [Gradient; 2] {
        let [a, b] = self.rims_of(c).map(|rim| rim.filter(|(rim, _)| rim.is_turned()));
        let turned = |rim: Option<(Rim, f64)>| if rim.is_some() { -1.0 } else { 0.0 };
        let share = |rim: Option<(Rim, f64)>| rim.map_or(0.0, |(_, share)| share);
        let DVec2 { x, y } = tangent;
        [[[-x, -y, turned(a)], [x, y, turned(b)]], [[0.0, 0.0, share(a)], [0.0, 0.0, -share(b)]]]
    }

    /// Starts the bounded rows of a problem of which the bodies are gathered.
    pub(crate) fn note_inertias(&mut self) {
        let rough = &mut self.scratch.problem.rough;
        rough.clear();
        rough.inertias.extend(self.scratch.bodies.iter().map(|&m| self.friction.rims[m as usize].inertia));
    }

    /// The rate at which those speeds change, along a tangent that stays.
    pub(crate) fn slip_changes_of(&self, c: u32, tangent: DVec2) -> [f64; 2] {
        let [_, change] = self.relative(c);
        let of = |rim: Option<(Rim, f64)>| rim.map_or((0.0, 0.0), |(rim, share)| (rim.acceleration, share));
        let [a, b] = self.rims_of(c).map(of);
        [change.dot(tangent) - a.0 - b.0, a.0 * a.1 - b.0 * b.1]
    }

    /// The energy of rotation of a member of finite mass.
    pub(crate) fn rim_energy(&self, m: usize) -> f64 {
        let rim = &self.friction.rims[m];
        if rim.is_turned() { 0.5 * self.members[m].mass * rim.inertia * rim.speed * rim.speed } else { 0.0 }
    }
}
