//! The plane: walls, discs, velocities, and what is going to happen.

use super::bounds::bounds;
use super::grasp::tip;
use super::{DiscRoom, Grasp};
use crate::session::ComingKind;
use crate::{style, walls};
use carom_engine::{DVec2, DiscId};
use eframe::egui::{self, Color32, FontId, Painter, Pos2, Sense, Shape, Stroke};

/// The most coming events whose ghosts are drawn.
const GHOSTS: usize = 6;
/// With more discs than this there are no letters and no arrows.
const FEW: usize = 60;

impl DiscRoom {
    pub(super) fn canvas(&mut self, ui: &mut egui::Ui) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "the plane"));
        self.camera.set_rect(response.rect);
        if self.fits {
            let bounds = bounds(&self.session).unwrap_or((DVec2::splat(-5.0), DVec2::splat(5.0)));
            self.camera.fit(bounds);
        }
        if self.camera.zoom_by_input(ui, &response) {
            self.fits = false;
        }
        self.point(&response);
        self.draw_walls(&painter);
        if self.shows.trails {
            self.draw_trails(&painter);
        }
        if self.shows.paths {
            self.draw_outlook(&painter);
        }
        self.draw_discs(&painter);
        #[cfg(feature = "rapier")]
        self.draw_beside(&painter);
        if let (Some(Grasp::Wall(from)), Some(at)) = (self.grasp, response.interact_pointer_pos()) {
            let stroke = Stroke::new(2.0, style::accent(self.is_dark));
            painter.line_segment([self.camera.to_screen(from), at], stroke);
        }
    }

    /// The colour of a disc.
    pub(super) fn colour(&self, disc: DiscId) -> Color32 {
        match self.session.look(disc).and_then(|look| look.colour) {
            Some(colour) => Color32::from_rgb(colour.0, colour.1, colour.2),
            None => style::of_number(disc.slot() as usize),
        }
    }

    fn draw_walls(&self, painter: &Painter) {
        let stroke = Stroke::new(2.0, style::ink(self.is_dark));
        let world = self.session.world();
        for (id, _) in world.walls() {
            if let Some(shape) = world.wall_shape(id) {
                walls::draw(painter, self.camera, &shape, stroke);
            }
        }
    }

    fn draw_trails(&self, painter: &Painter) {
        for (&disc, trail) in &self.trails {
            let points: Vec<Pos2> = trail.iter().map(|&place| self.camera.to_screen(place)).collect();
            let colour = style::seen_on_plane(self.colour(disc), self.is_dark);
            painter.add(Shape::line(points, Stroke::new(1.0, colour.gamma_multiply(0.45))));
        }
    }

    /// Paths and ghosts.
    fn draw_outlook(&mut self, painter: &Painter) {
        let camera = self.camera;
        let is_dark = self.is_dark;
        let (selected, other) = (self.session.selected(), self.session.other());
        let colours: Vec<Color32> = {
            let discs: Vec<DiscId> = self.session.outlook().tracks().iter().map(|track| track.disc).collect();
            discs.into_iter().map(|disc| style::seen_on_plane(self.colour(disc), is_dark)).collect()
        };
        let outlook = self.session.outlook();
        let is_wanted = |disc: DiscId| Some(disc) == selected || Some(disc) == other;
        for (track, colour) in outlook.tracks().iter().zip(colours) {
            let strength = if is_wanted(track.disc) { 0.9 } else { 0.3 };
            let count = track.pieces.len() as f32;
            for (number, &(position, velocity, acceleration, lasts)) in track.pieces.iter().enumerate() {
                let parts = if acceleration == DVec2::ZERO { 1 } else { 24 };
                let at = |k: i32| {
                    let s = lasts * f64::from(k) / f64::from(parts);
                    camera.to_screen(position + (velocity + acceleration * (0.5 * s)) * s)
                };
                let points: Vec<Pos2> = (0..=parts).map(at).collect();
                // What is far ahead matters less.
                let fading = (1.0 - number as f32 / count).powi(2);
                let stroke = Stroke::new(1.5, colour.gamma_multiply(strength * fading));
                painter.extend(Shape::dashed_line(&points, stroke, 6.0, 4.0));
            }
        }
        let ink = style::ink(is_dark);
        let mut labels = Vec::new();
        for (number, coming) in outlook.coming().iter().take(GHOSTS).enumerate() {
            let is_near = is_wanted(coming.a) || coming.b.is_some_and(is_wanted);
            let strength = if number == 0 || is_near { 0.8 } else { 0.25 };
            let stroke = Stroke::new(1.2, ink.gamma_multiply(strength));
            for &(place, radius) in &coming.ghosts {
                painter.circle_stroke(camera.to_screen(place), camera.length(radius), stroke);
            }
            let Some(&(place, radius)) = coming.ghosts.first() else { continue };
            if coming.kind != ComingKind::Change && (number == 0 || is_near) {
                let text = format!("{}: {:.4} s", number + 1, coming.time.as_secs());
                let galley = painter.layout_no_wrap(text, FontId::proportional(12.0), ink);
                let around = egui::Rect::from_center_size(
                    camera.to_screen(place),
                    egui::Vec2::splat(2.0 * camera.length(radius) + 4.0),
                );
                if let Some(at) = free_place(around, galley.size(), painter.clip_rect(), &labels) {
                    painter.galley(at.min, galley, ink);
                    labels.push(at);
                }
            }
        }
    }

    fn draw_discs(&self, painter: &Painter) {
        let world = self.session.world();
        let is_few = world.len() <= FEW;
        let (selected, other) = (self.session.selected(), self.session.other());
        for disc in world.ids().filter_map(|id| world.get(id)) {
            let (at, radius) = (self.camera.to_screen(disc.position()), self.camera.length(disc.radius()));
            if !painter.clip_rect().expand(radius).contains(at) {
                continue;
            }
            let colour = self.colour(disc.id());
            let flash = self.session.flashes().iter().rev().find(|flash| flash.0 == disc.id());
            let light = flash.map_or(0.0, |flash| (1.0 - flash.1 / 0.6).clamp(0.0, 1.0)) as f32;
            let fill = colour.lerp_to_gamma(style::accent(self.is_dark), 0.6 * light).gamma_multiply(0.85);
            painter.circle_filled(at, radius.max(1.0), fill);
            if Some(disc.id()) == selected || Some(disc.id()) == other {
                painter.circle_stroke(at, radius.max(3.0), Stroke::new(2.5, style::ink(self.is_dark)));
            } else if is_few {
                let ring = Stroke::new(1.0, style::seen_on_plane(colour, self.is_dark));
                painter.circle_stroke(at, radius, ring);
            }
            if is_few && radius > 7.0 {
                self.draw_label(painter, disc.id(), at, radius, fill);
            }
        }
        self.draw_arrows(painter, is_few);
    }

    /// The name of a disc on it, where there is room.
    fn draw_label(&self, painter: &Painter, disc: DiscId, at: Pos2, radius: f32, fill: Color32) {
        let label = self.session.look(disc).and_then(|look| look.label.clone());
        let label = label.unwrap_or_else(|| disc.to_string());
        let ink = style::on_colour(fill);
        let galley = painter.layout_no_wrap(label, FontId::proportional(radius.clamp(9.0, 12.0)), ink);
        if galley.size().length() < 2.2 * radius {
            painter.galley(at - 0.5 * galley.size(), galley, ink);
        }
    }

    /// Velocities, of the selected disc alone where there are many.
    fn draw_arrows(&self, painter: &Painter, is_few: bool) {
        let world = self.session.world();
        let ink = style::ink(self.is_dark);
        for disc in world.ids().filter_map(|id| world.get(id)) {
            let is_selected = Some(disc.id()) == self.session.selected();
            if !is_selected && (!is_few || disc.velocity() == DVec2::ZERO) {
                continue;
            }
            let direction = disc.velocity().normalize_or(DVec2::X);
            let from = self.camera.to_screen(disc.position() + direction * disc.radius());
            let to =
                self.camera.to_screen(tip(disc.position(), disc.velocity(), disc.radius(), self.tip_seconds));
            painter.line_segment([from, to], Stroke::new(2.0, ink));
            let (size, fill) = if is_selected { (6.0, style::accent(self.is_dark)) } else { (4.0, ink) };
            painter.circle_filled(to, size, fill);
        }
    }
}

/// The first place for a label beside something that is on the plane and on no other label: above, below, at
/// the right, at the left.
fn free_place(
    around: egui::Rect,
    size: egui::Vec2,
    on: egui::Rect,
    taken: &[egui::Rect],
) -> Option<egui::Rect> {
    let (half, middle) = (0.5 * size, around.center());
    let centers = [
        egui::pos2(middle.x, around.top() - half.y),
        egui::pos2(middle.x, around.bottom() + half.y),
        egui::pos2(around.right() + half.x, middle.y),
        egui::pos2(around.left() - half.x, middle.y),
    ];
    let places = centers.map(|center| egui::Rect::from_center_size(center, size));
    let is_free =
        |place: &egui::Rect| on.contains_rect(*place) && !taken.iter().any(|other| other.intersects(*place));
    places.into_iter().find(is_free)
}
