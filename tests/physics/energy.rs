//! What an impact keeps: energy and momentum, one impact at a time and over a million of them.

use carom_engine::{CombineRule, DVec2, Disc, Partner, Settings, StopReason, Wall, World};

use crate::common::record::deepest_overlap_by;
use crate::common::rng::Rng;

const EPS: f64 = f64::EPSILON;

/// `n` discs in a square box with packing fraction 0.3, thrown in at random until they fit.
fn gas(n: usize, radius: impl Fn(&mut Rng) -> f64, unequal_masses: bool, seed: u64) -> (World, f64) {
    let mut rng = Rng::new(seed);
    let mut radii: Vec<f64> = (0..n).map(|_| radius(&mut rng)).collect();
    radii.sort_by(|a, b| b.total_cmp(a));
    let area: f64 = radii.iter().map(|r| core::f64::consts::PI * r * r).sum();
    let side = (area / 0.3).sqrt();
    let settings = Settings::default().with_record_events(false).with_budget(u64::MAX);
    let mut world = World::with_settings(settings).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side))).unwrap();
    for r in radii {
        let mass = if unequal_masses { r * r * rng.range(0.5, 2.0) } else { 1.0 };
        loop {
            let position = DVec2::new(rng.range(r, side - r), rng.range(r, side - r));
            let disc = Disc::new(position, r).with_mass(mass).with_velocity(rng.vector(1.0));
            if world.insert(disc).is_ok() {
                break;
            }
        }
    }
    (world, side)
}

/// Deepest overlap of any two, or of any with the outside, as a fraction of the smaller radius concerned.
fn deepest_overlap(world: &World, side: f64) -> f64 {
    let outside = world.discs().map(|(_, Disc { position: p, radius: r, .. })| {
        let inside = p.min(DVec2::splat(side) - p).min_element();
        (r - inside) / r
    });
    let between = deepest_overlap_by(world, |depth, [(_, a), (_, b)]| depth / a.radius.min(b.radius));
    outside.fold(between, f64::max)
}

fn a_million_collisions(mut world: World, side: f64) {
    let before = world.kinetic_energy();
    let mut deepest = f64::NEG_INFINITY;
    while world.counters().disc_impacts < 1_000_000 {
        assert_eq!(world.advance(2.137).unwrap().end, StopReason::Reached);
        deepest = deepest.max(deepest_overlap(&world, side));
        // At the very moment of an impact is where rounding shows.
        assert_eq!(world.step_event().events, 1);
        deepest = deepest.max(deepest_overlap(&world, side));
    }
    let drift = world.kinetic_energy() / before - 1.0;
    println!("relative energy drift {drift:e}, deepest overlap {deepest:e} radii");
    // A rounding of about 1 ulp of a velocity an impact, 2·10⁴ impacts a disc, adding up at random: 10⁻¹⁴.
    // Any bias, such as the 5·10⁻¹² of a normal taken as exactly one unit long, is found.
    assert!(drift.abs() < 1e-12, "relative energy drift {drift:e}");
    assert!(deepest < 1e-12, "overlap of {deepest:e} radii");
}

#[test]
fn a_million_collisions_of_equal_discs_keep_their_energy() {
    let (world, side) = gas(100, |_| 0.5, false, 1);
    a_million_collisions(world, side);
}

#[test]
fn a_million_collisions_of_unequal_discs_keep_their_energy() {
    let (world, side) = gas(100, |rng| rng.range(0.3, 1.0), true, 2);
    a_million_collisions(world, side);
}

const RULES: [CombineRule; 5] = [
    CombineRule::GeometricMean,
    CombineRule::Minimum,
    CombineRule::Maximum,
    CombineRule::Average,
    CombineRule::Product,
];

/// The rules as their documentation states them.
fn combined(rule: CombineRule, a: f64, b: f64) -> f64 {
    match rule {
        CombineRule::GeometricMean => (a * b).sqrt(),
        CombineRule::Minimum => a.min(b),
        CombineRule::Maximum => a.max(b),
        CombineRule::Average => (a + b) / 2.0,
        CombineRule::Product => a * b,
        other => unreachable!("{other:?}"),
    }
}

fn rule_world(rule: CombineRule) -> World {
    World::with_settings(Settings::default().with_restitution(rule).with_sliding(None)).unwrap()
}

/// Newton's law of restitution along the normal, nothing across it, and momentum, for mass ratios of 10⁻¹² …
/// 10¹² and every rule. Together these are the law of energy, which is tested on its own as well: in the
/// frame of the centre of mass the loss is (1 − e²) of ½ μ w², w the speed of approach, μ the reduced mass.
#[test]
fn impacts_of_two_discs() {
    let mut rng = Rng::new(3);
    let mut worst = [0.0_f64; 4];
    for case in 0..20_000 {
        let rule = RULES[case % 5];
        let mut world = rule_world(rule);
        let restitutions = [0.0, 1.0].map(|sure| if rng.chance(20) { sure } else { rng.unit() });
        let masses = [1.0, 10.0_f64.powf(rng.range(-12.0, 12.0))];
        let radii = [rng.range(0.1, 1.0), rng.range(0.1, 1.0)];
        let reach = radii[0] + radii[1];
        let direction = DVec2::from_angle(rng.range(0.0, 7.0));
        let start = rng.vector(3.0);
        let apart =
            direction * (reach * rng.range(1.0001, 3.0)) + direction.perp() * rng.range(-0.9, 0.9) * reach;
        let drift = rng.vector(1.0);
        let velocities = [drift + direction * rng.range(0.1, 2.0), drift];
        let ids = [0, 1].map(|i| {
            let disc = Disc::new(start + apart * i as f64, radii[i]).with_mass(masses[i]);
            world.insert(disc.with_velocity(velocities[i]).with_restitution(restitutions[i])).unwrap()
        });
        assert_eq!((world.step_event().events, world.events().len()), (1, 1));
        let impact = *world.events()[0].impact().unwrap();
        assert_eq!((impact.a, impact.b), (ids[0], Partner::Disc(ids[1])));
        let [a, b] = ids.map(|id| world.get(id).unwrap());
        let [u, v] = impact.after;
        assert_eq!((impact.before, [u, v]), (velocities, [a.velocity(), b.velocity()]));
        let e = combined(rule, restitutions[0], restitutions[1]);
        let scale = velocities[0].length() + velocities[1].length();
        let normal = (b.position() - a.position()).normalize();
        // Each velocity is an input plus an increment of at most 2·scale: a few roundings of that size. With
        // the normal's own, 12 ulp in all.
        let few = 12.0 * EPS * scale;
        let approach = (velocities[0] - velocities[1]).dot(normal);
        let parting = (v - u).dot(normal);
        worst[0] = worst[0].max((parting - e * approach).abs() / few);
        worst[1] = worst[1].max(((v - u) - (velocities[1] - velocities[0])).perp_dot(normal).abs() / few);

        let change = (u - velocities[0]) * masses[0] + (v - velocities[1]) * masses[1];
        let largest =
            masses.iter().zip([u, v]).zip(velocities).fold(0.0_f64, |largest, ((m, after), before)| {
                largest.max(m * after.length().max(before.length()))
            });
        // Half an ulp for each component of both velocities, the increments' own roundings, and those of this
        // sum.
        worst[2] = worst[2].max(change.length() / (8.0 * EPS * largest));

        let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
        let loss =
            0.5 * reduced * ((velocities[0] - velocities[1]).length_squared() - (v - u).length_squared());
        let expected = 0.5 * reduced * (1.0 - e * e) * approach * approach;
        // Twice the relative speed times the error of the relative velocity.
        worst[3] = worst[3].max((loss - expected).abs() / (0.5 * reduced * 2.0 * scale * 2.0 * few));
        let impulse = reduced * (1.0 + e) * approach;
        assert!((impact.impulse - impulse).abs() <= 8.0 * EPS * reduced * scale, "case {case}");
        assert!((impact.approach_speed - approach).abs() <= few, "case {case}");
    }
    println!("of what is allowed: restitution, across, momentum, energy: {worst:?}");
    assert!(worst.iter().all(|&fraction| fraction <= 1.0), "{worst:?}");
}

/// One that does not move gets nothing less than the law says, whatever the ratio.
#[test]
fn the_light_and_the_heavy_head_on() {
    for k in -12..=12 {
        let ratio = 10.0_f64.powi(k);
        let mut world = World::new();
        let first = Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::X);
        let second = Disc::new(DVec2::new(3.0, 0.0), 0.5).with_mass(ratio);
        let ids = [first, second].map(|disc| world.insert(disc).unwrap());
        assert_eq!(world.advance(3.0).unwrap().end, StopReason::Reached);
        // v_a = (1 − k)/(1 + k), v_b = 2/(1 + k): two roundings each, and those of the expected.
        let expected = [(1.0 - ratio) / (1.0 + ratio), 2.0 / (1.0 + ratio)];
        let [u, v] = ids.map(|id| world.get(id).unwrap().velocity());
        assert!((u.x - expected[0]).abs() <= 2.0 * EPS, "ratio {ratio:e}");
        assert!((v.x - expected[1]).abs() <= 4.0 * EPS * expected[1], "ratio {ratio:e}");
        assert_eq!((u.y, v.y), (0.0, 0.0));
    }
}

/// The normal part reversed and multiplied by e, the tangential part left, at walls of every slope and kind.
#[test]
fn impacts_with_walls() {
    let mut rng = Rng::new(4);
    let mut worst = [0.0_f64; 3];
    for case in 0..20_000 {
        let rule = RULES[case % 5];
        let mut world = rule_world(rule);
        let [e_disc, e_wall] = [0.0, 1.0].map(|sure| if rng.chance(20) { sure } else { rng.unit() });
        let (angle, at) = (rng.range(0.0, 7.0), rng.vector(2.0));
        let along = DVec2::from_angle(angle);
        let kind = rng.below(6);
        let is_round = kind >= 4;
        let wall = match kind {
            0 => Wall::half_plane(at, along.perp()),
            1 => Wall::segment(at - along * 9.0, at + along * 9.0),
            2 => Wall::one_sided_segment(at - along * 9.0, at + along * 9.0),
            3 => Wall::disc(at - along.perp(), 1.0),
            4 => Wall::circle(at, 9.0),
            _ => Wall::arc(at, 2.0, rng.range(0.0, 6.0), 5.0),
        };
        world.add_wall(wall.with_restitution(e_wall)).unwrap();
        let start = at + along * rng.range(-0.5, 0.5) + along.perp() * rng.range(2.5, 5.0);
        let velocity = (at + rng.vector(0.5) - start) * rng.range(0.1, 3.0);
        let mass = 10.0_f64.powf(rng.range(-12.0, 12.0));
        let radius = rng.pick(&[0.0, 0.3]);
        let disc = Disc::new(start, radius).with_mass(mass).with_velocity(velocity).with_restitution(e_disc);
        let id = world.insert(disc).unwrap();
        let end = world.step_event();
        let &[event] = world.events() else {
            // A disc may miss the small ones.
            assert_eq!(end.events, 0);
            continue;
        };
        let impact = *event.impact().unwrap();
        let (n, after) = (impact.normal, world.get(id).unwrap().velocity());
        let e = combined(rule, e_disc, e_wall);
        let scale = velocity.length();
        let few = 6.0 * EPS * scale;
        let approach = velocity.dot(n);
        assert!(approach > 0.0 && impact.before == [velocity, DVec2::ZERO] && impact.after[0] == after);
        assert!((impact.point - (world.get(id).unwrap().position() + n * radius)).length() < 1e-13);
        // What slides along the inside of a round wall, and is stored an ulp outside, is led back at the
        // angle of a chord that deep, 2√(outside / room), at the same speed.
        let turned = if is_round && e == 0.0 { 2.0 * (8.0 * EPS).sqrt() * scale } else { 0.0 };
        worst[0] = worst[0].max((after.dot(n) + e * approach).abs() / (few + turned));
        worst[1] = worst[1].max((after - velocity).perp_dot(n).abs() / few);
        let loss = velocity.length_squared() - after.length_squared();
        worst[2] = worst[2].max((loss - (1.0 - e * e) * approach * approach).abs() / (2.0 * scale * few));
        // The normal is a unit vector to 2 ulp, and (1 + e) approach ≤ 2 scale is rounded four times.
        let impulse = mass * (1.0 + e) * approach;
        assert!((impact.impulse - impulse).abs() <= 8.0 * EPS * mass * scale, "case {case}");
    }
    println!("of what is allowed: restitution, across, energy: {worst:?}");
    assert!(worst.iter().all(|&fraction| fraction <= 1.0), "{worst:?}");
}
