//! A conveyor: discs are laid on a belt that runs, slip, and come to roll on it.
//!
//! `cargo run --release --example conveyor`
//!
//! A disc of radius R and moment of inertia q m R² is laid at rest on a belt of speed u. While it slips,
//! friction pushes it along by μ g, and turns it by R ω′ = (μ − ρ) g/q, as rolling resistance ρ holds against
//! that. Its lowest point has the speed v + R ω, so it slips until
//!
//! ```text
//! t = u / (μ g + (μ − ρ) g/q) ,   v = μ g t .
//! ```
//!
//! Without rolling resistance it rolls on for ever at v = u q/(1 + q): a ring is carried at half of the speed
//! of the belt. With it the disc is taken along by ρ g/(1 + q), until it stands on the belt: v = u.

use carom::{Disc, Error, Forces, Rough, RoughDisc, RoughWall, Roughness, Settings, Wall, World};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.3;
const BELT: f64 = 2.0;
const RADIUS: f64 = 0.1;

/// Lays a disc on the belt and follows it: time and speed at the end of the slip by the law above, and its
/// speed at that time and a minute later in the world.
fn carried(inertia: f64, rolling_resistance: f64) -> Result<[f64; 4], Error> {
    let roughness = Roughness::new(FRICTION, 0.0)?.with_rolling_resistance(rolling_resistance)?;
    let forces = Forces::new().with_gravity([0.0, -GRAVITY])?;
    let mut world = World::with_physics(Rough::new(forces, roughness), Settings::default())?;
    // The belt has the roughness of the world, and a surface that runs to the right.
    let belt = RoughWall::default().with_surface_speed(BELT)?;
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(belt))?;
    let body = RoughDisc { inertia, ..RoughDisc::default() };
    let id = world.insert(Disc::new([0.0, RADIUS], RADIUS).with_body(body))?;

    let turning = (FRICTION - rolling_resistance) * GRAVITY / inertia;
    let slips = BELT / (FRICTION * GRAVITY + turning);
    let mut speed_at = |time: f64| -> Result<f64, Error> {
        world.advance_to(time)?;
        Ok(world.get(id).map_or(f64::NAN, |disc| disc.velocity().x))
    };
    Ok([slips, FRICTION * GRAVITY * slips, speed_at(slips)?, speed_at(60.0)?])
}

fn main() -> Result<(), Error> {
    println!("                 rolls after   at (law)   at (world)   in the end");
    for (name, inertia) in [("ring", 1.0), ("uniform disc", 0.5), ("ball", 0.4)] {
        for rolling_resistance in [0.0, 0.02] {
            let [time, law, then, end] = carried(inertia, rolling_resistance)?;
            println!("{name:>12}, {rolling_resistance:.2}   {time:9.5}  {law:9.6}  {then:11.6}  {end:11.6}");
            assert!((then - law).abs() < 1e-12 * law, "{then} is not {law}");
            let rolls = BELT * inertia / (1.0 + inertia);
            let expected = if rolling_resistance > 0.0 { BELT } else { rolls };
            assert!((end - expected).abs() < 1e-12 * BELT, "{end} is not {expected}");
        }
    }
    Ok(())
}
