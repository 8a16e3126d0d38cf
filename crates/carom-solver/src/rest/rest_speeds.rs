use super::clusters::clusters;
use crate::group::{Group, Member, Pressing};
use crate::tolerances::ROUNDING;
use carom_math::sqrt;
use smallvec::SmallVec;

/// See [`Group::note_rest_speeds`].
pub(crate) fn note_rest_speeds(group: &mut Group) {
    let least = ROUNDING * group.members.iter().map(Member::largest_speed).fold(0.0, f64::max);
    let falls = falls(group);
    let mut quiet: SmallVec<[u32; 32]> = SmallVec::from_elem(0, group.members.len());
    let mut pulls: SmallVec<[(f64, bool); 64]> = SmallVec::new();
    for c in 0..group.contacts.len() as u32 {
        let contact = &group.contacts[c as usize];
        let [velocity, _] = group.relative(c);
        let (along, across) = (velocity.dot(contact.normal), velocity.perp_dot(contact.normal));
        let ends = || contact.ends().into_iter().flatten();
        // What may drive the two together: their accelerations, and `v_t²/R` from moving about each other.
        let pull = ends().map(|m| falls[m]).sum::<f64>() + across * across * contact.pressing.curvature.abs();
        let Pressing { touch, height, was_held, is_driven, .. } = contact.pressing;
        let is_quiet =
            was_held || !is_driven && along.abs() <= sqrt(2.0 * (touch + height) * pull).max(least);
        ends().for_each(|m| quiet[m] += u32::from(is_quiet));
        pulls.push((pull, is_quiet));
    }
    // A fall from the height `h` has the speed `√(2 h A)`. With `Rest::height` in it where a body has another
    // slow contact: without it, bounces of a heap excite those below (`resting.md`, step 3).
    for (c, &(pull, is_quiet)) in pulls.iter().enumerate() {
        let contact = &group.contacts[c];
        let Pressing { touch, height, is_near, .. } = contact.pressing;
        let others = |m: usize| quiet[m] > u32::from(is_quiet);
        let has_slow_neighbour = contact.ends().into_iter().flatten().any(others);
        let height = match (has_slow_neighbour, is_near) {
            (true, _) => touch + height,
            (false, false) => touch,
            (false, true) => 0.0,
        };
        let pressing = &mut group.contacts[c].pressing;
        // No speed is as slow as −1: on what turns nothing comes to rest.
        pressing.slow = if pressing.is_driven { -1.0 } else { sqrt(2.0 * height * pull).max(least) };
    }
}

/// For each member the size of the largest free acceleration in the cluster in which it was held.
fn falls(group: &Group) -> SmallVec<[f64; 32]> {
    let roots = clusters(group, |pressing| pressing.was_held);
    let mut largest: SmallVec<[f64; 32]> = SmallVec::from_elem(0.0, group.members.len());
    for (member, &root) in group.members.iter().zip(&roots) {
        largest[root as usize] = largest[root as usize].max(member.free.length());
    }
    roots.iter().map(|&root| largest[root as usize]).collect()
}
