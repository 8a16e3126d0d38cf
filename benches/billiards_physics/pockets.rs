//! At which speeds and angles a corner pocket takes a ball.

use crate::figures::{Figure, Series};
use crate::scenes::throw;
use carom::DVec2;
use carom_billiards::{Ball, BallState, Error, Game, Layout, PocketModel, Table};
use plotters::prelude::SeriesLabelPosition;

/// Steps across the mouth, in metres, and how far to either side of its middle they go.
const STEP: f64 = 5e-4;
const HALF: f64 = 0.06;

/// How far from the middle of the pocket a ball begins.
const FROM: f64 = 0.35;

/// A 9-ft table with one ball that rolls without friction.
fn table(pocket: PocketModel) -> (Table, Ball) {
    let mut table = Table::pool_9ft();
    table.physics.pocket = pocket;
    let mut ball = table.ball;
    (ball.coefficients.rolling, ball.coefficients.sliding) = (0.0, 0.0);
    (table, ball)
}

/// Whether a ball is potted in the upper right corner that comes at an angle to its axis, so far beside its
/// middle.
fn is_potted(empty: &Game, ball: Ball, speed: f64, angle: f64, beside: f64) -> Result<bool, Error> {
    let table = empty.table();
    let along = DVec2::from_angle(angle).rotate(DVec2::splat(0.5_f64.sqrt()));
    let at = table.from_world(table.pocket_circles()[5].0) - along * FROM + along.perp() * beside;
    let mut game = match empty.with_layout(&Layout::new().with("1", ball, at)) {
        // A way that begins in a cushion is none.
        Err(Error::OffTable { .. }) => return Ok(false),
        placed => placed?,
    };
    throw(&mut game, along * speed, BallState::rolling())?;
    // Until it has been there, or has left the corner.
    game.world_mut().advance(2.0 * FROM / speed + 0.3)?;
    Ok(!game.world().is_enabled(game.discs()[0]))
}

/// The width in millimetres over which balls of a speed and an angle are potted.
fn accepted(empty: &Game, ball: Ball, speed: f64, angle: f64) -> Result<f64, Error> {
    let steps = (HALF / STEP) as i32;
    let mut count = 0;
    for k in -steps..=steps {
        count += u32::from(is_potted(empty, ball, speed, angle, STEP * f64::from(k))?);
    }
    Ok(1e3 * STEP * f64::from(count))
}

/// The least speed at which a ball straight in comes back: by the derivation, and of the engine.
fn too_fast(empty: &Game, ball: Ball, gravity: f64, hole: f64) -> Result<(f64, f64), Error> {
    let (radius, back) = (ball.radius, 0.2);
    let law = |u: f64| {
        let lasts = (2.0 * hole - radius) * (1.0 + 1.0 / back) / u;
        let depth = 0.5 * gravity * lasts * lasts;
        let cos = (radius - depth) / radius;
        let across = back * u * cos - gravity * lasts * (1.0 - cos * cos).max(0.0).sqrt();
        depth < radius && across > 0.0 && across * across > 2.0 * gravity * depth
    };
    let engine = |u: f64| is_potted(empty, ball, u, 0.0, 0.0).map(|potted| !potted);
    let (mut of_law, mut of_engine) = ([8.0, 14.0], [8.0, 14.0]);
    for _ in 0..50 {
        let middle = |ends: [f64; 2]| 0.5 * (ends[0] + ends[1]);
        let (a, b) = (middle(of_law), middle(of_engine));
        of_law[usize::from(law(a))] = a;
        of_engine[usize::from(engine(b)?)] = b;
    }
    Ok((of_law[0], of_engine[0]))
}

/// The width over which a corner takes balls, against their speed, at angles to its axis.
pub(crate) fn acceptance() -> Result<Figure, Error> {
    let build = |pocket| {
        let (table, ball) = table(pocket);
        Layout::new().with("1", ball, table.centre()).build(&table).map(|game| (game, ball))
    };
    let ((lip, ball), (mouth, _)) = (build(PocketModel::Lip)?, build(PocketModel::Mouth)?);
    let mut series = Vec::new();
    for degrees in [0.0_f64, 15.0, 30.0] {
        let mut of_one = Series { label: format!("{degrees}°"), curve: Vec::new(), points: Vec::new() };
        for k in 1..=56 {
            let speed = 0.25 * f64::from(k);
            of_one.curve.push((speed, accepted(&lip, ball, speed, degrees.to_radians())?));
            if k % 4 == 0 {
                of_one.points.push((speed, accepted(&mouth, ball, speed, degrees.to_radians())?));
            }
        }
        series.push(of_one);
    }
    let hole = lip.table().pocket_circles()[5].1;
    let (law, engine) = too_fast(&lip, ball, lip.table().physics.gravity, hole)?;
    Ok(Figure {
        name: "pockets",
        x: "speed in m/s",
        y: "width in mm over which a corner takes a ball",
        unit: "m/s",
        series,
        legend: SeriesLabelPosition::LowerLeft,
        deviation: (law - engine).abs(),
    })
}
