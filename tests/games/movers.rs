//! Kinematic discs: they go where they are sent, and push what they meet.

use crate::common::record::state_bits;
use crate::common::rng::Rng;
use crate::forces::scene::under;
use carom_engine::{
    Command, CrushRule, DVec2, Disc, Error, Event, Forces, Settings, StopReason, UpcomingKind, Wall, World,
};

fn place(world: &World, id: carom_engine::DiscId) -> DVec2 {
    world.get(id).unwrap().position()
}

/// Wherever frames end, it is where it was sent to the last bit when it was to be there, and stands still.
#[test]
fn it_arrives_to_the_last_bit_and_stops() {
    let rng = &mut Rng::new(7);
    for _ in 0..200 {
        let mut world = World::new();
        let mallet = world.insert(Disc::new(rng.vector(3.0), 0.5).kinematic()).unwrap();
        for _ in 0..3 {
            let (target, by) = (rng.vector(3.0), world.now().as_secs() + 0.01 + rng.unit());
            assert_eq!(world.move_to_until(mallet, target, by).unwrap().as_secs(), by);
            let from = place(&world, mallet);
            world.advance_to(0.5 * (world.now().as_secs() + by)).unwrap();
            let half = place(&world, mallet);
            assert!((half - 0.5 * (from + target)).length() < 1e-13, "{half} {from} {target}");
            assert_eq!(world.next_event().map(|next| next.kind), Some(UpcomingKind::Arrive(mallet)));
            assert_eq!(world.get(mallet).unwrap().target(), Some(target));
            world.advance_to(by).unwrap();
            let disc = world.get(mallet).unwrap();
            assert_eq!((disc.position(), disc.velocity(), disc.target()), (target, DVec2::ZERO, None));
            assert_eq!(world.timers().count(), 0);
            world.advance(0.1).unwrap();
            assert_eq!(place(&world, mallet), target);
        }
    }
}

/// In a periodic world it goes the shortest way, is at the image of the target in the rectangle to the last
/// bit, and the way that it has gone is counted across the edges.
#[test]
fn in_a_periodic_world_it_crosses_the_edge() {
    let settings = Settings::default().with_period([Some(10.0), None]);
    let rng = &mut Rng::new(8);
    for _ in 0..200 {
        let mut world = World::with_settings(settings.clone()).unwrap();
        let start = DVec2::new(10.0 * rng.unit(), 0.0);
        let mallet = world.insert(Disc::new(start, 0.5).kinematic()).unwrap();
        let mut gone = start;
        for _ in 0..5 {
            let target = DVec2::new(30.0 * rng.unit() - 10.0, rng.unit());
            let from = place(&world, mallet);
            let turns = ((target.x - from.x) / 10.0).round();
            gone += target - from - DVec2::new(10.0 * turns, 0.0);
            world.move_to_until(mallet, target, world.now().as_secs() + 1.0).unwrap();
            world.advance(1.0).unwrap();
            let disc = world.get(mallet).unwrap();
            let image = if (0.0..10.0).contains(&target.x) { target.x } else { disc.position().x };
            assert_eq!((disc.position(), disc.velocity()), (DVec2::new(image, target.y), DVec2::ZERO));
            assert!((disc.unwrapped_position() - gone).length() < 1e-13, "{target} {gone}");
        }
    }
}

/// A new call replaces the last one, from where the disc is; an edit of its velocity or place ends it.
#[test]
fn a_new_call_replaces_the_last_one() {
    let mut world = World::new();
    let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    world.move_to_until(mallet, [8.0, 0.0], 8.0).unwrap();
    world.advance(2.0).unwrap();
    world.move_to_until(mallet, [2.0, 4.0], 4.0).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(place(&world, mallet), DVec2::new(2.0, 2.0));
    world.set_velocity(mallet, [1.0, 0.0]).unwrap();
    assert_eq!(world.get(mallet).unwrap().target(), None);
    world.advance_to(9.0).unwrap();
    assert_eq!(place(&world, mallet), DVec2::new(8.0, 2.0));
    world.move_to_until(mallet, [0.0, 0.0], 10.0).unwrap();
    world.set_position(mallet, [1.0, 1.0]).unwrap();
    world.remove(mallet).unwrap();
    assert_eq!(world.next_event(), None);
}

/// Walls, and bodies of infinite mass, are not in its way, neither where it is put nor where it goes; and a
/// wall may be put up where it is.
#[test]
fn it_passes_through_walls_and_infinite_masses() {
    let mut world = World::new();
    world.add_wall(Wall::container([0.0, 0.0], [4.0, 4.0])).unwrap();
    let a = world.insert(Disc::new([0.0, 2.0], 0.5).kinematic().with_velocity([1.0, 0.0])).unwrap();
    let b = world.insert(Disc::new([3.0, 2.0], 0.5).with_mass(f64::INFINITY)).unwrap();
    let c = world.insert(Disc::new([2.0, 4.5], 0.5).kinematic().with_velocity([0.0, -1.0])).unwrap();
    world.add_wall(Wall::segment([1.0, 4.5], [3.0, 4.5])).unwrap();
    let done = world.advance(8.0).unwrap();
    assert_eq!((done.events, done.end), (0, StopReason::Reached));
    assert_eq!((place(&world, a).x, place(&world, b).x, place(&world, c).y), (8.0, 3.0, -3.5));
    // What a disc like it would meet is no wall.
    let guest = Disc::new([1.0, 1.0], 0.5).kinematic().with_velocity([-1.0, 0.0]);
    let options = carom_engine::CastOptions::default();
    assert!(world.cast_disc(&guest, &options, &carom_engine::QueryFilter::new()).unwrap().is_none());
}

/// An elastic disc leaves a body of infinite mass with twice its velocity.
#[test]
fn it_pushes_with_the_velocity_that_it_has() {
    for (e, after) in [(1.0, 6.0), (0.5, 4.5), (0.0, 3.0)] {
        let mut world = World::new();
        let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic().with_restitution(e)).unwrap();
        let puck = world.insert(Disc::new([2.0, 0.0], 0.5).with_restitution(e)).unwrap();
        world.move_to_until(mallet, [6.0, 0.0], 2.0).unwrap();
        world.advance(0.5).unwrap();
        let velocity = world.get(puck).unwrap().velocity();
        assert_eq!(velocity, DVec2::new(after, 0.0));
        assert_eq!(world.get(mallet).unwrap().velocity(), DVec2::new(3.0, 0.0));
    }
}

/// No faster than its largest speed: it is later.
#[test]
fn a_mouse_that_jumps_fires_no_puck() {
    let mut world = World::new();
    let mallet = Disc::new([0.0, 0.0], 0.5).kinematic().with_max_speed(4.0);
    let mallet = world.insert(mallet).unwrap();
    let puck = world.insert(Disc::new([5.0, 0.0], 0.5)).unwrap();
    let arrival = world.move_to_until(mallet, [0.0, 12.0], 1e-3).unwrap();
    assert_eq!(arrival.as_secs(), 3.0);
    world.advance_to(arrival).unwrap();
    assert_eq!(place(&world, mallet), DVec2::new(0.0, 12.0));
    // From there back, over the puck.
    let arrival = world.move_to_until(mallet, [10.0, -12.0], 3.0 + 1e-300).unwrap_err();
    assert!(matches!(arrival, Error::Inconsistent { field: "by", .. }));
    world.move_to_until(mallet, [10.0, -12.0], 3.0 + 1e-9).unwrap();
    world.advance(10.0).unwrap();
    assert!(world.get(puck).unwrap().velocity().length() <= 8.0);
    assert_eq!(world.get(mallet).unwrap().max_speed(), 4.0);
}

fn pressed(crush: CrushRule) -> (World, [carom_engine::DiscId; 2], carom_engine::WallId) {
    let mut world = World::with_settings(Settings::default().with_crush(crush)).unwrap();
    let wall = world.add_wall(Wall::segment([4.0, -1.0], [4.0, 1.0])).unwrap();
    let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    let puck = Disc::new([3.0, 0.0], 0.5).with_restitution(0.5);
    let puck = world.insert(puck).unwrap();
    world.move_to_until(mallet, [5.0, 0.0], 5.0).unwrap();
    (world, [mallet, puck], wall)
}

/// A puck between it and a wall stops it there, and it says so when it was to be elsewhere.
#[test]
fn what_is_blocked_stays_and_says_so() {
    let (mut world, [mallet, _], _) = pressed(CrushRule::GiveWay);
    let done = world.advance(6.0).unwrap();
    assert_eq!(done.end, StopReason::Reached);
    let Some(Event::MoveBlocked { time, disc, position, target }) = world.events().last() else {
        panic!("{:?}", world.events())
    };
    assert_eq!((time.as_secs(), *disc, *target), (5.0, mallet, DVec2::new(5.0, 0.0)));
    assert!((*position - DVec2::new(2.5, 0.0)).length() < 1e-9, "{position}");
    let disc = world.get(mallet).unwrap();
    assert_eq!((disc.position(), disc.velocity(), disc.target()), (*position, DVec2::ZERO, None));
    assert_eq!(world.next_event(), None);
}

/// When what was in its way goes, it goes on, and arrives later by the time for which it stood.
#[test]
fn what_was_blocked_arrives_later() {
    let (mut world, [mallet, puck], _) = pressed(CrushRule::GiveWay);
    world.advance(3.5).unwrap();
    assert_eq!(world.get(mallet).unwrap().velocity(), DVec2::ZERO);
    let stood = place(&world, mallet).x;
    world.remove(puck).unwrap();
    world.advance(1.5).unwrap();
    // At its time it is on its way.
    assert!(world.events().iter().all(|event| !matches!(event, Event::MoveBlocked { .. })));
    assert!((place(&world, mallet).x - (stood + 1.5)).abs() < 1e-12);
    world.advance_to(3.5 + (5.0 - stood) + 1e-9).unwrap();
    let disc = world.get(mallet).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (DVec2::new(5.0, 0.0), DVec2::ZERO));
}

/// Where the world stops at what is crushed, another call frees it.
#[test]
fn another_call_frees_what_is_crushed() {
    let (mut world, [mallet, _], _) = pressed(CrushRule::Stop);
    let done = world.advance(6.0).unwrap();
    assert!(matches!(done.end, StopReason::Crushed { by, .. } if by == mallet), "{done:?}");
    world.move_to_until(mallet, [0.0, 0.0], 6.0).unwrap();
    assert_eq!(world.advance_to(6.0).unwrap().end, StopReason::Reached);
    assert_eq!(place(&world, mallet), DVec2::ZERO);
}

/// What lies on it rides along: up, and sideways without friction not at all.
#[test]
fn a_platform_carries_what_lies_on_it() {
    let mut world = under([0.0, -1.0]);
    let platform = world.insert(Disc::new([0.0, 0.0], 2.0).kinematic()).unwrap();
    let ball = world.insert(Disc::new([0.0, 2.5], 0.5).with_restitution(0.0)).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(world.held_to(ball).count(), 1);
    assert_eq!(world.get(platform).unwrap().velocity(), DVec2::ZERO, "gravity does not move it");
    world.move_to_until(platform, [0.0, 3.0], 3.0).unwrap();
    world.advance(1.0).unwrap();
    let height = |world: &World<Forces>, id| world.get(id).unwrap().position().y;
    assert!((height(&world, ball) - 4.0).abs() < 1e-9, "{}", height(&world, ball));
    // It stops, and the ball flies on: from 5.5 at 1.5 m/s to 6.625, and back.
    world.advance(1.0 + 1.5).unwrap();
    assert!((height(&world, ball) - 6.625).abs() < 1e-6, "{}", height(&world, ball));
    world.advance(10.0).unwrap();
    assert!((height(&world, ball) - 5.5).abs() < 1e-9);
    assert_eq!(world.next_event(), None);
}

/// Commands and verdicts send it, too; a copy that looks ahead with all others frozen leaves it where it is.
#[test]
fn input_sends_it_at_its_own_time() {
    let mut world = World::new();
    let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    let puck = world.insert(Disc::new([0.0, 4.0], 0.5).with_velocity([0.0, -1.0])).unwrap();
    world.command_at(0.3, Command::MoveTo(mallet, DVec2::new(2.0, 0.0), 0.5)).unwrap();
    world.command_at(0.4, Command::MoveTo(puck, DVec2::new(2.0, 0.0), 0.5)).unwrap();
    let seen = world.advance(0.5).unwrap();
    assert_eq!(seen.events, 2);
    assert!(matches!(world.events(), [Event::Refused { .. }]), "{:?}", world.events());
    let mut forecast = carom_engine::Forecast::new();
    let options = carom_engine::ForecastOptions::new(5.0).with_frozen(true);
    let path = forecast.path(&world, puck, &options).unwrap();
    // It stands at 0.8 there, where it is now.
    assert!((path[0].position_at(path[0].end) - DVec2::new(0.0, 0.6)).length() < 1e-12, "{path:?}");
    world.advance_to(0.8).unwrap();
    assert_eq!(place(&world, mallet), DVec2::new(2.0, 0.0));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut world = World::new();
    let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    let puck = world.insert(Disc::new([2.0, 0.0], 0.5)).unwrap();
    world.advance(1.0).unwrap();
    let text = |error: Result<_, Error>| error.map(|_: carom_engine::Time| ()).unwrap_err().to_string();
    assert_eq!(
        text(world.move_to_until(puck, [0.0, 0.0], 2.0)),
        "disc 1 cannot be sent anywhere: it is not kinematic"
    );
    for (target, by, field) in [
        ([f64::NAN, 0.0], 2.0, "target.x"),
        ([0.0, 1e16], 2.0, "target.y"),
        ([1.0, 0.0], 1.0, "by"),
        ([1.0, 0.0], 0.5, "time"),
        ([1.0, 0.0], f64::NAN, "time"),
        ([1e15, 0.0], 1.0 + 1e-9, "velocity.x"),
    ] {
        let said = text(world.move_to_until(mallet, target, by));
        assert!(said.starts_with(field), "{said}");
    }
    world.set_enabled(mallet, false).unwrap();
    assert!(text(world.move_to_until(mallet, [1.0, 0.0], 2.0)).ends_with("it is off the plane"));
    world.remove(mallet).unwrap();
    assert!(matches!(world.move_to_until(mallet, [1.0, 0.0], 2.0), Err(Error::NoSuchDisc(_))));
    let refused = |disc: Disc, field: &str| {
        let said = World::new().insert(disc).unwrap_err().to_string();
        assert!(said.starts_with(field), "{said}");
    };
    let own = Disc::new([0.0, 0.0], 0.5).kinematic();
    refused(own.with_mass(1.0), "mass is 1: a kinematic disc");
    refused(own.with_max_speed(0.0), "max_speed is 0");
    refused(own.with_max_speed(f64::NAN), "max_speed is NaN");
    let mut world = World::new();
    let mallet = world.insert(own).unwrap();
    assert!(world.set_mass(mallet, 1.0).is_err() && world.set_mass(mallet, f64::INFINITY).is_ok());
    let mut slow = World::with_settings(Settings::default().with_drag(1.0)).unwrap();
    assert!(slow.insert(own).unwrap_err().to_string().starts_with("drag is 1"));
}

/// Taken back out of the world it is what was put in; disabled on its way it stands where it was.
#[test]
fn it_keeps_what_it_is() {
    let mut world = World::new();
    let disc = Disc::new([0.0, 0.0], 0.5).kinematic().with_max_speed(2.0);
    let mallet = world.insert(disc).unwrap();
    world.move_to_until(mallet, [1.0, 0.0], 1.0).unwrap();
    world.advance(0.5).unwrap();
    world.set_enabled(mallet, false).unwrap();
    world.set_enabled(mallet, true).unwrap();
    world.advance(5.0).unwrap();
    assert_eq!(world.remove(mallet).unwrap(), disc.with_position([0.5, 0.0]));
}

/// A velocity that is set again in each frame changes no bit, of a tracer that is driven so as of a ball that
/// flies, and of one that lies: the state is that of the last event, and rounding does not begin anew.
#[test]
fn a_velocity_that_is_set_again_changes_nothing() {
    let mut alone = under([0.0, -10.0]);
    alone.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0])).unwrap();
    let tracer = Disc::new([0.1, 0.2], 0.25).with_mass(0.0).with_velocity([1.1, 0.3]);
    let ball = Disc::new([-1.0, 0.0], 0.5).with_velocity([0.7, 0.1]).with_restitution(0.5);
    alone.insert(tracer).unwrap();
    alone.insert(ball).unwrap();
    let lying = alone.insert(Disc::new([2.0, -2.5], 0.5).with_restitution(0.0)).unwrap();
    let mut driven = alone.clone();
    for _ in 0..120 {
        let ids: Vec<_> = driven.ids().collect();
        for id in ids {
            let velocity = driven.get(id).unwrap().velocity();
            driven.set_velocity(id, velocity).unwrap();
        }
        let ends = [&mut alone, &mut driven].map(|world| world.advance(1.0 / 60.0).unwrap());
        assert_eq!(ends[0], ends[1]);
        let times = [&alone, &driven].map(|world| world.get(lying).map(|disc| disc.state_time()));
        assert_eq!((state_bits(&driven), times[1]), (state_bits(&alone), times[0]));
    }
    assert!(alone.counters().events > 2, "{:?}", alone.counters());
    // Another velocity is an edit, also a zero of the other sign.
    driven.set_velocity(lying, [-0.0, 0.0]).unwrap();
    let written = |world: &World<Forces>| world.get(lying).map(|disc| disc.state_time() == world.now());
    assert_eq!((written(&driven), written(&alone)), (Some(true), Some(false)));
}
