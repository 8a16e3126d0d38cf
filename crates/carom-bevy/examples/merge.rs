//! A merge game: two discs of one size that touch become one of the next, which grows and pushes aside what
//! is in its way.
//!
//! `cargo run --release --example merge` writes `merge.gif`.

// Tests have their own.
#[cfg(not(test))]
#[path = "film/mod.rs"]
mod film;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom_bevy::carom::{self, DiscForces, Encounter, Event, Forces, Judged, Settings, Verdict, World};
use carom_bevy::carom::{Partner, QueryFilter};
use carom_bevy::{Happened, Physics, UserData, prelude::*};

const SIZE: [f64; 2] = [6.0, 9.0];
const BOUNCE: f64 = 0.1;
/// By how much a radius grows in a tick at most.
const GROWTH: f64 = 1.5 / 64.0;

type Orders = carom::Commands<DiscForces>;
type Laws = Judged<Forces, fn(&Encounter<'_, DiscForces>, &mut Orders) -> Verdict>;

/// Has not its whole radius yet.
#[derive(Component)]
struct Grows;

/// Discs that were dropped, and those that were merged.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) dropped: u32,
    pub(crate) merged: u32,
}

fn radius(size: u64) -> f64 {
    0.25 * 1.3_f64.powi(size as i32)
}

/// Discs of one size pass through each other, so that a message names both; others bounce.
fn rules(met: &Encounter<'_, DiscForces>, _: &mut Orders) -> Verdict {
    let is_pair = met.b.disc().is_some() && met.a.user_data == met.b.user_data;
    if is_pair { Verdict::Pass } else { Verdict::Bounce }
}

/// The game; the program that runs it sets how its time advances.
pub(crate) fn game() -> App {
    let judge = rules as fn(&Encounter<'_, DiscForces>, &mut Orders) -> Verdict;
    let forces = Forces::new().with_gravity([0.0, -20.0]).expect("gravity is in range");
    let world = World::with_physics(Judged::new(forces, judge), Settings::default());
    let mut app = crate::film::headless();
    app.add_plugins(CaromPlugin::new(world.expect("settings are in range"))).init_resource::<Score>();
    app.add_systems(Startup, set_up).add_systems(FixedUpdate, (merge, grow, drop).chain());
    app
}

fn set_up(mut commands: Commands) {
    let [width, height] = SIZE;
    let bin = carom::Wall::polyline(&[[0.0, 2.0 * height], [0.0, 0.0], [width, 0.0], [width, 2.0 * height]]);
    commands.spawn((Wall::from(bin), Restitution(BOUNCE)));
}

/// What all discs of a size have.
fn stuff(size: u64, at: DVec2) -> impl Bundle {
    (Position(at), Mass(2.0_f64.powi(size as i32)), Restitution(BOUNCE), UserData(size))
}

/// Two that have touched go, and one of the next size comes between them, as large as there is room.
fn merge(
    mut happened: MessageReader<Happened<Laws>>,
    discs: Query<(&Position, &Velocity, &UserData)>,
    physics: Res<Physics<Laws>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut gone = Vec::new();
    for event in happened.read() {
        let Event::Passed(passage) = event.0 else { continue };
        let two = [Partner::Disc(passage.a), passage.b];
        let [Some(a), Some(b)] = two.map(|disc| physics.entity(disc)) else { continue };
        // One of them has merged with a third since the last tick.
        if gone.contains(&a) || gone.contains(&b) {
            continue;
        }
        let Ok([(at, v, size), (beside, w, _)]) = discs.get_many([a, b]) else { continue };
        let (place, size) = (0.5 * (at.0 + beside.0), size.0 + 1);
        // The two go with the next step, and are not in the way.
        let is_other = |found: Partner| !two.contains(&found);
        let (others, mut near) = (QueryFilter::new().with_predicate(&is_other), Vec::new());
        let middle = carom::DVec2::new(place.x, place.y);
        physics.world().nearest(middle, 1, &others, &mut near).expect("places are in range");
        let room = near.first().map_or(radius(size), |near| near.distance.min(radius(size)));
        gone.extend([a, b]);
        commands.entity(a).despawn();
        commands.entity(b).despawn();
        commands.spawn((
            Grows,
            Disc::new(room).with_overlap(),
            Velocity(0.5 * (v.0 + w.0)),
            stuff(size, place),
        ));
        score.merged += 1;
    }
}

/// What grows becomes larger together, and all are pushed apart by the least moves. Where there is no room
/// the tick goes by.
fn grow(
    growing: Query<(Entity, &Disc, &UserData), With<Grows>>,
    mut physics: ResMut<Physics<Laws>>,
    mut commands: Commands,
) {
    let mut larger = physics.world().clone();
    let mut grown = 0;
    for (entity, disc, size) in &growing {
        let Some(id) = physics.disc_id(entity) else { continue };
        grown += usize::from(larger.set_radius(id, radius(size.0).min(disc.radius + GROWTH)).is_ok());
    }
    if grown == 0 || larger.push_apart().is_err() {
        return;
    }
    *physics.world_mut() = larger;
    for (entity, disc, size) in &growing {
        if disc.radius + GROWTH >= radius(size.0) {
            commands.entity(entity).remove::<Grows>();
        }
    }
}

/// A disc of one of three sizes each half a second.
fn drop(mut commands: Commands, mut score: ResMut<Score>, mut tick: Local<u32>) {
    *tick += 1;
    if *tick % 32 == 1 {
        let size = u64::from(score.dropped * 7 % 3);
        let x = 0.5 + 5.0 * (0.618_033_988_749_894_9 * f64::from(score.dropped)).fract();
        commands.spawn((Disc::new(radius(size)), stuff(size, DVec2::new(x, SIZE[1] + 1.0))));
        score.dropped += 1;
    }
}

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn core::error::Error>> {
    crate::film::film::<Laws>(&mut game(), 15, [[0.0; 2], SIZE], "merge.gif")
}
