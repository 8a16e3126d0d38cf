//! Discs that are dropped into a box and pile up: Carom beside rapier, with the same insertions.

#[path = "../../heaps/drop.rs"]
#[expect(dead_code, reason = "the bench of heaps needs more of it")]
mod drop;

use carom::{Forces, Rest, Rough, World};
use cpu_time::ThreadTime;
use drop::{ABOVE, Dropped, Drops, FRAMES_PER_SECOND, GRAVITY, RESTITUTION, SECONDS_AFTER, START, WIDTH};
use drop::{Dropping, disc, empty_box};
use rapier2d::prelude::*;

/// Runs of each number of discs.
const SEEDS: u64 = 10;

/// The coefficients of friction with which discs fall.
const FRICTIONS: [f64; 2] = [0.0, 0.5];

/// An engine in which discs are dropped.
trait Heap {
    /// Drops a disc, if there is room.
    fn drop(&mut self, dropped: Dropped) -> bool;
    fn frame(&mut self);
    /// Place, radius and speed of each disc.
    fn discs(&self) -> Vec<([f64; 2], f64, f64)>;
}

struct Carom<P: Dropping>(World<P>);

impl<P: Dropping> Heap for Carom<P> {
    fn drop(&mut self, dropped: Dropped) -> bool {
        self.0.insert(disc::<P>(dropped)).is_ok()
    }

    fn frame(&mut self) {
        let advance = self.0.advance(1.0 / f64::from(FRAMES_PER_SECOND)).expect("seconds in range");
        assert_eq!(advance.end, carom::StopReason::Reached);
    }

    fn discs(&self) -> Vec<([f64; 2], f64, f64)> {
        let seen = self.0.discs();
        seen.map(|(_, disc)| (disc.position.to_array(), disc.radius, disc.velocity.length())).collect()
    }
}

/// Settings as they come: discs at rest sleep. The world, the discs with their radii, and their friction.
struct Rapier(PhysicsWorld, Vec<(RigidBodyHandle, f64)>, Real);

impl Rapier {
    fn new(friction: f64) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, GRAVITY as Real);
        world.integration_parameters.dt = 1.0 / FRAMES_PER_SECOND as Real;
        let (half, high, thick) = (0.5 * WIDTH, START + ABOVE, 1.0);
        for (x, y, width, height) in [
            (0.0, -thick, half + 2.0 * thick, thick),
            (-half - thick, 0.5 * high, thick, high),
            (half + thick, 0.5 * high, thick, high),
        ] {
            let wall = ColliderBuilder::cuboid(width as Real, height as Real);
            let wall = wall.translation(Vector::new(x as Real, y as Real));
            world.insert_collider(wall.restitution(RESTITUTION as Real).friction(friction as Real), None);
        }
        Rapier(world, Vec::new(), friction as Real)
    }
}

impl Heap for Rapier {
    fn drop(&mut self, (place, radius): Dropped) -> bool {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(place.x as Real, place.y as Real));
        let ball = ColliderBuilder::ball(radius as Real).restitution(RESTITUTION as Real).friction(self.2);
        self.1.push((self.0.insert(body, ball).0, radius));
        true
    }

    fn frame(&mut self) {
        self.0.step();
    }

    fn discs(&self) -> Vec<([f64; 2], f64, f64)> {
        let of = |&(handle, radius): &(RigidBodyHandle, f64)| {
            let body = &self.0.bodies[handle];
            let (place, v) = (body.translation(), body.linvel());
            ([place.x.into(), place.y.into()], radius, f64::from(v.x).hypot(v.y.into()))
        };
        self.1.iter().map(of).collect()
    }
}

/// What came of a run: CPU milliseconds by frame, ascending; the deepest overlap, of the mean radius; the
/// largest speed at the end.
struct Outcome {
    frames: Vec<f64>,
    overlap: f64,
    speed: f64,
}

/// Prints the table.
pub(crate) fn show(sizes: &[usize]) {
    println!("Discs dropped into a box, three a second, and 5 s more; {SEEDS} runs of each number of them\n");
    println!(
        "| discs | | CPU s: median | worst | ms a frame: mean | 99 % | worst | overlap | speed at the end |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for &discs in sizes {
        for friction in FRICTIONS {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for seed in 1..=SEEDS {
                let (mine, dropped) = if friction > 0.0 {
                    run_carom::<Rough<Forces>>(discs, seed, friction)
                } else {
                    run_carom::<Forces>(discs, seed, friction)
                };
                ours.push(mine);
                theirs.push(run_rapier(&dropped, friction));
            }
            row(discs, &format!("Carom, μ = {friction}"), &mut ours);
            row(discs, &format!("rapier2d, 60 Hz, μ = {friction}"), &mut theirs);
        }
    }
}

/// What came of a run in Carom, and what was dropped in which frame.
fn run_carom<P: Dropping>(discs: usize, seed: u64, friction: f64) -> (Outcome, Vec<(u32, Dropped)>) {
    let (mut dropped, mut drops) = (Vec::new(), Drops::new(seed, START));
    let mut carom = Carom::<P>(empty_box(Rest::default(), friction, START));
    let outcome = run(&mut carom, |heap, frame| {
        if dropped.len() < discs
            && let Some(next) = drops.of_frame(frame)
            && heap.drop(next)
        {
            dropped.push((frame, next));
        }
        dropped.last().filter(|_| dropped.len() == discs).map(|&(frame, _)| frame)
    });
    (outcome, dropped)
}

fn run_rapier(dropped: &[(u32, Dropped)], friction: f64) -> Outcome {
    let mut left = dropped.iter().peekable();
    run(&mut Rapier::new(friction), |heap, frame| {
        if let Some(&(_, next)) = left.next_if(|&&(at, _)| at == frame) {
            heap.drop(next);
        }
        dropped.last().filter(|&&(last, _)| frame >= last).map(|&(last, _)| last)
    })
}

/// Runs until some seconds after the last disc; `drop` says in which frame that was dropped, once it was.
fn run<H: Heap>(heap: &mut H, mut drop: impl FnMut(&mut H, u32) -> Option<u32>) -> Outcome {
    let (mut frames, mut overlap) = (Vec::new(), 0.0_f64);
    for frame in 0.. {
        let last = drop(heap, frame);
        if last.is_some_and(|last| frame > last + SECONDS_AFTER * FRAMES_PER_SECOND) {
            break;
        }
        let start = ThreadTime::now();
        heap.frame();
        frames.push(1e3 * start.elapsed().as_secs_f64());
        overlap = overlap.max(deepest_overlap(&heap.discs()));
    }
    frames.sort_by(f64::total_cmp);
    let speed = heap.discs().iter().fold(0.0, |most: f64, &(_, _, speed)| most.max(speed));
    Outcome { frames, overlap, speed }
}

fn deepest_overlap(discs: &[([f64; 2], f64, f64)]) -> f64 {
    let mut deepest = 0.0_f64;
    for (i, &([x, y], r, _)) in discs.iter().enumerate() {
        deepest = deepest.max((r - (0.5 * WIDTH - x.abs()).min(y)) / r);
        for &([u, v], s, _) in &discs[..i] {
            deepest = deepest.max((r + s - (x - u).hypot(y - v)) / (0.5 * (r + s)));
        }
    }
    deepest
}

/// A line: the run of median time, and the worst of all.
fn row(discs: usize, name: &str, runs: &mut [Outcome]) {
    let seconds = |run: &Outcome| 1e-3 * run.frames.iter().sum::<f64>();
    runs.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let median = &runs[runs.len() / 2];
    let worst = |of: &dyn Fn(&Outcome) -> f64| runs.iter().map(of).fold(0.0, f64::max);
    println!(
        "| {discs} | {name} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} | {:.0e} | {:.0e} |",
        seconds(median),
        worst(&seconds),
        1e3 * seconds(median) / median.frames.len() as f64,
        worst(&|run| run.frames[run.frames.len() * 99 / 100]),
        worst(&|run| run.frames[run.frames.len() - 1]),
        worst(&|run| run.overlap),
        worst(&|run| run.speed),
    );
}
