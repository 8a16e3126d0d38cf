use crate::{Predictor, Slot, Species};
use alloc::vec::Vec;

/// The species of the discs, and which of them meet any that are there.
///
/// A disc whose species meets none is *alone*: it has no circle, is in no cell and no list, and never leaves
/// anything. Its only events are its own.
#[derive(Debug, Default)]
pub(super) struct SpeciesTable {
    /// The number of the species of each slot.
    of_slots: Vec<u8>,
    /// Where each slot stands among those of its species that are alone; means nothing of others.
    places: Vec<Slot>,
    species: Vec<OfSpecies>,
    /// A bit for each species that has discs.
    present: u64,
    /// How many discs are alone.
    alone: usize,
}

crate::clone_fields!(SpeciesTable: of_slots, places, species, present, alone);

#[derive(Clone, Debug)]
struct OfSpecies {
    species: Species,
    discs: usize,
    /// A bit for each species that it meets.
    meets: u64,
    /// Those of its discs that are alone.
    alone: Vec<Slot>,
}

/// The number of all species beyond the first ones: a bit for each has to fit into a word. It meets whatever
/// meets any, so its discs are seldom alone; whom they meet is asked disc by disc.
const OTHERS: u8 = 63;

impl SpeciesTable {
    #[inline(always)]
    fn of(&self, slot: Slot) -> &OfSpecies {
        &self.species[usize::from(self.of_slots[slot as usize])]
    }

    fn of_mut(&mut self, slot: Slot) -> &mut OfSpecies {
        &mut self.species[usize::from(self.of_slots[slot as usize])]
    }

    /// Whether no disc is there that one meets: it needs no circle.
    #[inline(always)]
    pub(super) fn is_solitary(&self, slot: Slot) -> bool {
        self.of(slot).meets & self.present == 0
    }

    /// How many discs are alone.
    pub(super) fn number_alone(&self) -> usize {
        self.alone
    }

    /// Whether all discs are of one species, so that all meet.
    #[inline(always)]
    pub(super) fn is_one(&self) -> bool {
        self.species.len() <= 1
    }

    /// Whether two discs meet by their species.
    #[inline]
    pub(super) fn meet<P: Predictor>(&self, a: Slot, b: Slot, predictor: &P) -> bool {
        let [of_a, of_b] = [a, b].map(|slot| self.of_slots[slot as usize]);
        let may_meet = self.species[usize::from(of_a)].meets & 1 << of_b != 0;
        may_meet && (of_a.max(of_b) < OTHERS || P::meet(predictor.species(a), predictor.species(b)))
    }

    /// Makes room for the slots.
    pub(super) fn grow_to(&mut self, len: usize) {
        if self.of_slots.len() < len {
            self.of_slots.resize(len, 0);
            self.places.resize(len, 0);
        }
    }

    /// Whether a disc that is there is of this species.
    pub(super) fn is_of(&self, slot: Slot, species: Species) -> bool {
        self.of(slot).species == species
    }

    /// Takes a disc in. Returns the discs that are no longer alone, as they meet it.
    pub(super) fn join<P: Predictor>(&mut self, slot: Slot, species: Species) -> Vec<Slot> {
        let number = self.number_of::<P>(species);
        self.of_slots[slot as usize] = number;
        let own = &mut self.species[usize::from(number)];
        own.discs += 1;
        let mut woken = Vec::new();
        if self.present >> number & 1 == 0 {
            self.present |= 1 << number;
            for other in self.species.iter_mut().filter(|other| other.meets >> number & 1 == 1) {
                woken.append(&mut other.alone);
            }
            self.alone -= woken.len();
        }
        woken
    }

    /// Lets a disc go, which is not alone.
    pub(super) fn leave(&mut self, slot: Slot) {
        let number = self.of_slots[slot as usize];
        let own = self.of_mut(slot);
        own.discs -= 1;
        if own.discs == 0 {
            self.present &= !(1 << number);
        }
    }

    pub(super) fn set_alone(&mut self, slot: Slot) {
        let alone = &mut self.species[usize::from(self.of_slots[slot as usize])].alone;
        self.places[slot as usize] = alone.len() as Slot;
        alone.push(slot);
        self.alone += 1;
    }

    pub(super) fn end_alone(&mut self, slot: Slot) {
        let alone = &mut self.species[usize::from(self.of_slots[slot as usize])].alone;
        let place = self.places[slot as usize];
        if alone.get(place as usize) == Some(&slot) {
            alone.swap_remove(place as usize);
            if let Some(&moved) = alone.get(place as usize) {
                self.places[moved as usize] = place;
            }
            self.alone -= 1;
        }
    }

    /// The discs that are alone, of the species that pass a test.
    pub(super) fn each_alone(&self, test: impl Fn(Species) -> bool) -> impl Iterator<Item = Slot> {
        self.species.iter().filter(move |of| test(of.species)).flat_map(|of| of.alone.iter().copied())
    }

    /// The number of a species, which it has from then on.
    fn number_of<P: Predictor>(&mut self, species: Species) -> u8 {
        if let Some(number) = self.species.iter().position(|known| known.species == species) {
            return number as u8;
        }
        let vacant = self.species.iter().position(|known| known.discs == 0);
        let number = vacant.unwrap_or(self.species.len()).min(usize::from(OTHERS));
        let species = if number == usize::from(OTHERS) { Species::ANY } else { species };
        if number < self.species.len() && self.species[number].species == species {
            return number as u8;
        }
        let new = OfSpecies { species, discs: 0, meets: 0, alone: Vec::new() };
        if number == self.species.len() {
            self.species.push(new);
        } else {
            self.species[number] = new;
        }
        let mut meets = 0;
        for (other, known) in self.species.iter_mut().enumerate() {
            let bit = u64::from(P::meet(species, known.species));
            known.meets = known.meets & !(1 << number) | bit << number;
            meets |= bit << other;
        }
        self.species[number].meets = meets;
        number as u8
    }

    pub(super) fn bytes(&self) -> usize {
        let alone: usize = self.species.iter().map(|of| size_of::<Slot>() * of.alone.capacity()).sum();
        let places = size_of::<Slot>() * self.places.capacity();
        alone + places + size_of::<OfSpecies>() * self.species.capacity() + self.of_slots.capacity()
    }
}
