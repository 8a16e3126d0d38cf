use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_platform::collections::HashMap;
use carom::{DiscId, RegionId, WallId};
use core::hash::Hash;

/// The engine's name of a disc, a wall or a region.
pub(crate) trait Name: Copy + Eq + Hash {
    /// Its place in a dense table, which others have after it.
    fn slot(self) -> usize;
}

macro_rules! names {
    ($($name:ty),*) => {$(
        impl Name for $name {
            fn slot(self) -> usize {
                self.slot() as usize
            }
        }
    )*};
}

names!(DiscId, WallId, RegionId);

/// Which entity is which disc, wall or region.
#[derive(Clone, Debug)]
pub(crate) struct Link<Id> {
    ids: EntityHashMap<Id>,
    /// By slot.
    entities: Vec<Option<(Id, Entity)>>,
    /// Those that were removed in this step: events that are not told yet may name them.
    gone: HashMap<Id, Entity>,
}

impl<Id> Default for Link<Id> {
    fn default() -> Self {
        Link { ids: EntityHashMap::default(), entities: Vec::new(), gone: HashMap::default() }
    }
}

impl<Id: Name> Link<Id> {
    pub(crate) fn tie(&mut self, entity: Entity, id: Id) {
        self.ids.insert(entity, id);
        if self.entities.len() <= id.slot() {
            self.entities.resize(id.slot() + 1, None);
        }
        self.entities[id.slot()] = Some((id, entity));
    }

    /// Unties an entity. Events that are not told yet still find it.
    pub(crate) fn untie(&mut self, entity: Entity) -> Option<Id> {
        let id = self.ids.remove(&entity)?;
        if let Some(tied) = self.entities.get_mut(id.slot()).filter(|tied| **tied == Some((id, entity))) {
            *tied = None;
        }
        self.gone.insert(id, entity);
        Some(id)
    }

    /// Forgets those that have gone.
    pub(crate) fn forget_gone(&mut self) {
        self.gone.clear();
    }

    pub(crate) fn id(&self, entity: Entity) -> Option<Id> {
        self.ids.get(&entity).copied()
    }

    pub(crate) fn entity(&self, id: Id) -> Option<Entity> {
        match self.entities.get(id.slot()) {
            Some(&Some((tied, entity))) if tied == id => Some(entity),
            _ => self.gone.get(&id).copied(),
        }
    }

    /// Both names of all that are there.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Entity, Id)> + '_ {
        self.ids.iter().map(|(&entity, &id)| (entity, id))
    }
}
