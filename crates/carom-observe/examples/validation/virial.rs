//! Pressure and collision rate of hard discs in equilibrium against the virial series.
//!
//! Without periodic boundaries there are walls, and beside them layers. So collisions are counted where they
//! happen, in the inner part of a box, and the density is measured there too. Three numbers come out that
//! must all be Z = P/(nT) of the endless gas at that density: from the impulses of the collisions (virial
//! theorem), from their number (Enskog's rate, which is exact in equilibrium: Z = 1 + 2φχ, χ the pair
//! distribution at contact), and, since a fluid at rest has one pressure, from the impulses on the middle
//! parts of the walls.

use crate::statistics::{Estimate, jackknife};
use carom::{DVec2, Event, Partner, StopReason, WallShape, World};
use carom_scene::{Gas, Placement, Radii, Region, Scene, SceneWall};
use std::error::Error;
use std::f64::consts::{FRAC_PI_4, PI};

/// B₅ … B₁₀ over powers of B₂: N. Clisby and B. McCoy, J. Stat. Phys. 122 (2006) 15, with errors of 1, 42,
/// 43, 34, 35 and 80 in the last digits.
const B5_TO_B10: [f64; 6] = [0.333_556_04, 0.198_842_5, 0.114_872_8, 0.064_993_0, 0.036_219_3, 0.019_953_7];

/// The virial series up to the tenth coefficient. B₂ = πσ²/2, so that B₂n = 2φ.
pub(crate) fn series(packing: f64) -> f64 {
    let root3 = 3.0_f64.sqrt();
    let b3 = 4.0 / 3.0 - root3 / PI;
    let b4 = 2.0 - 4.5 * root3 / PI + 10.0 / (PI * PI);
    let coefficients = [1.0, 1.0, b3, b4].into_iter().chain(B5_TO_B10);
    coefficients.enumerate().map(|(power, b)| b * (2.0 * packing).powi(power as i32)).sum()
}

/// Z = 1 + 2φg₄, g₄ = (1 − 7φ/16)/(1 − φ)² − (φ³/16)/(8(1 − φ)⁴): S. Luding, Phys. Rev. E 63 (2001) 042201,
/// the branch of the fluid. The first term is Henderson's, Mol. Phys. 30 (1975) 971. The global form blends
/// in a branch of the solid around 0.7, which does not count at 0.5.
pub(crate) fn luding(packing: f64) -> f64 {
    let free = 1.0 - packing;
    let g4 = (1.0 - 7.0 * packing / 16.0) / free.powi(2) - packing.powi(3) / 16.0 / (8.0 * free.powi(4));
    1.0 + 2.0 * packing * g4
}

/// Z at the mean density of the inner part when the number of all discs is fixed, not that of an open system:
/// less by (S/2N)·φ·d²(φZ)/dφ², with S = 1/(d(φZ)/dφ) (J. Lebowitz and J. Percus, Phys. Rev. 122 (1961)
/// 1675). At low packing this says that there are N(N − 1) pairs, not N².
fn at_fixed_number(z: fn(f64) -> f64, packing: f64, discs: u64) -> f64 {
    let pressure = |packing: f64| packing * z(packing);
    let h = 1e-3 * packing;
    let (below, here, above) = (pressure(packing - h), pressure(packing), pressure(packing + h));
    let (slope, curvature) = ((above - below) / (2.0 * h), (above - 2.0 * here + below) / (h * h));
    z(packing) - packing * curvature / (2.0 * discs as f64 * slope)
}

/// The mean of |x| over a sphere in 2N dimensions, over that of the normal distribution of the same variance:
/// √N·Γ(N)/Γ(N + ½) = 1 + 1/(8N) + ….
fn speed_of_finite(discs: u64) -> f64 {
    1.0 + 1.0 / (8.0 * discs as f64)
}

/// A box of discs of diameter 1, mass 1 and temperature about 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) discs: u64,
    /// In the box as a whole.
    pub(crate) packing: f64,
    /// How far the inner part is from the walls.
    pub(crate) margin: f64,
    /// What Z should be.
    pub(crate) z: fn(f64) -> f64,
}

/// The sums of one block: time; discs inside times time; collisions inside, and their impulses; impulses on
/// the walls.
type Sums = [f64; 5];

/// What comes out: the packing fraction of the inner part, and what Z should be there; how far Z is above
/// this by the impulses, by the number of collisions, by the walls.
pub(crate) struct Outcome {
    pub(crate) packing: Estimate,
    pub(crate) expected: f64,
    pub(crate) above: [Estimate; 3],
}

impl Run {
    fn side(&self) -> f64 {
        (self.discs as f64 * FRAC_PI_4 / self.packing).sqrt()
    }

    fn world(&self, seed: u64) -> Result<World, Box<dyn Error>> {
        let (min, max) = (DVec2::ZERO, DVec2::splat(self.side()));
        let mut gas = Gas::new(self.discs, Radii::Same(0.5), Region::Rectangle { min, max }, seed);
        gas.temperature = Some(1.0);
        gas.placement = if self.packing > 0.4 { Placement::Hexagonal } else { Placement::Random };
        let mut scene = Scene::new("box");
        scene.gases.push(gas);
        scene.walls.push(SceneWall::new(WallShape::Container { min, max }));
        let mut world = scene.build()?.world;
        world.set_budget(u64::MAX);
        world.set_record_events(false);
        Ok(world)
    }

    /// Runs this many blocks of this many collisions per disc, and as much as four blocks before to forget
    /// the start.
    pub(crate) fn measure(
        &self,
        blocks: usize,
        collisions: f64,
        seed: u64,
    ) -> Result<Outcome, Box<dyn Error>> {
        let mut world = self.world(seed)?;
        let n = self.discs as f64;
        let temperature = world.kinetic_energy() / n;
        let (low, high) = (self.margin, self.side() - self.margin);
        let inside = |x: f64| low < x && x < high;
        let (width, area) = (high - low, (high - low) * (high - low));
        // Enskog's rate, 2σnχ√(πT) with χ = (Z − 1)/(2φ) and φ = πσ²n/4.
        let rate = 4.0 * ((self.z)(self.packing) - 1.0) * (temperature / PI).sqrt();
        let block_time = collisions / rate;
        // The density changes slowly; more looks at it would add nothing.
        let looks = (2.0 * collisions).ceil();
        world.advance(4.0 * block_time)?;
        let mut places = vec![DVec2::ZERO; self.discs as usize];
        let mut sums: Vec<Sums> = vec![[0.0; 5]; blocks];
        for [time, presence, count, virial, wall] in &mut sums {
            for _ in 0..looks as u64 {
                let end = world.advance_with(block_time / looks, &mut |event: &Event| {
                    let Event::Impact(impact) = event else { return };
                    match impact.b {
                        Partner::Disc(_) if inside(impact.point.x) && inside(impact.point.y) => {
                            *count += 1.0;
                            *virial += impact.impulse;
                        }
                        Partner::Wall { .. } if inside(impact.point.x) || inside(impact.point.y) => {
                            *wall += impact.impulse;
                        }
                        _ => {}
                    }
                })?;
                assert_eq!(end.end, StopReason::Reached);
                world.read_positions(&mut places)?;
                let present = places.iter().filter(|place| inside(place.x) && inside(place.y)).count();
                *presence += present as f64 * block_time / looks;
                *time += block_time / looks;
            }
        }
        let density = |sums: &Sums| sums[1] / sums[0] / area;
        let by_impulses = |sums: &Sums| 1.0 + sums[3] / (2.0 * area * sums[0] * density(sums) * temperature);
        let speed = (PI * temperature).sqrt() * speed_of_finite(self.discs);
        let by_number = |sums: &Sums| 1.0 + PI / 2.0 * sums[2] / (area * sums[0] * density(sums) * speed);
        let by_walls = |sums: &Sums| sums[4] / (4.0 * width * sums[0] * density(sums) * temperature);
        let expected = |sums: &Sums| at_fixed_number(self.z, FRAC_PI_4 * density(sums), self.discs);
        // The error is that of the difference: where the density of a block is higher, so is Z.
        let above = |z: &dyn Fn(&Sums) -> f64| jackknife(&sums, |sums| z(sums) - expected(sums));
        let packing = jackknife(&sums, |sums| FRAC_PI_4 * density(sums));
        Ok(Outcome {
            packing,
            expected: at_fixed_number(self.z, packing.value, self.discs),
            above: [above(&by_impulses), above(&by_number), above(&by_walls)],
        })
    }
}

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("Z − expected in units of 10⁻⁴, with the deviation over the error.\n");
    println!("| N | packing inside | Z expected | by impulses | by number | by walls |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let dilute = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
    let runs = dilute.map(|packing| Run { discs: 1000, packing, margin: 5.0, z: series });
    for run in runs.into_iter().chain([Run { discs: 2000, packing: 0.5, margin: 8.0, z: luding }]) {
        let outcome = run.measure(50, 100.0 * times, 1)?;
        print!("| {} | {} | {:.5} |", run.discs, outcome.packing, outcome.expected);
        for above in outcome.above {
            let units = above.times(1e4);
            print!(" {:.1} ± {:.1} ({:+.2}) |", units.value, units.error, above.sigmas(0.0));
        }
        println!();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Luding's form and the series, of which the known coefficients end at 10⁻⁴ there.
    #[test]
    fn the_forms_agree() {
        assert!((luding(0.5) - 4.109).abs() < 5e-4);
        assert!((luding(0.3) - series(0.3)).abs() < 2e-3);
    }

    /// 4σ.
    #[test]
    fn pressure_is_that_of_the_virial_series() {
        for packing in [0.05, 0.2] {
            let run = Run { discs: 144, packing, margin: 4.0, z: series };
            let outcome = run.measure(20, 50.0, 2).unwrap();
            for above in outcome.above {
                assert!(above.error < 0.02 * outcome.expected, "{packing}: {above}");
                assert!(above.sigmas(0.0).abs() < 4.0, "{packing}: {above}");
            }
        }
    }
}
