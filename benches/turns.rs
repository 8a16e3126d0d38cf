//! What a game-playing program does: edit every velocity, advance by a turn, read everything; whole
//! breaks, and looking ahead.

mod support;

use carom::{DVec2, DiscId, Forecast, ForecastOptions, World};
use carom_scene::Scene;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use support::cpu_time::CpuTime;

/// Four pods of a contest game, without walls.
struct Turns {
    world: World,
    pods: [DiscId; 4],
    /// What the players want, turn by turn, made beforehand.
    wishes: Vec<[DVec2; 4]>,
    /// How strongly they steer towards the middle.
    pull: f64,
    places: [DVec2; 4],
}

impl Turns {
    /// `pull` of 0 is a race of pods that stay apart; the more they pull to the middle, the more impacts.
    fn new(speed: f64, pull: f64) -> Self {
        let built = Scene::named("pod-arena").and_then(|scene| scene.build()).expect("a named scene builds");
        let mut world = built.world;
        world.set_record_events(false);
        let walls: Vec<_> = world.walls().map(|(id, _)| id).collect();
        for wall in walls {
            world.remove_wall(wall).expect("it is there");
        }
        let mut seed = 1u64;
        let mut random = move || {
            // SplitMix64 (Steele, Lea and Flood 2014): any stream of numbers will do here.
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        // Every second turn takes back the one before, so that a disc that meets none stays where it is.
        let mut wishes = Vec::new();
        for _ in 0..512 {
            let turn: [DVec2; 4] = std::array::from_fn(|_| DVec2::new(random(), random()) * speed);
            wishes.extend([turn, turn.map(|v| -v)]);
        }
        let pods = built.discs.try_into().expect("four discs");
        let mut places = [DVec2::ZERO; 4];
        world.read_positions(&mut places).expect("four places");
        Turns { world, pods, wishes, pull, places }
    }

    fn play(&mut self, turns: u64) {
        for turn in 0..turns {
            let wishes = &self.wishes[turn as usize % self.wishes.len()];
            let edits: [_; 4] =
                std::array::from_fn(|k| (self.pods[k], wishes[k] - self.places[k] * self.pull));
            self.world.set_velocities(&edits).expect("the pods are there");
            self.world.advance(1.0).expect("the time is in range");
            self.world.read_positions(&mut self.places).expect("four places");
            black_box(&self.places);
        }
    }
}

fn turns(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("turn of four pods");
    group.throughput(Throughput::Elements(1));
    for (name, speed, pull) in [("race", 100.0, 0.0), ("scrum", 1500.0, 0.25)] {
        let mut game = Turns::new(speed, pull);
        let events = game.world.counters().events;
        game.play(10_000);
        let per_turn = (game.world.counters().events - events) as f64 / 10_000.0;
        group.bench_function(format!("{name}, {per_turn:.2} impacts"), |bencher| {
            bencher.iter_custom(|turns| CpuTime::of(|| game.play(turns)));
        });
    }
    group.finish();
}

fn breaks(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("break");
    for name in ["nine-ball-discs", "eight-ball-discs", "snooker-discs"] {
        let scene = Scene::named(name).expect("a named scene");
        let mut start = scene.build().expect("a named scene builds").world;
        start.set_record_events(false);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut world = start.clone();
                world.advance_to(scene.until).expect("the time is in range")
            });
        });
    }
    group.finish();
}

/// Looks ahead from the moment of an eight-ball break: 16 balls, 3 s.
fn forecasts(criterion: &mut Criterion<CpuTime>) {
    let built =
        Scene::named("eight-ball-discs").and_then(|scene| scene.build()).expect("a named scene builds");
    let (mut world, cue) = (built.world, built.discs[0]);
    world.set_record_events(false);
    let mut group = criterion.benchmark_group("forecast");
    group.bench_function("clone and advance", |bencher| {
        bencher.iter(|| world.clone().advance(3.0).expect("the time is in range"));
    });
    let mut forecast = Forecast::new();
    for (name, frozen) in [("path of the cue ball", false), ("the same, frozen", true)] {
        let options = ForecastOptions::new(3.0).with_frozen(frozen);
        group.bench_function(name, |bencher| {
            bencher.iter(|| forecast.path(&world, cue, &options).map(<[_]>::len).expect("it is there"));
        });
    }
    let (two, last) = (ForecastOptions::new(3.0).with_max_impacts(2), built.discs[built.discs.len() - 1]);
    group.bench_function("to the second impact", |bencher| {
        bencher.iter(|| forecast.path(&world, cue, &two).map(<[_]>::len).expect("it is there"));
    });
    group.bench_function("first impact of the last ball", |bencher| {
        bencher.iter(|| forecast.first_impact(&world, 3.0, |impact| impact.involves(last)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = turns, breaks, forecasts
}
criterion_main!(benches);
