use crate::camera::Camera;
use carom_engine::DVec2;
use carom_engine::glam::{DQuat, DVec3};
use eframe::egui::{Pos2, Rect, Vec2};

/// Where places of the table are on the screen: upright, or on its side with the head on the left, whichever
/// fits better.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    pub(super) camera: Camera,
    pub(super) is_across: bool,
}

impl Sight {
    /// Shows all of a rectangle of this half size around the centre of the table.
    pub(super) fn fit(&mut self, rect: Rect, half: DVec2) {
        self.is_across = rect.width() > rect.height();
        let half = self.on_page(half).abs();
        self.camera.fit((-half, half));
    }

    fn on_page(&self, at: DVec2) -> DVec2 {
        if self.is_across { DVec2::new(at.y, -at.x) } else { at }
    }

    pub(super) fn to_screen(self, at: DVec2) -> Pos2 {
        self.camera.to_screen(self.on_page(at))
    }

    pub(super) fn to_world(self, at: Pos2) -> DVec2 {
        let page = self.camera.to_world(at);
        if self.is_across { DVec2::new(-page.y, page.x) } else { page }
    }

    pub(super) fn length(&self, length: f64) -> f32 {
        self.camera.length(length)
    }

    /// Where a unit vector of the page, with its third component to the eye, is after a turn of the table's
    /// frame: on the screen, where y points down, and how far towards the eye.
    pub(super) fn turned(&self, of_page: DVec3, turned: DQuat) -> (Vec2, f32) {
        let from = if self.is_across { DVec3::new(-of_page.y, of_page.x, of_page.z) } else { of_page };
        let to = turned * from;
        let page = self.on_page(to.truncate());
        (Vec2::new(page.x as f32, -page.y as f32), to.z as f32)
    }
}
