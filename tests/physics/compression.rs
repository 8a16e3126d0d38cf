//! Gases that are compressed by growth: the same for every scheduler, and as published.

use carom_engine::math::tolerance::touch_slack;
use carom_engine::{DVec2, Disc, Event, SchedulerKind, Settings, Smooth, StopReason, World};

use crate::common::record::{deepest_overlap, state_bits};
use crate::common::rng::Rng;

/// The same world on both schedulers, as plain as can be: a gas that is compressed.
#[test]
fn schedulers_agree_on_a_compression() {
    fn bits(kind: SchedulerKind) -> Vec<u64> {
        let settings = Settings::default().with_period([Some(10.0); 2]);
        let mut world = World::with_physics(Smooth, settings).unwrap();
        world.set_scheduler(kind).unwrap();
        let mut rng = Rng::new(8);
        for k in 0..100 {
            let at = DVec2::new(f64::from(k % 10), f64::from(k / 10)) + 0.5;
            world.insert(Disc::new(at, 0.3).with_velocity(rng.vector(1.0))).unwrap();
        }
        world.set_growth(0.1).unwrap();
        world.advance(6.0).unwrap();
        assert!(world.counters().disc_impacts > 3000, "{:?}", world.counters());
        state_bits(&world)
    }
    assert_eq!(bits(SchedulerKind::Table), bits(SchedulerKind::Grid));
}

/// Discs of radius ½ and of temperature 1 on a triangular lattice in its own periodic rectangle, at packing
/// 0.3, where it melts.
fn crystal_to_be() -> World {
    let (across, up) = (12, 14);
    // Per disc √3/2 a², of which a disc covers π/4.
    let pitch = (core::f64::consts::PI / 4.0 / 0.3 / (0.75f64).sqrt()).sqrt();
    let rise = pitch * 0.75f64.sqrt();
    let period = [Some(f64::from(across) * pitch), Some(f64::from(up) * rise)];
    let mut world = World::with_settings(Settings::default().with_period(period)).unwrap();
    let mut rng = Rng::new(12);
    for k in 0..across * up {
        let row = k / across;
        let at =
            DVec2::new((f64::from(k % across) + 0.5 * f64::from(row % 2)) * pitch, f64::from(row) * rise);
        world.insert(Disc::new(at, 0.5).with_velocity(rng.vector(1.0))).unwrap();
    }
    // No momentum, and a temperature of 1: of 2 (N − 1) degrees of freedom half each.
    let momentum = world.momentum() / world.len() as f64;
    for id in world.ids().collect::<Vec<_>>() {
        let velocity = world.get(id).unwrap().velocity() - momentum;
        world.set_velocity(id, velocity).unwrap();
    }
    let scale = ((world.len() - 1) as f64 / world.kinetic_energy()).sqrt();
    world.scale_velocities(scale).unwrap();
    world
}

/// Some seconds: the sum of impulses times distances at contact, and the sum of energy times time.
fn run_for(world: &mut World, seconds: f64) -> [f64; 2] {
    let radius = |world: &World| world.discs().next().unwrap().1.radius;
    let (energy, now, first) = (world.kinetic_energy(), world.now(), radius(world));
    let speed = world.growth() * first;
    let mut virial = 0.0;
    let mut sink = |event: &Event| {
        let hit = event.impact().unwrap();
        virial += hit.impulse * 2.0 * (first + speed * hit.time.since(now));
    };
    assert_eq!(world.advance_with(seconds, &mut sink).unwrap().end, StopReason::Reached);
    [virial, 0.5 * (energy + world.kinetic_energy()) * seconds]
}

/// Compressed slowly, equal discs have the pressure of the fluid on the way, crystallise, and have that of
/// the crystal at packing 0.88.
///
/// `Z − 1 = W/(2 E t)` by the virial `W` of the impulses. The fluid: Luding, Phys. Rev. E 63 (2001) 042201,
/// good to half a per cent; some 20 000 collisions a window have 0.7 % of statistics, and surfaces that come
/// at the discs with γ = 2 g r add 1.6 γ/√2 of `Z − 1`, 0.2 %: 2 % are three deviations of it. The crystal: Z
/// = 2/α + 1.9 with α = η₀/η − 1, Alder, Hoover and Young, J. Chem. Phys. 49 (1968) 3688, of which 1/N is
/// missing where the centre of mass is at rest; 70 000 collisions have 0.4 %.
#[test]
fn equal_discs_are_packed_as_a_crystal() {
    let mut world = crystal_to_be();
    let (energy, rate, n) = (world.kinetic_energy(), 2e-3, world.len() as f64);
    world.set_growth(rate).unwrap();
    let packing = |time: f64| 0.3 * (1.0 + rate * time).powi(2);
    let mut reached = 0.3;
    for (until, is_fluid) in
        [(0.4, true), (0.5, true), (0.6, true), (0.66, true), (0.8, false), (0.88, false)]
    {
        let (mut measured, mut expected) = (0.0, 0.0);
        while reached < until {
            let end = ((until / 0.3f64).sqrt() - 1.0) / rate;
            let now = world.now().as_secs();
            let time = (end - now).min(0.5);
            let [virial, heat] = run_for(&mut world, time);
            let at = packing(now + 0.5 * time);
            let g = (1.0 - 7.0 / 16.0 * at) / (1.0 - at).powi(2) - at.powi(3) / 128.0 / (1.0 - at).powi(4);
            measured += virial;
            expected += 2.0 * heat * 2.0 * at * g;
            reached = if now + time >= end { until } else { packing(now + time) };
            world.scale_velocities((energy / world.kinetic_energy()).sqrt()).unwrap();
        }
        if is_fluid {
            assert!((measured / expected - 1.0).abs() < 0.02, "at {until}: {}", measured / expected);
        }
    }
    world.set_growth(0.0).unwrap();
    let covered: f64 = world.discs().map(|(_, disc)| core::f64::consts::PI * disc.radius.powi(2)).sum();
    let eta = covered / world.periods().lengths().element_product();
    assert!((eta - 0.88).abs() < 1e-12, "{eta}");
    assert!(deepest_overlap(&world) <= touch_slack(20.0));
    let [virial, heat] = run_for(&mut world, 10.0);
    let z = 1.0 + virial / (2.0 * heat);
    let alpha = core::f64::consts::PI / 12.0f64.sqrt() / eta - 1.0;
    let crystal = (2.0 / alpha + 1.9) * (n - 1.0) / n;
    assert!((z / crystal - 1.0).abs() < 0.0125, "{z} {crystal}");
}
