use super::again::leaves_again;
use super::path::Crossing;
use super::{Motion, disc_disc, disc_disc_again};
use crate::Circle;
use crate::toi::{self, Memory};

/// Time until a disc on a parabola touches a fixed disc, or a fixed point (radius 0), from outside, before
/// `until`.
///
/// It is [`disc_disc`], and [`disc_disc_again`] for what has just met it ([`Memory::Met`]).
#[inline]
#[must_use]
pub fn disc_circle_outside(disc: &Motion, circle: &Circle, memory: Memory, until: f64) -> Option<f64> {
    let (d, reach) = (disc.position - circle.center, circle.radius + disc.radius);
    let contact = if memory.just_met() { disc_disc_again } else { disc_disc };
    contact(d, disc.velocity, disc.acceleration, reach, until)
}

/// Time until a disc on a parabola in a round room touches its wall, before `until`.
///
/// The contact is the first crossing outwards of the circle of radius `R − r`, in which the centre moves;
/// for a disc outside of it, as soon as it moves outwards. Under acceleration every path leaves at last.
/// After an impact ([`Memory::Met`]) the disc is taken to move inwards, as in [`disc_disc_again`], and the
/// next contact is the end of the arc that it flies; if it does not leave the wall and is pressed onto it,
/// by its acceleration or by the bend of the wall along which it moves, that is now, at 0. A disc too large
/// for the room touches it wherever it is.
#[must_use]
pub fn disc_circle_inside(disc: &Motion, circle: &Circle, memory: Memory, until: f64) -> Option<f64> {
    if disc.is_straight() {
        return toi::disc_circle_inside(&disc.straight(), circle, memory).filter(|t| *t < until);
    }
    let (path, reach) = (disc.path_from(circle.center), (circle.radius - disc.radius).max(0.0));
    if memory.just_met() {
        return leaves_again(path.d, path.v, path.a, reach, until).filter(|t| *t < until);
    }
    path.crossing(reach, Crossing::Outwards, until)
}
