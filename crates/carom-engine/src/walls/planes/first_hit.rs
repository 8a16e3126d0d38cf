use super::{PlaneLanes, Planes};
use crate::simd::{F64x4, Kernel, LANES, WIDTH, half_of};
use crate::touch::{NEARBY, magnitude};
use carom_broadphase::Bits;
use carom_math::toi::Motion;
use carom_math::tolerance::touch_slack;

/// When a disc of uniform motion and constant radius hits the first of the half-planes but those that it has
/// just met, in the arithmetic of [`carom_math::toi::disc_half_plane`]; and, if `NEAR`, whether it may touch
/// or overlap one of these now.
pub(crate) struct FirstHit<'a, const NEAR: bool> {
    pub(crate) planes: &'a Planes,
    pub(crate) motion: &'a Motion,
    pub(crate) met: [u32; 2],
}

/// What is hit first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// Infinite if there is none.
    pub(crate) dt: f64,
    /// The first in order of several at once.
    pub(crate) facet: u32,
    /// Whether one may be touched now.
    pub(crate) is_near: bool,
}

impl<const NEAR: bool> Kernel for FirstHit<'_, NEAR> {
    type Output = Hit;

    #[inline(always)]
    fn run<V: F64x4>(self) -> Hit {
        let mut first = Hit { dt: f64::INFINITY, facet: PlaneLanes::NO_FACET, is_near: false };
        let scale = magnitude(self.motion.position).max(self.motion.radius);
        for block in &self.planes.blocks {
            let limit = NEARBY * touch_slack(scale.max(block.scale));
            // A box has four.
            let (dt, lanes, near) = if block.fours == 1 {
                block.first_hit::<V, NEAR, 1>(self.motion, self.met, limit)
            } else {
                block.first_hit::<V, NEAR, { LANES / WIDTH }>(self.motion, self.met, limit)
            };
            first.is_near |= near != 0;
            if dt > first.dt || lanes == 0 {
                continue;
            }
            let mut facet = block.facets[lanes.trailing_zeros() as usize];
            if lanes & (lanes - 1) != 0 {
                facet = Bits(lanes.into()).map(|lane| block.facets[lane]).min().unwrap_or(facet);
            }
            first.facet = if dt < first.dt { facet } else { facet.min(first.facet) };
            first.dt = dt;
        }
        first
    }
}

impl PlaneLanes {
    /// When the first in this many fours are hit, bits of those that are, and of those that are at most so
    /// far away.
    #[inline(always)]
    fn first_hit<V: F64x4, const NEAR: bool, const FOURS: usize>(
        &self,
        motion: &Motion,
        [met, or_met]: [u32; 2],
        limit: f64,
    ) -> (f64, u32, u32) {
        let Motion { position, velocity, radius, .. } = *motion;
        let (zero, never) = (V::splat(0.0), V::splat(f64::INFINITY));
        let (mut times, mut least, mut near) = ([never; FOURS], never, 0);
        for (k, times) in times.iter_mut().enumerate() {
            let (normal_x, normal_y) = (half_of::<V>(&self.normal_x, k), half_of::<V>(&self.normal_y, k));
            let along = V::splat(velocity.x) * normal_x + V::splat(velocity.y) * normal_y;
            let height = (V::splat(position.x) - half_of(&self.x, k)) * normal_x
                + (V::splat(position.y) - half_of(&self.y, k)) * normal_y;
            let gap = height - V::splat(radius);
            let dt = (gap / (zero - along)).and(zero.less(gap));
            let is_met = V::either(self.facets.as_chunks().0[k], met, or_met);
            if NEAR {
                near |= gap.at_most(V::splat(limit)).unless(is_met).mask();
            }
            *times = dt.select(along.less(zero).unless(is_met), never);
            least = least.min(*times);
        }
        let dt = least.smallest();
        let mut lanes = 0;
        for (k, times) in times.iter().enumerate() {
            lanes |= times.at_most(V::splat(dt)).mask() << (k * WIDTH);
        }
        (dt, if dt < f64::INFINITY { lanes } else { 0 }, near)
    }
}
