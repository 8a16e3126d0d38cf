//! The forecast on the cloth: paths by state, the ghost ball, the cue.

use super::balls::colour;
use super::sight::Sight;
use crate::billiards::{Aim, Forecast};
use crate::polyline;
use carom_billiards::{Cue, Layout, Motion, Piece, Recording, look};
use carom_engine::DVec2;
use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke, vec2};

const ROLLING: Color32 = Color32::from_rgb(0xf4, 0xf1, 0xe4);
const FALLING: Color32 = Color32::from_rgb(0x10, 0x10, 0x12);
/// A spin in its place that is shown, in seconds at least.
const LONG_SPIN: f64 = 0.05;

/// What the colours of paths mean.
pub(super) const LEGEND: [(&str, Motion); 4] = [
    ("slides", Motion::Sliding),
    ("rolls", Motion::Rolling),
    ("spins in its place", Motion::Spinning),
    ("falls", Motion::Falling),
];

/// The colour of a state.
pub(super) fn of_motion(motion: Motion) -> Color32 {
    match motion {
        Motion::Sliding => colour(look::SLIDING),
        Motion::Spinning => colour(look::SPINNING),
        Motion::Falling => FALLING,
        Motion::Rolling | Motion::Resting => ROLLING,
    }
}

/// Draws the paths of a shot that begins at a time, up to another one.
pub(super) fn paths(painter: &Painter, sight: &Sight, recording: &Recording, times: [f64; 2], strength: f32) {
    for path in &recording.paths {
        for (k, piece) in path.iter().enumerate().filter(|(_, piece)| piece.is_on_table) {
            let end = path.get(k + 1).map_or(recording.outcome.duration, |next| next.start);
            let (from, to) = (piece.start.max(times[0]), end.min(times[1]));
            let paint = of_motion(piece.at.motion).gamma_multiply(strength);
            match piece.at.motion {
                _ if from >= to => {}
                Motion::Resting => {}
                Motion::Spinning if to - from > LONG_SPIN => {
                    let at = sight.to_screen(piece.at.position);
                    painter.circle_stroke(at, sight.length(0.04), Stroke::new(1.5, paint));
                }
                _ => {
                    let width = if piece.at.motion == Motion::Rolling { 1.6 } else { 2.4 };
                    polyline::draw(painter, points(sight, piece, [from, to]), Stroke::new(width, paint));
                }
            }
        }
    }
}

fn points(sight: &Sight, piece: &Piece, [from, to]: [f64; 2]) -> Vec<Pos2> {
    let is_straight = matches!(piece.at.motion, Motion::Rolling | Motion::Falling);
    let parts = if is_straight { 1.0 } else { (60.0 * (to - from)).ceil().clamp(2.0, 64.0) };
    let at = |k: u32| sight.to_screen(piece.position(from + (to - from) * (f64::from(k) / parts)));
    (0..=parts as u32).map(at).collect()
}

/// Draws what an aim is going to do.
pub(super) fn forecast(painter: &Painter, sight: &Sight, layout: &Layout, forecast: &Forecast) {
    let Some(recording) = &forecast.recording else { return };
    paths(painter, sight, recording, [0.0, f64::INFINITY], 0.8);
    let end = recording.outcome.duration;
    for (placed, path) in layout.balls.iter().zip(&recording.paths) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { continue };
        let is_moved = path.len() > 1 && last.position(end).distance(first.at.position) > 1e-3;
        if !is_moved || !last.is_on_table {
            continue;
        }
        let (own, _) = look::of_ball(&placed.label);
        let (at, radius) = (sight.to_screen(last.position(end)), sight.length(placed.ball.radius));
        painter.circle_filled(at, radius, colour(own).gamma_multiply(0.35));
        painter.circle_stroke(at, radius, Stroke::new(1.2, colour(own)));
        if placed.label.parse::<u32>().is_ok() && radius > 6.0 {
            let font = FontId::proportional(0.95 * radius);
            painter.text(at, Align2::CENTER_CENTER, &placed.label, font, ROLLING);
        }
    }
    let Some(contact) = &forecast.contact else { return };
    let radius = layout.balls.first().map_or(0.03, |placed| placed.ball.radius);
    let ghost = sight.to_screen(contact.ghost);
    painter.circle_stroke(ghost, sight.length(radius), Stroke::new(1.6, ROLLING));
    let beyond = contact.object + (contact.object - contact.ghost) * 1.5;
    let line = [ghost, sight.to_screen(beyond)];
    painter.extend(Shape::dashed_line(&line, Stroke::new(1.2, ROLLING), 5.0, 4.0));
    let text = format!("{:.3} s, cut {:.1}°", contact.time, contact.cut.to_degrees().abs());
    // On the side from which the ball comes, beside its path.
    let away = (ghost - sight.to_screen(contact.object)).normalized();
    let at = ghost + away * (sight.length(radius) + 6.0) + vec2(60.0 * away.x, 24.0 * away.y - 14.0);
    note(painter, at, text);
}

/// Letters on the cloth that can be read over paths.
fn note(painter: &Painter, at: Pos2, text: String) {
    let galley = painter.layout_no_wrap(text, FontId::proportional(12.0), ROLLING);
    let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(vec2(4.0, 1.0)), 3.0, Color32::from_black_alpha(150));
    painter.galley(rect.min, galley, ROLLING);
}

/// Where the tip of the cue is, and the end of the butt, in the frame of worlds.
pub(super) fn cue_ends(ball: DVec2, radius: f64, aim: &Aim, cue: &Cue) -> [DVec2; 2] {
    let way = DVec2::from_angle(aim.direction);
    let level = aim.elevation.cos();
    let drawn = 1.15 * radius + 0.012 + 0.03 * aim.speed;
    let tip = ball - way.perp() * (aim.side * radius) - way * (drawn * level.max(0.35));
    [tip, tip - way * (cue.length * level.max(0.08))]
}

/// Draws the cue: tip, ferrule, shaft and butt.
pub(super) fn cue(painter: &Painter, sight: &Sight, [tip, butt]: [DVec2; 2]) {
    let (tip, butt) = (sight.to_screen(tip), sight.to_screen(butt));
    let way = butt - tip;
    let across = way.normalized().rot90();
    let width = |part: f32| (sight.length(0.0065) + sight.length(0.008) * part).max(1.2 + 1.6 * part);
    let part = |from: f32, to: f32, paint: Color32| {
        let (a, b) = (tip + way * from, tip + way * to);
        let (near, far) = (across * width(from), across * width(to));
        painter.add(Shape::convex_polygon(vec![a + near, b + far, b - far, a - near], paint, Stroke::NONE));
    };
    let shadow = vec2(3.0, 5.0);
    painter.line_segment([tip + shadow, butt + shadow], Stroke::new(3.0, Color32::from_black_alpha(60)));
    part(0.0, 1.0, Color32::from_rgb(0xd9, 0xb3, 0x7c));
    part(0.55, 1.0, Color32::from_rgb(0x2e, 0x1c, 0x16));
    part(0.72, 0.9, Color32::from_rgb(0x7b, 0x1e, 0x2b));
    part(0.0, 0.025, Color32::from_rgb(0xf6, 0xf2, 0xe8));
    part(0.0, 0.008, Color32::from_rgb(0x2b, 0x5f, 0x9e));
}
