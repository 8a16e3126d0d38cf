use super::path::Path;
use super::{Motion, root};
use crate::DVec2;
use crate::toi::{Encounter, disc_disc_encounter};

/// The times at which a centre is in a closed set, past and future, in order: in seconds from the moment at
/// which its motion holds. A graze is no stay.
///
/// A path that begins in the set has a stay from a negative time on, or from −∞; so it can be told how near
/// each border is, in time, where a place is on it within rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stays {
    stays: [[f64; 2]; 4],
    len: usize,
}

impl Stays {
    /// Never in the set.
    pub const NEVER: Stays = Stays { stays: [[0.0; 2]; 4], len: 0 };
    /// Always in it.
    pub const ALWAYS: Stays = Stays::one(f64::NEG_INFINITY, f64::INFINITY);

    const fn one(from: f64, to: f64) -> Stays {
        Stays { stays: [[from, to], [0.0; 2], [0.0; 2], [0.0; 2]], len: 1 }
    }

    fn push(&mut self, from: f64, to: f64) {
        // A parabola crosses a circle at most four times; what rounding adds to that is left out.
        if from < to && self.len < self.stays.len() {
            self.stays[self.len] = [from, to];
            self.len += 1;
        }
    }

    /// Beginning and end of each.
    #[must_use]
    pub fn as_slice(&self) -> &[[f64; 2]] {
        &self.stays[..self.len]
    }
}

/// When a height `gap + rate t + bend t²` is not positive: at most two stays.
///
/// Each time is off by at most that in which the height changes by a few ulps of its terms.
#[must_use]
pub fn stays_below(gap: f64, rate: f64, bend: f64) -> Stays {
    let (a, b, c) = if bend < 0.0 { (-bend, -0.5 * rate, -gap) } else { (bend, 0.5 * rate, gap) };
    if !(a > 0.0) {
        return match () {
            () if rate < 0.0 => Stays::one(gap / -rate, f64::INFINITY),
            () if rate > 0.0 => Stays::one(f64::NEG_INFINITY, -gap / rate),
            () if gap <= 0.0 => Stays::ALWAYS,
            () => Stays::NEVER,
        };
    }
    let mut stays = Stays::NEVER;
    match (root::of_quadratic(a, b, c), bend < 0.0) {
        (Some((first, second)), false) => stays.push(first, second),
        (Some((first, second)), true) => {
            stays.push(f64::NEG_INFINITY, first);
            stays.push(second, f64::INFINITY);
        }
        (None, false) => {}
        (None, true) => return Stays::ALWAYS,
    }
    stays
}

/// When a centre is within a circle of this radius around the origin: at most two stays, of a straight path
/// one.
///
/// Beginnings have the accuracy of [`crate::toi::disc_disc`] and of [`super::disc_disc`], ends that of the
/// same path flown backwards.
#[must_use]
pub fn stays_within(centre: &Motion, radius: f64) -> Stays {
    if !centre.is_straight() {
        return on_parabola(centre, radius);
    }
    match disc_disc_encounter(centre.position, centre.velocity, radius) {
        Encounter::Never | Encounter::Graze(_) => Stays::NEVER,
        Encounter::Through { enter, exit } => {
            let mut stays = Stays::NEVER;
            stays.push(enter, exit);
            stays
        }
        Encounter::Always => Stays::ALWAYS,
    }
}

/// [`stays_within`] on a parabola.
///
/// The distance from the middle is monotone in at most four pieces, and crosses the circle at most once in
/// each; what is past are the pieces of the path flown backwards.
#[cold]
fn on_parabola(centre: &Motion, radius: f64) -> Stays {
    let ahead = centre.path_from(DVec2::ZERO);
    let starts_inside = !(ahead.gap_decided(0.0, radius) > 0.0);
    if !starts_inside && ahead.stays_outside(0.0, radius) {
        return Stays::NEVER;
    }
    let (future, since) = (from_now(&ahead, radius, starts_inside), Path { v: -ahead.v, ..ahead });
    let past = from_now(&since, radius, starts_inside);
    let mut stays = Stays::NEVER;
    for &[from, to] in past.as_slice().iter().rev() {
        if from > 0.0 {
            stays.push(-to, -from);
        }
    }
    let begun = past.as_slice().first().filter(|_| starts_inside);
    for (k, &[from, to]) in future.as_slice().iter().enumerate() {
        let from = begun.filter(|_| k == 0).map_or(from, |[_, since]| -since);
        stays.push(from, to);
    }
    stays
}

/// The stays from the present on. The first begins at 0 if the path starts inside.
fn from_now(path: &Path, radius: f64, starts_inside: bool) -> Stays {
    let (mut stays, mut since) = (Stays::NEVER, starts_inside.then_some(0.0));
    for piece in path.pieces(radius) {
        match since {
            None if piece.falls => since = path.crossing_in(&piece, radius),
            Some(from) if !piece.falls => {
                if let Some(to) = path.crossing_in(&piece, radius) {
                    stays.push(from, to);
                    since = None;
                }
            }
            _ => {}
        }
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(stays: &Stays, t: f64) -> bool {
        stays.as_slice().iter().any(|[from, to]| *from <= t && t <= *to)
    }

    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            // Knuth's multiplier, MMIX.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// Against the sign of the height at many times, but where that is rounding.
    #[test]
    fn below_a_line() {
        let mut next = numbers(1);
        for k in 0..2000 {
            let (gap, rate) = (next(), next());
            let bend = if k % 4 == 0 { 0.0 } else { next() };
            let stays = stays_below(gap, rate, bend);
            for _ in 0..50 {
                let t = 6.0 * next();
                let height = gap + rate * t + bend * t * t;
                assert!(height.abs() < 1e-12 || holds(&stays, t) == (height <= 0.0), "{stays:?} {t}");
            }
        }
        assert_eq!(stays_below(0.0, 0.0, 0.0), Stays::ALWAYS);
        assert_eq!(stays_below(0.0, 0.0, 1.0), Stays::NEVER);
        assert_eq!(stays_below(0.0, 0.0, -1.0).as_slice().len(), 1);
    }

    /// Against the distance at many times, past and future, and with as many ends as that has changes.
    #[test]
    fn within_a_circle() {
        let mut next = numbers(2);
        let mut most = 0;
        for k in 0..4000 {
            let acceleration = if k % 4 == 0 { DVec2::ZERO } else { DVec2::new(next(), next()) };
            let (position, velocity) = (DVec2::new(next(), next()) * 2.0, DVec2::new(next(), next()));
            let centre = Motion { position, velocity, acceleration, radius: 0.0 };
            let radius = 0.5 * (next() + 1.0) + 0.01;
            let stays = stays_within(&centre, radius);
            most = most.max(stays.as_slice().len());
            for _ in 0..50 {
                let t = 6.0 * next();
                let gap = centre.after(t).position.length() - radius;
                assert!(gap.abs() < 1e-9 || holds(&stays, t) == (gap <= 0.0), "{k}: {stays:?} {t} {gap}");
            }
        }
        assert_eq!(most, 2, "some paths come twice");
    }
}
