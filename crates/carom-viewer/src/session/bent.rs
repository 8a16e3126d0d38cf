//! When two discs touch that do not move uniformly relative to each other: by friction, or a thruster.

use super::seen::SeenDisc;
use carom_engine::DVec2;
use carom_engine::math::toi::bent::{Motion, stays_within};

/// The motion of a disc from the present on: a parabola, until friction has stopped it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    velocity: DVec2,
    pub(super) acceleration: DVec2,
    /// In how many seconds it stops; infinite if never.
    pub(super) until: f64,
}

impl Leg {
    /// Of a disc in a world in which it is so heavy for its mass.
    pub(super) fn of(disc: &SeenDisc, weight: f64) -> Self {
        let (velocity, acceleration) = (disc.velocity(), disc.acceleration());
        let slowing = disc.body().friction * weight;
        let until = if slowing > 0.0 { velocity.length() / slowing } else { f64::INFINITY };
        Leg { velocity, acceleration, until }
    }

    /// How far it is in `s` seconds from where it is now. Of the past it is the same parabola.
    pub(super) fn way(&self, s: f64) -> DVec2 {
        let s = s.min(self.until);
        (self.velocity + self.acceleration * (0.5 * s)) * s
    }

    /// Velocity and acceleration just after `s` seconds.
    fn after(&self, s: f64) -> [DVec2; 2] {
        if s >= self.until {
            return [DVec2::ZERO; 2];
        }
        [self.velocity + self.acceleration * s, self.acceleration]
    }
}

/// The contact times that come, or, if none do, the last ones that were; the second one is infinite if they
/// do not part. `d` is from the first disc to the second, which touch at a distance of `reach`.
pub(super) fn contacts(d: DVec2, [a, b]: [Leg; 2], reach: f64) -> Option<(f64, f64)> {
    let stops = [a.until.min(b.until), a.until.max(b.until)];
    let mut begins = vec![f64::NEG_INFINITY];
    begins.extend(stops.into_iter().filter(|stop| stop.is_finite()));
    let mut times: Vec<(f64, f64)> = Vec::new();
    for (k, &begin) in begins.iter().enumerate() {
        let end = begins.get(k + 1).copied().unwrap_or(f64::INFINITY);
        let from = if begin.is_finite() { begin } else { 0.0 };
        let [velocity, acceleration] = [0, 1].map(|k| b.after(from)[k] - a.after(from)[k]);
        let position = d + b.way(from) - a.way(from);
        let centre = Motion { position, velocity, acceleration, radius: 0.0 };
        for &[enter, exit] in stays_within(&centre, reach).as_slice() {
            let (enter, exit) = ((enter + from).max(begin), (exit + from).min(end));
            match times.last_mut() {
                // They go on touching where one of them stops.
                Some(last) if last.1 == begin && enter == begin => last.1 = last.1.max(exit),
                _ if enter < exit => times.push((enter, exit)),
                _ => {}
            }
        }
    }
    times.iter().find(|stay| stay.1 >= 0.0).or(times.last()).copied()
}
