//! What a frame of the plugin costs beside the bare engine, with 1000 discs at 60 frames a second:
//! `cargo run --release --example frame_time`.
//!
//! The bare engine is called at the same times, and asked for all events and all places after each call.

use bevy_app::App;
use bevy_math::DVec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use carom_bevy::When;
use carom_bevy::carom::{self, World};
use carom_bevy::prelude::*;
use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

const FRAMES: u32 = 600;

/// Places and velocities of 1000 discs of radius ½ in a square of this side.
fn gas(side: f64, speed: f64) -> Vec<(DVec2, DVec2)> {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / (1_u64 << 31) as f64 * 2.0 - 1.0
    };
    let cell = side / 32.0;
    let place = |k: usize| DVec2::new((k % 32) as f64 + 0.5, (k / 32) as f64 + 0.5) * cell;
    (0..1000).map(|k| (place(k), DVec2::new(random(), random()) * speed)).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2] * 1e6
}

/// An app with the plugin and these discs, at its first frame.
fn app(when: When, gas: &[(DVec2, DVec2)], room: &carom::Wall) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, CaromPlugin::default().with_steps(when)));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.world_mut().spawn(Wall::from(room.clone()));
    for &(at, velocity) in gas {
        let transform = Transform::from_translation(at.as_vec2().extend(0.0));
        app.world_mut().spawn((Disc::new(0.5), transform, Velocity(velocity)));
    }
    app.finish();
    app.cleanup();
    app.update();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_nanos(16_666_667)));
    app
}

fn bare(gas: &[(DVec2, DVec2)], room: &carom::Wall) -> World {
    let mut bare = World::new();
    bare.add_wall(room.clone()).expect("there is room");
    for (at, velocity) in gas {
        let body = carom::Disc::new(at.to_array(), 0.5).with_velocity(velocity.to_array());
        bare.insert(body).expect("there is room");
    }
    bare
}

/// Runs something and keeps how long it took.
fn clock(times: &mut Vec<f64>, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    times.push(start.elapsed().as_secs_f64());
}

fn compare(name: &str, side: f64, speed: f64) {
    let (room, gas) = (carom::Wall::container([0.0, 0.0], [side, side]), gas(side, speed));
    let mut apps = [When::TicksAndFrames, When::Frames].map(|when| app(when, &gas, &room));
    let mut empty = app(When::TicksAndFrames, &[], &room);
    let mut worlds = [bare(&gas, &room), bare(&gas, &room)];
    // Two engines, two apps, and one without discs, by turns.
    let mut times: [Vec<f64>; 5] = Default::default();
    let (mut shown, mut tick) = (vec![carom::DVec2::ZERO; 1000], 0_u32);
    for frame in 1..=FRAMES {
        let now = f64::from(frame) * 0.016_666_667;
        clock(&mut times[0], || {
            while f64::from(tick + 1) / 64.0 <= now {
                tick += 1;
                call(&mut worlds[0], f64::from(tick) / 64.0, &mut shown);
            }
            call(&mut worlds[0], now, &mut shown);
        });
        clock(&mut times[1], || call(&mut worlds[1], now, &mut shown));
        clock(&mut times[2], || apps[0].update());
        clock(&mut times[3], || apps[1].update());
        clock(&mut times[4], || empty.update());
        black_box(&shown);
    }
    let [engine, engine_at_frames, with, with_at_frames, without_discs] = times.map(median);
    let impacts = worlds[0].counters().disc_impacts / u64::from(FRAMES);
    let more = |with: f64, engine: f64| {
        let (all, own) = (100.0 * (with / engine - 1.0), 100.0 * ((with - without_discs) / engine - 1.0));
        format!("engine {engine:.0} µs, plugin {with:.0} µs: {all:+.0} % ({own:+.0} % without the empty app)")
    };
    println!("{name}: {impacts} impacts a frame; an app without discs {without_discs:.0} µs");
    println!("    ticks and frames: {}", more(with, engine));
    println!("    frames only:      {}", more(with_at_frames, engine_at_frames));
}

/// The engine alone: what happened, and where all discs are.
fn call(world: &mut World, time: f64, shown: &mut [carom::DVec2]) {
    world.advance_to(time).expect("a later time");
    black_box(world.events().iter().filter_map(carom::Event::impact).map(|hit| hit.impulse).sum::<f64>());
    world.read_positions(shown).expect("there are as many");
}

fn main() {
    compare("thin gas (packing 0.20)", 62.6, 5.0);
    compare("gas (packing 0.50)", 39.6, 5.0);
    compare("dense gas (packing 0.70)", 33.5, 5.0);
    // A world of discs at rest costs the engine nothing.
    compare("at rest", 62.6, 0.0);
}
