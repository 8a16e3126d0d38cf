use core::cmp::Ordering;

/// A moment, in two parts: the start of an epoch and the offset into it.
///
/// A single `f64` of seconds loses digits as it grows: at 10⁹ s neighbouring moments are 10⁻⁷ s apart. Here
/// the first part is a multiple of the epoch's length `E` (a power of two, fixed by the [`Clock`]) and the
/// second an offset in `[0, E)`, so a moment is known to `E · 2⁻⁵³` or better at any age. Both parts are
/// seconds, which makes a difference of two moments three floating-point operations and needs no `E`.
///
/// Ordered lexicographically, which is by time. Only a `Clock` makes moments, so `Time`s of clocks with
/// different epochs must not be mixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    start: f64,
    offset: f64,
}

impl Eq for Time {}

impl PartialOrd for Time {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_before(*other) {
            Ordering::Less
        } else if other.is_before(*self) {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}

impl Default for Time {
    fn default() -> Self {
        Time::ZERO
    }
}

impl Time {
    /// The origin, 0 s.
    pub const ZERO: Time = Time { start: 0.0, offset: 0.0 };
    /// Later than every moment: what never happens.
    pub const NEVER: Time = Time { start: f64::INFINITY, offset: 0.0 };

    /// Start of the epoch in seconds: a multiple of the clock's epoch length, or infinite for `NEVER`.
    #[inline(always)]
    #[must_use]
    pub fn epoch_start(self) -> f64 {
        self.start
    }

    /// Offset into the epoch in seconds, in `[0, E)`.
    #[inline(always)]
    #[must_use]
    pub fn offset(self) -> f64 {
        self.offset
    }

    /// Seconds since the origin, rounded to one `f64`: for show, not for reckoning.
    #[must_use]
    pub fn as_secs(self) -> f64 {
        self.start + self.offset
    }

    /// Seconds from `earlier` to `self` (negative if `self` is the earlier one), part by part.
    ///
    /// Two roundings, of the difference of the offsets and of the result: off by at most `E · 2⁻⁵⁴` and half
    /// an ulp of the result, whatever the age. Monotonic in both. Not a number if both are `NEVER`.
    #[inline(always)]
    #[must_use]
    pub fn since(self, earlier: Time) -> f64 {
        (self.start - earlier.start) + (self.offset - earlier.offset)
    }

    /// Whether `self` is strictly earlier than `other`; the same as `self < other`, in one comparison mostly.
    #[inline(always)]
    #[must_use]
    pub fn is_before(self, other: Time) -> bool {
        // Without a branch: which it is cannot be foretold.
        (self.start < other.start) | ((self.start == other.start) & (self.offset < other.offset))
    }

    /// The later of the two.
    #[inline(always)]
    #[must_use]
    pub fn latest(self, other: Time) -> Time {
        if self.is_before(other) { other } else { self }
    }

    /// The moment with these two parts, which a caller kept apart after taking them from a `Time`.
    ///
    /// Not checked: for parts from outside there is [`Clock::from_parts`].
    #[inline(always)]
    #[must_use]
    pub fn from_stored(start: f64, offset: f64) -> Time {
        Time { start, offset }
    }

    /// Whether this is [`Time::NEVER`].
    #[inline(always)]
    #[must_use]
    pub fn is_never(self) -> bool {
        self.start == f64::INFINITY
    }
}

/// Makes [`Time`]s: knows the length of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    epoch: f64,
    /// Adding and subtracting this rounds a number below `horizon` to a multiple of `epoch`.
    rounder: f64,
    horizon: f64,
}

impl Clock {
    /// The default epoch, 2⁻¹⁰ s: moments are at most 10⁻¹⁹ s apart, and a disc at 1000 length units a second
    /// is placed to within an ulp of coordinates around 1 at any age up to the horizon of 2.2 · 10¹² s.
    pub const DEFAULT_EPOCH: f64 = 1.0 / 1024.0;

    /// A clock whose epochs last `epoch` seconds: a power of two from 2⁻⁶⁰ to 2⁶⁰. `None` for anything else.
    #[must_use]
    pub fn new(epoch: f64) -> Option<Clock> {
        const MANTISSA: u64 = (1 << 52) - 1;
        let two_to_60 = (1u64 << 60) as f64;
        let is_power_of_two = epoch.to_bits() & MANTISSA == 0;
        if !(is_power_of_two && epoch >= 1.0 / two_to_60 && epoch <= two_to_60) {
            return None;
        }
        let two_to_51 = (1u64 << 51) as f64;
        Some(Clock { epoch, rounder: 3.0 * two_to_51 * epoch, horizon: two_to_51 * epoch })
    }

    /// Length of an epoch in seconds.
    #[must_use]
    pub fn epoch(&self) -> f64 {
        self.epoch
    }

    /// The first moment that this clock cannot name, in seconds: 2⁵¹ epochs. What is later is `NEVER`.
    #[must_use]
    pub fn horizon(&self) -> f64 {
        self.horizon
    }

    /// The moment `dt ≥ 0` seconds after `t`; `NEVER` if that is beyond the horizon, or `dt` is negative or
    /// not a number.
    ///
    /// One rounding: the whole epochs in `dt` are split off and added without error, the rest is added to
    /// the offset. So the result is off by at most half an ulp of a number below `2E`, whatever the age.
    /// Monotonic in `dt`.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, t: Time, dt: f64) -> Time {
        // NaN fails the comparisons, too.
        if !(dt >= 0.0 && dt < self.horizon) {
            return Time::NEVER;
        }
        // The sum is in [2⁵², 2⁵³) epochs, where neighbouring doubles are one epoch apart.
        let nearest = (dt + self.rounder) - self.rounder;
        let whole = nearest - if nearest > dt { self.epoch } else { 0.0 };
        // Both addends are below E, so the sum is below 2E even after rounding, and so is exact minus E.
        let sum = t.offset + (dt - whole);
        let carried = if sum >= self.epoch { self.epoch } else { 0.0 };
        let (start, offset) = (t.start + (whole + carried), sum - carried);
        if start < self.horizon { Time { start, offset } } else { Time::NEVER }
    }

    /// The moment `secs ≥ 0` seconds after the origin; `NEVER` beyond the horizon.
    #[must_use]
    pub fn at(&self, secs: f64) -> Time {
        self.after(Time::ZERO, secs)
    }

    /// The moment made of the two parts that [`Time::epoch_start`] and [`Time::offset`] gave; `None` if they
    /// are not two parts of a moment of this clock.
    #[must_use]
    pub fn from_parts(&self, start: f64, offset: f64) -> Option<Time> {
        let whole = start >= 0.0 && start < self.horizon && (start + self.rounder) - self.rounder == start;
        let inside = offset >= 0.0 && offset < self.epoch;
        // Adding 0 turns −0 into +0, so that equal times have equal bits.
        (whole && inside).then_some(Time { start: start + 0.0, offset: offset + 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_are_powers_of_two_in_range() {
        for epoch in [1.0, 2.0_f64.powi(-60), 2.0_f64.powi(60), Clock::DEFAULT_EPOCH] {
            assert_eq!(Clock::new(epoch).map(|c| c.epoch()), Some(epoch));
        }
        for epoch in
            [0.0, -1.0, 3.0, 1.5, f64::NAN, f64::INFINITY, 2.0_f64.powi(-61), 2.0_f64.powi(61), 1e-310]
        {
            assert_eq!(Clock::new(epoch), None, "{epoch}");
        }
    }

    #[test]
    fn a_nanosecond_counts_after_a_billion_seconds() {
        let clock = Clock::new(Clock::DEFAULT_EPOCH).unwrap();
        let old = clock.at(1e9 + 0.123);
        let next = clock.after(old, 1e-9);
        // One rounding of the offset, which is below 2⁻¹⁰: half an ulp is 2⁻⁶⁴ s.
        assert!((next.since(old) - 1e-9).abs() <= 2.0_f64.powi(-64));
    }

    #[test]
    fn parts_stay_in_range_at_the_seams() {
        let clock = Clock::new(1.0).unwrap();
        let below_one = 1.0 - f64::EPSILON / 2.0;
        for (offset, dt) in
            [(below_one, below_one), (below_one, f64::EPSILON / 2.0), (0.0, 1.0), (0.5, 0.5), (0.25, 1e-300)]
        {
            let t = clock.after(clock.at(offset), dt);
            assert!(
                t.offset() >= 0.0 && t.offset() < 1.0 && t.epoch_start().fract() == 0.0,
                "{offset} {dt} {t:?}"
            );
            assert!((t.as_secs() - (offset + dt)).abs() <= f64::EPSILON);
        }
    }

    #[test]
    fn beyond_the_horizon_is_never() {
        let clock = Clock::new(1.0).unwrap();
        assert!(clock.at(clock.horizon()).is_never());
        assert!(!clock.at(clock.horizon() - 1.0).is_never());
        assert!(clock.after(clock.at(clock.horizon() - 1.0), 1.0).is_never());
        assert!(clock.at(f64::INFINITY).is_never() && clock.at(f64::NAN).is_never());
    }

    #[test]
    fn parts_go_out_and_in_again() {
        let clock = Clock::new(0.25).unwrap();
        let t = clock.at(1234.56789);
        assert_eq!(clock.from_parts(t.epoch_start(), t.offset()), Some(t));
        for (start, offset) in
            [(0.1, 0.0), (0.25, 0.25), (-0.25, 0.0), (0.0, -1e-9), (f64::NAN, 0.0), (0.0, f64::NAN)]
        {
            assert_eq!(clock.from_parts(start, offset), None, "{start} {offset}");
        }
    }
}
