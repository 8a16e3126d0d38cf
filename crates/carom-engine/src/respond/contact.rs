use crate::physics::Reach;
use crate::predict::CommonPredictor;
use crate::state::judging::Answer;
use crate::state::stamp::ImpactKind;
pub(crate) use crate::state::with::With;
use crate::store::{Common, Store};
use crate::touch::direction;
use crate::{Approach, Body, Met, Physics};
use carom_broadphase::Slot;
use carom_math::sqrt;
use carom_math::toi::{Arm, Gap, Motion, Side};
use carom_solver::{Group, Other};
use glam::DVec2;

/// What parts from an arm that turns does so at no less than this fraction of the speed of its tip, so that
/// what is pressed on it by its turning hops at most some 128 times a radian.
const LEAST_OF_TIP: f64 = 1.0 / 128.0;

/// And at no less than takes a disc up by this fraction of its radius against its own acceleration.
const LEAST_RISE: f64 = 1.0 / 1024.0;

/// The least part of that speed at which a disc counts as approaching an arm. One that is in contact with it
/// by prediction may recede from it by rounding.
const LEAST_APPROACH: f64 = 1.0 / (1u64 << 40) as f64;

/// A contact of a disc with another or with a wall, at the present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactNow {
    /// Distance of the surfaces; unit normal from the disc to what it meets; its side of a facet.
    pub(crate) gap: Gap,
    /// The speed at which the surfaces would approach if the disc stood still: by the growth of radii, or
    /// by the motion of the wall.
    pub(crate) growth_speed: f64,
    /// The speed at which the surfaces approach along the normal.
    pub(crate) approach_speed: f64,
    pub(crate) restitution: f64,
    /// The restitution of an impact of two is never below this one, not even where it is made plastic. It is
    /// 0, except at an arm that turns.
    pub(crate) least_restitution: f64,
}

impl ContactNow {
    /// Of bodies that approach at this velocity, where nothing grows or turns.
    #[inline(always)]
    pub(crate) fn of(gap: Gap, velocity: DVec2, restitution: f64) -> Self {
        let approach_speed = velocity.dot(gap.normal);
        ContactNow { gap, growth_speed: 0.0, approach_speed, restitution, least_restitution: 0.0 }
    }

    /// As the contact of an impact of two.
    ///
    /// A group has the restitution of the surfaces, and the least speed of parting after the impact
    /// ([`Group::raise_openings`]): the least restitution is that for the approach before it, of a disc that
    /// recedes 10¹² and more, and others in the group may let that disc approach.
    #[inline(always)]
    pub(crate) fn of_two(self) -> Self {
        ContactNow { restitution: self.restitution.max(self.least_restitution), ..self }
    }
}

/// The contact of two discs; `motions` and `bodies` are theirs at the present.
#[inline(always)]
pub(crate) fn disc_contact<P: Physics>(
    store: &Store<P>,
    [a, b]: [Slot; 2],
    [of_a, of_b]: [&Motion; 2],
    [body_a, body_b]: [&Body<P::Body>; 2],
) -> ContactNow {
    let apart = store.bodies.periods.nearest(of_b.position - of_a.position);
    disc_contact_at(store, apart, [a, b], [of_a, of_b], [body_a, body_b])
}

/// As `disc_contact`, of the second where this image of it is to the first.
#[inline(always)]
pub(crate) fn disc_contact_at<P: Physics>(
    store: &Store<P>,
    apart: DVec2,
    [a, b]: [Slot; 2],
    [of_a, of_b]: [&Motion; 2],
    [body_a, body_b]: [&Body<P::Body>; 2],
) -> ContactNow {
    let velocity = of_a.velocity - of_b.velocity;
    let reach = store.physics.reach(of_a.radius, of_b.radius);
    let gap = gap_between(apart, velocity, reach);
    let combined = combined_restitution(store, a, With::Disc(b));
    let growth_speed = store.growth_speed(reach);
    let contact = contact_now(store, gap, velocity, growth_speed, combined, body_a, Met::Disc(body_b));
    judged(store, a, With::Disc(b), contact)
}

/// The contact of a disc with a facet that it faces at `gap`; `motion` and `body` are the disc's at the
/// present.
#[inline(always)]
pub(crate) fn wall_contact<P: Physics>(
    store: &Store<P>,
    slot: Slot,
    f: u32,
    motion: &Motion,
    body: &Body<P::Body>,
    gap: Gap,
) -> ContactNow {
    if store.walls.facets[f as usize].is_driven {
        return contact_with_driven(store, slot, f, motion, (body, gap));
    }
    contact_with_surface(store, slot, f, motion, store.growth_speed(motion.radius), (body, gap))
}

/// As `wall_contact`, where the surfaces come nearer at this speed beside that of the disc.
#[inline(always)]
pub(crate) fn contact_with_surface<P: Physics>(
    store: &Store<P>,
    slot: Slot,
    f: u32,
    motion: &Motion,
    growth_speed: f64,
    (body, gap): (&Body<P::Body>, Gap),
) -> ContactNow {
    let combined = combined_restitution(store, slot, With::Facet(f));
    let surface = Met::Wall(&store.wall_of(f).surface);
    let contact = contact_now(store, gap, motion.velocity, growth_speed, combined, body, surface);
    judged(store, slot, With::Facet(f), contact)
}

/// `velocity` is that of the disc relative to what it meets. The approach by `growth_speed` is not part
/// of it.
#[inline(always)]
fn contact_now<P: Physics>(
    store: &Store<P>,
    gap: Gap,
    velocity: DVec2,
    growth_speed: f64,
    combined: f64,
    body: &Body<P::Body>,
    with: Met<'_, P::Body, P::Surface>,
) -> ContactNow {
    let approach_speed = approach(velocity.dot(gap.normal), growth_speed);
    let approach = Approach { combined, speed: approach_speed, normal: gap.normal, body, with };
    let restitution = store.physics.restitution(&approach);
    ContactNow { gap, growth_speed, approach_speed, restitution, least_restitution: 0.0 }
}

/// What the world's rule makes of the restitutions of two bodies.
#[inline(always)]
pub(crate) fn combined_restitution<P: Physics>(store: &Store<P>, a: Slot, with: With) -> f64 {
    let of_partner = match with {
        With::Disc(b) => store.bodies.detail(b).restitution,
        With::Facet(f) => store.wall_of(f).restitution,
    };
    store.settings.restitution.combine(store.bodies.detail(a).restitution, of_partner)
}

/// What a member of a group touches, by its slot or facet.
pub(crate) fn touched(group: &Group, other: Other) -> With {
    match other {
        Other::Member(m) => With::Disc(group.members[m].slot),
        Other::Facet(f, _) => With::Facet(f),
    }
}

/// How the contacts of a group are found.
pub(crate) fn kind_of(group: &Group) -> ImpactKind {
    if group.is_cluster { ImpactKind::Cluster } else { ImpactKind::Group }
}

/// The gap of two discs that are so to each other.
#[inline(always)]
pub(crate) fn gap_between(apart: DVec2, velocity: DVec2, reach: f64) -> Gap {
    let normal = direction(apart, velocity);
    Gap { distance: sqrt(apart.length_squared()) - reach, normal, side: Side::Front }
}

/// The speed at which surfaces approach whose bodies do so at `speed`. A 0 keeps its sign where nothing
/// grows.
#[inline(always)]
pub(crate) fn approach(speed: f64, growth_speed: f64) -> f64 {
    if growth_speed != 0.0 { speed + growth_speed } else { speed }
}

/// Where a disc that hits a facet now faces it.
#[inline(always)]
pub(crate) fn gap_at_impact(store: &Common, slot: Slot, f: u32, motion: &Motion) -> Gap {
    let memory = CommonPredictor::of(store).memory_now(slot, f, motion);
    store.walls.facets[f as usize].gap_at_impact(motion, memory, store.now)
}

/// A contact with a facet of a wall that turns or moves: it comes nearer as the surfaces of what grows
/// do.
#[cold]
#[inline(never)]
pub(crate) fn contact_with_driven<P: Physics>(
    store: &Store<P>,
    slot: Slot,
    f: u32,
    motion: &Motion,
    (body, gap): (&Body<P::Body>, Gap),
) -> ContactNow {
    let facet = &store.walls.facets[f as usize];
    let surface = facet.velocity_at(motion.position + gap.normal * motion.radius);
    let contact = contact_with_surface(store, slot, f, motion, -surface.dot(gap.normal), (body, gap));
    facet.arm().map_or(contact, |arm| driven(store, slot, arm, motion, contact))
}

/// A contact with an arm, with the least restitution: that at which the disc parts from it for good.
///
/// Where the arm presses on it, a disc that did not part would meet the arm again at once.
fn driven(store: &Common, slot: Slot, arm: &Arm, motion: &Motion, contact: ContactNow) -> ContactNow {
    let least = least_parting(store, slot, arm, motion);
    let approach_speed = contact.approach_speed.max(least * LEAST_APPROACH);
    ContactNow { approach_speed, least_restitution: least / approach_speed, ..contact }
}

/// The least speed at which a disc parts from an arm.
pub(crate) fn least_parting(store: &Common, slot: Slot, arm: &Arm, motion: &Motion) -> f64 {
    let of_tip = arm.rate.abs() * arm.reach() * LEAST_OF_TIP;
    if !store.bodies.is_bent() {
        return of_tip;
    }
    let size = if motion.radius > 0.0 { motion.radius } else { arm.reach() };
    let pull = sqrt(store.bodies.bend(slot).acceleration.length_squared());
    sqrt(of_tip * of_tip + 2.0 * pull * size * LEAST_RISE)
}

/// What was said of a contact at this event.
#[inline(always)]
pub(crate) fn answer<P: Physics>(store: &Store<P>, a: Slot, with: With) -> Option<&Answer> {
    if P::JUDGES { store.judging.answers.iter().find(|answer| answer.is_of(a, with)) } else { None }
}

/// Whether a verdict lets the two of a contact pass through each other.
#[inline(always)]
pub(crate) fn is_waived<P: Physics>(store: &Store<P>, a: Slot, with: With) -> bool {
    answer(store, a, with).is_some_and(|answer| !answer.bounces)
}

/// A contact of two with the restitution that a verdict gives it.
#[inline(always)]
pub(crate) fn judged<P: Physics>(store: &Store<P>, a: Slot, with: With, contact: ContactNow) -> ContactNow {
    let Some(answer) = answer(store, a, with) else { return contact };
    let kick = if contact.approach_speed > 0.0 { answer.kick / contact.approach_speed } else { 0.0 };
    ContactNow { restitution: (answer.restitution + kick).min(f64::MAX), ..contact }
}
