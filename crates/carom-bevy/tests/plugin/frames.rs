use crate::{app, disc, frame};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use bevy_time::prelude::*;
use bevy_transform::components::Transform;
use carom::{Disc as Body, Forces, Settings, World};
use carom_bevy::{CaromPlugin, Disc, Impacted, Mass, Physics, Position, Restitution, Velocity, Wall, When};

/// What a run saw: bits of the world at each tick, and each impact.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
struct Seen {
    ticks: Vec<u64>,
    impacts: Vec<(u64, u64)>,
}

#[derive(Component)]
struct Cue;

/// A table of discs; if `kicks`, with logic in ticks.
fn table<P>(plugin: CaromPlugin<P>, kicks: bool) -> App
where
    P: carom::Physics<Body: Default> + carom::Fields + 'static,
{
    let mut app = app(plugin);
    app.init_resource::<Seen>();
    let world = app.world_mut();
    world.spawn(Wall::from(carom::Wall::container([0.0, 0.0], [16.0, 9.0])));
    for k in 0..12_u32 {
        let (x, y) = (1.5 + 2.5 * f64::from(k % 6), 2.5 + 4.0 * f64::from(k / 6));
        let mut spawned = world.spawn(disc(x, y, 0.5, [7.0 - f64::from(k), 3.0]));
        spawned.insert((Mass(1.0 + f64::from(k % 3)), Restitution(0.9)));
        if k == 0 {
            spawned.insert(Cue);
        }
    }
    // Every eighth tick the first disc is kicked, which is logic as games have it.
    let kick = |mut tick: Local<u32>, mut cue: Query<&mut Velocity, With<Cue>>| {
        *tick += 1;
        if tick.is_multiple_of(8) {
            cue.iter_mut().for_each(|mut velocity| velocity.0 += DVec2::new(1.0, -0.5));
        }
    };
    let note = |physics: Res<Physics<P>>, mut seen: ResMut<Seen>| seen.ticks.push(physics.checksum());
    app.add_systems(FixedUpdate, note);
    if kicks {
        app.add_systems(FixedUpdate, kick.after(note));
    }
    app.add_systems(Update, |mut impacts: MessageReader<Impacted>, mut seen: ResMut<Seen>| {
        seen.impacts.extend(impacts.read().map(|hit| (hit.time.to_bits(), hit.impulse.to_bits())));
    });
    app
}

/// Two seconds in frames of these lengths in microseconds, by turns.
fn run(mut app: App, frames: &[u64]) -> Seen {
    let mut total = 0;
    for micros in frames.iter().cycle() {
        if total >= 2_000_000 {
            break;
        }
        total += micros;
        frame(&mut app, *micros);
    }
    app.world().resource::<Seen>().clone()
}

fn same_bits(make: impl Fn() -> App, impacts: usize) {
    let all = [&[6_944][..], &[16_667], &[1_000], &[33_333, 4_000, 90_000, 1, 250_000, 7_000]];
    let all = all.map(|frames| run(make(), frames));
    for seen in &all {
        let (ticks, hits) = (seen.ticks.len().min(127), seen.impacts.len().min(impacts));
        // 64 ticks a second, except for the last frame.
        assert!(seen.ticks.len() >= 127 && seen.impacts.len() >= impacts, "{}", seen.impacts.len());
        assert_eq!(seen.ticks[..ticks], all[0].ticks[..ticks]);
        assert_eq!(seen.impacts[..hits], all[0].impacts[..hits]);
    }
}

/// The engine's first law, through the plugin: frames leave no trace.
#[test]
fn frames_of_any_length_have_the_same_bits_at_all_ticks_and_impacts() {
    same_bits(|| table(CaromPlugin::default(), true), 30);
}

#[test]
fn so_do_they_where_discs_fall() {
    let forces = Forces::new().with_gravity([0.0, -9.0]).unwrap();
    let world = || World::with_physics(forces, Settings::default()).unwrap();
    same_bits(|| table(CaromPlugin::new(world()), true), 30);
}

/// Without logic in ticks it makes no difference whether the world stops at them.
#[test]
fn frames_alone_have_the_same_impacts_and_pictures() {
    let run = |when| {
        let mut app = table(CaromPlugin::default().with_steps(when), false);
        let mut places = Vec::new();
        for micros in [6_944, 16_667, 90_000, 1_000, 300_000].into_iter().cycle().take(25) {
            frame(&mut app, micros);
            let mut discs = app.world_mut().query::<(&Transform, &Position)>();
            places.extend(discs.iter(app.world()).map(|(shown, at)| (shown.translation.x, at.0.y.to_bits())));
        }
        (app.world().resource::<Seen>().impacts.clone(), places)
    };
    let (with, without) = (run(When::TicksAndFrames), run(When::Frames));
    assert!(with.0.len() > 20, "{}", with.0.len());
    assert_eq!(with, without);
}

/// The bare engine, called at the times of the ticks, is the oracle.
#[test]
fn ticks_are_those_of_the_bare_engine() {
    let seen = run(table(CaromPlugin::default(), true), &[6_944]);
    let mut world = World::new();
    world.add_wall(carom::Wall::container([0.0, 0.0], [16.0, 9.0])).unwrap();
    let ids: Vec<_> = (0..12_u32)
        .map(|k| {
            let (x, y) = (1.5 + 2.5 * f64::from(k % 6), 2.5 + 4.0 * f64::from(k / 6));
            let body = Body::new([x, y], 0.5).with_velocity([7.0 - f64::from(k), 3.0]);
            world.insert(body.with_mass(1.0 + f64::from(k % 3)).with_restitution(0.9)).unwrap()
        })
        .collect();
    for (tick, &sum) in (1..).zip(&seen.ticks) {
        world.advance_to(f64::from(tick) / 64.0).unwrap();
        assert_eq!(world.checksum(), sum, "tick {tick}");
        if tick % 8 == 0 {
            let velocity = world.get(ids[0]).unwrap().velocity() + carom::DVec2::new(1.0, -0.5);
            world.set_velocity(ids[0], velocity).unwrap();
        }
    }
}

/// A disc at 3 units a second is where its speed says at the time of each frame: neither late nor early.
#[test]
fn pictures_are_those_of_the_time_of_the_frame() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [3.0, 0.0])).id();
    for micros in [10_000, 1_000, 90_000, 300, 5_000] {
        frame(&mut app, micros);
        let at = app.world().get::<Transform>(entity).unwrap().translation.x;
        let now = app.world().resource::<Time<Virtual>>().elapsed_secs_f64();
        assert_eq!(at, (3.0 * now) as f32);
    }
}

#[test]
fn logic_in_ticks_sees_the_time_of_the_tick() {
    let mut app = app(CaromPlugin::default());
    app.world_mut().spawn(disc(0.0, 0.0, 0.5, [3.0, 0.0]));
    let look = |time: Res<Time>, discs: Query<&carom_bevy::Position, With<Disc>>| {
        for at in &discs {
            assert_eq!(at.0.x, 3.0 * time.elapsed_secs_f64());
        }
    };
    app.add_systems(FixedUpdate, look);
    for micros in [10_000, 40_000, 90_000, 3_000] {
        frame(&mut app, micros);
    }
}

#[test]
fn pausing_stops_the_world_and_half_speed_halves_it() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [4.0, 0.0])).id();
    let at = |app: &App| app.world().get::<carom_bevy::Position>(entity).unwrap().0.x;
    frame(&mut app, 100_000);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    for _ in 0..5 {
        frame(&mut app, 100_000);
    }
    assert_eq!(at(&app), 0.4);
    // Edits of a pause are carried out in it, and time goes on from there.
    app.world_mut().get_mut::<Velocity>(entity).unwrap().0.x = -2.0;
    frame(&mut app, 100_000);
    assert_eq!((at(&app), app.world().get::<Velocity>(entity).unwrap().0.x), (0.4, -2.0));
    let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
    time.unpause();
    time.set_relative_speed_f64(0.5);
    frame(&mut app, 200_000);
    assert!((at(&app) - 0.2).abs() < 1e-15, "{}", at(&app));
}
