//! The check of regions and commands.

use super::{Checked, real, require, short};
use crate::error::SceneError;
use crate::model::{Scene, SceneAction, SceneRegion};
use crate::place::FieldPath;
use carom_engine::Region;

/// The most regions, and the most commands.
pub(super) const MOST: usize = 1 << 16;

pub(super) fn program(scene: &Scene, discs: u64) -> Checked {
    for (list, count) in [("regions", scene.regions.len()), ("commands", scene.commands.len())] {
        require(count <= MOST, || {
            SceneError::value(FieldPath::root().field(list), count, format!("at most {MOST}"))
        })?;
    }
    for (index, region) in scene.regions.iter().enumerate() {
        let path = FieldPath::of("regions", index);
        if let Some(name) = &region.name {
            short(path.clone().field("name"), name)?;
        }
        if let Some(carrier) = region.carrier {
            numbered(path.clone().field("carrier"), carrier, discs, "discs")?;
        }
        let SceneRegion { shape, extent, .. } = region;
        let mut own = Region::new(*shape);
        own.extent = *extent;
        own.check().map_err(|error| SceneError::refused(path, error))?;
    }
    for (index, command) in scene.commands.iter().enumerate() {
        let path = FieldPath::of("commands", index);
        let is_later = command.time >= scene.settings.start && command.time.is_finite();
        real(path.clone().field("time"), command.time, is_later, "a time, not before the start")?;
        let [disc, wall] = command.action.names();
        if let Some(disc) = disc {
            numbered(path.clone().field("disc"), disc, discs, "discs")?;
            let is_sent = matches!(command.action, SceneAction::MoveDisc { .. });
            require(!is_sent || is_kinematic(scene, disc), || {
                let allowed = "the number of a disc that is sent about: one with `kinematic = true`";
                SceneError::value(path.clone().field("disc"), disc, allowed)
            })?;
        }
        if let Some(wall) = wall {
            numbered(path.field("wall"), wall, scene.walls.len() as u64, "walls")?;
        }
    }
    Ok(())
}

/// Discs of racks and gases, which come after those that stand one by one, never are.
fn is_kinematic(scene: &Scene, disc: u64) -> bool {
    let disc = usize::try_from(disc).ok().and_then(|disc| scene.discs.get(disc));
    disc.is_some_and(|disc| disc.kinematic)
}

pub(super) fn numbered(path: FieldPath, index: u64, count: u64, what: &str) -> Checked {
    require(index < count, || {
        let allowed = match count {
            0 => format!("the number of one of the {what}, of which there are none"),
            _ => format!("from 0 to {}, the number of one of the {what} in file order", count - 1),
        };
        SceneError::value(path, index, allowed)
    })
}
