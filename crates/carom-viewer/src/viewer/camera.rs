use crate::session::Session;
use carom_engine::{DVec2, WallShape};
use eframe::egui::{Pos2, Rect, pos2};

/// Where places of the world are on the screen; y points upwards in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    center: DVec2,
    /// Points of the screen for a unit of length.
    scale: f64,
    rect: Rect,
}

impl Default for Camera {
    fn default() -> Self {
        Camera { center: DVec2::ZERO, scale: 40.0, rect: Rect::from_min_max(Pos2::ZERO, pos2(800.0, 600.0)) }
    }
}

impl Camera {
    pub(super) fn set_rect(&mut self, rect: Rect) {
        self.rect = rect;
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    pub(super) fn to_screen(self, place: DVec2) -> Pos2 {
        let offset = (place - self.center) * self.scale;
        let middle = self.rect.center();
        // What is far out is drawn far out, in numbers that can be drawn.
        let clamp = |x: f64| x.clamp(-1e6, 1e6) as f32;
        pos2(middle.x + clamp(offset.x), middle.y - clamp(offset.y))
    }

    pub(super) fn to_world(self, at: Pos2) -> DVec2 {
        let offset = at - self.rect.center();
        self.center + DVec2::new(f64::from(offset.x), -f64::from(offset.y)) / self.scale
    }

    pub(super) fn length(&self, length: f64) -> f32 {
        (length * self.scale).min(1e6) as f32
    }

    /// Moves what is seen by so many points.
    pub(super) fn pan(&mut self, by: eframe::egui::Vec2) {
        self.center -= DVec2::new(f64::from(by.x), -f64::from(by.y)) / self.scale;
    }

    /// Makes all larger by a factor, about a place of the screen.
    pub(super) fn zoom(&mut self, at: Pos2, factor: f64) {
        let before = self.to_world(at);
        self.scale = (self.scale * factor).clamp(1e-12, 1e12);
        self.center += before - self.to_world(at);
    }

    /// Shows all that there is.
    pub(super) fn fit(&mut self, session: &Session) {
        let (min, max) = bounds(session).unwrap_or((DVec2::splat(-5.0), DVec2::splat(5.0)));
        let size = (max - min).max(DVec2::splat(1e-9));
        let room =
            DVec2::new(f64::from(self.rect.width()), f64::from(self.rect.height())).max(DVec2::splat(20.0));
        self.center = 0.5 * (min + max);
        self.scale = (0.94 * (room / size).min_element()).clamp(1e-12, 1e12);
    }
}

/// The rectangle around all walls that end somewhere, and all discs.
pub(super) fn bounds(session: &Session) -> Option<(DVec2, DVec2)> {
    let world = session.world();
    let mut all: Option<(DVec2, DVec2)> = None;
    let mut take = |min: DVec2, max: DVec2| {
        all = Some(all.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
    };
    for (_, wall) in world.walls() {
        match &wall.shape {
            WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => take(a.min(*b), a.max(*b)),
            WallShape::Disc { center, radius }
            | WallShape::Circle { center, radius }
            | WallShape::Arc { center, radius, .. }
            | WallShape::Arm { pivot: center, length: radius, .. } => {
                take(*center - *radius, *center + *radius);
            }
            WallShape::Polyline { points, .. } => points.iter().for_each(|&point| take(point, point)),
            WallShape::Container { min, max } => take(*min, *max),
            WallShape::Stadium { center, half_length, radius } => {
                let half = DVec2::new(half_length + radius, *radius);
                take(*center - half, *center + half);
            }
            _ => {}
        }
    }
    let is_walled = all.is_some();
    let discs = world.ids().filter_map(|id| world.get(id));
    if let (false, [Some(x), Some(y)]) = (is_walled, world.settings().period) {
        return Some((DVec2::ZERO, DVec2::new(x, y)));
    }
    for disc in discs {
        let mut take = |min: DVec2, max: DVec2| {
            all = Some(all.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
        };
        take(disc.position() - disc.radius(), disc.position() + disc.radius());
    }
    all
}
