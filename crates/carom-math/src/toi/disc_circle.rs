use super::{Gap, Memory, Motion, Side, disc_disc, disc_disc_growing, squared_gap};
use crate::shape::{norm, norm1};
use crate::tolerance::{FITTING_TOUCHES, SLIDING_CHORD, touch_slack};
use crate::{Circle, DVec2, sqrt};

/// Time until a disc touches a fixed disc (or a fixed point, radius 0) from outside.
///
/// `None` when it recedes, misses or grazes; 0 when they overlap and approach. What has just met a round
/// obstacle leaves it for good on a straight path.
#[inline]
#[must_use]
pub fn disc_circle_outside(disc: &Motion, circle: &Circle, memory: Memory) -> Option<f64> {
    if memory.just_met() {
        return None;
    }
    let (d, reach) = (disc.position - circle.center, circle.radius + disc.radius);
    // The sum of the radii c + r grows by h r, in proportion to itself by h r / (c + r). Two points do not
    // grow.
    if disc.growth > 0.0 && reach > 0.0 {
        return disc_disc_growing(d, disc.velocity, reach, disc.growth * (disc.radius / reach));
    }
    disc_disc(d, disc.velocity, reach)
}

/// Time until a disc in a round room touches its wall.
///
/// The contact is the larger root of `a t² + 2 b t + c`, where the centre leaves the circle of radius `R −
/// r`. Inside it `c ≤ 0`, so `b² − a c` is a sum of two squares and never cancels, not even for a disc that
/// skims along the wall. The disc must not grow. A disc that is outside by rounding, or was put there, is
/// in contact as soon as it moves outwards: it is never lost. After an impact the next contact is sought
/// beyond it; a disc that slides along the wall flies on until it is outside by half of touching, so it
/// makes many impacts, but gets round. `None` only for a disc that does not move.
#[inline]
#[must_use]
pub fn disc_circle_inside(disc: &Motion, circle: &Circle, memory: Memory) -> Option<f64> {
    let (d, v) = (disc.position - circle.center, disc.velocity);
    leaves(d, v, circle.radius - disc.radius, memory.just_met())
}

/// Time at which a centre at `d` from the middle, moving with `v`, leaves the circle of radius `room`.
#[inline]
pub(super) fn leaves(d: DVec2, v: DVec2, room: f64, just_met: bool) -> Option<f64> {
    let a = v.x * v.x + v.y * v.y;
    if !(a > 0.0) {
        return None;
    }
    // A disc too large for the room touches it wherever it is.
    let room = room.max(0.0);
    let (b, c) = (d.x * v.x + d.y * v.y, squared_gap(d, room));
    if just_met {
        // It is on the wall and its velocity leads inwards, both within rounding: the chord that it will fly.
        let inwards = b.abs();
        let disc = (inwards * inwards - a * c).max(0.0);
        let chord = (sqrt(disc) + inwards) / a;
        let slides = chord * chord * a <= (SLIDING_CHORD * room) * (SLIDING_CHORD * room);
        return Some(if slides { flattest_chord(a, room) } else { chord });
    }
    if c <= 0.0 {
        let disc = b * b - a * c;
        return Some(if b > 0.0 { -c / (b + sqrt(disc)) } else { (sqrt(disc) - b) / a });
    }
    if b >= 0.0 {
        return Some(0.0);
    }
    // Outside, on the way in: it leaves again, or passes the room and turns outwards at its closest point.
    let cross = d.x * v.y - d.y * v.x;
    let disc = a * (room * room) - cross * cross;
    Some((sqrt(disc.max(0.0)) - b) / a)
}

/// Time for which a centre that slides along the wall of a round room may fly straight on until it is
/// outside by half of what counts as touching.
///
/// Sliding is a contact without end: the ends of its chord are one moment, and the disc would meet the wall
/// there for ever. With the sagitta `|v|² t² / 2R` at half of that, it has some hundred million impacts a
/// turn, but gets round, and the other half is left for the rounding of its place.
#[inline]
fn flattest_chord(speed2: f64, room: f64) -> f64 {
    sqrt(room * touch_slack(room) / speed2)
}

/// Distance of a disc from a fixed disc, from outside. Coincident centres give the normal (1, 0).
#[inline]
#[must_use]
pub fn gap_disc_circle_outside(disc: &Motion, circle: &Circle) -> Gap {
    let (distance, away) = polar(disc.position - circle.center);
    Gap { distance: distance - (circle.radius + disc.radius), normal: -away, side: Side::Front }
}

/// Distance of a disc from the wall of a round room. A disc at the centre gives the normal (1, 0).
#[inline]
#[must_use]
pub fn gap_disc_circle_inside(disc: &Motion, circle: &Circle) -> Gap {
    let d = disc.position - circle.center;
    let (distance, away) = (norm(d), polar(if is_in_the_middle(disc, circle) { disc.velocity } else { d }).1);
    Gap { distance: (circle.radius - disc.radius) - distance, normal: away, side: Side::Back }
}

/// Whether a disc has the radius of a curve within rounding, so that there is one place for it inside.
#[inline]
#[must_use]
pub fn fits(circle: &Circle, radius: f64) -> bool {
    (circle.radius - radius).abs() <= fitting_slack(circle)
}

/// Whether a disc [`fits`], and is where it does: it touches all of the curve.
#[inline]
pub(super) fn is_in_the_middle(disc: &Motion, circle: &Circle) -> bool {
    fits(circle, disc.radius) && norm1(disc.position - circle.center) <= 2.0 * fitting_slack(circle)
}

pub(super) fn fitting_slack(circle: &Circle) -> f64 {
    FITTING_TOUCHES * touch_slack(norm1(circle.center) + circle.radius)
}

/// Length and direction; (0, (1, 0)) for no length.
#[inline]
pub(super) fn polar(d: DVec2) -> (f64, DVec2) {
    let length = norm(d);
    if length > 0.0 { (length, DVec2::new(d.x / length, d.y / length)) } else { (0.0, DVec2::X) }
}
