//! A world that is 10⁹ seconds old is as good as a new one.

use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, DiscId, Partner, Settings, Wall, World};

fn gas(start: f64, seed: u64) -> (World, Vec<DiscId>) {
    let mut rng = Rng::new(seed);
    let mut world = World::with_settings(Settings::default().with_start(start)).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(8.0))).unwrap();
    let mut ids = Vec::new();
    for k in 0..9 {
        let corner = DVec2::new(f64::from(k % 3), f64::from(k / 3)) * 2.5 + DVec2::splat(1.5);
        let disc = Disc::new(corner + rng.vector(0.5), rng.range(0.3, 0.6)).with_velocity(rng.vector(2.0));
        ids.push(world.insert(disc.with_mass(rng.range(0.5, 2.0))).unwrap());
    }
    (world, ids)
}

/// `Settings::start` at an exact number of epochs: then every difference of times is the same, so the run is
/// the same to the last bit, however chaotic; `start` in general: the same meetings, at times equal within
/// the clock's resolution (2⁻⁶³ s at the default epoch) magnified by the chaos, until that has grown too
/// large.
#[test]
fn an_old_world_is_as_accurate_as_a_new_one() {
    for seed in 0..20 {
        for (start, exact) in [(1e9, true), (123_456_789.0, true), (1e9 + 0.1, false), (1e12, true)] {
            let (mut young, young_ids) = gas(0.0, seed);
            let (mut old, old_ids) = gas(start, seed);
            assert_eq!(young_ids, old_ids);
            let origin = (young.now(), old.now());
            let mut magnified = 2.0_f64.powi(-62);
            for count in 0..400 {
                assert!(young.step_event().events == 1 && old.step_event().events == 1);
                let (a, b) = (young.events()[0], old.events()[0]);
                let (a, b) = (a.impact().unwrap(), b.impact().unwrap());
                let ages = (a.time.since(origin.0), b.time.since(origin.1));
                if exact {
                    assert_eq!(
                        ages.0.to_bits(),
                        ages.1.to_bits(),
                        "start {start}, seed {seed}, event {count}"
                    );
                    assert_eq!((a.a, a.b, a.after), (b.a, b.b, b.after), "event {count}");
                } else {
                    assert_eq!((a.a, a.b), (b.a, b.b), "start {start}, seed {seed}, event {count}");
                    // A meeting of discs of radius R after a flight of L magnifies a deviation by about 1 + 2
                    // L / (R cos φ); here L < 12 and 2R > 0.6. A hundredfold is generous for all but grazes,
                    // which are why only the first are compared. Rounding of positions, 2⁻⁵² · 8 over speeds
                    // of about 1, comes on top: it differs once a time differs.
                    magnified *= 100.0;
                    assert!((ages.0 - ages.1).abs() <= magnified.max(1e-14), "{count}: {ages:?}");
                    if magnified > 1e-3 {
                        break;
                    }
                }
            }
        }
    }
}

/// At an age of 10⁹ s doubles are 10⁻⁷ s apart; a step of 10⁻⁹ s still counts, and adds up.
#[test]
fn a_nanosecond_counts_at_a_billion_seconds() {
    let mut world = World::with_settings(Settings::default().with_start(1e9)).unwrap();
    let id = world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::X)).unwrap();
    world.add_wall(Wall::half_plane(DVec2::new(0.5 + 5e-7, 0.0), DVec2::NEG_X)).unwrap();
    let start = world.now();
    for step in 1..=400 {
        let advance = world.advance(1e-9).unwrap();
        assert_eq!(advance.events, 0);
        let expected = f64::from(step) * 1e-9;
        // Each step is rounded to the clock's resolution, at most 2⁻⁶⁴ s, and 10⁻⁹ itself to 2⁻⁸³.
        let tolerance = f64::from(step) * 2.0_f64.powi(-63);
        assert!((advance.time.since(start) - expected).abs() < tolerance, "step {step}");
        assert!((world.get(id).unwrap().position().x - expected).abs() < tolerance + 1e-22);
    }
    let mut impacts = 0;
    for _ in 0..200 {
        impacts += world.advance(1e-9).unwrap().events;
    }
    assert_eq!(impacts, 1);
    // There after 500 ns, 100 ns back. The wall stands at a double near 0.5, 2⁻⁵⁴ off at most.
    assert!((world.get(id).unwrap().position().x - 4e-7).abs() < 2.0_f64.powi(-52));
}

/// Between a disc's events 10⁹ s may pass.
#[test]
fn a_flight_of_a_billion_seconds() {
    let mut world = World::new();
    let a = world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::new(1e-3, 0.0))).unwrap();
    let b = world.insert(Disc::new(DVec2::new(1e6 + 1.0, 0.0), 0.5)).unwrap();
    world.advance_to(1e9 + 1.0).unwrap();
    let impact = *world.events()[0].impact().unwrap();
    assert_eq!((impact.a, impact.b), (a, Partner::Disc(b)));
    // 10⁶ / 0.001, where 0.001 is off by up to 2⁻⁶³, or 1e-16 of it.
    assert!((impact.time.as_secs() - 1e9).abs() < 2e-7);
    assert_eq!(world.get(a).unwrap().velocity(), DVec2::ZERO);
}
