use crate::physics::Reach;
use crate::predict::StatePredictor;
use crate::state::bodies::Bodies;
use crate::state::stamp::ImpactKind;
pub(crate) use crate::state::with::With;
use crate::touch::direction;
use crate::{Approach, Body, Met, Physics, World};
use carom_broadphase::Slot;
use carom_math::sqrt;
use carom_math::toi::{Gap, Motion, Side};
use carom_solver::{Group, Other};
use glam::DVec2;

/// A contact of a disc with another or with a wall, at the present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactNow {
    /// Distance of the surfaces; unit normal from the disc to what it meets; its side of a facet.
    pub(crate) gap: Gap,
    /// The speed at which the surfaces approach by growing alone, or by the turning of what is met.
    pub(crate) growth_speed: f64,
    /// The speed at which the surfaces approach along the normal.
    pub(crate) approach_speed: f64,
    pub(crate) restitution: f64,
    /// The one that it has at least, also if it is made plastic: 0, but for an arm that turns.
    pub(crate) least_restitution: f64,
}

impl ContactNow {
    /// Of bodies that approach at this velocity, where nothing grows or turns.
    #[inline(always)]
    pub(super) fn of(gap: Gap, velocity: DVec2, restitution: f64) -> Self {
        let approach_speed = velocity.dot(gap.normal);
        ContactNow { gap, growth_speed: 0.0, approach_speed, restitution, least_restitution: 0.0 }
    }
}

impl<P: Physics> World<P> {
    /// The contact of two discs; `motions` and `bodies` are theirs at the present.
    #[inline(always)]
    pub(crate) fn disc_contact(
        &self,
        [a, b]: [Slot; 2],
        [of_a, of_b]: [&Motion; 2],
        [body_a, body_b]: [&Body<P::Body>; 2],
    ) -> ContactNow {
        let velocity = of_a.velocity - of_b.velocity;
        let apart = self.store.bodies.periods.nearest(of_b.position - of_a.position);
        let reach = self.store.physics.reach(of_a.radius, of_b.radius);
        let gap = gap_between(apart, velocity, reach);
        let combined = self.combined_restitution(a, With::Disc(b));
        let growth_speed = self.store.growth_speed(reach);
        let contact = self.contact_now(gap, velocity, growth_speed, combined, body_a, Met::Disc(body_b));
        self.judged(a, With::Disc(b), contact)
    }

    /// The contact of a disc with a facet that it faces at `gap`; `motion` and `body` are the disc's at the
    /// present.
    #[inline(always)]
    pub(crate) fn wall_contact(
        &self,
        slot: Slot,
        f: u32,
        motion: &Motion,
        body: &Body<P::Body>,
        gap: Gap,
    ) -> ContactNow {
        if self.store.walls.facets[f as usize].is_driven {
            return self.contact_with_driven(slot, f, motion, (body, gap));
        }
        self.contact_with_surface(slot, f, motion, self.store.growth_speed(motion.radius), (body, gap))
    }

    /// As `wall_contact`, where the surfaces come nearer at this speed beside that of the disc.
    #[inline(always)]
    pub(super) fn contact_with_surface(
        &self,
        slot: Slot,
        f: u32,
        motion: &Motion,
        growth_speed: f64,
        (body, gap): (&Body<P::Body>, Gap),
    ) -> ContactNow {
        let combined = self.combined_restitution(slot, With::Facet(f));
        let surface = Met::Wall(&self.store.walls.get(self.store.walls.facets[f as usize].wall).surface);
        let contact = self.contact_now(gap, motion.velocity, growth_speed, combined, body, surface);
        self.judged(slot, With::Facet(f), contact)
    }

    /// `velocity` is that of the disc relative to what it meets, but for what `growth_speed` adds.
    #[inline(always)]
    fn contact_now(
        &self,
        gap: Gap,
        velocity: DVec2,
        growth_speed: f64,
        combined: f64,
        body: &Body<P::Body>,
        with: Met<'_, P::Body, P::Surface>,
    ) -> ContactNow {
        let approach_speed = approach(velocity.dot(gap.normal), growth_speed);
        let approach = Approach { combined, speed: approach_speed, normal: gap.normal, body, with };
        let restitution = self.store.physics.restitution(&approach);
        ContactNow { gap, growth_speed, approach_speed, restitution, least_restitution: 0.0 }
    }

    /// What the world's rule makes of the restitutions of two bodies.
    #[inline(always)]
    pub(crate) fn combined_restitution(&self, a: Slot, with: With) -> f64 {
        let of_partner = match with {
            With::Disc(b) => self.store.bodies.detail(b).restitution,
            With::Facet(f) => self.store.walls.get(self.store.walls.facets[f as usize].wall).restitution,
        };
        self.store.settings.restitution.combine(self.store.bodies.detail(a).restitution, of_partner)
    }
}

impl<P: Physics> Bodies<P> {
    /// Where two discs touch: midway between their surfaces, next to the first. The same bits for either
    /// order of the two, but in a periodic world for which image is meant; `normal` is from the first to
    /// the second.
    #[inline(always)]
    pub(crate) fn point_between(&self, [a, b]: [DVec2; 2], radii: [f64; 2], normal: DVec2) -> DVec2 {
        let periods = &self.periods;
        let midway = |a: DVec2, b: DVec2, [r_a, r_b]: [f64; 2], normal: DVec2| {
            ((a + normal * r_a) + (b - normal * r_b)) * 0.5
        };
        if periods.is_open() {
            return midway(a, b, radii, normal);
        }
        let point = if (a.x, a.y) <= (b.x, b.y) {
            midway(a, a + periods.nearest(b - a), radii, normal)
        } else {
            midway(b, b + periods.nearest(a - b), [radii[1], radii[0]], -normal)
        };
        a + periods.nearest(point - a)
    }
}

/// What a member of a group touches, by its slot or facet.
pub(super) fn touched(group: &Group, other: Other) -> With {
    match other {
        Other::Member(m) => With::Disc(group.members[m].slot),
        Other::Facet(f, _) => With::Facet(f),
    }
}

/// How the contacts of a group are found.
pub(super) fn kind_of(group: &Group) -> ImpactKind {
    if group.is_cluster { ImpactKind::Cluster } else { ImpactKind::Group }
}

/// The gap of two discs that are so to each other.
#[inline(always)]
pub(super) fn gap_between(apart: DVec2, velocity: DVec2, reach: f64) -> Gap {
    let normal = direction(apart, velocity);
    Gap { distance: sqrt(apart.length_squared()) - reach, normal, side: Side::Front }
}

/// The speed at which surfaces approach whose bodies do so at `speed`. A 0 keeps its sign where nothing
/// grows.
#[inline(always)]
pub(crate) fn approach(speed: f64, growth_speed: f64) -> f64 {
    if growth_speed != 0.0 { speed + growth_speed } else { speed }
}

/// The part along the normal of a change of velocity by the physics; 0 for what rounding leaves of a
/// tangential one.
pub(crate) fn along(change: DVec2, normal: DVec2) -> f64 {
    let part = change.dot(normal);
    if part.abs() > 16.0 * f64::EPSILON * change.abs().max_element() { part } else { 0.0 }
}

/// Where a disc that hits a facet now faces it.
#[inline(always)]
pub(super) fn gap_at_impact<P: Physics>(
    predictor: &StatePredictor<'_, P>,
    slot: Slot,
    f: u32,
    motion: &Motion,
) -> Gap {
    let (store, memory) = (predictor.store, predictor.memory_now(slot, f, motion));
    store.walls.facets[f as usize].gap_at_impact(motion, memory, store.now)
}
