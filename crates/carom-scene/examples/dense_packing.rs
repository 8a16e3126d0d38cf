//! Discs that grow until they are packed (Lubachevsky and Stillinger, J. Stat. Phys. 60 (1990) 561).
//!
//! `cargo run --release --example dense_packing [DISCS [RATE [PACKING]]]`: in units in which a disc flies
//! about its first diameter in a second, the radii grow by `RATE` of what they are at the start, where the
//! packing is 0.3, a second. A rate of
//! 0.003 makes a crystal of 1000 discs; at 0.1 they jam before 0.88, and their impacts come faster and
//! faster.

use carom::{Event, World};
use carom_scene::{Gas, Periodic, Radii, Scene};
use std::error::Error;
use std::time::Instant;

const START: f64 = 0.3;
/// By how much of their first size the radii grow between two looks at the temperature.
const STAGE: f64 = 1e-3;

/// Discs of radius ½ and temperature 1 in a periodic square.
fn gas(discs: u64) -> Result<World, Box<dyn Error>> {
    let mut gas = Gas::packed(discs, Radii::Same(0.5), START, 1);
    gas.temperature = Some(1.0);
    (gas.zero_momentum, gas.exact_temperature) = (true, true);
    let mut scene = Scene::new("gas");
    scene.gases.push(gas);
    scene.periodic = Periodic { gas: Some(0), ..Periodic::default() };
    Ok(scene.build()?.world)
}

/// Between two lines of the report.
#[derive(Default)]
struct Window {
    /// Sum of impulses times distances at contact.
    virial: f64,
    /// Energy times time.
    heat: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let discs: u64 = arguments.next().map_or(Ok(1000), |n| n.parse())?;
    let rate: f64 = arguments.next().map_or(Ok(3e-3), |n| n.parse())?;
    let goal: f64 = arguments.next().map_or(Ok(0.88), |n| n.parse())?;
    let mut world = gas(discs)?;
    let energy = world.kinetic_energy();
    let end = ((goal / START).sqrt() - 1.0) / rate;
    world.set_growth(rate)?;

    let clock = Instant::now();
    let (mut window, mut events, mut next) = (Window::default(), 0, START + 0.05);
    println!("packing  reduced pressure    events");
    while world.now().as_secs() < end {
        let now = world.now().as_secs();
        let seconds = (STAGE / rate).min(end - now);
        let before = world.kinetic_energy();
        let advance = world.advance_to_with(now + seconds, &mut |event: &Event| {
            if let Event::Impact(impact) = event {
                window.virial += impact.impulse * (1.0 + rate * impact.time.as_secs());
            }
        })?;
        events += advance.events;
        let after = world.kinetic_energy();
        window.heat += 0.5 * (before + after) * seconds;
        if after > 1.05 * energy {
            world.scale_velocities((energy / after).sqrt())?;
        }
        let packing = START * (1.0 + rate * world.now().as_secs()).powi(2);
        if packing >= next || world.now().as_secs() >= end {
            let pressure = 1.0 + 0.5 * window.virial / window.heat;
            println!("{packing:.4}  {pressure:>16.3}  {events:>10}");
            window = Window::default();
            next = packing + if packing > 0.85 { 0.01 } else { 0.05 };
        }
    }
    world.set_growth(0.0)?;
    let took = clock.elapsed().as_secs_f64();
    println!("{events} events in {took:.2} s: {:.0} a second", events as f64 / took);
    Ok(())
}
