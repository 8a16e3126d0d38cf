//! What is forecast is what happens: bit for bit, whatever schedules the events.

use crate::common::by::By;
use crate::common::grammar::Game;
use crate::common::rng::Rng;
use carom_engine::{Settings, World};

mod current;
mod first;
mod frozen;
mod paths;
mod refused;
mod state_at;
mod timed;

/// A random world of smooth discs and walls of all forms, after up to this many seconds.
fn plain(by: By, rng: &mut Rng, settings: Settings, most: f64) -> World {
    let mut world: World = Game::plain(rng, by.settings(settings)).world;
    world.advance(rng.range(0.0, most)).unwrap();
    world
}
