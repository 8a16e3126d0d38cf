//! A hard-disc gas in a box: what is measured beside what is known.
//!
//! `cargo run --release --example gas_in_a_box [DISCS [EVENTS]]`

use carom::{DVec2, Event, WallShape, World};
use carom_scene::{Gas, Radii, Region, Scene, SceneWall};
use std::error::Error;
use std::f64::consts::PI;
use std::time::Instant;

const PACKING: f64 = 0.3;

/// Unit discs of mass 1 and temperature 1 in a square.
fn gas(discs: u64, side: f64) -> Result<World, Box<dyn Error>> {
    let (min, max) = (DVec2::ZERO, DVec2::splat(side));
    let mut gas = Gas::new(discs, Radii::Same(1.0), Region::Rectangle { min, max }, 1);
    gas.temperature = Some(1.0);
    gas.zero_momentum = true;
    let mut scene = Scene::new("gas");
    scene.gases.push(gas);
    scene.walls.push(SceneWall::new(WallShape::Container { min, max }));
    Ok(scene.build()?.world)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let discs: u64 = arguments.next().map_or(Ok(400), |n| n.parse())?;
    let events: u64 = arguments.next().map_or(Ok(400_000), |n| n.parse())?;
    let side = (discs as f64 * PI / PACKING).sqrt();
    let mut world = gas(discs, side)?;

    // Into equilibrium first: some dozen collisions a disc.
    world.set_budget(50 * discs);
    world.advance_with(1e9, &mut |_: &Event| {})?;

    let (energy, start) = (world.kinetic_energy(), world.now());
    let (mut wall_impulse, mut virial, mut collisions) = (0.0, 0.0, 0u64);
    world.set_budget(events);
    let clock = Instant::now();
    world.advance_with(1e9, &mut |event: &Event| {
        let Event::Impact(impact) = event else { return };
        if impact.b.disc().is_some() {
            collisions += 1;
            // The distance of two unit discs at contact, times the impulse along it.
            virial += 2.0 * impact.impulse;
        } else {
            wall_impulse += impact.impulse;
        }
    })?;
    let wall_time = clock.elapsed();

    let time = world.now().since(start);
    let drift = world.kinetic_energy() / energy - 1.0;
    let on_the_walls = wall_impulse / (4.0 * side * time);
    // The centres are confined to a square of side − 2, on whose edges the walls push: the virial theorem.
    let by_virial = (2.0 * energy + virial / time) / (2.0 * side * (side - 2.0));
    let speeds: Vec<f64> = world.discs().map(|(_, disc)| disc.velocity.length()).collect();
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;

    println!("{discs} discs at packing {PACKING}, {events} events in {time:.2} s");
    println!("  events per second of wall time    {:>12.0}", events as f64 / wall_time.as_secs_f64());
    println!("  collisions per disc and second    {:>12.4}", 2.0 * collisions as f64 / (discs as f64 * time));
    println!("  relative change of energy         {drift:>12.1e}");
    println!("  pressure on the walls             {on_the_walls:>12.5}");
    println!("  pressure by the virial theorem    {by_virial:>12.5}");
    // Henderson, Mol. Phys. 30 (1975) 971: Z = (1 + η²/8)/(1 − η)² for an endless system.
    let z = (1.0 + PACKING * PACKING / 8.0) / (1.0 - PACKING).powi(2);
    let ideal = energy / (side * side);
    println!(
        "  of an endless gas, Henderson      {:>12.5}  (a box is denser inside than at its walls)",
        ideal * z
    );
    println!(
        "  mean speed / √(π/2)               {:>12.4}  (1 by Maxwell, for many discs)",
        mean / (PI / 2.0).sqrt()
    );
    Ok(())
}
