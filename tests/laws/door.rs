//! What a physics adds to impacts is whole, accounted for, and leaves nothing approaching.

use carom_engine::{CrushRule, DVec2, Disc, Met, Settings, Wall, World};

use crate::common::record::deepest_overlap;
use crate::common::rng::{Rng, cases};
use crate::common::toys::{self, Laws, Toy};
use carom_testkit::at;

/// A wall that turns what hits it, as a cushion at small restitution may: the physics leaves the disc
/// moving into it.
const TURNER: Laws = Laws {
    wall: |_, contact, _, _, a| a.velocity += contact.normal * 0.25 + contact.normal.perp(),
    pair: |_, contact, _, a, b| {
        a.velocity += contact.normal * 0.25;
        b.velocity -= contact.normal * 0.25;
    },
    ..Laws::NONE
};

#[test]
fn nothing_leaves_an_impact_into_what_it_hit() {
    let mut world: World<Toy> = toys::world(&TURNER);
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_restitution(0.0)).unwrap();
    let disc = Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(0.0, -2.0)).with_mass(4.0);
    let id = world.insert(disc).unwrap();
    world.advance(10.0).unwrap();
    // At rest along the normal, 1 m/s along the wall.
    let disc = world.get(id).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (at(9.5, 1.0), at(1.0, 0.0)));
    let impact = *world.events()[0].impact().unwrap();
    // All that the wall took: 4 kg at 2 m/s.
    assert_eq!((world.events().len(), impact.impulse), (1, 8.0));
    // The normal impulses at e = 0, and 4 · ¼ that the physics gave back to be taken again.
    assert_eq!(world.counters().ledger.look_again, 0.5 * 4.0 * 0.25 * 0.25);

    let mut world: World<Toy> = toys::world(&TURNER);
    let still = Disc::new(at(0.0, 0.0), 1.0).with_restitution(0.0);
    let ids = [still.with_velocity(at(1.0, 0.0)), still.with_position(at(4.0, 0.0))]
        .map(|disc| world.insert(disc).unwrap());
    world.advance(10.0).unwrap();
    assert_eq!(ids.map(|id| world.get(id).unwrap().velocity()), [at(0.5, 0.0); 2]);
    assert_eq!(world.events()[0].impact().unwrap().impulse, 0.5);
    assert_eq!(deepest_overlap(&world), 0.0);
}

/// Pinball: a surface with a kick, and a disc that is known by its handle, of which the strength is the slot.
const PINBALL: Laws = Laws {
    restitution: |bumper, approach| match approach.with {
        Met::Wall(surface) if *surface > 0.0 => 1.5,
        Met::Disc(other) if [other.id, approach.body.id].map(|id| f64::from(id.slot())).contains(&bumper) => {
            3.0
        }
        _ => approach.combined,
    },
    ..Laws::NONE
};

/// A world of pinball, in which the disc of a slot is a bumper.
fn pinball(bumper: f64) -> World<Toy> {
    World::with_physics(Toy { strength: bumper, ..Toy::of(&PINBALL) }, Settings::default()).unwrap()
}

#[test]
fn a_restitution_above_one_is_a_kick() {
    let mut world = pinball(-1.0);
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_surface(1.0)).unwrap();
    let id = world.insert(Disc::new(at(0.0, 2.0), 1.0).with_mass(2.0).with_velocity(at(1.0, -2.0))).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(world.get(id).unwrap().velocity(), at(1.0, 3.0));
    // ½ · 2 · (9 − 4).
    assert_eq!(world.counters().ledger.kicks, 5.0);

    // In a corner of two bumpers: each contact once, by half of the 2 m/s that it was approached with.
    let mut world = pinball(-1.0);
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_surface(1.0)).unwrap();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X).with_surface(1.0)).unwrap();
    let id = world.insert(Disc::new(at(3.0, 3.0), 1.0).with_velocity(at(-2.0, -2.0))).unwrap();
    world.advance(1.5).unwrap();
    assert_eq!(world.get(id).unwrap().velocity(), at(3.0, 3.0));
    assert_eq!(world.counters().ledger.kicks, 5.0);
    assert_eq!(world.events().len(), 2);
    assert!(world.events().iter().all(|event| event.impact().unwrap().impulse == 5.0));
}

/// The hooks can tell discs apart: one is a bumper by its handle.
#[test]
fn a_physics_knows_whom_it_sees() {
    for fixed_first in [false, true] {
        let bumper = Disc::new(at(5.0, 0.0), 1.0).with_mass(f64::INFINITY);
        let ball = Disc::new(at(0.0, 0.0), 1.0).with_velocity(at(1.0, 0.0));
        let mut world = pinball(-1.0);
        let discs = if fixed_first { [bumper, ball] } else { [ball, bumper] };
        let ids = discs.map(|disc| world.insert(disc).unwrap());
        let [bumper, ball] = if fixed_first { ids } else { [ids[1], ids[0]] };
        let mut kicking = pinball(f64::from(bumper.slot()));
        let _ = discs.map(|disc| kicking.insert(disc).unwrap());
        kicking.advance(4.0).unwrap();
        world.advance(4.0).unwrap();
        assert_eq!(world.get(ball).unwrap().velocity(), at(-1.0, 0.0));
        assert_eq!(kicking.get(ball).unwrap().velocity(), at(-3.0, 0.0));
    }
}

/// Energy closes with the ledger, frame by frame: elastic discs between moving infinite masses gain what
/// these do as work.
#[test]
fn work_is_in_the_ledger() {
    let mut rng = Rng::new(9);
    let mut worked = 0;
    for case in 0..cases(300) {
        // What gives way where something is crushed takes energy by a rule of its own.
        let settings = Settings::default().with_budget(500).with_crush(CrushRule::Stop);
        let mut world: World = World::with_settings(settings).unwrap();
        world.add_wall(Wall::container(at(-8.0, -8.0), at(8.0, 8.0))).unwrap();
        for _ in 0..10 {
            let infinite = rng.chance(20);
            let mass = if infinite { f64::INFINITY } else { rng.range(0.5, 2.0) };
            let place = at(rng.below(8) as f64 * 2.0 - 7.0, rng.below(8) as f64 * 2.0 - 7.0);
            let velocity = at(rng.pick(&[0.0, 1.0, -1.0]), rng.pick(&[0.0, 0.5, -1.0]));
            let disc = Disc::new(place, 1.0).with_mass(mass).with_velocity(velocity);
            let _ = world.insert(disc);
        }
        let start = world.kinetic_energy();
        world.advance(3.0).unwrap();
        let counters = world.counters();
        let expected = start + counters.ledger.work - counters.ledger.collapse;
        let scale = start + world.kinetic_energy() + counters.ledger.work.abs();
        let impacts = (counters.disc_impacts + counters.wall_impacts) as f64;
        // A few roundings an impact.
        let error = (world.kinetic_energy() - expected).abs();
        assert!(error <= 8.0 * f64::EPSILON * (1.0 + impacts) * scale, "case {case}: {error:e} of {scale}");
        worked += u64::from(counters.ledger.work != 0.0);
    }
    assert!(worked > 100, "{worked}");
}
