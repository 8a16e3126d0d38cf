use crate::touch::{NEARBY, magnitude};
use carom_math::tolerance::TOUCH_ULPS;
use carom_math::{Clock, Periods};
use glam::DVec2;

/// The difference of seconds below which two times of a clock may be rounded to one.
#[inline(always)]
pub(crate) fn close(clock: &Clock) -> f64 {
    clock.epoch() * 1e-12
}

/// A radius within which a disc at a place is, with all discs that count as touching it: the searches for
/// those look [`NEARBY`] slacks of touching far, which is 2⁻³⁰ of the coordinates.
#[inline(always)]
pub(crate) fn with_margin(center: DVec2, radius: f64) -> f64 {
    radius + (magnitude(center) + radius) * (8.0 * NEARBY * TOUCH_ULPS * f64::EPSILON)
}

/// Calls `visit` with the turns of an image and of those around it.
pub(super) fn for_each_around(periods: &Periods, nearest: DVec2, mut visit: impl FnMut(DVec2)) {
    let [along_x, along_y] = [periods.x(), periods.y()].map(|period| i32::from(period.is_some()));
    for i in -along_x..=along_x {
        for j in -along_y..=along_y {
            visit(nearest + DVec2::new(f64::from(i), f64::from(j)));
        }
    }
}
