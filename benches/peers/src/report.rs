//! The tables.

use crate::run::{Limits, Run};
use crate::scene::{FRAMES_PER_SECOND, PACKING, RADIUS, SPEED, Scene};

/// A line of a table.
pub(crate) struct Row<'a> {
    pub(crate) run: &'a Run,
    pub(crate) truth: &'a Run,
}

pub(crate) fn preamble(limits: &Limits) {
    println!(
        "Elastic gas in a square: packing {PACKING}, radius {RADIUS}, mean speed {SPEED}, {} simulated \
         seconds,\n\
         at most {} CPU s a run.",
        limits.seconds, limits.cap
    );
}

pub(crate) fn heading(scene: &Scene, truth: &Run) {
    let last = truth.collisions.last().copied().unwrap_or(0);
    println!("\n## {} discs\n", scene.states.len());
    println!("{last} collisions of two discs in the {:.2} s that Carom got to.\n", truth.seconds());
    println!(
        "| | CPU s per simulated s | of Carom's | found, first 0.1 s | first 1 s | all | energy lost after \
         1 s | \
         at the end | outside | deepest overlap, radii | simulated s |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
}

pub(crate) fn row(Row { run, truth }: &Row) {
    let tenth = FRAMES_PER_SECOND / 10;
    let common = run.collisions.len().min(truth.collisions.len());
    let ended = run.failure.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    println!(
        "| {} | {} | {:.2} | {} | {} | {} | {} | {} | {} | {} | {:.2}{ended} |",
        run.name,
        digits(run.cost),
        run.cost / truth.cost,
        found(run, truth, tenth),
        found(run, truth, FRAMES_PER_SECOND),
        found(run, truth, common),
        lost(run.energy.get(FRAMES_PER_SECOND - 1)),
        lost(run.energy.last()),
        run.outside,
        digits(run.overlap),
        run.seconds(),
    );
}

/// Collisions found in this many frames over what there were.
fn found(run: &Run, truth: &Run, frames: usize) -> String {
    let by = |run: &Run| run.collisions.get(frames.checked_sub(1)?).copied();
    match (by(run), by(truth)) {
        (Some(found), Some(there)) if there > 0 => format!("{:.1} %", 100.0 * found as f64 / there as f64),
        _ => "–".to_owned(),
    }
}

fn lost(energy: Option<&f64>) -> String {
    match energy {
        None => "–".to_owned(),
        Some(energy) if (1.0 - energy).abs() < 1e-4 => digits(1.0 - energy),
        Some(energy) => format!("{:.1} %", 100.0 * (1.0 - energy)),
    }
}

/// Three digits that count.
fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if x.abs() < 1e-4 {
        return format!("{x:.0e}");
    }
    let places = (2 - x.abs().log10().floor() as i32).max(0) as usize;
    format!("{x:.places$}")
}
