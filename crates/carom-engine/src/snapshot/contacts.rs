use super::error::{SnapshotError, allow, differ, each};
use crate::state::chains::{Chain, Chains, EndBody};
use crate::state::contacts::{ContactRecords, Held, HeldTo};
use carom_broadphase::Slot;
use carom_math::Shown;

/// Checks what does not depend on single words. `holds` are the held contacts, from each of their sides: the
/// slot of a disc, and what it is held to.
pub(super) fn check(
    contacts: &ContactRecords,
    holds: &[(Slot, Held)],
    chains: &[Chain],
) -> Result<(), SnapshotError> {
    each("contacts.held", contacts.held.iter(), |(_, slide)| {
        allow(slide.speed > 0.0, "speed", Shown(slide.speed), "a number above 0")
    })?;
    each("contacts.blocked", &contacts.blocked, |record| {
        let ascend = record.between.is_sorted_by(|a, b| a < b);
        allow(ascend, "between", "slots in another order", "ascending slots")
    })?;
    each("contacts.excluded", contacts.excluded.iter(), |pair| {
        allow(pair[0] < pair[1], "pair", format_args!("{pair:?}"), "two slots in ascending order")
    })?;
    let to_disc = |&(disc, held): &(Slot, Held)| match held.to {
        HeldTo::Disc(to) => Some((disc, to, held.presses)),
        HeldTo::Facet(..) => None,
    };
    let mut pairs: Vec<_> = holds.iter().filter_map(to_disc).collect();
    pairs.sort_unstable();
    each("holds", holds, |hold| {
        let Some((disc, to, presses)) = to_disc(hold) else { return Ok(()) };
        let is_noted = disc != to && pairs.binary_search(&(to, disc, presses)).is_ok();
        allow(is_noted, "to", to, "a disc that is held to this one")
    })?;
    each("chains", chains, |chain| allow(!chain.members.is_empty(), "length of members", 0, "at least 1"))?;
    differ("members of chains", "slot", chains.iter().flat_map(|chain| &chain.members))
}

/// All chains, by their first members. `numbers` are those that the facets have in the snapshot.
pub(super) fn chains_of(chains: &Chains, numbers: &[Option<u32>]) -> Vec<Chain> {
    let mut chains: Vec<Chain> = chains.iter().cloned().collect();
    for chain in &mut chains {
        chain.members.sort_unstable();
        for end in &mut chain.ends {
            if let EndBody::Facet(facet) = &mut end.body {
                *facet = numbers.get(*facet as usize).copied().flatten().unwrap_or(*facet);
            }
        }
    }
    chains.sort_unstable_by_key(|chain| chain.members.first().copied());
    chains
}
