//! Friction in contacts that are held, at its limits: what slips, and how fast at first.

use super::held_friction::{Rubbing, disc, motion, world_of};
use carom_engine::{DVec2, DiscId, RoughDisc, RoughWall, Roughness, Settings, Spin, Wall, World};
use carom_engine::{Forces, Rest, Rough};
use carom_testkit::at;

/// A disc rolls down a slope with g sin θ/(1 + q) where tan θ ≤ μ (1 + 1/q). A millionth beyond it slides
/// with g (sin θ − μ cos θ) and turns with μ g cos θ/(q R): after a second the two differ by 10⁻⁵.
#[test]
fn the_steepest_slope_that_a_disc_rolls_down_is_known_to_a_millionth() {
    for inertia in [0.4, 0.5, 1.0] {
        for least in [0.1_f64, 0.3, 1.0] {
            let angle = (least * (1.0 + 1.0 / inertia)).atan();
            for (friction, rolls) in [(least * (1.0 + 1e-6), true), (least * (1.0 - 1e-6), false)] {
                let mut world = world_of(friction);
                let down = DVec2::from_angle(-angle);
                world.add_wall(Wall::half_plane([0.0, 0.0], down.perp())).unwrap();
                let body = RoughDisc { inertia, ..RoughDisc::default() };
                let id = world.insert(disc(down.perp() * 0.5, 0.5).with_body(body)).unwrap();
                world.advance(1.0).unwrap();
                let (velocity, spin) = motion(&world, id);
                let (pull, press) = (10.0 * angle.sin(), 10.0 * angle.cos());
                let rolling = [pull / (1.0 + inertia); 2];
                let sliding = [pull - friction * press, friction * press / inertia];
                let [speed, rim] = if rolls { rolling } else { sliding };
                let off = (velocity.dot(down) - speed).abs().max((-0.5 * spin - rim).abs());
                assert!(off < 1e-14, "{inertia} {friction}: {off:e}");
            }
        }
    }
}

/// Three equal discs of radius 1 as a pyramid on a floor, and the accelerations of the top downwards, of the
/// right one outwards and counterclockwise, as they are 10⁻⁵ s after it was let go.
fn pyramid(of_discs: f64, of_floor: f64, inertia: f64) -> [f64; 3] {
    let roughness = Roughness::new(of_discs, 0.0).unwrap();
    let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let rest = Rest::strict().with_gap(1e-12);
    let settings = Settings::default().with_rest(Some(rest));
    let mut world = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
    // Of disc and floor the geometric mean counts.
    let floor = if of_floor == 0.0 { 0.0 } else { of_floor * of_floor / of_discs };
    let floor = Roughness::new(floor, 0.0).unwrap();
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(floor.into())).unwrap();
    let body = RoughDisc { inertia, ..RoughDisc::default() };
    let [left, right, top] = [at(-1.0, 1.0), at(1.0, 1.0), at(0.0, 1.0 + 3.0_f64.sqrt())]
        .map(|place| world.insert(disc(place, 1.0).with_body(body)).unwrap());
    world.advance(1e-5).unwrap();
    let [(_, other_turns), (out, turns), (down, _)] = [left, right, top].map(|id| motion(&world, id));
    assert!((turns + other_turns).abs() <= 1e-15, "{turns} {other_turns}");
    [-down.y, out.x, turns].map(|speed| speed / 1e-5)
}

/// How a pyramid of three begins to fail. With `a` the acceleration of the top, the lower two go outwards
/// with `√3 a`, as all three stay in contact.
///
/// Where the contacts of the top slip and the floor holds, the lower two roll. With `N` and `μ N` at the top,
///
/// ```text
/// m a = m g − N (√3 + μ),   (1 + q) m √3 a = ½ N (1 − μ (2 + √3)) .
/// ```
///
/// Where the floor lets the lower two slip, and they roll on the top, which turns them by `2a/R` inwards,
///
/// ```text
/// a (7 + 8q − (2 + √3) μ) = g (1 − 3 (2 + √3) μ) .
/// ```
///
/// With smooth contacts `a = g/7`. Both are 0 at the coefficients with which a pyramid stands; at `10⁻⁴`
/// less they are some `5 · 10⁻⁵` g. A piece of motion has the forces of its middle, which differ by
/// `8 · 10⁻⁷` g at the gap of `10⁻¹²`.
#[test]
fn a_pyramid_fails_with_the_accelerations_of_coulombs_law() {
    let root = 3.0_f64.sqrt();
    let near = |got: [f64; 3], want: [f64; 3]| {
        let off = DVec2::new(got[0] - want[0], got[1] - want[1]).length().max((got[2] - want[2]).abs());
        assert!(off < 1e-5, "{got:?} {want:?}: {off:e}");
    };
    let smooth = 10.0 / 7.0;
    near(pyramid(0.0, 0.0, 0.5), [smooth, root * smooth, 0.0]);
    for inertia in [0.4, 0.5, 1.0] {
        let least = 2.0 - root;
        for friction in [0.05, 0.2, least - 1e-2, least - 1e-4] {
            let opens = 0.5 * (1.0 - friction * (2.0 + root));
            let force = 10.0 / (root + friction + opens / (root * (1.0 + inertia)));
            let out = force * opens / (1.0 + inertia);
            near(pyramid(friction, 2.0, inertia), [out / root, out, -out]);
            let friction = friction / 3.0;
            let falls = 10.0 * (1.0 - 3.0 * (2.0 + root) * friction);
            let falls = falls / (7.0 + 8.0 * inertia - (2.0 + root) * friction);
            near(pyramid(2.0, friction, inertia), [falls, root * falls, 2.0 * falls]);
        }
    }
}

/// A disc of radius 1 in the corner of a floor and a wall to the right, which rub it by these coefficients.
fn in_a_corner(of_floor: f64, of_wall: f64, inertia: f64, spin: f64) -> (Rubbing, DiscId) {
    let mut world = world_of(1.0);
    // Of disc and wall the geometric mean counts.
    let surface = |friction: f64| RoughWall::from(Roughness::new(friction * friction, 0.0).unwrap());
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(surface(of_floor))).unwrap();
    world.add_wall(Wall::half_plane([2.0, 0.0], [-1.0, 0.0]).with_surface(surface(of_wall))).unwrap();
    let body = RoughDisc { inertia, ..RoughDisc::default() };
    let spun = disc(at(1.0, 1.0), 1.0).with_body(body).with_extra(Spin::new(spin));
    let id = world.insert(spun).unwrap();
    (world, id)
}

/// A disc that is spun clockwise in the corner of a floor and a wall to the right: friction on the floor
/// presses it to the wall, N₂ = μ₁ N₁, and friction at the wall carries a part of it, N₁ + μ₂ N₂ = m g. So
/// N₁ = m g/(1 + μ₁ μ₂), and it slows down by (μ₁ N₁ + μ₂ N₂)/(q m R) until it is at rest. Different
/// coefficients tell the two forces apart.
#[test]
fn a_spin_in_a_corner_ends_by_both_forces() {
    for (of_floor, of_wall) in [(0.5, 0.5), (0.3, 1.2), (1.2, 0.3), (0.25, 0.0), (3.0, 2.0)] {
        for inertia in [0.4, 0.5, 1.0] {
            let floor = 10.0 / (1.0 + of_floor * of_wall);
            let wall = of_floor * floor;
            let slows = (of_floor * floor + of_wall * wall) / inertia;
            let (mut world, id) = in_a_corner(of_floor, of_wall, inertia, -20.0);
            let ends = 20.0 / slows;
            for part in [0.25, 0.5, 1.0 - 1e-9] {
                world.advance_to(part * ends).unwrap();
                let (velocity, spin) = motion(&world, id);
                let off = (spin + 20.0 * (1.0 - part)).abs();
                assert!(off < 3e-14 && velocity == DVec2::ZERO, "{of_floor} {of_wall}: {spin} {velocity}");
            }
            world.advance_to(ends * (1.0 + 1e-9)).unwrap();
            assert_eq!(motion(&world, id), (DVec2::ZERO, 0.0), "{of_floor} {of_wall}");
        }
    }
}

/// A disc of radius 1 in a V of two belts at these angles to the floor, which turn it counterclockwise at the
/// speed 1.
fn in_belts(right: f64, left: f64, friction: f64) -> (Rubbing, DiscId) {
    let mut world = world_of(friction);
    let belt = RoughWall::default().with_surface_speed(1.0).unwrap();
    let normals = [DVec2::from_angle(right).perp(), DVec2::from_angle(-left).perp()];
    for normal in normals {
        world.add_wall(Wall::half_plane([0.0, 0.0], normal).with_surface(belt)).unwrap();
    }
    // As far as its radius from both.
    let place = (normals[0] + normals[1]) / (1.0 + normals[0].dot(normals[1]));
    let id = world.insert(disc(place, 1.0)).unwrap();
    (world, id)
}

/// Two belts that turn a disc counterclockwise: the right one, at β, drives it up, and that at γ down. While
/// it turns in place, N sin β = N′ sin γ + μ (N cos β + N′ cos γ), and
/// N cos β + N′ cos γ + μ (N sin β − N′ sin γ) = m g. Hence N′ = 0 at μ = tan β, which is 1 at 45°, whatever
/// γ is. Beyond it climbs out along the right belt, with g (μ cos β − sin β); below, spin grows by
/// μ (N + N′)/(q m R) while its centre rests. Bracketed to a millionth.
#[test]
fn a_disc_climbs_out_of_two_belts() {
    for (right, left) in [(45.0_f64, 45.0_f64), (30.0, 60.0), (60.0, 30.0), (20.0, 20.0)] {
        let (right, left) = (right.to_radians(), left.to_radians());
        for off in [1e-2, 1e-4, 1e-6] {
            let friction = right.tan() * (1.0 - off);
            let (mut world, id) = in_belts(right, left, friction);
            world.advance(0.02).unwrap();
            let (velocity, spin) = motion(&world, id);
            // Of the two equations: N a = N′ b, N c + N′ d = m g.
            let (a, b) = (right.sin() - friction * right.cos(), left.sin() + friction * left.cos());
            let (c, d) = (right.cos() + friction * right.sin(), left.cos() - friction * left.sin());
            let forces = 10.0 * (a + b) / (b * c + a * d);
            let grown = 0.02 * friction * forces / 0.5;
            assert!((spin - grown).abs() < 1e-15 && velocity == DVec2::ZERO, "{off} {spin} {velocity}");

            let friction = right.tan() * (1.0 + off);
            let (mut world, id) = in_belts(right, left, friction);
            world.advance(0.02).unwrap();
            let (velocity, spin) = motion(&world, id);
            let climbs = DVec2::from_angle(right) * (0.02 * 10.0 * (friction * right.cos() - right.sin()));
            let grown = 0.02 * friction * 10.0 * right.cos() / 0.5;
            let wrong = velocity.distance(climbs).max((spin - grown).abs());
            assert!(wrong < 1e-15, "{off}: {velocity} {spin} {wrong:e}");
        }
    }
}

/// A belt of speed 2 on which a disc rides stops, and the disc slips with μ g against its way. Rolling
/// resistance ρ is less than that turns it, at (μ − ρ) g/(q R). So it rolls after 2/(μ g + (μ − ρ) g/q) s,
/// and then slows down by ρ g/(1 + q). A belt that starts under a disc at rest is the same the other way
/// round.
#[test]
fn a_disc_slips_when_its_belt_stops_or_starts() {
    for (before, after) in [(2.0, 0.0), (0.0, 2.0)] {
        let roughness = Roughness::new(0.3, 0.0).unwrap().with_rolling_resistance(0.02).unwrap();
        let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
        let settings = Settings::default().with_rest(Some(Rest::strict()));
        let mut world = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
        let belt = |speed| RoughWall::default().with_surface_speed(speed).unwrap();
        let floor = Wall::half_plane([0.0, 0.0], [0.0, 1.0]);
        let floor = world.add_wall(floor.with_surface(belt(before))).unwrap();
        let id = world.insert(disc(at(0.0, 1.0), 1.0).with_velocity([before, 0.0])).unwrap();
        world.advance(1.0).unwrap();
        assert_eq!(motion(&world, id), (DVec2::new(before, 0.0), 0.0));
        world.set_wall_surface(floor, belt(after)).unwrap();
        let rolls = 2.0 / (3.0 + 2.8 / 0.5);
        for (time, slowed) in [(0.1, 0.3), (0.5, 3.0 * rolls + 0.2 / 1.5 * (0.5 - rolls))] {
            world.advance_to(1.0 + time).unwrap();
            let want = before + slowed * (after - before).signum();
            let (velocity, _) = motion(&world, id);
            assert!((velocity.x - want).abs() < 1e-12, "{before} {time}: {velocity} {want}");
        }
    }
}
