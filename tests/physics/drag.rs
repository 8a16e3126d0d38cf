//! Linear drag, v′ = −k v, against its closed forms: x(t) = x₀ + v/k (1 − e^(−k t)), v(t) = v e^(−k t).

use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Error, Event, Forces, Rough, Settings, Smooth, StopReason, Wall, World};

/// Half an ulp, as a fraction.
const HALF_ULP: f64 = 1.0 / (1_u64 << 53) as f64;

fn world_of(rate: f64) -> World {
    World::with_settings(Settings::default().with_drag(rate)).unwrap()
}

/// The way of a disc of unit speed in a time, 1/k (1 − e^(−k t)). By the platform's function, which is
/// within an ulp of the truth.
fn way(rate: f64, time: f64) -> f64 {
    -(-rate * time).exp_m1() / rate
}

/// Roundings of the way, each half an ulp of it: of 1/k, of the exponential less one and its argument, of
/// the product, of the time on the slow clock and of the product with the velocity; as many in the
/// expectation; and one of the sum.
#[test]
fn a_disc_comes_as_far_as_the_closed_form_says() {
    let mut rng = Rng::new(70_001);
    for _ in 0..cases(2000) {
        let rate = 10.0_f64.powf(rng.range(-6.0, 6.0));
        let (from, velocity) = (rng.vector(10.0), rng.vector(5.0));
        let time = 10.0_f64.powf(rng.range(-6.0, 1.5)) / rate;
        let mut world = world_of(rate);
        let id = world.insert(Disc::new(from, 0.1).with_velocity(velocity)).unwrap();
        world.advance(time).unwrap();
        let disc = world.get(id).unwrap();
        // The present is the time to an epoch's 2⁻⁵³, which counts where the disc is fast and the time
        // short.
        let clock = 2.0_f64.powi(-63) * velocity.length();
        let expected = velocity * way(rate, time);
        let error = (disc.position() - (from + expected)).length();
        let bound = HALF_ULP * (12.0 * expected.length() + 2.0 * (from + expected).length()) + clock;
        assert!(error <= bound, "k {rate}, v {velocity}, t {time}: off by {error}, {bound}");
        let slowed = velocity * (-rate * time).exp();
        // Its argument k t is rounded as well, and so is the time on the slow clock, to 2⁻¹⁰³ of its
        // lifetime.
        let bound = HALF_ULP * (12.0 + 4.0 * rate * time) * slowed.length() + rate * clock;
        assert!((disc.velocity() - slowed).length() <= bound, "k {rate}, t {time}");
    }
}

/// A call to the present changes nothing, also where the one before has ended for its budget, at an event:
/// the clock of the schedule and that of the caller round the time of that differently.
#[test]
fn a_call_to_the_present_leaves_every_bit() {
    let mut rng = Rng::new(70_021);
    let mut world = World::with_settings(Settings::default().with_drag(0.8).with_budget(1)).unwrap();
    world.add_wall(Wall::container([0.0, 0.0], [8.0, 8.0])).unwrap();
    for k in 0..16_u32 {
        let place = 2.0 * DVec2::new(f64::from(k % 4), f64::from(k / 4)) + DVec2::ONE;
        world.insert(Disc::new(place, 0.3).with_velocity(rng.vector(9.0))).unwrap();
    }
    let states =
        |world: &World| world.discs().map(|(_, disc)| (disc.position, disc.velocity)).collect::<Vec<_>>();
    for event in 0..40 {
        assert_eq!(world.advance(1.0).unwrap().end, StopReason::OutOfBudget, "event {event}");
        let before = states(&world);
        assert_eq!(world.advance(0.0).unwrap().events, 0, "event {event}");
        assert_eq!(states(&world), before, "event {event}");
    }
}

/// Two that approach at speed u with a gap g meet at t′ = g/u on the slow clock: at t = −ln(1 − k g/u)/k,
/// and never if the way that is left, u/k, is shorter than the gap. The time is as sensitive to t′ as e^(k
/// t).
#[test]
fn discs_meet_when_the_closed_form_says() {
    let mut rng = Rng::new(70_002);
    for _ in 0..cases(2000) {
        let rate = 10.0_f64.powf(rng.range(-3.0, 3.0));
        let speed = rng.range(0.1, 5.0);
        // Up to 33 half-lives.
        let part = 1.0 - 2.0_f64.powf(-rng.range(0.0, 33.0));
        let gap = (part * speed / rate).max(1e-6);
        let mut world = world_of(rate);
        let radius = 0.25 * gap;
        world.insert(Disc::new([-radius, 0.0], radius).with_velocity([speed, 0.0])).unwrap();
        world.insert(Disc::new([gap + radius, 0.0], radius)).unwrap();
        let slow = gap / speed;
        let left = 1.0 - rate * slow;
        if left <= 1e-12 {
            continue;
        }
        let expected = -(-rate * slow).ln_1p() / rate;
        let next = world.next_event().unwrap_or_else(|| panic!("k {rate}, gap {gap}, speed {speed}"));
        let error = (next.time.as_secs() - expected).abs();
        let bound = HALF_ULP * (10.0 * slow / left + 6.0 * expected) + 2.0_f64.powi(-63);
        assert!(error <= bound, "k {rate}, left {left}: off by {error}, {bound}");
        let step = world.step_event();
        assert_eq!((step.time, world.events()[0].time()), (next.time, next.time));
        // Equal masses: the other one takes the velocity, and comes as far as the first would have.
        assert_eq!(world.advance(100.0 / rate).unwrap().events, 0);
        let far: Vec<f64> = world.discs().map(|(_, disc)| disc.position.x).collect();
        assert!((far[0] + radius - gap).abs() <= 8.0 * HALF_ULP * gap, "{far:?}");
        assert!((far[1] - radius - speed / rate).abs() <= 16.0 * HALF_ULP * speed / rate, "{far:?}");
    }
}

#[test]
fn what_is_too_far_away_is_never_met() {
    // A way of exactly 4 is left.
    for (gap, meets) in [(3.999, true), (4.0, false), (4.001, false)] {
        let mut world = world_of(0.5);
        world.insert(Disc::new([0.0, 0.0], 1.0).with_velocity([2.0, 0.0])).unwrap();
        world.insert(Disc::new([2.0 + gap, 0.0], 1.0)).unwrap();
        world.add_wall(Wall::half_plane([0.0, -3.0], [0.0, 1.0])).unwrap();
        assert_eq!(world.next_event().is_some(), meets, "gap {gap}");
        assert_eq!(world.advance(1e9).unwrap().events, u64::from(meets));
        assert_eq!(world.next_event(), None);
    }
}

/// An elastic gas in a box keeps e^(−2 k t) of its energy, whatever hits what, and its ledger says so.
#[test]
fn energy_decays_at_twice_the_rate() {
    let mut rng = Rng::new(70_003);
    let rate = 0.2;
    let mut world = World::with_settings(Settings::default().with_drag(rate).with_start(100.0)).unwrap();
    world.add_wall(Wall::container([-8.0, -8.0], [8.0, 8.0])).unwrap();
    while world.len() < 40 {
        let _ = world.insert(Disc::new(rng.vector(7.0), 0.5).with_velocity(rng.vector(9.0)));
    }
    let start = world.kinetic_energy();
    let mut impacts = 0;
    for frame in 1..=60 {
        let time = 0.5 * f64::from(frame);
        world.advance_to(100.0 + time).unwrap();
        impacts += world.events().len();
        let expected = start * (-2.0 * rate * time).exp();
        assert!((world.kinetic_energy() - expected).abs() <= 1e-12 * expected, "{time}");
        let ledger = world.ledger();
        assert!((ledger.total - world.kinetic_energy()).abs() <= 1e-13 * start, "{ledger:?}");
        assert!((ledger.drag - (start - expected)).abs() <= 1e-12 * start, "{ledger:?}");
        assert_eq!(world.counters().ledger, ledger);
    }
    assert!(impacts > 500, "{impacts}");
}

/// Ten thousand seconds of inelastic discs, which are still after a minute: the ledger closes, and nothing
/// happens any more.
#[test]
fn a_gas_that_stills_has_no_more_events() {
    let mut rng = Rng::new(70_004);
    let mut world = world_of(0.7);
    world.add_wall(Wall::container([-8.0, -8.0], [8.0, 8.0]).with_restitution(0.9)).unwrap();
    while world.len() < 60 {
        let disc = Disc::new(rng.vector(7.0), 0.5).with_velocity(rng.vector(30.0)).with_restitution(0.8);
        let _ = world.insert(disc);
    }
    let start = world.kinetic_energy();
    let mut last = 0.0;
    for second in 1..=10_000 {
        assert_eq!(world.advance_to(f64::from(second)).unwrap().end, StopReason::Reached);
        last = world.events().last().map_or(last, |event| event.time().as_secs());
    }
    assert!(last > 1.0 && last < 60.0, "the last event was at {last} s");
    assert_eq!(world.next_event(), None);
    assert!(world.kinetic_energy() < 1e-300);
    let ledger = world.ledger();
    assert!(ledger.total.abs() <= 1e-12 * start && ledger.restitution > 0.0, "{ledger:?}");
    world.assert_well_formed();
}

/// Velocities that are set after thousands of half-lives lead as far, as precisely, as those at the start.
#[test]
fn an_old_world_is_as_precise_as_a_new_one() {
    let rate = 3.0;
    let mut world = world_of(rate);
    let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 1.0])).unwrap();
    let b = world.insert(Disc::new([0.0, 50.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let mut from = DVec2::ZERO;
    for (kick, half_lives) in
        [0.3, 20.0, 40.0, 31.9, 32.0, 900.0, 1100.0, 5000.0, 1e5].into_iter().enumerate()
    {
        let dt = half_lives * core::f64::consts::LN_2 / rate;
        let before = world.get(a).unwrap().velocity();
        world.advance(dt).unwrap();
        from += before * way(rate, dt);
        let now = world.get(a).unwrap();
        assert!(
            (now.position() - from).length() <= 16.0 * (kick + 1) as f64 * HALF_ULP * 2.0,
            "{half_lives}"
        );
        // Rounded by the clock, and read back within an ulp or two.
        let velocity = DVec2::new(2.0, 1.0 - kick as f64);
        world.set_velocity(a, velocity).unwrap();
        let set = world.get(a).unwrap().velocity();
        assert!((set - velocity).length() <= 3.0 * HALF_ULP * velocity.length(), "{half_lives}: {set}");
    }
    let (still, whole) = (world.get(b).unwrap(), 1.0 / rate);
    assert!((still.position().x - whole).abs() <= 16.0 * HALF_ULP * whole);
    assert_eq!(still.position().y, 50.0);
}

/// Velocities are multiplied by any factor at any age: those that are in range then stay so and as they
/// should be, and the ledger closes.
#[test]
fn velocities_are_scaled_at_any_age() {
    for half_lives in [0.5, 31.5, 40.0, 900.0, 1060.0, 1e5] {
        for factor in [0.5, 1e9, 1e200] {
            let mut world = world_of(1.0);
            let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([3.0, 4.0])).unwrap();
            world.advance(half_lives * core::f64::consts::LN_2).unwrap();
            let before = world.get(id).unwrap().velocity();
            let (speed, what) = (5.0 * 2.0_f64.powf(-half_lives), format!("{half_lives}, {factor}"));
            let scaled = world.scale_velocities(factor);
            let after = world.get(id).unwrap().velocity();
            if speed * factor > 1e15 {
                assert!(scaled.is_err() && after == before, "{what}: {after}");
            } else {
                assert!(scaled.is_ok(), "{what}");
                // Times of 10³ s are known to 10⁻¹³ s, and so are their exponentials; what is less than
                // 2⁻¹⁰⁰⁰ of its beginning is none.
                let off = (after - DVec2::new(0.6, 0.8) * (speed * factor)).length();
                assert!(off <= 1e-12 * speed * factor + 1e-100, "{what}: {after}");
            }
            let energy = world.kinetic_energy();
            let largest = energy.max(12.5);
            assert!((world.ledger().total - energy).abs() <= 1e-12 * largest, "{what}: {energy}");
            world.advance(1.0).unwrap();
            assert!(world.get(id).unwrap().position().is_finite(), "{what}");
            world.assert_well_formed();
        }
    }
}

/// What an impact reports are true speeds: at half the speed, 2 of 4 length units a second.
#[test]
fn events_have_true_speeds() {
    let mut world = world_of(1.0);
    let slowed = core::f64::consts::LN_2;
    // 4 (1 − ½) = 2 length units.
    world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(3.0).with_velocity([4.0, 0.0])).unwrap();
    world.insert(Disc::new([3.0, 0.0], 0.5).with_mass(3.0)).unwrap();
    world.advance(1.0).unwrap();
    let impact = *world.events()[0].impact().unwrap();
    assert!((impact.time.as_secs() - slowed).abs() <= 2.0 * HALF_ULP, "{impact:?}");
    assert_eq!((impact.approach_speed, impact.impulse), (2.0, 6.0));
    assert_eq!((impact.before[0].x, impact.after[1].x, impact.after[0].x), (2.0, 2.0, 0.0));
    assert_eq!(world.get(impact.a).unwrap().state_time(), impact.time);
}

#[test]
fn what_has_no_closed_form_is_refused() {
    let settings = Settings::default().with_drag(1.0);
    let reason = |error: Error| match error {
        Error::Inconsistent { field, reason, .. } => format!("{field}: {reason}"),
        other => panic!("{other:?}"),
    };
    let refused = World::with_physics(Forces::new(), settings.clone()).unwrap_err();
    assert_eq!(reason(refused), "drag: paths of discs that accelerate are no parabolas under drag");
    let refused = World::with_physics(Rough::<Smooth>::default(), settings.clone()).unwrap_err();
    assert!(reason(refused).starts_with("drag: this physics does not say"));
    let mut world = World::with_settings(settings.clone()).unwrap();
    world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    assert!(reason(world.set_growth(0.1).unwrap_err()).starts_with("rate: under drag"));
    for rate in [-1.0, 1e-13, 1e10, f64::INFINITY, f64::NAN] {
        let refused = World::with_settings(Settings::default().with_drag(rate)).unwrap_err();
        assert!(matches!(refused, Error::OutOfRange { field: "drag", .. }), "{rate}: {refused:?}");
    }
    let coarse = settings.clone().with_epoch(2.0_f64.powi(50)).with_drag(1e3);
    assert!(reason(World::with_settings(coarse).unwrap_err()).starts_with("drag: velocities halve"));
    let without = World::with_physics(Rough::<Smooth>::default(), settings.with_drag(0.0)).unwrap();
    assert_eq!(without.settings().drag, 0.0);
}

/// At the ends of the range of rates, and with clocks of long epochs.
#[test]
fn rates_at_the_ends_of_their_range() {
    for (rate, epoch) in [(1e-12, 1.0 / 1024.0), (1e9, 1.0 / 1024.0), (1e9, 2.0_f64.powi(-60)), (1.0, 4096.0)]
    {
        let settings = Settings::default().with_drag(rate).with_epoch(epoch);
        let mut world = World::with_settings(settings).unwrap();
        // One length unit is left to go.
        let a = world.insert(Disc::new([-0.125, 0.0], 0.125).with_velocity([rate, 0.0])).unwrap();
        world.insert(Disc::new([0.875, 0.0], 0.125)).unwrap();
        let expected = -(-0.75_f64).ln_1p() / rate;
        let next = world.next_event().unwrap().time.as_secs();
        let bound = HALF_ULP * (16.0 * expected + epoch);
        assert!((next - expected).abs() <= bound, "{rate}: {next} {expected}");
        world.advance(1.5 * expected).unwrap();
        assert!((world.get(a).unwrap().position().x - 0.625).abs() <= 16.0 * HALF_ULP);
        world.assert_well_formed();
    }
}

/// In a periodic plane a disc of way 25 in a period of 10 meets another one as it comes round.
#[test]
fn drag_in_a_periodic_world() {
    let settings = Settings::default().with_drag(0.1).with_period([Some(10.0), Some(10.0)]);
    let mut world: World<Smooth> = World::with_settings(settings).unwrap();
    world.insert(Disc::new([1.0, 5.0], 0.5).with_velocity([2.5, 0.0])).unwrap();
    world.insert(Disc::new([9.0, 5.6], 0.5).with_velocity([0.0, 0.0])).unwrap();
    let impacts = world.advance(1e3).unwrap().events;
    let first = world.events()[0];
    // 8 − √(1 − 0.6²) = 7.2 length units.
    let expected = -(-0.1_f64 * 7.2 / 2.5).ln_1p() / 0.1;
    assert!((first.time().as_secs() - expected).abs() <= 1e-14 * expected, "{first:?}");
    assert!((1..20).contains(&impacts) && matches!(first, Event::Impact(_)), "{impacts}");
}
