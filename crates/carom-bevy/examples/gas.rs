//! A gas of 10⁴ discs that begins with one speed for all, and comes to the distribution of Maxwell.
//!
//! `cargo run --release --example gas` writes `gas.gif`, and how the speeds are distributed.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom_bevy::carom;
use carom_bevy::{Impacted, prelude::*};

const SIDE: u32 = 100;
const SIZE: [f64; 2] = [SIDE as f64, SIDE as f64];

/// Impacts so far; the mean of v⁴ over the square of that of v²: 1 at the start, 2 in equilibrium.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speeds {
    pub(crate) impacts: usize,
    pub(crate) ratio: f64,
}

/// The app; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::default()).init_resource::<Speeds>();
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, look);
    app
}

fn set_up(mut commands: Commands) {
    commands.spawn(Wall::from(carom::Wall::container([0.0, 0.0], SIZE)));
    commands.spawn_batch((0..SIDE * SIDE).map(|k| {
        let at = DVec2::new(f64::from(k % SIDE) + 0.5, f64::from(k / SIDE) + 0.5);
        // Directions in turns of the golden angle.
        let velocity = DVec2::from_angle(2.399_963_229_728_653 * f64::from(k)) * 5.0;
        (Disc::new(0.4), Position(at), Velocity(velocity))
    }));
}

fn look(mut impacts: MessageReader<Impacted>, discs: Query<&Velocity>, mut speeds: ResMut<Speeds>) {
    speeds.impacts += impacts.read().count();
    let squares = || discs.iter().map(|velocity| velocity.0.length_squared());
    let (second, fourth) = (squares().sum::<f64>(), squares().map(|square| square * square).sum::<f64>());
    speeds.ratio = fourth * f64::from(SIDE * SIDE) / (second * second);
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    let mut app = game();
    crate::film::film::<carom::Smooth>(&mut app, 1, [[0.0; 2], SIZE], "gas.gif")?;
    let Speeds { impacts, ratio } = app.world().resource::<Speeds>();
    println!("{impacts} impacts; ⟨v⁴⟩/⟨v²⟩² is {ratio:.3}, in equilibrium 2");
    Ok(())
}
