//! The table of ranges in `limits`, at its edges: each quantity at its smallest and largest, alone and
//! together. What is accepted runs, and meets when the closed form says.

use carom_engine::limits::{MAX_LENGTH, MAX_MASS, MAX_SPEED, MIN_LENGTH, MIN_MASS};
use carom_engine::{DVec2, Disc, DiscId, Error, Physics, Settings, StopReason, Time, Wall, World};

use crate::common::rng::Rng;
use carom_testkit::at;

/// Half an ulp of 1.
const U: f64 = f64::EPSILON / 2.0;

fn world(epoch: f64) -> World {
    World::with_settings(Settings::default().with_epoch(epoch).with_budget(2000)).unwrap()
}

/// Well formed, and nothing that is not a number.
pub(super) fn check<P: Physics>(world: &mut World<P>) {
    world.assert_well_formed();
    for (id, disc) in world.discs() {
        assert!(disc.position.is_finite() && disc.velocity.is_finite(), "{id}: {disc:?}");
    }
    assert!(world.kinetic_energy().is_finite() && world.momentum().is_finite());
}

/// Time of the next event from now.
fn next(world: &mut World) -> Option<f64> {
    let now = world.now();
    world.next_event().map(|next| next.time.since(now))
}

/// The next event comes after `expected`, to within `relative` of it and the clock's resolution.
fn assert_next(world: &mut World, expected: f64, relative: f64) {
    let resolution = world.clock().epoch() * 2.0_f64.powi(-53);
    let found = next(world).unwrap_or_else(|| panic!("no event; expected at {expected:e}"));
    assert!(
        (found - expected).abs() <= relative * expected + resolution.min(expected),
        "at {found:e}, expected {expected:e}: off by {:e}",
        found / expected - 1.0
    );
}

/// A power of two.
pub(super) fn two(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

/// All kinds of walls and discs of three masses in a room of size 1.5, in other units. The numbers are such
/// that every scaled one is exact.
fn zoo(length: f64, speed: f64, mass: f64, epoch: f64) -> (World, Vec<DiscId>) {
    let mut world = world(epoch);
    let l = |x: f64, y: f64| at(x, y) * length;
    let walls = [
        Wall::container(l(0.0, 0.0), l(1.5, 1.5)),
        Wall::disc(l(0.75, 0.75), 0.125 * length),
        Wall::segment(l(0.25, 1.25), l(0.5, 1.375)),
        Wall::one_sided_segment(l(1.0, 0.125), l(1.25, 0.25)),
        Wall::arc(l(1.25, 1.25), 0.25 * length, 0.5, 2.0),
        Wall::half_plane(l(0.0, 0.25), at(1.0, 3.0)),
        Wall::circle(l(0.75, 0.75), 1.375 * length),
    ];
    for wall in walls {
        world.add_wall(wall.with_restitution(0.9375)).unwrap();
    }
    let mut ids = Vec::new();
    let places = [(0.5, 0.5), (1.0, 0.5), (0.375, 0.875), (1.125, 0.875), (0.75, 1.25)];
    for (k, (x, y)) in places.into_iter().enumerate() {
        let velocity = at([0.75, -0.5, 0.25, -1.0, 0.0][k], [0.125, 0.625, -0.375, 0.5, -0.75][k]) * speed;
        let radius = if k == 4 { 0.0 } else { 0.0625 * length };
        let disc = Disc::new(l(x, y), radius).with_velocity(velocity);
        ids.push(world.insert(disc.with_mass([1.0, 2.5, 0.5, 1.0, 3.0][k] * mass)).unwrap());
    }
    (world, ids)
}

/// Lengths, speeds and masses by powers of two, the epoch by that of a length over a speed: all numbers are
/// scaled, and no other bit changes, from one edge of the table to the other. There is no constant with a
/// unit in it.
#[test]
fn units_do_not_matter() {
    let base = two(-10);
    let mut runs = 0;
    let edges = |low: i32, high: i32| [low, low / 2, 0, high / 2, high];
    // 2⁻⁴⁵/16 > 10⁻¹⁵ and 1.5 · 2⁴⁹ < 10¹⁵; 3 · 2⁴⁹; 3 · 2¹⁶⁴ < 10⁵⁰.
    for length in edges(-45, 49) {
        for speed in edges(-100, 49) {
            for mass in [-164, 0, 164] {
                // The epoch is at most 2^±60.
                if !(-50..=70).contains(&(length - speed)) {
                    continue;
                }
                runs += 1;
                let (mut unit, ids) = zoo(1.0, 1.0, 1.0, base);
                let (l, v, e) = (two(length), two(speed), two(length - speed));
                let (mut scaled, _) = zoo(l, v, two(mass), base * e);
                for event in 0..60 {
                    let (a, b) = (unit.step_event(), scaled.step_event());
                    assert_eq!((a.end, a.events), (b.end, b.events));
                    let parts = |t: Time, e: f64| (t.epoch_start() * e, t.offset() * e);
                    assert_eq!(parts(a.time, e), parts(b.time, 1.0), "2^{length}, 2^{speed}, event {event}");
                    for &id in &ids {
                        let (a, b) = (unit.get(id).unwrap().to_disc(), scaled.get(id).unwrap().to_disc());
                        assert_eq!(
                            (a.position * l, a.velocity * v),
                            (b.position, b.velocity),
                            "event {event}"
                        );
                    }
                }
                check(&mut scaled);
            }
        }
    }
    println!("{runs} systems of units");
    assert!(runs > 40);
}

/// Lengths and speeds at their largest: off by at most 12 U of the path over the cosine
/// (docs/derivations/disc-disc.md), and U or two for sums and the clock.
#[test]
fn the_largest_lengths_and_speeds() {
    let (far, fast) = (MAX_LENGTH, MAX_SPEED);
    for direction in [DVec2::X, DVec2::Y, at(1.0, 1.0)] {
        for radius in [0.0, MIN_LENGTH, 1.0, 1e14] {
            let mut world = world(two(-10));
            let a = Disc::new(-direction * far, radius).with_velocity(direction * fast);
            let b = Disc::new(direction * far, 1.0).with_velocity(-direction * fast);
            let (a, b) = (world.insert(a).unwrap(), world.insert(b).unwrap());
            let length = direction.length();
            assert_next(&mut world, (2.0 * far * length - radius - 1.0) / (2.0 * fast * length), 20.0 * U);
            let energy = world.kinetic_energy();
            assert_eq!(world.advance(1.5).unwrap().events, 1);
            // Equal masses, head-on: they swap.
            let [v_a, v_b] = [a, b].map(|id| world.get(id).unwrap().velocity());
            assert!((v_a + direction * fast).length() <= 8.0 * U * fast);
            assert!((v_b - direction * fast).length() <= 8.0 * U * fast);
            assert!((world.kinetic_energy() / energy - 1.0).abs() <= 16.0 * U);
            check(&mut world);
        }
    }
    // Round rooms and boxes as large as there are, crossed in two seconds, again and again.
    for wall in [
        Wall::circle(DVec2::ZERO, far),
        Wall::container(DVec2::splat(-far), DVec2::splat(-far + MAX_LENGTH)),
        Wall::arc(DVec2::ZERO, far, 0.0, core::f64::consts::TAU),
    ] {
        let box_like = matches!(wall.shape, carom_engine::WallShape::Container { .. });
        let mut world = world(two(-10));
        world.add_wall(wall).unwrap();
        let center = if box_like { DVec2::splat(-0.5 * far) } else { DVec2::ZERO };
        let radius = 0.25 * far;
        let disc = Disc::new(center, radius).with_velocity(at(fast, 0.0));
        world.insert(disc).unwrap();
        let room = if box_like { 0.5 * far } else { far } - radius;
        assert_next(&mut world, room / fast, 20.0 * U);
        for _ in 0..100 {
            assert_eq!(world.step_event().events, 1);
            assert_next(&mut world, 2.0 * room / fast, 40.0 * U);
        }
        check(&mut world);
    }
}

/// Lengths at their smallest, at the origin and where neighbouring coordinates are 10¹⁴ radii apart.
#[test]
fn the_smallest_lengths() {
    let r = MIN_LENGTH;
    for speed in [MAX_SPEED, 1.0, 1e-20, 1e-40] {
        // A flight of 10⁻¹⁴ at 10⁻⁴⁰ a second takes 10²⁶ s.
        let mut world = world(two(60));
        world.insert(Disc::new(at(-10.0 * r, 0.0), r).with_velocity(at(speed, 0.0))).unwrap();
        world.insert(Disc::new(at(0.0, r), r)).unwrap();
        // At 30° to the line of centres: the cosine is √3/2.
        assert_next(&mut world, (10.0 - 3.0_f64.sqrt()) * r / speed, 40.0 * U);
        assert_eq!(world.step_event().events, 1);
        check(&mut world);
        let v: Vec<DVec2> = world.discs().map(|(_, disc)| disc.velocity).collect();
        // Normal (√3, 1)/2: the one hit gets the normal part.
        let expected = at(0.75, 3.0_f64.sqrt() / 4.0) * speed;
        assert!((v[1] - expected).length() <= 40.0 * U * speed, "{v:?}");
    }
    // Walls as short as they may be.
    for wall in [
        Wall::segment(at(0.0, 0.0), at(0.0, r)),
        Wall::circle(DVec2::ZERO, 2.0 * r),
        Wall::container(at(-2.0 * r, -2.0 * r), at(2.0 * r, 2.0 * r)),
        Wall::arc(DVec2::ZERO, r, 0.0, core::f64::consts::TAU),
        Wall::stadium(DVec2::ZERO, r, 2.0 * r),
    ] {
        let mut world = world(two(-10));
        world.add_wall(wall).unwrap();
        world.insert(Disc::new(at(-0.5 * r, 0.25 * r), 0.0).with_velocity(at(1.0, 0.25))).unwrap();
        for _ in 0..100 {
            world.step_event();
        }
        check(&mut world);
    }
    // A radius that no coordinate resolves: the times are right, and who meets stays a number. The places of
    // the two at contact round to one, so there is no direction to bounce in: see docs/numerics.md.
    for far in [1e6, MAX_LENGTH / 2.0, MAX_LENGTH - 64.0] {
        for direction in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y] {
            let mut world = world(two(-10));
            let step = 64.0;
            world.insert(Disc::new(at(far, far), r).with_velocity(direction)).unwrap();
            world.insert(Disc::new(at(far, far) + direction * step, r)).unwrap();
            assert_next(&mut world, step - 2.0 * r, 20.0 * U);
            let energy = world.kinetic_energy();
            assert!(world.advance(2.0 * step).unwrap().events <= 1);
            assert!(world.kinetic_energy() <= energy);
            check(&mut world);
        }
    }
}

/// Masses from 10⁻⁵⁰ to 10⁵⁰: v₁' = (m₁ − m₂)/(m₁ + m₂) v, v₂' = 2 m₁/(m₁ + m₂) v, and momentum to U of the
/// larger part.
#[test]
fn the_extreme_masses() {
    for (m1, m2) in [
        (MIN_MASS, MAX_MASS),
        (MAX_MASS, MIN_MASS),
        (MIN_MASS, MIN_MASS),
        (MAX_MASS, MAX_MASS),
        (MIN_MASS, 1.0),
        (1.0, MAX_MASS),
    ] {
        for e in [1.0, 0.5, 0.0] {
            for speed in [1.0, MAX_SPEED, 1e-100] {
                for far in [0.0, 1e6] {
                    let mut world = world(two(60));
                    let disc =
                        |x: f64, m: f64| Disc::new(at(far + x, 0.0), 0.5).with_mass(m).with_restitution(e);
                    let a = world.insert(disc(0.0, m1).with_velocity(at(speed, 0.0))).unwrap();
                    let b = world.insert(disc(2.0, m2)).unwrap();
                    if speed < 1e-30 {
                        // 10¹⁰⁰ s are beyond the horizon.
                        assert_eq!(next(&mut world), None);
                        continue;
                    }
                    let momentum = world.momentum().x;
                    assert_next(&mut world, 1.0 / speed, 20.0 * U);
                    assert_eq!(world.step_event().events, 1);
                    let [v1, v2] = [a, b].map(|id| world.get(id).unwrap().velocity().x);
                    let gained = (1.0 + e) * speed / (m1 + m2);
                    assert!((v2 - m1 * gained).abs() <= 8.0 * U * m1 * gained, "{m1:e} onto {m2:e}: {v2:e}");
                    assert!(
                        (v1 - (speed - m2 * gained)).abs() <= 8.0 * U * speed,
                        "{m1:e} onto {m2:e}: {v1:e}"
                    );
                    let scale = m1 * speed.max(v1.abs()) + m2 * v2.abs();
                    assert!((world.momentum().x - momentum).abs() <= 8.0 * U * scale);
                    check(&mut world);
                }
            }
        }
    }
    // The lightest between the heaviest and a wall: ever faster, until the budget ends it or the heavy one
    // turns.
    let mut world = world(two(-10));
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X)).unwrap();
    world.insert(Disc::new(at(1.0, 0.0), 0.5).with_mass(MIN_MASS)).unwrap();
    let heavy = Disc::new(at(3.0, 0.0), 0.5).with_mass(MAX_MASS).with_velocity(at(-MAX_SPEED, 0.0));
    world.insert(heavy).unwrap();
    let energy = world.kinetic_energy();
    for _ in 0..5 {
        world.advance(1e-15).unwrap();
        check(&mut world);
        assert!(world.kinetic_energy() <= energy * (1.0 + 1e-12));
    }
    // All three together, on a line: a heavy, a middling and a light one.
    let mut world = self::world(two(-10));
    world.add_wall(Wall::container(at(-4.0, -4.0), at(10.0, 4.0))).unwrap();
    for (k, mass) in [MAX_MASS, 1.0, MIN_MASS].into_iter().enumerate() {
        let velocity = at(if k == 0 { 1.0 } else { 0.0 }, 0.0);
        world
            .insert(
                Disc::new(at(3.0 * k as f64, 0.1 * k as f64), 0.5).with_mass(mass).with_velocity(velocity),
            )
            .unwrap();
    }
    let energy = world.kinetic_energy();
    for _ in 0..10 {
        world.advance(1.0).unwrap();
        check(&mut world);
        assert!((world.kinetic_energy() / energy - 1.0).abs() <= 1e-11);
    }
}

/// The finest and the coarsest clock, from their origin to their horizon. With E = 2⁻⁶⁰ s a world lasts 2 ms,
/// with 2⁶⁰ s its moments are up to 128 s apart: an impact comes within E · 2⁻⁵³ of the closed form, at any
/// age.
#[test]
fn the_extreme_clocks() {
    for exponent in [-60, -30, -10, 0, 30, 60] {
        let epoch = two(exponent);
        let horizon = two(51) * epoch;
        for start in [0.0, epoch, 0.25 * horizon, horizon - 64.0 * epoch, horizon - 4.0 * epoch] {
            let mut world =
                World::with_settings(Settings::default().with_epoch(epoch).with_start(start)).unwrap();
            // 1.25 epochs to the wall, and 2.5 from one to the other.
            let speed = (1.0 / epoch).min(MAX_SPEED);
            let unit = speed * epoch;
            world.add_wall(Wall::container(at(0.0, 0.0), at(3.5 * unit, unit))).unwrap();
            let disc = Disc::new(at(1.75 * unit, 0.5 * unit), 0.5 * unit).with_velocity(at(speed, 0.0));
            let id = world.insert(disc).unwrap();
            assert_next(&mut world, 1.25 * epoch, 8.0 * U);
            let left = (horizon - start) / epoch;
            assert_eq!(world.advance(1.5 * epoch).unwrap().events, 1);
            assert_eq!(world.get(id).unwrap().velocity().x, -speed);
            check(&mut world);
            if left > 4.0 {
                assert_next(&mut world, 2.25 * epoch, 16.0 * U);
                assert_eq!(world.advance(60.0 * epoch).unwrap().events, 24);
            } else {
                // At 3.75 epochs after the start, and then not before the end.
                assert_eq!(world.advance(2.375 * epoch).unwrap().events, 1);
                assert_eq!(world.next_event(), None);
            }
            check(&mut world);
            // The last moment there is, and the first there is not.
            if left <= 64.0 {
                let error = world.advance_to(horizon).unwrap_err();
                assert!(
                    matches!(error, Error::Inconsistent { field: "time", value, .. } if value == horizon)
                );
                let last = world.clock().from_parts(horizon - epoch, epoch.next_down()).unwrap();
                assert_eq!(world.advance_to(last).unwrap().end, StopReason::Reached);
                assert!(world.advance(epoch).is_err() && world.advance(0.0).is_ok());
                check(&mut world);
            }
        }
        let beyond = Settings::default().with_epoch(epoch).with_start(horizon);
        let error = World::with_settings(beyond).unwrap_err();
        assert!(matches!(error, Error::Inconsistent { field: "start", value, .. } if value == horizon));
    }
}

/// Speeds down to the smallest double. Where a flight would end beyond the horizon there is no event, and
/// no disc moves; where both path and speed are tiny, the closed form holds.
#[test]
fn tiny_speeds() {
    let tiniest = f64::from_bits(1);
    for speed in [tiniest, 3.0 * tiniest, f64::MIN_POSITIVE, 1e-300, 1e-200, 1e-155, 1e-100] {
        // Points and half-planes have no length of their own.
        let mut world = world(two(60));
        world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X)).unwrap();
        let id = world.insert(Disc::new(at(3.0 * speed, 0.0), 0.0).with_velocity(at(-speed, 0.0))).unwrap();
        assert_next(&mut world, 3.0, 4.0 * U);
        assert_eq!(world.step_event().events, 1);
        assert_eq!((world.get(id).unwrap().velocity().x, next(&mut world)), (speed, None));
        check(&mut world);
        for gap in [0.0, MIN_LENGTH, 1.0] {
            let mut world = self::world(two(60));
            world.add_wall(Wall::circle(DVec2::ZERO, 4.0)).unwrap();
            world.add_wall(Wall::segment(at(-1.0, -3.0), at(1.0, -3.0))).unwrap();
            world.insert(Disc::new(at(-0.5, 0.0), 0.5).with_velocity(at(speed, speed))).unwrap();
            world.insert(Disc::new(at(0.5 + gap, 0.0), 0.5).with_velocity(at(-speed, 0.0))).unwrap();
            let energy = world.kinetic_energy();
            // A touching pair may meet now, or count as not moving; both are right for 10³³ s.
            let advance = world.advance(1e33).unwrap();
            assert!(
                advance.end == StopReason::Reached && advance.events <= 1,
                "{speed:e}, gap {gap}: {advance:?}"
            );
            assert!(world.kinetic_energy() <= energy);
            for (_, disc) in world.discs() {
                assert!(disc.position.abs().max_element() <= 0.5 + gap, "{disc:?}");
            }
            check(&mut world);
        }
    }
    // Slow and fast together: the slow one is hit, and keeps nothing of its slowness.
    let mut world = world(two(-10));
    let a = world.insert(Disc::new(at(0.0, 0.0), 0.5).with_velocity(at(MAX_SPEED, 0.0))).unwrap();
    let b = world.insert(Disc::new(at(2.0, 0.0), 0.5).with_velocity(at(tiniest, tiniest))).unwrap();
    assert_next(&mut world, 1.0 / MAX_SPEED, 8.0 * U);
    assert_eq!(world.advance(1.0).unwrap().events, 1);
    assert_eq!(world.get(b).unwrap().velocity().x, MAX_SPEED);
    assert!(world.get(a).unwrap().velocity().x.abs() <= U * MAX_SPEED);
    check(&mut world);
}

/// Restitution at its ends, and an ulp from them.
#[test]
fn the_extreme_restitutions() {
    let tiniest = f64::from_bits(1);
    for e in [0.0, tiniest, 1e-300, U, 1.0 - U, 1.0] {
        let mut world = world(two(-10));
        world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_restitution(e)).unwrap();
        let id = world
            .insert(Disc::new(at(0.0, 2.0), 1.0).with_velocity(at(1.0, -1.0)).with_restitution(e))
            .unwrap();
        assert_eq!(world.advance(2.0).unwrap().events, 1);
        let v = world.get(id).unwrap().velocity();
        // 1 − (1 + e) is rounded twice.
        assert!(v.x == 1.0 && (v.y - e).abs() <= 2.0 * U, "{e:e}: {v}");
        check(&mut world);
    }
}

/// Everything at an edge at once, at random: it runs, or the budget ends it, and no number is lost.
#[test]
fn everything_at_an_edge() {
    let mut rng = Rng::new(1);
    let lengths = [MIN_LENGTH, 1e-8, 1.0, 1e8, MAX_LENGTH];
    let speeds = [0.0, f64::from_bits(1), 1e-300, 1e-15, 1.0, 1e8, MAX_SPEED];
    let masses = [0.0, MIN_MASS, 1e-10, 1.0, 1e10, MAX_MASS, f64::INFINITY];
    let mut events = 0;
    for case in 0..crate::common::rng::cases(3000) {
        println!("case {case}");
        let (epoch, budget) = (two([-60, -30, -10, 0, 60][rng.below(5)]), 100);
        let mut world = world(epoch);
        world.set_budget(budget);
        let signed = |rng: &mut Rng, from: &[f64]| {
            let x = rng.pick(from);
            if rng.chance(50) { -x } else { x }
        };
        for _ in 0..rng.below(3) {
            let p = at(signed(&mut rng, &lengths), signed(&mut rng, &lengths));
            let wall = match rng.below(4) {
                0 => Wall::half_plane(p, at(signed(&mut rng, &lengths), signed(&mut rng, &lengths))),
                1 => Wall::disc(p, rng.pick(&lengths)),
                2 => Wall::circle(p, rng.pick(&lengths)),
                _ => Wall::segment(p, at(signed(&mut rng, &lengths), signed(&mut rng, &lengths))),
            };
            let _ = world.add_wall(wall);
        }
        for _ in 0..2 + rng.below(3) {
            let p = at(signed(&mut rng, &lengths), signed(&mut rng, &lengths)) * rng.pick(&[0.0, 0.5, 1.0]);
            let v = at(signed(&mut rng, &speeds), signed(&mut rng, &speeds));
            let radius = rng.pick(&[0.0, MIN_LENGTH, 1e-8, 1.0, 1e8, MAX_LENGTH]);
            let disc = Disc::new(p, radius).with_velocity(v).with_mass(rng.pick(&masses));
            let disc = disc.with_restitution(rng.pick(&[0.0, 0.5, 1.0]));
            let _ = world.insert(if rng.chance(50) { disc.with_overlap() } else { disc });
        }
        let horizon = world.clock().horizon();
        for dt in [0.0, f64::from_bits(1), 1e-30, 1e-15, 1e-4, 1.0, 1e12, 0.9 * horizon] {
            let before = world.counters();
            if let Ok(advance) = world.advance(dt) {
                events += advance.events;
            }
            // An event, of a budget of 100, changes at most the four discs, each with a pair time with every
            // other one and a solo time; and there is one refresh of all at the beginning. Keys change no
            // more often than times.
            let after = world.counters();
            let times = after.pair_times + after.solo_times - before.pair_times - before.solo_times;
            let keys = after.queue_operations - before.queue_operations;
            let most = (budget + 1) * 4 * (3 + 1);
            assert!(times <= most && keys <= most, "{times} times, {keys} keys");
            check(&mut world);
        }
    }
    println!("{events} events");
    assert!(events > 1000);
}
