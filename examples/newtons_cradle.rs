//! Newton's cradle of touching discs: as many leave as strike, the rest stay at exactly 0.
//!
//! `cargo run --release --example newtons_cradle`
//!
//! Five discs that touch meet at one instant, so the impact is resolved as a group: no special case, and no
//! gaps between the discs to help it along.

use carom::{DVec2, Disc, DiscId, Error, World};

fn main() -> Result<(), Error> {
    const RADIUS: f64 = 0.5;
    for strikers in 1..=4 {
        let mut world = World::new();
        let row: Vec<DiscId> = (0..5)
            .map(|i| {
                let strikes = i < strikers;
                let x = 2.0 * RADIUS * f64::from(i) - if strikes { 1.0 } else { 0.0 };
                let velocity = if strikes { DVec2::X } else { DVec2::ZERO };
                world.insert(Disc::new(DVec2::new(x, 0.0), RADIUS).with_velocity(velocity))
            })
            .collect::<Result<_, _>>()?;
        let velocities = |world: &World| -> Vec<f64> {
            row.iter().filter_map(|&id| Some(world.get(id)?.velocity().x)).collect()
        };
        let before = velocities(&world);
        let advance = world.advance(2.0)?;
        println!("{strikers} strike: {before:?} -> {:?}, in {} impact", velocities(&world), advance.events);
        for event in world.events() {
            let Some(impact) = event.impact() else { continue };
            println!(
                "    t = {} s  {:?} pushes {:?}, impulse {}",
                impact.time.as_secs(),
                impact.a,
                impact.b,
                impact.impulse
            );
        }
    }
    Ok(())
}
