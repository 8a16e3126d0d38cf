//! A second of play of games at 60 frames a second, a crowded battle, and merge games frame by frame.

mod support;

use carom::{DVec2, SchedulerKind};
use carom_games::{Input, air_hockey, merge, pinball, pod_arena, shooter};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use support::cpu_time::CpuTime;

const RATE: f64 = 60.0;

/// Benches 60 frames of the second with the most events of the first minute.
macro_rules! second {
    ($criterion:ident, $name:literal, $game:ident) => {
        let mut game = $game::Game::new(&$game::Options::default()).expect("a game");
        let mut pilot = $game::Pilot::new(1);
        let mut seconds = Vec::new();
        for start in 0..60 {
            let mut replay = game.clone();
            let before = game.world().counters().events;
            let script = pilot.play(&mut game, f64::from(start + 1)).expect("it is played");
            for input in script {
                replay.input(input).expect("it is in time");
            }
            seconds.push((game.world().counters().events - before, start, replay));
        }
        let (events, start, replay) =
            seconds.into_iter().max_by_key(|&(events, _, _)| events).expect("there are sixty");
        let name = format!("60 frames of {}, {events} events", $name);
        $criterion.bench_function(&name, |bencher| {
            bencher.iter_batched_ref(
                || replay.clone(),
                |game| {
                    for frame in 1..=60 {
                        let time = f64::from(start) + f64::from(frame) / RATE;
                        black_box(game.advance_to(time)).expect("it goes on");
                    }
                },
                BatchSize::SmallInput,
            );
        });
    };
}

/// 20 ships that all fire as fast as they can, across the field: some 200 bullets fly.
fn battle(criterion: &mut Criterion<CpuTime>, scheduler: SchedulerKind) {
    let options = shooter::Options { ships: 10, lives: 1_000_000, scheduler };
    let mut game = shooter::Game::new(&options).expect("a game");
    for shot in 0..50 {
        for player in 0..20 {
            let time = 0.125 * f64::from(shot) + 0.007 * player as f64;
            // Along the field, up and down a little.
            let side = if player % 2 == 0 { 1.0 } else { -1.0 };
            let direction = DVec2::new(side, 0.5 * (0.9 * f64::from(shot) + player as f64).sin());
            let steer = Input { time, player, action: shooter::Action::Steer(direction.perp()) };
            game.input(steer).expect("it is in time");
            let fire = Input { time, player, action: shooter::Action::Fire(direction) };
            game.input(fire).expect("it is in time");
        }
    }
    game.advance_to(5.0).expect("it goes on");
    let name = format!("60 frames of 20 ships and {} bullets, {scheduler:?}", game.bullets());
    criterion.bench_function(&name, |bencher| {
        bencher.iter_batched_ref(
            || game.clone(),
            |game| {
                for frame in 1..=60 {
                    black_box(game.advance_to(5.0 + f64::from(frame) / RATE)).expect("it goes on");
                }
            },
            BatchSize::SmallInput,
        );
    });
}

/// Says what frames of piloted merge games of 60 drops cost: the heaps of most of them rest in part.
fn merge_frames() {
    for seed in 1..=3 {
        let options = merge::Options { seed, ..merge::Options::default() };
        let mut game = merge::Game::new(&options).expect("a game");
        let mut pilot = merge::Pilot::new(seed);
        let mut times = Vec::new();
        while game.dropped() < 60 && game.over().is_none() {
            let until = (times.len() + 1) as f64 / RATE;
            let time = CpuTime::of(|| _ = pilot.play(&mut game, until).expect("it is played"));
            times.push(1e3 * time.as_secs_f64());
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        times.sort_by(f64::total_cmp);
        let [most, worst] = [0.99, 1.0].map(|share| times[((times.len() - 1) as f64 * share) as usize]);
        let frames = times.len();
        println!(
            "merge, seed {seed}: {frames} frames, {mean:.2} ms each, 99 % {most:.1} ms, worst {worst:.1} ms"
        );
    }
}

fn games(criterion: &mut Criterion<CpuTime>) {
    second!(criterion, "shooter", shooter);
    for scheduler in [SchedulerKind::Fastest, SchedulerKind::Table] {
        battle(criterion, scheduler);
    }
    second!(criterion, "air hockey", air_hockey);
    second!(criterion, "pinball", pinball);
    second!(criterion, "pod arena", pod_arena);
    merge_frames();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime).sample_size(20);
    targets = games
}
criterion_main!(benches);
