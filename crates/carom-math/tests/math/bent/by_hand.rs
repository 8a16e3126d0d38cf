//! Times that can be reckoned by hand, all of them exact in binary.

use carom_math::toi::{Memory, Side, bent};
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment};

const FOREVER: f64 = f64::INFINITY;

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn disc(position: DVec2, velocity: DVec2, acceleration: DVec2, radius: f64) -> bent::Motion {
    bent::Motion { position, velocity, acceleration, radius }
}

/// Free fall from 2 above at 1 per second squared: t = √(2 · 2).
#[test]
fn free_fall() {
    assert_eq!(bent::disc_disc(v(0., 3.), v(0., 0.), v(0., -1.), 1.0, FOREVER), Some(2.0));
    let ground = HalfPlane::new(v(0., 0.), v(0., 1.)).unwrap();
    let falling = disc(v(5., 2.5), v(1., 0.), v(0., -1.), 0.5);
    assert_eq!(bent::disc_half_plane(&falling, &ground, Memory::None, FOREVER), Some(2.0));
    // The end of a motion is the next one's.
    assert_eq!(bent::disc_half_plane(&falling, &ground, Memory::None, 2.0), None);
}

/// After an impact at 3 per second under 2 per second squared: t = 2 · 3/2.
#[test]
fn bounces() {
    let ground = HalfPlane::new(v(0., 0.), v(0., 1.)).unwrap();
    let met = Memory::Met(Side::Front);
    let up = |speed: f64, sunk: f64| disc(v(0., 0.5 - sunk), v(1., speed), v(0., -2.), 0.5);
    for sunk in [0.0, 1e-16, -1e-12] {
        assert_eq!(bent::disc_half_plane(&up(3.0, sunk), &ground, met, FOREVER), Some(3.0));
        // Pressed: no speed away from it, or less.
        assert_eq!(bent::disc_half_plane(&up(0.0, sunk), &ground, met, FOREVER), Some(0.0));
        assert_eq!(bent::disc_half_plane(&up(-1e-17, sunk), &ground, met, FOREVER), Some(0.0));
    }
    assert_eq!(bent::disc_disc_again(v(1., 0.), v(1., 0.), v(-1., 0.), 1.0, FOREVER), Some(2.0));
    // Thrown up from 1.75 below the under side of a shelf: 2 t − t²/4 = 1.75.
    let shelf = Segment::new(v(-1., 0.), v(1., 0.)).unwrap();
    let thrown = disc(v(0., -2.), v(0., 2.), v(0., -0.5), 0.25);
    let contact = bent::disc_segment_side(&thrown, &shelf, Memory::None, FOREVER);
    assert_eq!(contact, Some((1.0, Side::Back)));
}

/// Along a disc, what moves fast enough flies off: v² against a R.
#[test]
fn pressed_or_not() {
    let again = |speed: f64| bent::disc_disc_again(v(1., 0.), v(0., speed), v(-1., 0.), 1.0, FOREVER);
    assert_eq!(again(0.5), Some(0.0));
    assert_eq!(again(2.0), None);
    let room = Circle { center: v(0., 0.), radius: 1.5 };
    let inside = |velocity, acceleration| {
        let disc = disc(v(1., 0.), velocity, acceleration, 0.5);
        bent::disc_circle_inside(&disc, &room, Memory::Met(Side::Back), FOREVER)
    };
    assert_eq!(inside(v(0., 1.), v(0., 0.125)), Some(0.0));
    assert_eq!(inside(v(-1., 0.), v(1., 0.)), Some(2.0));
    // Too slow for the roof: it falls, over 2 to the other side.
    assert_eq!(inside(v(0., 0.), v(-1., 0.)), Some(2.0));
}

/// What overlaps and parts is in contact where it turns back, or where it comes back to the circle.
#[test]
fn turning_back() {
    let overlapping = |speed: f64| bent::disc_disc(v(0.5, 0.), v(speed, 0.), v(-4., 0.), 1.0, FOREVER);
    assert_eq!(overlapping(1.0), Some(0.25));
    assert_eq!(overlapping(-1.0), Some(0.0));
    // Out to 0.5 + 4²/8 = 2.5, and back to 1 after (4 + √12)/4.
    let t = overlapping(4.0).unwrap();
    assert!((t - (1.0 + 0.75f64.sqrt())).abs() < 1e-15, "{t}");
}

/// What overlapped where it was hit comes back to the surface once it has parted, after the closed form
/// `(v + √(v² − 2 a h))/a` from `h` below it; and to where it was, after `2 v/a`, if it does not get out.
#[test]
fn what_was_sunk_comes_back_to_the_surface() {
    let met = Memory::Met(Side::Front);
    let ground = HalfPlane::new(v(0., 0.), v(0., 1.)).unwrap();
    let shelf = Segment::new(v(-9., 0.), v(9., 0.)).unwrap();
    let (ball, bowl) =
        (Circle { center: v(0., -2.), radius: 2.0 }, Circle { center: v(0., 2.), radius: 2.0 });
    let arc = Arc { circle: ball, first: DVec2::X, last: DVec2::NEG_X, major: false, full: false };
    for (speed, sunk) in [(3.0, 0.0), (3.0, 1e-12), (3.0, 0.125), (0.5, 0.125), (0.75, 0.125), (0.0, 0.25)] {
        let up = disc(v(0., 0.5 - sunk), v(0., speed), v(0., -2.), 0.5);
        let gets_out = sunk > 0.1 && speed * speed > 4.0 * sunk;
        let expected = if gets_out { 0.5 * (speed + (speed * speed - 4.0 * sunk).sqrt()) } else { speed };
        let walls = [
            bent::disc_half_plane(&up, &ground, met, FOREVER),
            bent::disc_segment_side(&up, &shelf, met, FOREVER).map(|(t, _)| t),
            bent::disc_circle_outside(&up, &ball, met, FOREVER),
            bent::disc_arc_side(&up, &arc, met, FOREVER).map(|(t, _)| t),
            bent::disc_circle_inside(&up, &bowl, Memory::Met(Side::Back), FOREVER),
            bent::disc_disc_again(v(0., 2.5 - sunk), up.velocity, up.acceleration, 2.5, FOREVER),
        ];
        for (wall, t) in walls.into_iter().enumerate() {
            let off = (t.unwrap_or(f64::NAN) - expected).abs();
            assert!(off <= 1e-14, "{wall}, at {speed}, sunk by {sunk}: {t:?}, {expected} expected");
        }
    }
}
