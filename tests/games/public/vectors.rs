//! Whatever becomes a vector of glam is a position, a velocity or an impulse.

use carom_engine::{DVec2, Disc, Wall, World};

/// Arrays, tuples, and vectors and points of `mint`, by which other mathematics crates come in and out.
#[test]
fn vectors_of_other_crates_come_in_and_out() {
    let (place, speed) = (mint::Point2 { x: 1.5, y: -2.0 }, mint::Vector2 { x: 0.25, y: 4.0 });
    let mut world = World::new();
    world.add_wall(Wall::polyline(&[place, mint::Point2 { x: 9.0, y: -9.0 }])).unwrap();
    world.add_wall(Wall::half_plane((0.0, -50.0), mint::Vector2 { x: 0.0, y: 1.0 })).unwrap();
    let id = world.insert(Disc::new((20.0, 5.0), 0.5).with_velocity([1.0, 2.0])).unwrap();
    world.set_position(id, mint::Point2 { x: 30.0, y: 6.0 }).unwrap();
    world.set_velocity(id, speed).unwrap();
    world.apply_impulse(id, mint::Vector2 { x: 1.0, y: -1.0 }).unwrap();
    let disc = world.get(id).unwrap();
    assert_eq!(disc.velocity(), DVec2::new(1.25, 3.0));
    assert_eq!(mint::Point2::from(disc.position()), mint::Point2 { x: 30.0, y: 6.0 });
}
