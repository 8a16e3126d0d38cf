//! Many small worlds at once: 100 000 contest worlds of four pods, each played for eight turns from one
//! start, shared out over threads. What a search among moves does.
//!
//! `cargo bench --bench worlds`. Worlds share nothing but the walls of the start, so they scale by the cores
//! that are free; other programs on the machine take theirs from the wall time, not from the CPU time.

mod support;

use carom::{DVec2, DiscId, World};
use carom_scene::Scene;
use std::hint::black_box;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};
use support::cpu_time::CpuTime;

const WORLDS: u64 = 100_000;
const TURNS: u64 = 8;

/// Where all begin.
struct Start {
    world: World,
    pods: [DiscId; 4],
}

impl Start {
    fn new() -> Self {
        let built = Scene::named("pod-arena").and_then(|scene| scene.build()).expect("a named scene builds");
        let mut world = built.world;
        world.set_record_events(false);
        Start { world, pods: built.discs.try_into().expect("four pods") }
    }

    /// Plays some of the worlds one after the other, and returns how many impacts they had.
    fn play(&self, numbers: impl Iterator<Item = u64>) -> u64 {
        let (mut world, mut impacts) = (self.world.clone(), 0);
        for number in numbers {
            world.clone_from(&self.world);
            for turn in 0..TURNS {
                let velocity = |pod: u64| wish(number * 4 * TURNS + turn * 4 + pod);
                let edits: [_; 4] = std::array::from_fn(|pod| (self.pods[pod], velocity(pod as u64)));
                world.set_velocities(&edits).expect("the pods are there");
                impacts += world.advance(1.0).expect("the time is in range").events;
            }
            black_box(&world);
        }
        impacts
    }

    /// Plays all of them on this many threads, each its share. How long that takes, and the impacts.
    fn play_on(&self, threads: u64) -> (Duration, u64) {
        let start = Instant::now();
        let impacts = thread::scope(|scope| {
            let share = |thread| (thread..WORLDS).step_by(threads as usize);
            let running: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || self.play(share(thread)))).collect();
            running.into_iter().map(|thread| thread.join().expect("it plays")).sum()
        });
        (start.elapsed(), impacts)
    }
}

/// A velocity of up to a thousand a turn, the same for a number in every run: SplitMix64 (Steele, Lea and
/// Flood 2014).
fn wish(number: u64) -> DVec2 {
    let part = |k: u64| {
        let mut z = (2 * number + k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    2000.0 * DVec2::new(part(0), part(1))
}

fn main() {
    let start = Start::new();
    let cores = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    println!("{WORLDS} worlds of four pods, {TURNS} turns each; {} bytes a world", start.world.bytes());
    println!("| threads | worlds a second | over one thread | ns of CPU a turn | impacts |");
    println!("| --- | --- | --- | --- | --- |");
    let mut alone = Duration::ZERO;
    let counts = std::iter::successors(Some(1), |threads| Some(2 * threads)).take_while(|&n| n < cores);
    for threads in counts.chain([cores]) {
        let (mut took, mut impacts) = (Duration::MAX, 0);
        let mut of_cpu = Duration::MAX;
        for _ in 0..3 {
            let cpu = CpuTime::of(|| {
                let (elapsed, counted) = start.play_on(threads);
                (took, impacts) = (took.min(elapsed), counted);
            });
            of_cpu = of_cpu.min(cpu);
        }
        if threads == 1 {
            alone = took;
        }
        println!(
            "| {threads} | {:.0} | {:.2} | {:.0} | {impacts} |",
            WORLDS as f64 / took.as_secs_f64(),
            alone.as_secs_f64() / took.as_secs_f64(),
            of_cpu.as_secs_f64() * 1e9 / (WORLDS * TURNS) as f64,
        );
    }
}
