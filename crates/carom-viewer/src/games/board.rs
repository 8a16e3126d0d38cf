//! A game drawn with egui.

use crate::camera::Camera;
use crate::{polyline, style, walls};
use carom_engine::{DVec2, WallShape};
use carom_games::Board;
use carom_scene::Rgb;
use eframe::egui::{Align2, Color32, FontId, Mesh, Painter, Stroke};

/// Where a game is drawn.
pub(super) struct Plane<'a> {
    pub(super) painter: &'a Painter,
    pub(super) camera: Camera,
    pub(super) ground: Color32,
}

/// A colour of the games.
pub(super) fn colour(Rgb(red, green, blue): Rgb, opacity: f64) -> Color32 {
    Color32::from_rgb(red, green, blue).gamma_multiply(opacity.clamp(0.0, 1.0) as f32)
}

impl Plane<'_> {
    fn stroke_of(&self, width: f64, colour: Color32) -> Stroke {
        Stroke::new(self.camera.length(width).max(0.7), colour)
    }
}

impl Board for Plane<'_> {
    fn fill(&mut self, points: &[DVec2], ink: Rgb, opacity: f64) {
        let mut mesh = Mesh::default();
        for &point in points {
            mesh.colored_vertex(self.camera.to_screen(point), colour(ink, opacity));
        }
        for [a, b, c] in triangles(points) {
            mesh.add_triangle(a, b, c);
        }
        self.painter.add(mesh);
    }

    fn stroke(&mut self, points: &[DVec2], width: f64, ink: Rgb, opacity: f64) {
        let places = points.iter().map(|&point| self.camera.to_screen(point));
        polyline::draw(self.painter, places, self.stroke_of(width, colour(ink, opacity)));
        if opacity == 1.0 {
            for &end in points {
                self.fill_disc(end, 0.5 * width, ink, 1.0);
            }
        }
    }

    fn fill_disc(&mut self, center: DVec2, radius: f64, ink: Rgb, opacity: f64) {
        let radius = self.camera.length(radius);
        self.painter.circle_filled(self.camera.to_screen(center), radius, colour(ink, opacity));
    }

    fn glow(&mut self, center: DVec2, radius: f64, ink: Rgb, opacity: f64) {
        const PARTS: u32 = 40;
        let (at, radius) = (self.camera.to_screen(center), self.camera.length(radius));
        let mut mesh = Mesh::default();
        mesh.colored_vertex(at, colour(ink, 0.8 * opacity));
        for k in 0..PARTS {
            let angle = std::f32::consts::TAU * k as f32 / PARTS as f32;
            let rim = at + radius * eframe::egui::Vec2::angled(angle);
            mesh.colored_vertex(rim, Color32::TRANSPARENT);
            mesh.add_triangle(0, 1 + k, 1 + (k + 1) % PARTS);
        }
        self.painter.add(mesh);
    }

    fn ball(&mut self, center: DVec2, radius: f64, ink: Rgb) {
        self.fill_disc(center, radius, ink, 1.0);
        self.glow(center + DVec2::new(-0.3, 0.35) * radius, 0.6 * radius, Rgb(255, 255, 255), 0.55);
        let rim = colour(ink, 1.0).lerp_to_gamma(Color32::BLACK, 0.35);
        let (at, size) = (self.camera.to_screen(center), self.camera.length(radius));
        self.painter.circle_stroke(at, size, Stroke::new((0.06 * size).clamp(0.7, 2.0), rim));
    }

    fn ring(&mut self, center: DVec2, radius: f64, width: f64, ink: Rgb, opacity: f64) {
        let stroke = self.stroke_of(width, colour(ink, opacity));
        self.painter.circle_stroke(self.camera.to_screen(center), self.camera.length(radius), stroke);
    }

    fn fading(&mut self, from: DVec2, to: DVec2, width: f64, ink: Rgb, opacity: f64) {
        let side = (to - from).normalize_or_zero().perp() * (0.5 * width);
        let mut mesh = Mesh::default();
        for (place, part) in [(from + side, 0.0), (from - side, 0.0), (to - side, 1.0), (to + side, 1.0)] {
            mesh.colored_vertex(self.camera.to_screen(place), colour(ink, part * opacity));
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(0, 2, 3);
        self.painter.add(mesh);
    }

    fn wall(&mut self, shape: &WallShape) {
        let ink = style::on_colour(self.ground).gamma_multiply(0.8);
        walls::draw(self.painter, self.camera, shape, Stroke::new(2.0, ink));
    }

    fn text(&mut self, at: DVec2, size: f64, words: &str, ink: Rgb) {
        let font = FontId::proportional(self.camera.length(size).clamp(4.0, 200.0));
        self.painter.text(self.camera.to_screen(at), Align2::CENTER_CENTER, words, font, colour(ink, 1.0));
    }
}

/// Twice the area to the left of a bend.
fn bend(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - b)
}

/// A simple polygon as triangles: ears are cut off one by one (Meisters 1975).
fn triangles(points: &[DVec2]) -> Vec<[u32; 3]> {
    let mut rest: Vec<usize> = (0..points.len()).collect();
    let area: f64 = (0..points.len()).map(|k| points[k].perp_dot(points[(k + 1) % points.len()])).sum();
    let mut found = Vec::new();
    while rest.len() >= 3 {
        let count = rest.len();
        let corner = |k: usize| [rest[(k + count - 1) % count], rest[k], rest[(k + 1) % count]];
        let is_ear = |&k: &usize| {
            let ids = corner(k);
            let [a, b, c] = ids.map(|id| points[id]);
            let is_inside =
                |p: DVec2| [bend(a, b, p), bend(b, c, p), bend(c, a, p)].iter().all(|x| x * area >= 0.0);
            bend(a, b, c) * area > 0.0 && !rest.iter().any(|&id| !ids.contains(&id) && is_inside(points[id]))
        };
        // What crosses itself has none: its rest is left out.
        let Some(ear) = (0..count).find(is_ear) else { break };
        found.push(corner(ear).map(|id| id as u32));
        rest.remove(ear);
    }
    found
}
