//! Breakout: bricks are walls that a verdict removes, the paddle is a wall that is sent on in each tick.
//!
//! `cargo run --release --example breakout` writes `breakout.gif`.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom_bevy::carom::{self, Encounter, Judged, Settings, Smooth, Verdict, World};
use carom_bevy::{Entered, Removed, UserData, prelude::*};

const SIZE: [f64; 2] = [16.0, 12.0];
const BRICK: u64 = 1;
const TICK: f64 = 1.0 / 64.0;

type Laws = Judged<Smooth, fn(&Encounter<'_>, &mut carom::Commands) -> Verdict>;

#[derive(Component)]
struct Brick;
#[derive(Component)]
struct Paddle;
#[derive(Component)]
struct Ball;

/// Bricks that are gone, and balls that were lost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) bricks: u32,
    pub(crate) lost: u32,
}

fn rules(met: &Encounter<'_>, _: &mut carom::Commands) -> Verdict {
    match met.pair(|party| party.user_data == BRICK, |party| party.disc().is_some()) {
        Some([brick, _]) => Verdict::BounceAndRemove(brick.which),
        None => Verdict::Bounce,
    }
}

/// The game; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let physics: Laws = Judged::new(Smooth, rules as fn(&Encounter<'_>, &mut carom::Commands) -> Verdict);
    let world = World::with_physics(physics, Settings::default()).expect("settings are in range");
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::new(world)).init_resource::<Score>();
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, (follow, serve));
    app.add_observer(|gone: On<Removed>, bricks: Query<(), With<Brick>>, mut score: ResMut<Score>| {
        score.bricks += u32::from(bricks.contains(gone.entity));
    });
    app
}

fn set_up(mut commands: Commands) {
    commands.spawn(Wall::from(carom::Wall::container([0.0, -3.0], SIZE)));
    for k in 0..32 {
        let [x, y] = [0.5 + 1.9 * f64::from(k % 8), 7.5 + 0.9 * f64::from(k / 8)];
        let brick = carom::Wall::rectangle([x, y], [x + 1.7, y + 0.6]);
        commands.spawn((Brick, Wall::from(brick), UserData(BRICK)));
    }
    commands.spawn((
        Paddle,
        Wall::from(carom::Wall::capsule([7.0, 0.5], [9.0, 0.5], 0.3)),
        MoveTo { target: DVec2::ZERO, seconds: TICK },
    ));
    commands.spawn(Region::from(carom::Region::half_plane([0.0, -1.0], [0.0, 1.0])));
    commands.spawn((Ball, Disc::new(0.25), Position(DVec2::new(8.0, 3.0)), Velocity(DVec2::new(3.7, 9.0))));
}

/// The player: the paddle goes where the ball is, at 9 units a second.
fn follow(ball: Single<&Position, With<Ball>>, mut paddle: Single<&mut MoveTo, With<Paddle>>) {
    let way = (ball.0.x - 8.0).clamp(-6.5, 6.5) - paddle.target.x;
    paddle.target.x += way.clamp(-9.0 * TICK, 9.0 * TICK);
}

/// A ball that is lost comes back, at the tick after that.
fn serve(
    mut lost: MessageReader<Entered>,
    ball: Single<(&mut Position, &mut Velocity), With<Ball>>,
    mut score: ResMut<Score>,
) {
    let (mut at, mut velocity) = ball.into_inner();
    for _ in lost.read() {
        score.lost += 1;
        (at.0, velocity.0) = (DVec2::new(8.0, 3.0), DVec2::new(-4.3, 9.0));
    }
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    crate::film::film::<Laws>(&mut game(), 20, [[0.0; 2], SIZE], "breakout.gif")
}
