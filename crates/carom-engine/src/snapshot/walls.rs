use super::error::{SnapshotError, allow, shown};
use super::{Bounds, check_timer, slots};
use crate::error::check;
use crate::state::timers::{Timer, Timers};
use crate::walk::{Place, fields};
use crate::walls::facet::{Facet, Shape};
use crate::walls::motion::{WallPose, Way};
use crate::walls::{Walls, planned};
use crate::{Error, Rules, Wall, WallId, WallShape};
use carom_math::{Shown, Time};

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
    /// Where it turns or moves, or stands elsewhere than where it was put up.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pose: Option<WallPose>,
}

fields!(
    WallRecord<W>: id, since as Past, after as Impact, in_force, pose; within wall; at Place::Wall(*id)
);

impl<W: Clone + Default> WallRecord<W> {
    /// Checks what does not depend on single words, given the forms of the facets.
    pub(super) fn check<B: PartialEq, X: PartialEq>(
        &self,
        shapes: &[Shape],
        bounds: &Bounds,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        if let Some(pose) = &self.pose {
            self.check_pose(pose, bounds, timers)?;
        }
        // It repeats itself as the world does, and takes discs that grow, if they do.
        for &shape in shapes {
            let facet = Facet::new(shape, self.id.slot(), 0, self.since, self.after);
            facet.check_periods(&bounds.periods).map_err(SnapshotError::within("wall"))?;
        }
        let takes = !bounds.growth.is_on() || shapes.iter().all(Shape::takes_growth);
        allow(takes, "growth.rate", Shown(bounds.growth.rate), "0 beside a round room or an arc")
    }

    fn check_pose<B: PartialEq, X: PartialEq>(
        &self,
        pose: &WallPose,
        bounds: &Bounds,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        let WallPose { home, offset, course } = pose;
        let with = |shape| Wall { shape, ..self.wall.clone() };
        check::point(["offset.x", "offset.y"], *offset)
            .and(with((**home).clone()).check())
            .map_err(SnapshotError::within("pose"))?;
        let fixed = home.why_fixed();
        allow(fixed.is_none(), "pose.home", "a wall that cannot move", fixed.unwrap_or_default())?;
        let is_over = course.is_some_and(|course| course.is_over());
        let shape = if is_over { pose.stopped(None).shape() } else { pose.shape() };
        let is_there = shape == self.wall.shape;
        allow(is_there, "pose.offset", offset, "that of the wall from where it was put up")?;
        let &Some(course) = course else {
            return allow(!pose.is_at_home(), "pose.offset", 0, "another one, or no pose");
        };
        check_way(&course.way, home)
            .and(check::not_negative("lasts", course.lasts))
            .and(with(pose.stopped(None).shape()).check())
            .map_err(SnapshotError::within("pose.course"))?;
        if course.way.is_rotation() {
            allow(pose.arm().is_some(), "pose.course.way", "a turn of what is no arm", "a drift")?;
            let is_put_up = course.from == self.since;
            allow(is_put_up, "pose.course.from", shown(course.from), "when the wall was put up")?;
        }
        allow(!bounds.growth.is_on(), "pose.course", "a motion", "none while discs grow")?;
        let ends = [Timer::WallArrival(self.id), Timer::WallStop(self.id)];
        check_timer(timers, "pose.course.timer", course.timer, ends)
    }
}

/// Refuses what no wall that has been put up like this was sent.
fn check_way(way: &Way, home: &WallShape) -> Result<(), Error> {
    match (*way, home) {
        (Way::Drift { velocity, to }, _) => check::velocity(velocity).and(check::point(["to.x", "to.y"], to)),
        (Way::Rotation { angle, rate, to }, &WallShape::Arm { length, radius, .. }) => {
            check::turned_to(angle)
                .and(check::turned_to(to))
                .and(check::turning_rate(rate.abs(), length + radius))
        }
        _ => Ok(()),
    }
}

/// The walls in the order of their facets.
pub(super) fn records_of<W: Clone>(walls: &Walls, descriptions: &[Wall<W>]) -> Vec<WallRecord<W>> {
    let firsts = walls.present().map(|(_, facet)| facet).filter(|facet| facet.part == 0);
    firsts
        .map(|&Facet { wall: slot, since, after, rules, .. }| {
            let wall = descriptions[slot as usize].clone();
            let in_force = (rules != wall.rules).then_some(rules);
            let pose = walls.stored_pose(slot).cloned();
            WallRecord { id: walls.id(slot), since, after, wall, in_force, pose }
        })
        .collect()
}

/// The forms of the facets of each wall.
pub(super) fn shapes_of<W: Default>(records: &[WallRecord<W>]) -> Result<Vec<Vec<Shape>>, SnapshotError> {
    let shapes = records.iter().enumerate().map(|(k, record)| {
        let parts = record.wall.parts().map_err(SnapshotError::within(&format!("walls[{k}].wall")))?;
        // A wall that has arrived and has not stopped yet is described as it stands.
        let moving = record.pose.as_ref().filter(|pose| pose.course.is_some());
        moving.map_or(Ok(parts), |pose| {
            pose.parts().map_err(SnapshotError::within(&format!("walls[{k}].pose")))
        })
    });
    shapes.collect()
}

/// These walls, which have been checked, and what users know of them.
pub(super) fn restored<W: Clone + Default>(
    records: &[WallRecord<W>],
    shapes: Vec<Vec<Shape>>,
    free: &[WallId],
) -> (Walls, Vec<Wall<W>>) {
    let mut facets = Vec::new();
    for (record, shapes) in records.iter().zip(shapes) {
        let &WallRecord { id, since, after, in_force, .. } = record;
        let drift = record.pose.as_ref().and_then(WallPose::drift);
        let rules = in_force.unwrap_or(record.wall.rules);
        facets.extend(planned(id.slot(), shapes, drift, rules, (since, after)));
    }
    let slots = records.len() + free.len();
    let ids = records.iter().map(|record| record.id).chain(free.iter().copied());
    let generations = slots::filled(slots, 0, ids.map(|id| (id.slot(), id.generation())));
    let live = records.iter().map(|record| (record.id.slot(), record.wall.clone()));
    let descriptions = slots::filled(slots, Wall::free(), live);
    let mut walls = Walls::of(generations, free.iter().map(|id| id.slot()).collect(), facets);
    for record in records {
        walls.user_data[record.id.slot() as usize] = record.wall.user_data;
        record.pose.iter().for_each(|pose| walls.set_pose(record.id.slot(), pose.clone()));
    }
    (walls, descriptions)
}
