//! Friction in contacts that are held: discs of masses that are unlike, and what slides along a curve.

use super::held_friction::{Rubbing, disc, motion, world_of};
use carom_engine::{
    DVec2, DiscId, Forces, Rest, Rough, RoughDisc, RoughWall, Roughness, Settings, Spin, Wall, World,
};
use carom_testkit::at;

/// A strict world with gravity 1 downwards, of these coefficients of friction and rolling resistance, with a
/// floor; and in it a disc of mass 1 on the floor with another one on it, whose centre is to the left of it
/// by this angle.
fn one_on_another(
    (friction, rolling): (f64, f64),
    (mass, radius, angle, spin): (f64, f64, f64, f64),
) -> (Rubbing, [DiscId; 2]) {
    let roughness = Roughness::new(friction, 0.0).unwrap().with_rolling_resistance(rolling).unwrap();
    let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap();
    let settings = Settings::default().with_rest(Some(Rest::strict()));
    let mut world = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    let place = at(-1.0, 1.0);
    let way = at(-angle.sin(), angle.cos()) * (1.0 + radius);
    let light = world.insert(disc(place, 1.0).with_mass(1.0)).unwrap();
    let heavy = disc(place + way, radius).with_mass(mass).with_extra(Spin::new(spin));
    let heavy = world.insert(heavy).unwrap();
    (world, [light, heavy])
}

/// A fourth-order step of Runge and Kutta.
fn step<const N: usize>(y: [f64; N], h: f64, f: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let at = |y: [f64; N], k: [f64; N], h: f64| core::array::from_fn(|i| y[i] + h * k[i]);
    let k1 = f(y);
    let k2 = f(at(y, k1, 0.5 * h));
    let k3 = f(at(y, k2, 0.5 * h));
    let k4 = f(at(y, k3, h));
    core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// A disc on a floor stays where one of its size leans on it at an angle α with tan ½α < μ, however heavy
/// that is, while that one rolls off it: `(1 + q) v′ = g sin φ − ½ ρ N/m`, with `N/m = g cos φ − v²/2R` and
/// `φ′ = v/2R`. Above a ratio of 160 block pivoting found no forces, and the light one was squeezed out.
#[test]
fn a_heavy_disc_rolls_off_a_light_one() {
    let (rolling, mut want) = (0.1, [0.5_f64, 0.0]);
    for _ in 0..100 {
        want = step(want, 1e-3, |[angle, v]| {
            let pressing = angle.cos() - 0.5 * v * v;
            [0.5 * v, (angle.sin() - 0.5 * rolling * pressing) / 1.5]
        });
    }
    for mass in [1.0, 10.0, 100.0, 200.0, 1e3, 1e4] {
        let (mut world, [light, heavy]) = one_on_another((0.3, rolling), (mass, 1.0, 0.5, 0.0));
        world.advance(0.1).unwrap();
        assert_eq!(motion(&world, light), (DVec2::ZERO, 0.0), "{mass}");
        // Measured: 1.7·10⁻⁷, with mass 1.
        let off = motion(&world, heavy).1 - want[1];
        assert!(off.abs() < 3e-7, "{mass}: {off:e}");
    }
}

/// A disc in a corner stays there, where floor and wall can bear what a spinning one on it does to it: with
/// three contacts that rub they have a force more than they need, and the least forces are beyond the limits
/// of friction. The corner bears forces of any size, as friction in it locks. Masses, radii, angles, spins.
#[test]
fn a_disc_in_a_corner_stays_under_a_heavy_one() {
    for (rubs, upper) in [
        ((3.0, 0.0), (1000.0, 0.5, 0.2, 1.0)),
        ((3.0, 0.0), (100.0, 1.0, 0.2, -0.1)),
        ((3.0, 0.3), (10.0, 1.0, 0.2, -0.1)),
        ((3.0, 0.3), (10.0, 1.0, 0.2, -1.0)),
    ] {
        let (mut world, [light, _]) = one_on_another(rubs, upper);
        world.add_wall(Wall::half_plane([0.0, 0.0], [-1.0, 0.0]).with_restitution(0.0)).unwrap();
        for _ in 0..10 {
            world.advance(1e-3).unwrap();
            assert_eq!(motion(&world, light), (DVec2::ZERO, 0.0), "{rubs:?} {upper:?}");
        }
    }
}

/// A disc that slides through a bowl of radius R has `v′ = −g sin θ − μ σ (g cos θ + v²/d)`, `d = R − r`, and
/// friction turns it: velocities are right to second order in the length of pieces: 3·10⁻⁵ of the change at
/// most by the strict rule, which has 48 to 280 of them here. To first order they were off by 10⁻³ of it.
#[test]
fn a_disc_slides_through_a_bowl() {
    for (d, start, friction) in [(4.0, 1.0, 1.0_f64), (4.0, -1.6, 3.0), (0.2, -1.5, 3.0), (4.0, 2.0, 0.3)] {
        let mut world = world_of(friction);
        world.add_wall(Wall::circle(at(0.0, 0.0), d + 1.0)).unwrap();
        let id = world.insert(disc(at(0.0, -d), 1.0).with_velocity([start, 0.0])).unwrap();
        let time = 0.2 * start.abs() / (friction * (10.0 + start * start / d));
        let mut want = [0.0, start, 0.0];
        for _ in 0..1000 {
            want = step(want, 1e-3 * time, |[angle, v, _]| {
                let rubs = friction * (10.0 * angle.cos() + v * v / d) * start.signum();
                [v / d, -10.0 * angle.sin() - rubs, -2.0 * rubs]
            });
        }
        world.advance(time).unwrap();
        let (velocity, spin) = motion(&world, id);
        let off = (velocity.length() * start.signum() - want[1]).abs().max((spin - want[2]).abs());
        let change = (want[1] - start).abs();
        assert!(off < 5e-5 * change, "{d} {friction}: {off:e} of {change}");
    }
}

/// A heavy disc on top of a light one that slides on a floor, which turns it and carries it off. The numbers
/// are of the four equations of motion, by Runge and Kutta's method of fourth order with 10⁴ steps.
#[test]
fn a_light_disc_slides_under_a_heavy_one() {
    for (rest, most) in [(Rest::default(), 1e-3), (Rest::strict(), 1e-5)] {
        let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap();
        let physics = Rough::new(forces, Roughness::new(0.5, 0.0).unwrap());
        let mut world = World::with_physics(physics, Settings::default().with_rest(Some(rest))).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
        let light = world.insert(disc(at(0.0, 1.0), 1.0).with_mass(1.0).with_velocity([1.0, 0.0])).unwrap();
        let heavy = world.insert(disc(at(0.0, 3.0), 1.0).with_mass(4.0)).unwrap();
        world.advance(0.16).unwrap();
        let [(light, spin), (heavy, turn)] = [light, heavy].map(|id| motion(&world, id));
        let off = light.distance(at(0.3750668, 0.0)).max(heavy.distance(at(0.0649021, -0.0173376)));
        let off = off.max((spin + 0.1698423).abs()).max((turn - 0.1402018).abs());
        assert!(off < most, "{off:e}");
    }
}

/// Three discs of masses 1, 244 and 0.6 form a pyramid on a belt, and the second slips on the third. Contacts
/// that stuck as a piece of motion began were taken to stick at its end, and speeds jumped by 0.1.
#[test]
fn what_slides_in_a_piece_slides_at_its_end() {
    let forces = Forces::new().with_gravity([0.0, -9.162618856381334]).unwrap();
    let roughness = Roughness::new(2.8202942757127314, 0.0).unwrap();
    let settings = Settings::default().with_rest(Some(Rest::strict()));
    let mut world: Rubbing = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
    let belt = RoughWall::new(Some(roughness)).with_surface_speed(-4.885103019538912).unwrap();
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(belt)).unwrap();
    let discs = [
        (1.0, 16.033972131434947, 0.4, at(-2.5722732079184372e-17, 16.033972131434947), -0.03069192491936559),
        (
            243.72808855493864,
            11.011833878275906,
            0.031153915442446608,
            at(26.575435087333346, 11.011833878275906),
            -0.005870304804737259,
        ),
        (
            0.6126387136387641,
            16.687554651781173,
            0.5,
            at(23.72908616584571, 38.56459095912362),
            -0.0014438262732521104,
        ),
    ];
    let ids = discs.map(|(mass, radius, inertia, place, spin)| {
        let body = RoughDisc { inertia, ..RoughDisc::default() };
        let disc = disc(place, radius).with_mass(mass).with_velocity([-6.585210146431503, 0.0]);
        world.insert(disc.with_body(body).with_extra(Spin::new(spin))).unwrap()
    });
    world.advance_to(1.8728e-3).unwrap();
    let before = ids.map(|id| motion(&world, id));
    world.advance_to(1.8729e-3).unwrap();
    assert_eq!(world.counters().disc_impacts, 0);
    for ((velocity, spin), id) in before.into_iter().zip(ids) {
        let (later, turned) = motion(&world, id);
        let jump = later.distance(velocity).max((turned - spin).abs());
        assert!(jump < 1e-4, "{jump}");
    }
}
