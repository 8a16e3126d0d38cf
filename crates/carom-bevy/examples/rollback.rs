//! Rollback: two peers play one game. The input of one reaches the other six ticks late. Until then a peer
//! predicts that there is none; when input arrives, it goes back to its tick and simulates again from there.
//!
//! `cargo run --release --example rollback` writes `rollback.gif`: what the first peer sees.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use bevy_time::prelude::*;
use carom_bevy::{Physics, PhysicsStep, Saved, When, carom, load, prelude::*};
use core::time::Duration;

const SIZE: [f64; 2] = [16.0, 9.0];
const TICK: Duration = Duration::from_millis(20);
/// How many ticks late the other player's input comes.
pub(crate) const LATE: usize = 6;

#[derive(Component)]
struct Player(usize);

/// One of the two.
#[derive(Resource, Default)]
pub(crate) struct Peer {
    own: usize,
    /// The world at the beginning of each tick.
    saved: Vec<Saved>,
    /// How often it went back.
    pub(crate) rolled: u32,
}

impl Peer {
    /// Checksums of the worlds that no input can change any more.
    pub(crate) fn sums(&self) -> Vec<u64> {
        let sure = (self.saved.len() + 1).saturating_sub(LATE);
        self.saved[..sure.min(self.saved.len())].iter().map(Saved::checksum).collect()
    }
}

/// What a player does at a tick: a push into some direction, eight times a second.
fn input(player: usize, tick: usize) -> Option<DVec2> {
    let number = (tick / 6 + 17 * player) as f64;
    (tick % 6 == player).then(|| DVec2::from_angle(2.4 * number) * 3.0)
}

/// The game as one of the peers plays it; the program that runs it sets how its time advances.
pub(crate) fn game(own: usize) -> App {
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::default().with_steps(When::ByHand));
    app.insert_resource(Peer { own, ..Peer::default() });
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, play);
    app.insert_resource(Time::<Fixed>::from_duration(TICK));
    app
}

fn set_up(mut commands: Commands) {
    commands.spawn(Wall::from(carom::Wall::container([0.0, 0.0], SIZE)));
    for k in 0..2 {
        let at = Position(DVec2::new(4.0 + 8.0 * k as f64, 4.5));
        commands.spawn((Player(k), Disc::new(0.8), at, Mass(3.0)));
    }
    for k in 0..8 {
        let at = Position(DVec2::new(5.0 + 2.0 * f64::from(k % 4), 2.0 + 5.0 * f64::from(k / 4)));
        commands.spawn((Disc::new(0.5), at, Restitution(0.9)));
    }
}

/// A tick: what has come of the other player's input is played first, from its tick on.
fn play(world: &mut World) {
    world.resource_scope(|world, mut peer: Mut<Peer>| {
        let now = peer.saved.len();
        if now == 0 {
            // The discs that were spawned come into the world.
            step_to(world, Duration::ZERO);
        }
        let other = 1 - peer.own;
        let heard = now.checked_sub(LATE).filter(|&heard| input(other, heard).is_some());
        if let Some(heard) = heard {
            load(world, &peer.saved[heard]);
            peer.saved.truncate(heard);
            peer.rolled += 1;
        }
        for tick in heard.unwrap_or(now)..=now {
            peer.saved.push(world.resource::<Physics>().save());
            let is_known = |player: usize| player == peer.own || tick + LATE <= now;
            let mut players = world.query::<(&Player, &mut Velocity)>();
            for (player, mut velocity) in players.iter_mut(world) {
                if let Some(push) = input(player.0, tick).filter(|_| is_known(player.0)) {
                    velocity.0 += push;
                }
            }
            step_to(world, TICK * (tick as u32 + 1));
        }
    });
}

/// Steps to a time of the game, whatever the time of the app is.
fn step_to(world: &mut World, time: Duration) {
    let of_app = *world.resource::<Time>();
    let mut of_game = Time::<()>::default();
    of_game.advance_to(time);
    world.insert_resource(of_game);
    world.run_schedule(PhysicsStep);
    world.insert_resource(of_app);
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    let mut peers = [game(0), game(1)];
    for peer in &mut peers[1..] {
        (0..500).for_each(|_| crate::film::frame(peer, 20_000));
    }
    crate::film::film::<carom::Smooth>(&mut peers[0], 10, [[0.0; 2], SIZE], "rollback.gif")?;
    let [first, second] = peers.each_ref().map(|peer| peer.world().resource::<Peer>());
    let same = first.sums().iter().zip(second.sums()).filter(|(a, b)| **a == *b).count();
    println!("went back {} and {} times; {same} ticks alike", first.rolled, second.rolled);
    Ok(())
}
