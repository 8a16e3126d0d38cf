use super::Bodies;
use crate::simd::place;
use crate::state::record::Record;
use carom_broadphase::Slot;
use carom_math::Time;
use glam::DVec2;

/// Storing states in a plain world: see [`is_plain`](crate::run::plain::run::is_plain).
impl Bodies {
    /// Shows the sweeps a record that may be going to be stored. What is not must be
    /// [copied](Bodies::copy_to_block) again.
    #[inline(always)]
    pub(crate) fn show(&mut self, slot: Slot, record: &Record) {
        let (block, lane) = place(slot);
        self.blocks[block].set(lane, record);
    }

    /// Hides a disc from the sweeps, until it is [shown](Bodies::show) or [copied](Bodies::copy_to_block).
    #[inline(always)]
    pub(crate) fn hide(&mut self, slot: Slot) {
        let (block, lane) = place(slot);
        self.blocks[block].x[lane] = f64::NAN;
    }

    /// As [`Bodies::put`], of a record that has been shown.
    #[inline(always)]
    pub(crate) fn put_shown(&mut self, slot: Slot, record: &Record, partner: Slot) {
        self.records[slot as usize] = *record;
        self.set_impact(slot, partner, 0);
    }

    /// Stores another velocity, of no impact, at a time. Returns the one before, and the mass.
    #[inline(always)]
    pub(crate) fn deflect(&mut self, slot: Slot, time: Time, velocity: DVec2) -> (DVec2, f64) {
        let record = &mut self.records[slot as usize];
        let before = record.velocity();
        *record = record.changed(time, record.motion_at(time).position, velocity);
        let detail = &mut self.details[slot as usize];
        detail.rapid_impacts = 0;
        let mass = detail.mass;
        if self.is_sweeping() {
            let record = self.records[slot as usize];
            self.show(slot, &record);
        }
        (before, mass)
    }
}
