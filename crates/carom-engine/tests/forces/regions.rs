//! Regions where paths bend: against distances, and the same bits from every scheduler.

use crate::common::by::By;
use crate::common::record::{event_bits, state_bits};
use crate::common::regions::{Watch, gap, random_region};
use crate::common::rng::{Rng, cases};
use crate::scene::{KINDS, world};
use carom_engine::{CrossingCause, DiscId, Region, RegionId};
use std::collections::BTreeMap;

fn regions(seed: u64, ids: &[DiscId]) -> Vec<Region> {
    let mut rng = Rng::new(seed ^ 0x9E61);
    (0..5).map(|_| random_region(&mut rng, 4.0, ids)).collect()
}

/// Event by event: who is inside is who is by distance, and a crossing is where the distance is zero.
#[test]
fn crossings_are_where_the_distance_is_zero() {
    let (mut crossings, mut steps) = (0, 0);
    for seed in 0..cases(60) {
        let kind = KINDS[seed as usize % KINDS.len()];
        let mut world = world(seed, kind, 9);
        let ids: Vec<DiscId> = world.ids().collect();
        let mut by_id = BTreeMap::<RegionId, Region>::new();
        for region in regions(seed, &ids) {
            by_id.insert(world.add_region(region).unwrap(), region);
        }
        let mut watch = Watch::default();
        for frame in 1..=40 {
            world.advance_to(world.now()).unwrap();
            watch.note(world.events());
            while world.next_event().is_some_and(|next| next.time.as_secs() < 0.1 * f64::from(frame)) {
                world.step_event();
                steps += 1;
                watch.note(world.events());
                for crossing in world.events().iter().filter_map(|event| event.crossing()) {
                    let distance = gap(&world, &by_id[&crossing.region], crossing.disc);
                    // Of grazing paths the time, not the distance, is less exact.
                    assert!(distance.abs() < 1e-12, "seed {seed}: {distance} at {crossing:?}");
                    assert!(crossing.cause == CrossingCause::Motion);
                }
                watch.check(&world, 1e-9);
            }
            world.advance_to(0.1 * f64::from(frame)).unwrap();
            watch.check(&world, 1e-9);
        }
        world.assert_well_formed();
        crossings += watch.crossings;
    }
    assert!(crossings > 2000 && steps > crossings, "{crossings} of {steps}");
}

fn bits(by: By, seed: u64, frames: u32, has_regions: bool) -> (Vec<Vec<u64>>, Vec<u64>) {
    let kind = KINDS[seed as usize % KINDS.len()];
    let mut world = world(seed, kind, 12);
    world.set_scheduler(by.kind()).unwrap();
    let ids: Vec<DiscId> = world.ids().collect();
    if has_regions {
        regions(seed, &ids).into_iter().for_each(|region| _ = world.add_region(region).unwrap());
    }
    let mut events = Vec::new();
    for frame in 1..=frames {
        world.advance_to(4.0 * f64::from(frame) / f64::from(frames)).unwrap();
        events.extend(world.events().iter().map(event_bits));
    }
    (events, state_bits(&world))
}

/// One call or many frames, the table or the grid; and the states of a world without regions.
#[test]
fn frames_and_schedulers_change_nothing() {
    for seed in 0..cases(60) {
        let whole = bits(By::Table, seed, 1, true);
        assert!(whole == bits(By::Table, seed, 128, true), "seed {seed}: frames");
        assert!(whole == bits(By::Grid, seed, 32, true), "seed {seed}: grid");
        assert!(whole.1 == bits(By::Table, seed, 1, false).1, "seed {seed}: without regions");
    }
}
