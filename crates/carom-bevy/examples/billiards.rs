//! A nine-ball break: the physics of billiards as that of the plugin, with pockets that capture balls.
//!
//! `cargo run --release --example billiards` writes `billiards.gif`.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom_bevy::carom::Partner;
use carom_bevy::{Captured, Extra, Impacted, Physics, prelude::*};
use carom_billiards::{BallState, Billiards, Rack, Shot, Table};

/// Half of the width and the length of the table.
#[cfg(not(test))]
const HALF: [f64; 2] = [0.635, 1.27];

/// What came of the break.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) impacts: u32,
    pub(crate) potted: u32,
}

/// The game; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let table = Table::pool_9ft();
    let layout = Rack::nine_ball().place(&table, 7).expect("the rack fits the table");
    let game = layout.build(&table).expect("the balls fit the table");
    let index = game.index_of("cue").expect("a rack comes with a cue ball");
    let (cue, ball) = (game.discs()[index], layout.balls[index].ball);
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::new(game.world().clone())).init_resource::<Break>();
    let shot = Shot::new(9.0).aimed_at(core::f64::consts::FRAC_PI_2);
    let strike = shot.strike(&ball).expect("the cue can do that");
    app.add_systems(Startup, move |physics: Res<Physics<Billiards>>, mut commands: Commands| {
        let cue = physics.entity(Partner::Disc(cue)).expect("balls have entities");
        let velocity = Velocity(DVec2::new(strike.velocity.x, strike.velocity.y));
        commands.entity(cue).insert((velocity, Extra(BallState::turning(strike.spin))));
    });
    app.add_systems(FixedUpdate, |mut impacts: MessageReader<Impacted>, mut seen: ResMut<Break>| {
        seen.impacts += impacts.read().count() as u32;
    });
    app.add_observer(|_: On<Captured>, mut seen: ResMut<Break>| seen.potted += 1);
    app
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    crate::film::film::<Billiards>(&mut game(), 8, [HALF.map(|half| -half), HALF], "billiards.gif")
}
