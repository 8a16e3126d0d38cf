//! Asteroids: a ship with an engine and a greatest speed, rocks that a verdict splits, bullets that time out,
//! on a plane that repeats itself on both axes.
//!
//! `cargo run --release --example asteroids` writes `asteroids.gif`.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2};
use carom_bevy::carom::{
    self, DiscForces, Encounter, Forces, Judged, Party, Settings, Verdict, Which, World,
};
use carom_bevy::{Body, Captured, Physics, Removed, TimerEnded, UserData, prelude::*};

const SIZE: [f64; 2] = [24.0, 16.0];
const SHIP: u64 = 1;
const BULLET: u64 = 2;
const ROCK: u64 = 4;

type Orders = carom::Commands<DiscForces>;
type Laws = Judged<Forces, fn(&Encounter<'_, DiscForces>, &mut Orders) -> Verdict>;

#[derive(Component)]
struct Ship;
#[derive(Component)]
struct Bullet;

/// Rocks that were hit, and ships that were lost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) hits: u32,
    pub(crate) lost: u32,
}

/// Two halves come in the place of a rock that is hit, with its mass and the momentum of both.
fn rules(met: &Encounter<'_, DiscForces>, orders: &mut Orders) -> Verdict {
    let is = |kind: u64| move |party: &Party<'_, DiscForces>| party.user_data == kind;
    if let Some([ship, _]) = met.pair(is(SHIP), is(ROCK)) {
        return Verdict::Capture(ship.which);
    }
    let Some([rock, bullet]) = met.pair(is(ROCK), is(BULLET)) else { return Verdict::Bounce };
    if rock.mass > 1.0 {
        let velocity = rock.velocity + bullet.velocity * (bullet.mass / rock.mass);
        let across = bullet.velocity.normalize_or(carom::DVec2::X).perp();
        for side in [-1.0, 1.0] {
            // Radius 1.6, 0.8 and 0.4 for masses 4, 2 and 1.
            let radius = 0.2 * rock.mass;
            let half = carom::Disc::new(rock.position + across * (side * radius), radius)
                .with_velocity(velocity + across * (1.5 * side))
                .with_mass(0.5 * rock.mass)
                .with_groups(ROCK as u32, !0)
                .with_user_data(ROCK)
                .with_overlap();
            orders.insert(half);
        }
    }
    Verdict::Remove(Which::Both)
}

/// The game; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let judge = rules as fn(&Encounter<'_, DiscForces>, &mut Orders) -> Verdict;
    let settings = Settings::default().with_period(SIZE.map(Some));
    let world = World::with_physics(Judged::new(Forces::new(), judge), settings);
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::new(world.expect("settings are in range"))).init_resource::<Score>();
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, (time_out, steer).chain());
    app.add_observer(|gone: On<Removed>, data: Query<&UserData>, mut score: ResMut<Score>| {
        score.hits += u32::from(data.get(gone.entity).is_ok_and(|data| data.0 == ROCK));
    });
    app.add_observer(|lost: On<Captured>, mut ships: Query<&mut Position>, mut score: ResMut<Score>| {
        score.lost += 1;
        if let Ok(mut at) = ships.get_mut(lost.entity) {
            // It is put back, and passes through what is there.
            at.0 = DVec2::new(12.0, 8.0);
        }
    });
    app
}

fn set_up(mut commands: Commands) {
    let rules =
        |of: u64, others: u64| Rules(carom::Rules::new().with_membership(of as u32).with_mask(others as u32));
    for k in 0..6 {
        let turn = DVec2::from_angle(f64::from(k));
        let at = DVec2::new(12.0, 8.0) + turn * DVec2::new(9.0, 6.0);
        let motion = (Position(at), Velocity(turn.perp() * (1.0 + 0.1 * f64::from(k))), Mass(4.0));
        commands.spawn((Disc::new(1.6).with_overlap(), motion, UserData(ROCK), rules(ROCK, u64::MAX)));
    }
    let at = Position(DVec2::new(12.0, 8.0));
    let engine = Body(DiscForces { speed_limit: 5.0, ..DiscForces::default() });
    let disc = Disc::new(0.35).with_overlap();
    commands.spawn((Ship, disc, at, Mass(0.5), UserData(SHIP), rules(SHIP, ROCK), engine));
}

/// A timer has the exact time at which a bullet's flight is over.
fn time_out(
    mut ended: MessageReader<TimerEnded>,
    bullets: Query<Entity, With<Bullet>>,
    mut commands: Commands,
) {
    for timer in ended.read() {
        if let Some(bullet) = Entity::try_from_bits(timer.note).filter(|&bullet| bullets.contains(bullet)) {
            commands.entity(bullet).despawn();
        }
    }
}

/// The player: thrusts to and fro, and shoots at the nearest rock, ahead of where it is, twice a second.
fn steer(
    ship: Single<(&Position, &Velocity, &mut Body<DiscForces>), With<Ship>>,
    rocks: Query<(&Position, &Velocity, &UserData)>,
    mut physics: ResMut<Physics<Laws>>,
    mut commands: Commands,
    mut tick: Local<u32>,
) {
    *tick += 1;
    if !tick.is_multiple_of(32) {
        return;
    }
    let (at, velocity, mut engine) = ship.into_inner();
    let thrust = Vec2::from_angle(0.02 * *tick as f32).as_dvec2() * 4.0;
    engine.0.acceleration = carom::DVec2::new(thrust.x, thrust.y);
    let way = |place: &Position| {
        let way = place.0 - at.0;
        let period = DVec2::from_array(SIZE);
        way - period * (way / period).round()
    };
    let rocks = rocks.iter().filter(|(.., data)| data.0 == ROCK);
    let nearest = rocks.min_by(|a, b| way(a.0).length().total_cmp(&way(b.0).length()));
    let Some((place, drift, _)) = nearest else { return };
    let lead = way(place) + (drift.0 - velocity.0) * (way(place).length() / 12.0);
    let shot = Velocity(velocity.0 + lead.normalize_or(DVec2::X) * 12.0);
    let rules = Rules(carom::Rules::new().with_membership(BULLET as u32).with_mask(ROCK as u32));
    let disc = Disc::new(0.08).with_overlap();
    let bullet = commands.spawn((Bullet, disc, *at, shot, Mass(0.05), UserData(BULLET), rules)).id();
    physics.world_mut().set_timer(1.1, bullet.to_bits()).expect("the time is in range");
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    crate::film::film::<Laws>(&mut game(), 20, [[0.0; 2], SIZE], "asteroids.gif")
}
