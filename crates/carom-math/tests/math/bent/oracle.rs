//! What may be the first contact of a path, in many digits: roots of the gap, and its turns.

use super::families::Case;
use super::polynomial::{Number, Polynomial};
use crate::oracle::U;

pub(super) type Vector = carom_testkit::big::Vector<320>;

/// Within this many brackets of a length the closest approach to a line may be rounded to either side, and
/// to a circle, where twice the digits decide.
pub(super) const LINE_BAND: f64 = 2.0;
const CIRCLE_BAND: f64 = 0.05;

pub(super) type Candidate = crate::judge::Candidate<320>;

/// A gap that falls to zero where there is a contact.
pub(super) struct Gap<'a> {
    /// In proportion to a length.
    pub(super) gap: Polynomial,
    /// The width of what may be rounded to either side, in roundings of a place.
    pub(super) band: f64,
    /// What it is to be divided by at a time, to be a length.
    pub(super) per_length: &'a dyn Fn(&Number) -> f64,
    /// The rounding of a place at a time.
    pub(super) placing: &'a dyn Fn(f64) -> f64,
    /// The rounding of the rate of the gap.
    pub(super) rating: &'a dyn Fn(&Number) -> f64,
}

impl Gap<'_> {
    fn height(&self, t: &Number) -> f64 {
        self.gap.at(t).f64() / (self.per_length)(t)
    }

    /// `U (B/c + t)`, with the speed of closing `c`.
    fn bracket(&self, t: &Number) -> f64 {
        let closing = (self.gap.derivative().at(t).f64() / (self.per_length)(t)).abs();
        (self.placing)(t.f64()) / closing + U * t.f64()
    }

    /// The rounding of the time of a turn.
    fn turning(&self, t: &Number) -> f64 {
        let bend = self.gap.derivative().derivative().at(t).f64().abs();
        (self.rating)(t) / bend + U * t.f64()
    }

    /// The time in which the gap leaves a band, from a turn.
    fn spread(&self, t: &Number, band: f64) -> f64 {
        let bend = self.gap.derivative().derivative().at(t).f64().abs() / (self.per_length)(t);
        (2.0 * band / bend).sqrt()
    }

    /// All that may be the contact, in order of time: starts, roots and turns of the gap, after which it
    /// falls and is not positive. A closest approach within the band of rounding may be either side of
    /// zero.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let mut events = vec![(Number::zero(), false)];
        let turns = self.gap.derivative().roots();
        events.extend(self.gap.roots_between(&turns).into_iter().map(|t| (t, true)));
        events.extend(turns.into_iter().map(|t| (t, false)));
        events.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        let mut found = Vec::new();
        for (k, (t, is_root)) in events.iter().enumerate() {
            let end = events.get(k + 1).map_or_else(|| t + &(t + &Number::new(1.0)), |next| next.0.clone());
            let (value, next) = (self.gap.at(t), self.gap.at(&(&Number::new(0.5) * &(t + &end))));
            let band = self.band * (self.placing)(t.f64());
            let is_turn = |event: &&(Number, bool)| !event.1;
            // The next closest approach, if the gap falls here.
            let closest = events[k + 1..].iter().find(is_turn).map_or(&end, |(t, _)| t);
            let band_there = self.band * (self.placing)(closest.f64());
            if *is_root {
                let certain = -self.height(closest) > band_there;
                if next.is_negative() {
                    found.push(Candidate { time: t.clone(), unit: self.bracket(t), certain });
                }
            } else if next < value && k == 0 {
                if !value.is_positive() {
                    let sinks = self.gap.derivative().at(t).f64().abs() > 4.0 * (self.rating)(t);
                    // At a line within rounding it may start apart, and turn before it gets there.
                    let is_inside = self.height(t) < -band || -self.height(closest) > band_there;
                    let unit = if self.height(t) < -band { f64::MIN_POSITIVE } else { self.bracket(t) };
                    found.push(Candidate { time: t.clone(), unit, certain: sinks && is_inside });
                }
            } else if next < value && self.height(t) <= band {
                let certain = self.height(t) < -band && self.height(t) - self.height(closest) > band_there;
                // At a turn that may be taken for one inside or outside.
                let spread = if self.height(t).abs() <= band { self.spread(t, band) } else { 0.0 };
                found.push(Candidate { time: t.clone(), unit: self.turning(t) + spread, certain });
            } else if k > 0 && next >= value && self.height(t).abs() <= band {
                let unit = self.spread(t, band) + U * t.f64();
                found.push(Candidate { time: t.clone(), unit, certain: false });
            }
        }
        found
    }
}

/// The multiple of the unit by which a time errs.
pub(super) fn judge(got: Option<f64>, candidates: &[Candidate]) -> Result<f64, String> {
    let shown = || candidates.iter().map(|c| (c.time.f64(), c.unit, c.certain)).collect::<Vec<_>>();
    let first_certain = candidates.iter().position(|c| c.certain);
    let Some(t) = got else {
        return if first_certain.is_some() { Err(format!("missed: {:?}", shown())) } else { Ok(0.0) };
    };
    let allowed = &candidates[..first_certain.map_or(candidates.len(), |k| k + 1)];
    let multiple = |c: &Candidate| match c.time.distance(t) {
        0.0 => 0.0,
        error => error / c.unit,
    };
    match allowed.iter().map(multiple).reduce(f64::min) {
        None => Err(format!("invented: {t:e}")),
        Some(m) if m > 4.0 => Err(format!("{t:e} is {m:e} units from {:?}", shown())),
        Some(m) => Ok(m),
    }
}

fn times(factor: f64, x: &Number) -> Number {
    &Number::new(factor) * x
}

/// A path in many digits.
pub(super) struct Path {
    case: Case,
    pub(super) d: Vector,
    pub(super) v: Vector,
    pub(super) half: Vector,
}

impl Path {
    pub(super) fn new(case: &Case) -> Path {
        let half = Vector::from(case.a).times(&Number::new(0.5));
        Path { case: *case, d: case.d.into(), v: case.v.into(), half }
    }

    /// `|x| `.
    pub(super) fn distance(&self, t: &Number) -> f64 {
        self.d.ahead(&self.v, t).ahead(&self.half, &t.squared()).length()
    }

    /// `U (|d| + |v| t + ½ |a| t² + R)`.
    pub(super) fn placing(&self, t: f64) -> f64 {
        let Case { d, v, a, reach } = self.case;
        U * (d.length() + v.length() * t + 0.5 * a.length() * t * t + reach)
    }

    /// The rounding of `2 x·w`.
    fn rating(&self, t: &Number) -> f64 {
        let speed = self.case.v.length() + self.case.a.length() * t.f64();
        2.0 * speed * (self.placing(t.f64()) + U * self.distance(t))
    }

    /// `|x|² − R²`.
    fn squared_gap(&self) -> Polynomial {
        let Path { d, v, half, .. } = self;
        Polynomial(vec![
            d.dot(d) - Number::new(self.case.reach).squared(),
            times(2.0, &d.dot(v)),
            v.dot(v) + times(2.0, &d.dot(half)),
            times(2.0, &v.dot(half)),
            half.dot(half),
        ])
    }

    /// Crossings of the circle inwards, or outwards.
    pub(super) fn contacts(&self, outwards: bool) -> Vec<Candidate> {
        let gap = self.squared_gap();
        let gap = if outwards { Polynomial(gap.0.iter().map(|c| -c).collect()) } else { gap };
        let per_length = |t: &Number| self.distance(t) + self.case.reach;
        let (placing, rating) = (|t: f64| self.placing(t), |t: &Number| self.rating(t));
        Gap { gap, band: CIRCLE_BAND, per_length: &per_length, placing: &placing, rating: &rating }
            .candidates()
    }

    /// Crossings of the circle on which it starts, after that: the start is divided out. Inwards it is
    /// taken to start outwards, and the other way round.
    pub(super) fn contacts_again(&self, outwards: bool) -> Vec<Candidate> {
        let Path { d, half, .. } = self;
        let rate = d.dot(&self.v);
        let parts = if outwards { rate.is_negative() } else { rate.is_positive() };
        let v = if parts { self.v.clone() } else { self.v.minus(&d.times(&rate.over(&d.dot(d)))) };
        let pressing = v.dot(&v) + times(2.0, &d.dot(half));
        let mut gap = vec![pressing.clone(), times(2.0, &v.dot(half)), half.dot(half)];
        if parts {
            gap.insert(0, times(2.0, &rate));
        }
        let gap = Polynomial(gap.iter().map(|c| if outwards { -c } else { c.clone() }).collect());
        let power = if parts { 1 } else { 2 };
        let start = d.length();
        let per_length = |t: &Number| (self.distance(t) + start) / t.f64().powi(power);
        let (placing, rating) = (|t: f64| self.placing(t), |t: &Number| self.rating(t));
        let found =
            Gap { gap, band: CIRCLE_BAND, per_length: &per_length, placing: &placing, rating: &rating }
                .candidates();
        if parts {
            // At the start the gap over `t` has the sign of the rate.
            return found;
        }
        let presses = if outwards { pressing.is_positive() } else { pressing.is_negative() };
        let certain = pressing.abs().f64() > 8.0 * U * (v.dot(&v).f64() + start * self.case.a.length());
        let now = Candidate { time: Number::zero(), unit: f64::MIN_POSITIVE, certain: presses && certain };
        let rest = found.into_iter().filter(|c| c.time.is_positive());
        match (presses, certain) {
            (true, true) => vec![now],
            (false, true) => rest.collect(),
            (_, false) => [now].into_iter().chain(rest.map(|c| Candidate { certain: false, ..c })).collect(),
        }
    }
}
