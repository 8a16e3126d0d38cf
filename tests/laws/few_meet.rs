//! Whom discs meet at all, by rules, classes of mass and sizes, decides what is scheduled: pairs that cannot
//! meet cost nothing, and whatever an edit lets meet is met.

use crate::common::by::By;
use crate::common::record::state_bits;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    CastOptions, DVec2, Disc, DiscId, QueryFilter, Rules, SchedulerKind, Settings, Wall, World,
};

/// Two chambers with a hole between them.
fn chambers(world: &mut World) {
    world.add_wall(Wall::container([0.0, 0.0], [20.0, 10.0])).unwrap();
    world.add_wall(Wall::segment([10.0, 0.0], [10.0, 4.5])).unwrap();
    world.add_wall(Wall::segment([10.0, 5.5], [10.0, 10.0])).unwrap();
}

/// Makes a disc one of a kind of which no two meet.
type Make = fn(Disc) -> Disc;

/// DESIGN: a gas that passes through itself costs what its walls cost, however large its discs are: a time at
/// a wall for each disc and each event, no pair, no cell, no list.
#[test]
fn a_gas_that_passes_through_itself_costs_what_its_walls_cost() {
    const N: u64 = 400;
    let accept_none = |disc: Disc| disc.with_groups(2, 1);
    let kinds: [(&str, Make); 5] = [
        ("rules", accept_none),
        ("team", |disc| disc.with_team(7)),
        ("tracers", |disc| disc.with_mass(0.0)),
        ("infinite masses", |disc| disc.with_mass(f64::INFINITY)),
        ("points", |mut disc| {
            disc.radius = 0.0;
            disc
        }),
    ];
    for (name, kind) in kinds {
        let mut world = World::new();
        chambers(&mut world);
        let mut rng = Rng::new(1);
        for _ in 0..N {
            let place = DVec2::new(rng.range(0.5, 9.5), rng.range(0.5, 9.5));
            world.insert(kind(Disc::new(place, 0.4).with_velocity(rng.vector(1.0)))).unwrap();
        }
        world.advance(20.0).unwrap();
        let counters = world.counters();
        assert!(counters.wall_impacts > N && counters.disc_impacts == 0, "{name}: {counters:?}");
        assert_eq!(counters.solo_times, N + counters.events, "{name}");
        assert_eq!((counters.pair_times, counters.row_searches), (0, 0), "{name}");
        // Others come that they meet, and go.
        let others = [3.0, 7.0].map(|x| {
            let other = Disc::new([x, 9.0], 0.5).with_mass(5.0).with_overlap();
            world.insert(other.with_velocity([0.0, -1.0])).unwrap()
        });
        world.advance(5.0).unwrap();
        assert!(world.counters().disc_impacts > 0, "{name}");
        world.assert_well_formed();
        for id in others {
            world.remove(id).unwrap();
        }
        world.advance(100.0).unwrap();
        let before = world.counters();
        world.advance(5.0).unwrap();
        let after = world.counters();
        assert!(after.events > before.events, "{name}");
        assert_eq!(
            (after.pair_times, after.row_searches),
            (before.pair_times, before.row_searches),
            "{name}"
        );
    }
}

/// Rules by which few meet; in some worlds of more kinds than any table of them has.
fn sparse_rules(rng: &mut Rng, kinds: u64) -> Rules {
    let bit = |rng: &mut Rng| 1 << rng.below(kinds as usize);
    let (membership, mask, team) = (bit(rng), bit(rng), rng.pick(&[0, 0, 0, 3]));
    Rules::new().with_membership(membership).with_mask(mask).with_team(team)
}

fn sparse_disc(rng: &mut Rng, kinds: u64) -> Disc {
    let disc = Disc::new(rng.vector(9.0), rng.pick(&[0.0, 0.3, 0.3, 1.5])).with_velocity(rng.vector(3.0));
    let disc = disc.with_mass(rng.pick(&[1.0, 1.0, 0.0, f64::INFINITY])).with_overlap();
    disc.with_rules(sparse_rules(rng, kinds))
}

/// One edit of a disc, the same in all worlds. Some are refused, alike.
fn edit(rng: &mut Rng, kinds: u64, ids: &mut Vec<DiscId>, worlds: &mut [World; 2]) {
    let (which, id, other) = (rng.below(9), rng.pick(ids), rng.pick(ids));
    let (disc, rules) = (sparse_disc(rng, kinds), sparse_rules(rng, kinds));
    let all = [rules, Rules::new()][usize::from(rng.chance(20))];
    let outcomes = worlds.each_mut().map(|world| match which {
        0 | 1 => world.set_rules(id, all).map(|()| None),
        2 => world.set_mass(id, disc.mass).map(|()| None),
        3 => world.set_radius(id, disc.radius).map(|()| None),
        4 => world.set_enabled(id, disc.radius == 0.3).map(|()| None),
        5 => world.exclude(id, other).map(|_| None),
        6 => world.include(id, other).map(|_| None),
        7 => world.remove(id).map(|_| None),
        _ => world.insert(disc).map(Some),
    });
    assert_eq!(outcomes[0], outcomes[1]);
    if let Ok(Some(id)) = outcomes[0] {
        ids.push(id);
    }
}

/// What there is around a place, and what a disc that is cast from there meets first.
fn seen(world: &World, disc: &Disc) -> String {
    let mut found = Vec::new();
    let filter = QueryFilter::new();
    world.overlap_disc(disc.position, 1.0, &filter, &mut found).unwrap();
    let mut nearest = Vec::new();
    world.nearest(disc.position, 3, &filter, &mut nearest).unwrap();
    let hit = world.cast_disc(disc, &CastOptions::new().with_max_time(10.0), &filter);
    format!("{found:?} {nearest:?} {hit:?}")
}

/// The grid, which schedules nothing of pairs that cannot meet, gives what the table does, which looks at
/// all pairs, bit for bit; whatever is edited, and whoever comes and goes.
#[test]
fn the_grid_meets_whatever_edits_let_meet() {
    let mut impacts = 0;
    for seed in 0..cases(60) {
        let mut rng = Rng::new(seed);
        let kinds = rng.pick(&[1, 2, 2, 3, 30]);
        let period = if rng.chance(30) { [Some(20.0), None] } else { [None; 2] };
        let settings = Settings::default().with_budget(400).with_period(period);
        let mut worlds = [By::Table, By::Grid].map(|by| by.world(settings.clone()));
        let walls = [Wall::half_plane([0.0, -10.0], DVec2::Y), Wall::half_plane([0.0, 10.0], DVec2::NEG_Y)];
        let mut ids = Vec::new();
        let discs: Vec<Disc> = (0..rng.pick(&[8, 30, 90])).map(|_| sparse_disc(&mut rng, kinds)).collect();
        for world in &mut worlds {
            walls.iter().for_each(|wall| _ = world.add_wall(wall.clone()).unwrap());
            ids = discs.iter().map(|&disc| world.insert(disc).unwrap()).collect();
        }
        for step in 0..8 {
            let dt = rng.range(0.0, 0.5);
            let events = worlds.each_mut().map(|world| {
                let advance = world.advance(dt).unwrap();
                (advance.events, world.events().to_vec())
            });
            assert_eq!(events[0], events[1], "seed {seed}, step {step}");
            for _ in 0..rng.below(4) {
                edit(&mut rng, kinds, &mut ids, &mut worlds);
            }
            let cast = sparse_disc(&mut rng, kinds);
            assert_eq!(seen(&worlds[0], &cast), seen(&worlds[1], &cast), "seed {seed}, step {step}");
            if rng.chance(40) {
                worlds[1].assert_well_formed();
                worlds[0].assert_well_formed();
            }
            assert_eq!(state_bits(&worlds[0]), state_bits(&worlds[1]), "seed {seed}, step {step}");
        }
        impacts += worlds[0].counters().disc_impacts;
        assert_eq!(worlds[0].diff(&worlds[1]), None, "seed {seed}");
        assert_eq!(worlds[1].settings().scheduler, SchedulerKind::Grid);
    }
    assert!(impacts > 300, "{impacts}");
}
