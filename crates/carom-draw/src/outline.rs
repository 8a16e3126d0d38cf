//! Walls as lines and areas in world coordinates.

use std::f64::consts::{PI, TAU};

use carom_engine::WallShape;
use glam::DVec2;

use crate::clip::Area;

/// How a wall is drawn, from its shape. World coordinates, y upwards.
pub(crate) trait Outline {
    /// The rectangle, if it is one with sides along the axes.
    fn rectangle(&self) -> Option<Area>;

    /// The smallest rectangle around it; `None` for a half-plane, which has no end.
    fn bounds(&self) -> Option<Area>;

    /// Whether it is a closed line around free space.
    fn encloses(&self) -> bool;

    /// Whether the line returns to its first point.
    fn is_closed(&self) -> bool;

    /// Its line as points, curves with `per_turn` corners a full circle. Empty for a half-plane.
    fn points(&self, per_turn: usize) -> Vec<DVec2>;

    /// The largest radius of its curves; 0 for straight ones.
    fn curve_radius(&self) -> f64;
}

impl Outline for WallShape {
    fn rectangle(&self) -> Option<Area> {
        match self {
            WallShape::Container { min, max } => Some(Area::new(min.min(*max), min.max(*max))),
            WallShape::Polyline { points, closed: true } if points.len() == 4 => {
                let (min, max) = (
                    points.iter().fold(points[0], |m, p| m.min(*p)),
                    points.iter().fold(points[0], |m, p| m.max(*p)),
                );
                let at_corners =
                    points.iter().all(|p| (p.x == min.x || p.x == max.x) && (p.y == min.y || p.y == max.y));
                // Neighbours share one coordinate exactly: this leaves out a bow tie and repeated corners.
                let along_sides = (0..4).all(|k| {
                    (points[k].x == points[(k + 1) % 4].x) != (points[k].y == points[(k + 1) % 4].y)
                });
                (at_corners && along_sides).then(|| Area::new(min, max))
            }
            _ => None,
        }
    }

    fn bounds(&self) -> Option<Area> {
        let around = |c: DVec2, half: DVec2| Some(Area::new(c - half, c + half));
        match self {
            WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => {
                Some(Area::new(a.min(*b), a.max(*b)))
            }
            WallShape::Disc { center, radius } | WallShape::Circle { center, radius } => {
                around(*center, DVec2::splat(*radius))
            }
            WallShape::Stadium { center, half_length, radius } => {
                around(*center, DVec2::new(half_length + radius, *radius))
            }
            WallShape::Capsule { a, b, radius } => Some(Area::new(a.min(*b) - *radius, a.max(*b) + *radius)),
            WallShape::Container { .. } => self.rectangle(),
            WallShape::Arc { .. } | WallShape::Polyline { .. } => {
                let points = self.points(256);
                let first = *points.first()?;
                Some(points.iter().fold(Area::new(first, first), |area, p| area.union(&Area::new(*p, *p))))
            }
            // A half-plane has no end, and what a later version may add is not known here.
            _ => None,
        }
    }

    fn encloses(&self) -> bool {
        matches!(
            self,
            WallShape::Circle { .. }
                | WallShape::Container { .. }
                | WallShape::Stadium { .. }
                | WallShape::Polyline { closed: true, .. }
        )
    }

    fn is_closed(&self) -> bool {
        self.encloses()
            || matches!(self, WallShape::Disc { .. } | WallShape::Arm { .. } | WallShape::Capsule { .. })
            || matches!(self, WallShape::Arc { sweep, .. } if sweep.abs() >= TAU)
    }

    fn points(&self, per_turn: usize) -> Vec<DVec2> {
        match self {
            WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => vec![*a, *b],
            WallShape::Disc { center, radius } | WallShape::Circle { center, radius } => {
                let mut points = arc(*center, *radius, 0.0, TAU, per_turn);
                points.pop();
                points
            }
            WallShape::Arc { center, radius, start, sweep } => {
                arc(*center, *radius, *start, *sweep, per_turn)
            }
            WallShape::Polyline { points, .. } => points.clone(),
            WallShape::Container { min, max } => Area::new(*min, *max).corners().to_vec(),
            WallShape::Stadium { center, half_length, radius } => {
                let reach = DVec2::new(*half_length, 0.0);
                let mut points = arc(*center + reach, *radius, -PI / 2.0, PI, per_turn);
                points.extend(arc(*center - reach, *radius, PI / 2.0, PI, per_turn));
                points
            }
            WallShape::Arm { pivot, length, radius, angle } => {
                let tip = *pivot + DVec2::from_angle(*angle) * *length;
                bar(*pivot, tip, *radius, *angle, per_turn)
            }
            WallShape::Capsule { a, b, radius } => {
                let angle = libm::atan2(b.y - a.y, b.x - a.x);
                bar(*a, *b, *radius, angle, per_turn)
            }
            _ => Vec::new(),
        }
    }

    fn curve_radius(&self) -> f64 {
        match self {
            WallShape::Disc { radius, .. }
            | WallShape::Circle { radius, .. }
            | WallShape::Arc { radius, .. }
            | WallShape::Arm { radius, .. }
            | WallShape::Capsule { radius, .. }
            | WallShape::Stadium { radius, .. } => *radius,
            _ => 0.0,
        }
    }
}

/// The outline of a bar with round ends.
fn bar(a: DVec2, b: DVec2, radius: f64, angle: f64, per_turn: usize) -> Vec<DVec2> {
    let mut points = arc(b, radius, angle - PI / 2.0, PI, per_turn);
    points.extend(arc(a, radius, angle + PI / 2.0, PI, per_turn));
    points
}

/// Points of an arc, both ends included.
fn arc(center: DVec2, radius: f64, start: f64, sweep: f64, per_turn: usize) -> Vec<DVec2> {
    let steps = ((sweep.abs() / TAU * per_turn as f64).ceil() as usize).clamp(2, per_turn.max(2));
    (0..=steps)
        .map(|k| {
            // libm, not the platform's functions: the same picture on every machine.
            let (sin, cos) = libm::sincos(start + sweep * (k as f64 / steps as f64));
            center + DVec2::new(cos, sin) * radius
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn only_rectangles_along_the_axes_are_tables() {
        let path =
            |points: &[DVec2]| WallShape::Polyline { points: points.to_vec(), closed: true }.rectangle();
        let square = [v(0.0, 0.0), v(2.0, 0.0), v(2.0, 1.0), v(0.0, 1.0)];
        assert_eq!(path(&square), Some(Area::new(v(0.0, 0.0), v(2.0, 1.0))));
        assert_eq!(path(&[square[1], square[0], square[3], square[2]]), path(&square), "clockwise");
        assert_eq!(path(&[square[0], square[2], square[1], square[3]]), None, "a bow tie");
        assert_eq!(path(&[square[0], square[0], square[2], square[2]]), None, "no area");
        assert_eq!(path(&[v(1.0, 0.0), v(2.0, 1.0), v(1.0, 2.0), v(0.0, 1.0)]), None, "a diamond");
        assert_eq!(WallShape::Segment { a: square[0], b: square[1] }.rectangle(), None);
    }

    #[test]
    fn bounds_of_curves() {
        let quarter = WallShape::Arc { center: v(1.0, 1.0), radius: 2.0, start: 0.0, sweep: PI / 2.0 };
        let bounds = quarter.bounds().unwrap();
        assert!((bounds.min - v(1.0, 1.0)).length() < 1e-9 && (bounds.max - v(3.0, 3.0)).length() < 1e-9);
        let stadium = WallShape::Stadium { center: v(0.0, 0.0), half_length: 2.0, radius: 1.0 };
        assert_eq!(stadium.bounds(), Some(Area::new(v(-3.0, -1.0), v(3.0, 1.0))));
        for p in stadium.points(64) {
            let nearest = v(p.x.clamp(-2.0, 2.0), 0.0);
            assert!(((p - nearest).length() - 1.0).abs() < 1e-12, "{p}");
        }
    }
}
