//! Haff's law: a gas of discs of restitution e cools as T(t) = T₀/(1 + (1 − e²)Γ₀t/4)², Γ₀ the first
//! collision rate.
//!
//! A collision takes (1 − e²)mv²/4, v the speed along the normal, and mv² is 4T on average; the rate falls as
//! √T (P. Haff, J. Fluid Mech. 134 (1983) 401). The box reflects elastically and is small enough to keep the
//! gas even: in a larger one whirls and then clusters form, and it cools more slowly.
//!
//! Two corrections are known. For N discs v² is less by N/(N + ½) (see `equilibrium`); and since the
//! velocities are not quite Maxwell's, a collision takes more by 1 + 3a₂/16, a₂ their fourth cumulant (T. van
//! Noije and M. Ernst, Granular Matter 1 (1998) 57). So 1 + cx stands for Haff's 1 + x, with c the product of
//! both.

use crate::statistics::{Estimate, Mean};
use carom::{CombineRule, DVec2, StopReason, WallShape, World};
use carom_scene::{Gas, Radii, Region, Scene, SceneWall};
use std::error::Error;
use std::f64::consts::{FRAC_PI_4, PI};

/// a₂ in the state of homogeneous cooling in two dimensions, first Sonine approximation.
fn a2(e: f64) -> f64 {
    16.0 * (1.0 - e) * (1.0 - 2.0 * e * e) / (57.0 - 25.0 * e + 30.0 * e * e * (1.0 - e))
}

/// A gas of discs of diameter 1, mass 1 and, at first, temperature 1 in a square box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cooling {
    pub(crate) discs: u64,
    pub(crate) packing: f64,
    pub(crate) restitution: f64,
}

/// What comes out of many runs.
pub(crate) struct Outcome {
    /// Collisions of a disc per second before the cooling.
    pub(crate) rate: Estimate,
    /// By time, x of Haff's law, and T/T₀ as measured.
    pub(crate) curve: Vec<(f64, Estimate)>,
}

/// T/T₀ at which the curve is looked at, about.
const LEVELS: [f64; 5] = [0.5, 0.25, 0.1, 0.03, 0.01];

impl Cooling {
    /// Enskog's rate of collisions at T = 1, without walls, with Henderson's pair distribution at contact.
    pub(crate) fn enskog(&self) -> f64 {
        let chi = (1.0 - 7.0 * self.packing / 16.0) / (1.0 - self.packing).powi(2);
        8.0 * self.packing * chi / PI.sqrt()
    }

    /// By how much the gas should cool more slowly than by Haff's law.
    pub(crate) fn correction(&self) -> f64 {
        let n = self.discs as f64;
        n / (n + 0.5) * (1.0 + 3.0 * a2(self.restitution) / 16.0)
    }

    fn world(&self, seed: u64) -> Result<World, Box<dyn Error>> {
        let side = (self.discs as f64 * FRAC_PI_4 / self.packing).sqrt();
        let (min, max) = (DVec2::ZERO, DVec2::splat(side));
        let mut gas = Gas::new(self.discs, Radii::Same(0.5), Region::Rectangle { min, max }, seed);
        gas.temperature = Some(1.0);
        let mut scene = Scene::new("cooling");
        // So that the walls, of restitution 1, stay elastic.
        scene.settings.restitution = CombineRule::Maximum;
        scene.gases.push(gas);
        scene.walls.push(SceneWall::new(WallShape::Container { min, max }));
        let mut world = scene.build()?.world;
        world.set_budget(u64::MAX);
        world.set_record_events(false);
        // An energy of N, so that all runs start at T = 1.
        let scale = (self.discs as f64 / world.kinetic_energy()).sqrt();
        for (id, disc) in world.discs().collect::<Vec<_>>() {
            world.set_velocity(id, disc.velocity * scale)?;
        }
        Ok(world)
    }

    /// An elastic gas goes on, for twenty collisions a disc at a time; each time a copy of it is let cool.
    pub(crate) fn run(&self, copies: usize, seed: u64) -> Result<Outcome, Box<dyn Error>> {
        let mut gas = self.world(seed)?;
        let n = self.discs as f64;
        let loss = (1.0 - self.restitution.powi(2)) / 4.0;
        let times = LEVELS.map(|level: f64| (1.0 / level.sqrt() - 1.0) / (loss * self.enskog()));
        let pause = 20.0 / self.enskog();
        gas.advance(5.0 * pause)?;
        let mut rate = Mean::default();
        let mut temperatures = [Mean::default(); LEVELS.len()];
        for _ in 0..copies {
            let before = gas.counters().disc_impacts;
            gas.advance(pause)?;
            rate.push(2.0 * (gas.counters().disc_impacts - before) as f64 / (n * pause));
            let mut world = gas.clone();
            for id in world.ids().collect::<Vec<_>>() {
                world.set_restitution(id, self.restitution)?;
            }
            let start = world.now();
            for (time, mean) in times.iter().zip(&mut temperatures) {
                let left = time - world.now().since(start);
                assert_eq!(world.advance(left)?.end, StopReason::Reached);
                mean.push(world.kinetic_energy() / n);
            }
        }
        let rate = rate.estimate();
        let curve = times.iter().zip(temperatures).map(|(time, t)| (loss * rate.value * time, t.estimate()));
        Ok(Outcome { rate, curve: curve.collect() })
    }
}

impl Outcome {
    /// T over 1/(1 + cx)², with the error of the rate in x.
    pub(crate) fn ratio(&self, x: f64, measured: Estimate, c: f64) -> Estimate {
        let ratio = measured.times((1.0 + c * x).powi(2));
        let of_rate = 2.0 * c * x / (1.0 + c * x) * self.rate.error / self.rate.value;
        Estimate { error: ratio.error.hypot(ratio.value * of_rate), ..ratio }
    }
}

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("| N | e | Γ₀ | Γ₀t | T/T₀ | over Haff's | over the corrected | deviation / error |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (discs, copies) in [(100, 2000.0), (400, 500.0)] {
        for restitution in [0.99, 0.95, 0.9] {
            let cooling = Cooling { discs, packing: 0.1, restitution };
            let outcome = cooling.run((copies * times).ceil() as usize, 1)?;
            let rate = outcome.rate;
            for &(x, measured) in &outcome.curve {
                let collisions = 4.0 * x / (1.0 - restitution * restitution);
                let haff = outcome.ratio(x, measured, 1.0);
                let corrected = outcome.ratio(x, measured, cooling.correction());
                print!("| {discs} | {restitution} | {rate} | {collisions:.1} | {measured} ");
                println!("| {haff} | {corrected} | {:+.2} |", corrected.sigmas(1.0));
            }
        }
    }
    println!(
        "\nEnskog's Γ₀, without walls: {:.4}",
        Cooling { discs: 1, packing: 0.1, restitution: 1.0 }.enskog()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4σ. The errors of different times go together.
    #[test]
    fn a_small_gas_cools_by_the_corrected_law() {
        let cooling = Cooling { discs: 64, packing: 0.1, restitution: 0.95 };
        let outcome = cooling.run(100, 2).unwrap();
        for &(x, measured) in &outcome.curve {
            let ratio = outcome.ratio(x, measured, cooling.correction());
            assert!(ratio.error < 0.02, "{x}: {ratio}");
            assert!(ratio.sigmas(1.0).abs() < 4.0, "{x}: {ratio}");
        }
    }
}
