//! The parts of an arm, at rest and while it turns.

use super::facet::Shape;
use carom_math::elementary::unit_vector;
use carom_math::toi::{Arm, Side};
use carom_math::{Circle, DVec2, Segment};

/// Number of the part that an arm without thickness, or the left side of another one, is; and of its right
/// side.
const LEFT: u32 = 0;
const RIGHT: u32 = 3;

/// The parts of an arm at rest.
pub(crate) fn resting(pivot: DVec2, length: f64, radius: f64, angle: f64) -> Vec<Shape> {
    let direction = unit_vector(angle);
    bar(Segment { start: pivot, direction, length }, pivot + direction * length, radius)
}

/// The parts of a bar with round ends around a segment, which ends at `end`.
pub(crate) fn bar(axis: Segment, end: DVec2, radius: f64) -> Vec<Shape> {
    let start = axis.start;
    if radius == 0.0 {
        return vec![Shape::Segment(axis), Shape::Point(start), Shape::Point(end)];
    }
    let left = Segment { start: start + axis.normal() * radius, ..axis };
    let right = Segment { start: end - axis.normal() * radius, direction: -axis.direction, ..axis };
    let [at_start, at_end] = [start, end].map(|center| Shape::Outside(Circle { center, radius }));
    vec![Shape::Segment(left), at_start, at_end, Shape::Segment(right)]
}

/// The parts of an arm that turns: all but the end at its pivot, which does not move, and that.
pub(crate) fn turning(arm: Arm) -> Vec<Shape> {
    let Arm { pivot: center, radius, .. } = arm;
    let end = if radius == 0.0 { Shape::Point(center) } else { Shape::Outside(Circle { center, radius }) };
    vec![Shape::Arm(arm), end]
}

/// The side of an arm, seen along it from its pivot, that the side of a part is; `None` of an end. `is_thick`
/// if it rests and has a radius.
pub(crate) fn side_of_arm(part: u32, side: Side, is_thick: bool) -> Option<Side> {
    match (part, is_thick) {
        (LEFT, false) => Some(side),
        (LEFT, true) => (side == Side::Front).then_some(Side::Front),
        (RIGHT, true) => (side == Side::Front).then_some(Side::Back),
        _ => None,
    }
}

/// The part, and the side of that, that a side of an arm is.
pub(crate) fn part_on(side: Side, is_thick: bool) -> (u32, Side) {
    match (side, is_thick) {
        (side, false) => (LEFT, side),
        (Side::Front, true) => (LEFT, Side::Front),
        (Side::Back, true) => (RIGHT, Side::Front),
    }
}
