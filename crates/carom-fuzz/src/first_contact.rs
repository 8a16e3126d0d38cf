use carom_engine::DVec2;

/// Half an ulp of 1.
const U: f64 = 0.5 * f64::EPSILON;

/// Errors of a gap at a time of impact, for each of the lengths that it is made of.
///
/// By the bounds of `docs/derivations/`, the contact is placed along the normal to 12 (discs) to 18 (inside
/// a circle) `U` times their sum at most, and to some ten on parabolas. Where the path grazes there is a term
/// of second order besides, at most as large. Evaluating the gap here adds a dozen roundings. What is looked
/// for is far above: contacts missed, roots of another branch.
pub(crate) const ERROR: f64 = 64.0 * U;

pub(crate) fn norm1(v: DVec2) -> f64 {
    v.x.abs() + v.y.abs()
}

/// Shares of the flight at which nothing may have been hit.
const SHARES: [f64; 7] = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999];

/// Checks that a gap is closed at a time, if there is one, and at none of some moments before `end`,
/// except for the `slack` at each. Starts within it are left out.
pub(crate) fn is_first_contact(
    time: Option<f64>,
    end: f64,
    slack: impl Fn(f64) -> f64,
    gap: impl Fn(f64) -> f64,
) {
    if gap(0.0) < slack(0.0) {
        return;
    }
    if let Some(t) = time {
        assert!(gap(t).abs() <= slack(t), "at {t:e} the gap is {:e}, allowed {:e}", gap(t), slack(t));
    }
    for share in SHARES {
        let t = share * end;
        assert!(
            gap(t) >= -slack(end),
            "{time:?}: already at {t:e} the gap is {:e}, allowed {:e}",
            gap(t),
            slack(end)
        );
    }
}
