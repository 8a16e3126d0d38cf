//! Slides are motions like any other: along divided walls, in mirrors, and when something hits what slides.
//! That they are the same through snapshots, for every scheduler and in frames of any length, random games
//! show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::at as v;
use crate::common::record::{deepest_overlap, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::toys::{self, Extra, Laws, Toy};
use crate::symmetry::Case;
use carom_engine::{DVec2, Disc, Settings, StopReason, Wall, WallShape, World};
use carom_math::elementary::sin_cos;

/// The points that divide the way from 0 to 1 into 2 to 8 pieces: by halving, so that a length of few
/// digits is divided without rounding, and the direction of each piece has the same bits.
fn halves(rng: &mut Rng) -> Vec<f64> {
    let mut points = vec![0.0, 1.0];
    for _ in 0..1 + rng.below(7) {
        let k = rng.below(points.len() - 1);
        points.insert(k + 1, 0.5 * (points[k] + points[k + 1]));
    }
    points
}

/// What a disc does on a wall from `a` to `b`, divided at these points or whole: its states at some
/// moments, and the number of impacts.
fn on_wall(disc: &Disc, ends: [DVec2; 2], points: &[f64], one_sided: bool) -> (Vec<u64>, u64) {
    let mut w = World::new();
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|s| ends[0] + (ends[1] - ends[0]) * s);
        w.add_wall(if one_sided { Wall::one_sided_segment(a, b) } else { Wall::segment(a, b) }).unwrap();
    }
    w.insert(*disc).unwrap();
    let mut bits = Vec::new();
    for _ in 0..8 {
        assert_eq!(w.advance(0.7).unwrap().end, StopReason::Reached);
        bits.extend(state_bits(&w));
    }
    (bits, w.counters().wall_impacts)
}

/// A disc that lands on the first piece of a straight wall, slides along it or rests on it goes on as on
/// the wall in one piece, to the last bit; along an axis also one that bounces from piece to piece,
/// wherever the wall is divided.
#[test]
fn sliding_across_collinear_segments_changes_no_bit() {
    let rng = &mut Rng::new(11);
    let mut impacts = 0;
    for _ in 0..cases(2000) {
        // Of few digits, so that each point of division is on the line.
        let few = |x: f64| (x * 1024.0).round() / 1024.0;
        let axis = rng.chance(50);
        let a = rng.vector(3.0).map(few);
        let along =
            if axis { v(few(rng.range(1.0, 5.0)), 0.0) } else { (rng.vector(3.0) + v(0.1, 4.0)).map(few) };
        let along = if rng.chance(50) { -along } else { along };
        let mut points = halves(rng);
        if axis && rng.chance(50) {
            // Any points of the line, each a number.
            points.iter_mut().for_each(|s| *s = (a.x + along.x * *s * *s - a.x) / along.x);
        }
        let normal = along.perp() / along.length();
        let r = rng.pick(&[0.0, 0.125, 0.3]);
        let first = points[1];
        let over = a + along * first * if rng.chance(50) { 0.5 } else { rng.range(0.1, 0.9) };
        let high = rng.pick(&[0.0, 0.0, 0.25]);
        let rests = rng.chance(10);
        // Along a slanted wall a power of two: the velocity is exactly along it.
        let speed = if rests { 0.0 } else { rng.pick(&[0.5, 1.0, 2.0]) };
        let sinking = rng.pick(&[0.0, 1.0]) * high;
        // Lands before it is over the next piece.
        let over = if sinking > 0.0 && !axis {
            over - along * (speed / along.length()) * (high / sinking)
        } else {
            over
        };
        let e = if axis { rng.pick(&[0.0, 0.5, 1.0]) } else { 0.0 };
        let disc = Disc::new(over + normal * (r + high), r)
            .with_velocity(along / along.length() * speed - normal * sinking)
            .with_restitution(e);
        let one_sided = rng.chance(50);
        let whole = on_wall(&disc, [a, a + along], &[0.0, 1.0], one_sided);
        let divided = on_wall(&disc, [a, a + along], &points, one_sided);
        assert_eq!(whole, divided, "{disc:?} {a} {along} {points:?}");
        impacts += whole.1;
    }
    assert!(impacts > cases(200), "{impacts}");
}

/// A round room, a stadium, or a table with round corners, with some discs that slide in it sooner or
/// later.
fn sliding(seed: u64) -> World {
    let rng = &mut Rng::new(seed);
    let mut w = World::new();
    let wall = match rng.below(3) {
        0 => Wall::circle(v(0., 0.), 2.0),
        1 => Wall::stadium(v(0., 0.), 1.0, 1.0),
        _ => Wall::stadium(v(0., 0.), 0.25, 1.5),
    };
    let room = if let WallShape::Stadium { radius, .. } = wall.shape { radius } else { 2.0 };
    w.add_wall(wall).unwrap();
    for k in 0..1 + rng.below(4) {
        let r = rng.pick(&[0.125, 0.2, 0.0]);
        // At first on the wall below, along which it slides; the others anywhere.
        let on_wall = k == 0 || rng.chance(30);
        let at = if on_wall { v(rng.range(-0.2, 0.2), r - room) } else { rng.vector(0.6 * room) };
        let e = rng.pick(&[0.0, 0.0, 0.5, 0.9]);
        let velocity = if on_wall { v(rng.pick(&[-1.0, 1.0, 0.7]), 0.0) } else { rng.vector(1.5) };
        let disc = Disc::new(at, r)
            .with_velocity(velocity)
            .with_restitution(e)
            .with_mass(rng.pick(&[1.0, 1.0, 3.0]));
        _ = w.insert(disc);
    }
    w.set_budget(50_000);
    w
}

/// In a room that is its own mirror image about the x axis, discs that are mirrored slide as mirror
/// images, to the last bit.
#[test]
fn slides_of_mirror_images_are_mirror_images() {
    let rng = &mut Rng::new(5);
    let mut slides = 0;
    for _ in 0..cases(60) {
        let (radius, half) = (rng.range(1.0, 3.0), rng.range(0.8, 2.6));
        let (sine, cosine) = sin_cos(half);
        let end = v(cosine, sine) * radius;
        let walls = if rng.chance(50) {
            vec![Wall::circle(v(0., 0.), radius)]
        } else {
            vec![Wall::arc(v(0., 0.), radius, -half, 2.0 * half), Wall::segment(v(end.x, -end.y), end)]
        };
        let discs = (0..1 + rng.below(3)).map(|_| {
            let (sine, cosine) = sin_cos(rng.range(-0.7, 0.7) * half);
            let out = v(cosine, sine);
            let velocity = out.perp() * rng.range(-1.0, 1.0) + out * rng.pick(&[0.0, 0.3]);
            let disc = Disc::new(out * (0.9 * radius), 0.05 * radius).with_velocity(velocity);
            disc.with_restitution(rng.pick(&[0.0, 0.5])).with_overlap()
        });
        let discs: Vec<Disc> = discs.collect();
        let settings = Settings::default().with_budget(50_000);
        let (order, case) = ([0, 1, 2], Case { discs, walls, settings, until: 5.0 });
        let order = &order[..case.discs.len()];
        let one = case.run(order, None);
        let other = case.run(order, Some(|p| v(p.x, -p.y)));
        assert!(one.is_some() && one == other, "{:?} {:?}", case.walls, case.discs);
        let mut world = case.build(order, |p| p);
        world.advance(case.until).unwrap();
        slides += world.counters().slides;
    }
    assert!(slides > 200 * cases(60), "{slides}");
}

/// What slides is hit, and hits: nothing overlaps, energy does not rise, and all stay in the room.
#[test]
fn what_slides_is_hit_like_anything_else() {
    let mut met = 0;
    for seed in 0..cases(150) {
        let mut w = sliding(seed);
        let mut energy = w.kinetic_energy();
        for _ in 0..60 {
            w.advance(0.1).unwrap();
            let now = w.kinetic_energy();
            assert!(now <= energy * (1.0 + 1e-12), "seed {seed}: {now} after {energy}");
            energy = now;
            // 10⁻¹² of the shortest distance at which two touch.
            assert!(deepest_overlap(&w) <= 1.25e-13, "seed {seed}: {:e}", deepest_overlap(&w));
        }
        met += w.counters().disc_impacts;
        // 1.5 + 0.25 and 1 + 1 are the half-widths of the rooms.
        let reach = w.discs().map(|(_, disc)| disc.position.length() + disc.radius);
        assert!(reach.fold(0.0, f64::max) < 2.0 + 1e-12, "seed {seed}");
    }
    assert!(met > cases(150), "{met}");
}

/// Two discs in contact that slide one behind the other at one speed stay so; the faster of two, behind,
/// hits the other once, and at e = 0 both go on together.
#[test]
fn two_slide_in_contact() {
    let (r, room) = (0.125_f64, 1.875);
    for (faster, impacts) in [(1.0, 0), (2.0, 1)] {
        let mut w = World::new();
        w.add_wall(Wall::circle(v(0., 0.), 2.0)).unwrap();
        // A hair more than touching, apart by the angle whose chord is 2 r.
        let (sine, apart) = (r / room * (1.0 + 1e-9), 1.0 - 2.0 * (r / room).powi(2));
        let front = v(2.0 * sine * (1.0 - sine * sine).sqrt(), -apart) * room;
        let front = front * (room / front.length());
        let ahead = front.perp() / room;
        let disc =
            |at: DVec2, velocity: DVec2| Disc::new(at, r).with_velocity(velocity).with_restitution(0.0);
        let one = w.insert(disc(v(0., -room), v(faster, 0.))).unwrap();
        let two = w.insert(disc(front, ahead)).unwrap();
        for _ in 0..100 {
            assert_eq!(w.advance(0.1).unwrap().end, StopReason::Reached);
            let [a, b] = [one, two].map(|id| w.get(id).unwrap());
            let gap = a.position().distance(b.position()) - 2.0 * r;
            // What is hit flies on, and lands again.
            assert!((-1e-13..1e-2).contains(&gap), "{faster}: {gap:e}");
            let outside = [a, b].map(|disc| disc.position().length() - room);
            assert!(outside.into_iter().all(|x| x < 1e-14 && x > -1e-2), "{faster}: {outside:?}");
        }
        let counters = w.counters();
        assert!(counters.slides > 2000 && counters.disc_impacts >= impacts, "{counters:?}");
        assert!(counters.events < 20_000, "{counters:?}");
    }
}

/// Discs whose speed is halved each second; the amount is the seconds to the next time.
const HALVING: Laws = Laws {
    next_change: |_, _, state| (state.velocity != DVec2::ZERO).then_some((state.extra.amount, 0)),
    evolve: |_, _, state, dt| Extra::amount((state.extra.amount - dt).max(0.0)),
    change: |_, _, _, state| (state.velocity, state.extra) = (state.velocity * 0.5, Extra::amount(1.0)),
    ..Laws::NONE
};

/// A physics of its own may change what slides: it slides on at the speed that it is given.
#[test]
fn a_physics_of_its_own_changes_what_slides() {
    let mut w: World<Toy> = toys::world(&HALVING);
    w.add_wall(Wall::circle(v(0., 0.), 2.0)).unwrap();
    let disc = Disc::new(v(0., -1.875), 0.125).with_velocity(v(1., 0.)).with_restitution(0.0);
    let id = w.insert(disc.with_extra(Extra::amount(1.0))).unwrap();
    for k in 0..8 {
        w.advance(if k == 0 { 0.5 } else { 1.0 }).unwrap();
        let disc = w.get(id).unwrap();
        let expected = 0.5_f64.powi(k);
        assert!((disc.velocity().length() / expected - 1.0).abs() < 1e-12, "{k}: {}", disc.velocity());
        let outside = disc.position().length() - 1.875;
        assert!(outside < 1e-14 && outside > -1e-6 * 1.875, "{k}: {outside:e}");
    }
    // The ways of whole seconds are 1 + 1/2 + …; chords are shorter than arcs by 3 · 10⁻⁷.
    let way = w.get(id).unwrap().position();
    let angle = (way.x / way.length()).asin();
    assert!((angle * 1.875 - (2.0 - 0.5_f64.powi(6) + 0.5_f64.powi(8))).abs() < 1e-5, "{way}");
    assert_eq!(w.counters().wall_impacts, 1);
}

/// Discs that turn by 45° to the left, once, after the time in `amount`.
const LEAVING: Laws = Laws {
    next_change: |_, _, state| (state.extra.count == 0).then_some((state.extra.amount, 0)),
    evolve: |_, _, state, dt| Extra { amount: (state.extra.amount - dt).max(0.0), ..state.extra },
    change: |_, _, _, state| {
        state.velocity += state.velocity.perp();
        state.extra.count = 1;
    },
    ..Laws::NONE
};

/// A disc that its physics turns away from the wall leaves it.
#[test]
fn a_physics_of_its_own_ends_a_slide() {
    let mut w: World<Toy> = toys::world(&LEAVING);
    w.add_wall(Wall::circle(v(0., 0.), 2.0)).unwrap();
    let disc = Disc::new(v(0., -1.875), 0.125).with_velocity(v(1., 0.)).with_restitution(0.0);
    let id = w.insert(disc.with_extra(Extra::amount(1.0))).unwrap();
    // Turned after a second, it flies at √2 m/s over a quarter of the circle, along √2 · 1.875; a little more
    // or less, as the chord along which it slid is turned from the tangent by up to 1.4 · 10⁻³.
    w.advance(1.0 + 0.5_f64.sqrt()).unwrap();
    let distance = w.get(id).unwrap().position().length();
    let expected = (1.0 + 1.875 * 1.875 - 2.0 * 1.875 * 0.5_f64.sqrt()).sqrt();
    assert!((distance - expected).abs() < 2e-3, "{distance} {expected}");
    assert_eq!(w.counters().wall_impacts, 1);
    w.advance(1.875 - 0.5_f64.sqrt() + 0.01).unwrap();
    assert_eq!(w.counters().wall_impacts, 2);
}

/// A disc of the radius of a rounded corner, up to rounding, is stopped and sent back by it; one that
/// fits a semicircle between two parallel walls, too. (Seen: 10⁵ impacts without impulse in its middle.)
#[test]
fn a_disc_of_the_radius_of_an_arc_does_not_stop_the_time() {
    let rng = &mut Rng::new(3);
    for _ in 0..cases(300) {
        let by = rng.pick(&[v(0., 0.), v(1000.25, 33.5), v(0.1, 0.7)]);
        let r =
            rng.pick(&[0.125, 0.1, 0.375]) * rng.pick(&[1.0, 1.0, 1.0 - f64::EPSILON, 1.0 + f64::EPSILON]);
        let e = rng.pick(&[0.0, 0.5, 1.0_f64]);
        let mut w = World::new();
        let (corner, quarter) = (by + v(2.0, r), core::f64::consts::FRAC_PI_2);
        let is_corner = rng.chance(50);
        w.add_wall(Wall::segment(by, v(corner.x, by.y))).unwrap();
        if is_corner {
            w.add_wall(Wall::arc(corner, r, -quarter, quarter)).unwrap();
            w.add_wall(Wall::segment(corner + v(r, 0.), corner + v(r, 3.))).unwrap();
        } else {
            w.add_wall(Wall::arc(corner, r, -quarter, 2.0 * quarter)).unwrap();
            w.add_wall(Wall::segment(corner + v(0., r), by + v(0., 2.0 * r))).unwrap();
        }
        let disc = Disc::new(by + v(1.0, r), r).with_velocity(v(1., 0.)).with_restitution(e).with_overlap();
        let id = w.insert(disc).unwrap();
        assert_eq!(w.advance(1.75).unwrap().end, StopReason::Reached);
        let (at, slack) = (w.get(id).unwrap().position(), 1e-14 * (1.0 + by.x));
        // The walls are elastic.
        let expected = v(corner.x - 0.75 * e.sqrt(), corner.y);
        assert!((at - expected).length() < 64.0 * slack, "{at} {expected} {r} {e} {is_corner}");
        assert!(w.counters().events < 10, "{:?}", w.counters());
    }
}
