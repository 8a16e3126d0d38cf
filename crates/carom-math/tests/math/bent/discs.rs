use carom_math::toi::{self, Memory, Side, bent};
use carom_math::{Circle, DVec2};
use carom_testkit::rng::{Rng, cases};

use super::families::{Case, FAMILIES, Family};
use super::oracle::{Candidate, Path, judge};

/// Compares times with the exact candidates, of which they may be off by four brackets, in cases of some
/// families; and requires the same bits for what is turned by half.
fn law(
    name: &str,
    families: &[Family],
    got: impl Fn(&Case) -> Option<f64>,
    exact: impl Fn(&Case) -> Vec<Candidate>,
) {
    for family in families {
        let rng = &mut Rng::new(*family as u64 + 1);
        let number = cases(if *family == Family::Grazing { 2000 } else { 500 });
        let (mut largest, mut hits): (f64, u64) = (0.0, 0);
        for _ in 0..number {
            let case = family.case(rng);
            let Case { d, v, a, .. } = case;
            let time = got(&case);
            let swapped = got(&Case { d: -d, v: -v, a: -a, ..case });
            assert_eq!(time.map(f64::to_bits), swapped.map(f64::to_bits), "{case:?}");
            hits += u64::from(time.is_some());
            match judge(time, &exact(&case)) {
                Ok(multiple) => largest = largest.max(multiple),
                Err(error) => panic!("{name}, {family:?}, {case:?}: {error}"),
            }
        }
        println!("{name}, {family:?}: largest {largest:.3} of 4 brackets, {hits} hits in {number} cases");
    }
}

const FOREVER: f64 = f64::INFINITY;

#[test]
fn first_contacts() {
    let got = |c: &Case| bent::disc_disc(c.d, c.v, c.a, c.reach, FOREVER);
    law("disc_disc on parabolas", &FAMILIES, got, |case| Path::new(case).contacts(false));
}

const OUTSIDE: [Family; 4] = [Family::Table, Family::Aimed, Family::Grazing, Family::Ranges];

/// The path, from the circle on which it starts.
fn from_the_circle(case: &Case) -> Path {
    Path::new(&Case { reach: case.d.length(), ..*case })
}

#[test]
fn contacts_after_an_impact() {
    let got = |c: &Case| bent::disc_disc_again(c.d, c.v, c.a, c.d.length(), FOREVER);
    law("disc_disc_again", &OUTSIDE, got, |case| from_the_circle(case).contacts_again(false));
}

fn circle(radius: f64) -> Circle {
    Circle { center: DVec2::ZERO, radius }
}

fn point(c: &Case) -> bent::Motion {
    bent::Motion { position: c.d, velocity: c.v, acceleration: c.a, radius: 0.0 }
}

#[test]
fn rooms() {
    let got = |c: &Case| bent::disc_circle_inside(&point(c), &circle(c.reach), Memory::None, FOREVER);
    law("disc_circle_inside on parabolas", &FAMILIES, got, |case| Path::new(case).contacts(true));
}

#[test]
fn rooms_after_an_impact() {
    let got = |c: &Case| {
        let circle = circle(c.d.length());
        bent::disc_circle_inside(&point(c), &circle, Memory::Met(Side::Back), FOREVER)
    };
    law("disc_circle_inside, met", &OUTSIDE, got, |case| from_the_circle(case).contacts_again(true));
}

/// Never late; and from nine tenths of the circle not earlier than a twelfth of the time.
#[test]
fn bounds_of_the_time_in_a_circle() {
    for family in FAMILIES {
        let rng = &mut Rng::new(family as u64 + 10);
        let mut least = 1.0f64;
        for _ in 0..cases(500) {
            let case = family.case(rng);
            let bound = bent::leaves_circle(case.d, case.v, case.a, case.reach, FOREVER);
            let farthest = case.d.length().max(case.reach);
            for share in [1e-3, 0.1, 0.5, 0.7, 0.9, 1.0] {
                let at = point(&case).after(share * bound).position;
                assert!(at.length() <= farthest * (1.0 + f64::EPSILON), "{case:?}: {bound:e}");
            }
            if case.d.length() < case.reach {
                let leaves = Path::new(&case).contacts(true)[0].time.f64();
                assert!(leaves >= bound && bound >= 0.0, "{case:?}: {bound:e} {leaves:e}");
                let is_near = case.d.length() > 0.9 * case.reach;
                least = if is_near { least } else { least.min(bound / leaves) };
            }
            let is_over = bent::leaves_circle(case.d, case.v, case.a, case.reach, bound);
            assert!(is_over == f64::INFINITY, "{case:?}");
        }
        println!("leaves_circle, {family:?}: at least {least:.3} of the time");
        assert!(least > 1.0 / 12.0);
    }
}

/// A contact at the end of a motion is the next one's.
#[test]
fn ends_of_motions() {
    for family in FAMILIES {
        let rng = &mut Rng::new(family as u64 + 20);
        for _ in 0..cases(2000) {
            let case = family.case(rng);
            let Case { d, v, a, reach } = case;
            let until = |until| bent::disc_disc(d, v, a, reach, until);
            let Some(t) = until(FOREVER) else { continue };
            assert_eq!(until(t), None, "{case:?}");
            // Grazes are not known as well, nor what starts within rounding of the circle.
            if matches!(family, Family::Table | Family::Aimed) {
                assert_eq!(until(t * (1.0 + 1e-6) + f64::MIN_POSITIVE), Some(t), "{case:?}");
            }
            let inside = |until| bent::disc_circle_inside(&point(&case), &circle(reach), Memory::None, until);
            let t = inside(FOREVER).expect("every path leaves");
            assert_eq!(inside(t), None, "{case:?}");
            assert_eq!(inside(t * (1.0 + 1e-6) + f64::MIN_POSITIVE), Some(t), "{case:?}");
        }
    }
}

/// Without acceleration, or one whose square underflows, the bits of the straight functions.
#[test]
fn no_acceleration() {
    let rng = &mut Rng::new(30);
    for _ in 0..cases(2000) {
        let case = rng.pick(&FAMILIES).case(rng);
        let a = rng.pick(&[0.0, -0.0, 1e-170]) * DVec2::ONE;
        let (Case { d, v, reach, .. }, circle) = (case, circle(case.reach));
        let until = rng.pick(&[FOREVER, 1.0]);
        let (disc, straight) = (point(&Case { a, ..case }), point(&case).straight());
        let before = |t: Option<f64>| t.filter(|t| *t < until);
        assert_eq!(bent::disc_disc(d, v, a, reach, until), before(toi::disc_disc(d, v, reach)));
        assert_eq!(bent::disc_disc_again(d, v, a, reach, until), None);
        for memory in [Memory::None, Memory::Met(Side::Back)] {
            let outside = toi::disc_circle_outside(&straight, &circle, memory);
            assert_eq!(bent::disc_circle_outside(&disc, &circle, memory, until), before(outside));
            let inside = toi::disc_circle_inside(&straight, &circle, memory);
            assert_eq!(bent::disc_circle_inside(&disc, &circle, memory, until), before(inside));
        }
    }
}

/// Accelerations that move nothing by an ulp leave the times of straight paths, whatever the search.
#[test]
fn hardly_any_acceleration() {
    let rng = &mut Rng::new(31);
    for _ in 0..cases(2000) {
        let case = rng.pick(&[Family::Table, Family::Inside]).case(rng);
        let a = case.a * rng.pick(&[1e-60, 1e-100, 1e-140]);
        let (Case { d, v, reach, .. }, circle) = (case, circle(case.reach));
        let (disc, straight) = (point(&Case { a, ..case }), point(&case).straight());
        // By what a change of the place by some ulps does to paths that are steeper than 10⁻⁶ rad.
        let place = 1e-9 * reach / v.length();
        let is_same = |bent: Option<f64>, straight: Option<f64>| match (bent, straight) {
            (Some(bent), Some(straight)) => (bent - straight).abs() <= 1e-9 * straight + place,
            // A path may come back at last.
            (Some(bent), None) => bent > 1e9,
            (None, None) => true,
            (None, Some(_)) => false,
        };
        let (got, expected) = (bent::disc_disc(d, v, a, reach, FOREVER), toi::disc_disc(d, v, reach));
        assert!(is_same(got, expected), "{case:?} {a:?}: {got:?} {expected:?}");
        let memory = rng.pick(&[Memory::None, Memory::Met(Side::Back)]);
        if memory == Memory::None || d.dot(v) < 0.0 {
            let got = bent::disc_circle_inside(&disc, &circle, memory, FOREVER);
            // From the circle itself: the straight function seeks the end of the chord from where it is.
            // What is in the wall comes back to it if it gets out.
            let gets_out = d.length() > reach && d.perp_dot(v).abs() < reach * v.length();
            let (circle, memory) = match memory {
                Memory::Met(_) if gets_out => (circle, Memory::None),
                Memory::Met(_) => (Circle { radius: d.length(), ..circle }, memory),
                _ => (circle, memory),
            };
            let expected = toi::disc_circle_inside(&straight, &circle, memory);
            assert!(is_same(got, expected), "{case:?} {a:?}: {got:?} {expected:?}");
        }
    }
}
