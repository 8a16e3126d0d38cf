use crate::link::Link;
use bevy_ecs::entity::Entity;
use carom::{DVec2, DiscId, World};
use core::ops::Range;

/// Where all discs are and how fast, as the engine hands it out in one pass, and which row of a table of
/// entities is which of them. Buffers that are kept.
#[derive(Default)]
pub(crate) struct Seen {
    /// All discs, by slot.
    pub(crate) ids: Vec<DiscId>,
    pub(crate) places: Vec<DVec2>,
    pub(crate) velocities: Vec<DVec2>,
    /// The rows of all tables, one table after the other.
    entities: Vec<Entity>,
    /// The index of each row's disc in the other lists.
    pub(crate) ranks: Vec<Option<u32>>,
}

impl Seen {
    /// Looks where all discs are. Which discs there are is looked for only if that may have changed.
    pub(crate) fn look<P: carom::Physics>(&mut self, world: &World<P>, may_differ: bool) {
        if may_differ || self.ids.len() != world.len() {
            self.ids.clear();
            self.ids.extend(world.ids());
            self.entities.clear();
            self.ranks.clear();
        }
        self.places.resize(self.ids.len(), DVec2::ZERO);
        self.velocities.resize(self.ids.len(), DVec2::ZERO);
        // They are as long as they are to be.
        _ = world.read_positions(&mut self.places);
        _ = world.read_velocities(&mut self.velocities);
    }

    /// The rows of a table that begins at the row `first`. Entities whose disc is no longer in the world are
    /// added to `lost`.
    pub(crate) fn rows(
        &mut self,
        first: usize,
        entities: &[Entity],
        discs: &Link<DiscId>,
        lost: &mut Vec<Entity>,
    ) -> Range<usize> {
        let rows = first..first + entities.len();
        // Tables are as they were in the last step, most of the time.
        if self.entities.get(rows.clone()) != Some(entities) {
            self.entities.truncate(first);
            self.ranks.truncate(first);
            self.entities.extend(entities);
            for &entity in entities {
                let id = discs.id(entity);
                let rank = id.and_then(|id| self.ids.binary_search_by_key(&id.slot(), |id| id.slot()).ok());
                let rank = rank.filter(|&rank| Some(self.ids[rank]) == id);
                lost.extend((id.is_some() && rank.is_none()).then_some(entity));
                self.ranks.push(rank.map(|rank| rank as u32));
            }
        }
        rows
    }
}
