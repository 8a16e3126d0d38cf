use crate::components::Disc;
use crate::give::{give, give_entity, given_queries};
use crate::link::Link;
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use carom::{DiscId, Fields, RegionId, Smooth, WallId};
use core::time::Duration;

/// A world as it was, and which entity was what in it.
pub struct Saved<P: carom::Physics + 'static = Smooth> {
    world: carom::World<P>,
    discs: Link<DiscId>,
    walls: Link<WallId>,
    regions: Link<RegionId>,
    zero: Duration,
}

impl<P: carom::Physics + 'static> Saved<P> {
    /// One number for all that the future depends on, the same on every machine: entities are no part of it.
    #[must_use]
    pub fn checksum(&self) -> u64
    where
        P: Fields,
    {
        self.world.checksum()
    }

    /// The world as it was.
    #[must_use]
    pub fn world(&self) -> &carom::World<P> {
        &self.world
    }
}

impl<P: carom::Physics + 'static> Physics<P> {
    /// Keeps the world as it is now, for [`load`].
    #[must_use]
    pub fn save(&self) -> Saved<P> {
        Saved {
            world: self.world.clone(),
            discs: self.discs.clone(),
            walls: self.walls.clone(),
            regions: self.regions.clone(),
            zero: self.zero,
        }
    }

    /// One number for all that the future depends on, the same on every machine: peers compare it.
    #[must_use]
    pub fn checksum(&self) -> u64
    where
        P: Fields,
    {
        self.world.checksum()
    }
}

/// Goes back, or forth, to a world that was saved. The plugin's components are those of then.
///
/// Entities with a [`Disc`] that was not in the world then are despawned. Those of discs that have gone since
/// are spawned anew, with the plugin's components: the result has pairs of the old entity and the new one,
/// for the components of the game. Walls and regions are to stay between the two; what has been written since
/// the last step is lost.
pub fn load<P: carom::Physics + 'static>(world: &mut World, saved: &Saved<P>) -> Vec<(Entity, Entity)> {
    let mut discs = world.query_filtered::<Entity, With<Disc>>();
    let mut came: Vec<Entity> =
        discs.iter(world).filter(|&entity| saved.discs.id(entity).is_none()).collect();
    came.sort();
    for entity in came {
        world.despawn(entity);
    }
    let mut physics = world.resource_mut::<Physics<P>>();
    physics.world.clone_from(&saved.world);
    physics.walls = saved.walls.clone();
    physics.regions = saved.regions.clone();
    physics.zero = saved.zero;
    physics.fresh.clear();
    physics.lost.clear();
    let mut discs: Vec<(Entity, DiscId)> = saved.discs.pairs().collect();
    discs.sort_by_key(|&(_, id)| id.slot());
    physics.discs = Link::default();
    let mut renamed = Vec::new();
    for (entity, id) in discs {
        if world.get_entity(entity).is_ok_and(|entity| entity.contains::<Disc>()) {
            world.resource_mut::<Physics<P>>().discs.tie(entity, id);
        } else if let Some(anew) = give_entity::<P>(world, id) {
            renamed.push((entity, anew));
        }
    }
    let mut given = given_queries::<P>(world);
    give::<P>(world, &mut given, true);
    renamed
}
