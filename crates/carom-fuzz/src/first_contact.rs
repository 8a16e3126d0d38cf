/// Shares of the flight at which nothing may have been hit.
const SHARES: [f64; 7] = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999];

/// Checks that a gap is closed at a time, if there is one, and at none of some moments before `end`, but for
/// the `slack` at each. Starts within it are left out.
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
