//! Discs on parabolas against half-planes.

use carom_math::toi::{self, Memory, Side, bent};
use carom_math::tolerance::touch_slack;
use carom_math::{DVec2, HalfPlane};
use carom_testkit::rng::{Rng, cases};

use super::families::FAMILIES;
use super::oracle::{Candidate, Gap, LINE_BAND, Vector, judge};
use super::polynomial::{Number, Polynomial};
use crate::oracle::U;

/// Where lines and discs of all families are.
fn case(rng: &mut Rng) -> (bent::Motion, HalfPlane) {
    let case = rng.pick(&FAMILIES).case(rng);
    let radius = rng.pick(&[0.0, 0.25, 1.0]) * case.reach;
    let normal = DVec2::from_angle(rng.range(0.0, std::f64::consts::TAU));
    let point = rng.vector(1.0) * rng.pick(&[0.0, 1.0, 100.0]);
    let mut disc = bent::Motion { position: case.d, velocity: case.v, acceleration: case.a, radius };
    let plane = HalfPlane::new(point, normal).unwrap();
    if rng.chance(50) {
        // Near the line at some time.
        let t = 10f64.powf(rng.range(-6.0, 2.0));
        let gap = rng.pick(&[0.0, 1e-12, -1e-9, 1e-3]);
        let path = disc.after(t).position - disc.position;
        disc.position = point + plane.normal * (radius + gap) - path;
        if rng.chance(50) {
            // At its turn there.
            let sinking = disc.after(t).velocity.dot(plane.normal);
            disc.velocity -= plane.normal * sinking;
            disc.position += plane.normal * (sinking * t);
        }
    }
    (disc, plane)
}

/// What the height may be zero at.
fn candidates(disc: &bent::Motion, plane: &HalfPlane, is_met: bool) -> Vec<Candidate> {
    let normal = Vector::from(plane.normal);
    let from_point = Vector::from(disc.position).minus(&plane.point.into());
    let rate = Vector::from(disc.velocity).dot(&normal);
    let bend = &Number::new(0.5) * &Vector::from(disc.acceleration).dot(&normal);
    let gap = from_point.dot(&normal) - Number::new(disc.radius);
    let distance = from_point.length() + disc.radius;
    let (speed, acceleration) = (disc.velocity.length(), disc.acceleration.length());
    let placing = |t: f64| U * (distance + speed * t + 0.5 * acceleration * t * t);
    let rating = |t: &Number| 2.0 * U * (speed + acceleration * t.f64());
    let parts = if rate.is_positive() { rate.clone() } else { Number::zero() };
    let per_length = |t: &Number| if is_met { 1.0 / t.f64() } else { 1.0 };
    let gap = Polynomial(if is_met { vec![parts, bend] } else { vec![gap, rate, bend] });
    Gap { gap, band: LINE_BAND, per_length: &per_length, placing: &placing, rating: &rating }.candidates()
}

/// Whether what was hit comes back to where it was: what has sunk in by more than rounding, and gets out,
/// comes back to the line. `None` where it only just gets out, or not quite.
fn comes_back_to_its_place(disc: &bent::Motion, plane: &HalfPlane) -> Option<bool> {
    let size = disc.position.abs().element_sum() + plane.point.abs().element_sum() + disc.radius;
    let depth = disc.radius - (disc.position - plane.point).dot(plane.normal);
    let [rate, bend] = [disc.velocity, disc.acceleration].map(|v| v.dot(plane.normal));
    let is_sunk = depth > disc.radius * 0.5f64.powi(30) + 1024.0 * touch_slack(size);
    let (energy, needed) = (rate * rate, -2.0 * bend * depth);
    let is_even = (energy - needed).abs() <= 1e-6 * energy;
    (!is_sunk || !is_even).then_some(!(is_sunk && rate > 0.0 && bend < 0.0 && energy > needed))
}

#[test]
fn half_planes() {
    let rng = &mut Rng::new(40);
    let (mut largest, mut hits) = (0.0f64, 0);
    for _ in 0..cases(2000) {
        let (disc, plane) = case(rng);
        for memory in [Memory::None, Memory::Met(Side::Front)] {
            let got = bent::disc_half_plane(&disc, &plane, memory, f64::INFINITY);
            let is_met =
                if memory == Memory::None { Some(false) } else { comes_back_to_its_place(&disc, &plane) };
            let Some(is_met) = is_met else { continue };
            match judge(got, &candidates(&disc, &plane, is_met)) {
                Ok(multiple) => largest = largest.max(multiple),
                Err(error) => panic!("{disc:?}, {plane:?}, {memory:?}: {error}"),
            }
            hits += u32::from(got.is_some());
            assert_eq!(got.and_then(|t| bent::disc_half_plane(&disc, &plane, memory, t)), None);
            let straight = bent::Motion { acceleration: DVec2::ZERO, ..disc };
            assert_eq!(
                bent::disc_half_plane(&straight, &plane, memory, f64::INFINITY),
                toi::disc_half_plane(&disc.straight(), &plane, memory)
            );
        }
    }
    println!("disc_half_plane on parabolas: largest {largest:.3} of 4 brackets, {hits} hits");
}
