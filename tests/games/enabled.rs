//! Discs off the plane, and what captures them.

use crate::common::umpire::Umpire;
use crate::verdicts::{by, falling};
use carom_engine::{DVec2, Disc, DiscForces, Event, QueryFilter, Rules, Verdict, Wall, Which};

/// Off the plane a disc is met by nothing, does not fall, and is in no query; its rules are its own.
#[test]
fn off_the_plane_nothing_happens() {
    let mut world = falling(-1.0, Umpire::Bounces);
    world.add_wall(Wall::half_plane([0.0, -9.0], [0.0, 1.0])).unwrap();
    let rules = Rules::new().with_team(3);
    let ball: Disc<DiscForces> = Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 2.0]).with_rules(rules);
    let off = world.insert(ball).unwrap();
    let other: Disc<DiscForces> = Disc::new([0.0, 3.0], 0.5).with_restitution(0.0);
    world.insert(other).unwrap();
    world.set_enabled(off, false).unwrap();
    assert!(!world.is_enabled(off) && world.contains(off));
    let energy = world.ledger().total;
    assert!((energy - world.kinetic_energy()).abs() < 1e-14);
    world.advance(100.0).unwrap();
    let disc = world.get(off).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (DVec2::ZERO, DVec2::ZERO));
    assert_eq!(disc.rules(), rules);
    let mut found = Vec::new();
    world.overlap_disc([0.0, 0.0], 0.1, &QueryFilter::new(), &mut found).unwrap();
    assert!(found.is_empty());
    world.set_enabled(off, true).unwrap();
    world.advance(0.5).unwrap();
    let disc = world.get(off).unwrap();
    assert_eq!(disc.position(), DVec2::new(0.5, 0.875));
    assert_eq!(disc.velocity(), DVec2::new(1.0, 1.5));
    assert!((world.ledger().total - world.kinetic_energy()).abs() < 1e-12);
}

/// A pocket: a ball that touches it is captured at the exact time, keeps its handle, and is put back with its
/// place.
#[test]
fn a_pocket_captures_and_a_place_releases() {
    const POCKET: u64 = 1;
    let mut world = by(|met, _| match met.b.user_data {
        POCKET => Verdict::Capture(Which::First),
        _ => Verdict::Bounce,
    });
    world.add_wall(Wall::disc([5.0, 0.0], 1.0).with_user_data(POCKET)).unwrap();
    let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0]).with_user_data(8)).unwrap();
    world.advance(10.0).unwrap();
    let [Event::Captured(gone)] = world.events() else { panic!("{:?}", world.events()) };
    assert_eq!((gone.time.as_secs(), gone.disc, gone.user_data), (1.75, ball, 8));
    assert_eq!((gone.position.x, gone.velocity.x), (3.5, 2.0));
    assert_eq!(world.get(ball).unwrap().position().x, 3.5);
    // Others pass over it.
    world.insert(Disc::new([3.5, 4.0], 0.5).with_velocity([0.0, -1.0])).unwrap();
    assert_eq!(world.advance(8.0).unwrap().events, 0);
    let other = world.insert(Disc::new([-4.0, 0.0], 0.5)).unwrap();
    // Where it is put it must have room.
    assert!(world.set_position(ball, [-4.5, 0.0]).is_err());
    assert!(!world.is_enabled(ball));
    world.set_velocity(ball, [0.0, 0.0]).unwrap();
    world.set_position(ball, [-6.0, 0.0]).unwrap();
    assert!(world.is_enabled(ball));
    world.set_velocity(other, [-1.0, 0.0]).unwrap();
    assert_eq!(world.advance(2.0).unwrap().events, 1);
}

/// Disabled for an instant nothing has happened; and what lay on a disc that goes falls.
#[test]
fn what_lay_on_it_falls() {
    let mut world = falling(-1.0, Umpire::Bounces);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    let disc = |y: f64| -> Disc<DiscForces> { Disc::new([0.0, y], 0.5).with_restitution(0.0) };
    let below = world.insert(disc(0.5)).unwrap();
    let above = world.insert(disc(1.5)).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(world.held_to(above).count(), 1);
    world.set_enabled(below, false).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.get(above).unwrap().position().y - 1.0).abs() < 1e-12);
    world.advance(9.0).unwrap();
    assert!((world.get(above).unwrap().position().y - 0.5).abs() < 1e-9);
    // It is put back within the other one: they overlap, and pass until they part.
    world.set_enabled(below, true).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.get(below).unwrap().position().y - 0.5).abs() < 1e-9);
    world.set_velocity(above, [2.0, 0.0]).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.get(above).unwrap().position().x - 2.0).abs() < 1e-9);
}
