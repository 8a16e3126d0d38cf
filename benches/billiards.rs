//! Breaks from the stroke to rest, and the elastic gas of 16 discs in a box beside them: CPU time a break and
//! an event, the events that there are, and the equations solved for each.
//!
//! `cargo bench --bench billiards`. Each figure is the median of several passes over the same breaks.

mod support;

use carom_billiards::{CushionModel, Game, PairModel, Rack, Shot, Table};
use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;
use support::cpu_time::CpuTime;
use support::gas;

/// Breaks of a pass, and passes.
const BREAKS: u64 = 1000;
const PASSES: usize = 7;

/// Events of the gas for each pass.
const EVENTS: u64 = 200_000;

/// A rack with small gaps, broken at 9 m/s as the seed says, on a table that is there.
fn game(first: &Game, rack: Rack, seed: u64) -> (Game, Shot) {
    let layout = rack.place(first.table(), seed).expect("the table is one");
    let game = first.with_layout(&layout).expect("the rack fits");
    let beside = 0.03 * ((0.618_033_988_749_895 * seed as f64).fract() - 0.5);
    (game, Shot::new(9.0).aimed_at(FRAC_PI_2 + beside))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// One line of the table.
fn line(what: &str, rack: Rack, table: &Table) {
    let first = rack.place(table, 0).and_then(|layout| layout.build(table)).expect("the rack fits");
    let games: Vec<(Game, Shot)> = (0..BREAKS).map(|seed| game(&first, rack, seed)).collect();
    let (mut events, mut roots) = (0, 0);
    let passes = (0..PASSES).map(|pass| {
        let mut played = games.clone();
        let took = CpuTime::of(|| {
            for (game, shot) in &mut played {
                black_box(game.shoot(shot)).expect("it is played");
            }
        });
        if pass == 0 {
            events = played.iter().map(|(game, _)| game.world().counters().events).sum();
            roots = played.iter().map(|(game, _)| game.world().counters().roots).sum();
        }
        took.as_secs_f64()
    });
    let (took, breaks) = (median(passes.collect()), BREAKS as f64);
    println!(
        "| {what} | {:.1} | {:.1} | {:.2} | {:.2} |",
        took / breaks * 1e6,
        events as f64 / breaks,
        took / events as f64 * 1e6,
        roots as f64 / events as f64,
    );
}

fn main() {
    println!(
        "| what | µs a break | events | µs an event | roots an event |\n| --- | --- | --- | --- | --- |"
    );
    let racks = [Rack::nine_ball(), Rack::eight_ball(), Rack::snooker()];
    for (name, rack) in ["nine-ball", "eight-ball", "snooker"].into_iter().zip(racks) {
        let rack = rack.with_gap(1e-5).expect("it is in range");
        let mut table = Table::named(rack.usual_table()).expect("it is named");
        line(&format!("{name}, default models"), rack, &table);
        table.physics.pair = PairModel::FrictionlessInelastic;
        table.physics.cushion = CushionModel::Restitution;
        line(&format!("{name}, without friction at impacts"), rack, &table);
    }
    let start = gas::warm("box-16");
    let mut world = start.world.clone();
    let passes = (0..PASSES).map(|_| CpuTime::of(|| gas::run(&mut world, EVENTS)).as_secs_f64());
    let took = median(passes.collect());
    println!("| gas of 16 in a box | | {EVENTS} | {:.2} | |", took / EVENTS as f64 * 1e6);
}
