//! Walls as lines.

use crate::camera::Camera;
use crate::polyline;
use carom_engine::{DVec2, WallShape};
use eframe::egui::{Painter, Stroke};

/// Draws a wall.
pub(crate) fn draw(painter: &Painter, camera: Camera, shape: &WallShape, stroke: Stroke) {
    let line = |points: &[DVec2]| {
        polyline::draw(painter, points.iter().map(|&point| camera.to_screen(point)), stroke);
    };
    let round = |center: DVec2, radius: f64, start: f64, sweep: f64| {
        let at = |k: u32| center + DVec2::from_angle(start + sweep * f64::from(k) / 96.0) * radius;
        line(&(0..=96).map(at).collect::<Vec<DVec2>>());
    };
    let bar = |a: DVec2, b: DVec2, radius: f64| {
        let wide = Stroke::new(camera.length(2.0 * radius).max(2.0), stroke.color);
        painter.line_segment([camera.to_screen(a), camera.to_screen(b)], wide);
    };
    match shape {
        WallShape::HalfPlane { point, normal } => {
            let along = normal.normalize_or(DVec2::Y).perp() * (1e4 / camera.scale());
            line(&[*point - along, *point + along]);
        }
        WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => line(&[*a, *b]),
        WallShape::Disc { center, radius } | WallShape::Circle { center, radius } => {
            round(*center, *radius, 0.0, std::f64::consts::TAU);
        }
        WallShape::Arc { center, radius, start, sweep } => round(*center, *radius, *start, *sweep),
        WallShape::Polyline { points, closed } => {
            line(points);
            if let (true, [first, .., last]) = (*closed, points.as_slice()) {
                line(&[*last, *first]);
            }
        }
        WallShape::Container { min, max } => {
            let (low, high) = (DVec2::new(max.x, min.y), DVec2::new(min.x, max.y));
            line(&[*min, low, *max, high, *min]);
        }
        WallShape::Arm { pivot, length, radius, angle } => {
            bar(*pivot, *pivot + DVec2::from_angle(*angle) * *length, *radius);
        }
        WallShape::Capsule { a, b, radius } => bar(*a, *b, *radius),
        WallShape::Stadium { center, half_length, radius } => {
            let half = DVec2::new(*half_length, 0.0);
            let up = DVec2::new(0.0, *radius);
            line(&[*center - half + up, *center + half + up]);
            line(&[*center - half - up, *center + half - up]);
            let turn = std::f64::consts::PI;
            round(*center + half, *radius, -0.5 * turn, turn);
            round(*center - half, *radius, 0.5 * turn, turn);
        }
        _ => {}
    }
}
