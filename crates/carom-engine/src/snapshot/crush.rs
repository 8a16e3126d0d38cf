use super::Bounds;
use super::error::SnapshotError;
use crate::state::chains::{Chain, ChainEnd, Chains, EndBody};
use crate::state::jams::{Blocked, Passing};
use crate::{DiscId, Partner};
use carom_broadphase::Slot;
use carom_math::{DVec2, Time};

/// Discs that bodies close in on: see [`Chain`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainRecord {
    members: Vec<Slot>,
    impacts: u64,
    ends: Vec<EndRecord>,
}

/// A body that closes in on a chain: a disc, by its serial number, or a facet.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct EndRecord {
    is_disc: bool,
    number: u64,
    velocity: DVec2,
    normal: DVec2,
}

/// A body that has given way: see [`Blocked`]. When it goes on follows from the rest.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockedRecord {
    body: Slot,
    wanted: DVec2,
    given: DVec2,
    on: DiscId,
    against: Partner,
    since: Time,
    is_over: bool,
    is_free: bool,
    links: Vec<[Slot; 2]>,
    between: Vec<Slot>,
    jaws: Vec<(Slot, DVec2)>,
}

/// A tracer that a disc passes over: see [`Passing`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PassingRecord {
    tracer: Slot,
    over: Slot,
    since: Time,
}

/// All chains, by their first members.
pub(super) fn chains_of(chains: &Chains, numbers: &[Option<u32>]) -> Vec<ChainRecord> {
    let mut records: Vec<_> = chains.iter().map(|chain| ChainRecord::of(chain, numbers)).collect();
    records.sort_unstable_by_key(|record| record.members.first().copied());
    records
}

impl ChainRecord {
    /// `numbers` are those that the facets have in the snapshot.
    fn of(chain: &Chain, numbers: &[Option<u32>]) -> Self {
        let ends = chain.ends.iter().map(|end| {
            let (is_disc, number) = match end.body {
                EndBody::Disc(serial) => (true, serial),
                EndBody::Facet(f) => {
                    (false, u64::from(numbers.get(f as usize).copied().flatten().unwrap_or(f)))
                }
            };
            EndRecord { is_disc, number, velocity: end.velocity, normal: end.normal }
        });
        let mut members = chain.members.clone();
        members.sort_unstable();
        ChainRecord { members, impacts: chain.impacts, ends: ends.collect() }
    }

    pub(super) fn check(
        &self,
        is_live: &impl Fn(Slot) -> bool,
        bounds: &Bounds,
    ) -> Result<(), SnapshotError> {
        are_live("members", self.members.iter().copied(), is_live)?;
        if self.members.is_empty() {
            return Err(SnapshotError::refused("length of members", 0, "at least 1"));
        }
        super::at_most("impacts", self.impacts, super::MOST)?;
        for (k, end) in self.ends.iter().enumerate() {
            let inside = |error: SnapshotError| error.inside(&format!("ends[{k}]"));
            let most = if end.is_disc { bounds.next_serial } else { u64::from(bounds.facets) };
            super::at_most("number", end.number, most.saturating_sub(1)).map_err(inside)?;
            are_finite("velocity", &[end.velocity]).map_err(inside)?;
            are_finite("normal", &[end.normal]).map_err(inside)?;
        }
        Ok(())
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Slot> + '_ {
        self.members.iter().copied()
    }

    pub(super) fn chain(self) -> Chain {
        let ends = self.ends.into_iter().map(|end| {
            let body =
                if end.is_disc { EndBody::Disc(end.number) } else { EndBody::Facet(end.number as u32) };
            ChainEnd { body, velocity: end.velocity, normal: end.normal }
        });
        Chain { members: self.members, impacts: self.impacts, ends: ends.collect() }
    }
}

impl BlockedRecord {
    pub(super) fn of(record: &Blocked) -> Self {
        let Blocked {
            body,
            wanted,
            given,
            on,
            against,
            since,
            is_over,
            is_free,
            links,
            between,
            jaws,
            end: _,
        } = record.clone();
        BlockedRecord { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws }
    }

    pub(super) fn check(
        &self,
        is_live: &impl Fn(Slot) -> bool,
        bounds: &Bounds,
    ) -> Result<(), SnapshotError> {
        are_live("body", [self.body].into_iter(), is_live)?;
        are_live("links", self.links.iter().flatten().copied(), is_live)?;
        are_live("between", self.between.iter().copied(), is_live)?;
        are_live("jaws", self.jaws.iter().map(|&(slot, _)| slot), is_live)?;
        are_finite("wanted", &[self.wanted])?;
        are_finite("given", &[self.given])?;
        let velocities: Vec<DVec2> = self.jaws.iter().map(|&(_, velocity)| velocity).collect();
        are_finite("jaws", &velocities)?;
        if !self.between.is_sorted_by(|a, b| a < b) {
            return Err(SnapshotError::refused("between", "slots in another order", "ascending slots"));
        }
        bounds.past("since", self.since).map(|_| ())
    }

    pub(super) fn blocked(self) -> Blocked {
        let Self { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws } = self;
        let end = Time::NEVER;
        Blocked { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws, end }
    }
}

impl PassingRecord {
    pub(super) fn of(record: &Passing) -> Self {
        let Passing { tracer, over, since, end: _ } = *record;
        PassingRecord { tracer, over, since }
    }

    pub(super) fn check(
        &self,
        is_live: &impl Fn(Slot) -> bool,
        bounds: &Bounds,
    ) -> Result<(), SnapshotError> {
        are_live("tracer", [self.tracer].into_iter(), is_live)?;
        are_live("over", [self.over].into_iter(), is_live)?;
        bounds.past("since", self.since).map(|_| ())
    }

    pub(super) fn passing(self) -> Passing {
        let PassingRecord { tracer, over, since } = self;
        Passing { tracer, over, since, end: Time::NEVER }
    }
}

fn are_live(
    field: &str,
    mut slots: impl Iterator<Item = Slot>,
    is_live: &impl Fn(Slot) -> bool,
) -> Result<(), SnapshotError> {
    match slots.find(|&slot| !is_live(slot)) {
        Some(slot) => Err(SnapshotError::refused(field, slot, "the slot of a disc")),
        None => Ok(()),
    }
}

fn are_finite(field: &str, vectors: &[DVec2]) -> Result<(), SnapshotError> {
    match vectors.iter().find(|v| !v.is_finite()) {
        Some(v) => Err(SnapshotError::refused(field, v, "finite numbers")),
        None => Ok(()),
    }
}
