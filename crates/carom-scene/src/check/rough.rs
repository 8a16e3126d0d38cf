//! The check of how surfaces rub.

use super::Checked;
use crate::error::SceneError;
use crate::model::Scene;
use crate::place::FieldPath;
use carom_engine::{Physics, Rough, RoughDisc, RoughWall, Roughness, Smooth};

pub(super) fn rough(scene: &Scene) -> Checked {
    let top = FieldPath::root();
    let roughness = scene.roughness.map(|own| (top.clone(), Some(own)));
    for (path, own) in roughness.into_iter().chain(scene.roughnesses()) {
        let Some(own) = own else { continue };
        own.to_roughness().map_err(|error| SceneError::refused(path.field("roughness"), error))?;
    }
    let physics = Rough::new(Smooth, Roughness::SMOOTH);
    let discs = scene.discs.iter().enumerate().map(|(index, disc)| ("discs", index, disc.inertia));
    let racks = scene.racks.iter().enumerate().map(|(index, rack)| ("racks", index, rack.inertia));
    let gases = scene.gases.iter().enumerate().map(|(index, gas)| ("gases", index, gas.inertia));
    for (list, index, inertia) in discs.chain(racks).chain(gases) {
        let path = FieldPath::of(list, index);
        let own = RoughDisc { inertia, ..RoughDisc::default() };
        physics.check(&own).map_err(|error| match error {
            carom_engine::Error::OutOfRange { field, value, .. } => {
                let allowed = "a number from 1e-15 to 1e15, or \"inf\"";
                SceneError::value(path.field(field), carom_engine::math::Shown(value), allowed)
            }
            error => SceneError::refused(path, error),
        })?;
    }
    for (index, disc) in scene.discs.iter().enumerate() {
        let refused = |error| SceneError::refused(FieldPath::of("discs", index), error);
        physics.check_extra(&disc.spin()).map_err(refused)?;
    }
    for (index, wall) in scene.walls.iter().enumerate() {
        let refused = |error| SceneError::refused(FieldPath::of("walls", index), error);
        RoughWall::default().with_surface_speed(wall.surface_speed).map_err(refused)?;
    }
    if scene.is_rough() { beside(scene) } else { idle(scene) }
}

/// Refuses what does not stand beside surfaces that rub.
fn beside(scene: &Scene) -> Checked {
    let unexpected = |path, why| Err(SceneError::unexpected(path, why));
    let settings = FieldPath::root().field("settings");
    if scene.settings.drag > 0.0 {
        return unexpected(settings.field("drag"), "discs that rub have no drag");
    }
    if scene.settings.growth_rate > 0.0 {
        return unexpected(settings.field("growth_rate"), "discs that rub do not grow");
    }
    if scene.growth.is_some() {
        return unexpected(FieldPath::root().field("growth"), "discs that rub do not grow");
    }
    Ok(())
}

/// Refuses what nothing would come of, as nothing rubs.
fn idle(scene: &Scene) -> Checked {
    let discs = scene.discs.iter().enumerate().flat_map(|(index, disc)| {
        let fields = [
            ("inertia", disc.inertia != 0.5),
            ("angle", disc.angle != 0.0),
            ("angular_velocity", disc.angular_velocity != 0.0),
        ];
        fields.map(|(field, is_there)| ("discs", index, field, is_there))
    });
    let of = |list, index, inertia: f64| (list, index, "inertia", inertia != 0.5);
    let racks = scene.racks.iter().enumerate().map(|(index, rack)| of("racks", index, rack.inertia));
    let gases = scene.gases.iter().enumerate().map(|(index, gas)| of("gases", index, gas.inertia));
    let walls = scene.walls.iter().enumerate();
    let walls = walls.map(|(index, wall)| ("walls", index, "surface_speed", wall.surface_speed != 0.0));
    let mut given = discs.chain(racks).chain(gases).chain(walls);
    match given.find(|(.., is_there)| *is_there) {
        Some((list, index, field, _)) => {
            let why = "nothing rubs in this scene: the scene, or a disc or wall of it, has a `roughness`, \
                       such as { friction = 0.3 }";
            Err(SceneError::unexpected(FieldPath::of(list, index).field(field), why))
        }
        None => Ok(()),
    }
}
