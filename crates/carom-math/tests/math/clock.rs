//! Two-part time against exact arithmetic.

use std::cmp::Ordering;

use carom_math::{Clock, Time};
use proptest::prelude::*;

use crate::cases::{decades, ulps};
use crate::oracle::{Big, U};
use crate::run::law;

fn exact(t: Time) -> Big {
    Big::new(t.epoch_start()) + Big::new(t.offset())
}

fn clocks() -> impl Strategy<Value = Clock> {
    one_of![3 => Just(-10), 1 => -60i32..61].prop_map(|e| Clock::new(2f64.powi(e)).unwrap())
}

/// Durations in epochs: tiny, many epochs, whole epochs and an ulp to either side.
fn durations() -> impl Strategy<Value = f64> {
    one_of![
        4 => (decades(-18.0, 12.0), 1.0..10.0).prop_map(|(s, m)| s * m),
        2 => (0i64..1000, -2i64..3).prop_map(|(n, k)| ulps(n as f64, k)),
        1 => (-3i64..0).prop_map(|k| ulps(1.0, k)),
        1 => Just(0.0),
        1 => Just(f64::from_bits(1)),
    ]
}

/// Ages in epochs: new, 10⁹ s of the default clock (10¹² epochs), just before the horizon.
fn ages() -> impl Strategy<Value = f64> {
    one_of![Just(0.0), Just(1.024e12), 0.0..1e13, Just((1u64 << 51) as f64 - 1.0)]
}

/// A clock and one of its moments, at any offset into its epoch.
fn moments() -> impl Strategy<Value = (Clock, Time)> {
    (clocks(), ages(), durations()).prop_map(|(clock, age, more)| {
        let start = clock.at(age * clock.epoch());
        let moved = clock.after(start, more.fract() * clock.epoch());
        (clock, if moved.is_never() { start } else { moved })
    })
}

fn well_formed(clock: &Clock, t: Time) -> bool {
    let epochs = t.epoch_start() / clock.epoch();
    let start = t.epoch_start() >= 0.0 && epochs.fract() == 0.0 && t.epoch_start() < clock.horizon();
    t.is_never() || start && (0.0..clock.epoch()).contains(&t.offset())
}

/// A program of steps: each moment is the one before plus the duration, in units of `E · 2⁻⁵³`, one rounding
/// of a number below 2E. What `since` says of a step, `after` does again, to one rounding each, in units of
/// `E · 2⁻⁵³` and half an ulp of the duration.
#[test]
fn programs_of_steps() {
    let cases = (moments(), prop::collection::vec(durations(), 1..20));
    law("Clock::after", 20_000, 1.0, cases, |((clock, start), steps)| {
        let unit = clock.epoch() * U;
        let mut now = start;
        let mut largest = 0.0f64;
        for step in steps {
            let dt = step * clock.epoch();
            let next = clock.after(now, dt);
            if !well_formed(&clock, next) {
                return Err(format!("{next:?} after {dt:e} from {now:?}"));
            }
            let sum = exact(now) + Big::new(dt);
            if next.is_never() {
                let beyond = sum + Big::new(unit) >= Big::new(clock.horizon());
                return if beyond { Ok(largest) } else { Err(format!("{now:?} + {dt:e} is no moment")) };
            }
            largest = largest.max((exact(next) - sum).abs().f64() / unit);
            let dt = next.since(now);
            let again = clock.after(now, dt);
            let off = || (exact(again) - exact(next)).abs().f64() / (unit + U * dt);
            assert!(again.is_never() || off() <= 2.0, "{again:?} {next:?} after {now:?}");
            assert_eq!(clock.from_parts(next.epoch_start(), next.offset()), Some(next));
            assert_eq!(Time::from_stored(next.epoch_start(), next.offset()), next);
            now = next;
        }
        Ok(largest)
    });
}

/// Differences, in units of `E · 2⁻⁵⁴` plus half an ulp of the result; antisymmetric. The order is that of
/// exact sums.
#[test]
fn differences_and_order() {
    let cases = (moments(), durations(), durations());
    law("Time::since", 60_000, 1.0, cases, |((clock, start), first, second)| {
        let [a, b] = [first, second].map(|dt| clock.after(start, dt * clock.epoch()));
        let is_never = a.is_never() || b.is_never();
        let order = if is_never { a.cmp(&b) } else { exact(a).partial_cmp(&exact(b)).unwrap() };
        assert_eq!((a.cmp(&b), a.partial_cmp(&b)), (order, Some(order)));
        assert_eq!([a.is_before(b), a == b], [order == Ordering::Less, order == Ordering::Equal]);
        assert_eq!(a.latest(b), a.max(b));
        if is_never {
            return Ok(0.0);
        }
        let (difference, got) = (exact(a) - exact(b), a.since(b));
        assert_eq!(b.since(a), -got);
        assert!(got == 0.0 || (got > 0.0) == (a > b), "{got:e}");
        Ok(difference.distance(got) / (clock.epoch() * U / 2.0 + U * difference.abs().f64()))
    });
}

/// Later is later: `after` in its duration and `since` in both arguments never go backwards.
#[test]
fn monotonic() {
    let near = (durations(), 0i64..3).prop_map(|(x, k)| (x, ulps(x, k)));
    let cases = (moments(), one_of![(durations(), durations()), near], durations());
    law("monotonic", 60_000, 0.0, cases, |((clock, start), (x, y), other)| {
        let (x, y) = (x.min(y), x.max(y));
        let after = |x: f64| clock.after(start, x * clock.epoch());
        let (a, b, c) = (after(x), after(y), after(other));
        assert!(a <= b && start <= a, "{a:?} {b:?}");
        if !(b.is_never() || c.is_never()) {
            assert!(a.since(c) <= b.since(c), "{a:?} {b:?} {c:?}");
            assert!(c.since(a) >= c.since(b), "{a:?} {b:?} {c:?}");
        }
        Ok(0.0)
    });
}

/// A billion seconds old: a million steps of a nanosecond and a bit are still that, where one `f64` of
/// seconds, whose neighbours are 10⁻⁷ s apart, does not move at all.
#[test]
fn old_age() {
    let clock = Clock::new(Clock::DEFAULT_EPOCH).unwrap();
    let (start, dt, steps) = (clock.at(1e9), 1.1e-9, 1_000_000);
    let mut now = start;
    let mut naive = 1e9;
    for _ in 0..steps {
        now = clock.after(now, dt);
        naive += dt;
    }
    let expected = Big::new(dt) * Big::new(f64::from(steps));
    // Half an ulp of an offset below 2⁻¹⁰ is 2⁻⁶⁴ s a step.
    let error = (exact(now) - exact(start) - expected).abs().f64();
    assert!(error <= f64::from(steps) * 2f64.powi(-64), "{error:e}");
    assert_eq!(naive, 1e9, "one f64 stands still");
    assert!((now.since(start) - 1.1e-3).abs() < 1e-12);
}

/// The horizon is the first moment that has no parts, and no part has the sign of a zero.
#[test]
fn parts_at_the_borders() {
    let clock = Clock::new(0.25).unwrap();
    let last = clock.horizon() - clock.epoch();
    assert_eq!(clock.from_parts(clock.horizon(), 0.0), None);
    assert_eq!(clock.from_parts(last, 0.0), Some(clock.at(last)));
    let zero = clock.from_parts(-0.0, -0.0).unwrap();
    assert_eq!([zero.epoch_start().to_bits(), zero.offset().to_bits()], [0, 0]);
}

/// Time goes one way: there is no moment a negative duration after another.
#[test]
fn nothing_is_before_now() {
    let clock = Clock::new(1.0).unwrap();
    for now in [Time::ZERO, clock.at(1e9 + 0.25)] {
        assert_eq!(clock.after(now, -0.0), now);
        for dt in [-5e-324, -0.125, -1.0, -1e9, f64::NEG_INFINITY] {
            assert!(clock.after(now, dt).is_never(), "{dt} after {now:?}");
        }
    }
}

#[test]
fn never_is_last_and_stays() {
    let clock = Clock::new(1.0).unwrap();
    let late = clock.at(clock.horizon() - 1.0);
    assert!(late < Time::NEVER && Time::NEVER.is_never() && !late.is_never());
    assert!(clock.after(Time::NEVER, 0.0).is_never() && clock.after(late, f64::NAN).is_never());
    assert_eq!(Time::NEVER.since(late), f64::INFINITY);
    assert_eq!(late.latest(Time::NEVER), Time::NEVER);
    assert_eq!(Time::default(), Time::ZERO);
}
