use super::error::SnapshotError;
use super::moved::MovedRecord;
use super::slots::Slots;
use super::timers::TimersRecord;
use super::turns::TurnRecord;
use super::{Bounds, at_most};
use crate::Wall;
use crate::walls::Walls;
use crate::walls::facet::{Facet, Shape};
use crate::walls::turn;
use carom_math::{DVec2, Time};

/// A wall, and what its facets know beside their forms, which are derived from it.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WallRecord<W> {
    pub(super) slot: u32,
    /// When it was put up.
    since: Time,
    /// Number of the latest impact then.
    after: u64,
    wall: Wall<W>,
    #[serde(deserialize_with = "serde::Deserialize::deserialize")]
    turn: Option<TurnRecord>,
    #[serde(deserialize_with = "serde::Deserialize::deserialize")]
    moved: Option<MovedRecord>,
}

impl<W: Clone + Default> WallRecord<W> {
    pub(super) fn check<B: Copy, X: Copy>(
        &self,
        bounds: &Bounds,
        timers: &TimersRecord<B, X>,
    ) -> Result<(), SnapshotError> {
        bounds.past("since", self.since)?;
        at_most("after", self.after, bounds.impacts)?;
        self.turn.map_or(Ok(()), |turn| turn.check(&self.wall, self.slot, timers))?;
        let Some(moved) = &self.moved else { return Ok(()) };
        if self.turn.is_some() && moved.is_on_its_way() {
            return Err(SnapshotError::refused("turn", "a turn of a wall that moves", "one of the two"));
        }
        moved.check((&self.wall, self.slot), bounds, timers)
    }

    /// Checks that it repeats itself as the world does.
    pub(super) fn check_periods(&self, shapes: &[Shape], bounds: &Bounds) -> Result<(), SnapshotError> {
        for &shape in shapes {
            let facet = Facet::new(shape, self.slot, 0, self.since, self.after);
            facet.check_periods(&bounds.periods).map_err(SnapshotError::within("wall"))?;
        }
        Ok(())
    }

    /// Checks that it takes discs that grow, if they do.
    pub(super) fn check_growth(&self, shapes: &[Shape], bounds: &Bounds) -> Result<(), SnapshotError> {
        if !bounds.growth.is_on() || shapes.iter().all(Shape::takes_growth) {
            return Ok(());
        }
        Err(SnapshotError::refused("growth.rate", bounds.growth.rate, "0 beside a round room or an arc"))
    }
}

/// What stands in free slots while their order is found or made.
fn filler<W: Default>() -> Wall<W> {
    Wall::disc(DVec2::ZERO, 0.0)
}

pub(super) fn slots_of<W: Copy + Default>(walls: &Walls<W>) -> Slots {
    Slots::of_slab(&walls.walls, &walls.generations, filler)
}

/// The walls in the order of their facets.
pub(super) fn records_of<W: Copy + Default>(walls: &Walls<W>) -> Vec<WallRecord<W>> {
    let firsts = walls.present().map(|(_, facet)| facet).filter(|facet| facet.part == 0);
    firsts
        .map(|&Facet { wall: slot, since, after, .. }| WallRecord {
            slot,
            since,
            after,
            wall: walls.get(slot).clone(),
            turn: TurnRecord::of(walls, slot),
            moved: MovedRecord::of(walls, slot),
        })
        .collect()
}

/// The forms of the facets of each wall.
pub(super) fn shapes_of<W: Default>(records: &[WallRecord<W>]) -> Result<Vec<Vec<Shape>>, SnapshotError> {
    let shapes = records.iter().enumerate().map(|(k, record)| {
        let parts = record.wall.parts().map_err(SnapshotError::within(&format!("walls[{k}].wall")))?;
        let arm = record.turn.and_then(|turn| turn.arm(&record.wall));
        Ok(arm.map_or(parts, turn::turning))
    });
    shapes.collect()
}

/// The store with these walls, which have been checked.
pub(super) fn restored<W: Copy + Default>(
    records: Vec<WallRecord<W>>,
    shapes: Vec<Vec<Shape>>,
    slots: Slots,
    bounds: &Bounds,
) -> Walls<W> {
    let (mut facets, mut all_moved) = (Vec::new(), Vec::new());
    for (record, shapes) in records.iter().zip(shapes) {
        let &WallRecord { slot, since, after, .. } = record;
        // The same time, with the sign of a zero put right.
        let since = bounds.clock.from_parts(since.epoch_start(), since.offset()).unwrap_or(since);
        let rules = record.wall.rules;
        let moved = record.moved.as_ref().map(|moved| moved.moved(slot, bounds));
        let drift = moved.as_ref().and_then(|moved| Some(moved.travel?.drift));
        let facet = |part, shape| {
            let facet = Facet::new(shape, slot, part, since, after).with_rules(rules);
            drift.map_or(facet, |drift| facet.with_drift(drift))
        };
        all_moved.extend(moved);
        facets.extend((0..).zip(shapes).map(|(part, shape)| facet(part, shape)));
    }
    let turns = records.iter().filter_map(|record| Some(record.turn?.turn(record.slot))).collect();
    let live = records.into_iter().map(|record| (record.slot, record.wall));
    let (walls, generations) = slots.filled_slab(live, filler);
    let mut walls = Walls::of(walls, generations, facets);
    walls.turns = turns;
    all_moved.into_iter().for_each(|moved| walls.set_moved(moved));
    walls
}
