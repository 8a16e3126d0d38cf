//! Regions and commands of a scene, in its world.

use crate::error::SceneError;
use crate::model::{Scene, SceneAction, SceneRegion};
use crate::physics::ScenePhysics;
use crate::place::FieldPath;
use carom_engine::{Command, DiscId, Region, WallId, World};

/// Puts up the regions, each with its index as user data, and sets the commands.
pub(crate) fn add<P: ScenePhysics>(
    scene: &Scene,
    world: &mut World<P>,
    discs: &[DiscId],
    walls: &[WallId],
) -> Result<(), SceneError> {
    for (index, entry) in scene.regions.iter().enumerate() {
        let SceneRegion { shape, carrier, extent, rules, .. } = entry;
        let mut region = Region::new(*shape).with_rules(*rules).with_user_data(index as u64);
        region.extent = *extent;
        region.carrier = carrier.map(|carrier| discs[carrier as usize]);
        let added = world.add_region(region);
        added.map_err(|error| SceneError::refused(FieldPath::of("regions", index), error))?;
    }
    for (index, command) in scene.commands.iter().enumerate() {
        let (disc, wall) = (|disc: u64| discs[disc as usize], |wall: u64| walls[wall as usize]);
        use SceneAction as A;
        let made = match command.action {
            A::MoveDisc { disc: d, to, seconds } => Command::MoveTo(disc(d), to, seconds),
            A::MoveWall { wall: w, offset, seconds } => Command::MoveWall(wall(w), offset, seconds),
            A::TurnArm { wall: w, angle, rate } => Command::TurnArm(wall(w), angle, rate),
            A::SetVelocity { disc: d, velocity } => Command::SetVelocity(disc(d), velocity),
            A::SetPosition { disc: d, position } => Command::SetPosition(disc(d), position),
            A::ApplyImpulse { disc: d, impulse } => Command::ApplyImpulse(disc(d), impulse),
            A::SetRadius { disc: d, radius } => Command::SetRadius(disc(d), radius),
            A::SetMass { disc: d, mass } => Command::SetMass(disc(d), mass),
            A::SetRestitution { disc: d, restitution } => Command::SetRestitution(disc(d), restitution),
            A::SetEnabled { disc: d, enabled } => Command::SetEnabled(disc(d), enabled),
            A::Timer { note } => {
                let set = world.set_timer_at(command.time, note);
                set.map_err(|error| SceneError::refused(FieldPath::of("commands", index), error))?;
                continue;
            }
        };
        let set = world.command_at(command.time, made);
        set.map_err(|error| SceneError::refused(FieldPath::of("commands", index), error))?;
    }
    let rules = scene.verdicts.iter().map(|rule| rule.with_walls(|wall| walls[wall as usize])).collect();
    if let Some(physics) = world.physics().with_rules(rules).filter(|_| scene.has_verdicts()) {
        let set = world.set_physics(physics);
        set.map_err(|error| SceneError::refused(FieldPath::root().field("verdicts"), error))?;
    }
    Ok(())
}
