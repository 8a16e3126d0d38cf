//! CPU time of what is done once: searching where nothing meets, building, loading, changing over.

use crate::support::cpu_time::CpuTime;
use crate::{Effort, Outcome, worlds};
use carom::{DVec2, Disc, SchedulerKind, Settings, Wall, World};

fn milliseconds(run: impl FnOnce()) -> f64 {
    1e3 * CpuTime::of(run).as_secs_f64()
}

/// Discs that fly apart in the open plane: there is no next event, which is to be found once.
pub(crate) fn flying_apart(effort: Effort) -> Outcome {
    println!("\nNothing in sight: discs that fly apart\n");
    println!("| discs | first `next_event`, ms | again, ms | after an edit, ms |\n| --- | --- | --- | --- |");
    for discs in [300, 1000, 3000, 10_000] {
        let discs = discs / effort.divisor.min(10);
        let mut world = World::new();
        let side = (discs as f64).sqrt() as usize;
        let mut first = None;
        for k in 0..discs {
            let place = 3.0 * (DVec2::new((k % side) as f64, (k / side) as f64) - 0.5 * side as f64);
            let id = world.insert(Disc::new(place, 1.0).with_velocity(place))?;
            first.get_or_insert((id, place));
        }
        let search = milliseconds(|| assert!(world.next_event().is_none()));
        let again = milliseconds(|| assert!(world.next_event().is_none()));
        let (id, place) = first.ok_or("no discs")?;
        world.set_velocity(id, 1.01 * place)?;
        let edited = milliseconds(|| assert!(world.next_event().is_none()));
        println!("| {discs} | {search:.2} | {again:.4} | {edited:.2} |");
    }
    Ok(())
}

/// Walls one by one, and one put up and taken down beside many discs.
pub(crate) fn walls(effort: Effort) -> Outcome {
    println!("\nWalls\n\n| segments | one by one, ms | µs each |\n| --- | --- | --- |");
    for segments in [1000, 10_000, 100_000] {
        let segments = segments / effort.divisor;
        let mut world = World::new();
        let columns = (segments as f64).sqrt().ceil() as usize;
        let took = milliseconds(|| {
            for k in 0..segments {
                let a = 3.0 * DVec2::new((k % columns) as f64, (k / columns) as f64);
                _ = world.add_wall(Wall::segment(a, a + DVec2::X));
            }
        });
        println!("| {segments} | {took:.1} | {:.2} |", 1e3 * took / segments as f64);
    }
    println!("\n| discs | a wall up and down, and the next event, µs |\n| --- | --- |");
    for discs in [100, 10_000] {
        let discs = (discs / effort.divisor).max(40);
        let mut world = worlds::walled(discs, 0.3)?;
        world.advance(1.0)?;
        let repeats = 100;
        let took = milliseconds(|| {
            for k in 0..repeats {
                // Outside of the box, so that no disc can hit it.
                let a = DVec2::new(1e4 + f64::from(k), 1e4);
                let wall = world.add_wall(Wall::segment(a, a + DVec2::Y)).expect("it is out of the way");
                world.next_event();
                world.remove_wall(wall).expect("it is there");
                world.next_event();
            }
        });
        println!("| {discs} | {:.1} |", 1e3 * took / f64::from(repeats));
    }
    Ok(())
}

/// Insertion with the first event, a change of schedulers, a clone: all linear.
pub(crate) fn many_discs(effort: Effort) -> Outcome {
    println!("\nSet-up, packing 0.5 in a period\n");
    println!(
        "| discs | insert, ms | first event, ms | µs a disc | clone, ms | large disc, first event, ms |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for discs in [10_000, 100_000, 1_000_000] {
        let discs = discs / effort.divisor;
        let source = worlds::periodic(discs, 0.5, 0.0)?;
        let settings = Settings::default()
            .with_period(source.settings().period)
            .with_scheduler(SchedulerKind::Fastest)
            .with_record_events(false);
        let flying: Vec<Disc> = source.discs().map(|(_, disc)| disc).collect();
        let mut world = World::with_settings(settings)?;
        let insert = milliseconds(|| {
            world.reserve(flying.len());
            for disc in flying {
                _ = world.insert(disc);
            }
        });
        let first = milliseconds(|| _ = world.step_event());
        let clone = milliseconds(|| drop(world.clone()));
        let mut with_large = worlds::periodic(discs, 0.3, 0.13)?;
        let large = milliseconds(|| _ = with_large.step_event());
        let each = 1e3 * (insert + first) / discs as f64;
        println!("| {discs} | {insert:.0} | {first:.0} | {each:.2} | {clone:.1} | {large:.0} |");
    }
    Ok(())
}
