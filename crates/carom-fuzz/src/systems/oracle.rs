//! The equations of motion, integrated: modes by [`law`](super::law), steps of Dormand and Prince (J. Comput.
//! Appl. Math. 6 (1980) 19) from one change of modes to the next, and these located by halving.

use super::law::{Answer, Kept, Mode, Question, Touch};
use super::system::{First, LOCKED, Link, Motion, System};
use carom_engine::DVec2;

/// Of the accelerations: by how much a condition may fail before it ends a mode, and by how much it may fail
/// where modes are chosen.
const FAILS: f64 = 1e-9;
const HOLDS: f64 = 3e-9;
/// Of the accelerations: two answers that differ by more are two.
const TWO: f64 = 1e-6;
/// Of the speeds, and of the size: what counts as 0.
const SLOW: f64 = 1e-11;
const NEAR: f64 = 1e-10;
/// Of the speeds: an error of a step.
const ERROR: f64 = 1e-12;
/// Of the speeds: a slower approach is rounding.
const SOFT: f64 = 1e-7;
/// Combinations of modes, and changes of them, at most.
const MANY: usize = 100_000;
/// Combinations up to which it is asked again and again whether there is one answer, and how often.
const FEW: usize = 2_000;
const ASKED: f64 = 40.0;
const CHANGES: usize = 200;

/// Why a motion is not known beyond some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aside {
    /// No velocities agree with all that touch.
    NoStart,
    /// Discs overlap at the beginning.
    Overlaps,
    /// The law has no answer.
    NoAnswer,
    /// The law has several answers.
    Several,
    /// There are too many combinations to try.
    Many,
    /// Two bodies meet, and one of them touches a third.
    Impact,
    /// Modes change without an end.
    Endless,
    /// A millionth more or less of gravity or speed changes it by far more.
    Unsteady,
}

/// A motion at the times that were asked for, as far as it is known.
#[derive(Clone, Debug)]
pub struct Path {
    /// The motions at each time.
    pub samples: Vec<Vec<Motion>>,
    /// Why there are no more.
    pub end: Option<Aside>,
    /// The number of times at which modes changed.
    pub changes: usize,
}

struct Course<'a> {
    system: &'a System,
    links: Vec<Link>,
    motions: Vec<Motion>,
    time: f64,
    touches: Vec<Touch>,
    modes: Vec<Mode>,
    step: f64,
    /// When it is asked next whether there is one answer.
    asks: f64,
    changes: usize,
}

/// The motion of a system at these times.
pub(super) fn path(system: &System, times: &[f64]) -> Path {
    let mut course = Course::new(system);
    let mut samples = Vec::new();
    let mut end = course.begin().err();
    for &time in times {
        if end.is_none() {
            end = course.go_to(time).err();
        }
        if end.is_none() {
            samples.push(course.motions.clone());
        }
    }
    Path { samples, end, changes: course.changes }
}

/// The system with the least change of velocities at which nothing that touches closes or opens, and what
/// sticks for sure, or all if `rolls`, does not slip.
pub(super) fn consistent(system: &System, rolls: bool) -> Option<System> {
    let mut course = Course::new(system);
    let touching = |link: &Link| {
        let at = system.geometry(link, &course.motions, 0.0);
        at.gap.abs() < NEAR * at.size
    };
    for k in (0..course.links.len()).filter(|&k| touching(&course.links[k])) {
        let slides = !rolls && course.links[k].rough[0] < LOCKED;
        course.touches.push(Touch { link: k, ways: [i8::from(slides), i8::from(!rolls)] });
    }
    course.modes = course.touches.iter().map(|touch| Mode::Pressed(touch.ways)).collect();
    for _ in 0..3 {
        course.stop(false)?;
    }
    let mut system = system.clone();
    for (body, motion) in system.bodies.iter_mut().zip(&course.motions) {
        (body.velocity, body.spin) = (motion.velocity, motion.spin);
    }
    let left = course.speeds_kept();
    (left <= 1e-12 * course.speed().max(f64::MIN_POSITIVE)).then_some(system)
}

/// The system with the least change of places at which these links touch.
pub(super) fn joined(system: &System, links: &[usize]) -> Option<System> {
    let mut course = Course::new(system);
    course.touches = links.iter().map(|&link| Touch { link, ways: [1, 1] }).collect();
    course.modes = course.touches.iter().map(|touch| Mode::Pressed(touch.ways)).collect();
    for _ in 0..30 {
        course.close()?;
    }
    let mut system = system.clone();
    for (body, motion) in system.bodies.iter_mut().zip(&course.motions) {
        body.place = motion.place;
    }
    let at = |k: &usize| system.geometry(&course.links[*k], &course.motions, 0.0);
    links.iter().all(|k| at(k).gap.abs() < 1e-13 * at(k).size.max(1e-3 * extent(&system))).then_some(system)
}

/// The largest radius.
fn extent(system: &System) -> f64 {
    system.bodies.iter().map(|body| body.radius).fold(0.0, f64::max)
}

impl<'a> Course<'a> {
    fn new(system: &'a System) -> Self {
        let (links, motions) = (system.links(), system.start());
        let step = 1e-3 * system.unit;
        let (touches, modes) = (Vec::new(), Vec::new());
        Course { system, links, motions, time: 0.0, touches, modes, step, asks: 0.0, changes: 0 }
    }

    fn question<'b>(&'b self, motions: &'b [Motion], time: f64) -> Question<'b> {
        Question { system: self.system, links: &self.links, motions, time, touches: &self.touches }
    }

    /// The largest speed: of centres, rims, and walls.
    fn speed(&self) -> f64 {
        self.system.speed(&self.motions)
    }

    /// The speed that counts as none.
    fn none(&self) -> f64 {
        SLOW * self.speed().max(1e-2 * self.system.gravity.length() * self.system.unit)
    }

    /// The sign of a speed, 0 if it counts as none.
    fn way(&self, speed: f64) -> i8 {
        if speed.abs() <= self.none() { 0 } else { speed.signum() as i8 }
    }

    fn touch(&self, link: usize) -> Touch {
        let at = self.system.geometry(&self.links[link], &self.motions, self.time);
        Touch { link, ways: [self.way(at.slip), self.way(at.roll)] }
    }

    fn begin(&mut self) -> Result<(), Aside> {
        for k in 0..self.links.len() {
            let at = self.system.geometry(&self.links[k], &self.motions, 0.0);
            if at.gap.abs() < NEAR * at.size && at.opening.abs() <= SOFT * self.speed() {
                let touch = self.touch(k);
                self.touches.push(touch);
            } else if at.gap < 0.0 {
                return Err(Aside::Overlaps);
            }
        }
        self.choose()
    }

    /// The change that takes away what remains of `0` along what modes keep.
    fn correction(&self, sticks: bool, of: impl Fn(f64, f64) -> f64) -> Option<Vec<(DVec2, f64)>> {
        let question = self.question(&self.motions, self.time);
        let kept = question.kept(&self.modes, sticks);
        let by: Vec<f64> = kept.iter().map(|&(gap, speed, _)| -of(gap, speed)).collect();
        let rows: Vec<Kept> = kept.iter().map(|kept| kept.2).collect();
        question.change(&rows, &by)
    }

    /// Closes gaps.
    fn close(&mut self) -> Option<()> {
        let change = self.correction(false, |gap, _| gap)?;
        self.motions.iter_mut().zip(change).for_each(|(motion, by)| motion.place += by.0);
        Some(())
    }

    /// Stops what does not open or slip, and closes gaps if it is to.
    fn stop(&mut self, closes: bool) -> Option<()> {
        if closes {
            self.close()?;
        }
        let change = self.correction(true, |_, speed| speed)?;
        for (motion, by) in self.motions.iter_mut().zip(change) {
            motion.velocity += by.0;
            motion.spin += by.1;
        }
        Some(())
    }

    fn speeds_kept(&self) -> f64 {
        let kept = self.question(&self.motions, self.time).kept(&self.modes, true);
        kept.iter().map(|kept| kept.1.abs()).fold(0.0, f64::max)
    }

    /// Chooses modes for what touches, and lets go what opens.
    fn choose(&mut self) -> Result<(), Aside> {
        self.changes += 1;
        if self.changes > CHANGES {
            return Err(Aside::Endless);
        }
        let question = self.question(&self.motions, self.time);
        if question.count() > MANY {
            return Err(Aside::Many);
        }
        let answers = question.answers(HOLDS);
        self.only_one(&answers)?;
        self.asks = self.time + self.system.seconds / ASKED;
        let best = answers.iter().max_by(|a, b| self.lasts(a).total_cmp(&self.lasts(b)));
        let modes = best.map_or_else(Vec::new, |answer| answer.modes.clone());
        let both = self.touches.iter().zip(&modes);
        let (touches, modes) = both.filter(|(_, mode)| **mode != Mode::Open).map(|(&t, &m)| (t, m)).unzip();
        (self.touches, self.modes) = (touches, modes);
        for (touch, mode) in self.touches.iter_mut().zip(&self.modes) {
            if let Mode::Pressed(ways) = mode {
                touch.ways = *ways;
            }
        }
        self.step = self.step.min(1e-3 * self.system.unit);
        Ok(())
    }

    /// Whether there is one answer: all that there are have the same accelerations.
    fn only_one(&self, answers: &[Answer]) -> Result<(), Aside> {
        let first = answers.first().ok_or(Aside::NoAnswer)?;
        let is_other = |answer: &Answer| self.differ(answer, first) > TWO;
        if answers.iter().any(is_other) { Err(Aside::Several) } else { Ok(()) }
    }

    /// Asks now and then whether there is one answer still: another one may come up in time.
    fn ask(&mut self) -> Result<(), Aside> {
        let question = self.question(&self.motions, self.time);
        if self.time < self.asks || question.count() > FEW {
            return Ok(());
        }
        self.asks = self.time + self.system.seconds / ASKED;
        self.only_one(&self.question(&self.motions, self.time).answers(HOLDS))
    }

    /// By how much two answers differ, as a part of the accelerations.
    fn differ(&self, a: &Answer, b: &Answer) -> f64 {
        let gravity = self.system.gravity.length();
        let of = |k: usize| {
            let radius = self.system.bodies[k].radius;
            let ((linear, angular), (other, turning)) = (a.accelerations[k], b.accelerations[k]);
            let size = (linear.length() + other.length()).max(gravity);
            let rim = (radius * (angular.abs() + turning.abs())).max(gravity);
            (linear.distance(other) / size).max(radius * (angular - turning).abs() / rim)
        };
        (0..a.accelerations.len()).map(of).fold(0.0, f64::max)
    }

    /// By how much the conditions of an answer hold a little later.
    fn lasts(&self, answer: &Answer) -> f64 {
        let dt = 1e-5 * self.system.unit;
        let mut motions = self.motions.clone();
        for (motion, (linear, angular)) in motions.iter_mut().zip(&answer.accelerations) {
            motion.place += motion.velocity * dt + *linear * (0.5 * dt * dt);
            motion.velocity += *linear * dt;
            motion.spin += angular * dt;
        }
        let later = self.time + dt;
        let size = self.system.gravity.length();
        let mut least =
            self.question(&motions, later).answer(&answer.modes).map_or(-1.0, |later| later.slack);
        for (touch, mode) in self.touches.iter().zip(&answer.modes) {
            let at = self.system.geometry(&self.links[touch.link], &motions, later);
            let Mode::Pressed(ways) = mode else { continue };
            for (k, speed) in [at.slip, at.roll].into_iter().enumerate() {
                if ways[k] != 0 && touch.ways[k] == 0 {
                    least = least.min(f64::from(ways[k]) * speed / (size * dt));
                }
            }
        }
        least
    }

    /// The rates of places and velocities.
    fn rates(&self, motions: &[Motion], time: f64) -> Option<Vec<Motion>> {
        let answer = self.question(motions, time).answer(&self.modes)?;
        let rate = |(motion, a): (&Motion, &(DVec2, f64))| Motion {
            place: motion.velocity,
            velocity: a.0,
            spin: a.1,
        };
        Some(motions.iter().zip(&answer.accelerations).map(rate).collect())
    }

    /// The motions after a step, and its error as a part of the speeds.
    fn stepped(&self, dt: f64) -> Option<(Vec<Motion>, f64)> {
        let mut stages = Vec::with_capacity(7);
        for (node, factors) in NODES.iter().zip(&STAGES) {
            let motions = moved(&self.motions, &stages, factors, dt);
            stages.push(self.rates(&motions, self.time + node * dt)?);
        }
        let end = moved(&self.motions, &stages, &STAGES[6], dt);
        let off = moved(&vec![Motion::default(); end.len()], &stages, &OFF, dt);
        let scale = self.speed().max(self.system.gravity.length() * dt);
        let of = |(motion, body): (&Motion, &super::system::Body)| {
            let speed = motion.velocity.length().max(body.radius * motion.spin.abs());
            speed.max(motion.place.length() / self.system.unit)
        };
        Some((end, off.iter().zip(&self.system.bodies).map(of).fold(0.0, f64::max) / scale))
    }

    /// Whether modes hold with these motions.
    fn holds(&self, motions: &[Motion], time: f64) -> bool {
        let answer = self.question(motions, time).answer(&self.modes);
        answer.is_some_and(|answer| answer.slack >= -FAILS)
            && self.ended(motions, time).is_empty()
            && self.met(motions, time).is_none()
    }

    /// The slips and rolls that have turned.
    fn ended(&self, motions: &[Motion], time: f64) -> Vec<(usize, usize)> {
        let mut ended = Vec::new();
        for (t, touch) in self.touches.iter().enumerate() {
            let at = self.system.geometry(&self.links[touch.link], motions, time);
            for (k, speed) in [at.slip, at.roll].into_iter().enumerate() {
                if self.links[touch.link].rough[k] > 0.0 && f64::from(touch.ways[k]) * speed < -self.none() {
                    ended.push((t, k));
                }
            }
        }
        ended
    }

    /// What does not touch, and overlaps.
    fn met(&self, motions: &[Motion], time: f64) -> Option<usize> {
        let meets = |&k: &usize| {
            let at = self.system.geometry(&self.links[k], motions, time);
            self.touches.iter().all(|touch| touch.link != k) && at.gap < -NEAR * at.size && at.opening < 0.0
        };
        (0..self.links.len()).find(meets)
    }

    fn go_to(&mut self, time: f64) -> Result<(), Aside> {
        while self.time < time {
            let dt = self.step.min(time - self.time);
            let (motions, error) = self.stepped(dt).ok_or(Aside::NoAnswer)?;
            if error > ERROR && dt > 1e-9 * self.system.unit {
                self.step = dt * (0.9 * (ERROR / error).powf(0.2)).max(0.1);
                continue;
            }
            if self.holds(&motions, self.time + dt) {
                self.time = if dt < self.step { time } else { self.time + dt };
                self.motions = motions;
                let longer = 0.9 * (ERROR / error.max(1e-30)).powf(0.2);
                self.step = (self.step * longer.clamp(0.3, 3.0)).min(0.02 * self.system.unit);
                self.stop(true);
                self.ask()?;
            } else {
                self.change_within(dt)?;
            }
        }
        Ok(())
    }

    /// Goes to the first change of modes within a step, and makes it.
    fn change_within(&mut self, dt: f64) -> Result<(), Aside> {
        let (mut low, mut high) = (0.0, dt);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let (motions, _) = self.stepped(middle).ok_or(Aside::NoAnswer)?;
            let holds = self.holds(&motions, self.time + middle);
            (low, high) = if holds { (middle, high) } else { (low, middle) };
        }
        self.motions = self.stepped(high).ok_or(Aside::NoAnswer)?.0;
        self.time += high;
        for (touch, k) in self.ended(&self.motions, self.time) {
            self.touches[touch].ways[k] = 0;
            if let Mode::Pressed(ways) = &mut self.modes[touch] {
                ways[k] = 0;
            }
        }
        self.stop(true);
        if let Some(link) = self.met(&self.motions, self.time) {
            self.meet(link)?;
        }
        self.choose()
    }

    /// Two meet. If neither touches anything else, they have an impact without restitution.
    fn meet(&mut self, link: usize) -> Result<(), Aside> {
        let at = self.system.geometry(&self.links[link], &self.motions, self.time);
        if at.opening.abs() > SOFT * self.speed() {
            let of = |link: &Link| match link.first {
                First::Body(i) => [Some(i), Some(link.second)],
                First::Surface(_) => [None, Some(link.second)],
            };
            let own = of(&self.links[link]);
            let shares =
                |touch: &Touch| of(&self.links[touch.link]).iter().any(|k| k.is_some() && own.contains(k));
            if self.touches.iter().any(shares) {
                return Err(Aside::Impact);
            }
            self.hit(link);
        }
        let touch = self.touch(link);
        self.touches.push(touch);
        self.modes.push(Mode::Pressed(touch.ways));
        self.stop(true).ok_or(Aside::NoAnswer)
    }

    fn hit(&mut self, link: usize) {
        let touches = [Touch { link, ways: [0, 1] }];
        let question = Question { touches: &touches, ..self.question(&self.motions, self.time) };
        let [normal, tangent, _] = question.directions(&touches[0]);
        let at = self.system.geometry(&self.links[link], &self.motions, self.time);
        let [press, rub] = [&normal, &tangent].map(|row| question.response_of(row));
        let impulse = -at.opening / press;
        let most = self.links[link].rough[0] * impulse;
        let along = if rub > 0.0 { (-at.slip / rub).clamp(-most, most) } else { 0.0 };
        let mut motions = self.motions.clone();
        for (row, by) in [(normal, impulse), (tangent, along)] {
            for (body, linear, angular) in question.given(&row) {
                motions[body].velocity += linear * by;
                motions[body].spin += angular * by;
            }
        }
        self.motions = motions;
    }
}

fn moved(from: &[Motion], stages: &[Vec<Motion>], factors: &[f64], dt: f64) -> Vec<Motion> {
    let mut motions = from.to_vec();
    for (stage, factor) in stages.iter().zip(factors) {
        for (motion, rate) in motions.iter_mut().zip(stage) {
            motion.place += rate.place * (factor * dt);
            motion.velocity += rate.velocity * (factor * dt);
            motion.spin += rate.spin * (factor * dt);
        }
    }
    motions
}

const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// The fifth order less the fourth.
const OFF: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];
