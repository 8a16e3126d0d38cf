//! How many of the pots that a fan of directions finds are found by `Game::pots`, and what both take.
//!
//! ```text
//! cargo run --release -p carom-billiards --example recall -- [POSITIONS] [STEP in mrad] [BALLS] [SEED]
//! ```
//!
//! A pot is a ball and a pocket. The fan plays one speed in all directions; what it finds in one
//! direction alone is left out: no player is so exact. "straight" is what falls without a cushion
//! and another ball on the way, "all" is everything else as well, kisses and several cushions included.

use carom_billiards::aim::{Stroke, Wish};
use carom_billiards::{Game, Layout, Outcome, Shot, Table};
use carom_testkit::rng::Rng;
use std::collections::BTreeMap;
use std::time::Instant;

const SPEED: f64 = 2.5;

fn position(table: &Table, balls: usize, rng: &mut Rng) -> Game {
    loop {
        let mut layout = Layout::new();
        for k in 0..=balls {
            let label = if k == 0 { "cue".to_owned() } else { k.to_string() };
            // One ball of four lies at a rail.
            let near = rng.unit() < 0.25;
            let inset = table.ball.radius + if near { 0.03 * rng.unit() } else { 0.0 };
            let mut at = [
                inset + (table.width - 2.0 * inset) * rng.unit(),
                inset + (table.length - 2.0 * inset) * rng.unit(),
            ];
            if near {
                let side = (4.0 * rng.unit()) as usize;
                at[side % 2] = if side < 2 { inset } else { [table.width, table.length][side % 2] - inset };
            }
            layout = layout.with(label, table.ball, at);
        }
        if let Ok(game) = layout.build(table) {
            return game;
        }
    }
}

/// Whether a ball falls without a cushion and without another ball than the cue ball on its way.
fn is_straight(outcome: &Outcome, ball: &str, fell: f64) -> bool {
    let first = outcome.first_hit_at.unwrap_or(f64::INFINITY);
    let met =
        outcome.hits.iter().filter(|hit| hit.balls.iter().any(|met| met == ball) && hit.time < fell).count();
    let banks = outcome
        .cushions
        .iter()
        .any(|hit| (hit.ball == ball && hit.time < fell) || (hit.ball == outcome.ball && hit.time < first));
    outcome.first_hit.as_deref() == Some(ball) && met == 1 && !banks
}

fn main() -> Result<(), carom_billiards::Error> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<f64>().expect("a number"));
    let mut number = |default: f64| numbers.next().unwrap_or(default);
    let (positions, step, balls, seed) = (number(10.0), number(0.5) * 1e-3, number(4.0), number(1.0));
    let table = Table::pool_9ft();
    let rng = &mut Rng::new(seed as u64);
    let (mut known, mut found, mut times) = ([0_u32; 2], [0_u32; 2], [0.0; 2]);
    for _ in 0..positions as usize {
        let game = position(&table, balls as usize, rng);
        let labels: Vec<String> = (1..=balls as usize).map(|k| k.to_string()).collect();
        let wish = Wish::pot(&labels.iter().map(String::as_str).collect::<Vec<_>>());
        let start = Instant::now();
        let pots = game.pots(&wish, Stroke::new(SPEED))?;
        times[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        // For each pot: the last direction in which it was seen, whether twice in a row, and straight so.
        let mut fan: BTreeMap<(String, usize), [i64; 4]> = BTreeMap::new();
        let mut trial = game.clone();
        for k in 0..(core::f64::consts::TAU / step) as i64 {
            trial.clone_from(&game);
            let outcome = trial.shoot(&Shot::new(SPEED).aimed_at(k as f64 * step))?;
            for potted in outcome.potted.iter().filter(|potted| potted.ball != "cue") {
                let entry = fan.entry((potted.ball.clone(), potted.pocket)).or_insert([-9, 0, -9, 0]);
                entry[1] |= i64::from(entry[0] == k - 1);
                entry[0] = k;
                if is_straight(&outcome, &potted.ball, potted.time) {
                    entry[3] |= i64::from(entry[2] == k - 1);
                    entry[2] = k;
                }
            }
        }
        times[1] += start.elapsed().as_secs_f64();
        for ((ball, pocket), [_, all, _, straight]) in fan {
            let is_found = u32::from(pots.iter().any(|pot| pot.ball == ball && pot.pocket == pocket));
            for (k, is) in [straight, all].into_iter().enumerate() {
                known[k] += is as u32;
                found[k] += is as u32 * is_found;
            }
            if straight == 1 && is_found == 0 {
                let lie = |label: &str| game.layout().balls.iter().find(|b| b.label == label).map(|b| b.at);
                println!("missed: {ball} at {:?} into {pocket}, cue at {:?}", lie(&ball), lie("cue"));
            }
        }
    }
    for (k, what) in ["straight", "all"].into_iter().enumerate() {
        let share = 100.0 * f64::from(found[k]) / f64::from(known[k].max(1));
        println!("{what}: {} of {} found, {share:.1} %", found[k], known[k]);
    }
    println!(
        "pots {:.2} ms, fan {:.0} ms a position",
        1e3 * times[0] / positions,
        1e3 * times[1] / positions
    );
    Ok(())
}
