//! Galperin's billiard: collisions that count the digits of π.
//!
//! `cargo run --release --example galperin_pi`
//!
//! A heavy disc comes in at a light one that stands before a wall. With a mass ratio of 100^k all collisions
//! together are the first k + 1 digits of π (G. Galperin, Regul. Chaotic Dyn. 8 (2003) 375). The last of them
//! come within fractions of a nanosecond of each other; a fixed time step has no chance.

use carom::{DVec2, Disc, Error, Settings, Wall, World};
use std::time::Instant;

fn main() -> Result<(), Error> {
    println!("mass ratio   collisions   wall time");
    for k in 0..=6 {
        let mut world = World::with_settings(Settings::default().with_record_events(false))?;
        world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X))?;
        world.insert(Disc::new(DVec2::new(1.0, 0.0), 0.1))?;
        let heavy = Disc::new(DVec2::new(2.0, 0.0), 0.1).with_mass(100.0_f64.powi(k));
        world.insert(heavy.with_velocity(DVec2::NEG_X))?;
        let start = Instant::now();
        let advance = world.advance(1e9)?;
        println!("100^{k}        {:>10}   {:.3?}", advance.events, start.elapsed());
    }
    Ok(())
}
