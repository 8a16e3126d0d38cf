use super::facet::Facet;
use super::planes::Planes;
use crate::{Error, Wall, WallId};
use carom_math::Time;
use slab::Slab;

/// The walls, and the facets that they consist of.
#[derive(Clone, Debug)]
pub(crate) struct Walls<S> {
    pub(crate) walls: Slab<Wall<S>>,
    /// How often each slot was freed.
    pub(crate) generations: Vec<u32>,
    pub(crate) facets: Vec<Facet>,
    pub(crate) planes: Planes,
}

impl<S: Copy + Default> Walls<S> {
    pub(crate) fn new() -> Self {
        Walls { walls: Slab::new(), generations: Vec::new(), facets: Vec::new(), planes: Planes::default() }
    }

    pub(crate) fn slot(&self, id: WallId) -> Result<u32, Error> {
        let slot = id.slot();
        let live = self.walls.contains(slot as usize) && self.generations[slot as usize] == id.generation();
        if live { Ok(slot) } else { Err(Error::NoSuchWall(id)) }
    }

    pub(crate) fn id(&self, slot: u32) -> WallId {
        WallId::new(slot, self.generations[slot as usize])
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: u32) -> &Wall<S> {
        &self.walls[slot as usize]
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> &mut Wall<S> {
        &mut self.walls[slot as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (WallId, &Wall<S>)> + '_ {
        self.walls.iter().map(|(slot, wall)| (self.id(slot as u32), wall))
    }

    /// The facets that a wall would consist of, if it were put up at `since`, after that many impacts.
    pub(crate) fn plan(&self, wall: &Wall<S>, since: Time, after: u64) -> Result<Vec<Facet>, Error> {
        let slot = self.walls.vacant_key() as u32;
        let parts = wall.parts()?;
        Ok((0..).zip(parts).map(|(part, shape)| Facet::new(shape, slot, part, since, after)).collect())
    }

    /// Puts up a wall with the facets that `plan` gave.
    pub(crate) fn insert(&mut self, wall: Wall<S>, facets: Vec<Facet>) -> WallId {
        let slot = self.walls.insert(wall) as u32;
        if slot as usize == self.generations.len() {
            self.generations.push(0);
        }
        self.facets.extend(facets);
        self.planes = Planes::of(&self.facets);
        self.id(slot)
    }

    /// Takes a wall down. The new number of each old facet, in order; `None` for those that are gone.
    pub(crate) fn remove(&mut self, slot: u32) -> (Wall<S>, Vec<Option<u32>>) {
        let mut next = 0;
        let numbers = self.facets.iter().map(|facet| {
            (facet.wall != slot).then(|| {
                next += 1;
                next - 1
            })
        });
        let numbers = numbers.collect();
        self.facets.retain(|facet| facet.wall != slot);
        self.planes = Planes::of(&self.facets);
        let generation = &mut self.generations[slot as usize];
        *generation = generation.wrapping_add(1);
        (self.walls.remove(slot as usize), numbers)
    }
}
