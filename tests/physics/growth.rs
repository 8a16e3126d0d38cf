//! Discs that grow, against closed forms: when they meet, what their surfaces do to each other, and where it
//! ends.

use crate::common::by::By;
use crate::common::record::{bits_of, deepest_overlap, deepest_overlap_by, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::toys::Balls;
use carom_engine::broadphase::SchedulerKind;
use carom_engine::math::tolerance::touch_slack;
use carom_engine::{
    DVec2, Disc, DiscId, Error, Event, Impact, Rough, Settings, Smooth, StopReason, Wall, World, limits,
};

fn periodic(side: f64) -> World {
    World::with_settings(Settings::default().with_period([Some(side); 2])).unwrap()
}

fn impact(event: &Event) -> Impact {
    *event.impact().unwrap()
}

/// Two at rest, 3 apart, of radii 1 and ½ that grow by ½ and ¼ a second: they touch when ¾ t closes the gap
/// of 3/2. Their surfaces come together at ¾, and part at e times that.
#[test]
fn two_at_rest_grow_into_each_other() {
    for (masses, e) in [([1.0, 1.0], 1.0), ([1.0, 3.0], 1.0), ([2.0, 2.0], 0.5), ([1.0, 1.0], 0.0)] {
        for turned in [DVec2::X, DVec2::new(0.6, -0.8)] {
            let mut world = World::new();
            let [small, large] = [(0.0, 1.0, 0), (3.0, 0.5, 1)].map(|(at, radius, k)| {
                let disc = Disc::new(turned * at, radius).with_mass(masses[k]).with_restitution(e);
                world.insert(disc).unwrap()
            });
            world.set_growth(0.5).unwrap();
            let next = world.next_event().unwrap();
            assert!((next.time.as_secs() - 2.0).abs() < 1e-15);
            world.advance(3.0).unwrap();
            let [hit] = world.events() else { panic!("{:?}", world.events()) };
            let hit = impact(hit);
            assert!((hit.approach_speed - 0.75).abs() < 1e-15, "{hit:?}");
            // The reduced mass times (1 + e) times the speed of approach.
            let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
            assert!((hit.impulse - reduced * (1.0 + e) * 0.75).abs() < 1e-15, "{hit:?}");
            let apart =
                (world.get(large).unwrap().position() - world.get(small).unwrap().position()).length();
            let radii = world.get(small).unwrap().radius() + world.get(large).unwrap().radius();
            assert!((radii - 1.5 * 2.5).abs() < 1e-15, "{radii}");
            // A second after it, the gap is what the surfaces parted by.
            assert!((apart - radii - e * 0.75).abs() < 1e-14, "{apart} {radii}");
            let momentum = world.momentum();
            assert!(momentum.length() < 1e-15, "{momentum}");
        }
    }
}

/// Beside a wall of any form that takes it: a disc of radius 1 at rest, whose edge is 1 away, with a rate of
/// ¼.
#[test]
fn one_at_rest_grows_into_a_wall() {
    let (x, y) = (DVec2::X * 2.0, DVec2::Y * 5.0);
    let behind = DVec2::new(2.5, 0.0);
    for (wall, e) in [
        (Wall::half_plane(x, -DVec2::X), 1.0),
        (Wall::segment(x - y, x + y), 1.0),
        (Wall::segment(x + y, x - y), 0.5),
        (Wall::one_sided_segment(x - y, x + y), 1.0),
        (Wall::disc(behind, 0.5), 1.0),
        (Wall::disc(x, 0.0), 0.5),
        // Ends.
        (Wall::segment(x, x + DVec2::X), 1.0),
        (Wall::one_sided_segment(x, x + DVec2::new(1.0, 1.0)), 1.0),
    ] {
        let text = format!("{wall:?}");
        let mut world = World::new();
        let wall = world.add_wall(wall.with_restitution(e * e)).unwrap();
        let id = world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
        world.set_growth(0.25).unwrap();
        world.advance(5.0).unwrap();
        let [hit] = world.events() else { panic!("{text}: {:?}", world.events()) };
        let hit = impact(hit);
        assert!((hit.time.as_secs() - 4.0).abs() < 1e-14, "{text}: {hit:?}");
        assert!((hit.approach_speed - 0.25).abs() < 1e-15, "{text}: {hit:?}");
        assert!((hit.point - x).length() < 1e-14 && (hit.normal - DVec2::X).length() < 1e-15, "{text}");
        assert!((world.get(id).unwrap().velocity().x + (1.0 + e) * 0.25).abs() < 1e-15, "{text}");
        world.remove_wall(wall).unwrap();
    }
    // From behind a one-sided wall nothing meets it.
    let mut world = World::new();
    world.add_wall(Wall::one_sided_segment(x + y, x - y)).unwrap();
    world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    world.set_growth(0.25).unwrap();
    assert_eq!(world.next_event(), None);
}

/// A disc that flies away as fast as surfaces swell is never met, and one a little slower is: |d| + w t = R
/// (1 + h t).
#[test]
fn a_disc_that_keeps_ahead_is_not_met() {
    let pair = |speed: f64| {
        let mut world = World::new();
        world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
        world.insert(Disc::new(DVec2::X * 3.0, 1.0).with_velocity(DVec2::X * speed)).unwrap();
        world.set_growth(0.5).unwrap();
        world.next_event().map(|next| next.time.as_secs())
    };
    assert_eq!(pair(1.0), None);
    assert_eq!(pair(1.25), None);
    let met = pair(0.75).unwrap();
    assert!((met - 4.0).abs() < 1e-14, "{met}");
    // The last 2⁻²⁰ of the speed takes as much longer: known to as many digits less.
    let late = pair(1.0 - 1.0 / f64::from(1 << 20)).unwrap();
    assert!((late / f64::from(1 << 20) - 1.0).abs() < 1e-9, "{late}");
}

/// A square lattice at rest in a periodic square grows at one rate everywhere: all meet at one instant, by
/// symmetry with nothing to give way to.
#[test]
fn a_lattice_is_full_at_its_packing() {
    for n in [3, 6] {
        let mut world = periodic(f64::from(n));
        for k in 0..n * n {
            let at = DVec2::new(f64::from(k % n), f64::from(k / n)) + 0.5;
            world.insert(Disc::new(at, 0.25)).unwrap();
        }
        world.set_growth(1.0).unwrap();
        let end = world.advance(2.0).unwrap();
        assert_eq!(end.end, StopReason::Reached);
        assert_eq!(world.growth(), 0.0);
        let [Event::GrowthEnded { time }] = world.events() else { panic!("{:?}", world.events()) };
        assert!((time.as_secs() - 1.0).abs() < 1e-15, "{time:?}");
        check_apart(&world, 1e-13);
    }
}

/// A row between walls that it fills cannot grow; with room left it can, and bounces.
#[test]
fn a_row_that_fills_its_box_is_crushed() {
    let row = |room: f64| {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(6.0 + room, 9.0))).unwrap();
        for k in 0..3 {
            world.insert(Disc::new(DVec2::new(2.0 * f64::from(k) + 1.0, 4.0), 1.0)).unwrap();
        }
        world.set_growth(0.01).unwrap();
        world
    };
    let end = row(0.0).advance(1.0).unwrap();
    assert_eq!((end.end, end.events), (StopReason::Reached, 1));
    let mut world = row(0.5);
    assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);
    assert!(world.kinetic_energy() > 0.0);
    check_apart(&world, 1e-13);
}

fn check_apart(world: &World, most: f64) {
    let depth = deepest_overlap(world);
    assert!(depth <= most, "{depth:e}");
}

/// A touching row at rest is pushed apart at once, as one group: mirrored about its middle to the last bit,
/// with no two surfaces that approach, and with e = 0 exactly as the comoving frame expands.
#[test]
fn a_touching_row_gives_way_on_both_sides() {
    for (n, e) in [(2, 1.0), (5, 1.0), (6, 0.5), (7, 0.0)] {
        let mut world = World::new();
        let ids: Vec<DiscId> = (0..n)
            .map(|k| {
                let at = DVec2::new(2.0 * f64::from(k) - f64::from(n - 1), 0.0);
                world.insert(Disc::new(at, 1.0).with_restitution(e)).unwrap()
            })
            .collect();
        world.set_growth(0.125).unwrap();
        world.advance(0.0).unwrap();
        let speeds: Vec<f64> = ids.iter().map(|&id| world.get(id).unwrap().velocity().x).collect();
        for (k, speed) in speeds.iter().enumerate() {
            assert_eq!(*speed, -speeds[speeds.len() - 1 - k], "{speeds:?}");
        }
        for pair in speeds.windows(2) {
            // Surfaces move outwards at 1/8 each.
            assert!(pair[1] - pair[0] >= 0.25, "{speeds:?}");
            assert!(e > 0.0 || pair[1] - pair[0] == 0.25, "{speeds:?}");
        }
        world.advance(10.0).unwrap();
        check_apart(&world, 1e-13);
        let places: Vec<f64> = ids.iter().map(|&id| world.get(id).unwrap().position().x).collect();
        for (k, place) in places.iter().enumerate() {
            assert_eq!(*place, -places[places.len() - 1 - k], "{places:?}");
        }
    }
}

/// A rack of fifteen that touch gives way in all directions, whatever their restitution: at rest, hit on one
/// side, and with a wall behind. With e = 0 it does just as the frame that grows with it.
#[test]
fn a_touching_rack_gives_way() {
    for (e, has_wall, is_hit) in
        [(1.0, false, false), (0.5, true, false), (0.0, false, false), (1.0, true, true), (0.0, true, true)]
    {
        let mut world = World::new();
        let rise = 3.0f64.sqrt();
        for row in 0..5 {
            for k in 0..=row {
                let at = DVec2::new(f64::from(row) * rise, 2.0 * f64::from(k) - f64::from(row));
                world.insert(Disc::new(at, 1.0).with_restitution(e)).unwrap();
            }
        }
        if has_wall {
            world.add_wall(Wall::half_plane(DVec2::X * (4.0 * rise + 1.0), -DVec2::X)).unwrap();
        }
        if is_hit {
            let at = DVec2::new(-3.0, 0.1);
            world.insert(Disc::new(at, 1.0).with_velocity(DVec2::X * 2.0).with_restitution(e)).unwrap();
        }
        world.set_growth(0.125).unwrap();
        let first = world.advance(0.0).unwrap();
        assert_eq!((first.end, first.events), (StopReason::Reached, 1), "e = {e}");
        if (e, has_wall) == (0.0, false) {
            // By its rounding, which is that of the normals: some ulps of the speeds.
            let off = deepest_overlap_by(&world, |_, [(_, a), (_, b)]| {
                (a.velocity - b.velocity - (a.position - b.position) * 0.125).length()
            });
            assert!(off < 1e-14, "{off:e}");
        }
        let end = world.advance(8.0).unwrap();
        assert_eq!(end.end, StopReason::Reached, "e = {e}");
        check_apart(&world, touch_slack(64.0));
    }
}

/// After each of tens of thousands of events nothing overlaps by more than what counts as touching.
///
/// A pair that meets is placed with a rounding or two of either path, of either radius, and of the time: 3
/// ulp of the coordinates if all went one way. It is let go from there, and cannot come nearer before one of
/// them meets another.
#[test]
fn nothing_overlaps_in_a_long_compression() {
    let mut events = 0;
    for seed in 0..cases(6) {
        let mut rng = Rng::new(seed);
        let side = 15.0;
        let most = touch_slack(side);
        let boxed = seed % 2 == 0;
        let mut world = if boxed { World::new() } else { periodic(side) };
        if boxed {
            world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side))).unwrap();
        }
        while world.len() < 64 {
            let at = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
            let radius = rng.range(0.2, 0.5);
            let disc = Disc::new(at, radius).with_velocity(rng.vector(1.0)).with_mass(radius * radius);
            let _ = world.insert(disc);
        }
        world.set_budget(1);
        world.set_growth(0.05).unwrap();
        let energy = world.kinetic_energy();
        for step in 0..12_000 {
            let advance = world.advance(1e3).unwrap();
            assert_eq!(advance.end, StopReason::OutOfBudget);
            let room = |p: DVec2| p.min(DVec2::splat(side) - p).min_element();
            let outside = world.discs().map(|(_, disc)| disc.radius - room(disc.position));
            let depth = outside.filter(|_| boxed).fold(deepest_overlap(&world), f64::max);
            assert!(depth <= most, "seed {seed}, step {step}: {depth:e}");
            events += advance.events;
            if world.kinetic_energy() > 4.0 * energy {
                world.scale_velocities((energy / world.kinetic_energy()).sqrt()).unwrap();
            }
        }
        let discs = world.discs();
        let area: f64 = discs.map(|(_, disc)| core::f64::consts::PI * disc.radius * disc.radius).sum();
        assert!(area / (side * side) > 0.7, "{}", area / (side * side));
    }
    assert!(events >= 70_000, "{events}");
}

/// Elastic impacts with surfaces that come at them add energy, and the factor of a thermostat is squared.
#[test]
fn energy_rises_and_is_scaled() {
    let mut world = periodic(20.0);
    let mut rng = Rng::new(3);
    for k in 0..100 {
        let at = DVec2::new(f64::from(k % 10), f64::from(k / 10)) * 2.0;
        world.insert(Disc::new(at, 0.6).with_velocity(rng.vector(1.0))).unwrap();
    }
    let before = world.kinetic_energy();
    world.set_growth(0.05).unwrap();
    world.advance(5.0).unwrap();
    let grown = world.kinetic_energy();
    assert!(grown > 1.05 * before, "{before} {grown}");
    let momentum = world.momentum();
    for factor in [0.5, 1.0 / 3.0, 1.7] {
        let before = world.kinetic_energy();
        world.scale_velocities(factor).unwrap();
        // A rounding each for a component, a square, a sum: in pairs.
        assert!((world.kinetic_energy() / (before * factor * factor) - 1.0).abs() < 1e-14);
    }
    assert!((world.momentum() - momentum * (1.7 / 6.0)).length() < 1e-13);
    world.scale_velocities(0.0).unwrap();
    assert_eq!(world.kinetic_energy(), 0.0);
    // At rest they go on growing, and so into each other.
    assert!(world.next_event().is_some());
}

/// Radii are those of the present, whatever is asked or set.
#[test]
fn radii_are_present_ones() {
    let mut world = World::new();
    let first = world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    world.set_growth(0.25).unwrap();
    assert_eq!(world.growth(), 0.25);
    world.advance(2.0).unwrap();
    assert_eq!((world.get(first).unwrap().radius(), world.growth()), (1.5, 0.25 / 1.5));
    // Too near by what the first has grown.
    let near = Disc::new(DVec2::X * 2.25, 1.0);
    assert!(matches!(
        world.insert(near),
        Err(Error::OverlapsDisc { other, depth: 0.25 }) if other == first
    ));
    let second = world.insert(Disc::new(DVec2::X * 4.0, 0.75)).unwrap();
    world.advance(1.0).unwrap();
    assert!((world.get(second).unwrap().radius() - 0.75 * (1.75 / 1.5)).abs() < 1e-15);
    world.set_radius(second, 0.5).unwrap();
    assert!((world.get(second).unwrap().radius() - 0.5).abs() < 1e-16);
    // To set the rate anew is to set it for the present radii.
    world.set_growth(1.0).unwrap();
    world.advance(0.25).unwrap();
    assert_eq!(world.get(first).unwrap().radius(), 1.75 * 1.25);
    world.set_growth(0.0).unwrap();
    world.advance(5.0).unwrap();
    assert_eq!((world.get(first).unwrap().radius(), world.growth()), (1.75 * 1.25, 0.0));
    assert_eq!(world.remove(first).unwrap().radius, 1.75 * 1.25);
}

/// A world in which nothing grows has the bits that it had before there was growth.
#[test]
fn growth_that_has_ended_leaves_no_trace() {
    let mut rng = Rng::new(5);
    let (mut grown, mut plain) = (World::new(), World::new());
    for world in [&mut grown, &mut plain] {
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(12.0))).unwrap();
    }
    for k in 0..25 {
        let at = DVec2::new(f64::from(k % 5), f64::from(k / 5)) * 2.0 + 1.5;
        let disc = Disc::new(at, 0.7).with_velocity(rng.vector(1.0));
        grown.insert(disc).unwrap();
        plain.insert(disc).unwrap();
    }
    // For no time at all.
    grown.set_growth(0.5).unwrap();
    grown.set_growth(0.0).unwrap();
    grown.advance(20.0).unwrap();
    plain.advance(20.0).unwrap();
    assert!(plain.events().len() > 100);
    assert_eq!(grown.events(), plain.events());
}

#[test]
fn growth_ends_where_the_world_does() {
    // 2 r (1 + g t) = 0.49 L.
    for scheduler in [SchedulerKind::Table, SchedulerKind::Grid] {
        let settings = Settings::default().with_period([Some(8.0), None]).with_scheduler(scheduler);
        let mut world = World::with_settings(settings).unwrap();
        let id = world.insert(Disc::new(DVec2::ZERO, 0.98)).unwrap();
        world.insert(Disc::new(DVec2::new(4.0, 30.0), 0.98)).unwrap();
        world.set_growth(0.5).unwrap();
        let end = world.advance(1.5).unwrap();
        assert_eq!((end.end, end.events), (StopReason::Reached, 0));
        let end = world.advance(7.0).unwrap();
        assert_eq!((end.end, end.events), (StopReason::Outgrown, 0));
        assert!((end.time.as_secs() - 2.0).abs() < 1e-11, "{end:?}");
        assert_eq!((world.advance(1.0).unwrap().end, world.now()), (StopReason::Outgrown, end.time));
        assert_eq!((world.next_event(), world.step_event().events), (None, 0));
        // At the very time, not after it.
        assert_eq!(world.advance(0.0).unwrap().end, StopReason::Reached);
        world.remove(id).unwrap();
        // Alone the other may be as large as that itself: r (1 + g t) = 0.49 L.
        assert_eq!(world.advance(3.9).unwrap().end, StopReason::Reached);
        assert_eq!(world.advance(0.2).unwrap().end, StopReason::Outgrown);
        world.set_growth(0.0).unwrap();
        assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);

        // Of several it is the two largest that are too large first: (r₁ + r₂)(1 + g t) = 0.49 L.
        let settings = Settings::default().with_period([Some(8.0), None]).with_scheduler(scheduler);
        let mut world = World::with_settings(settings).unwrap();
        for (radius, y) in [(0.25, 0.0), (1.2, 30.0), (0.4, 60.0)] {
            world.insert(Disc::new(DVec2::new(4.0, y), radius)).unwrap();
        }
        world.set_growth(0.5).unwrap();
        let end = world.advance(9.0).unwrap();
        assert_eq!((end.end, end.events), (StopReason::Outgrown, 0));
        assert!((end.time.as_secs() - (0.49 * 8.0 / 1.6 - 1.0) / 0.5).abs() < 1e-11, "{end:?}");
    }
    let mut world = World::new();
    world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    world.set_growth(1e6).unwrap();
    let end = world.advance_to(1e12).unwrap();
    assert_eq!(end.end, StopReason::Outgrown);
    let radius = world.discs().next().unwrap().1.radius;
    assert!(radius <= limits::MAX_LENGTH && radius > 0.999 * limits::MAX_LENGTH, "{radius:e}");
    // Points never grow, and without discs nothing does.
    let mut world = World::new();
    world.set_growth(1.0).unwrap();
    assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);
    world.insert(Disc::new(DVec2::ZERO, 0.0).with_velocity(DVec2::X)).unwrap();
    assert_eq!(world.advance(1e9).unwrap().end, StopReason::Reached);
}

/// A few discs far from each other, whose paths lead past each other, grow until they meet: the search for
/// these meetings among all discs knows that, too.
#[test]
fn discs_that_pass_each_other_grow_into_each_other() {
    let mut events = 0;
    for seed in 0..cases(20) {
        let run = |by: By| {
            let mut rng = Rng::new(seed);
            let mut world = by.world(Settings::default());
            for _ in 0..12 {
                let disc = Disc::new(rng.vector(1000.0), rng.range(0.5, 1.0));
                _ = world.insert(disc.with_velocity(rng.vector(2.0)));
            }
            world.set_growth(2.0).unwrap();
            let (_, events) = by.advance(&mut world, 250.0);
            (bits_of(&events), state_bits(&world))
        };
        let table = run(By::Table);
        events += table.0.len();
        assert_eq!(table, run(By::Grid), "seed {seed}");
    }
    assert!(events > 100, "{events}");
}

#[test]
fn other_physics_grow_if_they_say_so() {
    let mut world = World::with_physics(Rough::<Smooth>::default(), Settings::default()).unwrap();
    assert!(matches!(world.set_growth(1.0), Err(Error::Inconsistent { field: "rate", .. })));
    world.set_growth(0.0).unwrap();

    fn met(kind: SchedulerKind) -> f64 {
        let settings = Settings::default().with_scheduler(kind);
        let mut world = World::with_physics(Balls, settings).unwrap();
        world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
        world.insert(Disc::new(DVec2::X * 5.0, 0.25)).unwrap();
        world.set_growth(0.5).unwrap();
        world.next_event().unwrap().time.as_secs()
    }
    // 2 √(1 · ¼) (1 + t/2) = 5, up to some roundings of it.
    let times = [SchedulerKind::Table, SchedulerKind::Grid].map(met);
    assert!(times[0] == times[1] && (times[0] - 8.0).abs() < 1e-14, "{times:?}");
}

#[test]
fn what_cannot_grow_is_refused() {
    let mut world = World::new();
    for rate in [-1.0, f64::NAN, f64::INFINITY, 1.1e15] {
        assert!(matches!(world.set_growth(rate), Err(Error::OutOfRange { field: "rate", .. })), "{rate}");
    }
    for factor in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = world.scale_velocities(factor);
        assert!(matches!(refused, Err(Error::OutOfRange { field: "factor", .. })), "{factor}");
    }
    let id = world.insert(Disc::new(DVec2::ZERO, 1.0).with_velocity(DVec2::X * 1e10)).unwrap();
    assert!(matches!(world.scale_velocities(1e6), Err(Error::OutOfRange { field: "velocity.x", .. })));
    assert_eq!(world.get(id).unwrap().velocity(), DVec2::X * 1e10);
    let hollow = [
        Wall::circle(DVec2::ZERO, 5.0),
        Wall::arc(DVec2::ZERO, 5.0, 0.0, 1.0),
        Wall::stadium(DVec2::ZERO, 3.0, 5.0),
    ];
    for wall in &hollow {
        let wall = world.add_wall(wall.clone()).unwrap();
        assert_eq!(world.set_growth(1.0), Err(Error::CannotGrow { wall }));
        assert_eq!(world.growth(), 0.0);
        world.remove_wall(wall).unwrap();
    }
    world.set_growth(1.0).unwrap();
    for wall in hollow {
        assert!(matches!(world.add_wall(wall), Err(Error::Inconsistent { field: "growth", .. })));
    }
    world.add_wall(Wall::container(DVec2::splat(-9.0), DVec2::splat(9.0))).unwrap();
}
