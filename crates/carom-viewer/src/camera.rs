//! Where places of a world are on the screen.

use carom_engine::DVec2;
use eframe::egui::{Pos2, Rect, Response, Ui, pos2};

/// Where places of the world are on the screen; y points upwards in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    center: DVec2,
    /// Points of the screen for a unit of length.
    scale: f64,
    rect: Rect,
    /// Whether x points upwards, and y to the left.
    is_turned: bool,
}

impl Default for Camera {
    fn default() -> Self {
        let rect = Rect::from_min_max(Pos2::ZERO, pos2(800.0, 600.0));
        Camera { center: DVec2::ZERO, scale: 40.0, rect, is_turned: false }
    }
}

impl Camera {
    pub(crate) fn set_rect(&mut self, rect: Rect) {
        self.rect = rect;
    }

    #[cfg(feature = "games")]
    pub(crate) fn rect(&self) -> Rect {
        self.rect
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    pub(crate) fn to_screen(self, place: DVec2) -> Pos2 {
        let offset = (place - self.center) * self.scale;
        let offset = if self.is_turned { offset.perp() } else { offset };
        let middle = self.rect.center();
        // What is far out is drawn far out, in numbers that can be drawn.
        let clamp = |x: f64| x.clamp(-1e6, 1e6) as f32;
        pos2(middle.x + clamp(offset.x), middle.y - clamp(offset.y))
    }

    pub(crate) fn to_world(self, at: Pos2) -> DVec2 {
        let offset = at - self.rect.center();
        self.center + self.direction(DVec2::new(f64::from(offset.x), -f64::from(offset.y))) / self.scale
    }

    /// A direction on the screen, y upwards, as one of the world.
    pub(crate) fn direction(&self, of: DVec2) -> DVec2 {
        if self.is_turned { -of.perp() } else { of }
    }

    pub(crate) fn length(&self, length: f64) -> f32 {
        (length * self.scale).min(1e6) as f32
    }

    /// Moves what is seen by this many points.
    pub(crate) fn pan(&mut self, by: eframe::egui::Vec2) {
        self.center -= self.direction(DVec2::new(f64::from(by.x), -f64::from(by.y))) / self.scale;
    }

    /// Makes all larger by a factor, about a place of the screen.
    pub(crate) fn zoom(&mut self, at: Pos2, factor: f64) {
        let before = self.to_world(at);
        self.scale = (self.scale * factor).clamp(1e-12, 1e12);
        self.center += before - self.to_world(at);
    }

    /// Zooms by the wheel, and by two fingers about the middle between them; says whether it did.
    pub(crate) fn zoom_by_input(&mut self, ui: &Ui, response: &Response) -> bool {
        let fingers = ui.input(|input| input.multi_touch());
        let middle = fingers.map(|fingers| fingers.center_pos).filter(|&at| response.rect.contains(at));
        let Some(at) = middle.or(response.hover_pos()) else { return false };
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = f64::from(pinch) * 1.002_f64.powf(f64::from(scroll));
        let is_zoomed = factor != 1.0 && factor.is_finite() && factor > 0.0;
        if is_zoomed {
            self.zoom(at, factor);
        }
        is_zoomed
    }

    /// Shows all of a rectangle, of a wide one in an upright window with its left side below.
    #[cfg(feature = "games")]
    pub(crate) fn fit_turning(&mut self, (min, max): (DVec2, DVec2)) {
        let size = max - min;
        self.is_turned = size.x > size.y && self.rect.height() > self.rect.width();
        self.fit((min, max));
    }

    /// Shows all of a rectangle.
    pub(crate) fn fit(&mut self, (min, max): (DVec2, DVec2)) {
        let size = (max - min).max(DVec2::splat(1e-9));
        let size = if self.is_turned { DVec2::new(size.y, size.x) } else { size };
        let room =
            DVec2::new(f64::from(self.rect.width()), f64::from(self.rect.height())).max(DVec2::splat(20.0));
        self.center = 0.5 * (min + max);
        self.scale = (0.94 * (room / size).min_element()).clamp(1e-12, 1e12);
    }
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::Camera;
    use carom_engine::DVec2;
    use eframe::egui::{Pos2, Rect, vec2};

    #[test]
    fn a_turned_view_has_the_left_below_and_goes_there_and_back() {
        let mut camera = Camera::default();
        camera.set_rect(Rect::from_min_size(Pos2::ZERO, vec2(390.0, 800.0)));
        camera.fit_turning((DVec2::ZERO, DVec2::new(2.0, 1.0)));
        let [left, right, top] =
            [DVec2::new(0.0, 0.5), DVec2::new(2.0, 0.5), DVec2::new(1.0, 1.0)].map(|at| camera.to_screen(at));
        assert!(left.y > right.y && left.x == right.x, "{left} {right}");
        assert!(top.x < 195.0 && (right.y - left.y).abs() > 2.0 * 195.0 * 0.9, "{top}");
        let place = DVec2::new(0.25, 0.75);
        assert!((camera.to_world(camera.to_screen(place)) - place).length() < 1e-6);
        assert_eq!(camera.direction(DVec2::Y), DVec2::X);
        camera.set_rect(Rect::from_min_size(Pos2::ZERO, vec2(800.0, 390.0)));
        camera.fit_turning((DVec2::ZERO, DVec2::new(2.0, 1.0)));
        assert_eq!(camera.direction(DVec2::Y), DVec2::Y);
    }
}
