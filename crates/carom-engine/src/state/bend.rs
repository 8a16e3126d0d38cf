use super::record::Record;
use super::sweep_lanes::{LanePositions, Probe, SweepLanes};
use crate::simd::{F64x4, F64x8, LANES, Lanes};
use crate::touch::SPAN_ROUNDING;
use crate::walk::fields;
use crate::{Body, Physics, State};
use carom_math::toi::bent;
use carom_math::{Periods, Time, sqrt};
use glam::DVec2;

/// How the path of a disc bends from its stored state on: beside its record, in worlds whose physics
/// accelerates discs. Derived from the state wherever that is written.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Bend {
    pub(crate) acceleration: DVec2,
    /// Seconds from the time of the state to the end of its motion, at which the acceleration changes.
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub(crate) lasts: f64,
    /// How many impacts it has had since it last rose well above its rest height: see
    /// [`Rest`](crate::Rest).
    pub(crate) low_impacts: u32,
}

fields!(Bend: acceleration, lasts as Span, low_impacts);

impl Bend {
    /// That of a straight path.
    pub(crate) const NONE: Bend = Bend { acceleration: DVec2::ZERO, lasts: f64::INFINITY, low_impacts: 0 };

    #[inline]
    pub(crate) fn of<P: Physics>(physics: &P, body: &Body<P::Body>, state: &State<P::Extra>) -> Self {
        let lasts = physics.next_change(body, state).map_or(f64::INFINITY, |(dt, _)| dt);
        Bend { acceleration: physics.acceleration(body, state), lasts, low_impacts: 0 }
    }

    /// That of a path which begins with this velocity: in a periodic world it is cut where it has gone a
    /// period. So two paths meet by few images before one of them is cut.
    #[inline]
    pub(crate) fn cut(self, velocity: DVec2, periods: &Periods) -> Bend {
        if periods.is_open() {
            return self;
        }
        let period = bent::periods_last(velocity, self.acceleration, periods, 1.0);
        Bend { lasts: self.lasts.min(period), ..self }
    }

    /// Its bits: zeros of two signs bend a path in the same way, and differ.
    pub(crate) fn bits(&self) -> [u64; 4] {
        let [x, y] = self.acceleration.to_array().map(f64::to_bits);
        [x, y, self.lasts.to_bits(), u64::from(self.low_impacts)]
    }

    /// Position and velocity after `age` seconds.
    ///
    /// A path that does not bend is straight to the last bit.
    #[inline(always)]
    pub(crate) fn after(&self, record: &Record, age: f64) -> (DVec2, DVec2) {
        let (v, a) = (record.velocity(), self.acceleration);
        (record.position() + (v + a * (0.5 * age)) * age, v + a * age)
    }
}

/// Whether two discs may meet before either motion ends.
///
/// They do not if the path stays outside of the line that touches the circle of radius `reach` at its nearest
/// point, `d·x(t) = reach |d|`; nor if it stays to one side of the circle, `|v × x(t)| > reach |v|`, which is
/// so if it is at both ends, as `v × x` is `v × d + ½ t² v × a`.
///
/// Part of what a pair time is, so that the sweeps, which do the same for eight at a time, leave out no pair
/// that has one. Two that share an acceleration, to the last bit, are on straight paths.
#[inline(always)]
pub(crate) fn may_meet(d: DVec2, v: DVec2, a: DVec2, reach: f64, lasts: [f64; 2]) -> bool {
    let (approach, bend) = (d.x * v.x + d.y * v.y, d.x * a.x + d.y * a.y);
    let (a2, v2, reach2) = (a.x * a.x + a.y * a.y, v.x * v.x + v.y * v.y, reach * reach);
    let cross = d.x * v.y - d.y * v.x;
    if a2 <= 0.0 {
        return approach < 0.0 && 0.0 < v2 * reach2 - cross * cross;
    }
    let d2 = d.x * d.x + d.y * d.y;
    let line = d2 - reach * sqrt(d2);
    let line = line + line;
    let after = |t: f64| line + ((approach + approach) + bend * t) * t;
    let parts = 0.0 <= bend && 0.0 <= approach;
    let turns_back = 0.0 < bend && approach * approach < line * bend;
    let ends_before = bend <= 0.0 && (0.0 < after(lasts[0]) || 0.0 < after(lasts[1]));
    let until = if lasts[0] < lasts[1] { lasts[0] } else { lasts[1] };
    let half = (until * until) * 0.5;
    let end = cross + (a.x * v.y - a.y * v.x) * half;
    let beside = (reach2 + (d2 + a2 * (half * half)) * BESIDE) * v2;
    let passes_by = beside < cross * cross && beside < end * end && 0.0 < cross * end;
    !(0.0 < d2 - reach2 && (parts || turns_back || ends_before || passes_by))
}

/// What is beside the path by no more than this fraction of its length, squared, may be in its way: far more
/// than rounding.
const BESIDE: f64 = 1.0 / (1u64 << 40) as f64;

/// What the bends of the paths of a block are, for the sweeps.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct BendLanes {
    ax: Lanes,
    ay: Lanes,
    lasts: Lanes,
}

/// A disc to be held against all others whose paths bend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BendProbe {
    pub(crate) acceleration: DVec2,
    /// Seconds from the present to the end of its motion.
    pub(crate) lasts: f64,
    pub(crate) now: Time,
    pub(crate) epoch: f64,
}

impl BendLanes {
    /// Of straight paths.
    pub(crate) const NONE: BendLanes =
        BendLanes { ax: [0.0; LANES], ay: [0.0; LANES], lasts: [f64::INFINITY; LANES] };

    /// Copies a disc into a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, bend: &Bend) {
        (self.ax[lane], self.ay[lane]) = (bend.acceleration.x, bend.acceleration.y);
        self.lasts[lane] = bend.lasts;
    }

    /// Writes the positions of the discs at `time`: the arithmetic of [`Bend::after`].
    #[inline(always)]
    pub(crate) fn note_positions<V: F64x4>(
        &self,
        block: &SweepLanes,
        time: Time,
        positions: &mut LanePositions,
    ) {
        let age = block.ages::<V>(time);
        let half = F64x8::splat(0.5) * age;
        let [vx, vy] = [F64x8::load(&block.vx), F64x8::load(&block.vy)];
        let [ax, ay] = [F64x8::load(&self.ax), F64x8::load(&self.ay)];
        (F64x8::load(&block.x) + (vx + ax * half) * age).store(&mut positions.x);
        (F64x8::load(&block.y) + (vy + ay * half) * age).store(&mut positions.y);
    }

    /// Bit `l` is set if disc `l` and the probe [`may_meet`], in the same operations.
    #[inline(always)]
    pub(crate) fn meets<V: F64x4, P: Physics>(
        &self,
        block: &SweepLanes,
        positions: &LanePositions,
        (probe, bend): (&Probe, &BendProbe),
        physics: &P,
    ) -> u8 {
        let zero = F64x8::<V>::splat(0.0);
        let age = block.ages::<V>(bend.now);
        let (ax, ay) = (F64x8::load(&self.ax), F64x8::load(&self.ay));
        let dx = F64x8::<V>::load(&positions.x) - F64x8::splat(probe.position.x);
        let dy = F64x8::load(&positions.y) - F64x8::splat(probe.position.y);
        let vx = (F64x8::load(&block.vx) + ax * age) - F64x8::splat(probe.velocity.x);
        let vy = (F64x8::load(&block.vy) + ay * age) - F64x8::splat(probe.velocity.y);
        let (ax, ay) = (ax - F64x8::splat(bend.acceleration.x), ay - F64x8::splat(bend.acceleration.y));
        let reach = block.reaches::<V, P>(probe, physics);
        let (reach2, distance2) = (reach * reach, dx * dx + dy * dy);
        let (a2, v2) = (ax * ax + ay * ay, vx * vx + vy * vy);
        let (approach, bends) = (dx * vx + dy * vy, dx * ax + dy * ay);
        let cross = dx * vy - dy * vx;
        let straight = a2.at_most(zero);
        let meets_straight = approach.less(zero) & zero.less(v2 * reach2 - cross * cross);
        let line = distance2 - reach * distance2.sqrt();
        let line = line + line;
        let lasts = F64x8::load(&self.lasts);
        let left = (lasts - age) + ((lasts + age) + F64x8::splat(bend.epoch)) * F64x8::splat(SPAN_ROUNDING);
        let own = F64x8::splat(bend.lasts);
        let twice = approach + approach;
        let ends_before =
            zero.less(line + (twice + bends * left) * left) | zero.less(line + (twice + bends * own) * own);
        let parts = zero.at_most(bends) & zero.at_most(approach);
        let turns_back = zero.less(bends) & (approach * approach).less(line * bends);
        let until = left.min(own);
        let half = (until * until) * F64x8::splat(0.5);
        let end = cross + (ax * vy - ay * vx) * half;
        let beside = (reach2 + (distance2 + a2 * (half * half)) * F64x8::splat(BESIDE)) * v2;
        let passes_by = beside.less(cross * cross) & beside.less(end * end) & zero.less(cross * end);
        let misses = zero.less(distance2 - reach2)
            & (parts | turns_back | (bends.at_most(zero) & ends_before) | passes_by);
        // Free slots have no distance.
        let is_there = distance2.at_most(F64x8::splat(f64::MAX));
        is_there & ((straight & meets_straight) | (!straight & !misses))
    }
}
