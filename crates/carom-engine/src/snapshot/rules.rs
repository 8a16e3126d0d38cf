use super::error::SnapshotError;
use crate::Rules;
use crate::state::bodies::Bodies;
use crate::walls::Walls;
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

/// The rules in force of a wall for which others have been set since: those are the wall's own.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditedWallRecord {
    slot: u32,
    in_force: Rules,
}

/// By slot.
pub(super) fn discs_of<B: Copy, X: Copy>(bodies: &Bodies<B, X>) -> Vec<DiscRulesRecord> {
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

/// Gives discs the rules of these records, which have been checked.
pub(super) fn restore_discs<B: Copy, X: Copy>(records: &[DiscRulesRecord], bodies: &mut Bodies<B, X>) {
    for &DiscRulesRecord { slot, rules, edited } in records {
        bodies.rules.set(slot, rules);
        if let Some(edited) = edited {
            bodies.rules.edit(slot, edited);
        }
    }
}

/// Gives walls the rules in force of these records, which have been checked.
pub(super) fn restore_walls<W: Copy + Default>(records: &[EditedWallRecord], walls: &mut Walls<W>) {
    for &EditedWallRecord { slot, in_force } in records {
        let latest = walls.get(slot).rules;
        walls.edit_rules(slot, in_force);
        walls.enforce_rules(slot, None);
        walls.edit_rules(slot, latest);
    }
}
