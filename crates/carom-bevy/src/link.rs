use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_platform::collections::HashMap;
use core::hash::Hash;

/// Which entity is which disc, wall or region.
#[derive(Clone, Debug)]
pub(crate) struct Link<Id> {
    ids: EntityHashMap<Id>,
    entities: HashMap<Id, Entity>,
    /// Those that were removed in this step: events that are not told yet may name them.
    gone: Vec<Id>,
    /// Those that were asked for in turn, as they come in the order of a query.
    turn: Vec<(Entity, Id)>,
}

impl<Id> Default for Link<Id> {
    fn default() -> Self {
        Link {
            ids: EntityHashMap::default(),
            entities: HashMap::default(),
            gone: Vec::new(),
            turn: Vec::new(),
        }
    }
}

impl<Id: Copy + Eq + Hash> Link<Id> {
    pub(crate) fn tie(&mut self, entity: Entity, id: Id) {
        self.turn.clear();
        self.ids.insert(entity, id);
        self.entities.insert(id, entity);
    }

    /// Unties an entity. Events that are not told yet still find it.
    pub(crate) fn untie(&mut self, entity: Entity) -> Option<Id> {
        let id = self.ids.remove(&entity)?;
        self.turn.clear();
        self.gone.push(id);
        Some(id)
    }

    /// Forgets those that have gone.
    pub(crate) fn forget_gone(&mut self) {
        for id in self.gone.drain(..) {
            self.entities.remove(&id);
        }
    }

    pub(crate) fn id(&self, entity: Entity) -> Option<Id> {
        self.ids.get(&entity).copied()
    }

    /// As [`Link::id`], for the entity at the index `place` of a query. The table that this fills is
    /// valid until an entity is tied or untied.
    pub(crate) fn id_in_turn(&mut self, place: usize, entity: Entity) -> Option<Id> {
        match self.turn.get(place) {
            Some(&(known, id)) if known == entity => return Some(id),
            _ => {}
        }
        let id = self.id(entity)?;
        self.turn.truncate(place);
        self.turn.push((entity, id));
        Some(id)
    }

    pub(crate) fn entity(&self, id: Id) -> Option<Entity> {
        self.entities.get(&id).copied()
    }

    /// Both names of all that are there.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Entity, Id)> + '_ {
        self.ids.iter().map(|(&entity, &id)| (entity, id))
    }
}
