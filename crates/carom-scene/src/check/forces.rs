//! The check of what accelerates discs.

use super::{Checked, at_least_zero, point};
use crate::error::SceneError;
use crate::model::{Gas, Rack, Scene, SceneDisc};
use crate::place::FieldPath;
use carom_engine::{DiscForces, Error, Forces, Physics as _};
use glam::DVec2;

/// Why growth does not stand beside forces.
const NO_CLOSED_FORM: &str = "times at which accelerated discs meet while they grow have no closed form";

pub(super) fn forces(scene: &Scene) -> Checked {
    let top = FieldPath::root();
    point(top.clone().field("gravity"), scene.gravity)?;
    at_least_zero(top.clone().field("weight"), scene.weight)?;
    let forces = Forces::new()
        .with_gravity(scene.gravity)
        .and_then(|forces| forces.with_weight(scene.weight))
        .map_err(|error| SceneError::refused(top.clone(), error))?;
    for (index, own) in scene.discs.iter().map(SceneDisc::forces).enumerate() {
        entry(&forces, &own, &FieldPath::of("discs", index))?;
    }
    for (index, own) in scene.racks.iter().map(Rack::forces).enumerate() {
        entry(&forces, &own, &FieldPath::of("racks", index))?;
    }
    for (index, own) in scene.gases.iter().map(Gas::forces).enumerate() {
        entry(&forces, &own, &FieldPath::of("gases", index))?;
    }
    if !(scene.has_forces() || scene.has_verdicts()) {
        return Ok(());
    }
    if scene.settings.drag > 0.0 {
        let why = "paths of discs that accelerate are no parabolas under drag";
        return Err(SceneError::unexpected(top.field("settings").field("drag"), why));
    }
    if scene.growth.is_some() {
        return Err(SceneError::unexpected(top.field("growth"), NO_CLOSED_FORM));
    }
    if scene.settings.growth_rate > 0.0 {
        return Err(SceneError::unexpected(top.field("settings").field("growth_rate"), NO_CLOSED_FORM));
    }
    Ok(())
}

/// What forces do to the discs of one entry.
fn entry(forces: &Forces, own: &DiscForces, path: &FieldPath) -> Checked {
    forces.check(own).map_err(|error| match error {
        Error::Inconsistent { field, reason, .. } => {
            SceneError::unexpected(path.clone().field(field), reason)
        }
        error => SceneError::refused(path.clone(), error),
    })?;
    let pull = forces.gravity() * own.gravity_scale + own.acceleration;
    if own.speed_limit < f64::INFINITY && pull == DVec2::ZERO {
        let why = "nothing accelerates what it is a limit of";
        return Err(SceneError::unexpected(path.clone().field("speed_limit"), why));
    }
    if own.friction > 0.0 && forces.weight() == 0.0 {
        let why =
            "`friction` needs the weight that presses discs onto the table, 9.81 on a level one in metres";
        return Err(SceneError::missing(FieldPath::root().field("weight"), why));
    }
    if own.gravity_scale != 1.0 && forces.gravity() == DVec2::ZERO {
        let why = "the scene has no `gravity`";
        return Err(SceneError::unexpected(path.clone().field("gravity_scale"), why));
    }
    Ok(())
}
