use super::error::SnapshotError;
use super::timers::TimersRecord;
use super::{Bounds, shown};
use crate::error::check;
use crate::walls::Walls;
use crate::walls::drift::Drift;
use crate::walls::moved::{Moved, Travel};
use crate::{Wall, WallShape};
use carom_math::{DVec2, Time};
use std::sync::Arc;

/// Where a wall is from where it was put up, and how it moves.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovedRecord {
    /// Its form where it was put up.
    home: WallShape,
    offset: DVec2,
    #[serde(deserialize_with = "serde::Deserialize::deserialize")]
    travel: Option<TravelRecord>,
}

#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct TravelRecord {
    velocity: DVec2,
    from: Time,
    /// Seconds from then on.
    lasts: f64,
    to: DVec2,
    timer: (Time, u64),
}

impl MovedRecord {
    pub(super) fn of<W: Copy + Default>(walls: &Walls<W>, slot: u32) -> Option<Self> {
        let Moved { home, offset, travel, .. } = walls.moved(slot)?;
        let travel = travel.map(|Travel { drift: Drift { velocity, from, lasts }, to, timer }| {
            TravelRecord { velocity, from, lasts, to, timer }
        });
        Some(MovedRecord { home: (**home).clone(), offset: *offset, travel })
    }

    pub(super) fn moved(&self, wall: u32, bounds: &Bounds) -> Moved {
        let travel = self.travel.map(|TravelRecord { velocity, from, lasts, to, timer }| {
            // The same time, with the sign of a zero put right.
            let from = bounds.clock.from_parts(from.epoch_start(), from.offset()).unwrap_or(from);
            Travel { drift: Drift { velocity, from, lasts }, to, timer }
        });
        Moved { wall, home: Arc::new(self.home.clone()), offset: self.offset, travel }
    }

    pub(super) fn is_on_its_way(&self) -> bool {
        self.travel.is_some()
    }

    pub(super) fn check<W: Clone + Default, B: Copy, X: Copy>(
        &self,
        (wall, slot): (&Wall<W>, u32),
        bounds: &Bounds,
        timers: &TimersRecord<B, X>,
    ) -> Result<(), SnapshotError> {
        let of_wall = |field: &str, value: String, allowed: &str| {
            Err(SnapshotError::refused(&format!("moved.{field}"), value, allowed))
        };
        let placed = |offset| Wall { shape: self.home.moved_by(offset), ..wall.clone() };
        check::point(["offset.x", "offset.y"], self.offset)
            .and(Wall { shape: self.home.clone(), ..wall.clone() }.check())
            .map_err(SnapshotError::within("moved"))?;
        if let Some(reason) = self.home.why_fixed() {
            return of_wall("home", "a wall that cannot move".to_owned(), reason);
        }
        if placed(self.offset).shape != wall.shape {
            return of_wall("offset", self.offset.to_string(), "that of the wall from where it was put up");
        }
        let Some(TravelRecord { velocity, from, lasts, to, timer }) = self.travel else {
            let is_home = self.offset == DVec2::ZERO;
            return if is_home {
                of_wall("offset", "0".to_owned(), "another one, or no move")
            } else {
                Ok(())
            };
        };
        check::velocity(velocity)
            .and(check::point(["to.x", "to.y"], to))
            .and(check::not_negative("lasts", lasts))
            .and(placed(to).check())
            .map_err(SnapshotError::within("moved.travel"))?;
        bounds.past("moved.travel.from", from)?;
        if bounds.growth.is_on() {
            return of_wall("travel", "a motion".to_owned(), "none while discs grow");
        }
        if !timers.is_of_move(timer, slot) {
            let allowed = "time and number of the timer that ends it";
            return of_wall("travel.timer", shown(timer.0).to_string(), allowed);
        }
        Ok(())
    }
}
