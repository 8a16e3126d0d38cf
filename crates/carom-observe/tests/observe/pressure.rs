//! Pressures against the virial theorem, impact by impact, and against each other.

use carom_engine::{DVec2, Disc, Event, Partner, Settings, StopReason, Wall, World};
use carom_observe::{Blocking, Ensemble, Freedom, PressureMeter, TallySink};
use carom_scene::{Generator, Random};

fn world_of(discs: &[Disc], sides: DVec2) -> World {
    let mut world = World::with_settings(Settings::default().with_budget(u64::MAX)).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, sides)).unwrap();
    for disc in discs {
        world.insert(*disc).unwrap();
    }
    world
}

/// `n` discs at random places with room, of random sizes and masses if they may be, at speeds around 1.
fn gas(n: usize, sides: DVec2, equal: bool, seed: u64) -> World {
    let mut random = Random::new(Generator::default(), seed);
    let mut world = world_of(&[], sides);
    while world.len() < n {
        let (radius, mass) =
            if equal { (0.5, 1.0) } else { (random.between(0.1, 0.6), random.between(0.2, 5.0)) };
        let place =
            DVec2::new(random.between(radius, sides.x - radius), random.between(radius, sides.y - radius));
        let disc = Disc::new(place, radius).with_mass(mass).with_velocity(random.normal_pair());
        // Where there is no room, the next place is tried.
        let _ = world.insert(disc);
    }
    world
}

/// d/dt Σ m r·v = 2K + Σ r·F holds for each run, not only on average: the change of Σ m r·v is 2Kt, and the
/// virial of the impacts of discs, and r·Δp of those at walls.
#[test]
fn the_virial_theorem_balances() {
    for seed in 0..5 {
        let mut world = gas(30, DVec2::new(9.0, 7.0), false, seed);
        let moment = |world: &World| -> f64 {
            world.discs().map(|(_, disc)| disc.mass * disc.position.dot(disc.velocity)).sum()
        };
        let energy = world.kinetic_energy();
        let before = moment(&world);
        let mut sink = TallySink::by_radii(&world);
        let mut walls = 0.0;
        let radii: Vec<f64> = world.discs().map(|(_, disc)| disc.radius).collect();
        let duration = 40.0;
        let run = world
            .advance_with(duration, &mut |event: &Event| {
                let goes_on = carom_engine::Sink::<carom_engine::Smooth>::event(&mut sink, event);
                assert!(goes_on.is_continue());
                let impact = event.impact().unwrap();
                if let Partner::Wall { .. } = impact.b {
                    let centre = impact.point - impact.normal * radii[impact.a.slot() as usize];
                    walls -= impact.impulse * impact.normal.dot(centre);
                }
            })
            .unwrap();
        assert_eq!(run.end, StopReason::Reached);
        let tally = sink.take();
        assert!(tally.impacts > 500);
        let change = moment(&world) - before;
        let balance = 2.0 * energy * duration + tally.virial + walls;
        // A few thousand terms, each with a few roundings of places and impulses, in sums of that many.
        let scale = 2.0 * energy * duration + tally.virial - walls;
        assert!((change - balance).abs() < 1e-12 * scale, "{change} {balance}");

        // The mean force on the walls, times the lengths open to centres, is 2PA. Σ m r·v is bounded, so that
        // it does not count in the end.
        let ensemble = Ensemble::new(30, 1.0, energy, Freedom::Walls).unwrap();
        let beta_pa = ensemble.beta_pa_by_virial(&tally, duration);
        let by_walls = (change - walls) / (2.0 * duration * ensemble.temperature());
        assert!((beta_pa / by_walls - 1.0).abs() < 1e-12, "{beta_pa} {by_walls}");
    }
}

/// Four discs between walls have eight degrees of freedom. The impulses and the number of the impacts give
/// one pressure only with the mean speed on the sphere, which is 3 % above Maxwell's.
#[test]
fn both_pressures_agree_for_four_discs() {
    let mut world = gas(4, DVec2::splat(3.0), true, 3);
    let ensemble = Ensemble::new(4, 4.0, world.kinetic_energy(), Freedom::Walls).unwrap();
    let (mut meter, mut ratio) =
        (PressureMeter::new(ensemble, 200.0).unwrap().of_equal_discs(1.0, 1.0).unwrap(), Blocking::new());
    let mut sink = TallySink::equal(1.0);
    for _ in 0..100 {
        assert_eq!(world.advance_with(meter.duration(), &mut sink).unwrap().end, StopReason::Reached);
        let tally = sink.take();
        meter.add(&tally);
        let [virial, rate] = [
            ensemble.beta_pa_by_virial(&tally, meter.duration()),
            ensemble.beta_pa_by_rate(tally.impacts, 1.0, 1.0, meter.duration()),
        ];
        ratio.push((virial - 4.0) / (rate - 4.0));
    }
    let [virial, rate, ratio] = [meter.virial(), meter.rate(), &ratio].map(|s| s.independent().unwrap());
    assert!(ratio.error < 3e-3 && ratio.sigmas(1.0).abs() < 4.0, "{ratio}");
    assert!(virial.error < 0.01 * virial.value && rate.error < 0.01 * rate.value, "{virial} {rate}");
}
