use carom_math::eft::DoubleDouble;
use carom_math::elementary::{exp_m1, ln_1p};
use carom_math::{Clock, Time};
use core::f64::consts::LN_2;

/// What ln 2 is more than its double.
const LN_2_REST: f64 = 2.3190468138462996e-17;

/// Half-lives before the end of a slow clock that have starts of their own. What is later lies within 2⁻¹⁰⁰
/// of the lifetime from the end.
const MOST: usize = 100;

/// Half-lives beyond which no time is looked at: 2⁶⁰.
const MOST_EVER: f64 = (1_u64 << 60) as f64;

/// Doublings between the length of an epoch and the lifetime.
const EPOCHS: i64 = 50;

/// The clock on which the paths of discs are straight that slow down at a rate k: t′ = (1 − e^(−k t))/k.
///
/// It runs from 0 to the *lifetime* 1/k, which it never reaches. A disc of velocity v at its beginning is
/// v t′ from its place then. Half of the lifetime that is left passes in each *half-life* ln 2/k. Starts of
/// half-lives are exact on the slow clock, R(1 − 2⁻ⁿ), and times are converted within one half-life: so a
/// true time is off by a few ulp of the time since its half-life began, however far the clock has run down.
///
/// The epochs of the slow clock are 2⁻⁵⁰ of its lifetime, so that what is left of it is known to 53 bits for
/// 50 half-lives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SlowClock {
    rate: f64,
    lifetime: f64,
    /// ln 2/k.
    half_life: DoubleDouble,
    /// The clock of true times, and the true time at which the first half-life began.
    pub(crate) true_clock: Clock,
    origin: Time,
    pub(crate) clock: Clock,
    /// When the lifetime is over.
    end: Time,
    /// When each half-life begins, until nothing is left that could be told from 0.
    starts: Vec<Time>,
}

impl SlowClock {
    /// The clock for a rate from 10⁻¹² to 10⁹ a second; `None` where moments of the true clock are more than
    /// 2⁻¹³ lifetimes apart.
    pub(crate) fn new(rate: f64, true_clock: Clock, start: f64) -> Option<Self> {
        let lifetime = 1.0 / rate;
        let power = |k: i64| f64::from_bits(((1023 + k) as u64) << 52);
        if true_clock.epoch() * power(-40) > lifetime {
            return None;
        }
        let exponent = (lifetime.to_bits() >> 52) as i64 - 1023;
        let clock = Clock::new(power((exponent - EPOCHS).max(-60)))?;
        let end = clock.at(lifetime);
        let mut starts = vec![Time::ZERO];
        let mut left = lifetime;
        for _ in 0..MOST {
            left *= 0.5;
            let start = clock.after(starts[starts.len() - 1], left);
            if start >= end {
                break;
            }
            starts.push(start);
        }
        let half_life = DoubleDouble::from_parts(LN_2, LN_2_REST) / DoubleDouble::from(rate);
        Some(SlowClock {
            rate,
            lifetime,
            half_life,
            true_clock,
            origin: true_clock.at(start),
            clock,
            end,
            starts,
        })
    }

    /// The latest time on the slow clock at which anything happens.
    pub(crate) fn last(&self) -> Time {
        self.starts[self.starts.len() - 1]
    }

    /// True velocities as a fraction of those on the slow clock: 1 at its beginning, ½ after a half-life.
    pub(crate) fn pace(&self, time: Time) -> f64 {
        self.left(time) / self.lifetime
    }

    /// As [`SlowClock::pace`], at a true time on a clock that began with half-life `base`.
    pub(crate) fn true_pace(&self, base: u64, time: Time) -> f64 {
        let half_life = self.true_half_lives(time);
        let since = time.since(self.true_start(half_life)).max(0.0);
        let part = 1.0 + exp_m1(-(self.rate * since));
        let over = half_life.saturating_sub(base).min(2000) as usize;
        // Each of the two is within the range of powers.
        part / power_of_two(over / 2) / power_of_two(over - over / 2)
    }

    /// What is left of the lifetime.
    pub(crate) fn left(&self, time: Time) -> f64 {
        self.end.since(time)
    }

    /// How many half-lives are over on the slow clock.
    pub(crate) fn half_lives(&self, time: Time) -> usize {
        self.starts.partition_point(|start| *start <= time) - 1
    }

    /// How many half-lives are over at a true time.
    pub(crate) fn true_half_lives(&self, time: Time) -> u64 {
        let mut n = (time.since(self.origin) * self.rate / LN_2).min(MOST_EVER) as u64;
        // The quotient is rounded, and so are the starts.
        if self.true_start(n) > time {
            n = n.saturating_sub(1);
        } else if self.true_start(n + 1) <= time {
            n += 1;
        }
        n
    }

    /// The true time at which half-life `n` begins; monotonic.
    pub(crate) fn true_start(&self, n: u64) -> Time {
        let since = DoubleDouble::from(n as f64) * self.half_life;
        let whole = since.to_f64();
        let rest = (since - DoubleDouble::from(whole)).to_f64();
        let (whole, rest) =
            if rest < 0.0 { (whole.next_down(), (whole - whole.next_down()) + rest) } else { (whole, rest) };
        self.true_clock.after(self.true_clock.after(self.origin, whole), rest)
    }

    /// The true time of one on a slow clock that began with half-life `base`; monotonic.
    pub(crate) fn true_time(&self, base: u64, time: Time) -> Time {
        let n = self.half_lives(time);
        let decay = (time.since(self.starts[n]) * power_of_two(n) * self.rate).min(0.5);
        let since = -ln_1p(-decay) / self.rate;
        let half_life = base + n as u64;
        self.true_clock.after(self.true_start(half_life), since).min(self.true_start(half_life + 1))
    }

    /// A true time on a slow clock that began with half-life `base`; monotonic. At most [`SlowClock::last`].
    pub(crate) fn slow_time(&self, base: u64, time: Time) -> Time {
        let half_life = self.true_half_lives(time);
        let n = half_life.saturating_sub(base).min(MOST as u64) as usize;
        if n + 1 >= self.starts.len() {
            return self.last();
        }
        let since = time.since(self.true_start(half_life)).max(0.0);
        let way = -exp_m1(-(self.rate * since)) * self.lifetime / power_of_two(n);
        self.clock.after(self.starts[n], way).min(self.starts[n + 1])
    }
}

/// 2ⁿ.
pub(crate) fn power_of_two(n: usize) -> f64 {
    f64::from_bits((1023 + n.min(1023) as u64) << 52)
}
