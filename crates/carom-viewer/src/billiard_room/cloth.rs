//! The table: rails, cloth, cushions, pockets and what is marked on it.

use super::balls::colour;
use super::sight::Sight;
use carom_billiards::{Table, look};
use carom_engine::DVec2;
use eframe::egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke};

/// Width of the rails beyond the noses, in metres, and of what is seen around them.
const RAIL: f64 = 0.15;
const AROUND: f64 = 0.04;

/// Half of what is shown of a table.
pub(super) fn half_of_view(table: &Table) -> DVec2 {
    table.centre() + DVec2::splat(RAIL + AROUND)
}

/// Draws a table without balls.
pub(super) fn draw(painter: &Painter, sight: &Sight, table: &Table) {
    let half = table.centre();
    let cushion = table.pockets.map_or(0.05, |pockets| pockets.cushion_width);
    let rectangle = |half: DVec2, round: f64, paint: look::Rgb| {
        let rect = Rect::from_two_pos(sight.to_screen(half), sight.to_screen(-half));
        let round = CornerRadius::same(sight.length(round).min(60.0) as u8);
        painter.rect_filled(rect, round, colour(paint));
    };
    rectangle(half + DVec2::splat(RAIL), 0.05, look::WOOD_EDGE);
    rectangle(half + DVec2::splat(RAIL - 0.008), 0.045, look::WOOD);
    rectangle(half + DVec2::splat(cushion), 0.0, look::CLOTH);
    let disc = |centre: DVec2, radius: f64, paint: look::Rgb| {
        painter.circle_filled(sight.to_screen(centre), sight.length(radius), colour(paint));
    };
    for (centre, radius) in table.pocket_circles() {
        disc(centre, radius + 0.006, look::WOOD_EDGE);
        disc(centre, radius, look::HOLE);
    }
    for outline in table.cushion_outlines() {
        let points: Vec<Pos2> = outline.into_iter().map(|at| sight.to_screen(at)).collect();
        if table.outline.is_some() {
            let stroke = Stroke::new(sight.length(0.012), colour(look::CUSHION));
            painter.add(Shape::line(points, stroke));
        } else {
            painter.add(Shape::convex_polygon(points, colour(look::CUSHION), Stroke::NONE));
        }
    }
    for (centre, radius) in table.jaw_circles() {
        if radius < cushion || table.outline.is_some() {
            disc(centre, radius, look::CUSHION);
        }
    }
    let sights = half + DVec2::splat(0.5 * (cushion + RAIL));
    for k in -3..=3 {
        let along = f64::from(k) / 4.0;
        for side in [-1.0, 1.0] {
            if k != 0 || table.pockets.is_none() {
                disc(DVec2::new(side * sights.x, along * half.y), 0.006, look::DIAMOND);
            }
            if k % 2 == 0 {
                disc(DVec2::new(along * half.x, side * sights.y), 0.006, look::DIAMOND);
            }
        }
    }
    marks(painter, sight, table);
}

/// The head string and the spots; the baulk line and the D of a snooker table.
fn marks(painter: &Painter, sight: &Sight, table: &Table) {
    let half = table.centre();
    let faint = Color32::from_white_alpha(45);
    let stroke = Stroke::new(1.0, faint);
    let is_snooker = table.length > 3.0 && table.pockets.is_some();
    let y = if is_snooker { 0.737 / 3.569 * table.length } else { 0.25 * table.length } - half.y;
    let line = [DVec2::new(-half.x, y), DVec2::new(half.x, y)].map(|at| sight.to_screen(at));
    painter.line_segment(line, stroke);
    if is_snooker {
        let radius = 0.292 / 3.569 * table.length;
        let at = |k: i32| {
            let way = DVec2::from_angle(std::f64::consts::PI * (1.0 + f64::from(k) / 48.0));
            sight.to_screen(DVec2::new(0.0, y) + way * radius)
        };
        painter.add(Shape::line((0..=48).map(at).collect(), stroke));
    }
    for y in [-0.5 * half.y, 0.0, 0.5 * half.y] {
        painter.circle_filled(sight.to_screen(DVec2::new(0.0, y)), 1.6, faint);
    }
}
