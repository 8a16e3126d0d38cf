//! Limits of the speed to which forces accelerate discs: against closed forms and small steps, and however
//! time is cut and events are scheduled.

use super::scene::{limited, under};
use crate::common::by::By;
use crate::common::record::{bits_of, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::FORMATS;
use carom_engine::{
    DVec2, Disc, DiscForces, DiscId, Error, Event, Forces, Rough, RoughDisc, Roughness, Settings, Standstill,
    StopReason, Wall, World,
};

/// A thrust with a limit, without gravity.
fn thrust(x: f64, y: f64, speed_limit: f64) -> DiscForces {
    DiscForces { acceleration: DVec2::new(x, y), gravity_scale: 0.0, speed_limit, ..DiscForces::default() }
}

fn launch(world: &mut World<Forces>, velocity: [f64; 2], body: DiscForces) -> DiscId {
    world
        .insert(Disc::new([0.0, 0.0], 0.25).with_velocity(velocity).with_restitution(0.5).with_body(body))
        .unwrap()
}

fn changes(world: &World<Forces>) -> Vec<(f64, Standstill)> {
    let of = |event: &Event<Standstill>| match event {
        Event::Change { time, change, .. } => Some((time.as_secs(), *change)),
        _ => None,
    };
    world.events().iter().filter_map(of).collect()
}

fn ledger_closes(world: &World<Forces>) {
    let (energy, ledger) = (world.kinetic_energy(), world.ledger());
    assert!((energy - ledger.total).abs() <= 1e-12 * energy.max(ledger.forces.abs()), "{energy}: {ledger:?}");
}

/// A thrust along the motion, across it, against it, a ball that is thrown up, and discs that are faster than
/// the limit already: each ends at the time that the closed form gives, and the path is straight from there.
#[test]
fn the_limit_is_reached_at_the_time_of_the_closed_form() {
    let turned = 0.5 + 0.75;
    // Velocity, acceleration, limit; when and where it ends, and with which velocity.
    let cases = [
        // v + a t = 1 + 2 t = 5.
        ([1.0, 0.0], [2.0, 0.0], 5.0, 2.0, [6.0, 0.0], [5.0, 0.0]),
        // 3² + (2 t)² = 5².
        ([3.0, 0.0], [0.0, 2.0], 5.0, 2.0, [6.0, 4.0], [3.0, 4.0]),
        // Back through 0: −1 + 2 t = 1.5.
        ([-1.0, 0.0], [2.0, 0.0], 1.5, turned, [-turned + turned * turned, 0.0], [1.5, 0.0]),
        // Thrown up faster than the limit: braked, and 3² + v_y² = 5² on its way down.
        ([3.0, 6.0], [0.0, -10.0], 5.0, 1.0, [3.0, 1.0], [3.0, -4.0]),
        // Never slower than the limit: the thrust ends where it would make it faster, at v·a = 0.
        ([6.0, 3.0], [0.0, -3.0], 5.0, 1.0, [6.0, 1.5], [6.0, 0.0]),
    ];
    for (velocity, acceleration, limit, time, place, last) in cases {
        let mut world = under([0.0, 0.0]);
        let id = launch(&mut world, velocity, thrust(acceleration[0], acceleration[1], limit));
        world.advance(8.0).unwrap();
        assert_eq!(changes(&world), [(time, Standstill::ReachesLimit)], "{velocity:?}");
        let disc = world.get(id).unwrap();
        let expected = DVec2::from(place) + DVec2::from(last) * (8.0 - time);
        assert!((disc.position() - expected).length() <= 1e-13, "{velocity:?}: {disc:?}");
        assert!((disc.velocity() - DVec2::from(last)).length() <= 1e-14, "{velocity:?}: {disc:?}");
        assert_eq!(disc.acceleration(), DVec2::ZERO);
        ledger_closes(&world);
        // A limit takes nothing.
        assert_eq!((world.ledger().physics, world.potential_energy()), (0.0, 0.0));
    }
    for (velocity, limit) in [([5.0, 0.0], 5.0), ([7.0, 0.0], 5.0), ([0.0, 5.0], 5.0), ([3.0, 4.0], 5.0)] {
        let mut world = under([0.0, 0.0]);
        let id = launch(&mut world, velocity, thrust(2.0, 0.0, limit));
        assert_eq!(world.advance(8.0).unwrap().events, 0, "{velocity:?}");
        assert_eq!(world.get(id).unwrap().velocity(), DVec2::from(velocity));
    }
}

/// As often as numbers of all sizes are drawn: the speed at the end is the limit, or the least on the way if
/// that is beyond it, and there is one event. Where rounding of larger numbers on the way leaves less, there
/// is a second one.
#[test]
fn one_event_ends_a_thrust_whatever_the_numbers() {
    let mut reached = 0;
    for seed in 0..cases(3000) {
        let rng = &mut Rng::new(seed);
        let mut size = |most: i32| 10.0_f64.powi(rng.below(2 * most as usize + 1) as i32 - most);
        let [v, a, limit] = [size(3), size(3), size(3)];
        let (velocity, pull) = (rng.vector(v), rng.vector(a));
        let mut world = under([0.0, 0.0]);
        let id = launch(&mut world, velocity.to_array(), thrust(pull.x, pull.y, limit));
        world.advance(1e8).unwrap();
        let across = velocity.perp_dot(pull).abs() / pull.length();
        let starts_beyond = velocity.length() >= limit && velocity.dot(pull) >= 0.0;
        let expected = if starts_beyond { velocity.length() } else { across.max(limit) };
        let speed = world.get(id).unwrap().velocity().length();
        let rounding = 1e-15 * velocity.length();
        assert!((speed - expected).abs() <= 1e-13 * expected + rounding, "{seed}: {speed}, {expected}");
        let events = world.counters().changes;
        let most = if rounding > 1e-14 * expected { 3 } else { 1 };
        assert!(events <= most && (events > 0) != starts_beyond, "{seed}: {events} events");
        reached += events;
    }
    assert!(reached > 2000, "{reached}");
}

/// An impact makes a disc slower, and it is accelerated again; or faster, and it stays so. A thrust to the
/// right, 2, with the limit 4, before a wall with a restitution of ½ at x = 5: from 0 it takes 2 s and the
/// way 4 to the limit, a quarter to the wall, and comes back with −2, so that the limit is reached again
/// after (4 + 2)/2 = 3 s, if no wall is there: it has gone 1 to the left after 1 s, and is back after 2 s.
#[test]
fn what_an_impact_has_slowed_is_accelerated_again() {
    let mut world = under([0.0, 0.0]);
    let wall = Wall::half_plane([5.25, 0.0], [-1.0, 0.0]).with_restitution(0.5);
    let wall = world.add_wall(wall).unwrap();
    let id = launch(&mut world, [0.0, 0.0], thrust(2.0, 0.0, 4.0));
    world.advance_until_event(10.0, |event| matches!(event, Event::Impact(_))).unwrap();
    assert_eq!(world.now().as_secs(), 2.25);
    assert_eq!(world.get(id).unwrap().velocity(), DVec2::new(-2.0, 0.0));
    world.remove_wall(wall).unwrap();
    world.advance(5.0).unwrap();
    assert_eq!(changes(&world), [(5.25, Standstill::ReachesLimit)]);
    assert_eq!(world.get(id).unwrap().position().x, 5.0 + 3.0 + 2.0 * 4.0);
    // Of equal masses the one that is hit has the whole speed, beyond its limit.
    let mut world = under([0.0, 0.0]);
    let slow = launch(&mut world, [0.0, 0.0], thrust(0.5, 0.0, 1.0));
    world.set_restitution(slow, 1.0).unwrap();
    let bullet = thrust(0.0, 0.0, 3.0);
    world.insert(Disc::new([-2.0, 0.0], 0.25).with_velocity([6.0, 0.0]).with_body(bullet)).unwrap();
    world.advance(10.0).unwrap();
    assert_eq!((world.get(slow).unwrap().velocity().x, changes(&world).len()), (6.0, 0));
    ledger_closes(&world);
}

/// Small steps, which know neither events nor roots: velocities are added up with the rule as it stands, and
/// turned round at the walls of a box.
#[test]
fn paths_are_those_of_small_steps() {
    const STEP: f64 = 1.0 / 16384.0;
    let mut compared = 0;
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed);
        let (pull, velocity, limit) = (rng.vector(4.0), rng.vector(4.0), rng.pick(&[0.5, 1.5, 3.0, 6.0]));
        let mut world = under([0.0, 0.0]);
        world.add_wall(Wall::container([-4.25, -4.25], [4.25, 4.25])).unwrap();
        let id = launch(&mut world, velocity.to_array(), thrust(pull.x, pull.y, limit));
        world.set_restitution(id, 1.0).unwrap();
        let (mut p, mut v, mut is_close) = (DVec2::ZERO, velocity, false);
        for _ in 0..4 {
            world.advance(0.5).unwrap();
            for _ in 0..8192 {
                // At the limit and across the thrust, which of the two rules acts is a matter of the step.
                let is_at_limit = (v.length() / limit - 1.0).abs() <= 0.01;
                is_close |= is_at_limit && v.dot(pull).abs() <= 0.01 * limit * pull.length();
                let ends = v.length() >= limit && v.dot(pull) >= 0.0;
                let next = if ends { v } else { v + pull * STEP };
                p += (v + next) * (0.5 * STEP);
                v = next;
                v.x = if p.x.abs() > 4.0 { v.x.abs() * -p.x.signum() } else { v.x };
                v.y = if p.y.abs() > 4.0 { v.y.abs() * -p.y.signum() } else { v.y };
            }
            let off = (world.get(id).unwrap().position() - p).length();
            assert!(is_close || off <= 40.0 * STEP, "seed {seed}, limit {limit}: off by {off}");
        }
        compared += usize::from(!is_close);
    }
    assert!(10 * compared > 9 * cases(60) as usize, "{compared}");
}

/// A disc that a thrust presses onto a floor reaches the limit by what the floor leaves of the thrust, 2:
/// from rest to 4 in 2 s, not in the 4/√13 s of free flight. Then nothing presses, it is let go, and glides
/// on.
#[test]
fn a_disc_along_a_wall_reaches_the_limit_by_what_the_wall_leaves() {
    let mut world = under([0.0, 0.0]);
    world.add_wall(Wall::half_plane([0.0, -0.25], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    let id = launch(&mut world, [0.0, 0.0], thrust(2.0, -3.0, 4.0));
    world.advance(1.0).unwrap();
    assert_eq!((world.held_to(id).count(), world.get(id).unwrap().velocity()), (1, DVec2::new(2.0, 0.0)));
    world.advance(9.0).unwrap();
    assert_eq!(changes(&world), [(2.0, Standstill::ReachesLimit)]);
    assert!(matches!(world.events().last(), Some(Event::LetGo(_))), "{:?}", world.events());
    let disc = world.get(id).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (DVec2::new(4.0 + 32.0, 0.0), DVec2::new(4.0, 0.0)));
    assert_eq!(world.held_to(id).count(), 0);
    ledger_closes(&world);
    // As it is turned round by a wall across its way, it is pressed to the floor again.
    world.add_wall(Wall::half_plane([40.25, 0.0], [-1.0, 0.0]).with_restitution(0.5)).unwrap();
    world.advance(1.5).unwrap();
    assert_eq!((world.held_to(id).count(), world.get(id).unwrap().velocity().x), (1, -1.0));
}

/// A disc at the limit that pushes a puck which friction brakes: the two slow down, the thrust acts again at
/// 63/64 of the limit, and so on. Without the limit they would accelerate by (8 − 2)/2 = 3.
#[test]
fn a_disc_that_pushes_stays_near_its_limit() {
    let forces = Forces::new().with_weight(10.0).unwrap();
    let mut world = World::with_physics(forces, Settings::default()).unwrap();
    let pusher = launch(&mut world, [0.0, 0.0], thrust(8.0, 0.0, 2.0));
    let slides = DiscForces { friction: 0.2, ..DiscForces::default() };
    let puck = Disc::new([0.5, 0.0], 0.25).with_body(slides).with_restitution(0.0);
    let puck = world.insert(puck).unwrap();
    let ended = world.advance(10.0).unwrap();
    assert_eq!(ended.end, StopReason::Reached);
    // 2/64 at a time: down by 1, up by 3.
    let (down, up) = (2.0 / 64.0, 2.0 / 64.0 / 3.0);
    let (first, found) = (2.0 / 3.0, changes(&world));
    for (k, &(time, change)) in found.iter().enumerate() {
        let round = (k / 2) as f64 * (down + up);
        let (expected, kind) = match k % 2 {
            0 => (first + round, Standstill::ReachesLimit),
            _ => (first + round + down, Standstill::Resumes),
        };
        assert!((time - expected).abs() < 1e-9 && change == kind, "{k}: {time}, {expected}, {change:?}");
    }
    let rounds = (10.0 - first) / (down + up);
    assert!((found.len() as f64 - 2.0 * rounds).abs() <= 2.0, "{} of {rounds}", found.len());
    let [first, second] = [pusher, puck].map(|id| world.get(id).unwrap());
    for disc in [&first, &second] {
        let speed = disc.velocity().x;
        assert!((2.0 * 63.0 / 64.0 - 1e-9..=2.0 + 1e-9).contains(&speed), "{speed}");
    }
    assert!((first.position().distance(second.position()) - 0.5).abs() <= 1e-9);
    ledger_closes(&world);
}

/// Discs with limits in a box, which meet each other and its walls, lie on them and slide along them: table,
/// grid and rescan find the same events, in one call, in frames, and saved and loaded on the way.
#[test]
fn limits_do_not_depend_on_who_schedules_or_on_frames() {
    let (mut reached, mut resumed) = (0, 0);
    for seed in 0..cases(24) {
        let mut runs =
            [(By::Table, 1), (By::Table, 250), (By::Grid, 1), (By::Rescan, 2)].map(|(by, frames)| {
                let mut world = limited(seed, 12);
                world.set_scheduler(by.kind()).unwrap();
                let mut bits = Vec::new();
                for frame in 1..=frames {
                    let until = world.clock().at(4.0 * f64::from(frame) / f64::from(frames));
                    let events = by.advance_to(&mut world, until).1;
                    for event in &events {
                        if let Event::Change { change, .. } = event {
                            reached += u32::from(*change == Standstill::ReachesLimit);
                            resumed += u32::from(*change == Standstill::Resumes);
                        }
                    }
                    bits.extend(bits_of(&events));
                    if frames == 250 {
                        let format = FORMATS[frame as usize % 2];
                        world = format.load(&format.save(&world)).unwrap();
                    }
                }
                ledger_closes(&world);
                bits.push(state_bits(&world));
                bits
            });
        let first = runs[0].split_off(0);
        for (k, other) in runs.iter().enumerate().skip(1) {
            assert!(&first == other, "seed {seed}, run {k}: {} and {} entries", first.len(), other.len());
        }
    }
    assert!(reached > 1000, "{reached} {resumed}");
}

/// Discs that rub have limits, too, and a judge around them changes nothing.
#[test]
fn discs_that_rub_have_limits() {
    let physics = Rough::new(Forces::new(), Roughness::new(0.5, 0.0).unwrap());
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::half_plane([0.0, -0.25], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    let body = RoughDisc { own: thrust(3.0, -9.0, 4.0), ..RoughDisc::default() };
    let id = world.insert(Disc::new([0.0, 0.0], 0.25).with_body(body)).unwrap();
    // It rolls: of the thrust 3/(1 + ½) is left, and 4 is reached after 2 s.
    let ended = world.advance_until_event(10.0, |event| matches!(event, Event::Change { .. })).unwrap();
    assert!((ended.time.as_secs() - 2.0).abs() < 1e-12, "{ended:?}");
    world.advance(3.0).unwrap();
    let disc = world.get(id).unwrap();
    assert!((disc.velocity().x - 4.0).abs() < 1e-12 && (disc.position().x - 16.0).abs() < 1e-11, "{disc:?}");
    assert!((disc.extra().angular_velocity + 16.0).abs() < 1e-11, "{disc:?}");
}

#[test]
fn what_is_no_limit_is_refused() {
    let mut world = under([0.0, -1.0]);
    let mut insert = |body| world.insert(Disc::new([0.0, 0.0], 0.25).with_body(body));
    for value in [0.0, -1.0, f64::NAN, 1e16, 1e-16, f64::NEG_INFINITY] {
        let refused = insert(thrust(1.0, 0.0, value)).unwrap_err();
        let Error::OutOfRange { field, value: named, .. } = refused else { panic!("{refused}") };
        assert_eq!((field, named.to_bits()), ("speed_limit", value.to_bits()));
    }
    let slides = DiscForces { friction: 0.5, ..thrust(0.0, 0.0, 2.0) };
    let refused = insert(slides).unwrap_err();
    assert!(matches!(refused, Error::Inconsistent { field: "speed_limit", value: 2.0, .. }), "{refused}");
    insert(thrust(1.0, 0.0, f64::INFINITY)).unwrap();
}
