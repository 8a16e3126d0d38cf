use super::complementarity::{Complementarity, Infeasible, NEGLIGIBLE};
use crate::state::stamp::{ImpactKind, MassClass};
use carom_broadphase::Slot;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::toi::{Motion, Side};
use glam::DVec2;

/// The contacts of one instant that hang together through discs they share, and what becomes of them.
///
/// Passes: all contacts that approach are solved together for impulses `λ ≥ 0` at zero restitution; velocities
/// change by `1 + e` times that, `e` the smallest restitution among the contacts that push; until nothing
/// approaches (generalised reflections: Smith, Kaufman, Vouga, Tamstorf and Grinspun, ACM TOG 31 (2012) 106).
/// After a bounded number of passes the touching contacts are solved once with `e = 0`, which ends it (Vouga et
/// al., arXiv:1712.00381). A pass is a projection in the metric of the masses, over-relaxed by at most two, so
/// energy does not rise, whatever the contacts.
///
/// Velocities are double-double in here and are rounded at the end, so that the result does not depend on the
/// order in which contacts were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// How its contacts are found.
    pub(crate) kind: ImpactKind,
    pub(crate) members: Vec<Member>,
    pub(crate) contacts: Vec<Contact>,
    /// Scratch: the discs near a member.
    pub(crate) words: Vec<u64>,
    problem: Complementarity,
    /// The contacts that concern the class being resolved.
    concerned: Vec<usize>,
    /// Those of them in the pass, part by part, and their impulses.
    pass: Vec<usize>,
    impulses: Vec<Dd>,
    /// For each member another one of its part of the pass, or itself: a forest whose trees are the parts.
    parts: Vec<usize>,
    /// Energy taken by solves with e = 0, of a locked group or by the rule against collapse, beyond what restitution
    /// takes.
    pub(crate) energy_taken: f64,
}

/// A disc of the group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) slot: Slot,
    pub(crate) class: MassClass,
    pub(crate) mass: f64,
    /// At the instant.
    pub(crate) motion: Motion,
    velocity: [Dd; 2],
}

/// Two members, or a member and a facet, that touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) a: usize,
    pub(crate) with: Other,
    /// Unit normal from `a` to the other.
    pub(crate) normal: DVec2,
    pub(crate) restitution: f64,
    /// Speed at which the two come nearer by growing alone.
    pub(crate) growth_speed: f64,
    /// Sum over the passes.
    pub(crate) impulse: f64,
}

/// What a member touches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Other {
    Member(usize),
    Facet(u32, Side),
}

/// Velocities in the group count as equal when they differ by less than this fraction of the largest: above the
/// rounding of double-double, far below that of `f64`.
const RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// Passes before the group is joined instead: a row of N takes about N, walls and unequal masses more.
fn pass_limit(contacts: usize) -> usize {
    256 + 16 * contacts
}

impl Group {
    pub(crate) fn clear(&mut self, kind: ImpactKind) {
        self.kind = kind;
        self.members.clear();
        self.contacts.clear();
        self.energy_taken = 0.0;
    }

    pub(crate) fn add_member(&mut self, slot: Slot, class: MassClass, mass: f64, motion: Motion) -> usize {
        let velocity = [motion.velocity.x.into(), motion.velocity.y.into()];
        self.members.push(Member { slot, class, mass, motion, velocity });
        self.members.len() - 1
    }

    pub(crate) fn add_contact(
        &mut self,
        a: usize,
        with: Other,
        normal: DVec2,
        restitution: f64,
        growth_speed: f64,
    ) {
        self.contacts.push(Contact { a, with, normal, restitution, growth_speed, impulse: 0.0 });
    }

    /// Finds the velocities after the impact. Infinite masses first, which only walls deflect; then the finite
    /// ones; then the tracers, which nobody feels.
    pub(crate) fn resolve(&mut self) -> Result<(), Infeasible> {
        for class in [MassClass::Infinite, MassClass::Finite, MassClass::Tracer] {
            self.resolve_class(class)?;
        }
        Ok(())
    }

    /// The velocity of a member after `resolve`, rounded.
    pub(crate) fn velocity(&self, member: usize) -> DVec2 {
        let unit = self.resolution();
        let [x, y] = self.members[member].velocity;
        DVec2::new(x.round_to(unit), y.round_to(unit))
    }

    /// How many contacts pushed a member.
    pub(crate) fn pushes_of(&self, member: usize) -> u32 {
        let concerns = |contact: &&Contact| {
            contact.impulse > 0.0
                && (contact.a == member || matches!(contact.with, Other::Member(b) if b == member))
        };
        self.contacts.iter().filter(concerns).count() as u32
    }

    /// The smallest restitution among the contacts that pushed a member; 1 if none did.
    pub(crate) fn restitution_of(&self, member: usize) -> f64 {
        let pushing = self.contacts.iter().filter(|contact| {
            let of_b = matches!(contact.with, Other::Member(b) if b == member);
            contact.impulse > 0.0 && (contact.a == member || of_b)
        });
        pushing.map(|contact| contact.restitution).fold(1.0, f64::min)
    }

    /// Whether a member touches one that was pushed. It has then met that one, too, and must know it: where the
    /// blow went exactly past it, rounding may let the two approach.
    pub(crate) fn is_beside_pushed(&self, member: usize) -> bool {
        self.contacts.iter().any(|contact| match contact.with {
            Other::Member(b) if b == member => self.pushes_of(contact.a) > 0,
            Other::Member(b) if contact.a == member => self.pushes_of(b) > 0,
            _ => false,
        })
    }

    /// A power of two far below an ulp of the largest velocity, and above the rounding of double-double.
    fn resolution(&self) -> f64 {
        let exponent = self.speed_scale().to_bits() >> 52;
        let unit = f64::from_bits(exponent.saturating_sub(80) << 52);
        if unit > 0.0 { unit } else { f64::MIN_POSITIVE }
    }

    /// The largest component of a velocity, before or now, or speed of growth.
    fn speed_scale(&self) -> f64 {
        let growth_speed = self.contacts.iter().map(|contact| contact.growth_speed).fold(0.0, f64::max);
        self.members.iter().fold(growth_speed, |scale: f64, member| {
            let [x, y] = member.velocity.map(|v| v.to_f64().abs());
            scale.max(x).max(y).max(member.motion.velocity.x.abs()).max(member.motion.velocity.y.abs())
        })
    }

    /// Velocity per impulse of a member in a problem of this class.
    fn mobility(&self, member: usize, class: MassClass) -> Dd {
        let member = &self.members[member];
        match class {
            _ if member.class != class => Dd::ZERO,
            MassClass::Finite => Dd::from(1.0) / Dd::from(member.mass),
            // Only they move here, so their mass cancels.
            MassClass::Infinite | MassClass::Tracer => Dd::from(1.0),
        }
    }

    /// Whether a contact is resolved with this class: when its most easily moved body moves.
    fn concerns(&self, contact: &Contact, class: MassClass) -> bool {
        let of_a = self.members[contact.a].class;
        match contact.with {
            Other::Facet(..) => of_a == class,
            Other::Member(b) => {
                let of_b = self.members[b].class;
                if of_a == MassClass::Tracer || of_b == MassClass::Tracer {
                    class == MassClass::Tracer
                } else {
                    class == MassClass::Finite
                }
            }
        }
    }

    fn resolve_class(&mut self, class: MassClass) -> Result<(), Infeasible> {
        let tolerance = self.concern_with(class);
        for _ in 0..pass_limit(self.concerned.len()) {
            if !self.make_pass(class, tolerance)? {
                return Ok(());
            }
        }
        self.join(class, tolerance)
    }

    /// Selects the contacts of a class. The speed of approach that counts as none.
    fn concern_with(&mut self, class: MassClass) -> f64 {
        self.concerned.clear();
        for c in 0..self.contacts.len() {
            if self.concerns(&self.contacts[c], class) {
                self.concerned.push(c);
            }
        }
        RESIDUAL * self.speed_scale()
    }

    /// One pass over the contacts that approach; false if there are none.
    fn make_pass(&mut self, class: MassClass, tolerance: f64) -> Result<bool, Infeasible> {
        self.pass.clear();
        for i in 0..self.concerned.len() {
            let c = self.concerned[i];
            if self.closing_speed(&self.contacts[c]).to_f64() > tolerance {
                self.pass.push(c);
            }
        }
        if self.pass.is_empty() {
            return Ok(false);
        }
        self.solve_pass(class, tolerance)?;
        let mut restitution = self.least_restitution();
        if self.kind == ImpactKind::Cluster {
            self.energy_taken += restitution * restitution * self.work_of_pass(class);
            restitution = 0.0;
        }
        self.apply_pass(class, Dd::from(1.0) + Dd::from(restitution));
        Ok(true)
    }

    /// Solves all contacts once with e = 0, which ends it.
    fn join(&mut self, class: MassClass, tolerance: f64) -> Result<(), Infeasible> {
        let before = self.kinetic_energy(class);
        self.pass.clear();
        self.pass.extend(&self.concerned);
        self.solve_pass(class, tolerance)?;
        self.apply_pass(class, Dd::from(1.0));
        // Less than nothing only by rounding.
        self.energy_taken += (before - self.kinetic_energy(class)).max(0.0);
        Ok(())
    }

    /// Speed at which a contact closes, along its normal.
    fn closing_speed(&self, contact: &Contact) -> Dd {
        let along = |velocity: [Dd; 2]| {
            velocity[0] * Dd::from(contact.normal.x) + velocity[1] * Dd::from(contact.normal.y)
        };
        let of_a = along(self.members[contact.a].velocity);
        let speed = match contact.with {
            Other::Member(b) => of_a - along(self.members[b].velocity),
            Other::Facet(..) => of_a,
        };
        if contact.growth_speed > 0.0 { speed + Dd::from(contact.growth_speed) } else { speed }
    }

    /// Solves the problem of the contacts in `pass`, each part by itself: impulses act within a part only.
    fn solve_pass(&mut self, class: MassClass, tolerance: f64) -> Result<(), Infeasible> {
        self.find_parts(class);
        let mut pass = core::mem::take(&mut self.pass);
        pass.sort_unstable_by_key(|&c| (self.part_of(c, class), c));
        self.impulses.clear();
        let mut result = Ok(());
        let mut rest = &pass[..];
        while let (Ok(()), Some(&first)) = (result, rest.first()) {
            let part = self.part_of(first, class);
            let size = rest.partition_point(|&c| self.part_of(c, class) == part);
            result = self.solve_part(&rest[..size], class, tolerance);
            self.impulses.extend_from_slice(&self.problem.impulses);
            rest = &rest[size..];
        }
        self.pass = pass;
        result
    }

    /// Finds out which members hang together through contacts of the pass that both can move at.
    fn find_parts(&mut self, class: MassClass) {
        self.parts.clear();
        self.parts.extend(0..self.members.len());
        for i in 0..self.pass.len() {
            let Contact { a, with, .. } = self.contacts[self.pass[i]];
            if let Other::Member(b) = with
                && self.members[a].class == class
                && self.members[b].class == class
            {
                let (root_a, root_b) = (self.root_of(a), self.root_of(b));
                self.parts[root_a.max(root_b)] = root_a.min(root_b);
            }
        }
        // Roots are smaller than what points to them, so that once through makes every member point to its root.
        for m in 0..self.parts.len() {
            self.parts[m] = self.parts[self.parts[m]];
        }
    }

    fn root_of(&self, mut member: usize) -> usize {
        while self.parts[member] != member {
            member = self.parts[member];
        }
        member
    }

    /// The part of a contact: that of the member that it can move.
    fn part_of(&self, contact: usize, class: MassClass) -> usize {
        let Contact { a, with, .. } = self.contacts[contact];
        match with {
            Other::Member(b) if self.members[a].class != class => self.parts[b],
            _ => self.parts[a],
        }
    }

    /// Sets up and solves the problem of these contacts.
    fn solve_part(&mut self, part: &[usize], class: MassClass, tolerance: f64) -> Result<(), Infeasible> {
        self.problem.reset(part.len());
        for (i, &c) in part.iter().enumerate() {
            let contact = self.contacts[c];
            *self.problem.offset_mut(i) = -self.closing_speed(&contact);
            for (j, &d) in part[..=i].iter().enumerate() {
                let coupling = self.coupling(&contact, &self.contacts[d], class);
                *self.problem.matrix_mut(i, j) = coupling;
                *self.problem.matrix_mut(j, i) = coupling;
            }
        }
        let negligible = if self.is_crushable(class) { NEGLIGIBLE * tolerance } else { f64::INFINITY };
        self.problem.solve(tolerance, negligible)
    }

    /// Whether something that a class cannot stop moves against it. What grows where there is no room is crushed at rest, too.
    fn is_crushable(&self, class: MassClass) -> bool {
        if self.contacts.iter().any(|contact| contact.growth_speed > 0.0) {
            return true;
        }
        let unstoppable = |member: &&Member| match class {
            MassClass::Infinite => false,
            MassClass::Finite => member.class == MassClass::Infinite,
            MassClass::Tracer => member.class != MassClass::Tracer,
        };
        let moves = |member: &Member| member.velocity.iter().any(|&v| v != Dd::ZERO);
        self.members.iter().filter(unstoppable).any(moves)
    }

    /// By how much a unit impulse at one contact opens the other.
    fn coupling(&self, c: &Contact, d: &Contact, class: MassClass) -> Dd {
        let ends = |contact: &Contact| match contact.with {
            Other::Member(b) => [Some((contact.a, -1.0)), Some((b, 1.0))],
            Other::Facet(..) => [Some((contact.a, -1.0)), None],
        };
        let mut mobility = Dd::ZERO;
        for (m, sign_c) in ends(c).into_iter().flatten() {
            for (n, sign_d) in ends(d).into_iter().flatten() {
                if m == n {
                    mobility = mobility + self.mobility(m, class) * Dd::from(sign_c * sign_d);
                }
            }
        }
        if mobility == Dd::ZERO {
            return mobility;
        }
        mobility * (Dd::product(c.normal.x, d.normal.x) + Dd::product(c.normal.y, d.normal.y))
    }

    fn least_restitution(&self) -> f64 {
        let pushing = self.pass.iter().zip(&self.impulses).filter(|(_, impulse)| **impulse > Dd::ZERO);
        pushing.map(|(&c, _)| self.contacts[c].restitution).fold(1.0, f64::min)
    }

    /// `½ λᵀ A λ` of the pass: what the impulses at zero restitution take, and restitution e gives back e² of.
    fn work_of_pass(&self, class: MassClass) -> f64 {
        if class != MassClass::Finite {
            return 0.0;
        }
        // λᵀ A λ = −λᵀ q for complementary impulses, and −q is the speed of closing.
        let work = |(&c, impulse): (&usize, &Dd)| (*impulse * self.closing_speed(&self.contacts[c])).to_f64();
        0.5 * self.pass.iter().zip(&self.impulses).map(work).sum::<f64>()
    }

    fn apply_pass(&mut self, class: MassClass, factor: Dd) {
        for i in 0..self.pass.len() {
            let impulse = self.impulses[i] * factor;
            if impulse == Dd::ZERO {
                continue;
            }
            let c = self.pass[i];
            self.contacts[c].impulse += impulse.to_f64();
            let contact = self.contacts[c];
            self.push(contact.a, -contact.normal, impulse, class);
            if let Other::Member(b) = contact.with {
                self.push(b, contact.normal, impulse, class);
            }
        }
    }

    fn push(&mut self, member: usize, normal: DVec2, impulse: Dd, class: MassClass) {
        let change = impulse * self.mobility(member, class);
        let velocity = &mut self.members[member].velocity;
        velocity[0] = velocity[0] + change * Dd::from(normal.x);
        velocity[1] = velocity[1] + change * Dd::from(normal.y);
    }

    fn kinetic_energy(&self, class: MassClass) -> f64 {
        let moving = self.members.iter().filter(|member| member.class == class && class == MassClass::Finite);
        moving.map(|m| 0.5 * m.mass * m.velocity.map(|v| v.to_f64() * v.to_f64()).iter().sum::<f64>()).sum()
    }
}

#[cfg(test)]
#[path = "../../tests/common/rng.rs"]
#[allow(dead_code, reason = "made for more than this")]
mod rng;

#[cfg(test)]
mod tests {
    use super::rng::{Rng, cases};
    use super::*;

    /// Contacts need not be those of real discs: any graph with any normals will do for the energy.
    fn cluster(rng: &mut Rng) -> Group {
        let mut group = Group::default();
        group.clear(if rng.chance(5) { ImpactKind::Cluster } else { ImpactKind::Group });
        let n = 2 + rng.below(6);
        let decades = rng.pick(&[0.0, 1.0, 6.0]);
        let least = rng.pick(&[0.0, 0.5, 1.0]);
        for slot in 0..n {
            let (velocity, mass) = (rng.vector(1.0), 10.0_f64.powf(rng.range(-decades, decades)));
            let motion = Motion::new(DVec2::ZERO, velocity, 0.5);
            group.add_member(slot as Slot, MassClass::Finite, mass, motion);
        }
        let normal = |rng: &mut Rng| {
            // Often along the lines of a lattice, so that contacts depend on each other.
            let sixth = core::f64::consts::PI / 3.0;
            let angle = if rng.chance(50) { sixth * rng.below(6) as f64 } else { rng.range(0.0, 7.0) };
            DVec2::from_angle(angle)
        };
        for c in 0..n + rng.below(n) {
            let a = rng.below(n);
            let b = (a + 1 + rng.below(n - 1)) % n;
            let with = if rng.chance(15) { Other::Facet(c as u32, Side::Front) } else { Other::Member(b) };
            let (normal, restitution) = (normal(rng), rng.range(least, 1.0));
            group.add_contact(a, with, normal, restitution, 0.0);
        }
        group
    }

    fn energy(group: &Group) -> Dd {
        group.members.iter().fold(Dd::ZERO, |sum, member| {
            let [x, y] = member.velocity;
            sum + (x * x + y * y) * Dd::from(0.5 * member.mass)
        })
    }

    /// A pass at zero restitution is a projection in the metric of the masses, and restitution at most doubles it: in
    /// 10⁵ random clusters energy never rises, not even between passes, by as much as half an ulp of it.
    ///
    /// Elimination leaves 2⁻¹⁰⁰ of the impulses, which the least pivot lets grow to 2⁴⁰ of the velocities.
    #[test]
    fn energy_never_rises_between_passes() {
        let mut rng = Rng::new(1);
        let (mut passes, mut most, mut locked) = (0, 0, 0);
        for case in 0..cases(100_000) {
            let mut group = cluster(&mut rng);
            let tolerance = group.concern_with(MassClass::Finite);
            let mut now = energy(&group);
            let rounding = Dd::from(now.to_f64() * 2.0_f64.powi(-53));
            let mut count = 0;
            while count < 40 && group.make_pass(MassClass::Finite, tolerance) == Ok(true) {
                let after = energy(&group);
                assert!(
                    after <= now + rounding,
                    "case {case}, pass {count}: by {:e}",
                    ((after - now) / now).to_f64()
                );
                now = after;
                count += 1;
            }
            if count == 40 {
                locked += 1;
                assert_eq!(group.join(MassClass::Finite, tolerance), Ok(()), "case {case}");
                assert!(
                    energy(&group) <= now + rounding,
                    "case {case}: made_plastic, by {:e}",
                    ((energy(&group) - now) / now).to_f64()
                );
            }
            (passes, most) = (passes + count, most.max(count));
        }
        assert!(passes > 200_000 && locked > 100, "{passes} passes, at most {most}, {locked} locked");
    }
}
