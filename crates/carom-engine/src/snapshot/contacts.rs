use super::error::SnapshotError;
use super::{Bounds, MAX_STORED_SPEED, MOST, are_finite, are_named_once, at_most, each};
use crate::state::chains::{Chain, Chains, EndBody};
use crate::state::contacts::{Blocked, ContactRecords, Held, HeldTo, Slide};
use carom_broadphase::Slot;

/// `holds` are the held contacts, from each of their sides: the slot of a disc, and what it is held to.
pub(super) fn check(
    contacts: &ContactRecords,
    holds: &[(Slot, Held)],
    bounds: &Bounds,
) -> Result<(), SnapshotError> {
    let ContactRecords { held, holds: _, blocked, passing, passing_walls, excluded, scratch: _ } = contacts;
    each("contacts.held", held.iter(), |(slot, slide)| check_slide(slot, slide, bounds))?;
    let mut pairs: Vec<_> = holds.iter().filter_map(|&(disc, held)| pair(disc, held)).collect();
    pairs.sort_unstable();
    each("holds", holds, |&(slot, held)| check_hold(slot, held, &pairs, bounds))?;
    are_finite("contacts.blocked", blocked)?;
    each("contacts.blocked", blocked, |record| check_blocked(record, bounds))?;
    each("contacts.passing", passing, |record| {
        bounds.are_live("disc", &[record.disc, record.through])?;
        bounds.past("since", record.since).map(|_| ())
    })?;
    each("contacts.passing_walls", passing_walls, |record| {
        bounds.are_live("disc", &[record.disc])?;
        if bounds.walls.binary_search(&record.wall).is_err() {
            return Err(SnapshotError::refused("wall", record.wall, "the slot of a wall"));
        }
        bounds.past("since", record.since).map(|_| ())
    })?;
    each("contacts.excluded", excluded.iter(), |pair| {
        bounds.are_live("pair", &pair)?;
        if pair[0] < pair[1] {
            return Ok(());
        }
        Err(SnapshotError::refused("pair", format!("{pair:?}"), "two slots in ascending order"))
    })
}

/// Checks that a disc slides along a facet, at a speed, until a time that is not past.
fn check_slide(disc: Slot, slide: &Slide, bounds: &Bounds) -> Result<(), SnapshotError> {
    let &Slide { facet, speed, until, .. } = slide;
    bounds.are_live("disc", &[disc])?;
    bounds.is_facet("facet", facet)?;
    if !(speed > 0.0 && speed <= MAX_STORED_SPEED) {
        let allowed = format!("a number above 0, at most {MAX_STORED_SPEED:e}");
        return Err(SnapshotError::refused("speed", speed, allowed));
    }
    let known = bounds.clock.from_parts(until.epoch_start(), until.offset());
    if known.is_none_or(|until| until < bounds.now) {
        let allowed = format!("a time of this clock, at least now, {}", super::shown(bounds.now));
        return Err(SnapshotError::refused("until", super::shown(until), allowed));
    }
    Ok(())
}

/// One side of a held pair: the disc, the other one, and whether they press.
type Pair = (Slot, Slot, bool);

fn pair(disc: Slot, held: Held) -> Option<Pair> {
    match held.to {
        HeldTo::Disc(to) => Some((disc, to, held.presses)),
        HeldTo::Facet(..) => None,
    }
}

/// Checks that there are those that are named, and that a pair is noted with both. `pairs` ascend.
fn check_hold(disc: Slot, held: Held, pairs: &[Pair], bounds: &Bounds) -> Result<(), SnapshotError> {
    bounds.are_live("disc", &[disc])?;
    match held.to {
        HeldTo::Facet(facet, _) => bounds.is_facet("facet", facet),
        HeldTo::Disc(to) if disc == to || pairs.binary_search(&(to, disc, held.presses)).is_err() => {
            Err(SnapshotError::refused("to", to, "a disc that is held to this one"))
        }
        HeldTo::Disc(_) => Ok(()),
    }
}

fn check_blocked(record: &Blocked, bounds: &Bounds) -> Result<(), SnapshotError> {
    bounds.are_live("body", &[record.body])?;
    bounds.are_live("links", record.links.as_flattened())?;
    bounds.are_live("between", &record.between)?;
    let jaws: Vec<Slot> = record.jaws.iter().map(|&(slot, _)| slot).collect();
    bounds.are_live("jaws", &jaws)?;
    if !record.between.is_sorted_by(|a, b| a < b) {
        return Err(SnapshotError::refused("between", "slots in another order", "ascending slots"));
    }
    bounds.past("since", record.since).map(|_| ())
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

pub(super) fn check_chains(chains: &Vec<Chain>, bounds: &Bounds) -> Result<(), SnapshotError> {
    are_finite("chains", chains)?;
    each("chains", chains, |chain| {
        bounds.are_live("members", &chain.members)?;
        if chain.members.is_empty() {
            return Err(SnapshotError::refused("length of members", 0, "at least 1"));
        }
        at_most("impacts", chain.impacts, MOST)?;
        each("ends", &chain.ends, |end| match end.body {
            EndBody::Disc(serial) => at_most("body", serial, bounds.next_serial.saturating_sub(1)),
            EndBody::Facet(facet) => bounds.is_facet("body", facet),
        })
    })?;
    let mut members: Vec<Slot> = chains.iter().flat_map(|chain| chain.members.iter().copied()).collect();
    members.sort_unstable();
    are_named_once("chains", &members, "members")
}
