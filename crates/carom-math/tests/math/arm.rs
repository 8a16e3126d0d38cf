//! Discs against arms that turn: the time of a contact is judged in many digits, and whether there is one
//! before is looked for in small steps of time.

use carom_math::toi::{Arm, Memory, bent, disc_arm, gap_disc_arm};
use carom_math::{DVec2, sqrt};
use carom_testkit::big::{Digits77, Vector};
use carom_testkit::rng::{Rng, cases};

use crate::oracle::U;

type Number = Digits77;

/// Cosine and sine by their series.
fn unit_vector(angle: &Number) -> [Number; 2] {
    let (mut sums, mut term) = ([Number::zero(), Number::zero()], Number::new(1.0));
    for n in 0..160 {
        let signed = if n % 4 < 2 { term.clone() } else { -&term };
        sums[n % 2] = &sums[n % 2] + &signed;
        term = (&term * angle).over(&Number::new(n as f64 + 1.0));
    }
    sums
}

/// The gap at a time, and the rate at which it closes, in many digits; and how far along the arm the centre
/// is.
fn exact_gap(disc: &bent::Motion, arm: &Arm, t: f64) -> (f64, f64, f64) {
    let time = Number::new(t);
    let half = Vector::from(disc.acceleration).times(&Number::new(0.5));
    let from = Vector::from(disc.position).minus(&arm.pivot.into());
    let d = from.ahead(&disc.velocity.into(), &time).ahead(&half, &time.squared());
    let v = Vector::from(disc.velocity).ahead(&half, &(&time + &time));
    let axis = Vector(unit_vector(&(Number::new(arm.angle) + Number::new(arm.rate) * &time)).to_vec());
    let along = d.dot(&axis);
    let foot = if along > Number::new(arm.length) { Number::new(arm.length) } else { along.clone() };
    let foot = if foot.is_negative() { Number::zero() } else { foot };
    let away = d.minus(&axis.times(&foot));
    let relative = v.minus(&axis.left().times(&(&foot * &Number::new(arm.rate))));
    let distance = away.dot(&away).sqrt();
    let closing = -(away.dot(&relative).over(&distance)).f64();
    let reach = Number::new(disc.radius) + Number::new(arm.radius);
    ((distance - reach).f64(), closing, along.f64())
}

/// The gap to all but the end at the pivot, by platform sines; infinite where that end is nearest.
fn gap_at(disc: &bent::Motion, arm: &Arm, t: f64) -> f64 {
    let d = disc.position + disc.velocity * t + disc.acceleration * (0.5 * t * t) - arm.pivot;
    let (sin, cos) = (arm.angle + arm.rate * t).sin_cos();
    let along = d.dot(DVec2::new(cos, sin));
    let away = d - DVec2::new(cos, sin) * along.min(arm.length);
    if along <= 0.0 { f64::INFINITY } else { away.length() - disc.radius - arm.radius }
}

/// Whether the end at the pivot is hit in a time: what comes to the arm through that is left alone.
fn comes_by_the_pivot(disc: &bent::Motion, arm: &Arm, until: f64) -> bool {
    const STEPS: u32 = 4000;
    (0..=STEPS).map(|k| until * f64::from(k) / f64::from(STEPS)).any(|t| {
        let d = disc.position + disc.velocity * t + disc.acceleration * (0.5 * t * t) - arm.pivot;
        // With room for the way of a step.
        let way = (disc.velocity + disc.acceleration * t).length() * until / f64::from(STEPS);
        d.length() < (disc.radius + arm.radius) * 1.001 + way
    })
}

fn arm(rng: &mut Rng) -> Arm {
    Arm {
        pivot: rng.vector(1.0),
        length: 0.2 + rng.unit(),
        radius: if rng.unit() < 0.2 { 0.0 } else { 0.3 * rng.unit() },
        angle: 3.0 * rng.unit(),
        rate: (rng.unit() - 0.5) * rng.pick(&[0.1, 4.0, 40.0]),
        lasts: f64::INFINITY,
    }
}

/// A disc that comes to the arm in a second or so: to some place of it at some angle, or past it by little.
fn disc(rng: &mut Rng, arm: &Arm) -> bent::Motion {
    let (t, radius) = (rng.unit(), 0.5 * rng.unit());
    let size = rng.pick(&[0.0, 3.0, 30.0]);
    let acceleration = rng.vector(size);
    let axis = arm.after(t).axis();
    let along = axis.direction * (arm.length * rng.unit() * 1.2).min(arm.length);
    let towards = rng.vector(1.0).normalize_or(DVec2::X);
    let past = if rng.chance(50) { 0.0 } else { 2.0 * rng.unit() };
    let place = arm.pivot + along + towards * (radius + arm.radius + past);
    let size = rng.pick(&[0.5, 3.0, 100.0]);
    let velocity = rng.vector(size);
    let position = place - velocity * t - acceleration * (0.5 * t * t);
    bent::Motion { position, velocity, acceleration, radius }
}

/// Contacts are at the exact gap, to twice what is allowed on parabolas before fixed walls, and nothing is in
/// contact before.
#[test]
fn contacts_are_exact_and_none_is_missed() {
    const STEPS: u32 = 2000;
    let (mut rng, mut largest, mut hits, mut misses) = (Rng::new(1), 0.0_f64, 0, 0);
    for _ in 0..cases(1500) {
        let arm = arm(&mut rng);
        let disc = disc(&mut rng, &arm);
        let end = 2.0;
        if gap_at(&disc, &arm, 0.0) <= 0.0 || comes_by_the_pivot(&disc, &arm, end) {
            continue;
        }
        let found = disc_arm(&disc, &arm, Memory::None, end);
        let shown = || format!("{disc:?} {arm:?}: {found:?}");
        let until = found.unwrap_or(end);
        let size = |t: f64| {
            let lengths = disc.position.length() + arm.pivot.length() + disc.radius + arm.reach();
            lengths + disc.velocity.length() * t + 0.5 * disc.acceleration.length() * t * t
        };
        for k in 0..STEPS {
            let t = until * (f64::from(k) + 0.5) / f64::from(STEPS);
            let gap = gap_at(&disc, &arm, t);
            assert!(gap >= -1e-13 * size(t), "{}: inside at {t} by {gap}", shown());
        }
        let Some(t) = found else {
            misses += 1;
            continue;
        };
        hits += 1;
        let (gap, closing, along) = exact_gap(&disc, &arm, t);
        assert!(along > -1e-12 && closing > -1e-9, "{}: {along} {closing}", shown());
        // In a graze the place is known as well, but not the time.
        let error = gap.abs() / (U * size(t) + U * t * closing.max(0.0));
        assert!(error <= 8.0, "{}: {error} units", shown());
        largest = largest.max(error);
    }
    println!("arms: largest error {largest:.2} of 8 units in {hits} hits; {misses} misses");
    assert!(hits > 300 && misses > 50, "{hits} hits, {misses} misses");
}

/// A disc of 1 mm at 100 m/s against a flipper of 7 cm that turns at up to 1000 rad/s, 70 m/s at its tip:
/// aimed at both of its sides, at the tip and past it by less than its radius. Steps of 0.1 µs, in each of
/// which it goes 0.01 mm, see it inside at no time before its contact, and inside somewhere if there is none.
#[test]
fn small_fast_discs_pass_no_flipper() {
    let (mut rng, mut hits) = (Rng::new(2), [0; 3]);
    for k in 0..cases(600) {
        let rate = rng.pick(&[0.0, 20.0, -20.0, 1000.0, -1000.0]);
        let radius = rng.pick(&[0.0, 0.0005, 0.008]);
        let arm =
            Arm { pivot: rng.vector(1.0), length: 0.07, radius, angle: 6.0 * rng.unit(), rate, lasts: 0.01 };
        let t = 0.001 * rng.unit();
        let axis = arm.after(t).axis();
        let tip = axis.direction * arm.length;
        // Aimed at the middle line; past the tip; along a side.
        let aim = match k % 3 {
            0 => tip * rng.unit(),
            1 => tip + axis.direction * ((radius + 0.0005) * (2.0 * rng.unit() - 1.0)),
            _ => {
                tip * (0.5 + 0.5 * rng.unit())
                    + axis.normal() * ((radius + 0.0005) * (2.0 * rng.unit() - 1.0))
            }
        };
        let towards = if k % 3 == 2 {
            (axis.direction + axis.normal() * (0.02 * (rng.unit() - 0.5)))
                * if rng.unit() < 0.5 { 1.0 } else { -1.0 }
        } else {
            rng.vector(1.0)
        };
        let velocity = towards.normalize_or(DVec2::X) * 100.0;
        let position = arm.pivot + aim - velocity * t;
        let disc = bent::Motion { position, velocity, acceleration: DVec2::new(0.0, -9.8), radius: 0.0005 };
        if gap_at(&disc, &arm, 0.0) <= 0.0 || comes_by_the_pivot(&disc, &arm, 0.002) {
            continue;
        }
        let found = disc_arm(&disc, &arm, Memory::None, f64::INFINITY);
        let end = found.unwrap_or(0.002);
        let inside = (0..20_000)
            .map(|step| f64::from(step) * 1e-7)
            .take_while(|&t| t < end)
            .find(|&t| gap_at(&disc, &arm, t) < -1e-14);
        assert_eq!(inside, None, "{disc:?} {arm:?}: {found:?}");
        hits[k as usize % 3] += u32::from(found.is_some());
    }
    println!("hits {hits:?}");
    assert!(hits.iter().all(|&hits| hits > 30), "{hits:?}");
}

/// A path along which the gap has a double root is a graze: nearer by 10⁻¹² it hits, farther it misses.
#[test]
fn grazes_are_told_from_misses() {
    let (mut rng, mut seen) = (Rng::new(3), 0);
    while seen < cases(200) {
        let arm = arm(&mut rng);
        let (t, radius) = (0.2 + 0.3 * rng.unit(), 0.3 * rng.unit());
        let axis = arm.after(t).axis();
        // Around the tip.
        let outwards = (axis.direction + axis.normal() * (2.0 * rng.unit() - 1.0)).normalize();
        let tip = axis.direction * arm.length;
        let speed = rng.pick(&[1.0, 30.0]);
        let velocity = tip.perp() * arm.rate + outwards.perp() * speed;
        for (margin, is_hit) in [(-1e-12, true), (1e-12, false)] {
            let at = arm.pivot + tip + outwards * (radius + arm.radius + margin);
            let path =
                bent::Motion { position: at - velocity * t, velocity, acceleration: DVec2::ZERO, radius };
            let near = |dt: f64| gap_at(&path, &arm, t + dt);
            // A minimum, and the only one near zero.
            if near(1e-4).min(near(-1e-4)) < 1e-9 || near(-t) < 0.0 {
                continue;
            }
            if (0..1000).any(|k| near(t * (f64::from(k) / 500.0 - 1.0)) < -1e-11) {
                continue;
            }
            let found =
                disc_arm(&path, &arm, Memory::None, t + 1e-3).filter(|&found| (found - t).abs() < 1e-3);
            assert_eq!(found.is_some(), is_hit, "{path:?} {arm:?} at {t} by {margin}");
            seen += 1;
        }
    }
}

/// An arm that stands still is a segment and a disc at its tip.
#[test]
fn an_arm_at_rest_is_a_capsule() {
    let arm =
        Arm { pivot: DVec2::ZERO, length: 2.0, radius: 0.5, angle: 0.0, rate: 0.0, lasts: f64::INFINITY };
    let from = |position: [f64; 2], velocity: [f64; 2]| bent::Motion {
        position: position.into(),
        velocity: velocity.into(),
        acceleration: DVec2::ZERO,
        radius: 0.5,
    };
    let hit = |disc: &bent::Motion| disc_arm(disc, &arm, Memory::None, f64::INFINITY);
    assert_eq!(hit(&from([1.0, 4.0], [0.0, -1.0])), Some(3.0));
    assert_eq!(hit(&from([1.0, -4.0], [0.0, 2.0])), Some(1.5));
    assert_eq!(hit(&from([6.0, 0.0], [-1.0, 0.0])), Some(3.0));
    // The end at the pivot is not its business, nor what flies past.
    assert_eq!(hit(&from([-4.0, 0.0], [1.0, 0.0])), None);
    assert_eq!(hit(&from([-4.0, 1.5], [1.0, 0.0])), None);
    assert_eq!(hit(&from([1.0, 4.0], [0.0, 0.0])), None);
    let gap = gap_disc_arm(&from([5.0, 4.0], [0.0, 0.0]).straight(), &arm, Memory::None);
    assert_eq!((gap.distance, gap.normal), (4.0, -DVec2::new(0.6, 0.8)));
    assert_eq!(sqrt(gap.normal.length_squared()), 1.0);
}

/// A disc that stands within reach of an arm that stands is never hit, and the answer comes at once: no step
/// of time gets to the end of that stay. One that stands in the way of an arm that turns is hit.
#[test]
fn what_stands_beside_what_stands_is_never_hit() {
    let disc = bent::Motion {
        position: DVec2::new(0.5, 0.4),
        velocity: DVec2::ZERO,
        acceleration: DVec2::ZERO,
        radius: 0.25,
    };
    for (rate, radius) in [(0.0, 0.1), (-0.0, 0.0), (1.0, 0.1)] {
        let arm = Arm { pivot: DVec2::ZERO, length: 1.0, radius, angle: 0.0, rate, lasts: f64::INFINITY };
        let hit = disc_arm(&disc, &arm, Memory::None, f64::INFINITY);
        assert_eq!(hit.is_some(), rate > 0.0, "{rate}: {hit:?}");
    }
}
