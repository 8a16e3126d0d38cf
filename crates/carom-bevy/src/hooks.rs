use crate::components::{Disc, Region, Wall};
use crate::physics::Physics;
use crate::spawn::{put_disc, put_region, put_wall};
use bevy_ecs::prelude::*;

/// Says what happens as a component comes to an entity, and as it goes. Discs come at the time of the world
/// at which they are spawned, in the order in which they are.
pub(crate) fn register<P: carom::Physics + 'static>(world: &mut World) {
    world.register_component_hooks::<Disc>().on_insert(|mut world, context| {
        // A disc that is written anew is one that is edited.
        if world.resource::<Physics<P>>().discs.id(context.entity).is_none() {
            put_disc::<P>(&mut world, context.entity);
        }
    });
    world.register_component_hooks::<Disc>().on_remove(|mut world, context| {
        let mut physics = world.resource_mut::<Physics<P>>();
        if let Some(id) = physics.discs.untie(context.entity) {
            // It is gone already if a verdict has removed it. Regions that it carries go with it.
            _ = physics.world.remove(id);
            physics.regions.untie(context.entity);
        }
    });
    world.register_component_hooks::<Wall>().on_insert(|mut world, context| {
        put_wall::<P>(&mut world, context.entity);
    });
    world.register_component_hooks::<Wall>().on_remove(|mut world, context| {
        let mut physics = world.resource_mut::<Physics<P>>();
        if let Some(id) = physics.walls.untie(context.entity) {
            _ = physics.world.remove_wall(id);
        }
    });
    world.register_component_hooks::<Region>().on_insert(|mut world, context| {
        put_region::<P>(&mut world, context.entity);
    });
    world.register_component_hooks::<Region>().on_remove(|mut world, context| {
        let mut physics = world.resource_mut::<Physics<P>>();
        if let Some(id) = physics.regions.untie(context.entity) {
            _ = physics.world.remove_region(id);
        }
    });
}
