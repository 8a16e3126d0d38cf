//! Rough impacts of two bodies: laws of conservation, closed forms, numbers.

use crate::common::rng::{Rng, cases};
use carom_engine::{
    DVec2, Disc, Rough, RoughDisc, RoughWall, Roughness, Settings, Smooth, Spin, Wall, World,
};
use carom_testkit::at;
use core::f64::consts::{PI, TAU};

const EPS: f64 = f64::EPSILON;

/// A ball: I = ⅖ m R².
const BALL: RoughDisc = RoughDisc { inertia: 0.4, roughness: None, own: () };

fn empty(roughness: Roughness) -> World<Rough> {
    World::with_physics(Rough::new(Smooth, roughness), Settings::default()).unwrap()
}

type RoughBall = Disc<RoughDisc, Spin>;

/// Two discs that meet within a second or so.
fn colliding(rng: &mut Rng) -> [RoughBall; 2] {
    let direction = DVec2::from_angle(rng.range(0.0, TAU));
    let radii = [rng.range(0.1, 2.0), rng.range(0.1, 2.0)];
    let off = rng.range(-0.95, 0.95) * (radii[0] + radii[1]);
    let apart = direction * (radii[0] + radii[1] + 0.5) + direction.perp() * off;
    let place = rng.vector(2.0);
    let shared = rng.vector(3.0);
    let disc = |rng: &mut Rng, k: usize| {
        let inertia = rng.pick(&[0.5, 0.4, 1.0, 0.1]);
        Disc::new(if k == 0 { place } else { place + apart }, radii[k])
            .with_velocity(shared + if k == 0 { direction * rng.range(1.0, 4.0) } else { DVec2::ZERO })
            .with_mass(rng.range(0.1, 3.0))
            .with_body(RoughDisc { inertia, ..BALL })
            .with_extra(Spin::new(rng.range(-5.0, 5.0)).with_angle(rng.range(-3.0, 3.0)))
    };
    [disc(rng, 0), disc(rng, 1)]
}

fn roughness(rng: &mut Rng) -> Roughness {
    let friction = rng.pick(&[0.05, 0.3, 1.0, f64::INFINITY]);
    Roughness::new(friction, rng.pick(&[-1.0, -0.4, 0.0, 0.5, 1.0])).unwrap()
}

fn world_of(roughness: Roughness, discs: &[RoughBall]) -> World<Rough> {
    let mut world = empty(roughness);
    for disc in discs {
        world.insert(*disc).unwrap();
    }
    world
}

/// Momentum, and angular momentum about any point, stay; energy falls by what the derivation says, of the
/// normal part `½ m (1 − e²) u²` and of the tangential one `(s² − s′²)/(2K)`; the law of the slip holds.
#[test]
fn an_impact_keeps_momenta_and_takes_energy_as_derived() {
    let mut rng = Rng::new(31);
    let (mut stuck, mut slid) = (0, 0);
    for case in 0..cases(3000) {
        let (mut discs, rough) = (colliding(&mut rng), roughness(&mut rng));
        let e = rng.pick(&[1.0, 0.7, 0.0]);
        discs.iter_mut().for_each(|disc| disc.restitution = e);
        let mut world = world_of(rough, &discs);
        let about = rng.vector(10.0);
        let energy = |world: &World<Rough>| world.kinetic_energy() + world.rotational_energy();
        let before = (world.momentum(), world.angular_momentum(about), energy(&world));
        world.step_event();
        let after = (world.momentum(), world.angular_momentum(about), energy(&world));
        let scale = 1.0 + before.2;
        let off = (after.0 - before.0).length().max((after.1 - before.1).abs() / 10.0);
        assert!(off <= 64.0 * EPS * scale, "case {case}: momenta off by {off:e}");

        let impact = *world.events()[0].impact().expect("they meet");
        let tangent = impact.normal.perp();
        let rims = discs.map(|disc| disc.radius * disc.extra.angular_velocity);
        let slip = (impact.before[1] - impact.before[0]).dot(tangent) - rims[0] - rims[1];
        let rims_after: f64 = world.discs().map(|(_, disc)| disc.radius * disc.extra.angular_velocity).sum();
        let slip_after = (impact.after[1] - impact.after[0]).dot(tangent) - rims_after;
        let k: f64 = discs.iter().map(|disc| (1.0 + 1.0 / disc.body.inertia) / disc.mass).sum();
        let beta = rough.tangential_restitution();
        let most = rough.friction() * impact.impulse;
        let sticks = (1.0 + beta) * slip.abs() / k <= most;
        let expected = if sticks { -beta * slip } else { slip - k * most.copysign(slip) };
        assert!(
            (slip_after - expected).abs() <= 64.0 * EPS * (1.0 + slip.abs() + k * impact.impulse),
            "{case}"
        );
        (stuck, slid) = (stuck + u32::from(sticks), slid + u32::from(!sticks));

        let [m, n] = discs.map(|disc| disc.mass);
        let normal_part = 0.5 * m * n / (m + n) * (1.0 - e * e) * impact.approach_speed.powi(2);
        let tangential = (slip * slip - slip_after * slip_after) / (2.0 * k);
        let taken = before.2 - after.2;
        assert!((taken - normal_part - tangential).abs() <= 64.0 * EPS * scale, "case {case}: {taken}");
        assert!(taken >= -8.0 * EPS * scale, "case {case}: energy rose");
        // The ledger has what rubbing does to the energy of the centres.
        let ledger = world.counters().ledger;
        assert!((ledger.total - world.kinetic_energy()).abs() <= 32.0 * EPS * scale, "case {case}");
    }
    assert!(stuck > 1000 && slid > 500, "{stuck} {slid}");
}

/// The same impact seen in a mirror, to the last bit: angles and angular velocities change their signs.
#[test]
fn an_impact_in_the_mirror() {
    let mut rng = Rng::new(32);
    for case in 0..cases(1000) {
        let (discs, rough) = (colliding(&mut rng), roughness(&mut rng));
        let flip = |v: DVec2| DVec2::new(-v.x, v.y);
        let mirrored = discs.map(|disc| {
            let spin = Spin::new(-disc.extra.angular_velocity).with_angle(-disc.extra.angle);
            disc.with_position(flip(disc.position)).with_velocity(flip(disc.velocity)).with_extra(spin)
        });
        let [one, other] = [discs, mirrored].map(|discs| {
            let mut world = world_of(rough, &discs);
            world.advance(2.0).unwrap();
            world.discs().map(|(_, disc)| disc).collect::<Vec<_>>()
        });
        for (disc, image) in one.iter().zip(&other) {
            assert_eq!(
                (disc.position, disc.velocity),
                (flip(image.position), flip(image.velocity)),
                "{case}"
            );
            let Spin { angle, angular_velocity, .. } = image.extra;
            assert_eq!(disc.extra, Spin::new(-angular_velocity).with_angle(-angle), "{case}");
        }
    }
}

/// The same in another frame that moves uniformly, and with the discs inserted in the other order.
#[test]
fn an_impact_in_another_frame_and_order() {
    let mut rng = Rng::new(33);
    for case in 0..cases(1000) {
        let (discs, rough) = (colliding(&mut rng), roughness(&mut rng));
        let frame = rng.vector(4.0);
        let of = |discs: [RoughBall; 2]| {
            let mut world = world_of(rough, &discs);
            assert_eq!(world.step_event().events, 1);
            world.discs().map(|(_, disc)| (disc.velocity, disc.extra.angular_velocity)).collect::<Vec<_>>()
        };
        let still = of(discs);
        let moving = of(discs.map(|disc| disc.with_velocity(disc.velocity + frame)));
        for ((v, spin), (w, other)) in still.iter().zip(&moving) {
            // Velocities are rounded to 16 EPS or so, and so is the place of the impact, along whose
            // surface the normal turns by that over the radii, 0.2 at least.
            let off = (*v + frame).distance(*w).max((spin - other).abs() * 0.1);
            assert!(off <= 4096.0 * EPS, "case {case}: {off:e}");
        }
        let [first, second] = discs;
        assert_eq!(of([second, first]).into_iter().rev().collect::<Vec<_>>(), still, "case {case}");
    }
}

/// Garwin, Am. J. Phys. 37 (1969) 88: a superball that is thrown under a table without spin bounces off the
/// floor, the underside, and the floor again, and comes back with −333/343 of its speed along them. Each
/// bounce is `v′ = (3v ∓ 4c)/7`, `c′ = (∓10v − 3c)/7` for `c = Rω`.
#[test]
fn a_superball_comes_back_from_under_a_table() {
    let mut world = empty(Roughness::PERFECT);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    world.add_wall(Wall::half_plane([0.0, 3.0], [0.0, -1.0])).unwrap();
    let radius = 0.25;
    let ball = Disc::new(at(0.0, 2.0), radius).with_velocity(at(1.0, -2.0)).with_mass(0.7).with_body(BALL);
    let id = world.insert(ball).unwrap();
    let energy = world.kinetic_energy();
    let expected = [(3.0, -10.0, 7.0), (-31.0, 60.0, 49.0), (-333.0, 130.0, 343.0)];
    for (v, c, of) in expected {
        world.step_event();
        let ball = world.get(id).unwrap();
        let (along, rim) = (ball.velocity().x, radius * ball.extra().angular_velocity);
        assert!((along - v / of).abs() <= 4.0 * EPS && (rim - c / of).abs() <= 4.0 * EPS, "{along} {rim}");
        assert_eq!(ball.velocity().y.abs(), 2.0);
        let whole = world.kinetic_energy() + world.rotational_energy();
        assert!((whole - energy).abs() <= 8.0 * EPS * energy);
    }
}

/// A ball with spin, straight onto a wall, from the closed form: sticking it leaves with the speed `−⅖Rω/(1 +
/// ⅖)` along the wall and rolls; sliding with that of `μ (1 + e) u`, and it loses `5/2` of that at its rim.
#[test]
fn a_ball_with_spin_at_a_wall() {
    for (friction, e, expected) in [(10.0, 0.8, 2.0 / 7.0 * 3.0), (0.1, 0.5, 0.1 * 1.5 * 2.0)] {
        let mut world = empty(Roughness::new(friction, 0.0).unwrap());
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(e)).unwrap();
        let ball = Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(0.0, -2.0)).with_restitution(e);
        // 3 radians a second, counterclockwise: its lower edge moves to the right, and is pushed to the left.
        let ball = ball.with_mass(2.0).with_body(BALL).with_extra(Spin::new(3.0));
        let id = world.insert(ball).unwrap();
        world.step_event();
        let ball = world.get(id).unwrap();
        let (v, spin) = (ball.velocity(), ball.extra().angular_velocity);
        assert!((v.x + expected).abs() <= 4.0 * EPS && (v.y - 2.0 * e).abs() <= 4.0 * EPS, "{v}");
        assert!((spin - (3.0 - 2.5 * expected)).abs() <= 8.0 * EPS, "{spin}");
    }
}

/// The curve of Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994) 1108, for balls: with Ψ = −s/u, slip
/// over speed of approach, `Ψ₂ = Ψ₁ − (7/2)(1 + e) μ` for sliding and `Ψ₂ = −β₀ Ψ₁` for sticking, which
/// meet at `Ψ₁ = (7/2)(1 + e) μ/(1 + β₀)`. Parameters such as they have for balls of glass.
#[test]
fn slip_after_an_impact_has_two_branches() {
    let (e, friction, beta) = (0.97_f64, 0.092, 0.44);
    let corner = 3.5 * (1.0 + e) * friction / (1.0 + beta);
    assert!((corner - 0.440_5).abs() < 1e-4);
    for k in 1..40 {
        let before = corner * f64::from(k) / 20.0;
        let mut world = empty(Roughness::new(friction, beta).unwrap());
        let ball = Disc::new(at(0.0, 0.0), 0.5).with_restitution(e).with_body(BALL);
        // Head on at 1, with spin in one of the two: s = −R ω.
        let spin = Spin::new(2.0 * before);
        let first = world.insert(ball.with_velocity(at(1.0, 0.0)).with_extra(spin)).unwrap();
        let second = world.insert(ball.with_position(at(3.0, 0.0))).unwrap();
        world.step_event();
        let [a, b] = [first, second].map(|id| world.get(id).unwrap());
        let rims = 0.5 * (a.extra().angular_velocity + b.extra().angular_velocity);
        let after = -(b.velocity().y - a.velocity().y - rims);
        let expected = if before < corner { -beta * before } else { before - 3.5 * (1.0 + e) * friction };
        assert!((after - expected).abs() <= 8.0 * EPS, "{before}: {after} {expected}");
    }
}

/// Angles after a million turns at rates that are not whole fractions of a turn, against the same with 100
/// bits: dyadic rates and times, of which the product is exact.
#[test]
fn angles_are_exact_after_a_million_turns() {
    let mut world = empty(Roughness::SMOOTH);
    let spin = Spin::new(6.5).with_angle(1.0);
    let id = world.insert(Disc::new(at(0.0, 0.0), 1.0).with_extra(spin)).unwrap();
    // 6.5 · 2²⁰ + 1 = 1084760 · 2π − 3.093816128226709474…, with 60 digits.
    world.advance(f64::from(1 << 20)).unwrap();
    let angle = world.get(id).unwrap().extra().angle;
    assert_eq!(angle, -3.0938161282267096);
    assert_eq!(world.state_at(id, world.now()).unwrap().extra.angle, angle);
    // In one go or in frames, as no state is written.
    let mut framed = empty(Roughness::SMOOTH);
    let id = framed.insert(Disc::new(at(0.0, 0.0), 1.0).with_extra(spin)).unwrap();
    for _ in 0..1 << 10 {
        framed.advance(1024.0).unwrap();
    }
    assert_eq!(framed.get(id).unwrap().extra().angle, angle);
    assert!(angle.abs() <= PI);
}

/// A roller of infinite mass: it turns on, and what meets it takes the speed of its surface.
#[test]
fn infinite_masses_drive() {
    let mut world = empty(Roughness::new(f64::INFINITY, 0.0).unwrap());
    let roller = Disc::new(at(0.0, 0.0), 1.0).with_mass(f64::INFINITY).with_extra(Spin::new(-3.0));
    let roller = world.insert(roller).unwrap();
    let ring = RoughDisc { inertia: 1.0, ..BALL };
    let ball = Disc::new(at(0.0, 4.0), 1.0).with_velocity(at(0.0, -1.0)).with_mass(5.0).with_body(ring);
    let ball = world.insert(ball).unwrap();
    world.advance(3.0).unwrap();
    assert_eq!(world.get(roller).unwrap().extra().angular_velocity, -3.0);
    assert_eq!(world.get(roller).unwrap().velocity(), DVec2::ZERO);
    // The surface goes at 3 to the right; the ring takes half of it as velocity and half as spin.
    let ball = world.get(ball).unwrap();
    assert_eq!((ball.velocity(), ball.extra().angular_velocity), (at(1.5, 1.0), 1.5));
    // At a wall it is turned as any mass.
    let mut spins = Vec::new();
    for mass in [2.0, f64::INFINITY, 0.0] {
        let mut world = empty(Roughness::new(0.3, 0.2).unwrap());
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
        let disc = Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(1.0, -1.0)).with_mass(mass);
        let id = world.insert(disc.with_extra(Spin::new(2.0))).unwrap();
        world.step_event();
        let disc = world.get(id).unwrap();
        spins.push((disc.velocity(), disc.extra().angular_velocity));
    }
    assert_eq!((spins[0], spins[1]), (spins[1], spins[2]));
    assert!(spins[0].1 < 2.0);
}

/// Tracers are turned and turn nothing; an infinite inertia is turned by nothing; a point has no lever.
#[test]
fn tracers_points_and_infinite_inertias() {
    let hit = |light: RoughBall| {
        let mut world = empty(Roughness::new(f64::INFINITY, 0.0).unwrap());
        let heavy = Disc::new(at(3.0, 0.0), 1.0).with_extra(Spin::new(1.0));
        let ids = [heavy, light.with_position(at(0.0, 0.5)).with_velocity(at(1.0, 0.0))]
            .map(|disc| world.insert(disc).unwrap());
        world.advance(4.0).unwrap();
        assert_eq!(world.counters().disc_impacts, 1);
        ids.map(|id| (world.get(id).unwrap().velocity(), world.get(id).unwrap().extra().angular_velocity))
    };
    let disc: RoughBall = Disc::new(at(0.0, 0.0), 1.0);
    let [heavy, tracer] = hit(disc.with_mass(0.0));
    assert_eq!(heavy, (DVec2::ZERO, 1.0));
    assert!(tracer.1 < -0.1, "{tracer:?}");

    let stiff = RoughDisc { inertia: f64::INFINITY, ..RoughDisc::default() };
    let [heavy, stiff] = hit(disc.with_body(stiff).with_extra(Spin::new(-0.5)));
    assert_eq!(stiff.1, -0.5);
    assert!(heavy.1 != 1.0 && (stiff.0 + heavy.0 - DVec2::X).length() <= 4.0 * EPS);

    let [heavy, point] = hit(Disc::new(at(0.0, 0.0), 0.0).with_extra(Spin::new(4.0)));
    assert_eq!(point.1, 4.0);
    assert!(heavy.1 != 1.0 && (point.0 + heavy.0 - DVec2::X).length() <= 4.0 * EPS);
}

/// Different surfaces: the geometric mean of the frictions and the arithmetic one of β₀; smooth wins.
#[test]
fn surfaces_are_combined() {
    let bounced = |of_disc: Option<Roughness>, of_wall: Option<Roughness>, world: Roughness| {
        let mut world = empty(world);
        world
            .add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(RoughWall::new(of_wall)))
            .unwrap();
        let own = RoughDisc { roughness: of_disc, ..RoughDisc::default() };
        let disc = Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(8.0, -1.0)).with_body(own);
        let id = world.insert(disc).unwrap();
        world.step_event();
        world.get(id).unwrap().velocity().x
    };
    let of = |friction, beta| Roughness::new(friction, beta).unwrap();
    // Sliding: μ (1 + e) u = 2 μ.
    assert_eq!(bounced(None, None, of(0.25, 0.0)), 7.5);
    assert_eq!(bounced(Some(of(1.0, 0.0)), None, of(0.25, 0.0)), 7.0);
    assert_eq!(bounced(Some(of(1.0, 0.0)), Some(of(0.0625, 0.0)), of(9.0, 0.0)), 7.5);
    assert_eq!(bounced(Some(Roughness::SMOOTH), Some(Roughness::PERFECT), of(9.0, 0.0)), 8.0);
    // Sticking: (1 + β₀) 8/3 with β₀ = ½.
    let mean = bounced(Some(Roughness::PERFECT), Some(of(f64::INFINITY, 0.0)), of(0.0, 0.0));
    assert!((mean - 4.0).abs() <= 8.0 * EPS, "{mean}");
}
