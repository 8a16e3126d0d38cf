use super::{Chain, ChainEnd, Chains, EndBody};
use crate::walk::{Place, Walk};
use carom_broadphase::Slot;

impl Chains {
    /// As [`ContactRecords::walk`](crate::state::contacts::ContactRecords::walk). By the first members.
    pub(crate) fn walk(
        &self,
        walk: &mut Walk<'_>,
        numbers: &[Option<u32>],
        place_of: &dyn Fn(Slot) -> Place,
    ) {
        // Which chain a disc is of, and which are free, follows from the members.
        let Chains { of: _, chains: _, free: _, scratch: _, sorted: _, by_disc: _ } = self;
        let number = |facet: u32| numbers.get(facet as usize).copied().flatten().unwrap_or(facet);
        let mut chains: Vec<(Vec<Slot>, &Chain)> = self
            .iter()
            .map(|chain| {
                let mut members = chain.members.clone();
                members.sort_unstable();
                (members, chain)
            })
            .collect();
        chains.sort_unstable_by_key(|(members, _)| members[0]);
        walk.at(Place::World);
        walk.size("number of chains between closing bodies", chains.len());
        for (sorted, Chain { members: _, impacts, ends }) in chains {
            walk.at(place_of(sorted[0]));
            walk.text("members of its chain", &sorted);
            walk.count("impacts of its chain", *impacts);
            walk.size("number of ends of its chain", ends.len());
            for &ChainEnd { body, velocity, normal } in ends {
                let body = match body {
                    EndBody::Disc(serial) => EndBody::Disc(serial),
                    EndBody::Facet(facet) => EndBody::Facet(number(facet)),
                };
                walk.text("end of its chain", &body);
                walk.vector(["velocity.x of the end", "velocity.y of the end"], velocity);
                walk.vector(["normal.x of the end", "normal.y of the end"], normal);
            }
        }
    }
}
