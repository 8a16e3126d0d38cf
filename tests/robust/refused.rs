//! What is an ulp beyond the ranges in `limits` is refused, with field and value.

use super::ranges::{check, down, two, up};
use carom_engine::limits::{MAX_LENGTH, MAX_MASS, MAX_SPEED, MIN_LENGTH, MIN_MASS};
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, StopReason, Wall, World};
use carom_testkit::at;

/// A message names field and value.
fn assert_refused<T: core::fmt::Debug>(result: Result<T, Error>, name: &str, bad: f64) {
    match result {
        Err(Error::OutOfRange { field, value, .. } | Error::Inconsistent { field, value, .. }) => {
            assert!(
                field.contains(name) && value.to_bits() == bad.to_bits(),
                "{field} = {value:e}, not {name} = {bad:e}"
            );
        }
        other => panic!("{name} = {bad:e}: {other:?}"),
    }
}

/// The last that is accepted and the first that is refused are neighbouring doubles.
#[test]
fn an_ulp_beyond_is_refused() {
    let disc = Disc::new(DVec2::ZERO, 1.0);
    let insert = |disc: Disc| World::new().insert(disc);
    let wall = |wall: Wall| World::new().add_wall(wall);
    let edit = |edit: &dyn Fn(&mut World, DiscId) -> Result<(), Error>| {
        let mut world = World::new();
        let id = world.insert(disc).unwrap();
        let result = edit(&mut world, id);
        check(&mut world);
        result
    };
    for sign in [1.0, -1.0] {
        let (most, beyond) = (sign * MAX_LENGTH, sign * up(MAX_LENGTH));
        for (axis, along) in [("x", DVec2::X), ("y", DVec2::Y)] {
            let name = format!("position.{axis}");
            insert(Disc::new(along * most, 1.0)).unwrap();
            assert_refused(insert(Disc::new(along * beyond, 1.0)), &name, beyond);
            edit(&|w, id| w.set_position(id, along * most)).unwrap();
            assert_refused(edit(&|w, id| w.set_position(id, along * beyond)), &name, beyond);
            let (most, beyond) = (sign * MAX_SPEED, sign * up(MAX_SPEED));
            let name = format!("velocity.{axis}");
            insert(disc.with_velocity(along * most)).unwrap();
            assert_refused(insert(disc.with_velocity(along * beyond)), &name, beyond);
            edit(&|w, id| w.set_velocity(id, along * most)).unwrap();
            assert_refused(edit(&|w, id| w.set_velocity(id, along * beyond)), &name, beyond);
        }
        wall(Wall::half_plane(at(most, 0.0), DVec2::X)).unwrap();
        assert_refused(wall(Wall::half_plane(at(beyond, 0.0), DVec2::X)), "point.x", beyond);
        assert_refused(wall(Wall::segment(at(beyond, 0.0), DVec2::X)), "a.x", beyond);
        assert_refused(wall(Wall::disc(at(0.0, beyond), 1.0)), "center.y", beyond);
        wall(Wall::arc(DVec2::ZERO, 1.0, sign * 1e6, 1.0)).unwrap();
        assert_refused(wall(Wall::arc(DVec2::ZERO, 1.0, sign * up(1e6), 1.0)), "start", sign * up(1e6));
    }
    for (edge, beyond) in [(MIN_LENGTH, down(MIN_LENGTH)), (MAX_LENGTH, up(MAX_LENGTH))] {
        insert(disc.with_radius(edge)).unwrap();
        assert_refused(insert(disc.with_radius(beyond)), "radius", beyond);
        edit(&|w, id| w.set_radius(id, edge)).unwrap();
        assert_refused(edit(&|w, id| w.set_radius(id, beyond)), "radius", beyond);
        for shape in [|r| Wall::disc(DVec2::ZERO, r), |r| Wall::circle(DVec2::ZERO, r)] {
            wall(shape(edge)).unwrap();
            assert_refused(wall(shape(beyond)), "radius", beyond);
        }
        wall(Wall::segment(DVec2::ZERO, at(edge, 0.0))).unwrap();
        wall(Wall::container(DVec2::ZERO, at(edge, 1.0))).unwrap();
    }
    let short = down(MIN_LENGTH);
    assert_refused(wall(Wall::segment(DVec2::ZERO, at(short, 0.0))), "length of the segment", short);
    assert_refused(wall(Wall::container(DVec2::ZERO, at(1.0, short))), "max.y - min.y", short);
    assert_refused(wall(Wall::half_plane(DVec2::ZERO, at(0.0, short))), "length of the normal", short);
    // Two coordinates that are allowed, and a length between them that is not.
    let long = up(MAX_LENGTH);
    let segment = Wall::segment(at(-MAX_LENGTH, 0.0), at(up(0.125), 0.0));
    assert_refused(wall(segment), "length of the segment", long);
    for (edge, beyond) in [(MIN_MASS, down(MIN_MASS)), (MAX_MASS, up(MAX_MASS)), (0.0, -f64::from_bits(1))] {
        insert(disc.with_mass(edge)).unwrap();
        assert_refused(insert(disc.with_mass(beyond)), "mass", beyond);
        edit(&|w, id| w.set_mass(id, edge)).unwrap();
        assert_refused(edit(&|w, id| w.set_mass(id, beyond)), "mass", beyond);
    }
    for (edge, beyond) in [(0.0, -f64::from_bits(1)), (1.0, up(1.0))] {
        insert(disc.with_restitution(edge)).unwrap();
        assert_refused(insert(disc.with_restitution(beyond)), "restitution", beyond);
        edit(&|w, id| w.set_restitution(id, edge)).unwrap();
        assert_refused(edit(&|w, id| w.set_restitution(id, beyond)), "restitution", beyond);
        wall(Wall::disc(DVec2::ZERO, 1.0).with_restitution(edge)).unwrap();
        assert_refused(wall(Wall::disc(DVec2::ZERO, 1.0).with_restitution(beyond)), "restitution", beyond);
    }
    let tau = core::f64::consts::TAU;
    wall(Wall::arc(DVec2::ZERO, 1.0, 0.0, tau)).unwrap();
    assert_refused(wall(Wall::arc(DVec2::ZERO, 1.0, 0.0, up(tau))), "sweep", up(tau));
    let horizon = two(51) / 1024.0;
    let settings =
        |start, epoch| World::with_settings(Settings::default().with_start(start).with_epoch(epoch));
    settings(down(horizon), two(-10)).unwrap();
    assert_refused(settings(horizon, two(-10)), "start", horizon);
    assert_refused(settings(-f64::from_bits(1), two(-10)), "start", -f64::from_bits(1));
    for (edge, beyond) in [(two(60), up(two(60))), (two(-60), down(two(-60))), (1.0, up(1.0))] {
        settings(0.0, edge).unwrap();
        assert_refused(settings(0.0, beyond), "epoch", beyond);
    }
    let mut world = World::new();
    assert_refused(world.advance(horizon), "dt", horizon);
    assert_refused(world.advance(-f64::from_bits(1)), "dt", -f64::from_bits(1));
    assert_refused(world.advance_to(horizon), "time", horizon);
    assert_eq!(world.advance_to(down(horizon)).unwrap().end, StopReason::Reached);
    check(&mut world);
}
