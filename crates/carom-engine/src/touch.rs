use carom_math::toi::{Motion, squared_gap};
use carom_math::tolerance::touch_slack;
use carom_math::{DVec2, Periods, sqrt};

/// Discs further apart than this many slacks of touching are not in contact; of others the exact tests
/// decide: whether they touch, or meet at that very instant by prediction.
///
/// What meets by prediction is placed with the rounding of its path, which may be long compared with the
/// discs, and of its time. About 10⁻⁹ of the coordinates, this is enough for paths of 10⁶ times the size of
/// what meets. Too large costs time where others are close by, and nothing else.
pub(crate) const NEARBY: f64 = (1u64 << 20) as f64;

/// How many times the slack of touching two discs of a cluster are apart at most.
///
/// In a jam that has been hit thousands of times rounding has put neighbours a few dozen slacks apart, and
/// what it leaves of their velocities makes them meet for ever at one instant. About 4·10⁻¹² of the
/// coordinates: beyond it, approach at the speed of a rounding takes a time that counts.
pub(crate) const CLUSTER: f64 = 4096.0;

/// How deep in each other what is held is at most, in radii: some times the largest gap that contacts which
/// rest are followed to, which is 10⁻⁵. What is deeper is on its way through.
pub(crate) const HELD_DEPTH: f64 = 1.0 / (1 << 14) as f64;

/// How deep in another a disc is at most that is held, of this size, where paths bend; elsewhere none is.
pub(crate) fn held_depth(is_bent: bool, size: f64) -> f64 {
    if is_bent { HELD_DEPTH * size } else { 0.0 }
}

/// Seconds from `age` after its stored state to the end of a motion that lasts so long; a little more, as the
/// exact times decide which of two events comes first.
#[inline(always)]
pub(crate) fn motion_left(lasts: f64, age: f64, epoch: f64) -> f64 {
    (lasts - age) + ((lasts + age) + epoch) * SPAN_ROUNDING
}

/// What rounding takes of a span of time at most, as a fraction of the numbers that it is the difference of.
pub(crate) const SPAN_ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;

/// By how much the square of a rounded unit vector exceeds 1, with the larger component factored: exactly 0
/// for a vector along an axis.
#[inline(always)]
pub(crate) fn excess_of_square(unit: DVec2) -> f64 {
    let unit = unit.abs();
    let (large, small) = (unit.x.max(unit.y), unit.x.min(unit.y));
    small * small - (1.0 - large) * (1.0 + large)
}

/// Unit vector along `d`. Discs so small that their positions at contact are rounded to one have no such
/// direction: then along the velocity `v` at which the first approaches the second, as in a full hit; (1,
/// 0) without that.
#[inline(always)]
pub(crate) fn direction(d: DVec2, v: DVec2) -> DVec2 {
    let length = sqrt(d.length_squared());
    if length > 0.0 { DVec2::new(d.x / length, d.y / length) } else { v.try_normalize().unwrap_or(DVec2::X) }
}

/// Two places as they are to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    /// From the first to the second; in a periodic world to its nearest image.
    pub(crate) d: DVec2,
    /// The larger magnitude of their coordinates.
    scale: f64,
}

impl Apart {
    #[inline]
    pub(crate) fn new(a: DVec2, b: DVec2, periods: &Periods) -> Self {
        Apart { d: periods.nearest(b - a), scale: magnitude(a).max(magnitude(b)) }
    }

    /// Up to what gap two with this distance of centres at contact count as touching.
    pub(crate) fn slack(&self, reach: f64) -> f64 {
        touch_slack(self.scale.max(reach))
    }

    /// As `new`, where the second is not the nearest of its images.
    pub(crate) fn at_image(d: DVec2, a: DVec2, b: DVec2) -> Self {
        Apart { d, scale: magnitude(a).max(magnitude(b)) }
    }

    /// The second as its other images beside the nearest are to the first: none unless discs with this
    /// distance of centres at contact are so large, for the period, that they may touch on two sides.
    pub(crate) fn others(&self, periods: &Periods, reach: f64) -> impl Iterator<Item = Apart> {
        let Apart { d, scale } = *self;
        let around = if are_wide_together(periods, reach) { 1 } else { 0 };
        let turns = (-around..=around).flat_map(move |i| (-around..=around).map(move |j| (i, j)));
        let others = turns.filter(|&(i, j)| (i, j) != (0, 0)).map(|(i, j)| DVec2::new(i.into(), j.into()));
        let (lengths, periods) = (periods.lengths(), *periods);
        let is_once = move |turns: &DVec2| (0..2).all(|axis| lengths[axis] > 0.0 || turns[axis] == 0.0);
        // Along an axis without a period all are one.
        others.filter(is_once).map(move |turns| Apart { d: periods.image(d, turns), scale })
    }
}

/// Whether two discs with this distance of centres at contact may touch on two sides: by two images. As they
/// do not overlap, one of these is the nearest, and the other one is as near.
#[inline(always)]
pub(crate) fn are_wide_together(periods: &Periods, reach: f64) -> bool {
    reach > 0.49 * periods.shortest()
}

/// Whether discs at these places, with this distance of centres at contact and `|d|² − reach²`, touch: their
/// gap is at most 4 ulp of the coordinates, either way.
///
/// The one meaning of "touching": for shared impacts, for the same-impact rule, and for what may be put
/// beside what.
#[inline]
pub(crate) fn touching(apart: &Apart, reach: f64, gap: f64) -> bool {
    let slack = apart.slack(reach);
    // |d| = R + g with |g| ≤ s is, squared, a gap between −s(2R − s) and s(2R + s).
    gap <= slack * (2.0 * reach + slack) && gap >= -slack.min(reach) * (2.0 * reach - slack.min(reach))
}

/// As [`touching`], whether discs overlap, however deep, or are apart by at most this many times the slack of
/// touching.
pub(crate) fn within(apart: &Apart, reach: f64, gap: f64, slacks: f64) -> bool {
    let slack = slacks * apart.slack(reach);
    gap <= slack * (2.0 * reach + slack)
}

/// By how much two discs overlap, in length units, if by more than touching.
pub(crate) fn overlap_depth(apart: &Apart, reach: f64) -> Option<f64> {
    let depth = reach - apart.d.length();
    let gap = squared_gap(apart.d, reach);
    (gap < 0.0 && !touching(apart, reach, gap)).then_some(depth)
}

/// Largest magnitude of a coordinate.
#[inline(always)]
pub(crate) fn magnitude(p: DVec2) -> f64 {
    p.x.abs().max(p.y.abs())
}

/// Whether a disc is no larger than the rounding of its place: that alone does not tell on which side of a
/// wall it is.
#[inline(always)]
pub(crate) fn is_point(motion: &Motion) -> bool {
    motion.radius <= touch_slack(magnitude(motion.position))
}

/// The image of a displacement that is met, which is nearly `expected`. It is the nearest unless discs touch
/// on two sides.
#[inline(always)]
pub(crate) fn image_met(periods: &Periods, d: DVec2, expected: DVec2) -> DVec2 {
    periods.image(d, periods.whole_periods(d - expected))
}

/// Where two discs touch: midway between their surfaces, next to the first. The same bits for either
/// order of the two, but in a periodic world for which image is meant; `normal` is from the first to
/// the second.
#[inline(always)]
pub(crate) fn point_between(periods: &Periods, [a, b]: [DVec2; 2], radii: [f64; 2], normal: DVec2) -> DVec2 {
    let met = |d: DVec2, normal: DVec2| image_met(periods, d, normal * (radii[0] + radii[1]));
    let midway = |a: DVec2, b: DVec2, [r_a, r_b]: [f64; 2], normal: DVec2| {
        ((a + normal * r_a) + (b - normal * r_b)) * 0.5
    };
    if periods.is_open() {
        return midway(a, b, radii, normal);
    }
    let point = if (a.x, a.y) <= (b.x, b.y) {
        midway(a, a + met(b - a, normal), radii, normal)
    } else {
        midway(b, b + met(a - b, -normal), [radii[1], radii[0]], -normal)
    };
    a + periods.nearest(point - a)
}
