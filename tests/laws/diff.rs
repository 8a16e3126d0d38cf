//! `World::diff` finds nothing where two worlds go on alike, whatever schedules them, and every part of what
//! a snapshot holds where they do not; and checksums are equal where nothing is found.

use crate::common::by::By;
use crate::common::grammar::Game;
use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use carom_engine::{
    Collapse, DVec2, Difference, Disc, DiscId, Fields, Forces, Overlap, Physics, Place, Rules, SchedulerKind,
    Settings, SimdLevel, Smooth, StoredValue, Wall, WallId, World,
};

/// What two worlds differ in, if their checksums say so, too.
#[track_caller]
fn difference<P: Physics + Fields>(one: &World<P>, other: &World<P>) -> Option<Difference> {
    let difference = one.diff(other);
    assert_eq!(difference.is_none(), one.checksum() == other.checksum(), "{difference:?}");
    difference
}

/// A random world after some turns of time and edits.
fn after(rng: &mut Rng, by: By, turns: usize) -> Game<'_, Smooth> {
    let mut game = Game::plain(rng, by.settings(Settings::default().with_budget(100)));
    for _ in 0..turns {
        by.advance(&mut game.world, game.draw.range(0.0, 0.3));
        (0..game.draw.below(5)).for_each(|_| game.edit());
    }
    game
}

/// Law 8, with all that is stored in place of what can be read.
#[test]
fn schedulers_leave_no_difference() {
    for seed in 0..cases(120) {
        let [table, grid, rescan] =
            [By::Table, By::Grid, By::Rescan].map(|by| after(&mut Rng::new(seed), by, 6).world);
        assert_eq!(difference(&table, &grid), None, "seed {seed}, grid");
        assert_eq!(difference(&table, &rescan), None, "seed {seed}, rescan");
    }
}

#[test]
fn a_clone_goes_on_without_a_difference_and_a_random_edit_makes_one() {
    let mut differ = 0;
    for seed in 0..cases(200) {
        let rng = &mut Rng::new(seed);
        let mut run = after(rng, By::Table, 3);
        let mut clone = run.world.clone();
        assert_eq!(difference(&run.world, &clone), None, "seed {seed}");
        run.world.advance(0.4).unwrap();
        clone.advance(0.4).unwrap();
        assert_eq!(difference(&run.world, &clone), None, "seed {seed}, later");
        run.edit();
        differ += u32::from(difference(&run.world, &clone).is_some());
        assert_eq!(
            difference(&run.world, &clone).is_some(),
            difference(&clone, &run.world).is_some(),
            "seed {seed}"
        );
    }
    // Some edits are refused, and some set what is there already.
    assert!(differ > 120, "{differ} edits");
}

/// A snapshot is the oracle: worlds without a difference are those with the same one.
#[test]
fn worlds_differ_where_their_snapshots_do() {
    let mut seen = [0; 2];
    for seed in 0..cases(200) {
        let rng = &mut Rng::new(seed);
        let mut run = after(rng, By::Table, 4);
        let save = |world: &World| Format::Postcard.save(world);
        let mut loaded: World = Format::Postcard.load(&save(&run.world)).unwrap();
        loaded.set_scheduler(SchedulerKind::Grid).unwrap();
        assert_eq!(difference(&run.world, &loaded), None, "seed {seed}");
        let before = run.world.clone();
        if seed % 3 == 0 {
            run.world.step_event();
        } else {
            run.edit();
        }
        let is_same = save(&before) == save(&run.world);
        assert_eq!(
            difference(&before, &run.world).is_none(),
            is_same,
            "seed {seed}: {:?}",
            difference(&before, &run.world)
        );
        seen[usize::from(is_same)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// Discs that press on each other and on walls: loaded, and by another scheduler.
#[test]
fn heaps_leave_no_difference() {
    let heap = |by: By| {
        let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap();
        let mut world: World<Forces> = World::with_physics(forces, by.settings(Settings::default())).unwrap();
        world.add_wall(Wall::container([-3.0, 0.0], [3.0, 20.0]).with_restitution(0.4)).unwrap();
        for k in 0..6 {
            let place = DVec2::new(0.3 * f64::from(k % 3), 2.0 + 2.2 * f64::from(k));
            world.insert(Disc::new(place, 1.0).with_restitution(0.4)).unwrap();
        }
        world
    };
    let (mut table, mut grid) = (heap(By::Table), heap(By::Grid));
    for _ in 0..60 {
        table.advance(0.5).unwrap();
        grid.advance(0.5).unwrap();
        assert_eq!(difference(&table, &grid), None);
    }
    assert!(table.counters().pieces > 0 && table.ids().all(|id| table.held_to(id).count() > 0));
    let loaded: World<Forces> = Format::Postcard.load(&Format::Postcard.save(&table)).unwrap();
    assert_eq!(difference(&table, &loaded), None);
    let pulled = Forces::new().with_gravity([0.0, (-1.0_f64).next_up()]).unwrap();
    grid.set_physics(pulled).unwrap();
    assert_eq!(difference(&table, &grid).expect("another gravity").field, "physics.gravity.y");
}

/// A small world at its start, and its parts.
fn small() -> (World, [DiscId; 3], WallId) {
    let mut world = World::new();
    let wall = world.add_wall(Wall::container([-5.0, -5.0], [5.0, 5.0])).unwrap();
    let discs = [0.0, 2.0, 4.0]
        .map(|x| world.insert(Disc::new([x, 0.5 * x], 0.5).with_velocity([1.0 + x, 0.5])).unwrap());
    (world, discs, wall)
}

/// What is found after an edit of a clone: where, and what.
fn found(change: impl FnOnce(&mut World, [DiscId; 3], WallId)) -> Option<Difference> {
    let (world, discs, wall) = small();
    let mut clone = world.clone();
    change(&mut clone, discs, wall);
    let (there, back) = (difference(&world, &clone), difference(&clone, &world));
    if let (Some(there), Some(back)) = (&there, &back) {
        let [one, other] = &there.values;
        assert_eq!([other, one], [&back.values[0], &back.values[1]]);
    }
    assert_eq!(there.is_some(), back.is_some());
    there
}

#[track_caller]
fn of_disc(field: &str, change: impl FnOnce(&mut World, DiscId)) {
    let found = found(|world, [_, disc, _], _| change(world, disc)).expect("an edit");
    assert!(matches!(found.place, Place::Disc { id, serial: 1 } if id == small().1[1]), "{found:?}");
    assert_eq!(found.field, field);
}

#[test]
fn edits_of_discs_are_found() {
    of_disc("position.y", |world, disc| world.set_position(disc, [2.0, 1.0_f64.next_up()]).unwrap());
    of_disc("velocity.x", |world, disc| world.set_velocity(disc, [3.5, 0.5]).unwrap());
    of_disc("radius", |world, disc| world.set_radius(disc, 0.25).unwrap());
    of_disc("mass", |world, disc| world.set_mass(disc, 2.0).unwrap());
    of_disc("restitution", |world, disc| world.set_restitution(disc, 0.5).unwrap());
    of_disc("user_data", |world, disc| world.set_user_data(disc, 7).unwrap());
    of_disc("overlap", |world, disc| world.set_overlap(disc, Overlap::Allow).unwrap());
    of_disc("rules.team", |world, disc| world.set_rules(disc, Rules::new().with_team(2)).unwrap());
}

#[track_caller]
fn of_world(place: Place, field: &str, change: impl FnOnce(&mut World, [DiscId; 3], WallId)) {
    let found = found(change).expect("an edit");
    assert_eq!((found.place, found.field.as_str()), (place, field));
}

#[test]
fn edits_of_the_rest_are_found() {
    let wall = Place::Wall(small().2);
    of_world(wall, "restitution", |world, _, wall| world.set_wall_restitution(wall, 0.5).unwrap());
    of_world(wall, "user_data", |world, _, wall| world.set_wall_user_data(wall, 5).unwrap());
    let team = Rules::new().with_team(2);
    of_world(wall, "rules.team", |world, _, wall| world.set_wall_rules(wall, team).unwrap());
    of_world(Place::World, "walls.length", |world, _, _| {
        world.add_wall(Wall::disc([-4.0, 0.0], 0.1)).unwrap();
    });
    of_world(Place::World, "walls.length", |world, _, wall| {
        world.remove_wall(wall).unwrap();
    });
    of_world(Place::World, "discs.length", |world, discs, _| {
        world.remove(discs[2]).unwrap();
    });
    of_world(Place::Disc { id: small().1[1], serial: 1 }, "serial", |world, discs, _| {
        let disc = world.remove(discs[1]).unwrap();
        world.insert(disc).unwrap();
    });
    // The slot that is taken next.
    of_world(Place::World, "free_discs.length", |world, _, _| {
        let id = world.insert(Disc::new([-3.0, 0.0], 0.5)).unwrap();
        world.remove(id).unwrap();
    });
    of_world(Place::World, "contacts.excluded.length", |world, discs, _| {
        world.exclude(discs[0], discs[2]).unwrap();
    });
    of_world(Place::World, "settings.budget", |world, _, _| world.set_budget(7));
    of_world(Place::World, "settings.collapse", |world, _, _| {
        let none: Option<Collapse> = None;
        world.set_collapse(none).unwrap();
    });
    of_world(Place::World, "now", |world, _, _| {
        world.advance(0.1).unwrap();
    });
}

/// What changes no bits of the future is no difference.
#[test]
fn the_schedule_is_not_compared() {
    assert_eq!(found(|world, _, _| world.set_scheduler(SchedulerKind::Grid).unwrap()), None);
    assert_eq!(found(|world, _, _| world.set_instructions(SimdLevel::Portable)), None);
    assert_eq!(found(|world, _, _| world.set_record_events(false)), None);
    assert_eq!(found(|world, _, _| world.reserve(100)), None);
    assert_eq!(found(|world, _, _| _ = world.next_event()), None);
}

/// Of two discs of which one is hit, the hit is found, not what follows from it: numbers and counters. Signs
/// of zeros count.
#[test]
fn what_moves_comes_first() {
    let (mut world, discs, _) = small();
    let mut clone = world.clone();
    clone.step_event();
    world.advance_to(clone.now()).unwrap();
    assert_eq!(difference(&world, &clone), None);
    clone.set_velocity(discs[0], [-0.0, 0.0]).unwrap();
    world.set_velocity(discs[0], [0.0, 0.0]).unwrap();
    let difference = difference(&world, &clone).unwrap();
    assert_eq!(difference.values, [StoredValue::Number(0.0), StoredValue::Number(-0.0)]);
    let shown = "disc 0: velocity.x is 0 (0x0000000000000000) vs -0 (0x8000000000000000)";
    assert_eq!(difference.to_string(), shown);
}

/// One number for all machines, of which there is no other source: a world after a second, in which discs
/// have met each other and walls. It changes with the version of snapshots.
#[test]
fn a_checksum_is_the_same_everywhere() {
    let (mut world, ..) = small();
    world.advance(1.0).unwrap();
    let counters = world.counters();
    assert_eq!((counters.disc_impacts, counters.wall_impacts), (1, 2));
    assert_eq!(format!("{:016x}", world.checksum()), "318347ca7fb1b6bc");
}
