//! Impacts of two in a world that has nothing but smooth discs and half-planes are carried out in a loop of
//! their own. What a world has beside that, which never takes effect, changes no bit of what happens.

use crate::common::record::{Seen, assert_same, event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use carom_engine::{
    Collapse, DVec2, Disc, DiscId, Event, Region, SchedulerKind, Settings, SimdLevel, Simultaneous,
    StopReason, Wall, World,
};
use std::ops::ControlFlow;

/// How a world is run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// In long calls, without a listener.
    Unheard,
    /// In long calls with a list of events.
    Recorded,
    /// Event by event.
    Stepwise,
    /// Up to each third event.
    Stopped,
    /// With a region that no disc reaches, so that it is no plain world.
    WithRegion,
    /// On a machine without wide vectors.
    Portable,
    /// Each call in a clone that overwrites the world of the call before the last.
    Cloned,
}

/// Discs in a box, or in a plane that repeats itself along one axis; some are alike and fly alike, so that
/// there are ties and groups.
fn gas(seed: u64, way: Way) -> (World, Vec<DiscId>) {
    let mut rng = Rng::new(seed);
    let across = 2 + rng.below(5);
    let (pitch, is_even) = (rng.pick(&[1.0, 1.0 + 1e-4, 1.1, 2.0, 3.0]), rng.chance(30));
    let side = across as f64 * pitch;
    let period = rng.chance(25).then_some(side + 8.0);
    let settings = Settings::default()
        .with_scheduler(rng.pick(&[SchedulerKind::Table, SchedulerKind::Grid]))
        .with_period([period, None])
        .with_budget(3000)
        .with_record_events(way != Way::Unheard)
        .with_instructions(if way == Way::Portable { SimdLevel::Portable } else { SimdLevel::Best })
        .with_collapse(Some(if rng.chance(70) { Collapse::default() } else { Collapse::new(0.05, 4) }))
        .with_simultaneous(if rng.chance(75) { Simultaneous::Together } else { Simultaneous::OneByOne });
    let mut world = World::with_settings(settings).unwrap();
    if way == Way::WithRegion {
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

/// All that can be seen of a run; with the events, if it `hears` of them. Nothing if a call has more events
/// than its budget.
fn run(seed: u64, way: Way, hears: bool) -> Option<(Vec<Seen>, (u64, u64))> {
    let (mut world, mut ids) = gas(seed, way);
    let (mut rng, mut seen, mut other) = (Rng::new(seed ^ 0x5eed), Vec::new(), World::new());
    for _ in 0..8 {
        let id = rng.below(ids.len());
        let (velocity, place) = (rng.vector(2.0), rng.vector(20.0));
        match rng.below(6) {
            0 => world.set_velocity(ids[id], velocity).unwrap(),
            1 if ids.len() > 2 => world.remove(ids.swap_remove(id)).map(|_| ()).unwrap(),
            // In its way or not, it takes a slot that was free.
            2 => ids.extend(world.insert(Disc::new(place, 0.25).with_velocity(velocity)).ok()),
            // Of all, or of some, and of some of them twice.
            3 => world.set_velocities(&turn(&mut rng, &ids)).unwrap(),
            _ => (),
        }
        let until = world.now().as_secs() + rng.pick(&[0.0, 0.3, 2.0]);
        match way {
            Way::Stepwise => {
                world.set_budget(1);
                while world.advance_to(until).unwrap().end == StopReason::OutOfBudget {}
            }
            Way::Stopped => {
                let mut count = 0;
                let mut sink = |_: &Event| {
                    count += 1;
                    if count % 3 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                while world.advance_to_with(until, &mut sink).unwrap().end == StopReason::Stopped {}
            }
            Way::Cloned => {
                other.clone_from(&world);
                core::mem::swap(&mut world, &mut other);
                world.advance_to(until).unwrap();
            }
            _ if world.advance_to(until).unwrap().end != StopReason::Reached => return None,
            _ => (),
        }
        if hears {
            let events = world.events();
            seen.extend(events.iter().map(|event| Seen::Event(format!("{event:?}"), event_bits(event))));
        }
        seen.push(Seen::States(state_bits(&world)));
    }
    world.assert_well_formed();
    let counters = world.counters();
    let ledger = format!("{:?} {:?}", counters.ledger, (counters.disc_impacts, counters.wall_impacts));
    seen.push(Seen::Edit(format!("{ledger} {} {}", counters.events, counters.groups)));
    Some((seen, (counters.disc_impacts, counters.groups)))
}

#[test]
fn what_has_no_effect_changes_no_bit_of_a_plain_world() {
    let (mut impacts, mut groups) = (0, 0);
    for seed in 0..cases(150) {
        let [heard, unheard] = [true, false].map(|hears| run(seed, Way::WithRegion, hears));
        let (Some((heard, counts)), Some((unheard, _))) = (heard, unheard) else { continue };
        for (way, hears, expected) in [
            (Way::Recorded, true, &heard),
            (Way::Portable, true, &heard),
            (Way::Cloned, true, &heard),
            (Way::Unheard, false, &unheard),
            (Way::Stepwise, false, &unheard),
            (Way::Stopped, false, &unheard),
        ] {
            let context = format!("{way:?}, seed {seed}");
            let (seen, _) = run(seed, way, hears).expect(&context);
            assert_same(&seen, expected, &context);
        }
        (impacts, groups) = (impacts + counts.0, groups + counts.1);
    }
    assert!(impacts > 20_000 && groups > 100, "{impacts} impacts, {groups} groups");
}
