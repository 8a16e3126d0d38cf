//! What is measured in periodic worlds, against what is known exactly or from other methods.

use carom_engine::{DVec2, Disc, SchedulerKind, Settings, StopReason, World};
use carom_observe::{
    Blocking, BondOrder, Displacement, Ensemble, PressureMeter, Radial, TallySink, Weights, XyzFrame,
    XyzReader, XyzWriter,
};
use carom_scene::{Generator, Random};
use std::f64::consts::{FRAC_PI_4, PI};

fn world_of(sides: DVec2, scheduler: SchedulerKind) -> World {
    let settings = Settings::default()
        .with_period(sides.to_array().map(Some))
        .with_budget(u64::MAX)
        .with_record_events(false)
        .with_scheduler(scheduler);
    World::with_settings(settings).unwrap()
}

/// Discs of diameter 1 on a lattice of `columns` by `rows` in a square, sheared by half its columns: nearly
/// triangular, and without a seam. Momentum 0.
fn gas(columns: u32, rows: u32, packing: f64, seed: u64) -> World {
    let discs = columns * rows;
    let side = (f64::from(discs) * FRAC_PI_4 / packing).sqrt();
    let mut world = world_of(DVec2::splat(side), SchedulerKind::Grid);
    let mut random = Random::new(Generator::default(), seed);
    let velocities: Vec<DVec2> = (0..discs).map(|_| random.normal_pair()).collect();
    let drift = velocities.iter().sum::<DVec2>() / f64::from(discs);
    for (k, velocity) in (0..discs).zip(velocities) {
        let y = f64::from(k / columns) / f64::from(rows);
        let x = (f64::from(k % columns) + y * f64::from(columns / 2)) / f64::from(columns);
        // The door refuses an overlap.
        world.insert(Disc::new(DVec2::new(x, y) * side, 0.5).with_velocity(velocity - drift)).unwrap();
    }
    // Each of 2N numbers up to 4 is rounded, and so are their sums.
    assert!(world.momentum().length() < 32.0 * f64::from(discs) * f64::EPSILON);
    world
}

fn measure(world: &mut World, meter: &mut PressureMeter, diameter: f64, blocks: u32) {
    let mut sink = TallySink::equal(diameter);
    for _ in 0..blocks {
        assert_eq!(world.advance_with(meter.duration(), &mut sink).unwrap().end, StopReason::Reached);
        meter.add(&sink.take());
    }
}

/// Two discs of diameter σ in a periodic square of area A are one point among circles of radius σ, Sinai's
/// billiard: evenly spread over A − πσ² in the end, so that βPA = 2 + πσ²/(A − πσ²), and the rate of impacts
/// is 2σ|u|/(A − πσ²). With Maxwell's mean speed, or with 2N degrees of freedom, it would be off by 13 and 41
/// % of the second term: forty errors and more. That both drift along, hundreds of periods a block, does not
/// count.
#[test]
fn two_discs_in_a_period() {
    let (side, sigma, mass): (f64, f64, f64) = (3.0, 1.0, 2.0);
    let mut world = world_of(DVec2::splat(side), SchedulerKind::Table);
    let drift = DVec2::new(0.9, -0.4);
    for (place, sign) in [(DVec2::ZERO, -0.5), (DVec2::new(1.5, 1.2), 0.5)] {
        let velocity = drift + DVec2::from_angle(0.7) * (1.3 * sign);
        world.insert(Disc::new(place, 0.5 * sigma).with_mass(mass).with_velocity(velocity)).unwrap();
    }
    let ensemble = Ensemble::of_period(&world).unwrap();
    // Each moves with half the relative velocity of 1.3.
    assert!((ensemble.energy() - mass * 0.65 * 0.65).abs() < 1e-15);
    let meter = PressureMeter::new(ensemble, 1000.0).unwrap();
    let mut meter = meter.of_equal_discs(sigma, mass).unwrap();
    measure(&mut world, &mut meter, sigma, 1000);
    let exact = 2.0 + PI * sigma * sigma / (side * side - PI * sigma * sigma);
    // Free flights have a tail, t⁻³, from the lanes between circles, so that errors fall a little slower than
    // by the root.
    for (name, series) in [("virial", meter.virial()), ("rate", meter.rate())] {
        let estimate = series.estimate().unwrap();
        assert!(estimate.error < 1.5e-3 && estimate.sigmas(exact).abs() < 4.0, "{name}: {estimate} {exact}");
    }
}

/// βPσ² = 6.901074(71) of 72 discs at η = 0.650, by event-chain Monte Carlo (B. Li et al., J. Chem. Phys. 157
/// (2022) 234111, N = 72, 1 : 1); here both by the rate and by the virial: four errors of a short run. With
/// 2N degrees of freedom instead of 2N − 2 what is above the ideal gas would be off by 1.4 % by the virial,
/// ten errors, and by 0.7 % by the rate, five.
#[test]
fn the_pressure_of_72_discs() {
    let known = 6.901_074;
    let mut world = gas(8, 9, 0.650, 5);
    let ensemble = Ensemble::of_period(&world).unwrap();
    // From the known pressure: a hundred collisions a disc.
    let rate = (known * ensemble.area() - 72.0) * ensemble.mean_normal_speed(1.0);
    let duration = 100.0 * 36.0 / rate;
    // The lattice melts.
    world.advance(5.0 * duration).unwrap();
    let mut meter = PressureMeter::new(ensemble, duration).unwrap().of_equal_discs(1.0, 1.0).unwrap();
    measure(&mut world, &mut meter, 1.0, 300);
    for series in [meter.virial(), meter.rate()] {
        let estimate = meter.reduced(series.estimate().unwrap(), 1.0);
        assert!(estimate.error < 0.01, "{estimate}");
        assert!(estimate.sigmas(known).abs() < 4.0, "{estimate} {known}");
    }
    assert!(world.momentum().length() < 1e-10);
}

/// The virial and the density of pairs at contact are one number: βPA = N + 2η(N − 1)·g(σ). g(σ) is that of
/// the parabola with the means over the first three bins, (11, −7, 2)/6; what is left out, h³g‴/4, is 3 ·
/// 10⁻⁴ for bins of h = σ/40. Twenty stretches, and four errors of their differences.
#[test]
fn g_at_contact_is_the_pressure() {
    let mut world = gas(16, 16, 0.4, 6);
    let (n, packing) = (256.0, 0.4);
    let periods = *world.periods();
    let ensemble = Ensemble::of_period(&world).unwrap();
    world.advance(20.0).unwrap();
    let mut places = vec![DVec2::ZERO; world.len()];
    let mut difference = Blocking::new();
    for _ in 0..20 {
        let mut radial = Radial::new(periods, periods.lengths(), 2.0, 80).unwrap();
        let mut meter = PressureMeter::new(ensemble, 0.25).unwrap();
        for _ in 0..100 {
            measure(&mut world, &mut meter, 1.0, 1);
            world.read_positions(&mut places).unwrap();
            radial.add(&places).unwrap();
        }
        let bins: Vec<_> = radial.bins().collect();
        // But for rounding none is nearer than σ.
        assert!(bins[..39].iter().all(|bin| bin.pairs == 0));
        let [a, b, c] = [40, 41, 42].map(|k| bins[k].g);
        let by_virial = (meter.virial().mean().unwrap() - n) / (2.0 * packing * (n - 1.0));
        difference.push((11.0 * a - 7.0 * b + 2.0 * c) / 6.0 - by_virial);
    }
    let difference = difference.independent().unwrap();
    // g(σ) is 2.3.
    assert!(difference.error < 0.03 && difference.sigmas(0.0).abs() < 4.0, "{difference}");
}

/// Points never meet: v²t², though they go round hundreds of times.
#[test]
fn displacement_goes_on_beyond_the_period() {
    let mut world = world_of(DVec2::new(0.7, 1.3), SchedulerKind::Fastest);
    let mut random = Random::new(Generator::default(), 7);
    let mut square = 0.0;
    for _ in 0..10 {
        let velocity = random.normal_pair();
        square += velocity.length_squared() / 10.0;
        let place = DVec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        world.insert(Disc::new(place, 0.0).with_velocity(velocity)).unwrap();
    }
    let mut displacement = Displacement::new(10, 50, 10).unwrap();
    let mut places = vec![DVec2::ZERO; 10];
    for _ in 0..100 {
        world.read_unwrapped_positions(&mut places).unwrap();
        displacement.add(&places).unwrap();
        world.advance(3.0).unwrap();
    }
    for lag in 1..=50 {
        let exact = square * (3.0 * lag as f64).powi(2);
        // Places up to 1000 are rounded, of distances from 0.1 on.
        assert!((displacement.mean_square(lag).unwrap() / exact - 1.0).abs() < 1e-10, "{lag}");
    }
}

/// Without momentum the mean of all unwrapped places stays where it is; an impact stored in the wrong period
/// would move it by a period over N. What is asked of places is the same for wrapped and unwrapped ones, and
/// after a file.
#[test]
fn wrapped_and_unwrapped_places_are_one_world() {
    let mut world = gas(8, 9, 0.3, 8);
    let periods = *world.periods();
    let lengths = periods.lengths();
    let [mut wrapped, mut unwrapped] = [(); 2].map(|()| vec![DVec2::ZERO; world.len()]);
    world.read_unwrapped_positions(&mut unwrapped).unwrap();
    let start: DVec2 = unwrapped.iter().sum();
    world.advance(500.0).unwrap();
    world.read_positions(&mut wrapped).unwrap();
    world.read_unwrapped_positions(&mut unwrapped).unwrap();
    // 10⁵ states of places up to 100 are rounded, at random.
    assert!((unwrapped.iter().sum::<DVec2>() - start).length() < 1e-9);
    let mut farthest: f64 = 0.0;
    for (inside, place) in wrapped.iter().zip(&unwrapped) {
        let turns = (*place - *inside) / lengths;
        assert!((turns - turns.round()).length() < 1e-13, "{turns}");
        assert!(inside.cmpge(DVec2::ZERO).all() && inside.cmplt(lengths).all());
        farthest = farthest.max(turns.abs().max_element());
    }
    assert!(farthest > 1.0);

    let g = |places: &[DVec2]| {
        let mut radial = Radial::new(periods, lengths, 0.5 * periods.shortest(), 20).unwrap();
        radial.add(places).unwrap();
        radial.bins().map(|bin| bin.pairs).collect::<Vec<_>>()
    };
    let psi = |places: &[DVec2]| BondOrder::new(places, periods, 6, Weights::Length).unwrap();
    assert_eq!(g(&wrapped), g(&unwrapped));
    let (inside, outside) = (psi(&wrapped), psi(&unwrapped));
    for (a, b) in inside.local().iter().zip(outside.local()) {
        // The shortest facet that counts is 10⁻⁹ spacings long.
        assert!(a.distance(*b) < 1e-8, "{a} {b}");
    }
    let mut writer = XyzWriter::new(Vec::new());
    writer.write(&XyzFrame::new(&wrapped, lengths, periods)).unwrap();
    let text = writer.into_inner();
    let read = XyzReader::new(text.as_slice()).next_frame().unwrap().unwrap();
    assert_eq!((read.positions, read.periods), (wrapped, periods));
}
