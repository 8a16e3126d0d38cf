//! The plane: walls, discs, velocities, and what is going to happen.

use super::bounds::bounds;
use super::grasp::FEW;
use super::images::shifts;
use super::{DiscRoom, Grasp};
use crate::session::{Coming, ComingKind, SeenDisc, Track};
use crate::{polyline, style, walls};
use carom_engine::{DVec2, DiscId};
use eframe::egui::{self, Color32, FontId, Galley, Painter, Pos2, Sense, Shape, Stroke};
use std::sync::Arc;

/// The most coming events whose ghosts are drawn.
const GHOSTS: usize = 6;
/// How discs smaller than this, in points, are turned cannot be seen.
const TURNED_FROM: f32 = 2.0;

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
        let framed = self.draw_frame(&painter);
        self.draw_walls(&painter);
        if self.shows.trails {
            self.draw_trails(&framed);
        }
        let labels = if self.shows.paths { self.draw_outlook(&framed) } else { Vec::new() };
        self.draw_discs(&painter, &framed);
        self.draw_pushed(&framed);
        // Times are read also where they lie on discs.
        for (at, galley) in labels {
            painter.rect_filled(at, 3.0, style::plane(self.is_dark).gamma_multiply(0.7));
            painter.galley(at.min, galley, style::ink(self.is_dark));
        }
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

    /// The frame of a plane that repeats itself; what is in it is seen nowhere else.
    fn draw_frame(&self, painter: &Painter) -> Painter {
        let period = self.session.world().settings().period;
        let seen = painter.clip_rect();
        let [low, high] = [DVec2::ZERO, DVec2::new(period[0].unwrap_or(0.0), period[1].unwrap_or(0.0))]
            .map(|place| self.camera.to_screen(place));
        let mut frame = seen;
        let stroke = Stroke::new(1.0, style::ink(self.is_dark).gamma_multiply(0.6));
        if period[0].is_some() {
            (frame.min.x, frame.max.x) = (low.x, high.x);
        }
        if period[1].is_some() {
            (frame.min.y, frame.max.y) = (high.y, low.y);
        }
        for x in [low.x, high.x].into_iter().filter(|_| period[0].is_some()) {
            let ends = [egui::pos2(x, frame.top()), egui::pos2(x, frame.bottom())];
            painter.extend(Shape::dashed_line(&ends, stroke, 3.0, 3.0));
        }
        for y in [low.y, high.y].into_iter().filter(|_| period[1].is_some()) {
            let ends = [egui::pos2(frame.left(), y), egui::pos2(frame.right(), y)];
            painter.extend(Shape::dashed_line(&ends, stroke, 3.0, 3.0));
        }
        painter.with_clip_rect(frame.intersect(seen))
    }

    /// How far the images of what is between two places are from it.
    fn images(&self, a: DVec2, b: DVec2, around: f64) -> Vec<DVec2> {
        shifts(self.session.world().settings().period, a.min(b) - around, a.max(b) + around)
    }

    fn draw_walls(&self, painter: &Painter) {
        let stroke = Stroke::new(2.0, style::ink(self.is_dark));
        let world = self.session.world();
        for shape in world.walls().filter_map(|id| world.wall_shape(id)) {
            walls::draw(painter, self.camera, &shape, stroke);
        }
    }

    fn draw_trails(&self, painter: &Painter) {
        let period = self.session.world().settings().period;
        let leaps = |a: DVec2, b: DVec2| {
            let far = |d: f64, period: Option<f64>| period.is_some_and(|period| d.abs() > 0.5 * period);
            far(b.x - a.x, period[0]) || far(b.y - a.y, period[1])
        };
        for (&disc, trail) in &self.trails {
            let colour = style::seen_on_plane(self.colour(disc), self.is_dark);
            let stroke = Stroke::new(1.0, colour.gamma_multiply(0.45));
            let places: Vec<DVec2> = trail.iter().copied().collect();
            for part in places.chunk_by(|&a, &b| !leaps(a, b)) {
                polyline::draw(painter, part.iter().map(|&place| self.camera.to_screen(place)), stroke);
            }
        }
    }

    /// Paths and ghosts. Gives the times to be written beside the ghosts.
    fn draw_outlook(&mut self, painter: &Painter) -> Vec<(egui::Rect, Arc<Galley>)> {
        // Brings it up to date.
        let tracks = self.session.outlook().tracks().to_vec();
        for track in &tracks {
            self.draw_track(painter, track);
        }
        self.draw_ghosts(painter)
    }

    fn is_wanted(&self, disc: DiscId) -> bool {
        Some(disc) == self.session.selected() || Some(disc) == self.session.other()
    }

    fn draw_track(&self, painter: &Painter, track: &Track) {
        let colour = style::seen_on_plane(self.colour(track.disc), self.is_dark);
        let strength = if self.is_wanted(track.disc) { 0.9 } else { 0.3 };
        let count = track.pieces.len() as f32;
        for (number, &(position, velocity, acceleration, lasts)) in track.pieces.iter().enumerate() {
            let parts = if acceleration == DVec2::ZERO { 1 } else { 24 };
            let at = |k: i32| {
                let s = lasts * f64::from(k) / f64::from(parts);
                position + (velocity + acceleration * (0.5 * s)) * s
            };
            // What is far ahead matters less.
            let fading = (1.0 - number as f32 / count).powi(2);
            let stroke = Stroke::new(1.5, colour.gamma_multiply(strength * fading));
            for shift in self.images(position, at(parts), 0.0) {
                let points: Vec<Pos2> = (0..=parts).map(|k| self.camera.to_screen(at(k) + shift)).collect();
                painter.extend(Shape::dashed_line(&points, stroke, 6.0, 4.0));
            }
        }
    }

    fn draw_ghosts(&mut self, painter: &Painter) -> Vec<(egui::Rect, Arc<Galley>)> {
        let camera = self.camera;
        let ink = style::ink(self.is_dark);
        let mut labels = Vec::new();
        let coming: Vec<Coming> = self.session.outlook().coming().iter().take(GHOSTS).cloned().collect();
        for (number, coming) in coming.iter().enumerate() {
            let is_near = self.is_wanted(coming.a) || coming.b.is_some_and(|disc| self.is_wanted(disc));
            let strength = if number == 0 || is_near { 0.8 } else { 0.25 };
            let stroke = Stroke::new(1.2, ink.gamma_multiply(strength));
            for &(place, radius) in &coming.ghosts {
                for shift in self.images(place, place, radius) {
                    painter.circle_stroke(camera.to_screen(place + shift), camera.length(radius), stroke);
                }
            }
            let Some(&(place, radius)) = coming.ghosts.first() else { continue };
            if coming.kind != ComingKind::Change && (number == 0 || is_near) {
                let text = format!("{}: {:.4} s", number + 1, coming.time.as_secs());
                let galley = painter.layout_no_wrap(text, FontId::proportional(12.0), ink);
                let shift = self.images(place, place, 0.0).first().copied().unwrap_or_default();
                let around = egui::Rect::from_center_size(
                    camera.to_screen(place + shift),
                    egui::Vec2::splat(2.0 * camera.length(radius) + 4.0),
                );
                if let Some(at) = free_place(around, galley.size(), painter.clip_rect(), &labels) {
                    labels.push((at, galley));
                }
            }
        }
        labels
    }

    fn draw_discs(&self, painter: &Painter, framed: &Painter) {
        let world = self.session.world();
        let is_few = world.len() <= FEW;
        for disc in world.discs() {
            for shift in self.images(disc.position(), disc.position(), disc.radius()) {
                self.draw_disc(framed, &disc, shift, is_few);
            }
        }
        self.draw_arrows(painter);
    }

    /// Where discs are pushed if the one that lies on others is let go.
    fn draw_pushed(&self, painter: &Painter) {
        let stroke = Stroke::new(1.5, style::ink(self.is_dark));
        for moved in self.session.pushed() {
            let radius = self.session.world().get(moved.disc).map_or(0.0, |disc| disc.radius());
            let (at, radius) = (self.camera.to_screen(moved.to), self.camera.length(radius));
            let points: Vec<Pos2> = (0..=64)
                .map(|k| at + radius * egui::Vec2::angled(std::f32::consts::TAU * k as f32 / 64.0))
                .collect();
            painter.extend(Shape::dashed_line(&points, stroke, 4.0, 4.0));
        }
    }

    /// A disc, or one of its images.
    fn draw_disc(&self, painter: &Painter, disc: &SeenDisc, shift: DVec2, is_few: bool) {
        let (at, radius) =
            (self.camera.to_screen(disc.position() + shift), self.camera.length(disc.radius()));
        if !painter.clip_rect().expand(radius).contains(at) {
            return;
        }
        let colour = self.colour(disc.id());
        let flash = self.session.flashes().iter().rev().find(|flash| flash.0 == disc.id());
        let light = flash.map_or(0.0, |flash| (1.0 - flash.1 / 0.6).clamp(0.0, 1.0)) as f32;
        let fill = colour.lerp_to_gamma(style::accent(self.is_dark), 0.6 * light).gamma_multiply(0.85);
        painter.circle_filled(at, radius.max(1.0), fill);
        if let Some(spin) = disc.spin().filter(|_| radius >= TURNED_FROM) {
            let half = half_turned(at, radius, spin.angle);
            painter.add(Shape::convex_polygon(half, style::other_half(fill), Stroke::NONE));
        }
        if self.is_wanted(disc.id()) {
            painter.circle_stroke(at, radius.max(3.0), Stroke::new(2.5, style::ink(self.is_dark)));
        } else if is_few {
            let ring = Stroke::new(1.0, style::seen_on_plane(colour, self.is_dark));
            painter.circle_stroke(at, radius, ring);
        }
        if is_few && radius > 7.0 {
            self.draw_label(painter, disc, at, radius, fill);
        }
    }

    /// The name of a disc on it, where there is room.
    fn draw_label(&self, painter: &Painter, disc: &SeenDisc, at: Pos2, radius: f32, fill: Color32) {
        let label = self.session.look(disc.id()).and_then(|look| look.label.clone());
        let label = label.unwrap_or_else(|| disc.id().to_string());
        let ink = style::on_colour(fill);
        let galley = painter.layout_no_wrap(label, FontId::proportional(radius.clamp(9.0, 12.0)), ink);
        if galley.size().length() < 2.2 * radius {
            if disc.spin().is_some() {
                // It is read on the other half, too.
                painter.circle_filled(at, (0.5 * galley.size().length()).min(0.8 * radius), fill);
            }
            painter.galley(at - 0.5 * galley.size(), galley, ink);
        }
    }

    /// Velocities, of the selected disc alone where there are many.
    fn draw_arrows(&self, painter: &Painter) {
        let ink = style::ink(self.is_dark);
        for disc in self.session.world().discs().filter(|disc| self.has_tip(disc)) {
            let is_selected = Some(disc.id()) == self.session.selected();
            let direction = disc.velocity().normalize_or(DVec2::X);
            let from = self.camera.to_screen(disc.position() + direction * disc.radius());
            let to = self.camera.to_screen(self.tip_of(&disc));
            painter.line_segment([from, to], Stroke::new(2.0, ink));
            let (size, fill) = if is_selected { (6.0, style::accent(self.is_dark)) } else { (4.0, ink) };
            painter.circle_filled(to, size, fill);
        }
    }
}

/// The half of a disc to the left of where it is turned to.
fn half_turned(at: Pos2, radius: f32, angle: f64) -> Vec<Pos2> {
    let steps = (radius as usize).clamp(8, 48);
    let point = |k: usize| {
        let angle = angle + std::f64::consts::PI * k as f64 / steps as f64;
        // Up in the world is up on the screen, where y grows downwards.
        at + radius * egui::Vec2::angled(-angle as f32)
    };
    (0..=steps).map(point).collect()
}

/// The first place for a label beside something that is on the plane and on no other label: above, below, at
/// the right, at the left.
fn free_place(
    around: egui::Rect,
    size: egui::Vec2,
    on: egui::Rect,
    taken: &[(egui::Rect, Arc<Galley>)],
) -> Option<egui::Rect> {
    let (half, middle) = (0.5 * size, around.center());
    let centers = [
        egui::pos2(middle.x, around.top() - half.y),
        egui::pos2(middle.x, around.bottom() + half.y),
        egui::pos2(around.right() + half.x, middle.y),
        egui::pos2(around.left() - half.x, middle.y),
    ];
    let places = centers.map(|center| egui::Rect::from_center_size(center, size));
    let is_free = |place: &egui::Rect| {
        on.contains_rect(*place) && !taken.iter().any(|other| other.0.intersects(*place))
    };
    places.into_iter().find(is_free)
}

#[cfg(test)]
mod tests {
    use super::half_turned;
    use eframe::egui::{Pos2, Vec2, pos2};

    /// As the recorder draws it: above what is not turned, to the left after a quarter turn counterclockwise.
    #[test]
    fn the_half_of_a_disc_shows_how_it_is_turned() {
        let side = |angle| {
            let points = half_turned(Pos2::ZERO, 8.0, angle);
            let sum = points.iter().fold(Vec2::ZERO, |sum, point| sum + point.to_vec2());
            assert!(points.iter().all(|point| (point.to_vec2().length() - 8.0).abs() < 1e-5));
            (sum / sum.length()).to_pos2()
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let sides = [(0.0, pos2(0.0, -1.0)), (quarter, pos2(-1.0, 0.0)), (-quarter, pos2(1.0, 0.0))];
        for (angle, expected) in sides {
            assert!(side(angle).distance(expected) < 1e-5, "{angle}");
        }
    }
}
