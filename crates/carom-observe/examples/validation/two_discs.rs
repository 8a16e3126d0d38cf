//! Two discs in a box, and on a torus: the rates of all their collisions in closed form.
//!
//! With a b the sides of the rectangle of the centres and σ the sum of the radii, the free part of the four
//! dimensions of their places has, with 4σ³/3 and σ⁴/2 the integrals of |x| and |x||y| over a disc of radius
//! σ,
//!
//!   V = a²b² − (πσ²ab − 4σ³(a + b)/3 + σ⁴/2).
//!
//! Where they touch, its edge has −dV/dσ = 2πσab − 4σ²(a + b) + 2σ³, and where one of them touches a wall,
//! W = 2(ab² − πσ²b/2 + 2σ³/3) + 2(a²b − πσ²a/2 + 2σ³/3). The velocities, times the roots of the masses, are
//! a point evenly spread over the sphere of radius √(2E) in four dimensions, one component of which is
//! 4√(2E)/(3π) on average, signs aside. So the discs meet √(1/m₁ + 1/m₂)·(2√(2E)/3π)·(−dV/dσ)/V times a
//! second, and one of them hits the walls (2√(2E/m)/3π)·W/V times. Exact, at any size of the discs.
//!
//! On a torus of the same sides only the relative velocity counts, of size u for ever: in the frame of one
//! the other is a point among scatterers of radius σ on a lattice, a Lorentz gas, and they meet 2σu/(ab −
//! πσ²) times a second. Both may drift, many times around the torus between two collisions; that must not
//! count.

use crate::statistics::{Estimate, Mean};
use carom::{DVec2, Disc, Event, Settings, StopReason, Wall, World};
use carom_scene::{Generator, Random};
use std::error::Error;
use std::f64::consts::PI;

const MASSES: [f64; 2] = [1.0, 4.0];
/// The sides of the rectangle of the centres.
const SIDES: DVec2 = DVec2::new(2.0, 3.0);

/// Impacts a second: between the two, of the first with the walls, of the second.
pub(crate) fn expected(sigma: f64) -> [f64; 3] {
    let (a, b) = (SIDES.x, SIDES.y);
    let volume = (a * b).powi(2)
        - (PI * sigma * sigma * a * b - 4.0 * sigma.powi(3) * (a + b) / 3.0 + 0.5 * sigma.powi(4));
    let contact = 2.0 * PI * sigma * a * b - 4.0 * sigma * sigma * (a + b) + 2.0 * sigma.powi(3);
    let beside = |along: f64| PI * sigma * sigma * along / 2.0 - 2.0 * sigma.powi(3) / 3.0;
    let walls = 2.0 * (a * b * b - beside(b)) + 2.0 * (a * a * b - beside(a));
    // The energy is ½.
    let speed = 2.0 / (3.0 * PI);
    let [first, second] = MASSES;
    [
        (1.0 / first + 1.0 / second).sqrt() * speed * contact / volume,
        speed * walls / volume / first.sqrt(),
        speed * walls / volume / second.sqrt(),
    ]
}

/// The same, measured: from starts evenly spread over all states of energy ½, each run for so long.
pub(crate) fn measured(
    sigma: f64,
    starts: usize,
    time: f64,
    seed: u64,
) -> Result<[Estimate; 3], Box<dyn Error>> {
    let mut random = Random::new(Generator::default(), seed);
    let mut rates = [Mean::default(); 3];
    let radius = sigma / 2.0;
    for _ in 0..starts {
        let mut world = World::with_settings(Settings::default().with_budget(u64::MAX))?;
        world.add_wall(Wall::container(DVec2::splat(-radius), SIDES + radius))?;
        let mut place = || DVec2::new(random.between(0.0, SIDES.x), random.between(0.0, SIDES.y));
        let places = loop {
            let places = [place(), place()];
            if places[0].distance(places[1]) > sigma {
                break places;
            }
        };
        let sphere = [random.normal_pair(), random.normal_pair()];
        let length = (sphere[0].length_squared() + sphere[1].length_squared()).sqrt();
        for disc in 0..2 {
            let velocity = sphere[disc] / (length * MASSES[disc].sqrt());
            world.insert(Disc::new(places[disc], radius).with_mass(MASSES[disc]).with_velocity(velocity))?;
        }
        let mut counts = [0.0; 3];
        let end = world.advance_with(time, &mut |event: &Event| {
            let Event::Impact(impact) = event else { return };
            let kind = match impact.b.disc() {
                Some(_) => 0,
                None => 1 + impact.a.slot() as usize,
            };
            counts[kind] += 1.0;
        })?;
        assert_eq!(end.end, StopReason::Reached);
        for (rate, count) in rates.iter_mut().zip(counts) {
            rate.push(count / time);
        }
    }
    Ok(rates.map(|rate| rate.estimate()))
}

/// Collisions a second on a torus at a relative speed of 1.
pub(crate) fn expected_on_torus(sigma: f64) -> f64 {
    2.0 * sigma / (SIDES.x * SIDES.y - PI * sigma * sigma)
}

/// The same, measured: from starts evenly spread over all relative places and directions, with drifts up to
/// 10.
pub(crate) fn measured_on_torus(
    sigma: f64,
    starts: usize,
    time: f64,
    seed: u64,
) -> Result<Estimate, Box<dyn Error>> {
    let mut random = Random::new(Generator::default(), seed);
    let mut rate = Mean::default();
    let [first, second] = MASSES;
    let settings = Settings::default().with_period(SIDES.to_array().map(Some)).with_budget(u64::MAX);
    for _ in 0..starts {
        let mut world = World::with_settings(settings.clone())?;
        let mut place = || DVec2::new(random.between(0.0, SIDES.x), random.between(0.0, SIDES.y));
        let places = loop {
            let places = [place(), place()];
            if world.periods().nearest(places[1] - places[0]).length() > sigma {
                break places;
            }
        };
        let drift = 10.0 * random.in_unit_disc();
        let relative = random.direction();
        let total = first + second;
        for (disc, velocity) in
            [drift - relative * (second / total), drift + relative * (first / total)].into_iter().enumerate()
        {
            // Unequal radii: 1 to 3.
            let radius = sigma * [0.25, 0.75][disc];
            world.insert(Disc::new(places[disc], radius).with_mass(MASSES[disc]).with_velocity(velocity))?;
        }
        assert_eq!(world.advance(time)?.end, StopReason::Reached);
        rate.push(world.counters().disc_impacts as f64 / time);
    }
    Ok(rate.estimate())
}

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("| diameter | impacts | a second | exact | deviation / error |");
    println!("| --- | --- | --- | --- | --- |");
    for sigma in [0.01, 0.1, 0.5, 1.0, 1.5, 1.9] {
        let measured = measured(sigma, (100_000.0 * times) as usize, 200.0, 1)?;
        for ((rate, exact), kind) in
            measured.iter().zip(expected(sigma)).zip(["of the two", "light, walls", "heavy, walls"])
        {
            println!("| {sigma} | {kind} | {rate} | {exact:.7} | {:+.2} |", rate.sigmas(exact));
        }
    }
    println!("\n| diameter, on a torus | impacts a second | exact | deviation / error |");
    println!("| --- | --- | --- | --- |");
    for sigma in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98] {
        let rate = measured_on_torus(sigma, (20_000.0 * times) as usize, 200.0, 3)?;
        let exact = expected_on_torus(sigma);
        println!("| {sigma} | {rate} | {exact:.7} | {:+.2} |", rate.sigmas(exact));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4σ.
    #[test]
    fn two_discs_on_a_torus_meet_at_the_exact_rate() {
        for sigma in [0.1, 0.5, 0.98] {
            let rate = measured_on_torus(sigma, 500, 100.0, 4).unwrap();
            let exact = expected_on_torus(sigma);
            assert!(rate.error < 0.03 * exact, "{sigma}: {rate} {exact}");
            assert!(rate.sigmas(exact).abs() < 4.0, "{sigma}: {rate} {exact}");
        }
    }

    /// 4σ.
    #[test]
    fn two_discs_in_a_box_meet_at_the_exact_rate() {
        for sigma in [0.1, 1.0, 1.9] {
            let measured = measured(sigma, 500, 100.0, 2).unwrap();
            for (rate, exact) in measured.into_iter().zip(expected(sigma)) {
                assert!(rate.error < 0.03 * exact, "{sigma}: {rate} {exact}");
                assert!(rate.sigmas(exact).abs() < 4.0, "{sigma}: {rate} {exact}");
            }
        }
    }
}
