//! One gas in Bevy, by carom-bevy and by avian2d: impacts, energy and time.
//!
//! Equal elastic discs of radius 0.5 in a square with four walls, packing 0.3, no gravity, no friction, no
//! sleeping: all start from the same places with one speed, in directions by the golden angle. Each app runs
//! 60 frames and 60 ticks a second, and places are read after each frame.

use avian2d::prelude as avian;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use carom_bevy::prelude as exact;
use core::time::Duration;
use cpu_time::ProcessTime;

const RADIUS: f64 = 0.5;
const SPEED: f64 = 30.0;
const PACKING: f64 = 0.3;
const SECONDS: u32 = 10;

/// Collisions of two discs so far.
#[derive(Resource, Default)]
struct Met(usize);

/// Places and velocities of the start, and the side of the square.
struct Start {
    discs: Vec<[bevy::math::DVec2; 2]>,
    side: f64,
}

impl Start {
    fn new(count: u32) -> Self {
        let across = f64::from(count).sqrt().ceil();
        let side = (f64::from(count) * core::f64::consts::PI * RADIUS * RADIUS / PACKING).sqrt();
        let place = |k: u32| {
            let (x, y) = (f64::from(k) % across, (f64::from(k) / across).floor());
            bevy::math::DVec2::new(x + 0.5, y + 0.5) * (side / across)
        };
        let velocity = |k: u32| bevy::math::DVec2::from_angle(2.399_963_229_728_653 * f64::from(k)) * SPEED;
        Start { discs: (0..count).map(|k| [place(k), velocity(k)]).collect(), side }
    }
}

/// An app of 60 frames and 60 ticks a second.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.build().disable::<bevy::app::ScheduleRunnerPlugin>(), TransformPlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.insert_resource(Time::<Fixed>::from_hz(60.0)).init_resource::<Met>();
    app
}

fn by_carom(start: &Start) -> App {
    let mut app = app();
    app.add_plugins(exact::CaromPlugin::default());
    app.add_systems(
        Last,
        |mut hits: MessageReader<exact::Impacted>, discs: Query<&exact::Disc>, mut met: ResMut<Met>| {
            met.0 += hits.read().filter(|hit| hit.other.is_some_and(|other| discs.contains(other))).count();
        },
    );
    let world = app.world_mut();
    world.spawn(exact::Wall::from(carom_bevy::carom::Wall::container([0.0; 2], [start.side; 2])));
    for &[place, velocity] in &start.discs {
        world.spawn((exact::Disc::new(RADIUS), exact::Position(place), exact::Velocity(velocity)));
    }
    app
}

fn by_avian(start: &Start, is_swept: bool, substeps: u32) -> App {
    let mut app = app();
    app.add_plugins((bevy::asset::AssetPlugin::default(), avian::PhysicsPlugins::default()));
    app.insert_resource(avian::Gravity(Vec2::ZERO)).insert_resource(avian::SubstepCount(substeps));
    app.add_systems(
        Last,
        |mut hits: MessageReader<avian::CollisionStart>,
         walls: Query<(), With<Wall>>,
         mut met: ResMut<Met>| {
            met.0 += hits
                .read()
                .filter(|hit| !walls.contains(hit.collider1) && !walls.contains(hit.collider2))
                .count();
        },
    );
    let world = app.world_mut();
    let (side, thick) = (start.side as f32, 10.0 * RADIUS as f32);
    let elastic = || {
        (
            avian::Restitution::new(1.0).with_combine_rule(avian::CoefficientCombine::Max),
            avian::Friction::ZERO,
            avian::CollisionEventsEnabled,
        )
    };
    for [x, y] in [[-0.5, 0.5], [1.5, 0.5], [0.5, -0.5], [0.5, 1.5]] {
        // Each as long as the square and its neighbours are thick.
        let off = |along: f32| {
            if along < 0.0 {
                -0.5 * thick
            } else if along > 1.0 {
                side + 0.5 * thick
            } else {
                0.5 * side
            }
        };
        let long = |along: f32| if along == 0.5 { side + 2.0 * thick } else { thick };
        let at = Transform::from_xyz(off(x), off(y), 0.0);
        world.spawn((
            Wall,
            avian::RigidBody::Static,
            avian::Collider::rectangle(long(x), long(y)),
            at,
            elastic(),
        ));
    }
    for &[place, velocity] in &start.discs {
        let at = Transform::from_xyz(place.x as f32, place.y as f32, 0.0);
        let disc = (
            avian::RigidBody::Dynamic,
            avian::Collider::circle(RADIUS as f32),
            avian::LinearVelocity(velocity.as_vec2()),
            avian::SleepingDisabled,
            at,
            elastic(),
        );
        let mut disc = world.spawn(disc);
        if is_swept {
            disc.insert(avian::SweptCcd::default());
        }
    }
    app
}

#[derive(Component)]
struct Wall;

/// Sum of the squares of the speeds, by whichever component there is.
fn squares(app: &mut App) -> f64 {
    let world = app.world_mut();
    let exact: f64 =
        world.query::<&exact::Velocity>().iter(world).map(|velocity| velocity.0.length_squared()).sum();
    let mut stepped = world.query::<&avian::LinearVelocity>();
    exact + stepped.iter(world).map(|velocity| velocity.0.as_dvec2().length_squared()).sum::<f64>()
}

fn run(name: &str, mut app: App, side: f64) {
    app.finish();
    app.cleanup();
    app.update();
    let (before, start) = (squares(&mut app), ProcessTime::now());
    let (mut first, mut early, mut sum) = (0, 0, 0.0);
    for frame in 1..=60 * SECONDS {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(
            Duration::from_secs(1) * frame / 60 - Duration::from_secs(1) * (frame - 1) / 60,
        ));
        app.update();
        let world = app.world_mut();
        sum += world.query::<&Transform>().iter(world).map(|at| f64::from(at.translation.x)).sum::<f64>();
        if frame == 6 {
            first = app.world().resource::<Met>().0;
        }
        if frame == 60 {
            early = app.world().resource::<Met>().0;
        }
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(SECONDS);
    let lost = 100.0 * (1.0 - squares(&mut app) / before);
    let all = app.world().resource::<Met>().0;
    let world = app.world_mut();
    let is_out = |at: &Transform| {
        let inside = 0.0..=side as f32;
        !inside.contains(&at.translation.x) || !inside.contains(&at.translation.y)
    };
    let outside =
        world.query_filtered::<&Transform, Without<Wall>>().iter(world).filter(|at| is_out(at)).count();
    assert!(sum.is_finite());
    println!("| {name} | {first} | {early} | {all} | {lost:.2} % | {outside} | {seconds:.4} |");
}

fn main() {
    println!("| 60 frames a second | discs met, 0.1 s | 1 s | {SECONDS} s | energy lost | outside | CPU s |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for count in [100, 1000] {
        let start = Start::new(count);
        run(&format!("{count} discs, carom-bevy"), by_carom(&start), start.side);
        run(&format!("{count} discs, avian2d, 6 substeps"), by_avian(&start, false, 6), start.side);
        run(&format!("{count} discs, avian2d, 6 substeps, swept"), by_avian(&start, true, 6), start.side);
        run(&format!("{count} discs, avian2d, 24 substeps, swept"), by_avian(&start, true, 24), start.side);
    }
}
