use super::error::SnapshotError;
use crate::error::check;
use crate::state::timers::{Timer, Timers};
use crate::walk::fields;
use crate::walls::Walls;
use crate::walls::turn::Turn;
use crate::{Wall, WallShape};
use carom_math::Time;
use carom_math::toi::Arm;

/// How an arm turns.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct TurnRecord {
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
    pub(super) fn of<W: Copy + Default>(walls: &Walls<W>, slot: u32) -> Option<Self> {
        let (turn, (arm, _)) = walls.turn_of(slot).zip(walls.arm_of(slot))?;
        let &Arm { angle, rate, lasts, .. } = arm;
        Some(TurnRecord { angle, rate, lasts, to: turn.to, timer: turn.timer })
    }

    pub(super) fn turn(&self, wall: u32) -> Turn {
        Turn { wall, to: self.to, timer: self.timer }
    }

    /// The arm, of a wall of that form.
    pub(super) fn arm<W>(&self, wall: &Wall<W>) -> Option<Arm> {
        let &WallShape::Arm { pivot, length, radius, .. } = &wall.shape else { return None };
        let &TurnRecord { angle, rate, lasts, .. } = self;
        Some(Arm { pivot, length, radius, angle, rate, lasts })
    }

    pub(super) fn check<W, B, X>(
        &self,
        wall: &Wall<W>,
        slot: u32,
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        let Some(arm) = self.arm(wall) else {
            return Err(SnapshotError::refused("turn", "a turn of what is no arm", "none"));
        };
        check::turned_to(self.angle)
            .and(check::turned_to(self.to))
            .and(check::turning_rate(arm.rate.abs(), arm.reach()))
            .and(check::not_negative("lasts", arm.lasts))
            .map_err(SnapshotError::within("turn"))?;
        match timers.list.get(&self.timer) {
            Some(Timer::Turned(wall)) if wall.slot() == slot => Ok(()),
            _ => {
                let allowed = "time and number of the timer that ends it";
                Err(SnapshotError::refused("turn.timer", self.timer.1, allowed))
            }
        }
    }
}
