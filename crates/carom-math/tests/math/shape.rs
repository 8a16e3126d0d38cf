use carom_math::{DVec2, HalfPlane, Segment};
use carom_testkit::property::config;
use proptest::prelude::*;

use crate::cases::{decades, direction};
use crate::oracle::{Big, U, Vector};
use crate::run::law;

/// Units: `U`. The squares, their sum and the root make 2, the quotient 1 more.
#[test]
fn normals_have_length_one() {
    law("unit vectors", 20_000, 3.0, (direction(), decades(-140.0, 140.0)), |(along, length)| {
        let plane = HalfPlane::new(DVec2::ZERO, along * length).ok_or("no direction")?;
        let n = Vector::from(plane.normal);
        Ok((n.dot(&n).sqrt() - Big::new(1.0)).abs().f64() / U)
    });
}

#[test]
fn lengths() {
    let points = (direction(), decades(-6.0, 6.0), -1e6..1e6, -1e6..1e6);
    law("segment lengths", 20_000, 3.0, points, |(along, length, x, y)| {
        let a = DVec2::new(x, y);
        let b = a + along * length;
        let Some(segment) = Segment::new(a, b) else { return Ok(0.0) };
        let exact = Vector::from(b).minus(&a.into());
        let error = exact.dot(&exact).sqrt().distance(segment.length);
        assert_eq!(segment.normal().dot(segment.direction), 0.0, "a quarter turn to the left");
        assert!(segment.direction.perp_dot(segment.normal()) > 0.0);
        Ok(error / (U * segment.length))
    });
}

proptest! {
    #![proptest_config(config(256))]

    /// √(x²) = |x| in IEEE arithmetic, so what lies along an axis does so exactly.
    #[test]
    fn axes_are_exact(size in decades(-150.0, 150.0), is_negative: bool) {
        let x = if is_negative { -size } else { size };
        let normal = |towards| HalfPlane::new(DVec2::ZERO, towards).map(|p| p.normal);
        prop_assert_eq!(normal(DVec2::new(x, 0.0)), Some(DVec2::new(x.signum(), 0.0)));
        prop_assert_eq!(normal(DVec2::new(0.0, x)), Some(DVec2::new(0.0, x.signum())));
    }
}

#[test]
fn no_direction_no_wall() {
    let o = DVec2::ZERO;
    for bad in [o, DVec2::NAN, DVec2::new(f64::INFINITY, 1.0), DVec2::splat(1e200), DVec2::splat(1e-160)] {
        assert_eq!(HalfPlane::new(o, bad), None, "{bad}");
        assert_eq!(Segment::new(o, bad), None, "{bad}");
    }
    assert_eq!(Segment::new(DVec2::ONE, DVec2::ONE), None);
}
