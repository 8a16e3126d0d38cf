//! Gaps down to an ulp of the coordinates: no contact is missed, no overlap is more than 4 ulp.
//!
//! One billiards program in wide use lets the striker through at gaps of 10⁻¹³ to 10⁻⁹ mm; another crashes.

use carom_engine::{DVec2, Disc, Settings, StopReason, Wall, World};

use crate::common::record::deepest_overlap_by;
use crate::common::rng::Rng;

/// The next double after a positive one, `n` times.
fn ulps_up(x: f64, n: u64) -> f64 {
    f64::from_bits(x.to_bits() + n)
}

/// How far the next double is from one.
fn ulp(x: f64) -> f64 {
    x.next_up() - x
}

/// Overlap of two discs in ulps of the largest coordinate of the two, or of the distance at which they touch
/// if that is larger; with the distance in exact products.
fn overlap(a: &Disc, b: &Disc) -> f64 {
    let reach = a.radius + b.radius;
    let largest = a.position.abs().max(b.position.abs()).max_element().max(reach);
    let squared = carom_engine::math::toi::squared_gap(b.position - a.position, reach);
    -squared / (2.0 * reach) / ulp(largest)
}

/// The deepest overlap of two discs of a world.
fn deepest(world: &World) -> f64 {
    deepest_overlap_by(world, |_, [(_, a), (_, b)]| overlap(a, b))
}

const GAPS: [u64; 14] = [
    0, 1, 2, 3, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000,
];

/// Equal discs along an axis from this place, the first one at a speed, with these gaps in ulps: everyone
/// gets its turn, and the velocities are exactly those of equal masses that swap. How deep they overlap at
/// most.
fn run_line(radius: f64, mut x: f64, gaps: &[u64], speed: f64) -> f64 {
    let what = format!("radius {radius} at {x}, gaps {gaps:?}, speed {speed}");
    let mut world = World::new();
    for (k, gap) in gaps.iter().chain([&0]).enumerate() {
        let velocity = DVec2::new(if k == 0 { speed } else { 0.0 }, 0.0);
        world.insert(Disc::new(DVec2::new(x, 0.0), radius).with_velocity(velocity)).unwrap();
        x = ulps_up(x + 2.0 * radius, *gap);
    }
    let mut worst = deepest(&world);
    // The widest gap is 2 · 10¹⁰ ulp: 2 · 10¹⁰ · 2.3 · 10⁻¹⁰ · 0.5 at most.
    while world.next_event().is_some() {
        world.step_event();
        worst = worst.max(deepest(&world));
        assert!(world.counters().events <= 3, "{what}: {:?}", world.events());
    }
    for (k, (_, disc)) in world.discs().enumerate() {
        // Exact on an axis: the normal is, and the exchange of equal masses then too.
        let expected = DVec2::new(if k == gaps.len() { speed } else { 0.0 }, 0.0);
        assert_eq!(disc.velocity, expected, "{what}");
    }
    world.advance(0.01 * radius / speed).unwrap();
    worst.max(deepest(&world))
}

/// Lines of two and three along an axis: no disc is inside another at any time.
#[test]
fn lines_along_an_axis() {
    let mut worst = f64::NEG_INFINITY;
    for (radius, far) in [0.5, 0.028575, 1.0, 0.3].into_iter().flat_map(|r| [(r, 1.0), (r, 1e6)]) {
        for gap in GAPS {
            for speed in [1e-3, 0.37, 1.0, 1e3] {
                worst = worst.max(run_line(radius, radius * far, &[gap], speed));
                for other in [0, 1, 3, gap] {
                    worst = worst.max(run_line(radius, radius * far, &[gap, other], speed));
                }
            }
        }
    }
    println!("overlap of at most {worst} ulp");
    assert!(worst <= 4.0, "{worst} ulp");
}

/// Two and three discs in any direction, at any place, with gaps of some ulps of the coordinates, head-on or
/// not: the striker never comes out on the other side, all meet, momentum holds, no disc is inside another.
#[test]
fn in_any_direction() {
    let mut rng = Rng::new(1);
    let (mut worst, mut missed) = (f64::NEG_INFINITY, 0);
    let cases = 40_000;
    for case in 0..cases {
        let radius = rng.pick(&[1.0, 0.5, 0.028575, 0.7]);
        let far = rng.pick(&[0.0, 1.0, 1e3, 1e6]) * radius;
        let offset = rng.vector(1.0) * far;
        let direction = DVec2::from_angle(rng.range(0.0, 7.0));
        let ulp = ulp(offset.abs().max_element() + 2.0 * radius);
        let n = 2 + case % 2;
        let speed = 10.0_f64.powf(rng.range(-3.0, 3.0));
        // The angle between path and line of centres: mostly well short of a graze.
        let tilt = if rng.chance(50) { 0.0 } else { rng.range(-1.2, 1.2) };
        // The widest gaps are of some radii: a path at an angle would lead past the next one.
        let gaps = if tilt == 0.0 { &GAPS[..] } else { &GAPS[..12] };
        let mut world = World::with_settings(Settings::default().with_budget(100)).unwrap();
        let (mut ids, mut s) = (Vec::new(), 0.0);
        for i in 0..n {
            let velocity =
                if i == 0 { DVec2::from_angle(tilt).rotate(direction) * speed } else { DVec2::ZERO };
            let disc = Disc::new(offset + direction * s, radius).with_velocity(velocity).with_overlap();
            ids.push(world.insert(disc).unwrap());
            s += 2.0 * radius + rng.pick(gaps) as f64 * ulp;
        }
        let before = (world.momentum(), world.kinetic_energy());
        let start = deepest(&world);
        // Rounding of the start itself may have put them an ulp or two inside each other.
        assert!(start <= 3.0, "case {case}: {start}");
        let mut steps = 0;
        while world.next_event().is_some() && steps < 20 {
            world.step_event();
            worst = worst.max(deepest(&world));
            world.advance(1e-16).unwrap();
            worst = worst.max(deepest(&world));
            steps += 1;
        }
        assert!(steps < 20, "case {case}: without end");
        if steps == 0 {
            missed += 1;
        }
        // Those behind have been pushed along the line, and the order along it is kept.
        let end = world.advance(radius / speed).unwrap();
        assert_eq!(end.end, StopReason::Reached);
        worst = worst.max(deepest(&world));
        for pair in ids.windows(2) {
            let d = world.get(pair[1]).unwrap().position() - world.get(pair[0]).unwrap().position();
            assert!(
                d.dot(direction) > 0.0 && d.length() > 2.0 * radius * (1.0 - 1e-9),
                "case {case}: through"
            );
        }
        let scale = speed * 8.0 * f64::EPSILON;
        assert!((world.momentum() - before.0).length() <= scale);
        assert!((world.kinetic_energy() - before.1).abs() <= scale * speed);
    }
    println!("{cases} cases, {missed} without contact, overlap of at most {worst} ulp");
    assert_eq!(missed, 0);
    assert!(worst <= 4.0, "{worst} ulp");
}

/// Two discs of any sizes and masses, elastic, inelastic or plastic, nearly touching: they meet, and do not
/// sink in, now or later, not even a plastic pair that goes on side by side.
#[test]
fn unequal_and_inelastic_pairs() {
    let mut rng = Rng::new(4);
    let mut worst = f64::NEG_INFINITY;
    for case in 0..crate::common::rng::cases(20_000) {
        let radii: [f64; 2] = [0, 1].map(|_| rng.pick(&[1.0, 0.5, 0.028575, 0.7, 0.001]));
        let offset = rng.vector(1.0) * rng.pick(&[0.0, 1.0, 1e3, 1e6]) * radii[0].max(radii[1]);
        let direction = if rng.chance(20) { DVec2::X } else { DVec2::from_angle(rng.range(0.0, 7.0)) };
        let ulp = ulp(offset.abs().max_element() + radii[0] + radii[1]);
        let gap = GAPS[rng.below(14)] as f64 * ulp;
        let speed = 10.0_f64.powf(rng.range(-3.0, 3.0));
        let e = rng.pick(&[0.0, 0.0, 0.5, 1.0]);
        let drift = if rng.chance(50) { DVec2::ZERO } else { rng.vector(speed) };
        let mut world = World::with_settings(Settings::default().with_budget(100)).unwrap();
        let mut put = |at: DVec2, radius: f64, velocity: DVec2| {
            let mass = 10.0_f64.powf(rng.range(-3.0, 3.0));
            let disc =
                Disc::new(at, radius).with_mass(mass).with_restitution(e).with_velocity(velocity + drift);
            world.insert(disc.with_overlap()).unwrap();
        };
        put(offset, radii[0], direction * speed);
        put(offset + direction * (radii[0] + radii[1] + gap), radii[1], DVec2::ZERO);
        let start = deepest(&world);
        assert!(start <= 3.0, "case {case}: {start}");
        let flight = gap / speed;
        let mut events = world.advance(0.5 * flight).unwrap().events;
        for dt in [
            0.5 * flight,
            0.001 * flight + 4.0 * ulp / speed,
            0.1 * radii[0] / speed,
            10.0 * radii[0] / speed,
        ] {
            events += world.advance(dt).unwrap().events;
            worst = worst.max(deepest(&world));
        }
        assert_eq!(events, 1, "case {case}: gap {gap:e} at {offset}, e {e}");
    }
    println!("overlap of at most {worst} ulp");
    assert!(worst <= 4.0, "{worst} ulp");
}

/// All forms of walls at gaps of some ulps, from either side where they have two: none is missed, no disc
/// sinks in by more than 4 ulp of the coordinates, and none is on the other side at the end.
#[test]
fn walls_of_all_forms() {
    let mut rng = Rng::new(5);
    let mut worst = [f64::NEG_INFINITY; 7];
    for case in 0..crate::common::rng::cases(40_000) {
        let kind = rng.below(7);
        let radius = rng.pick(&[0.0, 1.0, 0.5, 0.028575]);
        let far = rng.pick(&[0.0, 1.0, 1e3, 1e6]);
        let place = rng.vector(1.0) * far;
        // Towards the wall, at the place where the disc will touch it.
        let towards = if rng.chance(20) { DVec2::X } else { DVec2::from_angle(rng.range(0.0, 7.0)) };
        let curve = rng.pick(&[3.0, 10.0]);
        let angle = towards.to_angle();
        let (wall, is_inside) = match kind {
            0 => (Wall::half_plane(place, -towards), false),
            1 => (Wall::segment(place - towards.perp() * 9.0, place + towards.perp() * 9.0), false),
            2 => (Wall::one_sided_segment(place - towards.perp() * 9.0, place + towards.perp() * 9.0), false),
            3 => (Wall::disc(place + towards * curve, curve), false),
            4 => (Wall::circle(place - towards * curve, curve), true),
            5 => (Wall::arc(place + towards * curve, curve, angle + 2.0, 2.3), false),
            _ => (Wall::arc(place - towards * curve, curve, angle - 1.0, 2.0), true),
        };
        // Segments end 9 from there, and their ends are rounded.
        let extent = if matches!(kind, 1 | 2) { 9.0 } else { curve };
        let ulp = ulp(place.abs().max_element() + extent + radius);
        // Room for the rounding of wall and start: what has two sides must not start on the other one.
        let gap = (GAPS[rng.below(14)] as f64 * ulp).min(1.0);
        let gap = if radius == 0.0 { gap.max(8.0 * ulp) } else { gap };
        let speed = 10.0_f64.powf(rng.range(-3.0, 3.0));
        let tilt = if gap > 0.1 || rng.chance(50) { 0.0 } else { rng.range(-1.0, 1.0) };
        let e = rng.pick(&[0.0, 0.5, 1.0]);
        let mut world = World::with_settings(Settings::default().with_budget(1000)).unwrap();
        world.add_wall(wall.with_restitution(e)).unwrap();
        let velocity = DVec2::from_angle(tilt).rotate(towards) * speed;
        let disc =
            Disc::new(place - towards * (radius + gap), radius).with_velocity(velocity).with_restitution(e);
        let id = world.insert(disc.with_overlap()).unwrap();
        // How deep it is in the wall, in ulps: by the radial distance, rounded once or twice.
        let depth = |world: &World| {
            let p = world.get(id).unwrap().position();
            let distance = match kind {
                0..=2 => (place - p).dot(towards),
                _ if is_inside => curve - (p - (place - towards * curve)).length(),
                _ => (p - (place + towards * curve)).length() - curve,
            };
            (radius - distance) / ulp
        };
        let start = depth(&world);
        let flight = gap / (speed * tilt.cos());
        let mut events = 0;
        for dt in [0.5 * flight, 0.51 * flight + 16.0 * ulp / speed, 0.01 / speed, 0.1 / speed] {
            let advance = world.advance(dt).unwrap();
            events += advance.events;
            let sunk = depth(&world) - start.max(0.0);
            worst[kind] = worst[kind].max(sunk);
            assert!(sunk <= 4.0, "case {case}, kind {kind}: {sunk} ulp at gap {gap:e}, {place}");
        }
        assert!(events >= 1, "case {case}, kind {kind}: missed at gap {gap:e}, radius {radius}, {place}");
        assert!(is_inside || events == 1, "case {case}, kind {kind}: {events} events");
    }
    println!("deepest by kind of wall, in ulp: {worst:.2?}");
}

/// A box of near-touching discs of unequal sizes far from the origin, run for a while: what holds for three
/// holds in a crowd. They touch each other, not all of the walls: there is room to move.
#[test]
fn crowds_far_from_the_origin() {
    for (far, seed) in [(0.0, 2), (1e6, 3)] {
        let mut rng = Rng::new(seed);
        let corner = DVec2::new(far, -far);
        let settings = Settings::default().with_record_events(false);
        let mut world = World::with_settings(settings).unwrap();
        world.add_wall(Wall::container(corner, corner + DVec2::new(12.0, 14.0))).unwrap();
        for i in 0..25 {
            let cell = DVec2::new(f64::from(i % 5), f64::from(i / 5));
            let place = corner + cell * 2.0 + DVec2::splat(1.5);
            // Neighbours touch, or miss it by a few ulps.
            let radius = if rng.chance(50) { 1.0 } else { 1.0 - rng.unit() * 1e-9 };
            let disc = Disc::new(place, radius).with_velocity(rng.vector(1.0)).with_mass(rng.range(0.5, 2.0));
            world.insert(disc).unwrap();
        }
        let energy = world.kinetic_energy();
        let mut worst = f64::NEG_INFINITY;
        for _ in 0..3000 {
            world.step_event();
            worst = worst.max(deepest(&world));
        }
        println!("far {far:e}: {worst} ulp, {:?}", world.counters());
        assert!(worst <= 4.0, "{worst} ulp");
        assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-12);
    }
}
