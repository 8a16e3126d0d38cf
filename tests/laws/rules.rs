//! What collides with what: each one's mask accepts a group of the other, they are not of one team, and the
//! pair is not excluded. What does not collide is not there, for each other, in any way. That the others do
//! collide, and these never, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::at;
use crate::common::by::By;
use crate::common::record::{self, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::rules::random_rules;
use carom_engine::{DVec2, Disc, DiscId, Error, Rules, Settings, Wall, WallId, World};

fn empty(by: By) -> World {
    empty_of(by, [None; 2])
}

fn empty_of(by: By, period: [Option<f64>; 2]) -> World {
    by.world(Settings::default().with_budget(3000).with_period(period))
}

fn random_disc(rng: &mut Rng) -> Disc {
    let mass = rng.pick(&[1.0, 1.0, 2.5, 0.0, f64::INFINITY]);
    let restitution = rng.pick(&[1.0, 1.0, 0.7]);
    let disc = Disc::new(rng.vector(5.0), rng.pick(&[0.0, 0.3, 0.3, 0.8]));
    disc.with_velocity(rng.vector(3.0)).with_mass(mass).with_restitution(restitution)
}

/// Segments and arcs of a closed outline, each a wall of its own, so that they join; and some that stand
/// free.
fn random_walls(rng: &mut Rng) -> Vec<Wall> {
    let mut walls: Vec<Wall> = (0..rng.below(4))
        .map(|_| {
            let from = rng.vector(6.0);
            if rng.chance(30) { Wall::disc(from, 0.4) } else { Wall::segment(from, from + rng.vector(4.0)) }
        })
        .collect();
    // A stadium of loose parts: straights that meet half circles, and a straight that is in two pieces.
    let (pi, [a, b, c, d]) =
        (std::f64::consts::PI, [at(-4.0, -6.0), at(4.0, -6.0), at(4.0, 6.0), at(-4.0, 6.0)]);
    walls.push(Wall::segment(a, at(1.0, -6.0)));
    walls.push(Wall::segment(at(1.0, -6.0), b));
    walls.push(Wall::segment(c, d));
    walls.push(Wall::arc(at(4.0, 0.0), 6.0, -0.5 * pi, pi));
    walls.push(Wall::arc(at(-4.0, 0.0), 6.0, 0.5 * pi, pi));
    walls.push(Wall::half_plane(at(0.0, -7.0), DVec2::Y));
    walls
}

/// All bits of the states of these discs.
fn bits_of(world: &World, ids: &[DiscId]) -> Vec<u64> {
    let of = |&id: &DiscId| {
        let disc = world.get(id).unwrap();
        let (p, v, t) = (disc.position(), disc.velocity(), disc.state_time());
        [p.x, p.y, v.x, v.y, t.epoch_start(), t.offset()].map(f64::to_bits)
    };
    ids.iter().flat_map(of).collect()
}

/// Discs and walls of several groups, of which each accepts only itself, are as many worlds in one: each
/// goes its way to the last bit as if it were alone.
fn assert_worlds_in_one(by: By, seed: u64) {
    const WORLDS: usize = 3;
    let mut rng = Rng::new(seed);
    // Among walls, over the edges of a periodic plane, or growing.
    let kind = seed % 3;
    let period = if kind == 1 { [Some(11.0), Some(12.0)] } else { [None; 2] };
    let mut all = empty_of(by, period);
    let mut alone: [World; WORLDS] = std::array::from_fn(|_| empty_of(by, period));
    for _ in 0..if kind == 0 { 2 } else { 0 } {
        for wall in random_walls(&mut rng) {
            let k = rng.below(WORLDS);
            all.add_wall(wall.clone().with_groups(1 << k, 1 << k)).unwrap();
            alone[k].add_wall(wall).unwrap();
        }
    }
    let mut ids: [Vec<[DiscId; 2]>; WORLDS] = Default::default();
    for _ in 0..10 + rng.below(40) {
        let (k, disc) = (rng.below(WORLDS), random_disc(&mut rng));
        let in_all = all.insert(disc.with_groups(1 << k, 1 << k));
        let in_own = alone[k].insert(disc);
        assert_eq!(in_all.is_ok(), in_own.is_ok(), "seed {seed}: {in_all:?} {in_own:?}");
        ids[k].extend(in_all.ok().zip(in_own.ok()).map(|(one, other)| [one, other]));
    }
    if kind == 2 {
        alone.iter_mut().chain([&mut all]).for_each(|world| world.set_growth(0.05).unwrap());
    }
    for step in 1..=8 {
        let until = 0.4 * f64::from(step);
        let mut events = 0;
        for world in &mut alone {
            let advance = world.advance_to(until).unwrap();
            events += advance.events;
        }
        let together = all.advance_to(until).unwrap();
        // Growth ends for all discs of a world at once, and only in their own world for those that are alone.
        if kind == 2 && all.growth() == 0.0 {
            return;
        }
        if together.events + 200 > 3000 || events + 200 > 3000 {
            return;
        }
        assert_eq!(together.events, events, "seed {seed}");
        all.assert_well_formed();
        for (world, ids) in alone.iter().zip(&ids) {
            let [in_all, in_own] = [0, 1].map(|k| ids.iter().map(|pair| pair[k]).collect::<Vec<_>>());
            assert_eq!(bits_of(&all, &in_all), bits_of(world, &in_own), "seed {seed}");
        }
    }
}

#[test]
fn groups_that_accept_themselves_alone_are_worlds_of_their_own() {
    for seed in 0..cases(150) {
        assert_worlds_in_one(By::Table, seed);
        assert_worlds_in_one(By::Grid, seed);
    }
}

fn ruled(by: By, rng: &mut Rng) -> (World, Vec<DiscId>, Vec<WallId>) {
    let mut world = empty(by);
    let ruled = |rng: &mut Rng| if rng.chance(60) { random_rules(rng) } else { Rules::new() };
    let walls = random_walls(rng);
    let walls = walls.into_iter().map(|wall| world.add_wall(wall.with_rules(ruled(rng))).unwrap()).collect();
    let discs = (0..30).map(|_| random_disc(rng).with_rules(ruled(rng)));
    let discs: Vec<Disc> = discs.collect();
    let discs = discs.into_iter().filter_map(|disc| world.insert(disc).ok()).collect();
    (world, discs, walls)
}

/// Rules that are set and set back leave no difference, whatever is pending.
fn assert_set_back(by: By, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut world, discs, walls) = ruled(by, &mut rng);
    for _ in 0..rng.below(3) {
        world.advance(rng.range(0.0, 0.5)).unwrap();
    }
    let mut edited = world.clone();
    for _ in 0..1 + rng.below(8) {
        let rules = random_rules(&mut rng);
        // Some are refused.
        _ = if rng.chance(25) {
            edited.set_wall_rules(rng.pick(&walls), rules)
        } else {
            edited.set_rules(rng.pick(&discs), rules)
        };
    }
    // Back in a random order: what was refused before may be refused again, and is as it was.
    for _ in 0..2 {
        for k in rng.permutation(discs.len()) {
            let before = world.get(discs[k]).unwrap().rules();
            _ = edited.set_rules(discs[k], before);
        }
        for &id in &walls {
            _ = edited.set_wall_rules(id, world.get_wall(id).unwrap().rules);
        }
    }
    assert_eq!(edited.diff(&world), None, "seed {seed}");
    // All that is scheduled follows from what is stored.
    edited.assert_well_formed();
}

#[test]
fn rules_set_and_set_back_leave_no_difference() {
    for seed in 0..cases(150) {
        assert_set_back(By::Table, seed);
        assert_set_back(By::Grid, seed);
    }
}

/// An impact beside a disc that touches both and collides with neither is one of two.
#[test]
fn what_does_not_collide_is_of_no_group() {
    let run = |by: By, beside: Option<Rules>| {
        let mut world = empty(by);
        world.add_wall(Wall::half_plane([0.0, -0.5], [0.0, 1.0]).with_groups(2, 2)).unwrap();
        let striker = Disc::new([-3.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_groups(1, 1);
        let striker = world.insert(striker).unwrap();
        world.insert(Disc::new([0.0, 0.0], 0.5).with_groups(1, 1)).unwrap();
        if let Some(rules) = beside {
            // It touches the disc that is hit, and the wall touches both.
            world.insert(Disc::new([1.0, 0.0], 0.5).with_rules(rules)).unwrap();
        }
        world.advance(4.0).unwrap();
        (world.counters().groups, world.events().len(), world.get(striker).unwrap().velocity())
    };
    let filtered = Rules::new().with_membership(2).with_mask(2);
    for by in [By::Table, By::Grid] {
        assert_eq!(run(by, None), (0, 1, DVec2::ZERO), "{by:?}");
        assert_eq!(run(by, Some(filtered)), run(by, None), "{by:?}");
        let collides = filtered.with_membership(1).with_mask(1);
        assert_eq!(run(by, Some(collides)).0, 1, "{by:?}: one that collides is of the group");
    }
}

/// A disc that has passed through a wall or another disc while they did not collide has left it behind when
/// they do: the times are counted from then.
#[test]
fn what_was_passed_is_behind() {
    let ghost = Rules::new().with_mask(0);
    let mut world = World::new();
    let gate = world.add_wall(Wall::segment([2.0, -1.0], [2.0, 1.0])).unwrap();
    world.add_wall(Wall::segment([9.0, -1.0], [9.0, 1.0])).unwrap();
    let disc = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let other = world.insert(Disc::new([4.0, 0.0], 0.5).with_rules(ghost)).unwrap();
    world.set_wall_rules(gate, ghost).unwrap();
    assert_eq!(world.advance_to(6.0).unwrap().events, 0);
    world.set_wall_rules(gate, Rules::new()).unwrap();
    world.set_rules(other, Rules::new()).unwrap();
    world.assert_well_formed();
    // To 8.5 and back, to the other one at 5.
    assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(8.5));
    world.step_event();
    assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(12.0));
    world.step_event();
    // Equal masses: the other one goes on, to the gate from behind.
    assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(13.5));
    assert_eq!(world.get(disc).unwrap().velocity(), DVec2::ZERO);
}

/// A point that has gone through an open gate from where it lay on it is on the other side of it.
#[test]
fn a_gate_that_was_passed_has_no_memory() {
    for (offset, radius) in [(0.5, 0.5), (0.0, 0.0)] {
        let mut world = World::new();
        let gate = world.add_wall(Wall::segment([0.0, -9.0], [0.0, 9.0])).unwrap();
        let disc = Disc::new([-3.0 - offset, 0.0], radius).with_velocity([1.0, 0.5]).with_restitution(0.0);
        let disc = world.insert(disc).unwrap();
        assert_eq!(world.advance_to(4.0).unwrap().events, 1, "it lies on the gate and slides along");
        world.set_wall_rules(gate, Rules::new().with_membership(0)).unwrap();
        world.set_velocity(disc, [1.0, 0.0]).unwrap();
        world.advance_to(8.0).unwrap();
        world.set_wall_rules(gate, Rules::new()).unwrap();
        world.set_velocity(disc, [-1.0, 0.0]).unwrap();
        let room = world.get(disc).unwrap().position().x - offset;
        assert!((room - 4.0 + 2.0 * offset).abs() < 1e-12, "{room}");
        let next = world.next_event().map(|next| next.time.as_secs());
        assert!((next.unwrap() - 8.0 - room).abs() < 1e-12, "{next:?}");
    }
}

/// Bodies that overlap when rules let them collide pass through each other until they have parted, also where
/// they approach, and collide the next time.
#[test]
fn what_overlaps_by_rules_passes_until_parted() {
    let (mine, other) = (Rules::new().with_team(1), Rules::new().with_team(2));
    for changes in 0..4 {
        let mut world = World::new();
        let a = world.insert(Disc::new([0.0, 0.0], 1.0).with_rules(mine)).unwrap();
        let b = Disc::new([1.5, 0.0], 1.0).with_rules(mine).with_velocity([-1.0, 0.0]);
        let b = world.insert(b).unwrap();
        match changes {
            0 => world.set_rules(b, other).unwrap(),
            1 => world.set_rules(a, other).unwrap(),
            // Neither is in force before both are.
            2 => [a, b].map(|id| world.set_rules(id, Rules::new())).into_iter().for_each(Result::unwrap),
            _ => {
                world.set_rules(b, other).unwrap();
                world.advance(1.0).unwrap();
                // Other ones that collide as well do not end it.
                world.set_rules(a, Rules::new()).unwrap();
                world.set_rules(b, Rules::new()).unwrap();
            }
        }
        world.advance_to(3.0).unwrap();
        assert_eq!((world.counters().disc_impacts, world.get(b).unwrap().position().x), (0, -1.5));
        world.advance_to(4.0).unwrap();
        world.set_velocity(b, [1.0, 0.0]).unwrap();
        world.advance_to(4.75).unwrap();
        assert_eq!((world.counters().disc_impacts, world.get(a).unwrap().velocity().x), (1, 1.0));
        // A place is still refused.
        assert!(
            matches!(world.set_position(b, [0.0, 0.0]), Err(Error::OverlapsDisc { other, .. }) if other == a)
        );
    }
}

/// A door that closes on a disc lets it out, to either side, and all its parts do; then it is a wall.
#[test]
fn a_door_that_closes_on_a_disc_lets_it_out() {
    let closed = Rules::new();
    for (turns_back, own) in [(false, false), (true, false), (false, true)] {
        let mut world = World::new();
        let door = Wall::polyline(&[[0.0, -2.0], [0.0, 0.0], [0.0, 2.0]]).with_groups(0, 0);
        let door = world.add_wall(door).unwrap();
        let disc = Disc::new([-2.0, 0.25], 0.5).with_velocity([1.0, 0.0]);
        let disc = world.insert(if own { disc.with_groups(0, 0) } else { disc }).unwrap();
        if own {
            world.set_wall_rules(door, closed).unwrap();
        }
        world.advance(1.75).unwrap();
        if own { world.set_rules(disc, closed) } else { world.set_wall_rules(door, closed) }.unwrap();
        world.advance_to(2.0).unwrap();
        let way = if turns_back { -1.0 } else { 1.0 };
        world.set_velocity(disc, [way, 0.0]).unwrap();
        world.advance_to(3.0).unwrap();
        assert_eq!((world.counters().wall_impacts, world.get(disc).unwrap().position().x), (0, way));
        world.set_velocity(disc, [-way, 0.0]).unwrap();
        world.advance_to(4.0).unwrap();
        assert_eq!((world.counters().wall_impacts, world.get(disc).unwrap().position().x), (1, way));
    }
}

/// Places are compared by the rules that were set last, whether they are in force yet or not.
#[test]
fn places_are_free_by_the_latest_rules() {
    let ghost = Rules::new().with_mask(0);
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 1.0)).unwrap();
    let b = world.insert(Disc::new([5.0, 0.0], 1.0)).unwrap();
    assert!(world.insert(Disc::new([1.0, 0.0], 1.0)).is_err());
    world.set_rules(a, ghost).unwrap();
    world.insert(Disc::new([1.0, 0.0], 1.0)).unwrap();
    world.add_wall(Wall::segment([0.3, -1.0], [0.3, 0.5]).with_groups(1, 1)).unwrap_err();
    world.set_positions(&[(a, at(5.5, 0.0)), (b, at(5.0, 1.0))]).unwrap();
    world.set_radius(a, 3.0).unwrap();
    world.add_wall(Wall::half_plane([0.0, 1.5], [0.0, -1.0]).with_rules(ghost)).unwrap();
    world.assert_well_formed();
    assert_eq!(world.push_apart().unwrap(), [], "what does not collide need not be apart");
    assert!(world.separate_overlaps(1.0).unwrap().overlaps.is_empty());
}

/// A disc that slides round a room goes straight on when it no longer collides with the wall.
#[test]
fn a_slide_ends_with_the_wall() {
    let mut world = World::new();
    let room = world.add_wall(Wall::circle([0.0, 0.0], 10.0)).unwrap();
    let id =
        world.insert(Disc::new([9.0, 0.0], 1.0).with_velocity([0.001, 3.0]).with_restitution(0.5)).unwrap();
    world.advance(2.0).unwrap();
    assert!(world.counters().slides > 10);
    let slides = world.counters().slides;
    world.set_wall_rules(room, Rules::new().with_mask(0)).unwrap();
    let (from, velocity) = (world.get(id).unwrap().position(), world.get(id).unwrap().velocity());
    world.advance(5.0).unwrap();
    assert_eq!(world.counters().slides, slides);
    let place = world.get(id).unwrap().position();
    assert!(place.distance(from + 5.0 * velocity) < 1e-12 && place.length() > 15.0);
}

fn boxed(by: By) -> World {
    let mut world = empty(by);
    world.add_wall(Wall::container([-6.0, -6.0], [6.0, 6.0])).unwrap();
    world
}

fn overlapping_disc(rng: &mut Rng) -> Disc {
    let disc = random_disc(rng).with_overlap();
    if disc.mass == f64::INFINITY { disc.with_velocity([0.0, 0.0]) } else { disc }
}

/// Two groups of which each accepts only itself, and one group of which all pairs across the two are
/// excluded, are the same world to the last bit.
fn assert_as_rules(by: By, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut ruled, mut paired) = (boxed(by), boxed(by));
    let mut ids: [Vec<DiscId>; 2] = Default::default();
    for _ in 0..6 + rng.below(24) {
        let (k, disc) = (rng.below(2), overlapping_disc(&mut rng));
        ruled.insert(disc.with_groups(1 << k | 4, 1 << k)).unwrap();
        ids[k].push(paired.insert(disc).unwrap());
    }
    for &a in &ids[0] {
        for &b in &ids[1] {
            assert!(paired.exclude(a, b).unwrap());
        }
    }
    for _ in 0..5 {
        let ends = [ruled.advance(0.4).unwrap().end, paired.advance(0.4).unwrap().end];
        assert_eq!(record::bits_of(ruled.events()), record::bits_of(paired.events()), "seed {seed}");
        assert_eq!(state_bits(&ruled), state_bits(&paired), "seed {seed}");
        assert_eq!(ends[0], ends[1]);
    }
    paired.assert_well_formed();
}

#[test]
fn excluded_pairs_are_as_groups_that_do_not_accept_each_other() {
    for seed in 0..cases(150) {
        assert_as_rules(By::Table, seed);
        assert_as_rules(By::Grid, seed);
    }
}

/// A pair that is included again while it overlaps has its next impact after it has parted: where it comes
/// back from outside, at the distance of contact.
fn assert_passes(by: By, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut world = boxed(by);
    let (m, e) = (rng.pick(&[1.0, 2.0, 0.0]), rng.pick(&[1.0, 0.5]));
    let disc = Disc::new([0.0, 0.0], 0.8).with_mass(m).with_restitution(e).with_overlap();
    let a = world.insert(disc.with_velocity(rng.vector(1.0))).unwrap();
    let b = world.insert(Disc::new([3.0, 1.0], 0.6)).unwrap();
    for _ in 0..rng.below(4) {
        let _ = world.insert(overlapping_disc(&mut rng).with_position(rng.vector(2.0) + 4.0));
    }
    world.exclude(b, a).unwrap();
    let within = rng.vector(0.8);
    let to = world.get(b).unwrap().position() + within;
    world.set_position(a, to).unwrap();
    world.include(a, b).unwrap();
    let distance =
        |world: &World| world.get(a).unwrap().position().distance(world.get(b).unwrap().position());
    let (mut has_parted, mut has_met) = (false, false);
    for _ in 0..400 {
        world.advance_until_event(0.05, |_| true).unwrap();
        let met = world.events().iter().filter_map(|event| event.impact()).any(|impact| impact.between(a, b));
        if met {
            assert!(has_parted, "seed {seed}");
            assert!((distance(&world) - 1.4).abs() < 1e-12, "seed {seed}: {}", distance(&world));
            has_met = true;
        }
        has_parted |= distance(&world) > 1.4;
    }
    world.assert_well_formed();
    has_met
}

#[test]
fn what_overlaps_when_it_is_included_passes_until_it_has_parted() {
    let met = (0..cases(100)).filter(|&seed| assert_passes(By::Table, seed) | assert_passes(By::Grid, seed));
    let met = met.count() as u64;
    assert!(met > cases(100) / 4, "{met}");
}

/// What has been passed while the two did not collide is past.
#[test]
fn what_was_passed_while_excluded_is_behind() {
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let b = world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
    assert_eq!(world.exclude(a, a), Ok(false));
    assert_eq!((world.exclude(a, b), world.exclude(b, a)), (Ok(true), Ok(false)));
    world.advance(6.0).unwrap();
    assert_eq!((world.include(b, a), world.include(a, b)), (Ok(true), Ok(false)));
    assert_eq!(world.next_event(), None);
    world.set_velocity(a, [-1.0, 0.0]).unwrap();
    assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(8.0));
    // The pairs of a disc go with it.
    world.exclude(a, b).unwrap();
    let disc = world.remove(b).unwrap();
    let c = world.insert(disc).unwrap();
    assert!(!world.is_excluded(a, b) && !world.is_excluded(a, c));
    assert!(world.exclude(a, b).is_err());
    assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(8.0));
}
