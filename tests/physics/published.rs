//! Numbers that are known in advance: counted, derived or computed elsewhere.

use carom_engine::{DVec2, Disc, DiscId, Event, Partner, Settings, StopReason, Wall, World};

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
}

#[test]
fn galperin_with_small_ratios() {
    // The right angle fits 4 times into π for 1:1 and exactly 6 times for 3:1, where rounding decides
    // nothing.
    for (ratio, count) in [(1.0, 3), (3.0, 5), (2.0, 5), (4.0, 6)] {
        assert_eq!(galperin(ratio), count, "mass ratio {ratio}");
    }
}

fn cradle(radius: f64, speed: f64, strikers: usize, simultaneous: carom_engine::Simultaneous) -> Vec<DVec2> {
    let mut world = World::with_settings(Settings::default().with_simultaneous(simultaneous)).unwrap();
    let ids: Vec<DiscId> = (0..5)
        .map(|i| {
            let gap = if i < strikers { 3.0 * radius } else { 0.0 };
            let velocity = if i < strikers { DVec2::new(speed, 0.0) } else { DVec2::ZERO };
            let position = DVec2::new(2.0 * radius * i as f64 - gap, 0.0);
            world.insert(Disc::new(position, radius).with_velocity(velocity)).unwrap()
        })
        .collect();
    assert_eq!(world.advance(10.0 * radius / speed).unwrap().end, StopReason::Reached);
    ids.iter().map(|&id| world.get(id).unwrap().velocity()).collect()
}

/// As many leave as strike, with the same speed, and the rest stay at exactly 0: conservation of momentum and
/// energy alone would allow more; that the blow passes through one by one is the rule of the passes.
#[test]
fn newtons_cradle() {
    use carom_engine::Simultaneous::{OneByOne, Together};
    // The second radius and speed are not exact in binary.
    for (radius, speed) in [(0.5, 1.0), (0.028575, 7.3)] {
        for strikers in 1..5 {
            for rule in [Together, OneByOne] {
                let velocities = cradle(radius, speed, strikers, rule);
                for (i, v) in velocities.iter().enumerate() {
                    let expected = if i >= 5 - strikers { speed } else { 0.0 };
                    assert_eq!(
                        *v,
                        DVec2::new(expected, 0.0),
                        "disc {i}, {strikers} strikers, {radius}, {rule:?}"
                    );
                }
            }
        }
    }
}

/// A disc onto two that touch, symmetrically. With impulses j along the lines of centres at ±30°, equal
/// masses: v = 1 − √3 j, u = j; restitution 1 along each line: u − (√3/2) v = √3/2, so j = 2√3/5.
#[test]
fn one_onto_two_touching() {
    let mut world = World::new();
    let striker = world.insert(Disc::new(DVec2::new(-3.0, 0.0), 0.5).with_velocity(DVec2::X)).unwrap();
    let up = world.insert(Disc::new(DVec2::new(0.0, 0.5), 0.5)).unwrap();
    let down = world.insert(Disc::new(DVec2::new(0.0, -0.5), 0.5)).unwrap();
    let advance = world.advance(4.0).unwrap();
    assert_eq!(advance.events, 1);
    let v = world.get(striker).unwrap().velocity();
    assert!((v.x + 0.2).abs() < 1e-15 && v.y == 0.0, "{v}");
    let speed = 0.4 * 3.0_f64.sqrt();
    let (u, w) = (world.get(up).unwrap().velocity(), world.get(down).unwrap().velocity());
    assert!((u.length() - speed).abs() < 1e-15 && (w.length() - speed).abs() < 1e-15);
    // The mirror image, to the last bit.
    assert_eq!(u, DVec2::new(w.x, -w.y));
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
