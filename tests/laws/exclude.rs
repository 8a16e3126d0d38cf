//! Pairs of discs that do not collide, whatever their rules.

use crate::common::by::By;
use crate::common::record::{bits_of, state_bits};
use crate::common::rng::{Rng, cases};
use carom_engine::{Disc, DiscId, Settings, Wall, World};

fn empty(by: By) -> World {
    let mut world = by.world(Settings::default().with_budget(4000));
    world.add_wall(Wall::container([-6.0, -6.0], [6.0, 6.0])).unwrap();
    world
}

fn random_disc(rng: &mut Rng) -> Disc {
    let mass = rng.pick(&[1.0, 1.0, 1.0, 2.5, 0.0, f64::INFINITY]);
    let velocity = if mass == f64::INFINITY { [0.0; 2].into() } else { rng.vector(3.0) };
    let disc = Disc::new(rng.vector(5.0), rng.pick(&[0.0, 0.3, 0.3, 0.8])).with_mass(mass);
    disc.with_velocity(velocity).with_restitution(rng.pick(&[1.0, 1.0, 0.7])).with_overlap()
}

/// Two groups of which each accepts only itself, and one group of which all pairs across the two are
/// excluded, are the same world to the last bit.
fn assert_as_rules(by: By, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut ruled, mut paired) = (empty(by), empty(by));
    let mut ids: [Vec<DiscId>; 2] = Default::default();
    for _ in 0..6 + rng.below(24) {
        let (k, disc) = (rng.below(2), random_disc(&mut rng));
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
        assert_eq!(bits_of(ruled.events()), bits_of(paired.events()), "seed {seed}");
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
    let mut world = empty(by);
    let (m, e) = (rng.pick(&[1.0, 2.0, 0.0]), rng.pick(&[1.0, 0.5]));
    let disc = Disc::new([0.0, 0.0], 0.8).with_mass(m).with_restitution(e).with_overlap();
    let a = world.insert(disc.with_velocity(rng.vector(1.0))).unwrap();
    let b = world.insert(Disc::new([3.0, 1.0], 0.6)).unwrap();
    for _ in 0..rng.below(4) {
        let _ = world.insert(random_disc(&mut rng).with_position(rng.vector(2.0) + 4.0));
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
fn what_was_passed_is_behind() {
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
