//! Aiming a shot: the path that the cue ball would take, before it is played. The table is only read.
//!
//! `cargo run --release --example aim_line`

use carom::{
    DVec2, Disc, DiscForces, DiscId, Forces, Forecast, ForecastOptions, Partner, PathPiece, Settings, Wall,
    World,
};
use carom_draw::{Look, Recorder, Style};
use std::error::Error;
use std::path::Path;

const RADIUS: f64 = 0.028575;
const SPEED: f64 = 3.0;

/// A table of 2.54 by 1.27 m with cloth that slows the balls down, the cue ball, and six others.
fn table() -> Result<(World<Forces>, DiscId, Vec<DiscId>), carom::Error> {
    let forces = Forces::new().with_weight(9.81)?;
    let mut world = World::with_physics(forces, Settings::default())?;
    world.add_wall(Wall::container([-1.27, -0.635], [1.27, 0.635]).with_restitution(0.85))?;
    let cloth = DiscForces { friction: 0.03, ..DiscForces::default() };
    let ball = |x, y| Disc::new([x, y], RADIUS).with_mass(0.17).with_restitution(0.95).with_body(cloth);
    let cue = world.insert(ball(-0.8, -0.3))?;
    let places = [(0.1, 0.05), (0.3, -0.35), (0.45, 0.2), (0.7, -0.1), (0.95, 0.45), (1.05, -0.4)];
    let others = places.into_iter().map(|(x, y)| world.insert(ball(x, y)));
    let others = others.collect::<Result<_, _>>()?;
    Ok((world, cue, others))
}

/// The velocities with which the cue ball meets a cushion first, and then the target.
fn bank_shots(world: &World<Forces>, cue: DiscId, target: DiscId) -> Result<Vec<DVec2>, carom::Error> {
    let mut forecast = Forecast::new();
    let options = ForecastOptions::new(f64::INFINITY).with_max_impacts(2);
    let mut shots = Vec::new();
    for k in 0..720 {
        let aim = SPEED * DVec2::from_angle(f64::from(k) * 0.5_f64.to_radians());
        let path = forecast.path_after(world, cue, &options, |copy| copy.set_velocity(cue, aim))?;
        let mut met = path.iter().filter_map(|piece| piece.met).map(|met| met.body);
        if met.next().is_some_and(|first| first.wall().is_some()) && met.next() == Some(Partner::Disc(target))
        {
            shots.push(aim);
        }
    }
    Ok(shots)
}

fn print(path: &[PathPiece]) {
    println!("   from (s)   to (s)    at (m)             meets");
    for piece in path {
        let (start, end, place) =
            (piece.start.as_secs(), piece.end.as_secs(), piece.position_at(piece.start));
        let met = piece.met.map_or(String::new(), |met| met.body.to_string());
        println!("{start:10.6} {end:10.6}  {:8.4} {:8.4}  {met}", place.x, place.y);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, cue, others) = table()?;
    let before = world.clone();
    let shots = bank_shots(&world, cue, others[5])?;
    let aim = *shots.first().ok_or("there is no such shot")?;
    println!("{} of 720 directions meet a cushion and then disc {}; the first:", shots.len(), others[5]);

    // To the end: until nothing moves any more.
    let mut forecast = Forecast::new();
    let options = ForecastOptions::new(f64::INFINITY);
    forecast.path_after(&world, cue, &options, |copy| copy.set_velocity(cue, aim))?;
    print(forecast.pieces());
    assert_eq!(world.diff(&before), None, "the table has not changed");
    let end = forecast.pieces().last().map(|last| last.start).ok_or("a path has a piece")?;
    let rest = forecast.world_then().and_then(|then| then.get(cue)).map(|ball| ball.position());

    // The shot is played, and drawn.
    world.set_velocity(cue, aim)?;
    let mut discs = vec![cue];
    discs.extend(&others);
    let style = Style { title: Some("A bank shot, as forecast".into()), ..Style::default() };
    let mut recorder = Recorder::new(&world, &discs, vec![Look::default(); discs.len()], style)?;
    recorder.advance_to(&mut world, end.as_secs() + 10.0)?;
    recorder.finish(&world);
    assert_eq!(world.get(cue).map(|ball| ball.position()), rest, "to the last bit");
    println!("played: the cue ball comes to rest where it was forecast, at {}", rest.unwrap_or_default());

    let folder = Path::new("out");
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("aim_line.png"), recorder.picture_png()?)?;
    println!("picture: out/aim_line.png");
    Ok(())
}
