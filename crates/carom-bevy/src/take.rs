use crate::components::{
    Body, BodyOf, Disc, Extra, ExtraOf, Mass, MoveTo, Position, Region, Restitution, Rules, Surface,
    SurfaceOf, UserData, Velocity, Wall,
};
use crate::physics::Physics;
use crate::refused::Reason;
use crate::spawn::{parent_in_the_way, put_disc, put_region, refuse, send};
use crate::to;
use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::query::ArchetypeFilter;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use carom::{DiscId, Error};

/// Lists the entities with a component, of one type, that user code has written since the plugin did.
type Scan = Box<dyn FnMut(&World, &mut Vec<Entity>) + Send + Sync>;

/// What is looked for at the beginning of a step.
pub(crate) struct Written {
    discs: Vec<Scan>,
    walls: Vec<Scan>,
    regions: Scan,
    below: QueryState<Entity, (With<Disc>, With<ChildOf>)>,
}

/// The queries of [`take`].
pub(crate) fn written_queries<P: carom::Physics + 'static>(world: &mut World) -> Written {
    type OfDisc = With<Disc>;
    type OfWall = With<Wall>;
    Written {
        discs: vec![
            scan::<Disc, OfDisc>(world),
            scan::<Transform, OfDisc>(world),
            scan::<Velocity, OfDisc>(world),
            scan::<Mass, OfDisc>(world),
            scan::<Restitution, OfDisc>(world),
            scan::<Rules, OfDisc>(world),
            scan::<Position, OfDisc>(world),
            scan::<UserData, OfDisc>(world),
            scan::<MoveTo, OfDisc>(world),
            scan::<BodyOf<P>, OfDisc>(world),
            scan::<ExtraOf<P>, OfDisc>(world),
            scan::<ChildOf, OfDisc>(world),
        ],
        walls: vec![
            scan::<Restitution, OfWall>(world),
            scan::<Rules, OfWall>(world),
            scan::<UserData, OfWall>(world),
            scan::<SurfaceOf<P>, OfWall>(world),
            scan::<MoveTo, OfWall>(world),
        ],
        regions: scan::<Region, ()>(world),
        below: world.query_filtered(),
    }
}

/// Most columns have nothing that is new, and say so in one number or in one pass over their ticks.
fn scan<T: Component, F: ArchetypeFilter + 'static>(world: &mut World) -> Scan {
    let mut query = world.query_filtered::<(Entity, Ref<T>), F>();
    Box::new(move |world, found| {
        let Ok(tables) = query.contiguous_iter(world) else {
            unreachable!("the components are stored in tables");
        };
        for (entities, column) in tables {
            let (_, ticks) = ContiguousRef::split(column);
            // Without a branch for each, so that it is done in vectors.
            if ticks.summary_tick_is_changed() != Some(false)
                && ticks.is_changed_iter().fold(false, |any, is_changed| any | is_changed)
            {
                let changed = entities.iter().zip(ticks.is_changed_iter());
                found.extend(changed.filter(|&(_, is_changed)| is_changed).map(|(entity, _)| *entity));
            }
        }
    })
}

/// What some scans find, each once.
fn found(scans: &mut [Scan], world: &World) -> Vec<Entity> {
    let mut found = Vec::new();
    scans.iter_mut().for_each(|scan| scan(world, &mut found));
    found.sort();
    found.dedup();
    found
}

/// Carries out what has been written to components since the engine wrote to them, in the order of the discs
/// in the world: it does not depend on how entities are stored. Whether anything was refused.
pub(crate) fn take<P: carom::Physics + 'static>(world: &mut World, written: &mut Written) -> bool {
    let gave = world.resource::<Physics<P>>().gave;
    world.last_change_tick_scope(gave, |world| {
        let mut refused = false;
        let below: Vec<Entity> = written.below.iter(world).collect();
        for entity in below {
            refused |= leave_if_below::<P>(world, entity);
        }
        let mut discs = found(&mut written.discs, world);
        let physics = world.resource::<Physics<P>>();
        discs.sort_by_key(|&entity| (physics.discs.id(entity).map_or(u32::MAX, DiscId::slot), entity));
        for entity in discs {
            refused |= take_disc::<P>(world, entity);
        }
        let mut walls = found(&mut written.walls, world);
        let physics = world.resource::<Physics<P>>();
        walls.sort_by_key(|&entity| (physics.walls.id(entity).map(carom::WallId::slot), entity));
        for entity in walls {
            refused |= take_wall::<P>(world, entity);
        }
        for entity in found(core::slice::from_mut(&mut written.regions), world) {
            refused |= take_region::<P>(world, entity);
        }
        refused
    })
}

/// Takes a disc out of the world whose entity has come below one that is moved, turned or scaled.
fn leave_if_below<P: carom::Physics + 'static>(world: &mut World, entity: Entity) -> bool {
    let mut world = DeferredWorld::from(world);
    let Some(parent) = parent_in_the_way(&world, entity) else { return false };
    let mut physics = world.resource_mut::<Physics<P>>();
    let Some(id) = physics.discs.untie(entity) else { return false };
    _ = physics.world.remove(id);
    physics.regions.untie(entity);
    refuse::<P>(&mut world, entity, Reason::Below(parent));
    true
}

fn take_disc<P: carom::Physics + 'static>(world: &mut World, entity: Entity) -> bool {
    let Some(id) = world.resource::<Physics<P>>().discs.id(entity) else {
        put_disc::<P>(&mut DeferredWorld::from(world), entity);
        return false;
    };
    let mut reasons = Vec::new();
    world.resource_scope(|world, mut physics: Mut<Physics<P>>| {
        if physics.world.contains(id) {
            write_disc(world.entity(entity), &mut physics.world, id, &mut reasons);
        }
    });
    send_and_refuse::<P>(world, entity, reasons)
}

/// Sends a disc or a wall where a new [`MoveTo`] says, and tells what was refused. Whether anything was.
fn send_and_refuse<P: carom::Physics + 'static>(
    world: &mut World,
    entity: Entity,
    mut reasons: Vec<Reason>,
) -> bool {
    let mut world = DeferredWorld::from(world);
    if world.entity(entity).get_ref::<MoveTo>().is_some_and(|to| to.is_changed()) {
        reasons.extend(send::<P>(&mut world, entity));
    }
    let refused = !reasons.is_empty();
    reasons.into_iter().for_each(|reason| refuse::<P>(&mut world, entity, reason));
    refused
}

/// The value of a component that has been written.
fn written<T: Component<Mutability = Mutable> + Clone>(entity: EntityRef<'_>) -> Option<T> {
    entity.get_ref::<T>().filter(|value| value.is_changed()).map(|value| (*value).clone())
}

/// Gives a disc what has been written to its components and is not what the world has.
fn write_disc<P: carom::Physics + 'static>(
    entity: EntityRef<'_>,
    world: &mut carom::World<P>,
    id: DiscId,
    reasons: &mut Vec<Reason>,
) {
    let Some(now) = world.get(id).map(|disc| (disc.to_disc(), disc.is_kinematic())) else { return };
    let (now, is_kinematic) = now;
    let mut edit = |edited: Result<(), Error>| reasons.extend(edited.err().map(Reason::World));
    if let Some(Disc { radius, overlap, .. }) = written(entity) {
        if overlap != now.overlap {
            edit(world.set_overlap(id, overlap));
        }
        if radius != now.radius {
            edit(world.set_radius(id, radius));
        }
    }
    if let Some(Rules(rules)) = written(entity).filter(|rules: &Rules| rules.0 != now.rules) {
        edit(world.set_rules(id, rules));
    }
    let place = written(entity).map(|Position(place)| to(place)).filter(|&place| place != now.position);
    let shown = Vec2::new(now.position.x as f32, now.position.y as f32);
    let moved = written(entity).map(|at: Transform| at.translation.truncate()).filter(|&at| at != shown);
    if let Some(place) = place.or(moved.map(|at| to(at.as_dvec2()))) {
        edit(world.set_position(id, place));
    }
    if let Some(Velocity(velocity)) = written(entity)
        && to(velocity) != now.velocity
    {
        edit(world.set_velocity(id, to(velocity)));
    }
    if let Some(Mass(mass)) = written(entity).filter(|mass: &Mass| mass.0 != now.mass && !is_kinematic) {
        edit(world.set_mass(id, mass));
    }
    if let Some(Restitution(restitution)) = written(entity)
        && restitution != now.restitution
    {
        edit(world.set_restitution(id, restitution));
    }
    if let Some(UserData(data)) = written(entity).filter(|data: &UserData| data.0 != now.user_data) {
        edit(world.set_user_data(id, data));
    }
    if let Some(Body(body)) = written(entity).filter(|body: &BodyOf<P>| body.0 != now.body) {
        edit(world.set_body(id, body));
    }
    if let Some(Extra(extra)) = written(entity).filter(|extra: &ExtraOf<P>| extra.0 != now.extra) {
        edit(world.set_extra(id, extra));
    }
    let scale = written(entity).map(|at: Transform| at.scale).filter(|scale| scale.truncate() != Vec2::ONE);
    reasons.extend(scale.map(Reason::Scaled));
}

fn take_wall<P: carom::Physics + 'static>(world: &mut World, entity: Entity) -> bool {
    let mut reasons = Vec::new();
    world.resource_scope(|world, mut physics: Mut<Physics<P>>| {
        let (Some(id), entity) = (physics.walls.id(entity), world.entity(entity)) else { return };
        let Some(now) = physics.world.get_wall(id).cloned() else { return };
        let world = &mut physics.world;
        let mut edit = |edited: Result<(), Error>| reasons.extend(edited.err().map(Reason::World));
        if let Some(Restitution(restitution)) = written(entity)
            && restitution != now.restitution
        {
            edit(world.set_wall_restitution(id, restitution));
        }
        if let Some(Rules(rules)) = written(entity).filter(|rules: &Rules| rules.0 != now.rules) {
            edit(world.set_wall_rules(id, rules));
        }
        if let Some(UserData(data)) = written(entity).filter(|data: &UserData| data.0 != now.user_data) {
            edit(world.set_wall_user_data(id, data));
        }
        if let Some(Surface(surface)) = written(entity).filter(|own: &SurfaceOf<P>| own.0 != now.surface) {
            edit(world.set_wall_surface(id, surface));
        }
    });
    send_and_refuse::<P>(world, entity, reasons)
}

fn take_region<P: carom::Physics + 'static>(world: &mut World, entity: Entity) -> bool {
    let mut world = DeferredWorld::from(world);
    let Some(&Region(mut region)) = world.get::<Region>(entity) else { return false };
    let mut physics = world.resource_mut::<Physics<P>>();
    let Some(id) = physics.regions.id(entity) else {
        put_region::<P>(&mut world, entity);
        return false;
    };
    region.carrier = physics.discs.id(entity).or(region.carrier);
    if physics.world.region(id) == Some(&region) {
        return false;
    }
    let Err(error) = physics.world.set_region(id, region) else { return false };
    refuse::<P>(&mut world, entity, error.into());
    true
}
