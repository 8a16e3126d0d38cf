use super::block::{Block, LANES, MassClass, Stamp};
use crate::{Body, Disc, DiscId, Error, Overlap, State};
use carom_broadphase::Slot;
use carom_math::Time;
use carom_math::toi::{Motion, Side};
use slab::Slab;

/// The discs: a slab of what is rarely needed beside blocks of what the sweeps read.
#[derive(Clone, Debug)]
pub(crate) struct Bodies<B, X> {
    pub(crate) blocks: Vec<Block>,
    pub(crate) details: Slab<Detail<B, X>>,
    /// How often each slot was freed.
    pub(crate) generations: Vec<u32>,
    pub(crate) next_serial: u64,
}

/// What only an impact, an edit or a query of this disc needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail<B, X> {
    pub(crate) serial: u64,
    pub(crate) mass: f64,
    pub(crate) restitution: f64,
    pub(crate) extra: X,
    pub(crate) own: B,
    /// What the disc remembers of the walls it is at.
    pub(crate) walls: WallMemory,
    /// Serial of the disc that it met in the impact which wrote its state; its own if none.
    pub(crate) partner: u64,
    /// Impacts in a row that came too soon after the event before: see [`crate::Collapse`].
    pub(crate) streak: u32,
    pub(crate) user_data: u64,
    pub(crate) overlap: Overlap,
}

/// The facets that a disc was hit by when its state was written, with the side; two, for a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WallMemory {
    facets: [u32; 2],
    sides: [Side; 2],
    /// Whether the present state comes from that impact.
    pub(crate) met: bool,
}

impl WallMemory {
    const NOTHING: u32 = u32::MAX;
    pub(crate) const EMPTY: WallMemory =
        WallMemory { facets: [Self::NOTHING; 2], sides: [Side::Front; 2], met: false };

    /// Has just been hit by this facet.
    #[inline]
    pub(crate) fn met(facet: u32, side: Side) -> Self {
        WallMemory { facets: [facet, Self::NOTHING], sides: [side; 2], met: true }
    }

    /// Adds a facet; a third is not remembered.
    pub(crate) fn add(&mut self, facet: u32, side: Side) {
        if let Some(free) = self.facets.iter().position(|&f| f == Self::NOTHING) {
            (self.facets[free], self.sides[free]) = (facet, side);
        }
    }

    /// With this facet before the others.
    pub(crate) fn with_first(self, facet: u32, side: Side) -> Self {
        let mut all = WallMemory::EMPTY;
        all.add(facet, side);
        for (facet, side) in self.facets.into_iter().zip(self.sides) {
            if facet != Self::NOTHING {
                all.add(facet, side);
            }
        }
        all
    }

    /// With the present state coming from an impact with these.
    pub(crate) fn just_met(self) -> Self {
        WallMemory { met: true, ..self }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.facets[0] == Self::NOTHING
    }

    #[inline(always)]
    pub(crate) fn of(&self, facet: u32) -> carom_math::toi::Memory {
        use carom_math::toi::Memory;
        let Some(at) = self.facets.iter().position(|&f| f == facet) else { return Memory::None };
        if self.met { Memory::Met(self.sides[at]) } else { Memory::Near(self.sides[at]) }
    }

    /// The facets, each with the side.
    #[cfg(feature = "serde")]
    pub(crate) fn known(&self) -> impl Iterator<Item = (u32, Side)> {
        self.facets.into_iter().zip(self.sides).filter(|(facet, _)| *facet != Self::NOTHING)
    }

    /// The facets still `near` are remembered, but may be hit again.
    pub(crate) fn faded(&self, near: impl Fn(u32, Side) -> bool) -> Self {
        let mut kept = WallMemory::EMPTY;
        for (facet, side) in self.facets.into_iter().zip(self.sides) {
            if facet != Self::NOTHING && near(facet, side) {
                kept.add(facet, side);
            }
        }
        kept
    }

    /// After facets were given other numbers; `None` for those that are gone.
    pub(crate) fn renumbered(&self, number: impl Fn(u32) -> Option<u32>) -> Self {
        let mut kept = WallMemory { met: self.met, ..WallMemory::EMPTY };
        for (facet, side) in self.facets.into_iter().zip(self.sides) {
            if facet != Self::NOTHING
                && let Some(facet) = number(facet)
            {
                kept.add(facet, side);
            }
        }
        kept
    }
}

/// Block and lane of a slot.
#[inline(always)]
pub(crate) fn place(slot: Slot) -> (usize, usize) {
    (slot as usize / LANES, slot as usize % LANES)
}

impl<B: Copy, X: Copy> Bodies<B, X> {
    pub(crate) fn new() -> Self {
        Bodies { blocks: Vec::new(), details: Slab::new(), generations: Vec::new(), next_serial: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.details.len()
    }

    /// Words of a bit set over the slots.
    pub(crate) fn slots(&self) -> usize {
        self.generations.len()
    }

    /// The slot of a handle.
    #[inline]
    pub(crate) fn slot(&self, id: DiscId) -> Result<Slot, Error> {
        let slot = id.slot();
        let live = self.details.contains(slot as usize) && self.generations[slot as usize] == id.generation();
        if live { Ok(slot) } else { Err(Error::NoSuchDisc(id)) }
    }

    /// The handle of a live slot.
    #[inline]
    pub(crate) fn id(&self, slot: Slot) -> DiscId {
        DiscId::new(slot, self.generations[slot as usize])
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = Slot> + '_ {
        self.details.iter().map(|(slot, _)| slot as Slot)
    }

    pub(crate) fn is_live(&self, slot: Slot) -> bool {
        self.details.contains(slot as usize)
    }

    #[inline(always)]
    pub(crate) fn detail(&self, slot: Slot) -> &Detail<B, X> {
        &self.details[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn detail_mut(&mut self, slot: Slot) -> &mut Detail<B, X> {
        &mut self.details[slot as usize]
    }

    pub(crate) fn details_mut(&mut self) -> impl Iterator<Item = &mut Detail<B, X>> {
        self.details.iter_mut().map(|(_, detail)| detail)
    }

    #[inline(always)]
    pub(crate) fn radius(&self, slot: Slot) -> f64 {
        let (block, lane) = place(slot);
        self.blocks[block].radius[lane]
    }

    #[inline(always)]
    pub(crate) fn stamp(&self, slot: Slot) -> Stamp {
        let (block, lane) = place(slot);
        self.blocks[block].stamp[lane]
    }

    /// When its state holds.
    #[inline(always)]
    pub(crate) fn time(&self, slot: Slot) -> Time {
        let (block, lane) = place(slot);
        self.blocks[block].time(lane)
    }

    pub(crate) fn body(&self, slot: Slot) -> Body<B> {
        let detail = self.detail(slot);
        Body {
            radius: self.radius(slot),
            mass: detail.mass,
            restitution: detail.restitution,
            own: detail.own,
        }
    }

    /// The stored state.
    #[inline(always)]
    pub(crate) fn state(&self, slot: Slot) -> State<X> {
        let (block, lane) = place(slot);
        let block = &self.blocks[block];
        State {
            position: block.position(lane),
            velocity: block.velocity(lane),
            extra: self.detail(slot).extra,
        }
    }

    /// Centre and velocity at `time`; the position as in [`Block::note_places`].
    #[inline(always)]
    pub(crate) fn motion_at(&self, slot: Slot, time: Time) -> Motion {
        let (block, lane) = place(slot);
        let block = &self.blocks[block];
        let velocity = block.velocity(lane);
        let position = block.position(lane) + velocity * time.since(block.time(lane));
        Motion { position, velocity, radius: block.radius[lane] }
    }

    /// Stores a state: the only place where one is rewritten.
    #[inline]
    pub(crate) fn store(&mut self, slot: Slot, time: Time, state: &State<X>, stamp: Stamp) {
        let (block, lane) = place(slot);
        let block = &mut self.blocks[block];
        (block.x[lane], block.y[lane]) = (state.position.x, state.position.y);
        (block.vx[lane], block.vy[lane]) = (state.velocity.x, state.velocity.y);
        (block.start[lane], block.offset[lane]) = (time.epoch_start(), time.offset());
        block.stamp[lane] = stamp;
        self.details[slot as usize].extra = state.extra;
    }

    pub(crate) fn set_radius(&mut self, slot: Slot, radius: f64) {
        let (block, lane) = place(slot);
        self.blocks[block].radius[lane] = radius;
    }

    pub(crate) fn set_mass(&mut self, slot: Slot, mass: f64) {
        self.detail_mut(slot).mass = mass;
        let (block, lane) = place(slot);
        self.blocks[block].class[lane] = MassClass::of(mass);
    }

    /// Takes a disc in, in the slot that was freed last. Returns slot and serial number.
    pub(crate) fn insert(&mut self, disc: &Disc<B, X>, time: Time) -> (Slot, u64) {
        let serial = self.next_serial;
        self.next_serial += 1;
        let slot = self.details.insert(Detail {
            serial,
            mass: disc.mass,
            restitution: disc.restitution,
            extra: disc.extra,
            own: disc.body,
            walls: WallMemory::EMPTY,
            partner: serial,
            streak: 0,
            user_data: disc.user_data,
            overlap: disc.overlap,
        }) as Slot;
        if slot as usize == self.generations.len() {
            self.generations.push(0);
        }
        if slot as usize == self.blocks.len() * LANES {
            self.blocks.push(Block::FREE);
        }
        let state = State { position: disc.position, velocity: disc.velocity, extra: disc.extra };
        self.store(slot, time, &state, Stamp::NONE);
        self.set_radius(slot, disc.radius);
        self.set_mass(slot, disc.mass);
        (slot, serial)
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.details.remove(slot as usize);
        let generation = &mut self.generations[slot as usize];
        *generation = generation.wrapping_add(1);
        let (block, lane) = place(slot);
        let block = &mut self.blocks[block];
        (block.x[lane], block.y[lane]) = (f64::NAN, f64::NAN);
        (block.vx[lane], block.vy[lane]) = (0.0, 0.0);
        block.radius[lane] = 0.0;
    }
}

impl Block {
    #[inline(always)]
    pub(crate) fn time(&self, lane: usize) -> Time {
        Time::from_stored(self.start[lane], self.offset[lane])
    }
}
