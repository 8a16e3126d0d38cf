//! Systems of one to three discs that touch, against equations of motion that are integrated.
//!
//! A heap of fifty discs shows whether laws are kept, and does not show whether forces are the right ones.
//! Of few discs all combinations of who presses, slips and rolls can be tried, and the one that fulfils
//! Coulomb's law can be integrated. Nothing of that is shared with the engine but vectors.
//!
//! A system is compared up to the time at which the law has no answer, or several, or at which two meet of
//! which one touches something else, or from which on a ten-millionth of gravity or speed changes it by more
//! than twenty times that. Mirrors at the axes and units that are powers of two times others are to give the
//! same bits.

mod draw;
mod law;
mod linear;
mod oracle;
mod played;
mod system;

pub use draw::{KINDS, drawn};
pub use oracle::{Aside, Path};
pub use played::{Pose, Refused, played};
pub use system::{Body, Motion, Shape, Surface, System};

/// The parts of the time at which motions are compared.
const TIMES: [f64; 7] = [0.003, 0.05, 0.2, 0.4, 0.6, 0.8, 1.0];
/// How far the engine may be off: of the largest speed so far, with that of a fall of the smallest disc.
///
/// The rest height of [`Rest::strict`](carom_engine::Rest::strict), 10⁻⁹ of the radius, is that of a fall to
/// 4.5 · 10⁻⁵ of `√(g R)`: what slips no faster, beside another slow contact, is stopped. The velocities of
/// pieces are of second order in their length, which the gap of 10⁻¹⁰ limits: 10⁻⁶ of the speeds. Where
/// friction comes to its limit a piece ends only if a thousandth of the accelerations is over it.
pub const TOLERANCE: f64 = 5e-5;
/// The same of a system whose motion comes nearer to the law with the height and the gap, and is within
/// [`TOLERANCE`] at 10⁻¹² of the radius. What rests beside a mass twenty times its own, and stops with a slow
/// slip of that, is changed by twenty times the slip; and velocities in the middle of a piece lack a sixth of
/// what the change of the force would add over it, which is most where a light disc rubs under a heavy one.
pub const COARSE: f64 = 1e-3;
/// How far a motion may depend on the order in which discs are inserted, in the same measure. Forces are
/// summed in another order then. Most systems have the same motion to 10⁻¹⁵, and of 4000 none has one that
/// differs by more than 2 · 10⁻⁸.
pub const ORDER: f64 = 1e-6;
/// Of gravity and speeds: what they are changed by to see how steady a motion is.
const NUDGE: f64 = 1e-7;
/// How many times such a change a steady motion changes by.
const STEADY: f64 = 20.0;
/// Of the speed of a fall: what is slower is at rest.
const STILL: f64 = 1e-12;

/// What came of a system.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The number of times at which it was compared.
    pub compared: usize,
    /// Why it was not compared at all of them.
    pub aside: Option<Aside>,
    /// The engine's reason for not playing it.
    pub refused: Option<Refused>,
    /// How far the engine is off at most: see [`TOLERANCE`].
    pub off: f64,
    /// How far off it is at the finest rest: see [`COARSE`]. Told of what is off by more than the tolerance.
    pub finest: Option<f64>,
    /// The first time at which it is off by more than the tolerance, as a part of the whole.
    pub since: Option<f64>,
    /// Ways of playing that give other bits and should not.
    pub differs: Vec<&'static str>,
    /// By how much it differs with its discs in the other order: see [`ORDER`].
    pub by_order: f64,
    /// Whether what should rest moves.
    pub moves: bool,
}

impl Outcome {
    /// Whether something is wrong.
    #[must_use]
    pub fn is_off(&self) -> bool {
        let is_far = self.off > COARSE || self.finest.is_some_and(|off| off > TOLERANCE);
        is_far || self.by_order > ORDER || self.moves || self.refused.is_some() || !self.differs.is_empty()
    }
}

/// A system with its gravity turned, or faster at the beginning, by [`NUDGE`].
fn nudged(system: &System, is_faster: bool) -> System {
    let mut nudged = system.clone();
    if !is_faster {
        nudged.gravity += nudged.gravity.perp() * NUDGE;
        return nudged;
    }
    for body in &mut nudged.bodies {
        body.velocity *= 1.0 + NUDGE;
        body.spin *= 1.0 + NUDGE;
    }
    for surface in &mut nudged.surfaces {
        surface.velocity *= 1.0 + NUDGE;
        surface.belt *= 1.0 + NUDGE;
    }
    nudged
}

/// By how much motions differ, as a part of `speed`: places by what that speed passes in `time`.
fn difference(system: &System, a: &[Motion], b: &[Motion], speed: f64, time: f64) -> f64 {
    let of = |(body, (a, b)): (&Body, (&Motion, &Motion))| {
        let velocity = a.velocity.distance(b.velocity).max(body.radius * (a.spin - b.spin).abs());
        velocity.max(a.place.distance(b.place) / time) / speed
    };
    system.bodies.iter().zip(a.iter().zip(b)).map(of).fold(0.0, f64::max)
}

/// The times at which a system is compared.
#[must_use]
pub fn times(system: &System) -> Vec<f64> {
    TIMES.map(|part| part * system.seconds).to_vec()
}

/// The motion of a system by the equations of motion, at its [`times`].
#[must_use]
pub fn integrated(system: &System) -> Path {
    oracle::path(system, &times(system))
}

/// Plays the system of a number, integrates it, and compares the two.
#[must_use]
pub fn system(number: u64) -> Outcome {
    match drawn(number) {
        Some(system) => compared(&system),
        None => Outcome { aside: Some(Aside::NoStart), ..Outcome::default() },
    }
}

/// Plays a system, integrates it, and compares the two.
#[must_use]
pub fn compared(system: &System) -> Outcome {
    let times = times(system);
    let path = oracle::path(system, &times);
    let mut outcome = Outcome { aside: path.end, ..Outcome::default() };
    if path.samples.is_empty() {
        return outcome;
    }
    let got = match played(system, &Pose::default(), &times) {
        Ok(got) => got,
        Err(refused) => return Outcome { refused: Some(refused), ..outcome },
    };
    outcome.differs = differences(system, &times, &got);
    let reversed = played(system, &Pose { is_reversed: true, ..Pose::default() }, &times);
    let others = [false, true].map(|is_faster| oracle::path(&nudged(system, is_faster), &times));
    let fall = system.fall();
    let mut speed = system.speed(&system.start());
    for (k, expected) in path.samples.iter().enumerate() {
        speed = speed.max(system.speed(expected));
        let off_by = |other: &Vec<Motion>| difference(system, expected, other, speed + fall, times[k]);
        let is_steady = |other: &Path| other.samples.get(k).is_some_and(|o| off_by(o) < STEADY * NUDGE);
        if !others.iter().all(is_steady) {
            outcome.aside = Some(Aside::Unsteady);
            break;
        }
        outcome.compared += 1;
        let off = off_by(&got[k]);
        outcome.off = outcome.off.max(off);
        outcome.moves |= speed < STILL * fall && system.speed(&got[k]) > STILL * fall;
        if off > TOLERANCE && outcome.since.is_none() {
            outcome.since = Some(times[k] / system.seconds);
        }
        let by_order =
            |other: &Vec<Vec<Motion>>| difference(system, &got[k], &other[k], speed + fall, times[k]);
        outcome.by_order = outcome.by_order.max(reversed.as_ref().map_or(f64::INFINITY, by_order));
    }
    if outcome.off > TOLERANCE {
        let finest = played(system, &Pose { is_finest: true, ..Pose::default() }, &times);
        let of = |got: Vec<_>| most_off(system, &path.samples[..outcome.compared], &got, &times);
        outcome.finest = Some(finest.map_or(f64::INFINITY, of));
    }
    outcome
}

/// How far motions are off at most.
fn most_off(system: &System, samples: &[Vec<Motion>], got: &[Vec<Motion>], times: &[f64]) -> f64 {
    let (fall, mut speed, mut most) = (system.fall(), system.speed(&system.start()), 0.0_f64);
    for (k, expected) in samples.iter().enumerate() {
        speed = speed.max(system.speed(expected));
        most = most.max(difference(system, expected, &got[k], speed + fall, times[k]));
    }
    most
}

/// The ways of playing a system that should give the same bits and do not.
fn differences(system: &System, times: &[f64], got: &[Vec<Motion>]) -> Vec<&'static str> {
    let usual = Pose::default();
    let ways = [
        ("mirrored in x", Pose { mirror: [-1.0, 1.0], ..usual }),
        ("mirrored in y", Pose { mirror: [1.0, -1.0], ..usual }),
        ("other masses", Pose { units: [8.0, 1.0, 1.0], ..usual }),
        ("other lengths and times", Pose { units: [1.0, 4.0, 0.5], ..usual }),
    ];
    let bits = |samples: &[Vec<Motion>]| -> Vec<[f64; 5]> {
        let of = |m: &Motion| [m.place.x, m.place.y, m.velocity.x, m.velocity.y, m.spin];
        samples.iter().flatten().map(of).collect()
    };
    let differs = |pose: &Pose| played(system, pose, times).map_or(true, |other| bits(&other) != bits(got));
    ways.iter().filter(|(_, pose)| differs(pose)).map(|(name, _)| *name).collect()
}
