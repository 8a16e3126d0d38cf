//! CPU time of an event in worlds that are uneven, over that in an even one.

use crate::support::cpu_time::CpuTime;
use crate::support::gas;
use crate::{Effort, Outcome, worlds};
use carom::{SchedulerKind, World};

/// Microseconds an event, after five events a disc. The median of five stretches.
fn per_event(mut world: World, effort: Effort) -> f64 {
    let warm_up = 5 * world.len() as u64;
    gas::run(&mut world, warm_up);
    let mut stretches = [0.0; 5];
    for stretch in &mut stretches {
        let (mut events, mut took) = (0, 0.0);
        while took < effort.seconds / 5.0 {
            let some = (world.len() as u64).min(1000);
            took += CpuTime::of(|| gas::run(&mut world, some)).as_secs_f64();
            events += some;
        }
        *stretch = 1e6 * took / events as f64;
    }
    stretches.sort_by(f64::total_cmp);
    stretches[2]
}

/// Prints rows of times and their ratios to the first one's.
fn print(title: &str, rows: Vec<(String, World)>, effort: Effort) {
    println!("\n{title}\n\n| world | µs an event | ratio |\n| --- | --- | --- |");
    let mut first = None;
    for (name, world) in rows {
        let time = per_event(world, effort);
        println!("| {name} | {time:.2} | {:.2} |", time / *first.get_or_insert(time));
    }
}

pub(crate) fn uneven(effort: Effort) -> Outcome {
    for discs in [1000, 10_000] {
        let discs = (discs / effort.divisor).max(40);
        let rows = vec![
            (format!("{discs} discs at packing 0.5"), worlds::walled(discs, 0.5)?),
            (format!("{discs} discs at packing 5·10⁻⁵"), worlds::walled(discs, 5e-5)?),
            (
                "half of them at 0.5, walled in, half in a box 10 times as wide".into(),
                worlds::uneven(discs, 10.0)?,
            ),
            ("half at 0.5, half in a box 100 times as wide".into(), worlds::uneven(discs, 100.0)?),
        ];
        print("A dense half beside a dilute one", rows, effort);
    }
    Ok(())
}

pub(crate) fn large_disc(effort: Effort) -> Outcome {
    for discs in [1000, 4000] {
        let discs = (discs / effort.divisor).max(40);
        let rows = vec![
            (format!("{discs} discs in a period"), worlds::periodic(discs, 0.3, 0.0)?),
            ("and one of radius 0.13 periods".into(), worlds::periodic(discs, 0.3, 0.13)?),
        ];
        print("A large disc among small ones", rows, effort);
    }
    Ok(())
}

pub(crate) fn segments(effort: Effort) -> Outcome {
    for scheduler in [SchedulerKind::Fastest, SchedulerKind::Table, SchedulerKind::Grid] {
        let mut rows = Vec::new();
        for segments in [0, 100, 1000, 8000] {
            let segments = segments / effort.divisor;
            let world = worlds::with_segments(50, segments, scheduler)?;
            rows.push((format!("50 discs, {segments} segments, {scheduler:?}"), world));
        }
        print("Segments", rows, effort);
    }
    Ok(())
}

pub(crate) fn dilute(effort: Effort) -> Outcome {
    let discs = 1000 / effort.divisor.min(10);
    let mut rows = Vec::new();
    for packing in [0.5, 0.3, 0.1, 0.01, 0.001] {
        rows.push((format!("{discs} discs, packing {packing}"), worlds::periodic(discs, packing, 0.0)?));
    }
    print("Dilute gases in a period", rows, effort);
    Ok(())
}

/// A gas in the open plane: all its events, and what is done after the last one.
pub(crate) fn expanding(effort: Effort) -> Outcome {
    println!("\nA gas that expands into the plane, from packing 0.3\n");
    println!("| discs | events | µs an event, the first half | the second half | then, to 10⁹ s, ms |");
    println!("| --- | --- | --- | --- | --- |");
    for discs in [100, 1000, 10_000] {
        let discs = (discs / effort.divisor).max(10);
        let mut world = worlds::unconfined(discs, 0.3)?;
        let mut whole = world.clone();
        whole.advance(1e6)?;
        let all = whole.counters().events;
        let mut halves = [0.0; 2];
        for half in &mut halves {
            let events = (all / 2).max(1);
            world.set_budget(events);
            let took = CpuTime::of(|| _ = world.advance(1e6));
            *half = 1e6 * took.as_secs_f64() / events as f64;
        }
        world.set_budget(u64::MAX);
        let after = CpuTime::of(|| _ = world.advance(1e9));
        println!(
            "| {discs} | {all} | {:.2} | {:.2} | {:.2} |",
            halves[0],
            halves[1],
            1e3 * after.as_secs_f64()
        );
    }
    Ok(())
}
