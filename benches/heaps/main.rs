//! Heaps: discs dropped into a box until they are at rest. CPU time in all and by frame, events, and what a
//! heap must keep: no overlap, and no energy from nowhere. Or discs that fall into a V.

mod drop;

use carom::{Forces, Rest, Rough, World};
use clap::Parser;
use cpu_time::ThreadTime;
use drop::{Dropping, Drops, FRAMES_PER_SECOND, GRAVITY, SECONDS_AFTER, disc, empty_box};

/// Discs of radius 0.2 to 0.6 dropped into a box, three a second, and five seconds after it.
#[derive(Parser)]
struct Options {
    /// Discs, by run.
    #[arg(long, value_delimiter = ',', default_values_t = [20, 40, 73])]
    discs: Vec<usize>,
    /// Runs of each, from seed 1 on.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// The height from which they fall.
    #[arg(long, default_value_t = drop::START)]
    from: f64,
    /// The coefficient of friction of all contacts; smooth discs without.
    #[arg(long)]
    friction: Option<f64>,
    /// The rest height, in place of the usual one.
    #[arg(long)]
    height: Option<f64>,
    /// The largest gap of a held contact, in place of the usual one.
    #[arg(long)]
    gap: Option<f64>,
    /// In place of a box: discs that fall into a V of half-planes at 45 degrees, smooth, until they rest.
    #[arg(long, value_delimiter = ',')]
    vee: Vec<usize>,
    /// Coefficient of restitution of what falls into a V.
    #[arg(long, default_value_t = 0.5)]
    restitution: f64,
    /// A line for each run.
    #[arg(long)]
    each: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What came of a run.
struct Outcome {
    seconds: f64,
    /// Milliseconds: the mean, 99 in 100, and the slowest.
    frame: [f64; 3],
    /// Events, and how many of them are ends of pieces.
    events: [u64; 2],
    /// Of the mean radius.
    overlap: f64,
    /// The largest rise of the energy in a frame without insertion, of the whole.
    rise: f64,
    /// When all came to rest; none if something still moves.
    at_rest: Option<f64>,
}

fn main() {
    let options = Options::parse();
    for &discs in &options.vee {
        for seed in options.first..options.first + options.seeds {
            fall_into_a_vee(discs, seed, &options);
        }
    }
    if !options.vee.is_empty() {
        return;
    }
    println!(
        "discs  CPU s: median  worst  frame ms: mean   99 %  worst   events  pieces  µs each  overlap   \
         rise  at rest"
    );
    for &discs in &options.discs {
        let seeds = options.first..options.first + options.seeds;
        let mut runs: Vec<Outcome> = seeds
            .map(|seed| {
                let run = match options.friction {
                    Some(_) => run::<Rough<Forces>>(discs, seed, &options),
                    None => run::<Forces>(discs, seed, &options),
                };
                if options.each {
                    print_row(&format!("{discs}, seed {seed}"), std::slice::from_ref(&run));
                }
                run
            })
            .collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        print_row(&discs.to_string(), &runs);
    }
}

/// Seconds of the world that discs in a V have at most until they are to be at rest.
const SECONDS_IN_A_VEE: u32 = 600;

/// Runs discs in a V until all are at rest, and prints what it took.
fn fall_into_a_vee(discs: usize, seed: u64, options: &Options) {
    let mut world = drop::above_a_vee(rest_of(options), seed, discs, options.restitution);
    let start = ThreadTime::now();
    let mut is_at_rest = false;
    while !is_at_rest && world.now().as_secs() < f64::from(SECONDS_IN_A_VEE) {
        let end = world.advance(1.0).expect("seconds in range").end;
        assert_eq!(end, carom::StopReason::Reached, "discs {discs}, seed {seed}");
        is_at_rest = world.discs().all(|(_, disc)| disc.velocity == carom::DVec2::ZERO);
    }
    println!(
        "V of {discs}, seed {seed}: {:.2} s of CPU, {} events, {} at {:.0} s",
        start.elapsed().as_secs_f64(),
        world.counters().events,
        if is_at_rest { "at rest" } else { "moving" },
        world.now().as_secs(),
    );
}

fn rest_of(options: &Options) -> Rest {
    let usual = Rest::default();
    Rest::new(options.height.unwrap_or(usual.height)).with_gap(options.gap.unwrap_or(usual.gap))
}

/// A line of the medians and worst of runs, in the order of their times.
fn print_row(name: &str, runs: &[Outcome]) {
    let median = &runs[runs.len() / 2];
    let worst = |of: fn(&Outcome) -> f64| runs.iter().map(of).fold(0.0, f64::max);
    let at_rest = runs.iter().filter(|run| run.at_rest.is_some()).count();
    println!(
        "{name:5} {:13.3} {:6.3} {:15.2} {:6.2} {:6.2} {:8} {:7} {:8.1} {:8.1e} {:6.0e} {:>5} of {}",
        median.seconds,
        worst(|run| run.seconds),
        median.frame[0],
        worst(|run| run.frame[1]),
        worst(|run| run.frame[2]),
        median.events[0],
        median.events[1],
        1e6 * median.seconds / median.events[0] as f64,
        worst(|run| run.overlap),
        worst(|run| run.rise),
        at_rest,
        runs.len(),
    );
}

fn run<P: Dropping>(discs: usize, seed: u64, options: &Options) -> Outcome {
    let rest = rest_of(options);
    let friction = options.friction.unwrap_or(0.0);
    let mut world: World<P> = empty_box(rest, friction, options.from);
    let mut drops = Drops::new(seed, options.from);
    let (mut times, mut overlap, mut rise, mut at_rest) = (Vec::new(), 0.0_f64, 0.0_f64, None);
    let (mut before, mut last) = (0.0, None);
    for frame in 0.. {
        if last.is_some_and(|last| frame > last + SECONDS_AFTER * FRAMES_PER_SECOND) {
            break;
        }
        if world.len() < discs
            && let Some(dropped) = drops.of_frame(frame)
            && world.insert(disc::<P>(dropped)).is_ok()
        {
            before = energy(&world);
            last = (world.len() == discs).then_some(frame);
        }
        let start = ThreadTime::now();
        let advance = world.advance(1.0 / f64::from(FRAMES_PER_SECOND)).expect("seconds in range");
        times.push(1e3 * start.elapsed().as_secs_f64());
        assert_eq!(advance.end, carom::StopReason::Reached, "discs {discs}, seed {seed}, frame {frame}");
        let now = energy(&world);
        (rise, before) = (rise.max((now - before) / now.abs()), now);
        overlap = overlap.max(largest_overlap(&world));
        let is_still = world.discs().all(|(_, disc)| disc.velocity == carom::DVec2::ZERO);
        at_rest = is_still.then_some(at_rest.unwrap_or(f64::from(frame) / f64::from(FRAMES_PER_SECOND)));
    }
    let seconds = times.iter().sum::<f64>() * 1e-3;
    times.sort_by(f64::total_cmp);
    let frame = [1e3 * seconds / times.len() as f64, times[times.len() * 99 / 100], times[times.len() - 1]];
    let events = [world.counters().events, world.counters().pieces];
    Outcome { seconds, frame, events, overlap, rise, at_rest }
}

/// Of motion, rotation with the moment of inertia ½ m R², and height.
fn energy<P: Dropping>(world: &World<P>) -> f64 {
    world.discs().fold(0.0, |sum, (_, disc)| {
        let rim = P::rim_speed(&disc);
        let motion = disc.velocity.length_squared() + 0.5 * rim * rim;
        sum + disc.mass * (0.5 * motion - GRAVITY * disc.position.y)
    })
}

/// The deepest overlap of two discs, or of one with a wall, as a fraction of the mean radius.
fn largest_overlap<P: Dropping>(world: &World<P>) -> f64 {
    let discs: Vec<_> = world.discs().map(|(_, disc)| (disc.position, disc.radius)).collect();
    let mut largest = 0.0_f64;
    for (i, &(p, r)) in discs.iter().enumerate() {
        let to_walls = (0.5 * drop::WIDTH - p.x.abs()).min(p.y);
        largest = largest.max((r - to_walls) / r);
        for &(q, s) in &discs[..i] {
            largest = largest.max((r + s - (p - q).length()) / (0.5 * (r + s)));
        }
    }
    largest
}
