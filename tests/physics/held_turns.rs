//! Friction in contacts that are held and turn: closed forms along curves, and on what turns itself.

use super::held_friction::{Rubbing, disc, motion, world_of};
use carom_engine::{
    DVec2, DiscForces, Forces, Rest, Rough, RoughDisc, RoughWall, Roughness, Settings, Spin, Wall, World,
};
use carom_testkit::at;
use core::f64::consts::{FRAC_PI_2, TAU};

/// The period of a pendulum of this length in a gravity of 10, from this angle: `2π √(L/g)` by the
/// arithmetic-geometric mean of 1 and cos ½θ (Gauss).
fn period(length: f64, angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    TAU * (length / 10.0).sqrt() / a
}

/// How far the time is off at which a disc of radius 1 passes the lowest point of a bowl of radius 5 for the
/// third time, as a part of it, if it was let go at this angle. 5/4 periods.
fn swing(rest: Rest, angle: f64) -> f64 {
    let roughness = Roughness::new(f64::INFINITY, 0.0).unwrap();
    let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let settings = Settings::default().with_rest(Some(rest));
    let mut world: Rubbing = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
    world.add_wall(Wall::circle(at(0.0, 0.0), 5.0)).unwrap();
    let id = world.insert(disc(DVec2::from_angle(angle - FRAC_PI_2) * 4.0, 1.0)).unwrap();
    let length = 1.5 * 4.0;
    let time = 1.25 * period(length, angle);
    world.advance(time).unwrap();
    let place = world.get(id).unwrap().position();
    let at_lowest = (2.0 * 10.0 * (1.0 - angle.cos()) / length).sqrt();
    place.x.atan2(-place.y) / (at_lowest * time)
}

/// A disc that rolls about in a bowl is a pendulum of the length (1 + q) (R − r). In a piece that bends the
/// force has one direction, which makes a swing slower: by a part that grows with the gap over the square of
/// the angle, up to 0.3 % where a swing has few pieces. Measured, by default and strictly: 2.76·10⁻³ and
/// 7.97·10⁻⁴ at 0.1°; 2.76·10⁻³ and 4.67·10⁻⁵; 1.52·10⁻³ and 6.04·10⁻⁶; 1.10·10⁻⁴ and 6.22·10⁻⁷ at 30°.
#[test]
fn swings_in_a_bowl_have_the_period_of_a_pendulum() {
    for (degrees, most) in
        [(0.1_f64, [3e-3, 8.5e-4]), (1.0, [3e-3, 5e-5]), (5.0, [1.7e-3, 6.5e-6]), (30.0, [1.2e-4, 6.6e-7])]
    {
        for (rest, most) in [Rest::default(), Rest::strict()].into_iter().zip(most) {
            let off = swing(rest, degrees.to_radians());
            assert!(off > 0.0 && off < most, "{degrees}: {off:e}");
        }
    }
}

/// The angles from the top, in degrees, at which a disc slips on a fixed one of its size, if it does, and at
/// which it flies. The contact is let go at the next event.
fn slips_and_leaves(friction: f64, start: f64) -> (Option<f64>, f64) {
    let mut world = world_of(friction);
    world.add_wall(Wall::disc(at(0.0, 0.0), 1.0)).unwrap();
    let id = world.insert(disc(DVec2::from_angle(FRAC_PI_2 - start) * 2.0, 1.0)).unwrap();
    let (mut slips, mut angle) = (None, 0.0);
    for _ in 0..5000 {
        world.step_event();
        let disc = world.get(id).unwrap();
        let before = angle;
        angle = disc.position().angle_to(DVec2::Y).to_degrees();
        let slip = disc.velocity().length() + disc.extra().angular_velocity;
        if slip > 1e-9 && slips.is_none() {
            slips = Some(before);
        }
        if disc.acceleration() == DVec2::new(0.0, -10.0) {
            return (slips, angle);
        }
    }
    unreachable!("it stays on the other")
}

/// Where a function falls through 0 between two angles.
fn zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        (low, high) = if f(middle) > 0.0 { (middle, high) } else { (low, middle) };
    }
    low
}

/// Where a disc that rolls down from `start` beside the top of a fixed one slips, and where it leaves.
fn where_it_slips_and_leaves(friction: f64, start: f64) -> [f64; 2] {
    let q = 0.5;
    let rolling = |angle: f64| 2.0 * (start.cos() - angle.cos()) / (1.0 + q);
    let spare = |angle: f64| friction * (1.0 + q) * (angle.cos() - rolling(angle)) - q * angle.sin();
    let slips = zero(start, FRAC_PI_2, spare);
    let square = 4.0 * friction * friction;
    let own = |angle: f64| ((square - 2.0) * angle.cos() - 6.0 * friction * angle.sin()) / (1.0 + square);
    let rest = rolling(slips) - own(slips);
    let sliding = |angle: f64| own(angle) + rest * (2.0 * friction * (angle - slips)).exp();
    [slips, zero(slips, FRAC_PI_2, |angle| angle.cos() - sliding(angle))].map(f64::to_degrees)
}

/// A disc starts at the angle θ₀ from the top of a fixed disc, and rolls down. Let `y = L θ′²/g`, L = R + r.
/// It rolls while q sin θ ≤ μ (1 + q) (cos θ − y), with y = 2 (cos θ₀ − cos θ)/(1 + q). Then it slides.
/// Newton's law gives `dy/dθ = 2 sin θ − 2μ (cos θ − y)`. The solution of this equation is
///
/// ```text
/// y = C e^{2μθ} + ((4μ² − 2) cos θ − 6μ sin θ)/(1 + 4μ²) ,
/// ```
///
/// and leaves where y = cos θ. Pieces are of 0.05° to 0.07°, and end where friction has nothing to spare, and
/// where the force falls to 0. Measured: it slips within 7·10⁻⁴ of a degree, and leaves within 3·10⁻⁴.
#[test]
fn a_disc_slips_and_leaves_another_at_known_angles() {
    let start = 1e-3_f64;
    for friction in [0.1, 0.25, 0.5, 1.0, 2.0] {
        let [slips, leaves] = where_it_slips_and_leaves(friction, start);
        let (slipped, left) = slips_and_leaves(friction, start);
        let off = [slipped.unwrap() - slips, left - leaves];
        assert!(off[0].abs() < 1e-3 && off[1].abs() < 5e-4, "{friction}: {off:?}");
    }
    let leaves = (2.0 * start.cos() / 3.5).acos().to_degrees();
    let (slips, left) = slips_and_leaves(f64::INFINITY, start);
    assert!(slips.is_none() && (left - leaves).abs() < 5e-5, "{slips:?} {left} {leaves}");
}

/// A disc of radius 1 on two rollers of radius 2 whose centres are 4.8 apart, discs of infinite mass that
/// turn clockwise at the speed u = 6 of their surfaces. Its contacts are at β = asin 0.8 to both sides.
/// Friction lifts it at one and draws it down at the other: as in a V of belts, N + N′ = m g/((1 + μ²) cos
/// β), so it turns with them after q u (1 + μ²) cos β/(μ g) seconds, evenly, and its centre rests.
#[test]
fn rollers_turn_a_disc_at_their_speed() {
    let own = DiscForces { gravity_scale: 0.0, ..DiscForces::default() };
    let held = RoughDisc { own, ..RoughDisc::default() };
    for friction in [0.2, 0.5, 1.0] {
        let mut world = world_of(friction);
        for x in [-2.4, 2.4] {
            let roller = disc(at(x, 0.0), 2.0).with_mass(f64::INFINITY).with_body(held);
            world.insert(roller.with_extra(Spin::new(-3.0))).unwrap();
        }
        let id = world.insert(disc(at(0.0, 1.8), 1.0)).unwrap();
        let ends = 0.5 * 6.0 * (1.0 + friction * friction) * 0.6 / (friction * 10.0);
        for part in [0.5, 1.0 - 1e-6, 1.0 + 1e-6, 2.0] {
            world.advance_to(part * ends).unwrap();
            let (velocity, spin) = motion(&world, id);
            let off = spin - 6.0 * f64::min(part, 1.0);
            assert!(off.abs() < 5e-15 && velocity == DVec2::ZERO, "{friction} {part}: {off:e} {velocity}");
        }
    }
}

/// A drum of radius 5 that turns counterclockwise at the speed u of its surface holds a disc of radius 1 up
/// at the angle θ = atan μ, m g sin θ = μ N, while that slips. Then it rolls, after q u/(g sin θ) seconds,
/// and swings down as a pendulum of the length (1 + q) (R − r), past the lowest point after a quarter of
/// its period, with u/R on top of the spin of a disc that rolls there. Where a surface runs, pieces are not
/// scaled to their energy: speeds are 2·10⁻⁵ too low, and angles off by 10⁻⁶.
#[test]
fn a_drum_holds_a_disc_up_until_it_turns_with_it() {
    for friction in [0.05_f64, 0.2, 0.5, 1.0] {
        let mut world = world_of(friction);
        let drum = RoughWall::default().with_surface_speed(2.0).unwrap();
        world.add_wall(Wall::circle(at(0.0, 0.0), 5.0).with_surface(drum)).unwrap();
        let angle = friction.atan();
        let place = DVec2::from_angle(angle - FRAC_PI_2) * 4.0;
        let id = world.insert(disc(place, 1.0)).unwrap();
        let ends = 0.5 * 2.0 / (10.0 * angle.sin());
        for part in [0.5, 1.0 - 1e-6] {
            world.advance_to(part * ends).unwrap();
            let (velocity, spin) = motion(&world, id);
            let off = spin - 2.0 * part;
            assert!(off.abs() < 3e-15 && velocity == DVec2::ZERO, "{friction} {part}: {off:e} {velocity}");
        }
        world.advance_to(ends + 0.25 * period(6.0, angle)).unwrap();
        let place = world.get(id).unwrap().position();
        let (velocity, spin) = motion(&world, id);
        let speed = 4.0 * (2.0 * 10.0 * (1.0 - angle.cos()) / 6.0).sqrt();
        let off = (velocity.x + speed).abs().max((spin - 2.0 - speed).abs());
        assert!(off < 3e-5 && place.x.abs() < 4.0 * 1.5e-6, "{friction}: {off:e} {place}");
    }
}
