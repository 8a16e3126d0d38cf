use crate::components::{
    Body, BodyOf, Disc, Extra, ExtraOf, Kinematic, Mass, Position, Region, Restitution, Rules, UserData,
    Velocity, Wall,
};
use crate::from;
use crate::physics::Physics;
use crate::seen::Seen;
use bevy_ecs::change_detection::ContiguousMut;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;

/// What the engine writes in each step.
type Moving<P> = QueryState<(
    Entity,
    &'static mut Disc,
    &'static mut Transform,
    &'static mut Velocity,
    Option<&'static mut Position>,
    Option<&'static mut ExtraOf<P>>,
)>;
/// What it writes where something was edited.
type Standing<P> = QueryState<(
    Entity,
    &'static mut Disc,
    &'static mut Mass,
    &'static mut Restitution,
    &'static mut Rules,
    Option<&'static mut UserData>,
    Option<&'static mut BodyOf<P>>,
    Option<&'static mut Transform>,
)>;
type Walls = QueryState<
    (
        Entity,
        Option<&'static mut Transform>,
        &'static mut Restitution,
        &'static mut Rules,
        Option<&'static mut UserData>,
    ),
    (With<Wall>, Without<Disc>),
>;
/// What is written at the end of a step.
pub(crate) type Given<P> = (Moving<P>, Standing<P>, Walls, QueryState<(Entity, &'static mut Region)>);

/// The queries of [`give`].
pub(crate) fn given_queries<P: carom::Physics + 'static>(world: &mut World) -> Given<P> {
    (world.query(), world.query(), world.query_filtered(), world.query())
}

/// Writes to components what became of the world; only what differs, so that change detection sees no more.
/// Then remembers when, so that what others write is seen.
pub(crate) fn give<P: carom::Physics + 'static>(world: &mut World, given: &mut Given<P>, is_all: bool) {
    world.resource_scope(|world, mut physics: Mut<Physics<P>>| {
        let physics = &mut *physics;
        physics.seen.look(&physics.world, is_all);
        give_moving(world, physics, &mut given.0);
        if is_all {
            give_rest(world, physics, given);
        }
        physics.edits = physics.world.edits();
        give_walls(world, physics, &mut given.2);
    });
    let gave = world.increment_change_tick();
    world.resource_mut::<Physics<P>>().gave = gave;
}

/// What changes as time goes on. Column by column, because to fetch all components of one entity costs more
/// than to write them.
fn give_moving<P: carom::Physics + 'static>(
    world: &mut World,
    physics: &mut Physics<P>,
    moving: &mut Moving<P>,
) {
    let grows = physics.grows || physics.world.growth() != 0.0;
    let Ok(tables) = moving.contiguous_iter_mut(world) else {
        unreachable!("the components are stored in tables");
    };
    let mut first = 0;
    for (entities, shapes, transforms, velocities, positions, extras) in tables {
        let Physics { seen, lost, discs, world: plane, .. } = &mut *physics;
        let rows = seen.rows(first, entities, discs, lost);
        first = rows.end;
        let Seen { ids, places, velocities: speeds, ranks, .. } = &*seen;
        let ranks = &ranks[rows];
        let now = |rank: usize| plane.get(ids[rank]);
        write(transforms, ranks, |rank, Transform { translation, rotation, .. }| {
            let at = places[rank];
            let moved = replace(translation, Vec3::new(at.x as f32, at.y as f32, translation.z));
            let spin = if P::TURNING.is_some() { now(rank).and_then(|now| now.spin()) } else { None };
            spin.is_some_and(|spin| replace(rotation, Quat::from_rotation_z(spin.angle as f32))) | moved
        });
        write(velocities, ranks, |rank, velocity| replace(&mut velocity.0, from(speeds[rank])));
        if let Some(positions) = positions {
            write(positions, ranks, |rank, at| replace(&mut at.0, from(places[rank])));
        }
        if let Some(extras) = extras {
            write(extras, ranks, |rank, extra| {
                now(rank).is_some_and(|now| replace(&mut extra.0, now.extra()))
            });
        }
        if grows {
            write(shapes, ranks, |rank, disc| {
                now(rank).is_some_and(|now| replace(&mut disc.radius, now.radius()))
            });
        }
    }
}

/// Writes a column of a table, and marks as changed what `written` says that it has written.
fn write<T>(
    column: ContiguousMut<'_, T>,
    ranks: &[Option<u32>],
    mut written: impl FnMut(usize, &mut T) -> bool,
) {
    let (values, mut ticks) = ContiguousMut::bypass_change_detection_split(column);
    let this_run = ticks.this_run();
    let mut last = None;
    for (row, ((value, tick), rank)) in values.iter_mut().zip(ticks.changed_mut()).zip(ranks).enumerate() {
        if let &Some(rank) = rank
            && written(rank as usize, value)
        {
            *tick = this_run;
            last = Some(row as u32);
        }
    }
    if let Some(row) = last {
        // Marks the summary of the column, too.
        ticks.slice(row..row + 1).mark_all_as_changed();
    }
}

/// Sets a value; whether it was another one.
fn replace<T: PartialEq>(value: &mut T, by: T) -> bool {
    let differs = *value != by;
    if differs {
        *value = by;
    }
    differs
}

/// What changes by edits alone, refused ones included.
fn give_rest<P: carom::Physics + 'static>(world: &mut World, physics: &Physics<P>, given: &mut Given<P>) {
    for (entity, mut disc, mut mass, mut restitution, mut rules, data, body, transform) in
        given.1.iter_mut(world)
    {
        let Some(now) = physics.disc(entity) else { continue };
        let (radius, overlap, sensor) = (now.radius(), now.overlap(), now.sensor());
        disc.set_if_neq(Disc { radius, overlap, sensor });
        mass.set_if_neq(Mass(now.mass()));
        restitution.set_if_neq(Restitution(now.restitution()));
        rules.set_if_neq(Rules(now.rules()));
        if let Some(mut data) = data {
            data.set_if_neq(UserData(now.user_data()));
        }
        if let Some(mut body) = body {
            body.set_if_neq(Body(now.body()));
        }
        if let Some(mut transform) = transform.filter(|at| at.scale.truncate() != Vec2::ONE) {
            transform.scale = Vec2::ONE.extend(transform.scale.z);
        }
    }
    for (entity, mut region) in given.3.iter_mut(world) {
        let now = physics.regions.id(entity).and_then(|id| physics.world.region(id));
        if let Some(now) = now {
            region.set_if_neq(Region(*now));
        }
    }
}

fn give_walls<P: carom::Physics + 'static>(world: &mut World, physics: &Physics<P>, walls: &mut Walls) {
    for (entity, transform, mut restitution, mut rules, data) in walls.iter_mut(world) {
        let Some(id) = physics.walls.id(entity) else { continue };
        let Some(now) = physics.world.get_wall(id) else { continue };
        restitution.set_if_neq(Restitution(now.restitution));
        rules.set_if_neq(Rules(now.rules));
        if let Some(mut data) = data {
            data.set_if_neq(UserData(now.user_data));
        }
        let offset = physics.world.wall_motion(id).map_or(carom::DVec2::ZERO, |motion| motion.offset);
        let shown = Vec2::new(offset.x as f32, offset.y as f32);
        if let Some(mut transform) = transform.filter(|at| at.translation.truncate() != shown) {
            transform.translation = shown.extend(transform.translation.z);
        }
    }
}

/// The components of a disc that is in the world and gets an entity.
pub(crate) fn components<P: carom::Physics + 'static>(now: &carom::DiscRef<'_, P>) -> impl Bundle {
    let (radius, overlap, sensor) = (now.radius(), now.overlap(), now.sensor());
    let at = from(now.position());
    (
        Disc { radius, overlap, sensor },
        Transform::from_translation(at.as_vec2().extend(0.0)),
        Position(at),
        Velocity(from(now.velocity())),
        Mass(now.mass()),
        Restitution(now.restitution()),
        Rules(now.rules()),
        UserData(now.user_data()),
        Body(now.body()),
        Extra(now.extra()),
    )
}

/// Gives a disc of the world that has none an entity.
pub(crate) fn give_entity<P: carom::Physics + 'static>(
    world: &mut World,
    id: carom::DiscId,
) -> Option<Entity> {
    let physics = world.resource::<Physics<P>>();
    let now = physics.world.get(id)?;
    let kinematic = now.is_kinematic().then(|| Kinematic { max_speed: now.max_speed() });
    let components = components(&now);
    let entity = world.spawn_empty().id();
    // Tied before it has components, so that it is not put into the world again.
    world.resource_mut::<Physics<P>>().discs.tie(entity, id);
    world.entity_mut(entity).insert(components);
    if let Some(kinematic) = kinematic {
        world.entity_mut(entity).insert(kinematic);
    }
    Some(entity)
}
