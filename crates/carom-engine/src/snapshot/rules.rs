use super::error::SnapshotError;
use crate::state::bodies::Bodies;
use crate::state::rules::SensorRules;
use crate::walls::Walls;
use crate::{Physics, Rules, Sensor, World};
use carom_broadphase::Slot;

/// The rules of a disc that has others than the default, or is to have.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscRulesRecord {
    slot: Slot,
    /// Those in force.
    rules: Rules,
    /// Those that were set since and are not in force yet.
    // As with any other field, to leave it out is not to choose.
    #[serde(deserialize_with = "serde::Deserialize::deserialize")]
    edited: Option<Rules>,
}

/// What a disc sees that is a sensor.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SensorRecord {
    slot: Slot,
    sensor: Sensor,
    rules: Rules,
}

/// By slot.
pub(super) fn sensors_of<P: Physics>(bodies: &Bodies<P>) -> Vec<SensorRecord> {
    let record = |slot| {
        let SensorRules { sensor, rules } = bodies.sensors.get(slot);
        SensorRecord { slot, sensor, rules }
    };
    bodies.live().map(record).filter(|record| record.sensor != Sensor::No).collect()
}

/// `discs` are the slots of all discs, in order.
pub(super) fn check_sensors(records: &[SensorRecord], discs: &[Slot]) -> Result<(), SnapshotError> {
    are_slots("sensors", records.iter().map(|record| record.slot), discs)
}

/// Makes sensors of the discs of these records, which have been checked.
pub(super) fn restore_sensors<P: Physics>(records: &[SensorRecord], bodies: &mut Bodies<P>) {
    for &SensorRecord { slot, sensor, rules } in records {
        bodies.sensors.set(slot, SensorRules::of(sensor, rules));
        if sensor != Sensor::No {
            bodies.rules.set(slot, Rules::NONE);
        }
    }
}

/// The rules in force of a wall for which others have been set since: those are the wall's own.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditedWallRecord {
    slot: u32,
    in_force: Rules,
}

/// By slot.
pub(super) fn discs_of<P: Physics>(bodies: &Bodies<P>) -> Vec<DiscRulesRecord> {
    let record = |slot| {
        let (rules, latest) = (bodies.rules.get(slot), bodies.rules.latest(slot));
        DiscRulesRecord { slot, rules, edited: (latest != rules).then_some(latest) }
    };
    let is_plain = |record: &DiscRulesRecord| record.rules.is_default() && record.edited.is_none();
    bodies.live().map(record).filter(|record| !is_plain(record)).collect()
}

/// By slot.
pub(super) fn walls_of<W: Copy + Default>(walls: &Walls<W>) -> Vec<EditedWallRecord> {
    let all = walls.walls.iter().map(|(slot, wall)| (slot as u32, wall.rules));
    let record = |(slot, _)| EditedWallRecord { slot, in_force: walls.rules_in_force(slot) };
    all.filter(|&(slot, rules)| rules != walls.rules_in_force(slot)).map(record).collect()
}

/// `discs` are the slots of all discs, in order.
pub(super) fn check_discs(records: &[DiscRulesRecord], discs: &[Slot]) -> Result<(), SnapshotError> {
    are_slots("rules", records.iter().map(|record| record.slot), discs)
}

/// `walls` are the slots of all walls.
pub(super) fn check_walls(records: &[EditedWallRecord], mut walls: Vec<u32>) -> Result<(), SnapshotError> {
    walls.sort_unstable();
    are_slots("edited_walls", records.iter().map(|record| record.slot), &walls)
}

/// Checks that the slots of a section ascend and are among those that are taken.
fn are_slots(section: &str, slots: impl Iterator<Item = u32>, taken: &[u32]) -> Result<(), SnapshotError> {
    let mut least = 0;
    for (k, slot) in slots.enumerate() {
        if slot < least || taken.binary_search(&slot).is_err() {
            let allowed = format!("a slot that is taken, at least {least}");
            return Err(SnapshotError::refused(&format!("{section}[{k}].slot"), slot, allowed));
        }
        least = slot + 1;
    }
    Ok(())
}

/// Gives discs and walls the rules in force of these records, which have been checked.
pub(super) fn restore_in_force<P: Physics>(
    discs: &[DiscRulesRecord],
    walls: &[EditedWallRecord],
    world: &mut World<P>,
) {
    discs.iter().for_each(|record| world.bodies.rules.set(record.slot, record.rules));
    walls.iter().for_each(|record| world.walls.put_in_force(record.slot, record.in_force, None));
}

/// Gives discs and walls of a world that has been restored the rules that are not in force yet.
pub(super) fn restore_edited<P: Physics>(
    discs: &[DiscRulesRecord],
    walls: &[EditedWallRecord],
    world: &mut World<P>,
) {
    for record in discs {
        if let Some(edited) = record.edited {
            world.bodies.rules.edit(record.slot, edited);
            world.mark(record.slot);
        }
    }
    for record in walls {
        world.walls.edit_rules(record.slot, world.walls.get(record.slot).rules);
    }
    if !walls.is_empty() {
        world.for_each_live(World::mark);
    }
}
