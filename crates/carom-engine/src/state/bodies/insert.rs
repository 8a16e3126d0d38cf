use super::{Bodies, Detail};
use crate::simd::LANES;
use crate::state::bend::{Bend, BendLanes};
use crate::state::movers::Mover;
use crate::state::record::Record;
use crate::state::rules::SensorRules;
use crate::state::sweep_lanes::SweepLanes;
use crate::state::wall_memory::WallMemory;
use crate::{Disc, Rules};
use carom_broadphase::Slot;
use carom_math::{Time, sqrt};
use carom_solver::MassClass;

/// Discs that come and go.
impl Bodies {
    /// Takes a disc in, in the slot that was freed last. Returns slot and serial number.
    pub(crate) fn insert<B: Default, X: Default>(&mut self, disc: &Disc<B, X>, time: Time) -> (Slot, u64) {
        let serial = self.next_serial;
        self.next_serial += 1;
        let slot = self.free.last().copied().unwrap_or(self.records.len() as Slot);
        let detail = Detail {
            serial,
            mass: disc.mass,
            restitution: disc.restitution,
            partner: slot,
            rapid_impacts: 0,
        };
        self.take_slot(detail);
        self.windings.set(slot, [0; 2]);
        self.walls.set(slot, WallMemory::EMPTY);
        self.user_data.set(slot, disc.user_data);
        self.overlap.set(slot, disc.overlap);
        self.rules.set(slot, disc.collision_rules());
        self.sensors.set(slot, SensorRules::of(disc.sensor, disc.rules));
        if let Some(mover) = Mover::of(disc) {
            self.movers.set(slot, mover);
        }
        self.set_radius(slot, self.growth.stored(disc.radius, time));
        self.set_mass(slot, disc.mass);
        (slot, serial)
    }

    /// Takes the slot that was freed last, or a new one: it stays free until a state is stored there.
    fn take_slot(&mut self, detail: Detail) -> Slot {
        if let Some(slot) = self.free.pop() {
            self.details[slot as usize] = detail;
            if self.is_bent {
                self.bends[slot as usize] = Bend::NONE;
            }
            return slot;
        }
        let slot = self.records.len();
        if slot == self.records.capacity() {
            self.reserve((2 * slot).max(4));
        }
        self.details.push(detail);
        self.records.push(Record::FREE);
        let begins_block = self.sweeping && slot.is_multiple_of(LANES);
        if begins_block {
            self.blocks.push(SweepLanes::FREE);
        }
        if self.is_bent {
            self.bends.push(Bend::NONE);
            if begins_block {
                self.bend_blocks.push(BendLanes::NONE);
            }
        }
        slot as Slot
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.growth.limit = None;
        self.contacts.held.remove(slot);
        self.contacts.holds.forget(slot);
        self.contacts.excluded.forget(slot);
        self.rules.set(slot, Rules::new());
        self.sensors.set(slot, SensorRules::default());
        self.off.remove(slot);
        self.movers.remove(slot);
        self.free.push(slot);
        self.generations.set(slot, self.generations.get(slot).wrapping_add(1));
        self.records[slot as usize] = Record::FREE;
        self.copy_to_block(slot);
    }

    pub(crate) fn set_mass(&mut self, slot: Slot, mass: f64) {
        self.details[slot as usize].mass = mass;
        self.records[slot as usize].set_class(MassClass::of(mass));
    }

    /// To be called with each disc's size (see `predict::size`), as it would be stored.
    pub(crate) fn note_size(&mut self, size: f64) {
        self.largest = self.largest.max(size);
        self.wide = self.growth.is_on() || 16.0 * self.largest > self.periods.shortest();
    }

    /// Whether one of these discs may meet another image of a disc than the nearest before it leaves its
    /// circle.
    #[inline(always)]
    pub(crate) fn is_any_wide(&self, slots: &[Slot]) -> bool {
        let is_wide = |slot: &Slot| 16.0 * self.record(*slot).radius > self.periods.shortest();
        self.wide && (self.growth.is_on() || slots.iter().any(is_wide))
    }

    /// No less than the speed of any stored state: a pass over the records.
    pub(crate) fn fastest(&self) -> f64 {
        let speeds2 = self.records.iter().map(|record| record.velocity().length_squared());
        // All are numbers, for which `f64::max` would look.
        let most = speeds2.fold(0.0, |most, speed2| if speed2 > most { speed2 } else { most });
        sqrt(most) * (1.0 + 1e-9)
    }
}
