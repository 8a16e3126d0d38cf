use super::error::{SnapshotError, allow};
use super::{Bounds, check_timer, slots};
use crate::error::check;
use crate::state::timers::{Timer, Timers};
use crate::walk::{Place, fields};
use crate::walls::Walls;
use crate::walls::facet::{Facet, Shape};
use crate::walls::moved::{Moved, Travel};
use crate::walls::turn::{self, Turn};
use crate::{Rules, Wall, WallId, WallShape};
use carom_math::toi::Arm;
use carom_math::{DVec2, Time};

/// A wall, and what its facets know beside their forms, which are derived from it.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct WallRecord<W> {
    pub(super) id: WallId,
    /// When it was put up.
    since: Time,
    /// Number of the latest impact then.
    after: u64,
    pub(super) wall: Wall<W>,
    /// The rules in force, where others have been set since: those of `wall`.
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub(super) in_force: Option<Rules>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    turn: Option<TurnRecord>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    moved: Option<Moved>,
}

fields!(
    WallRecord<W>: id, since as Past, after as Impact, in_force, turn, moved; within wall; at Place::Wall(*id)
);

impl<W: Clone + Default> WallRecord<W> {
    /// Checks what does not depend on single words, given the forms of the facets.
    pub(super) fn check<B: PartialEq, X: PartialEq>(
        &self,
        shapes: &[Shape],
        bounds: &Bounds,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        if let Some(turn) = &self.turn {
            let Some(arm) = turn.arm(&self.wall) else {
                return Err(SnapshotError::refused("turn", "a turn of what is no arm", "none"));
            };
            check::turned_to(arm.angle)
                .and(check::turned_to(turn.to))
                .and(check::turning_rate(arm.rate.abs(), arm.reach()))
                .and(check::not_negative("lasts", arm.lasts))
                .map_err(SnapshotError::within("turn"))?;
            check_timer(timers, "turn.timer", turn.timer, &Timer::Turned(self.id))?;
        }
        if let Some(moved) = &self.moved {
            let is_one = self.turn.is_none() || moved.travel.is_none();
            allow(is_one, "turn", "a turn of a wall that moves", "one of the two")?;
            self.check_moved(moved, bounds, timers)?;
        }
        // It repeats itself as the world does, and takes discs that grow, if they do.
        for &shape in shapes {
            let facet = Facet::new(shape, self.id.slot(), 0, self.since, self.after);
            facet.check_periods(&bounds.periods).map_err(SnapshotError::within("wall"))?;
        }
        let takes = !bounds.growth.is_on() || shapes.iter().all(Shape::takes_growth);
        allow(takes, "growth.rate", bounds.growth.rate, "0 beside a round room or an arc")
    }

    fn check_moved<B: PartialEq, X: PartialEq>(
        &self,
        moved: &Moved,
        bounds: &Bounds,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        let Moved { wall: _, home, offset, travel } = moved;
        let with = |shape| Wall { shape, ..self.wall.clone() };
        check::point(["offset.x", "offset.y"], *offset)
            .and(with((**home).clone()).check())
            .map_err(SnapshotError::within("moved"))?;
        let fixed = home.why_fixed();
        allow(fixed.is_none(), "moved.home", "a wall that cannot move", fixed.unwrap_or_default())?;
        let is_there = moved.shape_at(*offset) == self.wall.shape;
        allow(is_there, "moved.offset", offset, "that of the wall from where it was put up")?;
        let &Some(Travel { drift, to, timer }) = travel else {
            return allow(*offset != DVec2::ZERO, "moved.offset", 0, "another one, or no move");
        };
        check::velocity(drift.velocity)
            .and(check::point(["to.x", "to.y"], to))
            .and(check::not_negative("lasts", drift.lasts))
            .and(with(moved.shape_at(to)).check())
            .map_err(SnapshotError::within("moved.travel"))?;
        allow(!bounds.growth.is_on(), "moved.travel", "a motion", "none while discs grow")?;
        check_timer(timers, "moved.travel.timer", timer, &Timer::Moved(self.id))
    }
}

/// How an arm turns.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct TurnRecord {
    /// When it was put up so.
    angle: f64,
    rate: f64,
    /// Seconds from then on.
    lasts: f64,
    to: f64,
    timer: (Time, u64),
}

fields!(TurnRecord: angle, rate, lasts, to, timer);

impl TurnRecord {
    fn of<W: Copy + Default>(walls: &Walls<W>, slot: u32) -> Option<Self> {
        let (turn, (arm, _)) = walls.turn_of(slot).zip(walls.arm_of(slot))?;
        let &Arm { angle, rate, lasts, .. } = arm;
        Some(TurnRecord { angle, rate, lasts, to: turn.to, timer: turn.timer })
    }

    /// The arm, of a wall of that form.
    fn arm<W>(&self, wall: &Wall<W>) -> Option<Arm> {
        let &WallShape::Arm { pivot, length, radius, .. } = &wall.shape else { return None };
        let &TurnRecord { angle, rate, lasts, .. } = self;
        Some(Arm { pivot, length, radius, angle, rate, lasts })
    }
}

/// The walls in the order of their facets.
pub(super) fn records_of<W: Copy + Default>(walls: &Walls<W>) -> Vec<WallRecord<W>> {
    let firsts = walls.present().map(|(_, facet)| facet).filter(|facet| facet.part == 0);
    firsts
        .map(|&Facet { wall: slot, since, after, rules, .. }| WallRecord {
            id: walls.id(slot),
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
    records: &[WallRecord<W>],
    shapes: Vec<Vec<Shape>>,
    free: &[WallId],
) -> Walls<W> {
    let (mut facets, mut turns, mut all_moved) = (Vec::new(), Vec::new(), Vec::new());
    for (record, shapes) in records.iter().zip(shapes) {
        let &WallRecord { id, since, after, in_force, .. } = record;
        let rules = in_force.unwrap_or(record.wall.rules);
        let moved = record.moved.clone().map(|moved| Moved { wall: id.slot(), ..moved });
        let drift = moved.as_ref().and_then(|moved| Some(moved.travel?.drift));
        let facet = |part, shape| {
            let facet = Facet::new(shape, id.slot(), part, since, after).with_rules(rules);
            drift.map_or(facet, |drift| facet.with_drift(drift))
        };
        all_moved.extend(moved);
        turns.extend(record.turn.map(|turn| Turn { wall: id.slot(), to: turn.to, timer: turn.timer }));
        facets.extend((0..).zip(shapes).map(|(part, shape)| facet(part, shape)));
    }
    let slots = records.len() + free.len();
    let ids = records.iter().map(|record| record.id).chain(free.iter().copied());
    let generations = slots::filled(slots, 0, ids.map(|id| (id.slot(), id.generation())));
    let live = records.iter().map(|record| (record.id.slot(), record.wall.clone()));
    let walls = slots::filled(slots, Wall::free(), live);
    let mut walls = Walls::of(walls, generations, free.iter().map(|id| id.slot()).collect(), facets);
    walls.turns = turns;
    all_moved.into_iter().for_each(|moved| walls.set_moved(moved));
    walls
}
