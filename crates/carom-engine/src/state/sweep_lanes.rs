use super::record::Record;
use crate::Physics;
use crate::physics::Reach;
use crate::simd::{F64x4, F64x8, LANES, Lanes};
use crate::touch::NEARBY;
use carom_math::toi::Motion;
use carom_math::tolerance::TOUCH_ULPS;
use carom_math::{Periods, Time};
use glam::DVec2;

/// The numbers of eight discs that a pair time needs, side by side: copies of their records, for the sweeps
/// over all discs. Kept only for a scheduler that sweeps.
///
/// Blocks of lanes instead of whole columns, because a world is then one allocation, a disc's numbers share
/// eight cache lines with its neighbours', and the sweeps have loops of fixed length without remainders.
/// Lanes of free slots hold positions that are not numbers, so that every comparison leaves them out.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct SweepLanes {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) vx: Lanes,
    pub(crate) vy: Lanes,
    pub(crate) start: Lanes,
    pub(crate) offset: Lanes,
    pub(crate) radius: Lanes,
    /// Bits of the stamps of the impacts that wrote the states.
    pub(crate) stamp: Lanes,
}

/// The positions of the discs of a block at one instant.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct LanePositions {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
}

impl SweepLanes {
    /// Eight free slots.
    pub(crate) const FREE: SweepLanes = SweepLanes {
        x: [f64::NAN; LANES],
        y: [f64::NAN; LANES],
        vx: [0.0; LANES],
        vy: [0.0; LANES],
        start: [0.0; LANES],
        offset: [0.0; LANES],
        radius: [0.0; LANES],
        stamp: [0.0; LANES],
    };

    /// Copies a disc into a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, record: &Record) {
        (self.x[lane], self.y[lane]) = (record.x, record.y);
        (self.vx[lane], self.vy[lane]) = (record.vx, record.vy);
        (self.start[lane], self.offset[lane]) = (record.start, record.offset);
        self.radius[lane] = record.radius;
        self.stamp[lane] = f64::from_bits(record.tag.stamp().bits());
    }

    /// Writes the positions of the discs at `time`: the arithmetic of `position + velocity · age`.
    #[inline(always)]
    pub(crate) fn note_positions<V: F64x4>(&self, time: Time, positions: &mut LanePositions) {
        let age = self.ages::<V>(time);
        (F64x8::load(&self.x) + F64x8::load(&self.vx) * age).store(&mut positions.x);
        (F64x8::load(&self.y) + F64x8::load(&self.vy) * age).store(&mut positions.y);
    }

    /// Seconds from the stored states to `time`: the arithmetic of [`Time::since`].
    #[inline(always)]
    pub(super) fn ages<V: F64x4>(&self, time: Time) -> F64x8<V> {
        let started = F64x8::<V>::splat(time.epoch_start()) - F64x8::load(&self.start);
        started + (F64x8::splat(time.offset()) - F64x8::load(&self.offset))
    }

    /// Distances of the centres at contact with the probe.
    #[inline(always)]
    pub(super) fn reaches<V: F64x4, P: Physics>(&self, probe: &Probe, physics: &P) -> F64x8<V> {
        if P::OWN_REACH {
            F64x8::load(&core::array::from_fn(|l| physics.reach(probe.radius, self.radius[l])))
        } else {
            F64x8::splat(probe.radius) + F64x8::load(&self.radius)
        }
    }

    /// Bit `l` is set if disc `l` is within the probe's slack of touching it: a superset of those that touch.
    #[inline(always)]
    pub(crate) fn near<V: F64x4, P: Physics>(
        &self,
        positions: &LanePositions,
        probe: &Probe,
        physics: &P,
    ) -> u8 {
        let dx = F64x8::<V>::load(&positions.x) - F64x8::splat(probe.position.x);
        let dy = F64x8::load(&positions.y) - F64x8::splat(probe.position.y);
        let limit = self.reaches(probe, physics) * F64x8::splat(NEAR) + F64x8::splat(probe.slack);
        (dx * dx + dy * dy).at_most(limit * limit)
    }

    /// Bit `l` is set if disc `l` and the probe are on paths that meet: the tests of
    /// [`carom_math::toi::disc_disc`] up to its square root, in the same operations.
    #[inline(always)]
    pub(crate) fn meets<V: F64x4, P: Physics>(
        &self,
        positions: &LanePositions,
        probe: &Probe,
        physics: &P,
    ) -> u8 {
        let dx = F64x8::<V>::load(&positions.x) - F64x8::splat(probe.position.x);
        let dy = F64x8::load(&positions.y) - F64x8::splat(probe.position.y);
        let vx = F64x8::load(&self.vx) - F64x8::splat(probe.velocity.x);
        let vy = F64x8::load(&self.vy) - F64x8::splat(probe.velocity.y);
        let reach = self.reaches(probe, physics);
        let (approach, cross) = (dx * vx + dy * vy, dx * vy - dy * vx);
        let disc = (vx * vx + vy * vy) * (reach * reach) - cross * cross;
        let zero = F64x8::splat(0.0);
        approach.less(zero) & zero.less(disc)
    }
}

/// How much further than its contact distance a disc is looked for when those that touch are sought, as the
/// exact test follows.
const NEAR: f64 = 1.0 + NEARBY * TOUCH_ULPS * f64::EPSILON;

/// A disc to be held against all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) position: DVec2,
    pub(crate) velocity: DVec2,
    pub(crate) radius: f64,
    /// Extra distance within which others count as near.
    slack: f64,
}

impl Probe {
    /// Factor on the distance at contact within which others are near, to which the slack is added.
    pub(crate) const NEAR: f64 = NEAR;

    #[inline(always)]
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// A disc that may touch others. Their coordinates are at most its own and the contact distance apart, so
    /// its own and [`NEAR`] bound the slack of touching.
    #[inline(always)]
    pub(crate) fn new(motion: &Motion) -> Self {
        let Motion { position, velocity, radius, .. } = *motion;
        let slack = NEARBY * TOUCH_ULPS * f64::EPSILON * (position.x.abs() + position.y.abs());
        Probe { position, velocity, radius, slack }
    }

    /// Whether this one disc is within the slack: the test of [`SweepLanes::near`].
    #[inline(always)]
    pub(crate) fn is_near<P: Physics>(&self, other: &Motion, periods: &Periods, physics: &P) -> bool {
        let d = periods.nearest(other.position - self.position);
        let limit = physics.reach(self.radius, other.radius) * NEAR + self.slack;
        d.x * d.x + d.y * d.y <= limit * limit
    }
}
