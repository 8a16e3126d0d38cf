//! Discs that bodies close in on, impact by impact: see [`Chains`](crate::state::chains::Chains).

use crate::CrushRule;
use crate::respond::contact::touched;
use crate::state::chains::{ChainEnd, EndBody};
use crate::state::with::With;
use crate::store::Common;
use carom_broadphase::Slot;
use carom_solver::{Group, MassClass, Member};
use glam::DVec2;

/// Counts an impact of a disc, along a unit normal from it, for the chains of discs that bodies close
/// in on.
#[cold]
pub(super) fn count_in_chains(store: &mut Common, slot: Slot, with: With, normal: DVec2) {
    if store.settings.crush == CrushRule::Stop {
        return;
    }
    match caught(store, slot, with, normal) {
        Some(Caught::At(slot, end)) => store.chains.note_end(slot, end),
        Some(Caught::With(a, b)) => store.chains.note_impact(a, b),
        None => {}
    }
}

/// As [`count_in_chains`], all contacts of a group that pushed: at once, as their order means
/// nothing.
pub(super) fn count_group_in_chains(store: &mut Common, group: &Group) {
    let is_special = |m: &Member| m.class != MassClass::Finite;
    let begins = group.members.iter().any(is_special)
        || group.contacts.iter().any(|contact| contact.surface != DVec2::ZERO);
    if (!begins && store.chains.is_empty()) || store.settings.crush == CrushRule::Stop {
        return;
    }
    let (mut joints, mut ends) = store.chains.take_lists();
    for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
        let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
        match caught(store, a, with, contact.normal) {
            Some(Caught::At(slot, end)) => ends.push((slot, end)),
            Some(Caught::With(a, b)) => joints.push((a, b)),
            None => {}
        }
    }
    store.chains.note_group(&joints, &ends);
    store.chains.give_back(joints, ends);
}

/// What an impact of a disc means for chains.
fn caught(store: &Common, slot: Slot, with: With, normal: DVec2) -> Option<Caught> {
    let class = store.bodies.class(slot);
    match with {
        With::Disc(other) if class.yields_to(store.bodies.class(other)) => {
            Some(Caught::At(slot, chain_end(store, other, normal)))
        }
        With::Disc(other) if store.bodies.class(other).yields_to(class) => {
            Some(Caught::At(other, chain_end(store, slot, -normal)))
        }
        With::Disc(other) => Some(Caught::With(slot, other)),
        With::Facet(_) if class == MassClass::Infinite => None,
        With::Facet(f) => {
            let velocity = store.walls.facets[f as usize].drift.velocity;
            let end = ChainEnd { body: EndBody::Facet(f), velocity, normal };
            Some(Caught::At(slot, end))
        }
    }
}

fn chain_end(store: &Common, slot: Slot, normal: DVec2) -> ChainEnd {
    let body = EndBody::Disc(store.bodies.detail(slot).serial);
    ChainEnd { body, velocity: store.bodies.motion_at(slot, store.now).velocity, normal }
}

/// An impact of a disc that may be in a chain.
enum Caught {
    /// With an end of it.
    At(Slot, ChainEnd),
    /// With another disc.
    With(Slot, Slot),
}
