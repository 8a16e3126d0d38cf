//! Air hockey for two programs: mallets are sent where a forecast of the puck says, and goals are regions.
//!
//! `cargo run --release --example air_hockey` writes `air_hockey.gif`.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom_bevy::carom::{self, DiscForces, Forces, ForecastOptions, Settings, World};
use carom_bevy::{Body, Entered, prelude::*};

const SIZE: [f64; 2] = [16.0, 9.0];
const TICK: f64 = 1.0 / 64.0;

#[derive(Component)]
struct Puck;
/// Which side it defends: 0 on the left.
#[derive(Component)]
struct Mallet(usize);
#[derive(Component)]
struct Goal(usize);

/// Goals of left and right.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score(pub(crate) [u32; 2]);

/// Where the puck will go: places at which its path bends, for a line to be drawn.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct AimLine(pub(crate) Vec<DVec2>);

/// The game; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let mut app = crate::film::headless();
    // The table lies flat: its friction slows down what has some.
    let forces = Forces::new().with_weight(9.81).expect("the weight is in range");
    let world = World::with_physics(forces, Settings::default()).expect("settings are in range");
    app.add_plugins(CaromPlugin::new(world)).init_resource::<Score>().init_resource::<AimLine>();
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, (count, look, defend).chain());
    app
}

fn set_up(mut commands: Commands) {
    commands.spawn((Wall::from(carom::Wall::container([0.0, 0.0], SIZE)), Restitution(0.9)));
    for side in 0..2 {
        let x = SIZE[0] * side as f64;
        let goal = carom::Region::rectangle([x - 0.55, 2.5], [x + 0.55, 6.5]).with_groups(!0, 1);
        commands.spawn((Goal(side), Region::from(goal)));
        let at = DVec2::new(2.0 + 12.0 * side as f64, 4.5);
        let fast = Kinematic { max_speed: 15.0 };
        let rules = Rules(carom::Rules::new().with_membership(2));
        let go = MoveTo { target: at, seconds: TICK };
        commands.spawn((Mallet(side), Disc::new(0.7), Position(at), fast, rules, go));
    }
    let rules = Rules(carom::Rules::new().with_membership(3));
    let puck = (Disc::new(0.5), Position(DVec2::new(8.0, 4.5)), Velocity(DVec2::new(9.0, 5.0)), rules);
    let slides = Body(DiscForces { friction: 0.05, ..DiscForces::default() });
    commands.spawn((Puck, puck, slides));
}

/// After a goal the puck begins in the middle, towards who has conceded it.
fn count(
    mut entered: MessageReader<Entered>,
    goals: Query<&Goal>,
    puck: Single<(&mut Position, &mut Velocity), With<Puck>>,
    mut score: ResMut<Score>,
) {
    let (mut at, mut velocity) = puck.into_inner();
    for side in entered.read().filter_map(|crossing| goals.get(crossing.region).ok()) {
        score.0[1 - side.0] += 1;
        let away = if side.0 == 0 { -1.0 } else { 1.0 };
        (at.0, velocity.0) = (DVec2::new(8.0, 4.5), DVec2::new(9.0 * away, 5.5));
    }
}

/// The path of the puck, past walls, until it meets a mallet or a second is over.
fn look(mut aim: Aim<Forces>, puck: Single<Entity, With<Puck>>, mut line: ResMut<AimLine>) {
    let Ok(path) = aim.path(*puck, &ForecastOptions::new(1.0).with_max_impacts(4)) else { return };
    line.0.clear();
    line.0.extend(path.iter().map(|piece| {
        let at = piece.position_at(piece.start);
        DVec2::new(at.x, at.y)
    }));
    if let Some(last) = path.last() {
        let at = last.position_at(last.end);
        line.0.push(DVec2::new(at.x, at.y));
    }
}

/// Each mallet stands where the line crosses its own, and strikes a puck that is slow before it.
fn defend(
    line: Res<AimLine>,
    puck: Single<(&Position, &Velocity), With<Puck>>,
    mut mallets: Query<(&Mallet, &mut MoveTo)>,
) {
    let (puck, velocity) = puck.into_inner();
    for (mallet, mut go) in &mut mallets {
        let x = 2.0 + 12.0 * mallet.0 as f64;
        let crosses = line.0.windows(2).find(|ends| (ends[0].x - x) * (ends[1].x - x) < 0.0);
        let y =
            crosses.map_or(4.5, |ends| ends[0].lerp(ends[1], (x - ends[0].x) / (ends[1].x - ends[0].x)).y);
        let is_here = (puck.0.x - x).abs() < 4.0 && velocity.0.length() < 6.0;
        let target = if is_here { puck.0 } else { DVec2::new(x, y) };
        let own = if mallet.0 == 0 { [1.0, 6.5] } else { [9.5, 15.0] };
        go.target = DVec2::new(target.x.clamp(own[0], own[1]), target.y.clamp(0.7, 8.3));
        // As fast as it is allowed to go.
        go.seconds = TICK;
    }
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    crate::film::film::<Forces>(&mut game(), 20, [[0.0; 2], SIZE], "air_hockey.gif")
}
