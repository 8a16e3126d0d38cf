//! What the pointer holds.

use super::{DiscRoom, Tool};
use carom_engine::{DVec2, DiscId};
use eframe::egui::{Pos2, Response};

/// How near, in points, the pointer has to be to what it grasps.
const REACH: f64 = 12.0;

/// What the pointer holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Grasp {
    /// A disc, and where it is held, from its centre.
    Disc(DiscId, DVec2),
    /// The tip of a velocity.
    Tip(DiscId),
    /// The plane.
    Plane,
    /// The end of a wall that begins here.
    Wall(DVec2),
}

/// Where the tip of the arrow of a velocity is: it begins at the rim, so that a disc at rest has one, too.
pub(super) fn tip(position: DVec2, velocity: DVec2, radius: f64, seconds: f64) -> DVec2 {
    position + velocity.normalize_or(DVec2::X) * radius + velocity * seconds
}

/// The velocity whose arrow ends there.
fn velocity(position: DVec2, tip: DVec2, radius: f64, seconds: f64) -> DVec2 {
    let arrow = tip - position;
    let direction = arrow.normalize_or_zero();
    direction * ((arrow.length() - radius).max(0.0) / seconds)
}

impl DiscRoom {
    /// Takes what the pointer did on the canvas.
    pub(super) fn point(&mut self, response: &Response) {
        let Some(at) = response.interact_pointer_pos() else {
            self.let_go();
            return;
        };
        // A click may begin and end between two frames.
        let is_new = response.is_pointer_button_down_on() || response.clicked();
        if response.drag_started() || (is_new && self.grasp.is_none()) {
            let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(at);
            self.press(origin);
        }
        if response.dragged() || response.drag_stopped() {
            self.drag(response, at);
        }
        if response.drag_stopped() || !response.is_pointer_button_down_on() {
            if let Some(Grasp::Wall(from)) = self.grasp {
                self.session.draw_wall(from, self.camera.to_world(at));
            }
            self.let_go();
        }
    }

    fn let_go(&mut self) {
        if matches!(self.grasp.take(), Some(Grasp::Disc(..) | Grasp::Tip(_))) {
            self.session.release();
        }
    }

    fn press(&mut self, at: Pos2) {
        let place = self.camera.to_world(at);
        let reach = REACH / self.camera.scale();
        let grasp = match (self.tip_at(place, reach), self.session.disc_at(place, 0.0)) {
            (Some(disc), _) => Grasp::Tip(disc),
            (None, Some(disc)) => {
                let world = self.session.world();
                let center = world.get(disc).map_or(place, |disc| disc.position());
                Grasp::Disc(disc, world.periods().nearest(place - center))
            }
            (None, None) => match self.tool {
                Tool::Look => Grasp::Plane,
                Tool::Wall => Grasp::Wall(place),
                Tool::Disc => {
                    self.session.add(place);
                    Grasp::Plane
                }
            },
        };
        if let Grasp::Disc(disc, _) | Grasp::Tip(disc) = grasp {
            self.session.select(Some(disc));
            self.session.hold();
        }
        self.grasp = Some(grasp);
    }

    fn drag(&mut self, response: &Response, at: Pos2) {
        if response.drag_delta() == eframe::egui::Vec2::ZERO {
            return;
        }
        let place = self.camera.to_world(at);
        match self.grasp {
            Some(Grasp::Disc(disc, held)) => self.session.put(disc, place - held),
            Some(Grasp::Tip(disc)) => {
                let Some(held) = self.session.world().get(disc) else { return };
                let velocity = velocity(held.position(), place, held.radius(), self.tip_seconds);
                self.session.send(disc, velocity);
            }
            Some(Grasp::Plane) if self.tool == Tool::Look => {
                self.fits = false;
                self.camera.pan(response.drag_delta());
            }
            _ => {}
        }
    }

    /// The disc whose arrow ends near a place.
    fn tip_at(&self, place: DVec2, reach: f64) -> Option<DiscId> {
        let world = self.session.world();
        if world.len() > 400 {
            return None;
        }
        let tips = world.discs().filter(|disc| {
            disc.mass() < f64::INFINITY
                && (disc.velocity() != DVec2::ZERO || Some(disc.id()) == self.session.selected())
        });
        let near = tips.map(|disc| {
            (
                tip(disc.position(), disc.velocity(), disc.radius(), self.tip_seconds).distance(place),
                disc.id(),
            )
        });
        near.filter(|&(distance, _)| distance <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
    }
}
