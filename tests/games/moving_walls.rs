//! Walls that move: lifts, doors, pistons, paddles.

use crate::common::rng::{Rng, cases};
use crate::forces::scene::under;
use carom_engine::{
    CastOptions, Command, CrushRule, DVec2, Disc, DiscId, Error, Event, Forces, Forecast, ForecastOptions,
    Partner, QueryFilter, Region, Rules, Settings, StopReason, UpcomingKind, Wall, WallId, WallShape, World,
};

fn soft(wall: Wall) -> Wall {
    wall.with_restitution(0.0)
}

/// It stands at the bits that were asked for, says so, is where its velocity takes it on the way, and comes
/// back to the bits with which it was put up.
#[test]
fn a_wall_moves_and_stops() {
    let mut world = World::new();
    let (a, b) = (DVec2::new(0.1, 0.2), DVec2::new(3.3, 0.7));
    let lift = world.add_wall(Wall::segment(a, b)).unwrap();
    let up = DVec2::new(0.3, 1.1);
    let arrives = world.move_wall_until(lift, up, 0.25).unwrap();
    assert_eq!(arrives.as_secs(), 0.25);
    let next = world.next_event().map(|next| (next.time, next.kind));
    assert_eq!(next, Some((arrives, UpcomingKind::WallMoved(lift))));
    world.advance(0.125).unwrap();
    let motion = world.wall_motion(lift).unwrap();
    assert!((motion.offset - up * 0.5).length() < 1e-15);
    assert_eq!((motion.velocity, motion.target), (up / 0.25, up));
    world.advance(1.0).unwrap();
    assert!(
        matches!(world.events(), [Event::WallMoved { wall, offset, .. }] if *wall == lift && *offset == up)
    );
    let shape = |world: &World, id: WallId| world.wall_shape(id).unwrap().into_owned();
    assert_eq!(shape(&world, lift), WallShape::Segment { a: a + up, b: b + up });
    let rest = world.wall_motion(lift).unwrap();
    assert_eq!((rest.offset, rest.velocity, rest.target), (up, DVec2::ZERO, up));
    let mut rng = Rng::new(1);
    for _ in 0..cases(100) {
        let now = world.now().as_secs();
        world.move_wall_until(lift, rng.vector(7.0), now + rng.unit() + 0.01).unwrap();
        // Now and then it is sent elsewhere on its way.
        world.advance(rng.range(0.0, 1.3)).unwrap();
    }
    let now = world.now().as_secs();
    world.move_wall_until(lift, DVec2::ZERO, now + 1.0).unwrap();
    world.advance(1.5).unwrap();
    assert_eq!(shape(&world, lift), WallShape::Segment { a, b });
    // It is there, and stays.
    assert_eq!(world.move_wall_until(lift, DVec2::ZERO, now + 3.0).unwrap(), world.now());
    let never = world.add_wall(Wall::disc([50.0, 0.0], 1.0)).unwrap();
    assert_eq!(world.wall_motion(never).map(|still| still.offset), Some(DVec2::ZERO));
    world.move_wall_until(lift, up, now + 4.0).unwrap();
    world.remove_wall(lift).unwrap();
    assert_eq!(world.wall_motion(lift), None);
    assert!(world.wall_shape(lift).is_none());
    assert_eq!(world.advance(5.0).unwrap().events, 0);
    assert!(matches!(world.move_wall_until(lift, up, now + 9.0), Err(Error::NoSuchWall(_))));
}

/// A mouse that jumps fires no puck.
#[test]
fn a_wall_keeps_to_its_largest_speed() {
    let mut world = World::new();
    let paddle = Wall::segment([0.0, -1.0], [0.0, 1.0]).with_max_speed(2.0);
    let paddle = world.add_wall(paddle).unwrap();
    let puck = world.insert(Disc::new([1.5, 0.0], 0.5)).unwrap();
    assert_eq!(world.move_wall_until(paddle, [3.0, 0.0], 0.01).unwrap().as_secs(), 1.5);
    world.advance(1.5).unwrap();
    assert_eq!(world.get(puck).map(|puck| puck.velocity()), Some(DVec2::new(4.0, 0.0)));
    assert_eq!(world.wall_motion(paddle).map(|paddle| paddle.offset), Some(DVec2::new(3.0, 0.0)));
    let refused = world.add_wall(Wall::disc([9.0, 9.0], 1.0).with_max_speed(0.0));
    assert!(matches!(refused, Err(Error::OutOfRange { field: "max_speed", .. })));
}

#[test]
fn bad_moves_are_refused() {
    let mut world = World::new();
    let bar = world.add_wall(Wall::segment([0.0, 0.0], [1.0, 0.0])).unwrap();
    let before = world.clone();
    for (offset, field) in [
        ([f64::NAN, 0.0], "offset.x"),
        ([0.0, f64::INFINITY], "offset.y"),
        ([2e15, 0.0], "offset.x"),
        ([1e15, 0.0], "b.x"),
    ] {
        let refused = world.move_wall_until(bar, offset, 1.0);
        assert!(matches!(refused, Err(Error::OutOfRange { field: of, .. }) if of == field), "{refused:?}");
    }
    for by in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = world.move_wall_until(bar, [1.0, 0.0], by);
        assert!(matches!(refused, Err(Error::Inconsistent { .. } | Error::OutOfRange { .. })), "{refused:?}");
    }
    assert!(matches!(world.move_wall_until(bar, [1e10, 0.0], 1e-10), Err(Error::OutOfRange { .. })));
    // A form that rounding takes away.
    let refused = world.move_wall_until(bar, [1e17 * 0.001, 0.0], 1.0);
    assert!(refused.is_ok());
    world.clone_from(&before);
    for hollow in [
        Wall::circle([0.0, 9.0], 30.0),
        Wall::arc([0.0, 0.0], 3.0, 0.0, 1.0),
        Wall::stadium([0.0, 0.0], 3.0, 1.0),
    ] {
        let hollow = world.add_wall(hollow).unwrap();
        assert!(matches!(world.move_wall_until(hollow, [1.0, 0.0], 1.0), Err(Error::CannotMoveWall { .. })));
    }
    let arm = world.add_wall(Wall::arm([5.0, 0.0], 1.0, 0.1, 0.0)).unwrap();
    world.turn_arm(arm, 1.0, 0.1).unwrap();
    assert!(matches!(world.move_wall_until(arm, [1.0, 0.0], 1.0), Err(Error::CannotMoveWall { .. })));
    world.remove_wall(arm).unwrap();
    let arm = world.add_wall(Wall::arm([5.0, 0.0], 1.0, 0.1, 0.0)).unwrap();
    world.move_wall_until(arm, [1.0, 0.0], 1.0).unwrap();
    assert!(matches!(world.turn_arm(arm, 1.0, 1.0), Err(Error::CannotTurn { .. })));
    assert!(matches!(world.set_growth(0.1), Err(Error::CannotGrow { .. })));
    assert!(matches!(world.add_region(Region::wall(arm)), Err(Error::CannotMoveWall { .. })));
    let region = world.add_region(Region::wall(bar)).unwrap();
    assert!(matches!(world.move_wall_until(bar, [1.0, 0.0], 1.0), Err(Error::CannotMoveWall { .. })));
    world.remove_region(region).unwrap();
    let mut slow = World::with_settings(Settings::default().with_drag(0.5)).unwrap();
    let bar = slow.add_wall(Wall::segment([0.0, 0.0], [1.0, 0.0])).unwrap();
    assert!(matches!(slow.move_wall_until(bar, [1.0, 0.0], 1.0), Err(Error::CannotMoveWall { .. })));
    let mut grown = World::new();
    let bar = grown.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    grown.insert(Disc::new([0.0, 5.0], 1.0)).unwrap();
    grown.set_growth(0.1).unwrap();
    assert!(matches!(grown.move_wall_until(bar, [1.0, 0.0], 1.0), Err(Error::CannotMoveWall { .. })));
    // Along a period only what is parallel to it repeats itself; it may move across.
    let mut band = World::with_settings(Settings::default().with_period([Some(10.0), None])).unwrap();
    let floor = band.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    let disc = band.insert(Disc::new([3.0, 2.0], 0.5).with_velocity([7.0, 0.0])).unwrap();
    band.move_wall_until(floor, [0.0, 4.0], 4.0).unwrap();
    band.advance(4.0).unwrap();
    assert_eq!(band.get(disc).map(|disc| disc.velocity()), Some(DVec2::new(7.0, 2.0)));
}

/// All forms that move, of which a disc to the right meets the right side at `x = 0`.
fn movable() -> Vec<Wall> {
    vec![
        Wall::half_plane([0.0, 0.0], [1.0, 0.0]),
        Wall::segment([0.0, -4.0], [0.0, 4.0]),
        Wall::one_sided_segment([0.0, 4.0], [0.0, -4.0]),
        Wall::disc([-3.0, 0.0], 3.0),
        Wall::polyline(&[[-1.0, -4.0], [0.0, -4.0], [0.0, 4.0]]),
        Wall::rectangle([-2.0, -4.0], [0.0, 4.0]),
        Wall::arm([-2.0, 0.0], 1.5, 0.5, 0.0),
        Wall::container([0.0, -90.0], [90.0, 90.0]),
    ]
}

/// At the speed `u` a wall meets a disc at a gap `g` that approaches at `v` after `g/(u + v)` s, and leaves
/// it with `u + e (u + v)`; its work is in the ledger. A bent path has a quadratic: `½ a t² + (u + v) t =
/// g`.
#[test]
fn discs_leave_at_the_speed_of_the_wall() {
    let mut rng = Rng::new(2);
    for round in 0..cases(30) {
        for wall in movable() {
            let (u, v, e) = (rng.range(0.1, 9.0), rng.range(-0.05, 9.0), rng.pick(&[1.0, 0.5, 0.0]));
            let (gap, mass) = (rng.range(0.01, 3.0), rng.range(0.1, 7.0));
            let disc = Disc::new([0.5 + gap, 0.0], 0.5).with_mass(mass).with_velocity([-v, 0.0]);
            let ledger_and_energy = |after: f64, meets: f64, pull: f64| {
                let mut world = under([-pull, 0.0]);
                let id = world.add_wall(wall.clone().with_restitution(e)).unwrap();
                let ball = world.insert(disc.with_restitution(e)).unwrap();
                world.move_wall_until(id, [u * 64.0, 0.0], 64.0).unwrap();
                let done = world.advance_until_event(63.0, |event| event.impact().is_some()).unwrap();
                assert_eq!(done.end, StopReason::Stopped, "{round} {wall:?}");
                assert!((done.time.as_secs() - meets).abs() < 4e-15 * (1.0 + meets), "{round} {wall:?}");
                let ball = world.get(ball).unwrap();
                assert!((ball.velocity().x - after).abs() < 1e-14 * (u + v.abs() + pull), "{wall:?}");
                assert!((ball.position().x - 0.5 - u * meets).abs() < 2e-14 * (1.0 + u * meets));
                let impact = *world.events().last().and_then(Event::impact).unwrap();
                assert_eq!(impact.before[1], DVec2::new(u, 0.0));
                let (ledger, energy) = (world.ledger(), world.kinetic_energy());
                let largest = ledger.edits + ledger.work + ledger.forces;
                assert!((ledger.total - energy).abs() < 1e-12 * largest, "{ledger:?} {energy}");
            };
            let meets = gap / (u + v);
            ledger_and_energy(u + e * (u + v), meets, 0.0);
            let pull = 2.0;
            let speed = u + v;
            let meets = 2.0 * gap / (speed + (speed * speed + 2.0 * pull * gap).sqrt());
            let hit = v + pull * meets;
            if e > 0.0 {
                ledger_and_energy(u + e * (u + hit), meets, pull);
            }
        }
    }
}

/// What is soft is pushed along, and goes on as the piston stops.
#[test]
fn a_soft_disc_is_pushed_along() {
    let mut world = World::new();
    let piston = world.add_wall(soft(Wall::segment([0.0, -1.0], [0.0, 1.0]))).unwrap();
    let ball = world.insert(Disc::new([1.5, 0.0], 0.5).with_restitution(0.0)).unwrap();
    world.move_wall_until(piston, [8.0, 0.0], 4.0).unwrap();
    let done = world.advance(4.0).unwrap();
    assert_eq!((done.end, world.counters().wall_impacts), (StopReason::Reached, 1));
    let ball_now = world.get(ball).unwrap();
    assert_eq!((ball_now.velocity(), ball_now.position()), (DVec2::new(2.0, 0.0), DVec2::new(8.5, 0.0)));
    world.advance(1.0).unwrap();
    assert_eq!(world.get(ball).map(|ball| ball.position().x), Some(10.5));
}

fn heights(world: &World<Forces>, discs: &[DiscId]) -> Vec<f64> {
    discs.iter().map(|&id| world.get(id).unwrap().position().y).collect()
}

/// A lift carries a heap: held throughout, at its speed, without an impact between start and arrival, at the
/// heights above it that it had; what the lift does is the work that lifts the heap.
#[test]
fn what_rests_on_a_lift_is_carried() {
    let mut world = under([0.0, -10.0]);
    let cabin = [[-1.0, 3.0], [-1.0, 0.0], [1.0, 0.0], [1.0, 3.0]];
    let lift = world.add_wall(soft(Wall::polyline(&cabin))).unwrap();
    let ball = |x: f64, y: f64| Disc::new([x, y], 0.4).with_restitution(0.0);
    let heap = [[-0.5, 0.4], [0.5, 0.4], [0.0, 1.1]].map(|[x, y]| world.insert(ball(x, y)).unwrap());
    world.advance(5.0).unwrap();
    let before = heights(&world, &heap);
    assert!(heap.iter().all(|&id| world.held_to(id).count() >= 2), "it lies still");
    for (offset, seconds) in [([0.0, 6.0], 3.0), ([4.0, 6.0], 2.0), ([0.0, 0.0], 5.0), ([0.0, 1.0], 0.7)] {
        let start = world.now().as_secs();
        let from = world.wall_motion(lift).unwrap().offset;
        world.move_wall_until(lift, offset, start + seconds).unwrap();
        let velocity = (DVec2::from(offset) - from) / seconds;
        // The start is a blow; on the way down at 1.2 m/s the heap falls after the lift first.
        world.advance(0.6 * seconds).unwrap();
        let impacts = world.counters().wall_impacts;
        let done = world.advance(0.39 * seconds).unwrap();
        assert_eq!(done.end, StopReason::Reached);
        assert_eq!(world.counters().wall_impacts, impacts, "towards {offset:?}");
        for (&id, &height) in heap.iter().zip(&before) {
            let (disc, lift) = (world.get(id).unwrap(), world.wall_motion(lift).unwrap().offset);
            assert!((disc.velocity() - velocity).length() < 1e-9, "{:?} {velocity}", disc.velocity());
            assert!((disc.position().y - lift.y - height).abs() < 1e-8);
            assert!(world.held_to(id).count() >= 2);
        }
        world.advance(0.01 * seconds + 3.0).unwrap();
        let lift = world.wall_motion(lift).unwrap().offset;
        for (now, height) in heights(&world, &heap).into_iter().zip(&before) {
            assert!((now - lift.y - height).abs() < 1e-8, "at rest at {offset:?}");
        }
        assert!(heap.iter().all(|&id| world.held_to(id).count() >= 2));
        let (ledger, energy) = (world.ledger(), world.kinetic_energy());
        assert!((ledger.total - energy).abs() < 1e-9 * (1.0 + ledger.work.abs()), "{ledger:?} {energy}");
    }
}

/// The frame of a wall that moves at a constant velocity is an inertial one: what happens on a slope that
/// moves is what happens on one at rest, in another frame.
#[test]
fn a_moving_slope_is_a_slope() {
    let mut rng = Rng::new(3);
    // Here a piece of the way around a joint is cut where the disc hits what lies beyond it.
    let cut = (DVec2::new(0.712_699_689_853_781_4, -2.827_662_649_444_351_3), 4.831_992_700_801_361_5);
    let mut next = |_| (rng.vector(3.0), rng.range(-6.0, 5.0));
    for (velocity, x) in (0..cases(20)).map(&mut next).chain([cut]) {
        // Of bounces, which of them is the last is decided by rounding.
        let restitution = 0.0;
        let bumps = [[-8.0, 4.0], [-3.0, 1.0], [0.0, 1.0], [2.0, 0.0], [5.0, 2.0], [8.0, 6.0]];
        let start = DVec2::new(x, 6.0);
        let run = |drift: DVec2| {
            let mut world = under([0.0, -10.0]);
            let slope = Wall::polyline(&bumps).with_restitution(restitution);
            let slope = world.add_wall(slope).unwrap();
            let ball = Disc::new(start, 0.3).with_velocity(drift).with_restitution(restitution);
            let ball = world.insert(ball).unwrap();
            if drift != DVec2::ZERO {
                world.move_wall_until(slope, drift * 32.0, 32.0).unwrap();
            }
            let mut places = Vec::new();
            for _ in 0..30 {
                assert_eq!(world.advance(0.1).unwrap().end, StopReason::Reached);
                places.push(world.get(ball).unwrap().position() - drift * world.now().as_secs());
            }
            (places, world.held_to(ball).count())
        };
        let ((still, held), (moving, held_moving)) = (run(DVec2::ZERO), run(velocity));
        for (one, other) in still.iter().zip(&moving) {
            // A contact comes to rest from a fall by what counts as touching: of coordinates up to 100, as
            // the slope has on its way, √(2 g · 4 ulp) = 10⁻⁶ m/s, for 3 s; at each kink again.
            assert!((*one - *other).length() < 2e-5, "{start} {velocity}: {one} {other}");
        }
        assert_eq!(held, held_moving);
    }
}

/// Between walls and one that closes in, or an arm, there is no room: that stops and says so, or the world
/// does.
#[test]
fn a_wall_that_closes_in_on_a_disc_stops() {
    type Send = fn(&mut World, WallId);
    let move_it: Send = |world, wall| _ = world.move_wall_until(wall, [4.0, 0.0], 4.0).unwrap();
    let turn_it: Send = |world, wall| _ = world.turn_arm(wall, 1.5, 1.0).unwrap();
    let end = vec![Wall::half_plane([3.0, 0.0], [-1.0, 0.0])];
    let corner = vec![Wall::half_plane([0.0, 2.0], [0.0, -1.0]), Wall::half_plane([1.2, 0.0], [1.0, 0.0])];
    // With its centre at (1.7, 1.5) the disc touches the arm at atan(1.5/1.7) − asin(0.75/2.27).
    let jammed = (1.5_f64).atan2(1.7) - (0.75 / 1.5_f64.hypot(1.7)).asin();
    let cases = [
        (Wall::segment([0.0, -1.0], [0.0, 1.0]), &end, [2.0, 0.0], move_it, (4.0, 2.0), [2.5, 0.0]),
        (Wall::half_plane([0.0, 0.0], [1.0, 0.0]), &end, [2.0, 0.0], move_it, (4.0, 2.0), [2.5, 0.0]),
        (Wall::arm([0.0, 0.0], 4.0, 0.25, 0.0), &corner, [2.0, 1.0], turn_it, (1.5, jammed), [1.7, 1.5]),
    ];
    for (wall, others, at, send, (goal, stop), place) in cases {
        for rule in [CrushRule::GiveWay, CrushRule::Stop] {
            let mut world = World::with_settings(Settings::default().with_crush(rule)).unwrap();
            for other in others {
                world.add_wall(other.clone().with_restitution(0.5)).unwrap();
            }
            let press = world.add_wall(wall.clone().with_restitution(0.5)).unwrap();
            let ball = world.insert(Disc::new(at, 0.5).with_restitution(0.5)).unwrap();
            send(&mut world, press);
            let done = world.advance(8.0).unwrap();
            if rule == CrushRule::Stop {
                assert_eq!(done.end, StopReason::Jammed, "{wall:?}");
                continue;
            }
            // Its time of arrival is gone, and the call goes on to its own end.
            assert_eq!((done.end, done.time.as_secs()), (StopReason::Reached, 8.0), "{wall:?}");
            let blocked = world.events().iter().find_map(|event| match *event {
                Event::WallBlocked { wall, offset, target, .. } => Some((wall, offset.x, target.x)),
                Event::TurnBlocked { wall, angle, target, .. } => Some((wall, angle, target)),
                _ => None,
            });
            let (blocked, stopped, target) = blocked.expect("it has no room");
            assert_eq!((blocked, target), (press, goal), "{wall:?}");
            assert!((stopped - stop).abs() < 1e-9, "{wall:?}: {stopped}");
            let stands = world.arm(press).map(|arm| (arm.angle, arm.rate));
            let moved = world.wall_motion(press).map(|moved| (moved.offset.x, moved.velocity.x));
            assert!([stands, moved].contains(&Some((stopped, 0.0))), "{wall:?}: {stands:?} {moved:?}");
            assert!((world.get(ball).unwrap().position() - DVec2::from(place)).length() < 1e-9, "{wall:?}");
        }
    }
}

/// A platform is passed from below and carries from above, also while it moves.
#[test]
fn a_one_way_platform_carries_what_has_passed_it() {
    let mut world = under([0.0, -10.0]);
    // It stops what comes from above.
    let platform = world.add_wall(soft(Wall::one_sided_segment([-2.0, 0.0], [2.0, 0.0]))).unwrap();
    let ball = Disc::new([0.0, -2.0], 0.25).with_velocity([0.0, 10.0]).with_restitution(0.0);
    let ball = world.insert(ball).unwrap();
    world.move_wall_until(platform, [0.0, 3.0], 6.0).unwrap();
    // It rises to 3, and comes back to the platform at 0.5 m/s.
    world.advance(1.0).unwrap();
    assert_eq!(world.counters().wall_impacts, 0);
    assert!((world.get(ball).unwrap().position().y - 3.0).abs() < 1e-12);
    world.advance(3.0).unwrap();
    let ball = world.get(ball).unwrap();
    assert!((ball.position().y - 2.25).abs() < 1e-9 && (ball.velocity().y - 0.5).abs() < 1e-9);
}

/// What lies in a corner knows both of its sides when one of them begins to move: a point on a wall has no
/// side of it by its place. (Seen: the moving part was remembered twice, and the other forgotten.)
#[test]
fn a_point_in_a_corner_stays_in_it_as_its_floor_moves() {
    for order in [[0, 1], [1, 0]] {
        let mut world = under([-1.0, -1.0]);
        let ends = [[[-4.0, 0.0], [4.0, 0.0]], [[0.0, -4.0], [0.0, 4.0]]];
        let walls = order.map(|k| world.add_wall(soft(Wall::segment(ends[k][0], ends[k][1]))).unwrap());
        let point = world.insert(Disc::new([1.0, 1.0], 0.0).with_restitution(0.0)).unwrap();
        world.advance(3.0).unwrap();
        let lies = |world: &World<Forces>, height: f64| {
            let off = world.get(point).unwrap().position() - DVec2::new(0.0, height);
            assert!(off.length() < 1e-9, "{order:?} {height}: {off}");
        };
        lies(&world, 0.0);
        let floor = walls[order[0]];
        for k in 1..=8 {
            let (height, time) = (0.25 * f64::from(k), 3.0 + 0.25 * f64::from(k));
            world.move_wall_until(floor, [0.0, height], time).unwrap();
            world.advance(0.25).unwrap();
            lies(&world, height);
        }
    }
}

/// Discs of other groups pass, and rules that change on the way hold from then on.
#[test]
fn rules_hold_for_walls_that_move() {
    let mut world = World::new();
    let door = world.add_wall(Wall::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
    let guest = Disc::new([2.0, 0.0], 0.5);
    let guest = world.insert(guest).unwrap();
    world.move_wall_until(door, [10.0, 0.0], 10.0).unwrap();
    world.set_wall_rules(door, Rules::new().with_mask(0)).unwrap();
    world.advance(1.75).unwrap();
    // The door is in the disc: it lets it part.
    world.set_wall_rules(door, Rules::new()).unwrap();
    world.advance(1.25).unwrap();
    assert_eq!(world.get(guest).map(|guest| guest.velocity()), Some(DVec2::ZERO));
    assert_eq!(world.counters().wall_impacts, 0);
    // It comes back, and hits it from the other side at 3 + 1/3 s.
    world.move_wall_until(door, DVec2::ZERO, 6.0).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(world.get(guest).map(|guest| guest.velocity()), Some(DVec2::new(-2.0, 0.0)));
}

/// What looks at the world sees a wall where it is at the present, and casts where it will be.
#[test]
fn queries_and_forecasts_see_the_wall_move() {
    let mut world = World::new();
    let bar = world.add_wall(Wall::rectangle([0.0, -1.0], [0.5, 1.0])).unwrap();
    let ball = world.insert(Disc::new([6.0, 0.0], 0.5)).unwrap();
    world.move_wall_until(bar, [8.0, 0.0], 4.0).unwrap();
    world.advance(1.0).unwrap();
    let (all, mut found) = (QueryFilter::new(), Vec::new());
    world.overlap_point([2.0, 0.5], &all, &mut found).unwrap();
    assert!(matches!(found[..], [Partner::Wall { wall, .. }] if wall == bar), "{found:?}");
    world.overlap_point([0.0, 0.5], &all, &mut found).unwrap();
    assert!(found.is_empty());
    let ray = carom_engine::Ray::new([-1.0, 0.25], [1.0, 0.0]);
    assert_eq!(world.cast_ray(&ray, &all).unwrap().map(|hit| hit.distance), Some(3.0));
    let still = Disc::new([4.0, 0.0], 0.5);
    let hit = world.cast_disc(&still, &CastOptions::new().with_max_time(3.0), &all).unwrap().unwrap();
    assert_eq!((hit.seconds, hit.point, hit.normal), (0.5, DVec2::new(3.5, 0.0), DVec2::X));
    let still = CastOptions::new().with_max_time(3.0).with_frozen(true);
    assert!(world.cast_disc(&Disc::new([4.0, 0.0], 0.5), &still, &all).unwrap().is_none());
    let runs = Disc::new([4.0, 0.0], 0.5).with_velocity([-1.0, 0.0]);
    let hit = world.cast_disc(&runs, &still, &all).unwrap().unwrap();
    assert_eq!((hit.seconds, hit.point), (1.0, DVec2::new(2.5, 0.0)));
    let mut forecast = Forecast::new();
    let pieces = forecast.path(&world, ball, &ForecastOptions::new(3.0)).unwrap().to_vec();
    world.advance(3.0).unwrap();
    let impact = world.events().iter().find_map(|event| event.impact().copied()).unwrap();
    assert_eq!((impact.time.as_secs(), pieces[0].end), (2.5, impact.time));
}

/// Commands move walls, and one that cannot move is refused by an event.
#[test]
fn timers_move_walls() {
    let mut world = World::new();
    let bar = world.add_wall(Wall::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
    let room = world.add_wall(Wall::circle([0.0, 0.0], 9.0)).unwrap();
    world.command_at(1.0, Command::MoveWall(bar, DVec2::new(2.0, 0.0), 2.0)).unwrap();
    world.command_at(1.0, Command::MoveWall(room, DVec2::new(2.0, 0.0), 2.0)).unwrap();
    world.advance(5.0).unwrap();
    let [Event::Refused { .. }, Event::WallMoved { time, wall, .. }] = world.events() else {
        panic!("{:?}", world.events());
    };
    assert_eq!((time.as_secs(), *wall), (3.0, bar));
}

/// Points keep the side of a bar on which they are as it starts, moves and stops.
#[test]
fn points_keep_their_side() {
    let mut rng = Rng::new(7);
    for case in 0..cases(40) {
        let mut world = World::new();
        let tilt = DVec2::from_angle(rng.range(0.0, 6.3));
        let bar = world.add_wall(Wall::segment(-tilt * 9.0, tilt * 9.0)).unwrap();
        let box_ = Wall::rectangle([-30.0, -30.0], [30.0, 30.0]);
        world.add_wall(box_).unwrap();
        let normal = tilt.perp();
        let points: Vec<_> = (0..8)
            .map(|_| {
                let place = tilt * rng.range(-5.0, 5.0) + normal * rng.range(-2.0, 2.0);
                let velocity = rng.vector(2.0);
                (
                    world.insert(Disc::new(place, 0.0).with_velocity(velocity)).unwrap(),
                    place.dot(normal) > 0.0,
                )
            })
            .collect();
        for _ in 0..6 {
            let now = world.now().as_secs();
            world.move_wall_until(bar, normal * rng.range(-1.0, 1.0), now + rng.range(0.05, 0.5)).unwrap();
            assert_eq!(world.advance(rng.range(0.0, 0.6)).unwrap().end, StopReason::Reached);
        }
        let offset = world.wall_motion(bar).unwrap().offset;
        for (k, &(id, is_above)) in points.iter().enumerate() {
            let d = world.get(id).unwrap().position() - offset;
            // Past its ends there is a way round.
            if world.now().as_secs() < 1.0 {
                assert!((d.dot(normal) > 0.0) == is_above || d.dot(normal).abs() < 1e-12, "{case} {k}");
            }
        }
    }
}
