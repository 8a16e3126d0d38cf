//! Balls whose numbers, stripes and dots are where the spin has turned them.

use super::sight::Sight;
use crate::billiards::SeenBall;
use carom_billiards::look;
use carom_engine::glam::{DQuat, DVec3};
use eframe::egui::epaint::Vertex;
use eframe::egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Shape, Stroke, Vec2, vec2};

/// The white of a striped ball, and of the spot under a number.
const WHITE: Color32 = Color32::from_rgb(0xfb, 0xf8, 0xf0);
const INK: Color32 = Color32::from_rgb(0x1a, 0x1a, 0x1c);
/// Half the height of the stripe, and the radii of the spot and of the dots, in radii of the ball.
const STRIPE: f64 = 0.56;
const SPOT: f64 = 0.52;
const DOT: f64 = 0.17;
/// Corners of a circle, and meridians of a stripe.
const CORNERS: u32 = 32;

pub(super) fn colour([red, green, blue]: look::Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// A ball on the screen.
struct Globe<'a> {
    sight: &'a Sight,
    centre: Pos2,
    radius: f32,
    turned: DQuat,
    mesh: Mesh,
}

impl Globe<'_> {
    /// A corner at a direction of the ball's own frame; one on the far side is put on the rim.
    fn corner(&mut self, at: DVec3, colour: Color32) -> (u32, bool) {
        let (mut place, towards) = self.sight.turned(at, self.turned);
        if towards < 0.0 {
            place = place.normalized();
        }
        let index = self.mesh.vertices.len() as u32;
        self.mesh.colored_vertex(self.centre + place * self.radius, colour);
        (index, towards >= 0.0)
    }

    fn triangle(&mut self, corners: [(u32, bool); 3]) {
        if corners.iter().any(|corner| corner.1) {
            self.mesh.add_triangle(corners[0].0, corners[1].0, corners[2].0);
        }
    }

    /// Half the width of a soft edge, in radii.
    fn soft(&self) -> f64 {
        f64::from(0.6 / self.radius).min(0.1)
    }

    /// A round spot around an axis.
    fn cap(&mut self, axis: DVec3, size: f64, colour: Color32) {
        let (across, up) = axis.any_orthonormal_pair();
        let middle = self.corner(axis, colour);
        let ring = |globe: &mut Self, size: f64, colour: Color32| -> Vec<(u32, bool)> {
            let depth = (1.0 - size * size).max(0.0).sqrt();
            let at = |k: u32| {
                let way = carom_engine::DVec2::from_angle(
                    f64::from(k) * std::f64::consts::TAU / f64::from(CORNERS),
                );
                axis * depth + (across * way.x + up * way.y) * size
            };
            (0..CORNERS).map(|k| globe.corner(at(k), colour)).collect()
        };
        let soft = self.soft();
        let inner = ring(self, size - soft, colour);
        let outer = ring(self, size + soft, Color32::TRANSPARENT);
        for k in 0..CORNERS as usize {
            let next = (k + 1) % CORNERS as usize;
            self.triangle([middle, inner[k], inner[next]]);
            self.triangle([inner[k], outer[k], outer[next]]);
            self.triangle([inner[k], outer[next], inner[next]]);
        }
    }

    /// The band around the middle.
    fn stripe(&mut self, colour: Color32) {
        let soft = self.soft();
        let (edge, beyond) = (STRIPE - soft, STRIPE + soft);
        let heights = [-beyond, -edge, -0.35, 0.0, 0.35, edge, beyond];
        let mut rows: Vec<Vec<(u32, bool)>> = Vec::new();
        for height in heights {
            let paint = if height.abs() > STRIPE { Color32::TRANSPARENT } else { colour };
            let around = (1.0 - height * height).sqrt();
            let at = |k: u32| {
                let way = carom_engine::DVec2::from_angle(
                    f64::from(k) * std::f64::consts::TAU / f64::from(CORNERS),
                );
                DVec3::new(way.x * around, height, way.y * around)
            };
            rows.push((0..CORNERS).map(|k| self.corner(at(k), paint)).collect());
        }
        for pair in rows.windows(2) {
            for k in 0..CORNERS as usize {
                let next = (k + 1) % CORNERS as usize;
                self.triangle([pair[0][k], pair[1][k], pair[1][next]]);
                self.triangle([pair[0][k], pair[1][next], pair[0][next]]);
            }
        }
    }

    /// A number on its spot, bent with the ball.
    fn number(&mut self, painter: &Painter, label: &str, axis: DVec3) {
        let (_, towards) = self.sight.turned(axis, self.turned);
        if towards < 0.1 || self.radius < 5.0 {
            return;
        }
        let size = (0.86 * self.radius * if label.len() > 1 { 0.85 } else { 1.0 }).max(5.0);
        let galley = painter.layout_no_wrap(label.to_owned(), FontId::proportional(size), INK);
        let [width, height] = painter.ctx().fonts(|fonts| fonts.font_image_size());
        let texel = vec2(1.0 / width as f32, 1.0 / height as f32);
        let right = DVec3::new(axis.z, 0.0, 0.0);
        let middle = galley.mesh_bounds.center().to_vec2();
        for row in &galley.rows {
            let first = self.mesh.vertices.len() as u32;
            for vertex in &row.visuals.mesh.vertices {
                let off = (row.pos.to_vec2() + vertex.pos.to_vec2() - middle) / self.radius;
                let (s, t) = (f64::from(off.x), -f64::from(off.y));
                let depth = (1.0 - s * s - t * t).max(0.0).sqrt();
                let (place, _) = self.sight.turned(axis * depth + right * s + DVec3::Y * t, self.turned);
                let uv = (vertex.uv.to_vec2() * texel).to_pos2();
                let color = INK.gamma_multiply((4.0 * towards).min(1.0));
                self.mesh.vertices.push(Vertex { pos: self.centre + place * self.radius, uv, color });
            }
            self.mesh.indices.extend(row.visuals.mesh.indices.iter().map(|index| first + index));
        }
    }

    /// Light from above and a dark rim, over all.
    fn shade(&mut self) {
        let (centre, radius) = (self.centre, self.radius);
        let mut fan = |middle: Vec2, light: Color32, inner: f32, outer: f32, edge: Color32| {
            let first = self.mesh.vertices.len() as u32;
            let at =
                |k: u32, size: f32| Vec2::angled(k as f32 * std::f32::consts::TAU / CORNERS as f32) * size;
            for k in 0..CORNERS {
                self.mesh.colored_vertex(centre + (middle + at(k, inner)) * radius, light);
                self.mesh.colored_vertex(centre + (middle + at(k, outer)) * radius, edge);
            }
            for k in 0..CORNERS {
                let (a, b) = (first + 2 * k, first + 2 * ((k + 1) % CORNERS));
                self.mesh.add_triangle(a, a + 1, b + 1);
                self.mesh.add_triangle(a, b + 1, b);
            }
        };
        fan(Vec2::ZERO, Color32::TRANSPARENT, 0.55, 1.0, Color32::from_black_alpha(95));
        fan(vec2(-0.3, -0.36), Color32::from_white_alpha(120), 0.0, 0.34, Color32::TRANSPARENT);
    }
}

/// Draws a ball where it is, turned as it has.
pub(super) fn draw(painter: &Painter, sight: &Sight, ball: &SeenBall) {
    let (centre, radius) = (sight.to_screen(ball.position), sight.length(ball.radius).max(2.0));
    let (own, is_striped) = look::of_ball(&ball.label);
    let paint = colour(own);
    let shadow = centre + vec2(0.12, 0.2) * radius;
    painter.circle_filled(shadow, radius * 1.03, Color32::from_black_alpha(70));
    painter.circle_filled(centre, radius, if is_striped { WHITE } else { paint });
    let mesh = Mesh::default();
    let mut globe = Globe { sight, centre, radius, turned: ball.turned, mesh };
    if is_striped {
        globe.stripe(paint);
    }
    if ball.label.parse::<u32>().is_ok() {
        for axis in [DVec3::Z, DVec3::NEG_Z] {
            globe.cap(axis, SPOT, WHITE);
            globe.number(painter, &ball.label, axis);
        }
    } else {
        let dots = colour(look::of_dots(own));
        for axis in DVec3::AXES {
            globe.cap(axis, DOT, dots);
            globe.cap(-axis, DOT, dots);
        }
    }
    globe.shade();
    painter.add(globe.mesh);
    painter.circle_stroke(centre, radius, Stroke::new(0.8, Color32::from_black_alpha(150)));
}

/// A ring around a ball that may be met first, or, dashed, around one that is in hand.
pub(super) fn ring(painter: &Painter, sight: &Sight, ball: &SeenBall, is_in_hand: bool) {
    let (centre, radius) = (sight.to_screen(ball.position), sight.length(ball.radius) + 3.0);
    let stroke = Stroke::new(1.5, Color32::from_rgb(0xff, 0xd8, 0x70));
    if is_in_hand {
        let at = |k: u32| centre + Vec2::angled(k as f32 * std::f32::consts::TAU / 32.0) * (radius + 3.0);
        painter.extend(Shape::dashed_line(&(0..=32).map(at).collect::<Vec<Pos2>>(), stroke, 4.0, 3.0));
    } else {
        painter.circle_stroke(centre, radius, stroke);
    }
}

/// The number of a ball beside it, where that on the ball has turned away.
pub(super) fn label(painter: &Painter, sight: &Sight, ball: &SeenBall) {
    let is_seen = [DVec3::Z, DVec3::NEG_Z].iter().any(|axis| sight.turned(*axis, ball.turned).1 > 0.9);
    let radius = sight.length(ball.radius);
    if is_seen || ball.label.parse::<u32>().is_err() || radius < 4.0 {
        return;
    }
    let at = sight.to_screen(ball.position) + vec2(0.85, -0.85) * radius;
    let galley = painter.layout_no_wrap(ball.label.clone(), FontId::proportional(11.0), WHITE);
    let rect = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(vec2(2.0, 0.0)), 3.0, Color32::from_black_alpha(130));
    painter.galley(rect.min, galley, WHITE);
}
