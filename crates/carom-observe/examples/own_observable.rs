//! An observable of one's own, and a thermostat: how long discs fly freely in a gas that is kept at a
//! temperature.
//!
//! An observable is a `Sink`: it is handed every event while a world runs, and adds up what it wants.
//! This one has a histogram of free times. The thermostat is Andersen's (J. Chem. Phys. 72 (1980) 2384):
//! at random times, at the rate ν for each disc, one of them gets a velocity from Maxwell's distribution.
//! Impacts keep the energy, so that the mean temperature goes to that of the thermostat as exp(−ν t),
//! exactly and at any density.
//!
//! `cargo run --release -p carom-observe --example own_observable`

use carom::{Disc, DiscId, Event, Partner, Settings, Sink, Smooth, World};
use carom_observe::{contact_value_luding, enskog_free_time};
use carom_scene::{Generator, Random};
use std::error::Error;
use std::ops::ControlFlow;

/// How long discs fly between their impacts with others, in bins of one width.
struct FreeTimes {
    /// By disc: the time of its last impact.
    last: Vec<f64>,
    width: f64,
    bins: Vec<u64>,
    sum: f64,
}

impl FreeTimes {
    fn new(discs: usize, now: f64, width: f64, bins: usize) -> Self {
        FreeTimes { last: vec![now; discs], width, bins: vec![0; bins], sum: 0.0 }
    }

    fn count(&self) -> u64 {
        self.bins.iter().sum()
    }

    fn add(&mut self, disc: DiscId, time: f64) {
        // Discs that are never removed have the slots 0, 1, 2, …
        let last = &mut self.last[disc.slot() as usize];
        let free = time - std::mem::replace(last, time);
        let bin = ((free / self.width) as usize).min(self.bins.len() - 1);
        self.bins[bin] += 1;
        self.sum += free;
    }
}

impl Sink<Smooth> for FreeTimes {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if let Event::Impact(impact) = event
            && let Partner::Disc(other) = impact.b
        {
            self.add(impact.a, impact.time.as_secs());
            self.add(other, impact.time.as_secs());
        }
        ControlFlow::Continue(())
    }
}

/// A square lattice of discs of diameter 1 in a periodic square, all with one speed, at the temperature `kt`.
fn gas(per_side: u32, packing: f64, kt: f64, random: &mut Random) -> Result<World, Box<dyn Error>> {
    let spacing = (std::f64::consts::FRAC_PI_4 / packing).sqrt();
    let side = spacing * f64::from(per_side);
    let mut world = World::with_settings(Settings::default().with_period([Some(side); 2]))?;
    for k in 0..per_side * per_side {
        let place = [spacing * f64::from(k % per_side), spacing * f64::from(k / per_side)];
        world.insert(Disc::new(place, 0.5).with_velocity(random.direction() * (2.0 * kt).sqrt()))?;
    }
    Ok(world)
}

/// The thermostat does not keep the momentum: each disc has two degrees of freedom.
fn kt(world: &World) -> f64 {
    world.kinetic_energy() / world.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let (per_side, packing, rate) = (40, 0.3, 0.1);
    let mut random = Random::new(Generator::default(), 1);
    let mut world = gas(per_side, packing, 2.0, &mut random)?;
    let ids: Vec<DiscId> = world.ids().collect();
    let discs = ids.len() as f64;

    println!("   time (s)    kT   1 + exp(-rate t)");
    let mut free_times = FreeTimes::new(ids.len(), 0.0, 0.05, 40);
    let (mut next, mut time) = (0.0, 0.0);
    for second in 0..=60 {
        let until = f64::from(second);
        while next <= until {
            world.advance_to_with(next, &mut free_times)?;
            world.set_velocity(ids[random.below(ids.len())], random.normal_pair())?;
            next += -random.uniform().ln() / (rate * discs);
        }
        world.advance_to_with(until, &mut free_times)?;
        if second % 10 == 0 {
            println!("{until:11} {:5.2} {:18.2}", kt(&world), 1.0 + (-rate * until).exp());
        }
        // What is measured at the temperature of the thermostat begins here.
        if second == 40 {
            free_times = FreeTimes::new(ids.len(), until, 0.05, 40);
            time = until;
        }
    }

    let mean = free_times.sum / free_times.count() as f64;
    let density = packing / std::f64::consts::FRAC_PI_4;
    let enskog = enskog_free_time(density, 1.0, 1.0, 1.0, contact_value_luding(packing))?;
    println!(
        "\n{} free times in {} s: mean {mean:.4} s, Enskog {enskog:.4} s",
        free_times.count(),
        60.0 - time
    );
    println!("   from (s)   share   of exp(-t/mean)");
    for (k, &count) in free_times.bins.iter().enumerate().step_by(4).take(6) {
        let from = free_times.width * k as f64;
        let share = count as f64 / free_times.count() as f64;
        let exponential = (-from / mean).exp() - (-(from + free_times.width) / mean).exp();
        println!("{from:11.2} {share:7.4} {exponential:17.4}");
    }
    Ok(())
}
