use crate::group::{Group, Pressing, root};
use crate::mass_class::MassClass;
use smallvec::SmallVec;

/// For each member of a group the first of its cluster.
pub(super) type Clusters = SmallVec<[u32; 32]>;

/// For each member the first of its cluster: of those that hang together through contacts that are taken.
/// Infinite masses join nothing, as nothing moves them.
pub(super) fn clusters(group: &Group, takes: impl Fn(&Pressing) -> bool) -> Clusters {
    clusters_through(group, takes, |m| group.members[m].class != MassClass::Infinite)
}

/// The clusters where `joins` says of a member whether what it touches hangs together.
pub(super) fn clusters_through(
    group: &Group,
    takes: impl Fn(&Pressing) -> bool,
    joins: impl Fn(usize) -> bool,
) -> Clusters {
    let mut links: Clusters = (0..group.members.len() as u32).collect();
    for contact in group.contacts.iter().filter(|contact| takes(&contact.pressing)) {
        let [Some(a), Some(b)] = contact.ends() else { continue };
        if joins(a) && joins(b) {
            let (a, b) = (root(&mut links, a as u32), root(&mut links, b as u32));
            links[a.max(b) as usize] = a.min(b);
        }
    }
    for m in 0..links.len() as u32 {
        links[m as usize] = root(&mut links, m);
    }
    links
}
