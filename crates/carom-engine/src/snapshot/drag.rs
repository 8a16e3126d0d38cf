use super::error::SnapshotError;
use super::{MOST, are_finite, at_most, shown};
use crate::Settings;
use crate::drag::{Drag, DragEnergy};
use crate::walk::fields;
use carom_math::{Clock, Time};

/// What a world with drag has besides.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct DragRecord {
    /// The half-life with which its slow clock began.
    half_life: u64,
    /// The true present.
    pub(super) now: Time,
    energy: DragEnergy,
}

fields!(DragRecord: half_life, now, energy);

impl DragRecord {
    pub(super) fn of(drag: &Drag) -> Self {
        DragRecord { half_life: drag.pacing.base, now: drag.now, energy: drag.energy }
    }
}

/// The clock of the schedule, and the earliest present on it.
pub(super) fn clock_and_start(settings: &Settings) -> Result<(Clock, Time), SnapshotError> {
    let within = SnapshotError::within("settings");
    match settings.slow_clock() {
        Ok(Some(slow)) => Ok((slow.clock, Time::ZERO)),
        Ok(None) => settings.clock().map(|clock| (clock, clock.at(settings.start))).map_err(within),
        Err(error) => Err(within(error)),
    }
}

/// `now` is the present on the slow clock.
pub(super) fn check(
    record: Option<&DragRecord>,
    settings: &Settings,
    now: Time,
) -> Result<(), SnapshotError> {
    let slow = settings.slow_clock().map_err(SnapshotError::within("settings"))?;
    let (record, slow) = match (record, slow) {
        (None, None) => return Ok(()),
        (Some(record), Some(slow)) => (record, slow),
        (None, Some(_)) => return Err(SnapshotError::refused("drag", "null", "what belongs to its rate")),
        (Some(_), None) => return Err(SnapshotError::refused("drag", "there", "null without a rate")),
    };
    at_most("drag.half_life", record.half_life, MOST)?;
    let known = slow.true_clock.from_parts(record.now.epoch_start(), record.now.offset());
    if known.is_none_or(|known| known < slow.true_start(record.half_life)) {
        let allowed = format!("a time of this clock in half-life {} or later", record.half_life);
        return Err(SnapshotError::refused("drag.now", shown(record.now), allowed));
    }
    if now > slow.last() {
        let allowed = format!("at most {}, at which the discs are at rest", shown(slow.last()));
        return Err(SnapshotError::refused("now", shown(now), allowed));
    }
    are_finite("drag", record)
}

/// `drag` is that of a new world with the same settings.
pub(super) fn restore(record: Option<DragRecord>, drag: &mut Option<Drag>) {
    if let (Some(record), Some(drag)) = (record, drag) {
        (drag.pacing.base, drag.now, drag.energy) = (record.half_life, record.now, record.energy);
    }
}
