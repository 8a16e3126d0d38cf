//! Worlds of rough discs: many impacts, several at one instant, snapshots, refusals. That schedulers and
//! frames change no bit, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::{deepest_overlap, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::stored::advance_with_loaded;
use crate::common::toys::Balls;
use carom_engine::{
    DVec2, Disc, DiscForces, Error, Forces, Physics, Rough, RoughDisc, Roughness, Settings, Smooth, Spin,
    Wall, World,
};
use carom_testkit::at;

/// Discs on a lattice in a box of 10 × 10, of all kinds of masses if `mixed`.
fn gas<P>(seed: u64, physics: P, n: usize, mixed: bool) -> World<P>
where
    P: Physics<Extra = Spin, Body: Default>,
{
    let rng = &mut Rng::new(seed);
    let settings = Settings::default().with_budget(100_000);
    let mut world = World::with_physics(physics, settings).unwrap();
    world.add_wall(Wall::container([-5.0, -5.0], [5.0, 5.0])).unwrap();
    world.add_wall(Wall::segment([-0.7, -4.6], [0.7, -4.6])).unwrap();
    let side = (n as f64).sqrt().ceil() as usize;
    let step = 9.0 / side as f64;
    for k in 0..n {
        let cell = DVec2::new((k % side) as f64, (k / side) as f64);
        let place = (cell - DVec2::splat(0.5 * (side as f64 - 1.0))) * step;
        let mass = if mixed { rng.pick(&[1.0, 2.0, 0.3, 0.0, f64::INFINITY]) } else { rng.range(0.3, 2.0) };
        let disc = Disc::new(place, rng.pick(&[0.4, 0.3]) * step)
            .with_velocity(rng.vector(3.0))
            .with_mass(mass)
            .with_restitution(if mixed { rng.pick(&[1.0, 0.8]) } else { 1.0 })
            .with_extra(Spin::new(rng.range(-8.0, 8.0)));
        world.insert(disc).unwrap();
    }
    world
}

fn glassy() -> Roughness {
    Roughness::new(0.2, 0.4).unwrap()
}

/// Perfectly rough and elastic discs keep the energy of motion and rotation together.
#[test]
fn perfectly_rough_discs_keep_their_energy() {
    let physics = Rough::new(Smooth, Roughness::PERFECT);
    let mut world = gas(5, physics, 64, false);
    let energy = |world: &World<Rough>| world.kinetic_energy() + world.rotational_energy();
    let (before, turning) = (energy(&world), world.rotational_energy());
    while world.counters().disc_impacts < 100_000 {
        world.advance(5.0).unwrap();
    }
    // A few roundings an impact that add up at random: 3000 impacts a disc make 10⁻¹⁴.
    let drift = energy(&world) / before - 1.0;
    println!("relative drift of the energy {drift:e}");
    assert!(drift.abs() < 2e-13, "{drift:e}");
    assert!((world.rotational_energy() - turning).abs() > 0.01 * turning);
}

/// In a group, too: energy never rises and momentum stays, whatever touches whatever, in racks that are
/// struck. Friction makes contacts approach that the normal impulses had opened: no disc passes through
/// another.
#[test]
fn groups_of_rough_impacts_take_energy() {
    let mut rng = Rng::new(41);
    let (mut groups, mut lost, mut looked) = (0, 0, 0);
    for case in 0..cases(400) {
        let friction = rng.pick(&[0.1, 0.5, f64::INFINITY]);
        let roughness = Roughness::new(friction, rng.pick(&[-0.5, 0.0, 0.5, 1.0])).unwrap();
        let mut world = World::with_physics(Rough::new(Smooth, roughness), Settings::default()).unwrap();
        let e = rng.pick(&[1.0, 1.0, 0.6]);
        for row in 0..4_i32 {
            for k in 0..=row {
                let place = at(3.0_f64.sqrt() * f64::from(row), f64::from(2 * k - row));
                let disc = Disc::new(place, 1.0).with_mass(rng.range(0.2, 3.0)).with_restitution(e);
                let spin = Spin::new(rng.pick(&[0.0, 2.0, -1.0]));
                world.insert(disc.with_overlap().with_extra(spin)).unwrap();
            }
        }
        let cue = Disc::new(at(-4.0, rng.range(-1.9, 1.9)), 1.0).with_velocity(at(3.0, 0.0));
        world.insert(cue.with_restitution(e).with_extra(Spin::new(rng.range(-3.0, 3.0)))).unwrap();
        let sums = |world: &World<Rough>| {
            let energy = world.kinetic_energy() + world.rotational_energy();
            (energy, world.momentum(), world.angular_momentum([1.0, 2.0]))
        };
        let mut before = sums(&world);
        for _ in 0..12 {
            if world.next_event().is_none() {
                break;
            }
            world.step_event();
            let after = sums(&world);
            assert!(after.0 <= before.0 * (1.0 + 1e-14), "case {case}: {} after {}", after.0, before.0);
            // Coordinates of up to 20, velocities of 3, and a few dozen roundings.
            let off = (after.1 - before.1).length().max(0.05 * (after.2 - before.2).abs());
            assert!(off <= 1e-13, "case {case}: {off:e}");
            lost += u32::from(after.0 < before.0 * 0.999);
            before = after;
        }
        world.advance(8.0).unwrap();
        let overlap = deepest_overlap(&world);
        assert!(overlap <= 1e-12, "case {case}: {overlap:e}");
        groups += world.counters().groups;
        looked += u64::from(world.counters().ledger.look_again > 0.0);
    }
    assert!(groups >= 400 && lost > 400 && looked > 50, "{groups} {lost} {looked}");
}

/// A disc that falls between two that lie side by side, seen in the mirror: the two get the same blow, and it
/// is neither turned nor deflected. A sequence of contacts one after another would turn it.
#[test]
fn a_symmetric_group_stays_symmetric() {
    let physics = Rough::new(Smooth, Roughness::new(0.3, 0.5).unwrap());
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    let disc = Disc::new(at(0.0, 0.0), 1.0);
    let left = world.insert(disc.with_position(at(-1.25, 0.0)).with_extra(Spin::new(2.0))).unwrap();
    let right = world.insert(disc.with_position(at(1.25, 0.0)).with_extra(Spin::new(-2.0))).unwrap();
    let top = world.insert(disc.with_position(at(0.0, 4.0)).with_velocity(at(0.0, -1.0))).unwrap();
    world.advance(4.0).unwrap();
    assert_eq!((world.counters().groups, world.events().len()), (1, 2));
    let [left, right, top] = [left, right, top].map(|id| world.get(id).unwrap());
    let (spin, other) = (left.extra().angular_velocity, right.extra().angular_velocity);
    assert_eq!(
        (spin, left.velocity().x, left.velocity().y),
        (-other, -right.velocity().x, right.velocity().y)
    );
    assert!(spin != 2.0, "{spin}");
    assert_eq!((top.velocity().x, top.extra().angular_velocity), (0.0, 0.0));
}

/// Without friction, or with β₀ = −1, the bits of motion are those of smooth discs.
#[test]
fn without_friction_discs_are_smooth() {
    for roughness in [Roughness::SMOOTH, Roughness::new(0.7, -1.0).unwrap()] {
        let rough: World<Rough> = gas(7, Rough::new(Smooth, roughness), 30, true);
        let mut smooth = World::with_settings(rough.settings().clone()).unwrap();
        rough.walls().for_each(|(_, wall)| _ = smooth.add_wall(Wall::new(wall.shape.clone())).unwrap());
        for (_, disc) in rough.discs() {
            let Disc { position, velocity, radius, mass, restitution, .. } = disc;
            let plain = Disc::new(position, radius).with_velocity(velocity).with_mass(mass);
            smooth.insert(plain.with_restitution(restitution)).unwrap();
        }
        let mut rough = rough;
        rough.advance(10.0).unwrap();
        smooth.advance(10.0).unwrap();
        assert!(smooth.counters().disc_impacts > 50);
        assert_eq!(state_bits(&rough), state_bits(&smooth));
    }
}

/// Under gravity a rough ball bounces along a floor, and loses no horizontal speed once it rolls.
#[test]
fn a_ball_rolls_on_as_it_bounces() {
    let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let physics = Rough::new(forces, Roughness::new(0.3, 0.0).unwrap());
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    let own = RoughDisc { inertia: 0.4, roughness: None, own: DiscForces::default() };
    let disc = Disc::new(at(0.0, 1.5), 0.5).with_velocity(at(1.0, 0.0)).with_body(own);
    let id = world.insert(disc).unwrap();
    world.advance(20.0).unwrap();
    assert!(world.counters().wall_impacts > 10);
    let ball = world.get(id).unwrap();
    // 5/7 of the speed, from angular momentum about the floor: v = v₀/(1 + q).
    assert!((ball.velocity().x - 5.0 / 7.0).abs() < 1e-14, "{}", ball.velocity().x);
    assert!((ball.extra().angular_velocity + 10.0 / 7.0).abs() < 1e-14);
    let drift = world.energy() + world.rotational_energy() - (0.5 + 15.0) + 0.5 * (1.0 - 5.0 / 7.0);
    assert!(drift.abs() < 1e-12, "{drift:e}");
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let forces = Forces::new().with_gravity([0.0, -2.0]).unwrap();
    let physics = Rough::new(forces, Roughness::new(f64::INFINITY, 0.3).unwrap());
    let mut world: World<Rough<Forces>> = gas(3, physics, 12, true);
    let stiff = RoughDisc { inertia: f64::INFINITY, roughness: Some(glassy()), own: DiscForces::default() };
    let id = world.discs().map(|(id, _)| id).next().unwrap();
    world.set_body(id, stiff).unwrap();
    world.advance(2.0).unwrap();
    let json = serde_json::to_string(&world).unwrap();
    advance_with_loaded(&mut world, 2.0, "rough discs");
    // Numbers that would have been refused are refused.
    for (from, to, why) in [
        ("\"tangential_restitution\":0.3", "\"tangential_restitution\":1.5", "tangential_restitution is 1.5"),
        ("\"inertia\":0.5", "\"inertia\":0.0", "inertia is 0"),
        ("\"angular_velocity\":", "\"angular_velocity\":1e99,\"x\":", "unknown field"),
    ] {
        assert!(json.contains(from), "{from}");
        let error = serde_json::from_str::<World<Rough<Forces>>>(&json.replacen(from, to, 1)).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

fn refused<T: core::fmt::Debug>(result: Result<T, Error>) -> (&'static str, f64) {
    match result {
        Err(Error::OutOfRange { field, value, .. }) => (field, value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_numbers_are_refused() {
    for bad in [-1e-300, -1.0, 1.1e15, f64::NEG_INFINITY] {
        assert_eq!(refused(Roughness::new(bad, 0.0)), ("friction", bad));
    }
    for bad in [-1.0_f64.next_up() - 1e-15, 1.0_f64.next_up(), f64::INFINITY] {
        assert_eq!(refused(Roughness::new(0.5, bad)), ("tangential_restitution", bad));
    }
    assert!(Roughness::new(f64::NAN, 0.0).is_err() && Roughness::new(0.0, f64::NAN).is_err());

    let mut world = World::with_physics(Rough::<Smooth>::default(), Settings::default()).unwrap();
    let disc = Disc::new(at(0.0, 0.0), 1.0);
    let id = world.insert(disc).unwrap();
    for bad in [0.0, -1.0, 9e-16, 1.1e15, f64::NEG_INFINITY] {
        let own = RoughDisc { inertia: bad, ..RoughDisc::default() };
        assert_eq!(refused(world.set_body(id, own)), ("inertia", bad));
        assert_eq!(refused(world.insert(disc.with_position(at(5.0, 0.0)).with_body(own))), ("inertia", bad));
    }
    for bad in [1.1e50, -1.1e50, f64::INFINITY] {
        assert_eq!(refused(world.set_extra(id, Spin::new(bad))), ("angular_velocity", bad));
        let fast = disc.with_position(at(5.0, 0.0)).with_extra(Spin::new(bad));
        assert_eq!(refused(world.insert(fast)), ("angular_velocity", bad));
        assert_eq!(
            refused(world.cast_disc(&fast, &Default::default(), &Default::default())),
            ("angular_velocity", bad)
        );
    }
    assert!(world.set_extra(id, Spin::new(0.0).with_angle(f64::NAN)).is_err());
    assert!(world.set_extra(id, Spin::new(0.0).with_angle(1.1e15)).is_err());
    assert!(world.set_extra(id, Spin::new(f64::NAN)).is_err());
    assert_eq!((world.len(), world.get(id).unwrap().extra()), (1, Spin::default()));
}

/// The largest numbers that are let in stay finite.
#[test]
fn the_largest_numbers_stay_finite() {
    let ranges = |rng: &mut Rng, low: f64, high: f64| 10.0_f64.powf(rng.pick(&[low, 0.0, high]));
    let mut rng = Rng::new(51);
    for case in 0..cases(300) {
        let friction = rng.pick(&[1e15, f64::INFINITY, 0.5]);
        let physics = Rough::new(Smooth, Roughness::new(friction, rng.pick(&[0.0, 1.0])).unwrap());
        let mut world = World::with_physics(physics, Settings::default()).unwrap();
        let size = rng.pick(&[1e-14, 1.0, 1e14]);
        for k in 0..2 {
            let inertia = ranges(&mut rng, -15.0, 15.0);
            let place = at(size * (f64::from(k) * 4.0), size * 0.9);
            let disc = Disc::new(place, size * rng.range(0.5, 1.0))
                .with_velocity(at(if k == 0 { 1e15 } else { -1.0 }, 0.0))
                .with_mass(ranges(&mut rng, -50.0, 50.0))
                .with_body(RoughDisc { inertia, ..RoughDisc::default() })
                .with_extra(Spin::new(rng.pick(&[1e50, -1e50, 0.0])).with_angle(1e15));
            world.insert(disc).unwrap();
        }
        world.advance(1.0).unwrap();
        assert_eq!(world.counters().disc_impacts, 1, "case {case}");
        for (_, disc) in world.discs() {
            assert!(disc.velocity.is_finite() && disc.position.is_finite(), "case {case}: {disc:?}");
            assert!(disc.extra.angular_velocity.abs() <= 1e50, "case {case}: {disc:?}");
            assert!(disc.extra.angle.abs() <= core::f64::consts::PI, "case {case}: {disc:?}");
        }
        world.assert_well_formed();
    }
}

/// What a physics of one's own sees behind it: plain discs, plain contacts, and its changes are carried out.
#[test]
fn it_goes_around_a_physics_of_ones_own() {
    let mut world = World::with_physics(Rough::new(Balls, glassy()), Settings::default()).unwrap();
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    let own = RoughDisc { own: 3.0, ..RoughDisc::default() };
    let id = world.insert(Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(0.0, -1.0)).with_body(own)).unwrap();
    world.advance(1.5).unwrap();
    assert_eq!(world.get(id).unwrap().velocity(), at(0.0, 4.0));
}

/// Rough discs in another order of insertion have the same states, bit for bit, also where many of them meet
/// at one instant: half of the worlds are on a lattice, with velocities along it. With seed 188 a disc that a
/// corner stopped had a spin of 10⁻³⁴ left, by the order.
#[test]
fn rough_discs_have_no_order() {
    let mut events = 0;
    for seed in (0..cases(60)).chain([188]) {
        let rng = &mut Rng::new(seed);
        let rough = |rng: &mut Rng| {
            let friction = rng.pick(&[0.0, 0.1, 0.5, f64::INFINITY]);
            Roughness::new(friction, rng.pick(&[-1.0, 0.0, 0.5, 1.0])).unwrap()
        };
        let (n, common, e) = (3 + rng.below(6), rough(rng), rng.pick(&[0.0, 0.5, 1.0]));
        let mut cells = rng.permutation(25);
        cells.truncate(n);
        let discs: Vec<_> = cells
            .into_iter()
            .map(|cell| {
                let (along, off) = if seed % 2 == 0 { (rng.below(3), 0.0) } else { (rng.below(3), 0.01) };
                let place = at((cell % 5) as f64, (cell / 5) as f64) + rng.vector(off);
                let velocity = at(along as f64 - 1.0, rng.below(3) as f64 - 1.0) + rng.vector(off);
                let body =
                    RoughDisc { roughness: rng.chance(50).then(|| rough(rng)), ..RoughDisc::default() };
                let mut disc: Disc<RoughDisc, Spin> = Disc::new(place, 0.5 - off).with_velocity(velocity);
                disc.body = body;
                disc.with_restitution(e).with_extra(Spin::new(rng.pick(&[0.0, 1.0, -8.0])))
            })
            .collect();
        let mut run = |order: &[usize]| {
            let physics = Rough::new(Smooth, common);
            let mut world = World::with_physics(physics, Settings::default().with_budget(300)).unwrap();
            world.add_wall(Wall::container([-1.0, -1.0], [6.0, 6.0]).with_restitution(e)).unwrap();
            let mut ids = vec![None; n];
            order.iter().for_each(|&k| ids[k] = world.insert(discs[k]).ok());
            let is_reached = world.advance(5.0).unwrap().end == carom_engine::StopReason::Reached;
            events += world.events().len();
            let state = |id| world.get(id).map(|disc| format!("{:?} {:?}", disc.to_disc(), disc.extra()));
            let states: Vec<_> = ids.into_iter().flatten().map(state).collect();
            is_reached.then_some(states)
        };
        let (first, order) = (run(&(0..n).collect::<Vec<_>>()), rng.permutation(n));
        let other = run(&order);
        assert!(first.is_none() || other.is_none() || first == other, "{seed} {order:?}");
    }
    assert!(events > 1000, "{events}");
}
