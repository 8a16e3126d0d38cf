//! How a group resolves its contacts.
//!
//! Passes: all contacts that approach are solved together for impulses `λ ≥ 0` at zero restitution;
//! velocities change by `1 + e` times that, `e` the smallest restitution among the contacts that press;
//! until nothing approaches (generalised reflections: Smith, Kaufman, Vouga, Tamstorf and Grinspun, ACM TOG
//! 31 (2012) 106). After a bounded amount of work the touching contacts are solved once with `e = 0`, which
//! ends it (Vouga et al., arXiv:1712.00381). A pass is a projection in the metric of the masses,
//! over-relaxed by at most two, so in each part energy does not rise by more than the work of what the part
//! cannot move.

mod approach;
pub(crate) mod common_velocity;
pub(crate) mod crush;
mod kicks;
pub(crate) mod passes;
mod post_physics;
mod rub;

use crate::complementarity::Infeasible;
use crate::group::{Group, Part};
use crate::mass_class::MassClass;
use crush::crush;
pub(crate) use kicks::kick;
use passes::resolve_part;
pub(crate) use post_physics::stop_approaching;
pub(crate) use rub::rub;
use smallvec::SmallVec;

/// Resolves the parts of a class, and those that have no room.
pub(crate) fn resolve_class(group: &mut Group, class: MassClass) -> Result<(), Infeasible> {
    group.find_parts(class, false);
    let mut parts = core::mem::take(&mut group.parts);
    let mut failed = SmallVec::<[usize; 4]>::new();
    for (k, part) in parts.iter_mut().enumerate() {
        match resolve_part(group, part, class) {
            Ok(loss) => part.loss = loss,
            Err(Infeasible) => failed.push(k),
        }
    }
    let result = crush(group, &mut parts, &failed, class);
    for Part { loss, .. } in &parts {
        group.book.restitution.add(loss.restitution);
        if group.is_crushed { &mut group.book.crush } else { &mut group.book.collapse }.add(loss.plastic);
    }
    group.parts = parts;
    result
}

/// Counts which contacts pushed, and how, once the impulses are there.
///
/// A disc that touches one that was pushed takes part: it has met that one, too, and must know it.
/// Where the blow went exactly past it, rounding may let the two approach.
pub(crate) fn count_pushes(group: &mut Group) {
    for member in &mut group.members {
        (member.pushes, member.restitution) = (0, 1.0);
    }
    for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
        for m in contact.ends().into_iter().flatten() {
            let member = &mut group.members[m];
            member.pushes += 1;
            member.restitution = member.restitution.min(contact.restitution);
        }
    }
    for member in &mut group.members {
        let changed = member.velocity != [member.motion.velocity.x.into(), member.motion.velocity.y.into()];
        member.takes_part = member.pushes > 0 || changed;
    }
    for contact in &group.contacts {
        let [Some(a), Some(b)] = contact.ends() else { continue };
        let is_pushed = [a, b].map(|m| group.members[m].pushes > 0);
        group.members[a].takes_part |= is_pushed[1];
        group.members[b].takes_part |= is_pushed[0];
    }
}
