//! The hot path allocates nothing once warm: counted, not believed.

use carom_engine::{
    CastOptions, DVec2, Disc, DiscId, Forces, Overlap, QueryFilter, Ray, Region, Rest, Rules, SchedulerKind,
    Settings, StopReason, Wall, World,
};
use std::ops::ControlFlow;

/// A gas with all sorts of impacts, a little uneven.
fn gas(record: bool) -> (World, Vec<DiscId>) {
    let mut world = World::new();
    world.set_record_events(record);
    world.add_wall(Wall::container(DVec2::splat(-20.0), DVec2::splat(20.0))).unwrap();
    world.add_wall(Wall::disc(DVec2::new(0.5, 0.5), 1.5)).unwrap();
    let ids = (0..100).filter(|i| i % 10 != 4 && i % 10 != 5).map(|i| {
        let place = DVec2::new(f64::from(i % 10), f64::from(i / 10)) * 4.0 - DVec2::splat(18.0);
        let velocity = DVec2::new(f64::from((i * 37) % 17) - 8.0, f64::from((i * 53) % 19) - 9.0);
        world.insert(Disc::new(place, 1.0).with_velocity(velocity)).unwrap()
    });
    let ids = ids.collect();
    (world, ids)
}

/// Counts the allocations of turns that a world has taken before; there are more than this many events in
/// them.
fn assert_none_once_warm(world: &mut World, events: u64, what: &str, mut turns: impl FnMut(&mut World)) {
    turns(world);
    let before = world.counters().events;
    let allocations = allocation_counter::measure(|| turns(world));
    assert!(world.counters().events > before + events, "{what}");
    assert_eq!(allocations.count_total, 0, "{what}");
}

#[test]
fn events_and_edits_allocate_nothing_once_warm() {
    for record in [false, true] {
        let (mut world, ids) = gas(record);
        let mut places = vec![DVec2::ZERO; ids.len()];
        let what = format!("recording events: {record}");
        assert_none_once_warm(&mut world, 1000, &what, |world| {
            for turn in 0..1000 {
                assert_eq!(world.advance(0.01).unwrap().end, StopReason::Reached);
                let id = ids[turn % ids.len()];
                let velocity = world.get(id).unwrap().velocity();
                world.set_velocity(id, -velocity).unwrap();
                world.read_positions(&mut places).unwrap();
            }
        });
    }
}

/// Regions, crossings and edits of who is inside, and worlds that are written over.
#[test]
fn regions_allocate_nothing_once_warm() {
    let (mut world, ids) = gas(true);
    for k in 0..8 {
        let at = DVec2::new(f64::from(k) * 4.0 - 16.0, f64::from(k % 3) * 5.0 - 5.0);
        let region =
            [Region::disc(at, 3.0), Region::rectangle(at, at + DVec2::splat(4.0)).by_edge()][k as usize % 2];
        world.add_region(region).unwrap();
        world.add_region(Region::disc(DVec2::ZERO, 4.0).carried_by(ids[k as usize])).unwrap();
    }
    let mut spare = world.clone();
    let mut crossings = 0;
    let mut turns = |world: &mut World, turns: usize| {
        for turn in 0..turns {
            assert_eq!(world.advance(0.01).unwrap().end, StopReason::Reached);
            crossings += world.events().iter().filter_map(|event| event.crossing()).count();
            let id = ids[turn % ids.len()];
            let velocity = world.get(id).unwrap().velocity();
            world.set_velocity(id, -velocity).unwrap();
            spare.clone_from(world);
        }
    };
    turns(&mut world, 20_000);
    let allocations = allocation_counter::measure(|| turns(&mut world, 1000));
    assert!(crossings > 1000, "{crossings}");
    assert_eq!(allocations.count_total, 0);
}

/// Groups too, as long as they are not larger than those before.
#[test]
fn groups_allocate_nothing_once_warm() {
    let mut world = World::new();
    // The list of a call of a thousand seconds is longer than that of a hundred.
    world.set_record_events(false);
    world.add_wall(Wall::container(DVec2::new(-16.0, -1.0), DVec2::new(16.0, 1.0))).unwrap();
    for i in 0..20 {
        let velocity = if i == 0 { DVec2::X * 8.0 } else { DVec2::ZERO };
        let x = if i == 0 { -14.0 } else { f64::from(i) - 8.0 };
        world.insert(Disc::new(DVec2::new(x, 0.0), 0.5).with_velocity(velocity)).unwrap();
    }
    world.advance(100.0).unwrap();
    let groups = world.counters().groups;
    let allocations = allocation_counter::measure(|| {
        world.advance(1000.0).unwrap();
    });
    assert!(world.counters().groups > groups + 10);
    assert_eq!(allocations.count_total, 0);
}

/// A world that is overwritten again and again, as a search among moves does, keeps its memory: with the
/// table of all pairs and with the grid. It goes on as what it was overwritten with.
#[test]
fn overwriting_a_world_allocates_nothing_once_warm() {
    for scheduler in [SchedulerKind::Table, SchedulerKind::Grid] {
        let (mut world, ids) = gas(false);
        world.set_scheduler(scheduler).unwrap();
        world.advance(1.0).unwrap();
        let mut trial = world.clone();
        for turn in 0..20 {
            let allocations = allocation_counter::measure(|| trial.clone_from(&world));
            assert!(turn < 10 || allocations.count_total == 0, "{scheduler:?}: {allocations:?}");
            trial.set_velocity(ids[7], DVec2::new(20.0, f64::from(turn % 10))).unwrap();
            assert!(trial.advance(0.5).unwrap().events > 10);
        }

        trial.clone_from(&world);
        trial.advance(3.0).unwrap();
        world.advance(3.0).unwrap();
        assert!(trial.discs().eq(world.discs()) && trial.counters() == world.counters());
    }
}

/// Nor do rules that are in force or changed each turn.
#[test]
fn rules_allocate_nothing_once_warm() {
    let (mut world, ids) = gas(false);
    for (k, &id) in ids.iter().enumerate() {
        world.set_rules(id, Rules::new().with_team(k as u32 % 5)).unwrap();
        world.set_overlap(id, Overlap::Allow).unwrap();
    }
    assert_none_once_warm(&mut world, 1000, "rules", |world| {
        for turn in 0..1500 {
            world.advance(0.01).unwrap();
            let id = ids[turn % ids.len()];
            world.set_rules(id, Rules::new().with_team(turn as u32 % 3)).unwrap();
        }
    });
}

/// Growth and its thermostat neither.
#[test]
fn growth_allocates_nothing_once_warm() {
    let (mut world, _) = gas(false);
    let energy = world.kinetic_energy();
    world.set_growth(1e-3).unwrap();
    assert_none_once_warm(&mut world, 1000, "growth", |world| {
        for _ in 0..1000 {
            assert_eq!(world.advance(0.01).unwrap().end, StopReason::Reached);
            world.scale_velocities((energy / world.kinetic_energy()).sqrt()).unwrap();
        }
    });
}

#[test]
fn worlds_can_be_sent_shared_and_cloned() {
    fn is<T: Send + Sync + Clone>() {}
    is::<World>();
}

/// Fifty discs in a heap on the floor, that ten unstoppable ones press on. They give way, and are given
/// their velocity again, turn after turn.
#[test]
fn crushing_allocates_nothing_once_warm() {
    for scheduler in [SchedulerKind::Table, SchedulerKind::Grid] {
        let mut world = World::new();
        world.set_record_events(false);
        world.set_scheduler(scheduler).unwrap();
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(10.0, 16.0))).unwrap();
        let mut insert = |x: i32, y: i32, mass: f64| {
            let place = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            world.insert(Disc::new(place, 0.5).with_mass(mass).with_restitution(0.5)).unwrap()
        };
        for k in 0..50 {
            insert(k % 10, k / 10, 1.0 + 0.1 * f64::from(k % 3));
        }
        let plates: Vec<DiscId> = (0..10).map(|k| insert(k, 5, f64::INFINITY)).collect();
        let turns = |world: &mut World, turns: u32| {
            for turn in 0..turns {
                for (k, &plate) in plates.iter().enumerate() {
                    let aside = if (k as u32 + turn).is_multiple_of(4) { 0.1 } else { 0.0 };
                    world.set_velocity(plate, DVec2::new(aside, -1.0)).unwrap();
                }
                assert_eq!(world.advance(1e-3).unwrap().end, StopReason::Reached);
                assert_eq!(world.get(plates[0]).unwrap().velocity().y, 0.0);
            }
        };
        turns(&mut world, 40);
        let groups = world.counters().groups;
        let allocations = allocation_counter::measure(|| turns(&mut world, 40));
        let crushed = world.counters().groups - groups;
        assert!(crushed >= 40, "{scheduler:?}: {crushed}");
        assert_eq!(allocations.count_total, 0, "{scheduler:?}");
    }
}

/// Discs at rest in a V of two straight walls at 45 degrees, under gravity.
fn heap_at_rest(discs: u32) -> World<Forces> {
    let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap();
    // Strict, so that there are events enough.
    let settings = Settings::default().with_rest(Some(Rest::strict()));
    let mut world: World<Forces> = World::with_physics(forces, settings).unwrap();
    world.set_record_events(false);
    for x in [-1.0, 1.0] {
        world.add_wall(Wall::half_plane([0.0, 0.0], [x, 1.0]).with_restitution(0.5)).unwrap();
    }
    for k in 0..discs {
        let place = DVec2::new(f64::from(k % 5) - 2.0 + 0.01 * f64::from(k % 7), 4.0 + f64::from(k / 5));
        let disc = Disc::new(2.5 * place, if k % 3 == 0 { 0.6 } else { 1.0 });
        world.insert(disc.with_restitution(0.5)).unwrap();
    }
    assert_eq!(world.advance(1000.0).unwrap().end, StopReason::Reached);
    world
}

/// A heap that is struck and comes to rest again: none where groups have at most 32 members and contacts,
/// whose lists are on the stack. Beyond that each list of a step of the solution is one.
#[test]
fn small_heaps_allocate_nothing_once_warm() {
    for (discs, blows, most) in [(10, 12, 0), (40, 4, 40)] {
        let heap = heap_at_rest(discs);
        let struck = heap.discs().max_by(|a, b| a.1.position.y.total_cmp(&b.1.position.y)).unwrap().0;
        let mut world = heap.clone();
        // The structures of four problems take turns, and each list has its largest size after a few rounds.
        for blow in 1..=blows {
            world.clone_from(&heap);
            let (mut end, events) = (None, world.counters().events);
            let allocations = allocation_counter::measure(|| {
                world.set_velocity(struck, [0.3, -1.0]).unwrap();
                end = Some(world.advance(1000.0).unwrap().end);
            });
            let events = world.counters().events - events;
            assert!(end == Some(StopReason::Reached) && events > 100, "{end:?} after {events} events");
            let count = allocations.count_total;
            assert!(blow < blows || count <= most * events, "{discs} discs: {count} in {events} events");
        }
    }
}

/// Queries into lists that are long enough, and to closures.
#[test]
fn queries_allocate_nothing() {
    for scheduler in [SchedulerKind::Table, SchedulerKind::Grid] {
        let (mut world, ids) = gas(false);
        world.set_scheduler(scheduler).unwrap();
        world.advance(1.0).unwrap();
        let (mut found, mut near, mut hits) = (Vec::new(), Vec::new(), Vec::new());
        found.reserve(500);
        near.reserve(500);
        hits.reserve(500);
        let filter = QueryFilter::new().excluding(ids[0]);
        let shot = Disc::new([-19.0, 3.0], 0.5).with_velocity([5.0, 1.0]);
        let mut seen = 0;
        let allocations = allocation_counter::measure(|| {
            for id in &ids {
                let at = world.get(*id).unwrap().position();
                world.overlap_point(at, &filter, &mut found).unwrap();
                world.overlap_disc(at, 30.0, &filter, &mut found).unwrap();
                seen += found.len();
                world.overlap_box(at, at + DVec2::splat(9.0), &filter, &mut found).unwrap();
                world.nearest(at, 20, &filter, &mut near).unwrap();
                world.ray_hits(&Ray::new(at, at - DVec2::splat(0.3)), &filter, &mut hits).unwrap();
                world.cast_ray(&Ray::new(at, DVec2::Y), &filter).unwrap();
                seen += near.len() + hits.len();
                let count = |_| {
                    seen += 1;
                    ControlFlow::Continue(())
                };
                world.overlap_disc_with(at, 2.0, &filter, count).unwrap();
                for frozen in [false, true] {
                    let options = CastOptions::new().with_frozen(frozen);
                    world.cast_disc(&shot, &options, &filter).unwrap();
                }
            }
        });
        assert!(seen > 40 * ids.len());
        assert_eq!(allocations.count_total, 0, "{scheduler:?}");
    }
}
