//! Impacts of two in a world that has nothing but smooth discs and half-planes are carried out in a loop of
//! their own. What a world has beside that, which never takes effect, changes no bit of what happens. That
//! these worlds obey the laws that others do, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::{Seen, assert_same, note};
use crate::common::rng::{Rng, cases};
use carom_engine::{
    Collapse, DVec2, Disc, DiscId, Region, SchedulerKind, Settings, Simultaneous, StopReason, Wall, World,
};

/// Discs in a box, or in a plane that repeats itself along one axis; some are alike and fly alike, so that
/// there are ties and groups. With a region that no disc reaches it is no plain world.
fn gas(seed: u64, has_region: bool, records: bool) -> (World, Vec<DiscId>) {
    let mut rng = Rng::new(seed);
    let across = 2 + rng.below(5);
    let (pitch, is_even) = (rng.pick(&[1.0, 1.0 + 1e-4, 1.1, 2.0, 3.0]), rng.chance(30));
    let side = across as f64 * pitch;
    let period = rng.chance(25).then_some(side + 8.0);
    let settings = Settings::default()
        .with_scheduler(rng.pick(&[SchedulerKind::Table, SchedulerKind::Grid]))
        .with_period([period, None])
        .with_budget(3000)
        .with_record_events(records)
        .with_collapse(Some(if rng.chance(70) { Collapse::default() } else { Collapse::new(0.05, 4) }))
        .with_simultaneous(if rng.chance(75) { Simultaneous::Together } else { Simultaneous::OneByOne });
    let mut world = World::with_settings(settings).unwrap();
    if has_region {
        world.add_region(Region::disc(DVec2::new(0.0, 1e9), 0.25)).unwrap();
    }
    if period.is_none() && rng.chance(90) {
        let wall = Wall::container(DVec2::ZERO, DVec2::splat(side));
        world.add_wall(wall.with_restitution(rng.pick(&[1.0, 1.0, 0.8, 0.0]))).unwrap();
    }
    let (restitution, mass) = (rng.pick(&[1.0, 1.0, 0.9, 0.0]), rng.chance(50));
    let mut ids = Vec::new();
    for k in 0..across * across - rng.below(3) {
        let place = DVec2::new((k % across) as f64 + 0.5, (k / across) as f64 + 0.5) * pitch;
        let velocity = if is_even { rng.pick(&[DVec2::X, DVec2::NEG_X, DVec2::Y]) } else { rng.vector(1.0) };
        let disc = Disc::new(place, 0.5).with_velocity(velocity).with_restitution(restitution);
        let mass = if mass { rng.pick(&[0.0, 0.5, 1.0, 2.0]) } else { 1.0 };
        ids.push(world.insert(disc.with_mass(mass)).unwrap());
    }
    (world, ids)
}

/// Velocities for all discs, in their order, or for some in any.
fn turn(rng: &mut Rng, ids: &[DiscId]) -> Vec<(DiscId, DVec2)> {
    let of_all = rng.chance(50);
    let mut pick = |k: usize| if of_all { ids[k] } else { ids[rng.below(ids.len())] };
    let picked: Vec<DiscId> = (0..ids.len()).map(&mut pick).collect();
    picked.into_iter().map(|id| (id, rng.vector(2.0))).collect()
}

/// All that can be seen of a run, with the events if it `records` them, and how many impacts and groups there
/// were. Nothing if a call has more events than its budget.
fn run(seed: u64, has_region: bool, records: bool) -> Option<(Vec<Seen>, [u64; 2])> {
    let (mut world, mut ids) = gas(seed, has_region, records);
    let (mut rng, mut seen) = (Rng::new(seed ^ 0x5eed), Vec::new());
    for _ in 0..8 {
        let id = rng.below(ids.len());
        let (velocity, place) = (rng.vector(2.0), rng.vector(20.0));
        match rng.below(6) {
            0 => world.set_velocity(ids[id], velocity).unwrap(),
            1 if ids.len() > 2 => _ = world.remove(ids.swap_remove(id)).unwrap(),
            // In its way or not, it takes a slot that was free.
            2 => ids.extend(world.insert(Disc::new(place, 0.25).with_velocity(velocity)).ok()),
            // Of all, or of some, and of some of them twice.
            3 => world.set_velocities(&turn(&mut rng, &ids)).unwrap(),
            _ => (),
        }
        if world.advance(rng.pick(&[0.0, 0.3, 2.0])).unwrap().end != StopReason::Reached {
            return None;
        }
        note(&mut seen, world.events(), &world);
    }
    world.assert_well_formed();
    let counters = world.counters();
    let impacts = [counters.disc_impacts, counters.wall_impacts];
    seen.push(Seen::edit((counters.ledger, impacts, counters.events, counters.groups)));
    Some((seen, [counters.disc_impacts, counters.groups]))
}

#[test]
fn what_has_no_effect_changes_no_bit_of_a_plain_world() {
    let (mut impacts, mut groups) = (0, 0);
    for seed in 0..cases(150) {
        for records in [true, false] {
            let Some((expected, counts)) = run(seed, true, records) else { continue };
            let what = format!("seed {seed}, recorded: {records}");
            assert_same(&run(seed, false, records).expect(&what).0, &expected, &what);
            (impacts, groups) = (impacts + counts[0], groups + counts[1]);
        }
    }
    assert!(impacts > 40_000 && groups > 200, "{impacts} impacts, {groups} groups");
}
