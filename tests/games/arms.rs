//! Arms: flippers that turn between two angles.

use crate::common::rng::{Rng, cases};
use crate::forces::scene::under;
use carom_engine::{
    CastOptions, DVec2, Disc, DiscId, Error, Event, Forecast, ForecastOptions, Partner, Physics, QueryFilter,
    Region, Settings, StopReason, UpcomingKind, Wall, WallId, WallShape, World,
};

/// The distance between the surfaces of a disc and an arm, by platform sines.
fn gap<P: Physics>(world: &World<P>, arm: WallId, disc: DiscId) -> f64 {
    let wall = world.walls().find(|(id, _)| *id == arm).map(|(_, wall)| wall.shape.clone());
    let Some(WallShape::Arm { pivot, length, radius, .. }) = wall else { panic!("it is an arm") };
    let (sin, cos) = world.arm(arm).unwrap().angle.sin_cos();
    let (disc, axis) = (world.get(disc).unwrap(), DVec2::new(cos, sin));
    let d = disc.position() - pivot;
    (d - axis * d.dot(axis).clamp(0.0, length)).length() - disc.radius() - radius
}

/// It stops at the bits that were asked for, says so, and is where its rate takes it on the way.
#[test]
fn an_arm_turns_and_stops() {
    let mut world = World::new();
    let arm = world.add_wall(Wall::arm([1.0, 2.0], 2.0, 0.1, -0.3)).unwrap();
    let stops = world.turn_arm(arm, 0.7, 4.0).unwrap();
    assert_eq!(stops.as_secs(), 0.25);
    assert_eq!(
        world.next_event().map(|next| (next.time, next.kind)),
        Some((stops, UpcomingKind::Turned(arm)))
    );
    world.advance(0.125).unwrap();
    let state = world.arm(arm).unwrap();
    assert_eq!((state.angle, state.rate, state.target), (-0.3 + 4.0 * 0.125, 4.0, 0.7));
    // From where it is, the other way.
    let stops = world.turn_arm(arm, -0.3, 8.0).unwrap().as_secs();
    assert!((stops - 0.1875).abs() < 1e-15);
    assert_eq!(world.arm(arm).unwrap().rate, -8.0);
    world.advance(1.0).unwrap();
    assert!(matches!(world.events(), [Event::Turned { wall, angle: -0.3, .. }] if *wall == arm));
    let state = world.arm(arm).unwrap();
    assert_eq!((state.angle, state.rate, state.target), (-0.3, 0.0, -0.3));
    world.remove_wall(arm).unwrap();
    assert_eq!(world.arm(arm), None);
    assert!(matches!(world.turn_arm(arm, 0.0, 1.0), Err(Error::NoSuchWall(_))));
}

#[test]
fn bad_turns_are_refused() {
    let mut world = World::new();
    let arm = world.add_wall(Wall::arm([0.0, 0.0], 2.0, 0.1, 0.0)).unwrap();
    let post = world.add_wall(Wall::disc([9.0, 0.0], 1.0)).unwrap();
    for (to, rate, field) in [
        (f64::NAN, 1.0, "angle"),
        (2e6, 1.0, "angle"),
        (1.0, 0.0, "rate"),
        (1.0, -1.0, "rate"),
        (1.0, f64::INFINITY, "rate"),
        (1.0, f64::NAN, "rate"),
        (1.0, 1e15, "rate"),
    ] {
        let refused = world.turn_arm(arm, to, rate);
        assert!(matches!(refused, Err(Error::OutOfRange { field: of, .. }) if of == field), "{refused:?}");
    }
    assert!(matches!(
        world.turn_arm(arm, 1.0, 1e-300),
        Err(Error::OutOfRange { .. } | Error::Inconsistent { .. })
    ));
    assert!(matches!(world.turn_arm(post, 1.0, 1.0), Err(Error::CannotTurn { .. })));
    for wall in [
        Wall::<()>::arm([f64::NAN, 0.0], 1.0, 0.1, 0.0),
        Wall::arm([0.0, 0.0], 0.0, 0.1, 0.0),
        Wall::arm([0.0, 0.0], 1.0, -0.1, 0.0),
        Wall::arm([0.0, 0.0], 1.0, 0.1, 1e7),
    ] {
        assert!(matches!(world.add_wall(wall), Err(Error::OutOfRange { .. })));
    }
    let region = world.add_region(Region::wall(arm)).unwrap();
    assert!(matches!(world.turn_arm(arm, 1.0, 1.0), Err(Error::CannotTurn { .. })));
    world.remove_region(region).unwrap();
    world.turn_arm(arm, 1.0, 1.0).unwrap();
    assert!(matches!(world.set_growth(0.1), Err(Error::CannotGrow { .. })));
    assert!(world.add_region(Region::wall(arm)).is_err());
}

/// Against a surface of infinite mass at the velocity `u` the normal velocity becomes `2 u − v`: `u = ω s` at
/// the distance `s` along the arm. Its work is in the ledger.
#[test]
fn discs_leave_at_the_speed_of_the_surface() {
    let mut rng = Rng::new(4);
    for _ in 0..cases(40) {
        let (along, rate, e) = (0.5 + rng.unit(), 1.0 + 30.0 * rng.unit(), rng.pick(&[1.0, 0.5]));
        let mut world = World::new();
        let arm = world.add_wall(Wall::arm([0.0, 0.0], 2.0, 0.25, 0.0).with_restitution(e)).unwrap();
        let ball = Disc::new([along, 1.0], 0.5).with_mass(2.0).with_restitution(e).with_velocity([0.0, -0.7]);
        let ball = world.insert(ball).unwrap();
        world.turn_arm(arm, 1.5, rate).unwrap();
        let done = world.advance_until_event(1.0, |event| event.impact().is_some()).unwrap();
        assert_eq!(done.end, StopReason::Stopped);
        let impact = *world.events().last().and_then(Event::impact).unwrap();
        assert_eq!(impact.b, Partner::Wall { wall: arm, part: 0 });
        let normal = -impact.normal;
        let surface = impact.point.perp() * rate;
        assert!((impact.before[1] - surface).length() < 1e-12 * rate);
        let [before, after] = [impact.before, impact.after].map(|[v, u]| (v - u).dot(normal));
        assert!((after + e * before).abs() < 1e-12 * before.abs(), "{before} {after}");
        assert!(gap(&world, arm, ball).abs() < 1e-14);
        let (ledger, energy) = (world.ledger(), world.kinetic_energy());
        assert!((ledger.total - energy).abs() < 1e-12 * energy, "{ledger:?} {energy}");
    }
}

/// A disc of 1 mm at 100 m/s before a flipper that goes to and fro at up to 1000 rad/s is never inside of it.
#[test]
fn small_fast_discs_pass_no_flipper() {
    let (mut rng, mut hits) = (Rng::new(5), 0);
    for seed in 0..cases(30) {
        let mut world = under([0.0, -10.0]);
        world.add_wall(Wall::container([-0.2, -0.2], [0.2, 0.2])).unwrap();
        let thickness = rng.pick(&[0.0, 0.001, 0.008]);
        let arm = world.add_wall(Wall::arm([0.0, 0.0], 0.07, thickness, 0.0)).unwrap();
        let velocity = DVec2::from_angle(6.3 * rng.unit()) * 100.0;
        let disc = Disc::new([0.1, rng.range(-0.15, 0.15)], 0.0005).with_velocity(velocity);
        let disc = world.insert(disc).unwrap();
        let mut up = false;
        for step in 0..4000 {
            if step % 400 == 0 {
                up = !up;
                world.turn_arm(arm, if up { 1.5 } else { -1.5 }, rng.pick(&[20.0, 200.0, 1000.0])).unwrap();
            }
            assert_eq!(world.advance(1e-5).unwrap().end, StopReason::Reached, "seed {seed}");
            let gap = gap(&world, arm, disc);
            assert!(gap > -1e-13, "seed {seed}, step {step}: {gap:e}");
        }
        hits += world.counters().wall_impacts;
    }
    assert!(hits > 300, "{hits}");
}

/// A point that flies for 20 s at 40 m/s, at times that are rounded to 4·10⁻¹⁵ s, is placed up to 10⁻¹³
/// beyond an arm without thickness that it hits. It bounces on the side from which it came.
#[test]
fn fast_points_pass_no_thin_arm() {
    let mut rng = Rng::new(7);
    for seed in 0..cases(100) {
        let mut world = World::with_settings(Settings::default().with_epoch(64.0)).unwrap();
        let arm = world.add_wall(Wall::arm([0.0, 0.0], 4.0, 0.0, 0.0)).unwrap();
        let turn = rng.pick(&[1.0, -1.0]);
        world.turn_arm(arm, turn, 0.04).unwrap();
        let velocity = DVec2::new(rng.range(-10.0, 10.0), rng.pick(&[40.0, -40.0]));
        let start = rng.range(1.0, 3.0) * DVec2::from_angle(turn * rng.range(0.7, 0.9)) - 20.0 * velocity;
        world.insert(Disc::new(start, 0.0).with_velocity(velocity)).unwrap();
        world.advance(25.0).unwrap();
        let (ledger, energy) = (world.ledger(), world.kinetic_energy());
        assert!((ledger.total - energy).abs() < 1e-12 * energy, "seed {seed}: {ledger:?} {energy}");
        for impact in world.events().iter().filter_map(Event::impact) {
            assert!(impact.approach_speed > 1.0, "seed {seed}: {impact:?}");
        }
    }
}

/// A soft ball on a soft arm that lifts it: it stays above, in a bounded number of hops, and lies still once
/// the arm does. Without the least speed of parting it would hang.
#[test]
fn what_is_lifted_hops_a_bounded_number_of_times() {
    let mut world = under([0.0, -10.0]);
    for (x, normal) in [(0.5, 1.0), (3.0, -1.0)] {
        world.add_wall(Wall::half_plane([x, 0.0], [normal, 0.0]).with_restitution(0.0)).unwrap();
    }
    let arm = world.add_wall(Wall::arm([0.0, 0.0], 3.0, 0.1, -0.4).with_restitution(0.0)).unwrap();
    let ball = world.insert(Disc::new([1.5, 0.5], 0.25).with_restitution(0.0)).unwrap();
    world.advance(3.0).unwrap();
    assert!(world.held_to(ball).count() == 2, "it lies in the corner");
    for (to, rate) in [(0.3, 0.2), (-0.4, 0.2), (0.0, 3.0), (-0.5, 40.0), (0.4, 1.0), (-0.2, 0.7)] {
        world.turn_arm(arm, to, rate).unwrap();
        for _ in 0..100 {
            let done = world.advance(0.04).unwrap();
            assert_eq!(done.end, StopReason::Reached);
            assert!(done.events < 2000, "{} events", done.events);
            let gap = gap(&world, arm, ball);
            assert!(gap > -1e-9, "{gap:e} on the way to {to}");
        }
    }
    assert!(world.held_to(ball).any(|held| matches!(held, Partner::Wall { wall, .. } if wall == arm)));
}

/// A point has no size by which it could be taken up: it hops by that of the arm, however slowly that turns.
/// Of a length of 3 m, 1/1024 is a hop of 3 mm, for which a point flies 2 √(2 · 3 mm / 10 m/s²) = 48 ms.
#[test]
fn a_point_that_is_lifted_hops_by_the_length_of_the_arm() {
    let mut world = under([0.0, -10.0]);
    let arm = world.add_wall(Wall::arm([0.0, 0.0], 3.0, 0.1, 0.0).with_restitution(0.0)).unwrap();
    world.insert(Disc::new([1.5, 0.5], 0.0).with_restitution(0.0)).unwrap();
    world.advance(1.0).unwrap();
    world.turn_arm(arm, 0.1, 0.001).unwrap();
    let done = world.advance(1.0).unwrap();
    assert!((10..40).contains(&done.events), "{} events", done.events);
}

/// What looks at the world sees an arm where it is at the present.
#[test]
fn queries_and_forecasts_see_the_arm_turn() {
    let mut world = World::new();
    let arm = world.add_wall(Wall::arm([0.0, 0.0], 2.0, 0.25, 0.0)).unwrap();
    let ball = world.insert(Disc::new([0.0, 1.5], 0.25)).unwrap();
    world.turn_arm(arm, std::f64::consts::PI, 1.0).unwrap();
    world.advance(std::f64::consts::FRAC_PI_4).unwrap();
    let (all, at) = (QueryFilter::new(), DVec2::new(1.0, 1.0));
    let mut found = Vec::new();
    world.overlap_point(at, &all, &mut found).unwrap();
    assert_eq!(found, [Partner::Wall { wall: arm, part: 0 }]);
    world.overlap_point([1.0, 0.0], &all, &mut found).unwrap();
    assert!(found.is_empty());
    // It comes to the ball, whose centre is 1.5 from the pivot, at asin(0.5/1.5) before the upright.
    let still = Disc::new([-0.5, 1.5], 0.2);
    let hit = world.cast_disc(&still, &CastOptions::new().with_max_time(3.0), &all).unwrap();
    assert!(hit.is_some_and(|hit| hit.body == Partner::Wall { wall: arm, part: 0 }), "{hit:?}");
    let mut forecast = Forecast::new();
    let pieces = forecast.path(&world, ball, &ForecastOptions::new(2.0)).unwrap().to_vec();
    world.advance(2.0).unwrap();
    let impact = world.events().iter().find_map(|event| event.impact().copied()).unwrap();
    let turned = std::f64::consts::FRAC_PI_2 - (0.5_f64 / 1.5).asin();
    assert!((impact.time.as_secs() - turned).abs() < 1e-14);
    assert_eq!(pieces[0].end, impact.time);
}

/// An arm that is turned elsewhere on its way sets out from there, and its description says so.
#[test]
fn an_arm_that_is_turned_back_sets_out_from_where_it_is() {
    let mut world = World::new();
    let arm = world.add_wall(Wall::arm([0.0, 0.0], 2.0, 0.25, 0.0)).unwrap();
    world.turn_arm(arm, 1.0, 1.0).unwrap();
    world.advance(0.5).unwrap();
    world.turn_arm(arm, -1.0, 2.0).unwrap();
    world.advance(0.25).unwrap();
    let described = &world.get_wall(arm).unwrap().shape;
    assert!(matches!(described, WallShape::Arm { angle, .. } if *angle == 0.5), "{described:?}");
    assert_eq!(world.arm(arm).map(|arm| (arm.angle, arm.target)), Some((0.0, -1.0)));
}

/// What an arm presses along is hit again and again, and recedes from it then or approaches it by the
/// rounding of places, the more the further from the origin: the ledger has what each impact did.
#[test]
fn the_ledger_closes_beside_an_arm_wherever_it_is() {
    let (mut rng, mut impacts) = (Rng::new(266_706), 0);
    for case in 0..cases(40) {
        let middle = DVec2::new(4e6, -2e6) * [0.0, 1.0][case as usize % 2];
        let mut world = under([0.0, -1.0]);
        let arm =
            world.add_wall(Wall::arm(middle, 2.0, 0.1, 0.0).with_restitution(rng.range(0.0, 1.0))).unwrap();
        let place = middle + DVec2::new(rng.range(0.3, 1.5), 0.5);
        world.insert(Disc::new(place, 0.04).with_mass(rng.range(0.1, 3.0)).with_restitution(0.0)).unwrap();
        world.turn_arm(arm, 1.5, rng.range(2.0, 30.0)).unwrap();
        let mut largest = 0.0_f64;
        while let StopReason::OutOfBudget = world.advance(1.0).unwrap().end {
            largest = largest.max(world.kinetic_energy());
        }
        let (ledger, energy) = (world.ledger(), world.kinetic_energy());
        largest = ledger.entries().map(|(_, entry)| entry.abs()).fold(largest, f64::max);
        let off = (ledger.total - energy).abs();
        assert!(off <= 1e-13 * largest, "case {case}: off by {off:e} of {largest:e}: {ledger:?}");
        assert!(world.counters().wall_impacts >= 10, "case {case}: {:?}", world.counters());
        impacts += world.counters().wall_impacts;
    }
    assert!(impacts > 10 * cases(40), "{impacts} impacts");
}
