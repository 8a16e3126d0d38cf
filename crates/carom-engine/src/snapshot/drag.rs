use super::error::{SnapshotError, allow, shown};
use crate::drag::{Drag, DragEnergy};
use crate::walk::fields;
use carom_math::Time;

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

fields!(DragRecord: half_life as Tally, now, energy);

impl DragRecord {
    pub(super) fn of(drag: &Drag) -> Self {
        DragRecord { half_life: drag.pacing.base, now: drag.now, energy: drag.energy }
    }
}

/// `drag` is that of a world with the same settings, `now` the present on its slow clock.
pub(super) fn check(
    record: Option<&DragRecord>,
    drag: Option<&Drag>,
    now: Time,
) -> Result<(), SnapshotError> {
    let Some(record) = record else {
        return allow(drag.is_none(), "drag", "null", "what belongs to its rate");
    };
    let Some(drag) = drag else { return Err(SnapshotError::refused("drag", "there", "null without a rate")) };
    let slow = &drag.pacing.clock;
    let known = slow.true_clock.from_parts(record.now.epoch_start(), record.now.offset());
    let is_reached = known.is_some_and(|known| known >= slow.true_start(record.half_life));
    allow(
        is_reached,
        "drag.now",
        shown(record.now),
        format_args!("a time of this clock in half-life {} or later", record.half_life),
    )?;
    allow(
        now <= slow.last(),
        "now",
        shown(now),
        format_args!("at most {}, at which the discs are at rest", shown(slow.last())),
    )
}

/// `drag` is that of a new world with the same settings.
pub(super) fn restore(record: Option<DragRecord>, drag: &mut Option<Drag>) {
    if let (Some(record), Some(drag)) = (record, drag) {
        (drag.pacing.base, drag.now, drag.energy) = (record.half_life, record.now, record.energy);
    }
}
