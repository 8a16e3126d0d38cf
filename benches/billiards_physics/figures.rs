//! Each law as a curve, and what the engine does as points.

use crate::pockets::acceptance;
use crate::scenes::{BALL, cut, path, rebound};
use carom::DVec2;
use carom::glam::DVec3;
use carom_billiards::{Ball, BallState, Coefficients, CushionModel, Error, PairModel, Shot, slip};
use plotters::prelude::SeriesLabelPosition;
use std::ops::Range;

const G: f64 = 9.81;

/// A picture.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    /// Of deviations along y.
    pub(crate) unit: &'static str,
    pub(crate) series: Vec<Series>,
    pub(crate) legend: SeriesLabelPosition,
    /// By how much points are off the laws at most.
    pub(crate) deviation: f64,
}

/// A law and its points.
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) curve: Vec<(f64, f64)>,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Figure {
    pub(crate) fn ranges(&self) -> [Range<f64>; 2] {
        let all = || self.series.iter().flat_map(|series| series.curve.iter().chain(&series.points));
        let range = |values: &dyn Fn(&(f64, f64)) -> f64| {
            let low = all().map(values).fold(f64::INFINITY, f64::min);
            let high = all().map(values).fold(f64::NEG_INFINITY, f64::max);
            low - 0.04 * (high - low)..high + 0.04 * (high - low)
        };
        [range(&|at| at.0), range(&|at| at.1)]
    }
}

pub(crate) fn all() -> Result<Vec<Figure>, Error> {
    Ok(vec![
        slide_to_roll()?,
        thirty_degrees()?,
        throw_by_cut()?,
        throw_by_english()?,
        rails()?,
        masse()?,
        acceptance()?,
    ])
}

fn grid(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| from + (to - from) * f64::from(k) / f64::from(count))
}

/// The laws on a fine grid, and the engine's points on a coarse one; and by how much these are off at most.
fn series(
    labels: &[&str],
    [from, to]: [f64; 2],
    law: &dyn Fn(usize, f64) -> f64,
    engine: impl Fn(usize, f64) -> Result<f64, Error>,
) -> Result<(Vec<Series>, f64), Error> {
    let (mut all, mut deviation) = (Vec::new(), 0.0_f64);
    for (k, &label) in labels.iter().enumerate() {
        let curve = grid(from, to, 200).map(|x| (x, law(k, x))).collect();
        let points: Result<Vec<_>, Error> = grid(from, to, 20).map(|x| Ok((x, engine(k, x)?))).collect();
        let points = points?;
        deviation = points.iter().map(|&(x, y)| (law(k, x) - y).abs()).fold(deviation, f64::max);
        all.push(Series { label: label.to_owned(), curve, points });
    }
    Ok((all, deviation))
}

/// A ball struck at its centre slides, and rolls with 5/7 of its speed after 2v/(7 μ_s g); then it slows down
/// by μ_r g.
fn slide_to_roll() -> Result<Figure, Error> {
    let shot = Shot::new(3.0).aimed_at(0.0);
    let v = shot.strike(&BALL)?.velocity.x;
    let Coefficients { sliding, rolling, .. } = BALL.coefficients;
    let rolls_at = 2.0 * v / (7.0 * sliding * G);
    let law = |k: usize, t: f64| {
        let rolled = 5.0 / 7.0 * v - rolling * G * (t - rolls_at);
        match k {
            _ if t > rolls_at => rolled,
            0 => v - sliding * G * t,
            _ => 2.5 * sliding * G * t,
        }
    };
    let engine = |k: usize, t: f64| {
        let found = path(&shot, &[t])?;
        Ok(found.first().map_or(f64::NAN, |&(_, velocity, edge)| if k == 0 { velocity.x } else { edge }))
    };
    let (series, deviation) =
        series(&["speed of the centre", "speed of the edge"], [0.0, 1.2], &law, engine)?;
    Ok(Figure {
        name: "slide-to-roll",
        x: "time in s",
        y: "m/s",
        unit: "m/s",
        series,
        legend: SeriesLabelPosition::LowerRight,
        deviation,
    })
}

/// A rolling cue ball goes off at `tan θ = sin φ cos φ/(sin² φ + 2/5)` after a cut by φ (TP 3.3), a sliding
/// one without spin at 90° − φ.
fn thirty_degrees() -> Result<Figure, Error> {
    let law = |k: usize, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        if k == 0 { (sin * cos).atan2(sin * sin + 0.4).to_degrees() } else { 90.0 - degrees }
    };
    let coefficients = Coefficients { restitution: 1.0, ..Coefficients::POOL };
    let ball = Ball { coefficients, ..BALL };
    let engine = |k: usize, degrees: f64| {
        let state = if k == 0 { BallState::rolling() } else { BallState::default() };
        let angle = degrees.to_radians();
        let [cue, _] = cut(PairModel::FrictionlessElastic, ball, angle, 2.0, state, true)?;
        Ok(cue.x.atan2(cue.y).to_degrees())
    };
    let (series, deviation) = series(&["rolling", "stun"], [2.0, 88.0], &law, engine)?;
    Ok(Figure {
        name: "thirty-degrees",
        x: "cut angle in degrees",
        y: "deflection of the cue ball in degrees",
        unit: "°",
        series,
        legend: SeriesLabelPosition::UpperRight,
        deviation,
    })
}

/// The throw by a slip `c` in m/s: the tangential part of the impulse over the normal one, `J` per unit of
/// mass, is `min(μ(c), c/(7 J))` with `J = (1 + e)/2 v cos φ` (TP A-14).
fn throw_angle(slip: f64, normal: f64) -> f64 {
    let friction = 0.009951 + 0.108 * (-1.088 * slip.abs()).exp();
    (friction.min(slip.abs() / (7.0 * normal)).copysign(slip)).atan().to_degrees()
}

const MPH: f64 = 0.44704;

/// The angle of the object ball to the line of centres, towards the side to which the cue ball moves on.
fn engine_throw(phi: f64, speed: f64, spin: f64) -> Result<f64, Error> {
    let state = BallState::turning(DVec3::new(0.0, 0.0, spin));
    let [_, object] = cut(PairModel::FrictionalInelastic, BALL, phi, speed, state, false)?;
    let line = DVec2::new(-phi.sin(), phi.cos());
    Ok((-line.perp_dot(object)).atan2(line.dot(object)).to_degrees())
}

/// Throw of stun shots against the cut angle, at 1, 3 and 7 mph.
fn throw_by_cut() -> Result<Figure, Error> {
    let speeds = [1.0, 3.0, 7.0].map(|speed| speed * MPH);
    let e = BALL.coefficients.restitution;
    let law = |k: usize, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        throw_angle(speeds[k] * sin, 0.5 * (1.0 + e) * speeds[k] * cos)
    };
    let engine = |k: usize, degrees: f64| engine_throw(degrees.to_radians(), speeds[k], 0.0);
    let (series, deviation) = series(&["1 mph", "3 mph", "7 mph"], [0.0, 85.0], &law, engine)?;
    Ok(Figure {
        name: "throw-by-cut",
        x: "cut angle in degrees, stun",
        y: "throw in degrees",
        unit: "°",
        series,
        legend: SeriesLabelPosition::UpperLeft,
        deviation,
    })
}

/// Throw of half-ball hits against english, as the speed of the edge over that of the ball: none for gearing,
/// `ω R = v sin φ`.
fn throw_by_english() -> Result<Figure, Error> {
    let speeds = [1.0, 3.0, 7.0].map(|speed| speed * MPH);
    let (e, phi) = (BALL.coefficients.restitution, 30.0_f64.to_radians());
    let law = |k: usize, english: f64| {
        let slip = speeds[k] * (phi.sin() - english);
        throw_angle(slip, 0.5 * (1.0 + e) * speeds[k] * phi.cos())
    };
    let engine = |k: usize, english: f64| engine_throw(phi, speeds[k], english * speeds[k] / BALL.radius);
    let (series, deviation) = series(&["1 mph", "3 mph", "7 mph"], [-1.25, 1.25], &law, engine)?;
    Ok(Figure {
        name: "throw-by-english",
        x: "english: speed of the edge over that of the ball, half-ball hit",
        y: "throw in degrees",
        unit: "°",
        series,
        legend: SeriesLabelPosition::UpperRight,
        deviation,
    })
}

const RAILS: [CushionModel; 4] =
    [CushionModel::Mirror, CushionModel::Restitution, CushionModel::Han2005, CushionModel::ImpulseFrictional];

/// The velocity after a cushion at −x by the equations of the models, for a rolling ball.
fn rail_law(model: CushionModel, v: DVec2) -> DVec2 {
    let Coefficients { cushion_restitution: e, cushion_friction: f, .. } = BALL.coefficients;
    let radius = BALL.radius;
    let spin = DVec3::new(-v.y / radius, v.x / radius, 0.0);
    match model {
        CushionModel::Mirror => DVec2::new(-v.x, v.y),
        CushionModel::Restitution => DVec2::new(-e * v.x, v.y),
        CushionModel::Han2005 => {
            // The frame of the paper: x towards the cushion, y to the left of it.
            let (sin, [vx, vy]) = (0.28_f64, [-v.x, -v.y]);
            let cos = (1.0 - sin * sin).sqrt();
            let [wx, wy] = [-spin.x, -spin.y];
            let (sx, sy) = (vx * sin + radius * wy, -vy + radius * wx * sin);
            let normal = (1.0 + e) * vx * cos;
            let share = (2.0 / 7.0_f64).min(f * normal / f64::hypot(sx, sy));
            let (px, py) = (share * sx, share * sy);
            -DVec2::new(vx - px * sin - normal * cos, vy + py)
        }
        _ => {
            let away = DVec3::new(1.0, 0.0, -0.28).normalize();
            let v = v.extend(0.0);
            let normal = -(1.0 + e) * v.dot(away);
            let contact = v - spin.cross(away) * radius;
            let slips = contact - away * contact.dot(away);
            let share = (2.0 / 7.0_f64).min(f * normal / slips.length());
            (v + away * normal - slips * share).truncate()
        }
    }
}

/// Angles of a rolling ball to the normal of a cushion before and after, at 1.5 m/s.
fn rails() -> Result<Figure, Error> {
    let coming = |degrees: f64| -DVec2::from_angle(degrees.to_radians()) * DVec2::new(1.5, -1.5);
    let opens = |degrees: f64, v: DVec2| v.y.atan2(v.x).to_degrees() - degrees;
    let law = |k: usize, degrees: f64| opens(degrees, rail_law(RAILS[k], coming(degrees)));
    let by_engine = |model: CushionModel, degrees: f64| {
        Ok(opens(degrees, rebound(model, coming(degrees), BallState::rolling())?))
    };
    let engine = |k: usize, degrees: f64| by_engine(RAILS[k], degrees);
    let labels = RAILS.map(CushionModel::name);
    let (mut series, deviation) = series(&labels, [2.0, 80.0], &law, engine)?;
    for model in [CushionModel::Mathavan2010, CushionModel::StrongeCompliant] {
        let points: Result<Vec<_>, Error> =
            grid(2.0, 80.0, 100).map(|degrees| Ok((degrees, by_engine(model, degrees)?))).collect();
        series.push(Series { label: model.name().to_owned(), curve: points?, points: Vec::new() });
    }
    Ok(Figure {
        name: "rails",
        x: "angle to the normal before, in degrees; a rolling ball at 1.5 m/s",
        y: "angle after less that before",
        unit: "°",
        series,
        legend: SeriesLabelPosition::LowerRight,
        deviation,
    })
}

/// Paths of a ball struck with an elevated cue and english: a parabola along the constant slip, then a
/// straight line along `v − 2u/7` (Coriolis).
fn masse() -> Result<Figure, Error> {
    let shot = |k: usize| {
        let side = [0.1, 0.25, 0.4][k.min(2)];
        Shot { side, height: -0.1, elevation: 60.0_f64.to_radians(), ..Shot::new(4.0) }.aimed_at(0.0)
    };
    let friction = BALL.coefficients.sliding * G;
    let place = |strike: &carom_billiards::Strike, t: f64| {
        let u = slip(BALL.radius, strike.velocity, strike.spin);
        let slides = (2.0 * u.length() / (7.0 * friction)).min(t);
        let (a, v) = (-u.normalize() * friction, strike.velocity - u * (2.0 / 7.0));
        let rolled = (t - slides).max(0.0);
        let slowed = v * rolled - v.normalize() * (0.5 * BALL.coefficients.rolling * G * rolled * rolled);
        strike.velocity * slides + a * (0.5 * slides * slides) + slowed
    };
    let mut all = Vec::new();
    let mut off = Vec::new();
    for (k, label) in ["side 0.1", "side 0.25", "side 0.4"].into_iter().enumerate() {
        let strike = shot(k).strike(&BALL)?;
        let times: Vec<f64> = grid(0.0, 1.5, 25).collect();
        let found = path(&shot(k), &times)?;
        let points: Vec<_> = found.iter().map(|(at, ..)| (at.x, at.y)).collect();
        let laws: Vec<DVec2> = times.iter().map(|&t| place(&strike, t)).collect();
        off.extend(points.iter().zip(&laws).map(|(&(x, y), law)| DVec2::new(x, y).distance(*law)));
        let curve = grid(0.0, 1.5, 300).map(|t| place(&strike, t)).map(|at| (at.x, at.y)).collect();
        all.push(Series { label: label.to_owned(), curve, points });
    }
    let deviation = off.into_iter().fold(0.0, f64::max);
    Ok(Figure {
        name: "masse",
        x: "x in m: the cue points to the right, 60° down",
        y: "y in m",
        unit: "m",
        series: all,
        legend: SeriesLabelPosition::LowerLeft,
        deviation,
    })
}
