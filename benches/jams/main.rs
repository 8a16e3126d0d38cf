//! Jams: what it takes to resolve one instant at which many discs touch. The first impact of touching
//! patches, packings in which nothing can move, and a patch that slides on a table.

mod packing;

use carom::{DVec2, Disc, DiscForces, Forces, Physics, Rough, Roughness, Settings, Smooth, World};
use carom_testkit::rng::Rng;
use clap::Parser;
use cpu_time::ThreadTime;
use packing::{Packing, Room, lattice};

/// One instant at which many discs touch: milliseconds of CPU time.
#[derive(Parser)]
struct Options {
    /// Packings of 1 to this many discs in each room.
    #[arg(long, default_value_t = 150)]
    packings: usize,
    /// Files of packings, a centre of a disc a line: `cciN.txt` in the circle of radius 1, `csqN.txt` in the
    /// square of side 1, both about the origin.
    #[arg(long)]
    file: Vec<std::path::PathBuf>,
    /// Impacts that are resolved in each packing.
    #[arg(long, default_value_t = 100)]
    impacts: usize,
    /// Runs of each patch.
    #[arg(long, default_value_t = 5)]
    runs: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let options = Options::parse();
    println!("first impact of a hexagonal patch, ms: median of {} runs", options.runs);
    for discs in [100, 400, 1000] {
        let of = |restitution: f64| median(options.runs, |seed| first_impact(discs, restitution, seed));
        println!("{discs:5} discs: e = 1 {:7.2}  e = ½ {:7.2}  e = 0 {:7.2}", of(1.0), of(0.5), of(0.0));
    }
    println!("a patch hit by a disc, without friction and with μ = ½, ms");
    for discs in [15, 60, 240] {
        let smooth = median(options.runs, |seed| blow(Smooth, discs, seed));
        let rough = Rough::new(Smooth, Roughness::new(0.5, 0.0).expect("a coefficient in range"));
        let rubbing = median(options.runs, |seed| blow(rough, discs, seed));
        println!("{discs:5} discs: {smooth:7.3} {rubbing:7.3}, {:.1} times", rubbing / smooth);
    }
    println!("a patch of 121 discs that slides on a table until all of it stands");
    for seed in 0..options.runs {
        slide(121, seed);
    }
    println!("{} impacts of packings, e = 1: the slowest, ms, and the mean", options.impacts);
    for path in &options.file {
        let packing = Packing::of_file(path);
        report(&path.display().to_string(), &[packing], options.impacts);
    }
    for room in [Room::Circle, Room::Square] {
        for from in (1..=options.packings).step_by(30) {
            let to = (from + 29).min(options.packings);
            let packings: Vec<Packing> = (from..=to).map(|discs| Packing::jammed(room, discs)).collect();
            report(&format!("{from:3} to {to:3} in a {room}"), &packings, options.impacts);
        }
    }
}

/// The median of runs.
fn median(runs: u64, run: impl Fn(u64) -> f64) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(run).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Milliseconds of CPU time.
fn milliseconds(of: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    of();
    1e3 * start.elapsed().as_secs_f64()
}

fn world_of<P: Physics<Body: Default, Extra: Default>>(
    physics: P,
    places: &[DVec2],
    restitution: f64,
    mut velocity: impl FnMut() -> DVec2,
) -> World<P> {
    let mut world = World::with_physics(physics, Settings::default()).expect("settings in range");
    for &place in places {
        let disc = Disc::new(place, 0.5)
            .with_body(P::Body::default())
            .with_extra(P::Extra::default())
            .with_restitution(restitution)
            .with_velocity(velocity());
        world.insert(disc).expect("discs that touch do not overlap");
    }
    world
}

/// The first impact of a touching patch whose discs move at random.
fn first_impact(discs: usize, restitution: f64, seed: u64) -> f64 {
    let mut rng = Rng::new(seed);
    let mut world = world_of(Smooth, &lattice(discs), restitution, || rng.vector(1.0));
    // The times of all pairs are found before the first event is.
    world.next_event();
    milliseconds(|| _ = world.step_event())
}

/// A blow on a touching patch at rest, askew.
fn blow<P: Physics<Body: Default, Extra: Default>>(physics: P, discs: usize, seed: u64) -> f64 {
    let mut rng = Rng::new(seed);
    let places = lattice(discs);
    let mut world = world_of(physics, &places, 0.95, || DVec2::ZERO);
    let top = places.iter().fold(0.0, |top: f64, place| top.max(place.y));
    let cue = Disc::new([rng.range(-0.4, 0.4), top + 2.0], 0.5)
        .with_body(P::Body::default())
        .with_extra(P::Extra::default())
        .with_velocity([0.0, -5.0]);
    world.insert(cue).expect("room above the patch");
    world.next_event();
    milliseconds(|| _ = world.step_event())
}

/// A touching patch with random velocities on a table that brakes it.
fn slide(discs: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let forces = Forces::new().with_weight(10.0).expect("a weight in range");
    let mut world = World::with_physics(forces, Settings::default()).expect("settings in range");
    for place in lattice(discs) {
        let disc = Disc::new(place, 0.5)
            .with_body(DiscForces { friction: 0.2, ..DiscForces::default() })
            .with_restitution(0.9)
            .with_velocity(rng.vector(1.0));
        world.insert(disc).expect("discs that touch do not overlap");
    }
    let (mut slowest, mut sum) = (0.0_f64, 0.0);
    while world.next_event().is_some() {
        let took = milliseconds(|| _ = world.step_event());
        (slowest, sum) = (slowest.max(took), sum + took);
    }
    let events = world.counters().events;
    println!(
        "seed {seed}: {events} events, {:.1} µs each, the slowest {slowest:.2} ms",
        1e3 * sum / events as f64
    );
}

/// Plays packings with random velocities, and prints how long impacts take.
fn report(name: &str, packings: &[Packing], impacts: usize) {
    let (mut slowest, mut sum, mut events) = (0.0_f64, 0.0, 0);
    for packing in packings {
        let mut world = packing.world();
        let mut rng = Rng::new(packing.places.len() as u64);
        for &place in &packing.places {
            let disc = Disc::new(place, packing.radius).with_restitution(1.0).with_velocity(rng.vector(1.0));
            world.insert(disc).expect("a packing has room for its discs");
        }
        for _ in 0..impacts {
            if world.next_event().is_none() {
                break;
            }
            let took = milliseconds(|| _ = world.step_event());
            (slowest, sum, events) = (slowest.max(took), sum + took, events + 1);
        }
    }
    println!("{name}: {slowest:.2} ms, {:.3} ms", sum / f64::from(events));
}
