//! The grid scheduler finds the events of the pair table, to the last bit, in worlds of the kinds that it is
//! made for: many discs, very unequal ones, fast ones among slow ones, crowds beside emptiness, no walls at
//! all.

use crate::common::by::By;
use crate::common::record::{Seen, assert_same, bits_of, events_in, note, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use carom_engine::{
    DVec2, Disc, DiscId, Error, SchedulerKind, Settings, SimdLevel, StopReason, Wall, WallId, World,
};

/// What is put into a world.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Equal discs in a box, dilute or dense.
    Gas { discs: usize, packing: f64 },
    /// Radii from 1 to 100, masses with the area, in a box.
    Unequal { discs: usize },
    /// A slow crowd and a few discs a thousand times as fast.
    FastFew { discs: usize },
    /// A dense lattice in a corner of a large box, and a thin gas in the rest.
    CrowdAndEmptiness { discs: usize },
    /// No walls: a cloud that flies apart.
    Cloud { discs: usize },
    /// Points and discs, tracers and infinite masses.
    Mixed { discs: usize },
}

fn discs_of(kind: Kind, rng: &mut Rng) -> (f64, Vec<Disc>) {
    let lattice = |rng: &mut Rng, discs: usize, pitch: f64| {
        let across = (discs as f64).sqrt().ceil() as usize;
        let place = move |k: usize| DVec2::new((k % across) as f64 + 0.5, (k / across) as f64 + 0.5) * pitch;
        let made = (0..discs).map(|k| Disc::new(place(k), 0.5).with_velocity(rng.vector(1.0)));
        (across as f64 * pitch, made.collect::<Vec<_>>())
    };
    match kind {
        Kind::Gas { discs, packing } => lattice(rng, discs, (0.25 * std::f64::consts::PI / packing).sqrt()),
        Kind::Unequal { discs } => {
            let side = 60.0 * (discs as f64).sqrt();
            let made = (0..discs).map(|k| {
                let radius = if k < discs / 8 { rng.range(50.0, 100.0) } else { rng.range(1.0, 3.0) };
                let at = DVec2::splat(0.5 * side) + rng.vector(0.5 * side - radius);
                Disc::new(at, radius).with_velocity(rng.vector(20.0)).with_mass(radius * radius)
            });
            (side, made.collect())
        }
        Kind::FastFew { discs } => {
            let (side, mut made) = lattice(rng, discs, 1.7);
            for disc in made.iter_mut().step_by(40) {
                disc.velocity *= 1000.0;
            }
            (side, made)
        }
        Kind::CrowdAndEmptiness { discs } => {
            let (side, mut made) = lattice(rng, discs, 1.02);
            for disc in made.iter_mut().skip(4 * discs / 5) {
                disc.position = DVec2::splat(5.0 * side) + rng.vector(4.0 * side);
            }
            (10.0 * side, made)
        }
        Kind::Cloud { discs } => (f64::INFINITY, lattice(rng, discs, 1.3).1),
        Kind::Mixed { discs } => {
            let (side, mut made) = lattice(rng, discs, 1.5);
            for disc in &mut made {
                disc.radius = rng.pick(&[0.5, 0.5, 0.1, 0.0]);
                disc.mass = rng.pick(&[1.0, 1.0, 1.0, 3.0, 0.0, f64::INFINITY]);
                disc.restitution = rng.pick(&[1.0, 1.0, 0.9, 0.5]);
            }
            (side, made)
        }
    }
}

/// Runs a world with edits on the way, and notes all that can be seen.
fn run(kind: Kind, seed: u64, wanted: SchedulerKind, instructions: SimdLevel) -> Vec<Seen> {
    let mut rng = Rng::new(seed);
    let settings =
        Settings::default().with_scheduler(wanted).with_budget(4000).with_instructions(instructions);
    let mut world = World::with_settings(settings).unwrap();
    let (side, discs) = discs_of(kind, &mut rng);
    if side.is_finite() {
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side))).unwrap();
    }
    let mut seen = Vec::new();
    let mut ids: Vec<DiscId> = Vec::new();
    for disc in discs {
        match world.insert(disc) {
            Ok(id) => ids.push(id),
            Err(error @ Error::OverlapsDisc { .. }) => seen.push(Seen::edit(error)),
            Err(error) => panic!("{error}"),
        }
    }
    for _ in 0..8 {
        // Queries ahead of time, then edits: what was looked ahead must not stay.
        seen.push(Seen::edit(world.next_event()));
        for _ in 0..rng.below(4) {
            let id = ids[rng.below(ids.len())];
            let outcome = match rng.below(5) {
                0 => Seen::edit(world.set_velocity(id, rng.vector(2.0))),
                1 => Seen::edit(world.set_radius(id, rng.range(0.1, 0.6))),
                2 => Seen::edit(world.remove(id)),
                3 => Seen::edit(world.set_position(id, rng.vector(side.min(30.0)))),
                _ => {
                    let disc = Disc::new(rng.vector(side.min(30.0)), rng.range(0.0, 0.5));
                    Seen::edit(world.insert(disc).inspect(|&id| ids.push(id)))
                }
            };
            seen.push(outcome);
        }
        let length = rng.pick(&[0.0, 0.05, 0.3]);
        let advance = world.advance(length).unwrap();
        note(&mut seen, world.events(), &world);
        assert!(matches!(advance.end, StopReason::Reached | StopReason::OutOfBudget), "{advance:?}");
    }
    world.assert_well_formed();
    seen
}

/// A large disc has a crowd of neighbours where the small ones that it meets have few.
#[test]
fn a_large_disc_among_many_small_ones() {
    for seed in 0..cases(8) {
        let run = |by: By| {
            let mut rng = Rng::new(seed);
            let mut world = by.world(Settings::default());
            world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(20.0))).unwrap();
            world.insert(Disc::new(DVec2::splat(10.0), 4.0).with_mass(50.0)).unwrap();
            for _ in 0..200 {
                let at = DVec2::splat(10.0) + rng.vector(9.8);
                _ = world.insert(Disc::new(at, 0.2).with_velocity(rng.vector(3.0)));
            }
            let (_, events) = by.advance(&mut world, 2.0);
            (bits_of(&events), state_bits(&world))
        };
        assert_eq!(run(By::Table), run(By::Grid), "seed {seed}");
    }
}

#[test]
fn the_grid_has_the_bits_of_the_table_in_worlds_of_many() {
    let mut events = 0;
    for seed in 0..cases(4) {
        let n = 30 + 67 * seed as usize % 271;
        let kinds = [
            Kind::Gas { discs: n, packing: 0.05 },
            Kind::Gas { discs: n, packing: 0.5 },
            Kind::Gas { discs: n, packing: 0.75 },
            Kind::Unequal { discs: n },
            Kind::FastFew { discs: n },
            Kind::CrowdAndEmptiness { discs: n },
            Kind::Cloud { discs: n },
            Kind::Mixed { discs: n },
        ];
        for kind in kinds {
            let grid = run(kind, seed, SchedulerKind::Grid, SimdLevel::Best);
            // Of 81 to 255 slots the table looks no further than a horizon.
            for instructions in SimdLevel::available() {
                let table = run(kind, seed, SchedulerKind::Table, instructions);
                assert_same(&grid, &table, &format!("{kind:?}, seed {seed}, {instructions:?}"));
            }
            events += events_in(&grid);
        }
    }
    assert!(events > 10_000, "{events} events");
}

/// Of any shape, somewhere in a square with this side.
fn random_wall(rng: &mut Rng, side: f64) -> Wall {
    let at = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
    let to = at + rng.vector(1.2);
    match rng.below(8) {
        0 | 1 => Wall::disc(at, rng.range(0.0, 0.5)),
        2 => Wall::segment(at, to),
        3 => Wall::one_sided_segment(at, to),
        4 => Wall::arc(at, 0.8, rng.range(0.0, 6.0), rng.range(1.0, 5.0)),
        5 => Wall::polyline(&[at, to, to + rng.vector(0.7)]),
        6 if rng.chance(20) => Wall::circle(DVec2::splat(0.5 * side), rng.range(0.6, 0.7) * side),
        6 if rng.chance(20) => Wall::half_plane(DVec2::new(0.0, -rng.unit()), DVec2::Y),
        _ => Wall::disc(at, 0.0),
    }
}

/// Hundreds of walls, put up and taken down, with facets renumbered on the way: the grid asks those that a
/// circle overlaps, and the discs that a new one is near, the table all. Whether a disc is scheduled again
/// changes no bit, as its next event is a pure function of its state and the walls (law 2).
#[test]
fn walls_cost_where_they_are_and_are_hit_as_ever() {
    fn run(by: By, seed: u64) -> (Vec<Seen>, u64) {
        let mut rng = Rng::new(seed);
        let mut world = by.world(Settings::default());
        let side = 60.0;
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side))).unwrap();
        let mut walls: Vec<WallId> =
            (0..260).map(|_| world.add_wall(random_wall(&mut rng, side)).unwrap()).collect();
        let mut seen = Vec::new();
        let mut ids = Vec::new();
        for _ in 0..220 {
            let at = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
            let disc = Disc::new(at, rng.pick(&[0.2, 0.3, 0.0])).with_velocity(rng.vector(25.0));
            let made = world.insert(disc);
            seen.push(Seen::edit(made));
            ids.extend(made);
        }
        for step in 0..120 {
            world.advance(rng.pick(&[0.0, 0.005, 0.02])).unwrap();
            note(&mut seen, world.events(), &world);
            // States are older than the newest wall then.
            for _ in 0..6 {
                let put_up = world.add_wall(random_wall(&mut rng, side));
                let taken = world.remove_wall(walls.swap_remove(rng.below(walls.len())));
                seen.push(Seen::edit((&put_up, taken)));
                walls.extend(put_up);
            }
            let id = ids[rng.below(ids.len())];
            let to = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
            seen.push(Seen::edit(world.set_position(id, to)));
            if step % 50 == 49 {
                world = Format::Json.load(&Format::Json.save(&world)).unwrap();
            }
        }
        world.assert_well_formed();
        (seen, world.counters().wall_impacts)
    }
    let mut hits = 0;
    for seed in 0..cases(6) {
        let (table, impacts) = run(By::Table, seed);
        hits += impacts;
        assert_same(&run(By::Grid, seed).0, &table, &format!("seed {seed}"));
    }
    assert!(hits > 200 * cases(6), "walls were hit {hits} times");
}

/// Where a line is given by a point 10¹³ away on it, distances to it are rounded to thousandths: so are those
/// by which the grid leaves it out.
#[test]
fn half_planes_given_by_points_far_out() {
    fn run(by: By, seed: u64) -> Vec<Seen> {
        let mut rng = Rng::new(seed);
        let mut world = by.world(Settings::default());
        for (normal, along) in
            [((0.6, 0.8), (0.8, -0.6)), ((-0.6, 0.8), (0.8, 0.6)), ((0.0, -1.0), (1.0, 0.0))]
        {
            let far = DVec2::from(along) * rng.range(1e12, 1e13);
            let near = DVec2::new(0.0, if normal.0 == 0.0 { 30.0 } else { -30.0 });
            world.add_wall(Wall::half_plane(near + far, DVec2::from(normal))).unwrap();
        }
        for _ in 0..150 {
            let disc = Disc::new(rng.vector(20.0), 0.3).with_velocity(rng.vector(10.0));
            let _ = world.insert(disc);
        }
        world.advance(10.0).unwrap();
        let mut seen = Vec::new();
        note(&mut seen, world.events(), &world);
        let impacts = world.counters().wall_impacts;
        assert!(impacts > 100, "{impacts}");
        seen
    }
    for seed in 0..cases(8) {
        assert_same(&run(By::Grid, seed), &run(By::Table, seed), &format!("seed {seed}"));
    }
}

/// The world changes over by itself, there and back, and by force, and its events do not show it.
#[test]
fn changing_the_scheduler_changes_nothing() {
    let kind = Kind::Gas { discs: 220, packing: 0.4 };
    let run = |wanted| run(kind, 5, wanted, SimdLevel::Best);
    assert_same(&run(SchedulerKind::Fastest), &run(SchedulerKind::Table), "the fastest");
    let mut world = World::new();
    let mut twin = By::Table.world(Settings::default());
    let mut rng = Rng::new(9);
    let (_, discs) = discs_of(Kind::Cloud { discs: 300 }, &mut rng);
    let mut seen = std::collections::BTreeSet::new();
    for disc in discs {
        seen.insert(format!("{:?}", world.scheduler().present()));
        assert_eq!(world.insert(disc).unwrap(), twin.insert(disc).unwrap());
        assert_eq!(world.advance(1e-3).unwrap(), twin.advance(1e-3).unwrap());
    }
    let ids: Vec<DiscId> = world.ids().collect();
    for (k, id) in ids.into_iter().enumerate() {
        let (one, other) = (world.remove(id).unwrap(), twin.remove(id).unwrap());
        assert_eq!(one, other);
        if k == 100 {
            world.set_scheduler(SchedulerKind::Table).unwrap();
        }
        if k == 120 {
            world.set_scheduler(SchedulerKind::Fastest).unwrap();
        }
        assert_eq!(world.advance(1e-3).unwrap(), twin.advance(1e-3).unwrap());
        assert_eq!(state_bits(&world), state_bits(&twin));
    }
    assert_eq!(world.scheduler().present(), SchedulerKind::Table);
    assert_eq!(seen.len(), 2, "both are used on the way up: {seen:?}");
}

/// Discs that fly side by side for ever leave their circles for ever; the question for the next event has an
/// answer all the same.
#[test]
fn a_crowd_that_flies_together_has_no_next_event() {
    let mut world = By::Grid.world(Settings::default());
    for k in 0..80 {
        let at = DVec2::new(f64::from(k % 10), f64::from(k / 10)) * 1.1;
        world.insert(Disc::new(at, 0.5).with_velocity(DVec2::new(3.0, 1.0))).unwrap();
    }
    assert_eq!(world.next_event(), None);
    assert_eq!(world.advance(100.0).unwrap().events, 0);
    world.assert_well_formed();
    // One that comes after them is seen from afar.
    world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::new(6.0, 2.0))).unwrap();
    let next = world.next_event().unwrap();
    assert!((next.time.as_secs() - 200.0).abs() < 2.0, "{next:?}");
    assert_eq!(world.advance(110.0).unwrap().end, StopReason::Reached);
    assert!(world.counters().disc_impacts > 0);
}

/// A disc that flies alone draws its circle twice as wide each time, so that there is an end to it.
#[test]
fn a_lonely_flight_costs_a_handful_of_circles() {
    let mut world = By::Grid.world(Settings::default());
    for k in 0..2 {
        let x = f64::from(k) * 5.0;
        let velocity = DVec2::new(2.0 * f64::from(k) - 1.0, 0.3);
        world.insert(Disc::new(DVec2::new(x, 0.0), 1.0).with_velocity(velocity)).unwrap();
    }
    assert_eq!(world.next_event(), None);
    let advance = world.advance(1e9).unwrap();
    assert_eq!((advance.end, advance.events), (StopReason::Reached, 0));
    assert!(world.counters().solo_times < 400, "{:?}", world.counters());
}

/// The scheduler is exchanged where the last slots are free: a row of the table has room for all slots,
/// whoever is in them. The events are those of a world whose scheduler stays.
#[test]
fn schedulers_are_exchanged_after_the_last_discs_have_gone() {
    for n in [9, 41, 42, 64] {
        let mut stays = By::Grid.world(Settings::default());
        stays.add_wall(Wall::container([-1.0, -1.0], [16.0, 16.0])).unwrap();
        let rng = &mut Rng::new(n);
        let discs: Vec<Disc> = (0..n)
            .map(|k| {
                Disc::new([(2 * (k % 8)) as f64, (2 * (k / 8)) as f64], 0.5).with_velocity(rng.vector(3.0))
            })
            .collect();
        let ids: Vec<DiscId> = discs.into_iter().map(|disc| stays.insert(disc).unwrap()).collect();
        stays.advance(0.25).unwrap();
        for &id in ids.iter().rev().take(3) {
            stays.remove(id).unwrap();
        }
        let mut changes = stays.clone();
        changes.set_scheduler(SchedulerKind::Table).unwrap();
        for frame in 0..20 {
            let (id, velocity) = (ids[frame % 6], rng.vector(3.0));
            let worlds = [&mut stays, &mut changes];
            let [one, other] = worlds.map(|world| {
                world.set_velocity(id, velocity).unwrap();
                world.advance(0.1).unwrap();
                world.assert_well_formed();
                state_bits(world)
            });
            assert_eq!(one, other, "{n} discs, frame {frame}");
        }
    }
}
