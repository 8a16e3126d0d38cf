use super::error::SnapshotError;
use super::slots::Slots;
use super::turns::TurnRecord;
use super::{Bounds, at_most, shown};
use crate::error::check;
use crate::state::timers::{Timer, Timers};
use crate::walk::fields;
use crate::walls::drift::Drift;
use crate::walls::facet::{Facet, Shape};
use crate::walls::moved::{Moved, Travel};
use crate::walls::{Walls, turn};
use crate::{Rules, Wall};
use carom_math::{DVec2, Time};

/// A wall, and what its facets know beside their forms, which are derived from it.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct WallRecord<W> {
    pub(super) slot: u32,
    /// When it was put up.
    since: Time,
    /// Number of the latest impact then.
    after: u64,
    wall: Wall<W>,
    /// The rules in force, where others have been set since: those of `wall`.
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub(super) in_force: Option<Rules>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    turn: Option<TurnRecord>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    moved: Option<Moved>,
}

fields!(WallRecord<W>: slot, since, after, in_force, turn, moved; within wall);

impl<W: Clone + Default> WallRecord<W> {
    pub(super) fn check<B, X>(&self, bounds: &Bounds, timers: &Timers<B, X>) -> Result<(), SnapshotError> {
        bounds.past("since", self.since)?;
        at_most("after", self.after, bounds.impacts)?;
        self.turn.map_or(Ok(()), |turn| turn.check(&self.wall, self.slot, timers))?;
        let Some(moved) = &self.moved else { return Ok(()) };
        if self.turn.is_some() && moved.travel.is_some() {
            return Err(SnapshotError::refused("turn", "a turn of a wall that moves", "one of the two"));
        }
        self.check_moved(moved, bounds, timers)
    }

    fn check_moved<B, X>(
        &self,
        moved: &Moved,
        bounds: &Bounds,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        let Moved { wall: _, home, offset, travel } = moved;
        let of_wall = |field: &str, value: String, allowed: &str| {
            Err(SnapshotError::refused(&format!("moved.{field}"), value, allowed))
        };
        let with = |shape| Wall { shape, ..self.wall.clone() };
        check::point(["offset.x", "offset.y"], *offset)
            .and(with((**home).clone()).check())
            .map_err(SnapshotError::within("moved"))?;
        if let Some(reason) = home.why_fixed() {
            return of_wall("home", "a wall that cannot move".to_owned(), reason);
        }
        if moved.shape_at(*offset) != self.wall.shape {
            return of_wall("offset", offset.to_string(), "that of the wall from where it was put up");
        }
        let &Some(Travel { drift: Drift { velocity, from, lasts }, to, timer }) = travel else {
            let is_home = *offset == DVec2::ZERO;
            return if is_home {
                of_wall("offset", "0".to_owned(), "another one, or no move")
            } else {
                Ok(())
            };
        };
        check::velocity(velocity)
            .and(check::point(["to.x", "to.y"], to))
            .and(check::not_negative("lasts", lasts))
            .and(with(moved.shape_at(to)).check())
            .map_err(SnapshotError::within("moved.travel"))?;
        bounds.past("moved.travel.drift.from", from)?;
        if bounds.growth.is_on() {
            return of_wall("travel", "a motion".to_owned(), "none while discs grow");
        }
        match timers.list.get(&timer) {
            Some(Timer::Moved(wall)) if wall.slot() == self.slot => Ok(()),
            _ => of_wall("travel.timer", shown(timer.0), "time and number of the timer that ends it"),
        }
    }

    /// Checks that it repeats itself as the world does, and takes discs that grow, if they do.
    pub(super) fn check_shapes(&self, shapes: &[Shape], bounds: &Bounds) -> Result<(), SnapshotError> {
        for &shape in shapes {
            let facet = Facet::new(shape, self.slot, 0, self.since, self.after);
            facet.check_periods(&bounds.periods).map_err(SnapshotError::within("wall"))?;
        }
        if bounds.growth.is_on() && !shapes.iter().all(Shape::takes_growth) {
            let allowed = "0 beside a round room or an arc";
            return Err(SnapshotError::refused("growth.rate", bounds.growth.rate, allowed));
        }
        Ok(())
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
        .map(|&Facet { wall: slot, since, after, rules, .. }| WallRecord {
            slot,
            since,
            after,
            wall: walls.get(slot).clone(),
            in_force: (rules != walls.get(slot).rules).then_some(rules),
            turn: TurnRecord::of(walls, slot),
            moved: walls.moved(slot).cloned(),
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
) -> Walls<W> {
    let (mut facets, mut all_moved) = (Vec::new(), Vec::new());
    for (record, shapes) in records.iter().zip(shapes) {
        let &WallRecord { slot, since, after, in_force, .. } = record;
        let rules = in_force.unwrap_or(record.wall.rules);
        let moved = record.moved.clone().map(|moved| Moved { wall: slot, ..moved });
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
