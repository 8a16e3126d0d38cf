use super::Bounds;
use super::contacts::{are_finite, are_live};
use super::error::SnapshotError;
use crate::state::chains::{Chain, ChainEnd, Chains, EndBody};
use carom_broadphase::Slot;
use carom_math::DVec2;

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
