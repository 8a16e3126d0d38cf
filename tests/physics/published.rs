//! Numbers that are known in advance: counted, derived or computed elsewhere.

use carom_engine::{DVec2, Disc, Event, Partner, Settings, StopReason, Wall, World};

fn quiet() -> World {
    let settings = Settings::default().with_record_events(false).with_budget(u64::MAX);
    World::with_settings(settings).unwrap()
}

/// A light disc between a wall and a heavy one that comes in: the number of collisions spells out π.
/// G. Galperin, Regul. Chaotic Dyn. 8 (2003) 375: the count is ⌈π / arctan √(m/M)⌉ − 1.
fn galperin(ratio: f64) -> u64 {
    let mut world = quiet();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X)).unwrap();
    world.insert(Disc::new(DVec2::new(1.0, 0.0), 0.1)).unwrap();
    world.insert(Disc::new(DVec2::new(2.0, 0.0), 0.1).with_mass(ratio).with_velocity(DVec2::NEG_X)).unwrap();
    world.advance(1e9).unwrap().events
}

#[test]
fn galperin_counts_the_digits_of_pi() {
    for (k, digits) in [(0, 3), (1, 31), (2, 314), (3, 3141), (4, 31415), (5, 314_159), (6, 3_141_592)] {
        assert_eq!(galperin(100.0_f64.powi(k)), digits, "mass ratio 100^{k}");
    }
    // The right angle fits 4 times into π for 1:1 and exactly 6 times for 3:1, where rounding decides
    // nothing.
    for (ratio, count) in [(1.0, 3), (3.0, 5), (2.0, 5), (4.0, 6)] {
        assert_eq!(galperin(ratio), count, "mass ratio {ratio}");
    }
}

/// Times from a 50-digit computation of the same start.
#[test]
fn three_discs_four_collisions() {
    let mut world = World::new();
    let discs = [
        (DVec2::new(-3.0, -0.19), DVec2::new(0.9673, 0.2537)),
        (DVec2::new(0.0, 0.0), DVec2::ZERO),
        (DVec2::new(1.82, 0.0), DVec2::new(-0.4931, 0.2958)),
    ];
    let ids = discs.map(|(p, v)| world.insert(Disc::new(p, 0.5).with_velocity(v)).unwrap());
    let mut met = Vec::new();
    let end = world.advance_with(1e6, &mut |event: &Event| {
        let impact = event.impact().unwrap();
        let Partner::Disc(b) = impact.b else { panic!("there is no wall") };
        let number = |id| ids.iter().position(|&other| other == id).unwrap();
        met.push((number(impact.a), number(b), impact.time.as_secs()));
    });
    assert_eq!(end.unwrap().end, StopReason::Reached);
    let expected =
        [(1, 2, 2.103182135658), (0, 1, 2.130070948455), (1, 2, 2.154383527007), (0, 2, 4.683393703496)];
    assert_eq!(met.len(), expected.len(), "{met:?}");
    for (is, should) in met.iter().zip(expected) {
        // The published digits end at 10⁻¹²; the map from one collision to the next stretches errors tenfold.
        assert!((is.0, is.1) == (should.0, should.1) && (is.2 - should.2).abs() < 1e-12, "{is:?} {should:?}");
    }
}
