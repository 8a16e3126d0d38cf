//! What is sent on in each frame moves as by one long command.

use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use crate::forces::scene::under;
use carom_engine::{
    DVec2, Disc, DiscId, Event, Forces, Impact, Physics, StopReason, UpcomingKind, Wall, WallId, WallShape,
    World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What moves, and where it was put up.
#[derive(Clone, Copy, Debug)]
enum Mover {
    Wall(WallId),
    Disc(DiscId, DVec2),
}

impl Mover {
    /// Sends it a way from where it was put up.
    fn send<P: Physics>(self, world: &mut World<P>, way: DVec2, by: f64) {
        match self {
            Mover::Wall(wall) => _ = world.move_wall_until(wall, way, by).unwrap(),
            Mover::Disc(disc, home) => _ = world.move_to_until(disc, home + way, by).unwrap(),
        }
    }
}

/// The events of discs: those of arrivals are of commands.
fn of_discs<P: Physics>(world: &World<P>) -> impl Iterator<Item = String> + '_ {
    let of_walls =
        |event: &&Event<P::Change>| matches!(event, Event::WallMoved { .. } | Event::Turned { .. });
    world.events().iter().filter(move |event| !of_walls(event)).map(|event| format!("{event:?}"))
}

fn impacts<P: Physics>(world: &World<P>) -> impl Iterator<Item = Impact> + '_ {
    world.events().iter().filter_map(|event| event.impact().copied())
}

/// A ball on a lift that goes down at 1 m/s falls behind and lands 0.2 s later; then it bounces, each time at
/// e times the speed and for e times as long, and rides. That is so for 1 frame, 120, 128 or 2000. The first
/// command has the exact velocity, as its offset and its time are rounded alike.
#[test]
fn a_lift_goes_down_in_frames() {
    for e in [0.0, 0.25, 0.5, 1.0] {
        let run = |frames: u32| {
            let mut world = under([0.0, -10.0]);
            let lift = world.add_wall(Wall::segment([-1.0, 0.0], [1.0, 0.0]).with_restitution(e)).unwrap();
            let ball = world.insert(Disc::new([0.0, 0.5], 0.5).with_restitution(e)).unwrap();
            let mut seen = Vec::new();
            for k in 1..=frames {
                let t = 2.0 * f64::from(k) / f64::from(frames);
                world.move_wall_until(lift, [0.0, -t], t).unwrap();
                world.advance_to(t).unwrap();
                seen.extend(impacts(&world));
                let arrived = world.wall_motion(lift).unwrap();
                assert_eq!((arrived.offset.y, arrived.velocity), (-t, DVec2::ZERO));
            }
            // From how low a fall it comes to rest depends on the coordinates that the lift reaches.
            seen.retain(|impact: &Impact| impact.approach_speed > 1e-6);
            (seen, world.get(ball).unwrap().position(), world.held_to(ball).count())
        };
        let (whole, at, held) = run(1);
        let mut lands = 0.2;
        for (k, impact) in whole.iter().take(5).enumerate() {
            let (time, speed) = (impact.time.as_secs(), impact.impulse / (1.0 + e));
            assert!((time - lands).abs() < 1e-14 && (speed - e.powi(k as i32)).abs() < 1e-13, "{impact:?}");
            lands += 0.2 * e.powi(k as i32 + 1);
        }
        assert_eq!((whole.len() == 1, held), (e == 0.0, usize::from(e < 1.0)), "e = {e}");
        for frames in [120, 128, 2000] {
            assert_eq!(run(frames), (whole.clone(), at, held), "e = {e} in {frames} frames");
        }
    }
}

/// A world of balls and movers, with numbers that add up without rounding, so that the first frame tells the
/// very velocity of the whole; and how far each mover goes in a second. Of bounces which of them is the last
/// depends on the coordinates that a wall reaches, so where discs come to rest `e` is not to have any. There
/// are no kinematic discs there: each piece of what slides on one rounds their place.
fn exact_world<P>(rng: &mut Rng, mut world: World<P>, e: &[f64]) -> (World<P>, Vec<(Mover, DVec2)>)
where
    P: Physics<Extra = (), Surface = ()>,
{
    let eighths = |rng: &mut Rng, most: usize| (rng.below(2 * most + 1) as f64 - most as f64) / 8.0;
    let vector = |rng: &mut Rng, most: usize| DVec2::new(eighths(rng, most), eighths(rng, most));
    world.set_budget(20_000);
    let mut movers = Vec::new();
    for k in 0..1 + rng.below(2) {
        let at = DVec2::new(8.0 * k as f64, eighths(rng, 8));
        let (own, side) = (rng.pick(e), DVec2::new(2.0, 0.0));
        let way = if rng.chance(50) { vector(rng, 8) } else { DVec2::new(0.0, eighths(rng, 8)) };
        let shape = match rng.below(7) {
            0 if !P::ACCELERATED => {
                let disc = Disc::new(at - DVec2::Y, 1.0).with_restitution(own).kinematic();
                movers.push((Mover::Disc(world.insert(disc).unwrap(), at - DVec2::Y), way));
                None
            }
            1 => Some(Wall::arm(at - side, 4.0, 0.25, 0.0)),
            2 => Some(Wall::disc(at - DVec2::Y, 1.0)),
            3 => Some(Wall::one_sided_segment(at - side, at + side)),
            4 => Some(Wall::polyline(&[at - side + DVec2::Y, at - side, at + side, at + side + DVec2::Y])),
            5 => Some(Wall::half_plane(at, DVec2::Y)),
            _ => Some(Wall::segment(at - side, at + side)),
        };
        // There may be no room for it beside the first.
        let wall = shape.and_then(|shape| world.add_wall(shape.with_restitution(own)).ok());
        movers.extend(wall.map(|wall| (Mover::Wall(wall), way)));
        for _ in 0..1 + rng.below(4) {
            let radius = rng.pick(&[0.25, 0.5, 0.5]);
            // Some rest on it, or on each other.
            let above = DVec2::new(eighths(rng, 12), radius + rng.pick(&[0.0, 0.0, 0.5, 1.0, 2.0]));
            let velocity = if rng.chance(50) { DVec2::ZERO } else { vector(rng, 8) };
            let ball = Disc::new(at + above, radius).with_velocity(velocity);
            _ = world.insert(ball.with_restitution(rng.pick(e)));
        }
    }
    (world, movers)
}

/// Sends movers on in each frame, and then no more; the lengths of frames are in 1024ths of a second. Returns
/// what happens to the discs, and `None` if something is blocked, as each command sends it again.
fn sent<P>(
    mut world: World<P>,
    movers: &[(Mover, DVec2)],
    frames: &[u32],
    rng: &mut Rng,
) -> Option<Vec<String>>
where
    P: Physics<Extra = (), Surface = ()>,
    World<P>: Serialize + DeserializeOwned,
{
    let (mut seen, mut at, is_watched) = (Vec::new(), 0, frames.len() > 1);
    for &frame in frames {
        at += frame;
        let t = f64::from(at) / 1024.0;
        for &(mover, way) in movers {
            mover.send(&mut world, way * t, t);
        }
        if is_watched && rng.chance(5) {
            let bytes = Format::Postcard.save(&world);
            world = Format::Postcard.load(&bytes).unwrap();
        }
        assert_eq!(world.advance_to(t).unwrap().end, StopReason::Reached);
        seen.extend(of_discs(&world));
        if is_watched && rng.chance(20) {
            let bytes = Format::Postcard.save(&world);
            _ = world.next_event();
            world.assert_well_formed();
            assert_eq!(world.advance(0.0).unwrap().events, 0);
            assert_eq!(Format::Postcard.save(&world), bytes, "looks change nothing");
            world = Format::Postcard.load(&bytes).unwrap();
        }
    }
    world.advance(0.25).unwrap();
    seen.extend(of_discs(&world));
    seen.extend(world.discs().map(|(id, disc)| format!("{id} {} {}", disc.position, disc.velocity)));
    let is_blocked = seen.iter().any(|event| event.contains("Blocked"));
    (!is_blocked).then_some(seen)
}

/// With the very velocity of the whole in each frame all is as by one command, bit for bit: frames of one
/// length and such that hitch, with looks and snapshots between them.
#[test]
fn frames_are_one_command_to_the_bit() {
    fn play<P>(seed: u64, rng: &mut Rng, empty: World<P>, e: &[f64]) -> usize
    where
        P: Physics<Extra = (), Surface = ()>,
        World<P>: Serialize + DeserializeOwned,
    {
        let (world, movers) = exact_world(rng, empty, e);
        let frames: Vec<u32> = match rng.below(4) {
            0 => vec![16; 64],
            1 => vec![1; 100],
            _ => (0..30).map(|_| rng.pick(&[16, 16, 16, 17, 48, 3])).collect(),
        };
        let whole = sent(world.clone(), &movers, &[frames.iter().sum()], rng);
        let framed = sent(world, &movers, &frames, rng);
        if let (Some(whole), Some(framed)) = (&whole, &framed) {
            let other = whole.iter().zip(framed).find(|(whole, framed)| whole != framed);
            assert_eq!(other, None, "seed {seed}: {movers:?}");
            assert_eq!(whole.len(), framed.len(), "seed {seed}: {movers:?}");
        }
        whole.and(framed).map_or(0, |seen| seen.len())
    }
    let mut events = 0;
    // In the last of these a wall hits a disc 4e-18 s before the end of a frame.
    for seed in (0..cases(150)).chain([2642]) {
        let rng = &mut Rng::new(seed);
        events += match rng.below(3) {
            0 => play(seed, rng, World::new(), &[0.0, 0.25, 0.5, 1.0]),
            _ => play(seed, rng, under([0.0, -10.0]), &[0.0, 1.0]),
        };
    }
    assert!(events > 1000, "{events}");
}

/// A lift or a platform that goes to and fro, told in decimals.
struct Ride {
    is_disc: bool,
    e: f64,
    gravity: f64,
    /// In a second.
    way: DVec2,
}

impl Ride {
    /// Where it begins.
    const HOME: DVec2 = DVec2::new(3.0, 7.0);

    fn begin(&self) -> (World<Forces>, Mover, DiscId) {
        let (e, home) = (self.e, Ride::HOME);
        let mut world = under([0.0, -self.gravity]);
        let mover = if self.is_disc {
            let centre = home - DVec2::Y;
            let disc = Disc::new(centre, 1.0).with_restitution(e).kinematic();
            Mover::Disc(world.insert(disc).unwrap(), centre)
        } else {
            let side = DVec2::new(3.0, 0.0);
            Mover::Wall(world.add_wall(Wall::segment(home - side, home + side).with_restitution(e)).unwrap())
        };
        let ball = Disc::new(home + DVec2::new(0.0, 0.5), 0.5).with_restitution(e);
        let ball = world.insert(ball).unwrap();
        (world, mover, ball)
    }

    /// Goes there for two seconds and back for two, with `hz` commands a second.
    fn run(&self, hz: u32) -> (Vec<Impact>, Vec<(bool, f64)>, DVec2) {
        let (mut world, mover, ball) = self.begin();
        let (mut hits, mut holds) = (Vec::new(), Vec::new());
        let all = |frame: u32| -> f64 { f64::from(frame) / f64::from(hz.max(1)) };
        let frames: Vec<f64> = if hz == 0 { vec![2.0, 4.0] } else { (1..=4 * hz).map(all).collect() };
        for t in frames {
            mover.send(&mut world, self.way * (2.0 - (t - 2.0).abs()), t);
            assert_eq!(world.advance_to(t).unwrap().end, StopReason::Reached);
            for event in world.events() {
                match event {
                    Event::Impact(impact) if impact.approach_speed > 1e-6 => hits.push(*impact),
                    Event::Held(hold) => holds.push((true, hold.time.as_secs())),
                    Event::LetGo(hold) => holds.push((false, hold.time.as_secs())),
                    _ => {}
                }
            }
        }
        (hits, holds, world.get(ball).unwrap().position())
    }
}

/// Targets and times in decimals are rounded, so the velocity is known from the first frame to two roundings
/// of the coordinates and of the time over the length of the frame, `δ`. A bounce changes the velocity of the
/// ball by `(1 + e) δ` more, and its place by that for the time that is left; it lands later by `2 δ/g`. And
/// no event is added: whoever rides is held from the landing to the turn.
#[test]
fn frames_in_decimals_are_one_command_to_their_rounding() {
    // None is in the air for a time of which a whole number is two seconds, at which the lift turns.
    let ways = [[0.0, -1.1], [0.0, 1.1], [1.0, 0.0], [0.1, 0.7], [-0.3, -0.9]];
    for (gravity, is_disc) in [(10.0, false), (10.0, true), (0.0, false), (0.0, true)] {
        for e in [0.0, 0.5, 1.0] {
            for way in ways {
                // Off a round platform the ball rolls, and a little earlier is elsewhere a little later.
                if is_disc && way[0] != 0.0 {
                    continue;
                }
                let ride = Ride { is_disc, e, gravity, way: way.into() };
                let (hits, holds, place) = ride.run(0);
                for hz in [60, 144, 1000] {
                    let what = format!("disc {is_disc}, e = {e}, g = {gravity}, {way:?}, {hz} Hz");
                    let delta = 4.0 * f64::EPSILON * 8.0 * f64::from(hz);
                    let (other_hits, other_holds, other_place) = ride.run(hz);
                    // The last one may be due at the very end.
                    let at_end =
                        |hits: &[Impact]| hits.last().is_some_and(|hit| hit.time.as_secs() > 4.0 - 1e-9);
                    if !at_end(&hits) && !at_end(&other_hits) {
                        assert_eq!(hits.len(), other_hits.len(), "{what}: {hits:?} {other_hits:?}");
                        let off = (place - other_place).length();
                        let most = delta * (2.0 + 8.0 * hits.len() as f64);
                        assert!(off <= most, "{what}: {off} {most}");
                    }
                    for (k, (one, other)) in (1..).zip(hits.iter().zip(&other_hits)) {
                        let (late, harder) = (other.time.since(one.time), other.impulse - one.impulse);
                        assert!(late.abs() <= f64::from(k) * delta, "{what}: hit {k} is {late} s later");
                        assert!(harder.abs() <= f64::from(k) * 8.0 * delta, "{what}: hit {k} by {harder}");
                    }
                    assert_eq!(holds.len(), other_holds.len(), "{what}: {holds:?} {other_holds:?}");
                    for (one, other) in holds.iter().zip(&other_holds) {
                        // How many of the last bounces there are is decided by rounding.
                        assert_eq!(one.0, other.0, "{what}");
                        assert!((one.1 - other.1).abs() < 1e-6, "{what}: {holds:?} {other_holds:?}");
                    }
                }
            }
        }
    }
}

/// In a lift that goes down and up in frames of a sixtieth of a second a heap lies still, without an event
/// between the turns; far from the origin, too, where a frame tells the velocity to 10⁻¹¹.
#[test]
fn a_heap_rides_in_frames() {
    for (far, seconds) in [(0.0, 6), (1000.0, 3)] {
        let mut world = under([0.0, -10.0]);
        let cabin = [[-1.0, 3.0], [-1.0, 0.0], [1.0, 0.0], [1.0, 3.0]].map(|[x, y]| [x + far, y - far]);
        let lift = world.add_wall(Wall::polyline(&cabin).with_restitution(0.0)).unwrap();
        let ball = |[x, y]: [f64; 2]| Disc::new([x + far, y - far], 0.4).with_restitution(0.0);
        let heap = [[-0.5, 0.4], [0.5, 0.4], [0.0, 1.1]].map(|at| world.insert(ball(at)).unwrap());
        world.advance_to(5.0).unwrap();
        for (k, frame) in (1..=seconds * 60).zip(1..) {
            let (second, within) = ((k - 1) / 60, (k - 1) % 60);
            let t = f64::from(frame) / 60.0;
            // A second down, a second up.
            let down = 1.0 - (t % 2.0 - 1.0).abs();
            world.move_wall_until(lift, [0.0, -1.7 * down], 5.0 + t).unwrap();
            world.advance_to(5.0 + t).unwrap();
            let hits = world
                .events()
                .iter()
                .filter(|event| matches!(event, Event::Impact(_) | Event::Held(_) | Event::LetGo(_)));
            // It falls after the lift for 2 v/g = .34 s at first, .68 s at a turn.
            if within > 45 {
                assert_eq!(hits.count(), 0, "in second {second}, frame {within}: {:?}", world.events());
                assert!(heap.iter().all(|&id| world.held_to(id).count() >= 2), "second {second}");
            }
        }
    }
}

/// A piston that is sent on in frames pushes what is soft with one blow.
#[test]
fn a_piston_pushes_with_one_blow() {
    for (is_disc, hz) in [(false, 60), (false, 1000), (true, 60), (true, 1000)] {
        let mut world = World::new();
        let mover = if is_disc {
            let disc = Disc::new([3.0, 1.0], 0.5).with_restitution(0.0).kinematic();
            Mover::Disc(world.insert(disc).unwrap(), DVec2::new(3.0, 1.0))
        } else {
            let wall = Wall::segment([3.5, 0.0], [3.5, 2.0]).with_restitution(0.0);
            Mover::Wall(world.add_wall(wall).unwrap())
        };
        let ball = world.insert(Disc::new([5.0, 1.0], 0.5).with_restitution(0.0)).unwrap();
        for frame in 1..=3 * hz {
            let t = f64::from(frame) / f64::from(hz);
            mover.send(&mut world, DVec2::new(1.7 * t, 0.0), t);
            world.advance_to(t).unwrap();
        }
        let (counters, ball) = (world.counters(), world.get(ball).unwrap());
        assert_eq!(counters.wall_impacts + counters.disc_impacts, 1, "disc {is_disc}, {hz} Hz");
        // The mover is at 3.5 + 5.1; the ball goes at what the frame before the blow told.
        let delta = 8.0 * f64::EPSILON * 8.0 * f64::from(hz);
        assert!((ball.position().x - 9.1).abs() < 3.0 * delta && (ball.velocity().x - 1.7).abs() < delta);
    }
}

/// Whoever asks at the time of arrival sees what stands there; what lies on it has not landed, and lands as
/// time goes on, if nothing sends it on.
#[test]
fn at_the_time_of_arrival_it_stands_for_whoever_asks() {
    for is_disc in [false, true] {
        let ride = Ride { is_disc, e: 0.0, gravity: 10.0, way: -DVec2::Y };
        let (mut world, mover, ball) = ride.begin();
        mover.send(&mut world, ride.way, 1.0);
        world.advance_to(1.0).unwrap();
        match mover {
            Mover::Wall(lift) => {
                let shape = WallShape::Segment { a: DVec2::new(0.0, 6.0), b: DVec2::new(6.0, 6.0) };
                assert!(matches!(world.events().last(), Some(Event::WallMoved { .. })));
                assert_eq!(world.wall_motion(lift).map(|lift| lift.velocity), Some(DVec2::ZERO));
                assert_eq!(world.wall_shape(lift).unwrap().into_owned(), shape);
                assert_eq!(world.get_wall(lift).unwrap().shape, shape);
            }
            Mover::Disc(disc, home) => {
                let disc = world.get(disc).unwrap();
                assert_eq!((disc.position(), disc.velocity()), (home - DVec2::Y, DVec2::ZERO));
                assert_eq!((disc.target(), disc.to_disc().velocity), (None, DVec2::ZERO));
                let mut places = vec![DVec2::ZERO; world.len()];
                world.read_positions(&mut places).unwrap();
                assert_eq!(places[0], home - DVec2::Y);
            }
        }
        let fell = world.get(ball).unwrap().velocity();
        assert_eq!((fell, world.held_to(ball).count()), (-DVec2::Y, 1), "it rides");
        // Looks are answered as if nothing sends it on, and change nothing.
        let saved = Format::Postcard.save(&world);
        let next = world.next_event().unwrap();
        assert_eq!((next.time.as_secs(), matches!(next.kind, UpcomingKind::Timer(_))), (1.0, false));
        assert_eq!(world.advance(0.0).unwrap().events, 0);
        assert_eq!(Format::Postcard.save(&world), saved);
        let mut loaded: World<Forces> = Format::Postcard.load(&saved).unwrap();
        let mut stepped = world.clone();
        // It goes on: nothing happens. It does not: the ball lands at that very time.
        let mut onward = world.clone();
        mover.send(&mut onward, 2.0 * ride.way, 2.0);
        onward.advance_to(1.5).unwrap();
        assert_eq!((impacts(&onward).count(), onward.get(ball).unwrap().velocity()), (0, -DVec2::Y));
        for other in [&mut world, &mut loaded] {
            other.advance_to(1.5).unwrap();
            let landed: Vec<Impact> = impacts(other).collect();
            assert!(matches!(landed[..], [Impact { time, .. }] if time.as_secs() == 1.0), "{landed:?}");
            assert_eq!(other.get(ball).unwrap().velocity(), DVec2::ZERO);
        }
        assert_eq!(Format::Postcard.save(&world), Format::Postcard.save(&loaded));
        stepped.step_event();
        assert_eq!((impacts(&stepped).count(), stepped.now().as_secs()), (1, 1.0));
        stepped.advance_to(1.5).unwrap();
        assert_eq!(stepped.diff(&world), None);
    }
}

/// What is edited at the time of arrival is edited where the lift stands: a passenger that is stopped there
/// by hand stays, and is not hit by the speed that the lift had.
#[test]
fn edits_at_the_time_of_arrival_come_after_the_stop() {
    for is_disc in [false, true] {
        let ride = Ride { is_disc, e: 0.0, gravity: 10.0, way: DVec2::Y };
        let (mut world, mover, ball) = ride.begin();
        mover.send(&mut world, ride.way, 1.0);
        world.advance_to(1.0).unwrap();
        world.set_velocity(ball, DVec2::ZERO).unwrap();
        let before = world.counters();
        world.advance_to(2.0).unwrap();
        let after = world.counters();
        let hits = |counters: carom_engine::Counters| counters.wall_impacts + counters.disc_impacts;
        assert_eq!(hits(before), hits(after), "disc {is_disc}");
        assert_eq!(world.get(ball).unwrap().velocity(), DVec2::ZERO);
    }
}

/// What is put in the way at the time of arrival is hit by a call to that time, as the stop comes when time
/// goes on: an elastic ball at rest leaves at twice the speed of 3 m/s. A call to a later time stops first.
#[test]
fn a_call_to_the_time_of_arrival_comes_before_the_stop() {
    for (until, speed) in [(1.0, 6.0), (2.0, 0.0)] {
        let mut world = World::new();
        let piston = world.add_wall(Wall::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
        world.move_wall_until(piston, [3.0, 0.0], 1.0).unwrap();
        world.advance_to(1.0).unwrap();
        let ball = world.insert(Disc::new([3.5, 0.0], 0.5)).unwrap();
        world.advance_to(until).unwrap();
        assert_eq!(world.get(ball).unwrap().velocity(), DVec2::new(speed, 0.0), "until {until}");
    }
}

/// Several things that are sent on at one time all go on, whatever else is due then: notes, commands, what is
/// blocked elsewhere.
#[test]
fn all_that_arrive_together_go_on() {
    let mut world = under([0.0, -10.0]);
    let lifts: Vec<WallId> = (0..3)
        .map(|k| {
            let x = 4.0 * f64::from(k);
            let lift = Wall::segment([x - 1.0, 0.0], [x + 1.0, 0.0]).with_restitution(0.0);
            world.insert(Disc::new([x, 0.5], 0.5).with_restitution(0.0)).unwrap();
            world.add_wall(lift).unwrap()
        })
        .collect();
    for frame in 1..=64 {
        let t = f64::from(frame) / 64.0;
        for &lift in &lifts {
            world.move_wall_until(lift, [0.0, -t], t).unwrap();
            world.set_timer_at(t, 7).unwrap();
        }
        let spark = Disc::new([100.0 + 2.0 * f64::from(frame), 0.0], 0.5);
        world.command_at(t, carom_engine::Command::Insert(spark)).unwrap();
        world.advance_to(t).unwrap();
    }
    assert_eq!(world.counters().wall_impacts, 3);
}

/// An arm that is turned on at the times of its arrivals hits a ball as one that turns at once; one that is
/// sent again to where it goes turns on.
#[test]
fn an_arm_turns_in_frames() {
    let run = |targets: &[f64], is_sent_again: bool| {
        let mut world = World::new();
        let arm = world.add_wall(Wall::arm([0.0, 0.0], 4.0, 0.25, 0.0)).unwrap();
        let ball = world.insert(Disc::new([3.0, 2.0], 0.5)).unwrap();
        for &target in targets {
            let arrives = world.turn_arm(arm, target, 0.7).unwrap();
            if is_sent_again {
                world.advance_to(0.5 * (world.now().as_secs() + arrives.as_secs())).unwrap();
                let again = world.turn_arm(arm, target, 0.7).unwrap();
                assert!(again.since(arrives).abs() < 1e-15);
            }
            world.advance_to(arrives.max(world.now())).unwrap();
        }
        world.advance_to(3.0).unwrap();
        (world.counters().wall_impacts, world.get(ball).unwrap().velocity(), world.arm(arm).unwrap().angle)
    };
    let frames: Vec<f64> = (1..=84).map(|k| 1.4 * f64::from(k) / 84.0).collect();
    let (hits, velocity, angle) = run(&[1.4], false);
    assert_eq!((hits, angle), (1, 1.4));
    for (targets, is_sent_again) in [(&frames[..], false), (&[1.4], true), (&frames, true)] {
        let (other_hits, other, other_angle) = run(targets, is_sent_again);
        assert_eq!((other_hits, other_angle), (hits, angle));
        assert!((other - velocity).length() < 1e-12, "{other} {velocity}");
    }
}
