use super::neighbour_scan::image;
use crate::simd::{F64x4, Kernel, WIDTH};
use crate::state::record::Record;
use crate::touch::magnitude;
use carom_broadphase::{Bits, Slot};
use carom_math::toi::Motion;
use carom_math::{Periods, Time};

/// Leaves out those that a disc flies past at a distance, or away from, on the paths that they have: four at
/// a time.
///
/// No bit depends on it. What comes as near as this is left in: a hundredth of the distance at contact, and
/// more than the rounding of places and what counts as touching there (`margins`).
pub(super) struct Passing<'a> {
    pub(super) records: &'a [Record],
    pub(super) periods: &'a Periods,
    /// When images are to be nearest.
    pub(super) at: Time,
    /// The disc then.
    pub(super) own: Motion,
    /// How far it has flown since its state was stored, and may fly on.
    pub(super) way: f64,
    pub(super) slot: Slot,
    /// Those that are left are moved to the front.
    pub(super) others: &'a mut [Slot],
}

/// Of radii.
const NEAR: f64 = 1.01;
/// Of coordinates.
const ROUNDING: f64 = 1e-7;

impl Kernel for Passing<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<V: F64x4>(self) -> usize {
        let (mut kept, mut from) = (0, 0);
        while let Some(rest) = self.others.get(from..).filter(|rest| !rest.is_empty()) {
            let slots: [Slot; WIDTH] = core::array::from_fn(|k| rest.get(k).copied().unwrap_or(self.slot));
            let all = (1 << rest.len().min(WIDTH)) - 1;
            for place in Bits(u64::from(self.near::<V>(slots) & all)) {
                self.others[kept] = slots[place];
                kept += 1;
            }
            from += WIDTH;
        }
        kept
    }
}

impl Passing<'_> {
    /// A bit for each of four that comes near.
    #[inline(always)]
    fn near<V: F64x4>(&self, [a, b, c, d]: [Slot; WIDTH]) -> u32 {
        let (own, records) = (&self.own, self.records);
        let [[x, y, vx, vy], [start, offset, radius, _]] = Record::columns::<V>([
            &records[a as usize], &records[b as usize], &records[c as usize], &records[d as usize],
        ]);
        let age = (V::splat(self.at.epoch_start()) - start) + (V::splat(self.at.offset()) - offset);
        let (flown_x, flown_y) = (vx * age, vy * age);
        let mut dx = (x + flown_x) - V::splat(own.position.x);
        let mut dy = (y + flown_y) - V::splat(own.position.y);
        if !self.periods.is_open() {
            (dx, dy) = image(self.periods, [dx, dy], [dx, dy]);
        }
        let (wx, wy) = (vx - V::splat(own.velocity.x), vy - V::splat(own.velocity.y));
        let reach = (V::splat(own.radius) + radius) * V::splat(NEAR) + V::splat(self.slack());
        let far = (dx * dx + dy * dy) + (flown_x * flown_x + flown_y * flown_y);
        let reach = reach + far.sqrt() * V::splat(ROUNDING);
        let (reach2, zero) = (reach * reach, V::splat(0.0));
        let (along, cross) = (dx * wx + dy * wy, dx * wy - dy * wx);
        let is_apart = reach2.less(dx * dx + dy * dy);
        let parts = zero.at_most(along);
        let is_past = ((wx * wx + wy * wy) * reach2).less(cross * cross);
        !is_apart.and(parts.or(is_past)).mask() & ((1 << WIDTH) - 1)
    }

    /// For the rounding of the disc's own places.
    fn slack(&self) -> f64 {
        (magnitude(self.own.position) + self.way + magnitude(self.periods.lengths())) * ROUNDING
    }
}
