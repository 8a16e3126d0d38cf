use crate::components::{
    Body, Disc, Extra, Kinematic, Mass, MoveTo, Position, Region, Restitution, Rules, Surface, UserData,
    Velocity, Wall,
};
use crate::physics::Physics;
use crate::refused::{Reason, Refused};
use crate::{from, to};
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Quat;
use bevy_transform::components::Transform;
use carom::Error;

/// Puts the disc of an entity into the world, and the region that it carries; or says why not.
pub(crate) fn put_disc<P: carom::Physics + 'static>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let made = match parent_in_the_way(world, entity) {
        Some(parent) => Err(Reason::Below(parent)),
        None => make_disc::<P>(world.entity(entity)),
    };
    let mut physics = world.resource_mut::<Physics<P>>();
    match made.and_then(|disc| Ok(physics.world.insert(disc)?)) {
        Ok(id) => {
            physics.discs.tie(entity, id);
            let at = physics.world.get(id).map_or(carom::DVec2::ZERO, |disc| disc.position());
            // Where it is from the start: a transform that says something else is one that was written.
            if let Some(mut transform) = world.get_mut::<Transform>(entity) {
                transform.translation = from(at).as_vec2().extend(transform.translation.z);
            }
            if world.get::<Region>(entity).is_some() {
                put_region::<P>(world, entity);
            }
            if let Some(error) = send::<P>(world, entity) {
                refuse::<P>(world, entity, error);
            }
        }
        Err(reason) => refuse::<P>(world, entity, reason),
    }
}

/// Sends a disc or a wall where its component says.
pub(crate) fn send<P: carom::Physics + 'static>(
    world: &mut DeferredWorld<'_>,
    entity: Entity,
) -> Option<Reason> {
    let MoveTo { target, seconds } = *world.get::<MoveTo>(entity)?;
    let mut physics = world.resource_mut::<Physics<P>>();
    let sent = match (physics.discs.id(entity), physics.walls.id(entity)) {
        (Some(disc), _) => physics.world.move_to(disc, to(target), seconds),
        (None, Some(wall)) => physics.world.move_wall(wall, to(target), seconds),
        (None, None) => return Some(Reason::NothingToMove),
    };
    sent.err().map(Reason::World)
}

/// The disc that an entity's components describe.
fn make_disc<P: carom::Physics + 'static>(
    entity: EntityRef<'_>,
) -> Result<carom::Disc<P::Body, P::Extra>, Reason> {
    let transform = entity.get::<Transform>().copied().unwrap_or_default();
    if transform.scale.truncate() != bevy_math::Vec2::ONE {
        return Err(Reason::Scaled(transform.scale));
    }
    let given = entity.get::<Disc>().copied().unwrap_or(Disc::new(0.0));
    let place = entity.get::<Position>().map_or(transform.translation.truncate().as_dvec2(), |at| at.0);
    let mut disc = carom::Disc::new(to(place), given.radius);
    disc.overlap = given.overlap;
    disc.sensor = given.sensor;
    disc.velocity = entity.get::<Velocity>().map_or(disc.velocity, |velocity| to(velocity.0));
    disc.mass = entity.get::<Mass>().map_or(1.0, |mass| mass.0);
    disc.restitution = entity.get::<Restitution>().map_or(1.0, |restitution| restitution.0);
    disc.rules = entity.get::<Rules>().map_or(disc.rules, |rules| rules.0);
    disc.user_data = entity.get::<UserData>().map_or(0, |data| data.0);
    disc.body = entity.get::<Body<P::Body>>().map_or(disc.body, |body| body.0);
    disc.extra = entity.get::<Extra<P::Extra>>().map_or(disc.extra, |extra| extra.0);
    if let Some(kinematic) = entity.get::<Kinematic>() {
        disc = disc.kinematic().with_max_speed(kinematic.max_speed);
    }
    Ok(disc)
}

/// The first entity above this one that is not where the world's origin is.
pub(crate) fn parent_in_the_way(world: &DeferredWorld<'_>, mut entity: Entity) -> Option<Entity> {
    while let Some(above) = world.get::<ChildOf>(entity) {
        entity = above.parent();
        if world.get::<Transform>(entity).is_some_and(|transform| !is_identity(transform)) {
            return Some(entity);
        }
    }
    None
}

/// Whether a transform leaves the plane as it is: depth does not matter.
fn is_identity(transform: &Transform) -> bool {
    let flat = transform.translation.with_z(0.0);
    let scale = transform.scale.truncate();
    flat == bevy_math::Vec3::ZERO && transform.rotation == Quat::IDENTITY && scale == bevy_math::Vec2::ONE
}

/// Puts the wall of an entity into the world, in the place of the one that it had.
pub(crate) fn put_wall<P: carom::Physics + 'static>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let physics = world.resource::<Physics<P>>();
    let before = physics.walls.id(entity).and_then(|id| physics.world.get_wall(id).cloned());
    let made = make_wall::<P>(world.entity(entity));
    if let (Ok(made), Some(before)) = (&made, &before)
        && made.shape == before.shape
    {
        return;
    }
    let mut physics = world.resource_mut::<Physics<P>>();
    if let Some(id) = physics.walls.untie(entity) {
        _ = physics.world.remove_wall(id);
    }
    let added = made.and_then(|wall| Ok(physics.world.add_wall(wall)?));
    match (added, before) {
        (Ok(id), _) => physics.walls.tie(entity, id),
        (Err(reason), before) => {
            if let Some(before) = before {
                let shape = before.shape.clone();
                // It was there a moment ago.
                if let Ok(id) = physics.world.add_wall(before) {
                    physics.walls.tie(entity, id);
                }
                world.commands().entity(entity).insert(Wall(shape));
            }
            refuse::<P>(world, entity, reason);
        }
    }
}

fn make_wall<P: carom::Physics + 'static>(entity: EntityRef<'_>) -> Result<carom::Wall<P::Surface>, Reason> {
    if let Some(transform) = entity.get::<Transform>().filter(|transform| !is_identity(transform)) {
        return Err(Reason::WallIsPlaced(transform.translation));
    }
    let shape = entity.get::<Wall>().map(|wall| wall.0.clone());
    let mut wall = carom::Wall::new(shape.ok_or(Reason::NothingToMove)?);
    wall.restitution = entity.get::<Restitution>().map_or(1.0, |restitution| restitution.0);
    wall.rules = entity.get::<Rules>().map_or(wall.rules, |rules| rules.0);
    wall.user_data = entity.get::<UserData>().map_or(0, |data| data.0);
    wall.surface = entity.get::<Surface<P::Surface>>().map_or(wall.surface, |surface| surface.0);
    Ok(wall)
}

/// Puts the region of an entity into the world. On the entity of a disc it is carried by that, and comes with
/// it.
pub(crate) fn put_region<P: carom::Physics + 'static>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let carried = world.get::<Disc>(entity).is_some();
    let Some(&Region(mut region)) = world.get::<Region>(entity) else { return };
    let mut physics = world.resource_mut::<Physics<P>>();
    let carrier = physics.discs.id(entity);
    if physics.regions.id(entity).is_some() || (carried && carrier.is_none()) {
        return;
    }
    region.carrier = carrier.or(region.carrier);
    match physics.world.add_region(region) {
        Ok(id) => physics.regions.tie(entity, id),
        Err(error) => refuse::<P>(world, entity, error.into()),
    }
}

/// Says that something was refused.
pub(crate) fn refuse<P: carom::Physics + 'static>(
    world: &mut DeferredWorld<'_>,
    entity: Entity,
    reason: Reason,
) {
    let physics = world.resource::<Physics<P>>();
    let other = match &reason {
        Reason::World(Error::OverlapsDisc { other: disc, .. } | Error::WallOverlapsDisc { disc, .. }) => {
            physics.discs.entity(*disc)
        }
        Reason::World(Error::OverlapsWall { wall, .. }) => physics.walls.entity(*wall),
        Reason::Below(parent) => Some(*parent),
        _ => None,
    };
    let refused = Refused { entity, other, reason };
    world.write_message(refused.clone());
    world.commands().trigger(refused);
}
