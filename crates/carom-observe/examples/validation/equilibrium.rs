//! Equilibrium: from a start with two speeds, the velocities of N discs become those of the microcanonical
//! ensemble.
//!
//! In a rectangular box only the energy E is kept. The 2N components of the velocities, times the roots of
//! the masses, are then a point evenly spread over a sphere: each has the variance T = E/N, whatever the
//! mass, and the kurtosis 3N/(N + 1), 3 for Maxwell's many. A collision happens at a rate proportional to the
//! speed v along the normal, so that there μv² (μ the reduced mass) is 2E/(N + ½) on average, and the impact
//! parameter is evenly spread, its square a third of the diameter's. All of this is exact for every N, if the
//! discs are ergodic; it is taken from one long run.

use crate::statistics::{Estimate, jackknife};
use carom::{DVec2, Disc, Event, Partner, Settings, Wall, World};
use carom_scene::{Generator, Random};
use std::error::Error;

/// What is measured: the kurtosis; the energy of the heaviest disc, over its share; μv² and the square of the
/// impact parameter at collisions, over E and over σ².
pub(crate) const NAMES: [&str; 4] = ["kurtosis", "share of the heaviest", "μv²/E", "b²/σ²"];

pub(crate) fn expected(discs: usize) -> [f64; 4] {
    let n = discs as f64;
    [3.0 * n / (n + 1.0), 1.0, 2.0 / (n + 0.5), 1.0 / 3.0]
}

/// Masses 1, 2, 3, 1, 2, 3, …
fn mass(disc: usize) -> f64 {
    1.0 + (disc % 3) as f64
}

/// Discs of diameter 1 at packing 0.2, all in one world, for this many collisions each.
pub(crate) fn measured(discs: usize, collisions: usize, seed: u64) -> Result<[Estimate; 4], Box<dyn Error>> {
    let mut world = World::with_settings(Settings::default().with_budget(u64::MAX))?;
    let side = (discs as f64 * std::f64::consts::FRAC_PI_4 / 0.2).sqrt();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side)))?;
    let mut random = Random::new(Generator::default(), seed);
    while world.len() < discs {
        let place = DVec2::new(random.between(0.5, side - 0.5), random.between(0.5, side - 0.5));
        // Half of them fast, half slow.
        let speed = if world.len().is_multiple_of(2) { 3.0 } else { 1.0 };
        let disc = Disc::new(place, 0.5).with_mass(mass(world.len()));
        // Where there is no room, the next place is tried.
        let _ = world.insert(disc.with_velocity(random.direction() * speed));
    }
    let (energy, heaviest) = (world.kinetic_energy(), (discs - 1).min(2));
    let temperature = energy / discs as f64;
    let sample = |world: &World, sums: &mut [f64; 8]| {
        for (index, (_, disc)) in world.discs().enumerate() {
            let (x, y) = (disc.mass * disc.velocity.x.powi(2), disc.mass * disc.velocity.y.powi(2));
            sums[0] += (x * x + y * y) / (temperature * temperature);
            sums[1] += 2.0;
            if index == heaviest {
                sums[2] += 0.5 * (x + y) / temperature;
                sums[3] += 1.0;
            }
        }
    };
    // About the time between two collisions of a disc.
    let step = 1.0 / (temperature.sqrt() * 0.9);
    let blocks = 100;
    world.advance(100.0 * step)?;
    let mut sums = vec![[0.0; 8]; blocks];
    for block in &mut sums {
        for _ in 0..collisions / blocks {
            world.advance_with(step, &mut |event: &Event| {
                let Event::Impact(impact) = event else { return };
                if let Partner::Disc(other) = impact.b {
                    let [a, b] = [impact.a, other].map(|id| mass(id.slot() as usize));
                    let normal = impact.approach_speed.powi(2);
                    block[4] += a * b / (a + b) * normal / energy;
                    block[5] += 1.0;
                    block[6] += 1.0 - normal / impact.before[0].distance_squared(impact.before[1]);
                    block[7] += 1.0;
                }
            })?;
            sample(&world, block);
        }
    }
    Ok([0, 2, 4, 6].map(|k| jackknife(&sums, |sums| sums[k] / sums[k + 1])))
}

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("| N | quantity | measured | exact | deviation / error |");
    println!("| --- | --- | --- | --- | --- |");
    for discs in [2, 3, 5, 16, 100] {
        let measured = measured(discs, (1e7 * times / discs as f64) as usize, 1)?;
        for ((estimate, exact), name) in measured.iter().zip(expected(discs)).zip(NAMES) {
            println!("| {discs} | {name} | {estimate} | {exact:.6} | {:+.2} |", estimate.sigmas(exact));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4σ, with errors from a hundred blocks.
    #[test]
    fn velocities_become_microcanonical() {
        for discs in [2, 3, 16] {
            let measured = measured(discs, 200_000 / discs, 2).unwrap();
            for ((estimate, exact), name) in measured.into_iter().zip(expected(discs)).zip(NAMES) {
                assert!(estimate.error < 0.03 * exact, "{discs}, {name}: {estimate}");
                assert!(estimate.sigmas(exact).abs() < 4.0, "{discs}, {name}: {estimate} {exact}");
            }
        }
    }
}
