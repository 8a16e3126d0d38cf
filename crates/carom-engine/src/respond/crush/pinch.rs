//! What is crushed: the body that is pressed, and what holds it.

use crate::state::contacts::Scratch;
use carom_math::DVec2;
use carom_solver::{Group, MassClass, Other};

/// What is between bodies that close in, and what is not moved by them.
pub(crate) struct Pinch {
    /// Member of the group that is pressed.
    pub(crate) body: usize,
    /// The contact with what holds it, and its member there, if that is a disc.
    pub(crate) against: Other,
}

/// The discs that a member touches, each with the unit normal from it.
pub(crate) fn disc_contacts_of(group: &Group, m: usize) -> impl Iterator<Item = (DVec2, usize)> + '_ {
    group.touching_of(m).filter_map(|(normal, other)| match other {
        Other::Member(b) => Some((normal, b)),
        Other::Facet(..) => None,
    })
}

/// Unit normal from one member to another one that it touches.
pub(crate) fn normal_between(group: &Group, a: usize, b: usize) -> DVec2 {
    disc_contacts_of(group, a).find(|&(_, other)| other == b).map_or(DVec2::ZERO, |(normal, _)| normal)
}

/// What a body that lost this velocity presses on: the disc of finite mass most in its way, and of what
/// holds that and all that hangs together with it what is most in the way. The first in order of
/// several.
pub(crate) fn pinch_of(group: &Group, by: usize, lost: DVec2, scratch: &mut Scratch) -> Pinch {
    let class = MassClass::Finite;
    let in_the_way = |normal: DVec2| lost.dot(normal);
    let mut body: Option<(f64, usize)> = None;
    for (normal, b) in disc_contacts_of(group, by).filter(|&(_, b)| group.members[b].class == class) {
        if body.is_none_or(|(most, _)| in_the_way(normal) > most) {
            body = Some((in_the_way(normal), b));
        }
    }
    let body = body.map_or(by, |(_, body)| body);
    let Scratch { queue: reached, distances, .. } = scratch;
    reached.clear();
    reached.push(body);
    distances.clear();
    distances.resize(group.members.len(), u32::MAX);
    distances[body] = 0;
    let mut next = 0;
    let mut against: Option<(f64, Other)> = None;
    while let Some(&a) = reached.get(next) {
        next += 1;
        for (normal, other) in group.touching_of(a) {
            match other {
                Other::Member(b) if distances[b] == 0 => {}
                Other::Member(b) if group.members[b].class == class => {
                    distances[b] = 0;
                    reached.push(b);
                }
                Other::Member(b) if b == by || !class.yields_to(group.members[b].class) => {}
                _ if against.is_none_or(|(most, _)| in_the_way(normal) > most) => {
                    against = Some((in_the_way(normal), other));
                }
                _ => {}
            }
        }
    }
    Pinch { body, against: against.map_or(Other::Member(by), |(_, other)| other) }
}

/// What a tracer lies on over which another member passes: what is most in the way of that.
pub(crate) fn pinch_of_tracer(group: &Group, tracer: usize, over: usize) -> Pinch {
    let way = normal_between(group, over, tracer);
    let mut against: Option<(f64, Other)> = None;
    for (normal, other) in group.touching_of(tracer) {
        let is_over = matches!(other, Other::Member(b) if b == over);
        if !is_over && against.is_none_or(|(most, _)| way.dot(normal) > most) {
            against = Some((way.dot(normal), other));
        }
    }
    Pinch { body: tracer, against: against.map_or(Other::Member(over), |(_, other)| other) }
}
