//! Edits in the middle of things: at the instant of an impact, in a row that touches, while discs fly.

use carom_engine::{
    DVec2, Disc, DiscId, Partner, QueryFilter, SchedulerKind, Settings, Simultaneous, StopReason, Wall, World,
};

use super::apart::put;
use crate::common::rng::Rng;
use carom_testkit::at;

fn row(n: i32, rule: Simultaneous) -> (World, Vec<DiscId>) {
    let mut world = World::with_settings(Settings::default().with_simultaneous(rule)).unwrap();
    let mut ids: Vec<DiscId> =
        (0..n).map(|i| world.insert(Disc::new(at(f64::from(i), 0.0), 0.5)).unwrap()).collect();
    ids.push(world.insert(Disc::new(at(-2.0, 0.0), 0.5).with_velocity(DVec2::X)).unwrap());
    (world, ids)
}

/// A group has met every wall that it touched when it was resolved, and none that is put up afterwards at the
/// same instant and place.
#[test]
fn a_wall_put_up_at_the_instant_of_a_group_stops() {
    let (mut world, ids) = row(3, Simultaneous::Together);
    assert_eq!(world.step_event().events, 1);
    assert_eq!(world.get(ids[2]).unwrap().velocity(), DVec2::X);
    world.add_wall(Wall::half_plane(at(2.5, 0.0), at(-1.0, 0.0))).unwrap();
    let advance = world.advance(0.25).unwrap();
    // Off the wall, and through the row back to the striker, all at once.
    assert_eq!((advance.end, advance.events), (StopReason::Reached, 1));
    assert_eq!(
        ids.iter().map(|&id| world.get(id).unwrap().velocity().x).collect::<Vec<_>>(),
        [0.0, 0.0, 0.0, -1.0]
    );
    world.assert_well_formed();
}

#[test]
fn a_wall_is_not_hit_before_it_was_put_up() {
    let mut rng = Rng::new(1);
    for _ in 0..500 {
        let mut world = World::new();
        let velocity = at(rng.range(0.5, 2.0), rng.range(-0.2, 0.2));
        let id = world.insert(Disc::new(DVec2::ZERO, 0.25).with_velocity(velocity)).unwrap();
        world.advance(3.0).unwrap();
        // Behind it: it has flown through that place before. And ahead: it will be hit there, not earlier.
        world.add_wall(Wall::segment(at(0.5, -9.0), at(0.5, 9.0))).unwrap();
        let ahead = world.add_wall(Wall::segment(at(10.0, -9.0), at(10.0, 9.0))).unwrap();
        let next = world.next_event().unwrap();
        assert!((next.time.as_secs() - 9.75 / velocity.x).abs() < 1e-13);
        // Taken down while it flies: nothing is left of it.
        world.remove_wall(ahead).unwrap();
        assert_eq!(world.next_event(), None);
        assert_eq!(world.advance(10.0).unwrap().events, 0);
        // The flight was not rewritten by any of this.
        assert_eq!(world.get(id).unwrap().position(), velocity * 13.0);
        assert_eq!(world.get(id).unwrap().state_time().as_secs(), 0.0);
    }
}

#[test]
fn removing_from_the_middle_of_a_cradle() {
    for rule in [Simultaneous::Together, Simultaneous::OneByOne] {
        let (mut world, ids) = row(5, rule);
        world.advance(0.5).unwrap();
        world.remove(ids[2]).unwrap();
        // 0 and 1 take the blow at t = 1; the second flies on, over the hole of one disc, to 3 at t = 2.
        world.advance_to(1.5).unwrap();
        assert_eq!(world.get(ids[1]).unwrap().velocity(), DVec2::X);
        assert_eq!(world.get(ids[1]).unwrap().position(), at(1.5, 0.0));
        world.advance_to(3.0).unwrap();
        assert_eq!(world.get(ids[4]).unwrap().velocity(), DVec2::X);
        assert_eq!(world.get(ids[4]).unwrap().position(), at(5.0, 0.0));
        assert!(world.get(ids[2]).is_none());
        world.assert_well_formed();
    }
}

#[test]
fn masses_that_change_class() {
    let strike = |before: f64, after: f64| {
        let mut world = World::new();
        let a = world.insert(Disc::new(at(-2.0, 0.0), 0.5).with_velocity(DVec2::X)).unwrap();
        let b = world.insert(Disc::new(at(0.0, 0.0), 0.5).with_mass(before)).unwrap();
        world.advance(0.5).unwrap();
        world.set_mass(b, after).unwrap();
        world.advance(1.0).unwrap();
        world.assert_well_formed();
        [world.get(a).unwrap().velocity().x, world.get(b).unwrap().velocity().x]
    };
    for before in [0.0, 1.0, 5.0, f64::INFINITY] {
        assert_eq!(strike(before, f64::INFINITY), [-1.0, 0.0]);
        // A tracer is not felt, and leaves at twice the speed.
        assert_eq!(strike(before, 0.0), [1.0, 2.0]);
        assert_eq!(strike(before, 1.0), [0.0, 1.0]);
        assert_eq!(strike(before, 3.0), [-0.5, 0.5]);
    }
    // Two that pass through each other and then cannot any more: inside each other they are let apart, and
    // meet when they approach.
    let mut world = World::new();
    let a = world.insert(Disc::new(at(0.0, 0.0), 0.5).with_mass(f64::INFINITY)).unwrap();
    let b = Disc::new(at(2.0, 0.0), 0.5).with_mass(f64::INFINITY).with_velocity(-DVec2::X);
    let b = world.insert(b).unwrap();
    assert_eq!(world.next_event(), None);
    world.advance(1.5).unwrap();
    world.set_mass(a, 1.0).unwrap();
    assert_eq!(world.advance(0.0).unwrap().events, 1);
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity().x), [-2.0, -1.0]);
    world.advance(1.0).unwrap();
    world.set_mass(b, 1.0).unwrap();
    assert_eq!(world.advance(5.0).unwrap().events, 0);
}

#[test]
fn radii_that_change_while_they_fly() {
    let mut world = World::new();
    let a = world.insert(Disc::new(at(0.0, 0.0), 0.5).with_velocity(DVec2::X)).unwrap();
    let b = world.insert(Disc::new(at(10.0, 0.0), 0.5)).unwrap();
    world.advance(1.0).unwrap();
    world.set_radius(b, 2.0).unwrap();
    world.set_radius(a, 1.0).unwrap();
    assert_eq!(world.next_event().unwrap().time.as_secs(), 7.0);
    // To a point, which meets discs all the same.
    world.set_radius(a, 0.0).unwrap();
    assert_eq!(world.next_event().unwrap().time.as_secs(), 8.0);
    world.set_radius(b, 0.0).unwrap();
    assert_eq!(world.next_event(), None);
    // Up to touching, and not beyond.
    world.set_radius(b, 9.0).unwrap();
    assert!(world.set_radius(b, 9.0 + 1e-12).is_err());
    assert_eq!(world.next_event().unwrap().time.as_secs(), 1.0);
    world.step_event();
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity().x), [0.0, 1.0]);
    world.assert_well_formed();
}

/// Any edit at the very instant of an impact with a thin wall or of a row leaves everyone on the right side.
#[test]
fn edits_at_the_instant_of_an_impact() {
    let mut rng = Rng::new(2);
    for case in 0..5000 {
        let mut world = World::new();
        let turn = DVec2::from_angle(rng.range(0.0, 7.0));
        let place = |x, y| turn.rotate(at(x, y));
        world.add_wall(Wall::segment(place(0.1, -0.2), place(0.1, 0.2))).unwrap();
        let start = place(rng.range(-20.0, -0.5), 0.03);
        let disc = Disc::new(start, 0.0).with_velocity(turn * rng.range(0.5, 3.0));
        let id = world.insert(disc).unwrap();
        world.step_event();
        let bounced = world.get(id).unwrap().velocity();
        for _ in 0..=case % 3 {
            match rng.below(6) {
                0 => world.set_velocity(id, bounced).unwrap(),
                1 => world.set_mass(id, rng.pick(&[1.0, f64::INFINITY, 0.0])).unwrap(),
                2 => world.set_restitution(id, 1.0).unwrap(),
                3 => {
                    let wall = world.add_wall(Wall::disc(at(500.0, 0.0), 1.0)).unwrap();
                    world.remove_wall(wall).unwrap();
                }
                4 => world.set_radius(id, 0.0).unwrap(),
                _ => {
                    let other = world.insert(Disc::new(at(0.0, 400.0), 1.0)).unwrap();
                    world.remove(other).unwrap();
                }
            }
        }
        world.advance(0.1).unwrap();
        let p = world.get(id).unwrap().position();
        assert!(p.dot(turn) < 0.1, "case {case}: {p} is behind the wall");
        assert_eq!(world.get(id).unwrap().velocity(), bounced);
        // And turned round, into the wall again, it is stopped again.
        world.set_velocity(id, -bounced).unwrap();
        world.advance(0.3).unwrap();
        assert!(world.get(id).unwrap().position().dot(turn) < 0.1 + 1e-14, "case {case}");
    }
}

/// A time of another clock is refused: its parts would put the world between two moments of its own.
#[test]
fn a_time_of_another_clock_is_refused() {
    let mut world = World::new();
    world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X)).unwrap();
    let other = carom_engine::Clock::new(4.0).unwrap();
    for time in [other.at(3.7), carom_engine::Time::from_stored(f64::NAN, 0.0), carom_engine::Time::NEVER] {
        assert!(matches!(
            world.advance_to(time),
            Err(carom_engine::Error::Inconsistent { field: "time", .. })
        ));
    }
    assert_eq!(world.now(), carom_engine::Time::ZERO);
    let own = world.clock().at(3.7);
    world.advance_to(own).unwrap();
    assert_eq!(world.now(), own);
}

/// The present in seconds is rounded, and may lie a little before the present; it is not the past for that.
#[test]
fn the_present_in_seconds_is_not_the_past() {
    let mut world = World::new();
    for k in 1..1000 {
        world.advance(0.1 + 1e-3 / f64::from(k)).unwrap();
        let now = world.now();
        world.advance_to(now.as_secs()).unwrap();
        // The seconds may lie a little after the present, too.
        assert!(world.now() >= now && world.now().since(now) <= f64::EPSILON * now.as_secs());
        assert!(world.advance_to(now.as_secs() - 1e-3).is_err());
    }
}

/// What a wall gives to an infinite mass is not a number of newton seconds; it is reported per unit of mass.
#[test]
fn the_impulse_of_an_infinite_mass_is_finite() {
    let mut world = World::new();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X)).unwrap();
    let jaw = Disc::new(DVec2::new(3.0, 0.0), 1.0).with_mass(f64::INFINITY).with_velocity(DVec2::NEG_X);
    world.insert(jaw).unwrap();
    world.advance(5.0).unwrap();
    let impact = world.events()[0].impact().unwrap();
    // Restitution 1: the velocity changes from −1 to 1.
    assert_eq!(impact.impulse, 2.0);
}

/// What has been pushed far away is found there, by each scheduler: 24 discs at one place, and bullets that
/// come along lines through where they end.
#[test]
fn who_was_pushed_away_is_hit_there() {
    let seen = [SchedulerKind::Table, SchedulerKind::Grid].map(|kind| {
        let mut world = World::with_settings(Settings::default().with_scheduler(kind)).unwrap();
        let ids: Vec<DiscId> = (0..24).map(|_| put(&mut world, DVec2::ZERO, 1.0)).collect();
        world.advance(0.5).unwrap();
        world.push_apart().unwrap();
        for id in ids {
            let place = world.get(id).unwrap().position();
            let mut found = Vec::new();
            world.overlap_disc(place, 0.1, &QueryFilter::new(), &mut found).unwrap();
            assert!(found.contains(&Partner::Disc(id)), "{kind:?}: {id:?} at {place} is not among {found:?}");
            let bullet = Disc::new(place * 20.0, 0.1).with_velocity(-place).with_mass(0.0);
            world.insert(bullet).unwrap();
        }
        world.advance(25.0).unwrap();
        assert!(world.counters().disc_impacts >= 12, "{:?}", world.counters());
        world.events().to_vec()
    });
    assert_eq!(seen[0], seen[1]);
}

/// A disc that has another size is found by its edge, before time goes on.
#[test]
fn who_has_another_size_is_found_by_the_edge() {
    for kind in [SchedulerKind::Table, SchedulerKind::Grid] {
        let mut world = World::with_settings(Settings::default().with_scheduler(kind)).unwrap();
        let ids: Vec<DiscId> = (0..64)
            .map(|k| put(&mut world, at(4.0 * f64::from(k % 8), 4.0 * f64::from(k / 8)), 0.125))
            .collect();
        world.advance(0.5).unwrap();
        for (id, radius) in ids.into_iter().zip([1.0, 0.5, 8.0, 2.0].into_iter().cycle()) {
            world.set_radius(id, radius).unwrap();
            let edge = world.get(id).unwrap().position() + at(0.0, -radius);
            let mut found = Vec::new();
            world.overlap_disc(edge, 0.0625, &QueryFilter::new(), &mut found).unwrap();
            assert!(
                found.contains(&Partner::Disc(id)),
                "{kind:?}: {id:?} of {radius} is not among {found:?}"
            );
        }
    }
}
