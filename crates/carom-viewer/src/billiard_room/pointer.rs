//! What the pointer holds.

use super::BilliardRoom;
use crate::billiards::Aim;
use carom_engine::DVec2;
use eframe::egui::{self, Pos2, Response, Ui};

/// How near, in points, the pointer has to be to the cue to grasp it.
const REACH: f32 = 12.0;
/// Speed of the cue, in m/s, for a metre that it is drawn back.
const DRAWN: f64 = 1.0 / 0.03;

/// What the pointer holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grasp {
    /// A ball by its label, and where it is held, from its centre.
    Ball(String, DVec2),
    /// The cue: the speed at first, and where it was pressed.
    Cue(f64, Pos2),
    /// The direction of the aim: it goes through the pointer.
    Aim,
    /// The view.
    View,
}

impl BilliardRoom {
    /// Takes what the pointer did on the table.
    pub(super) fn point(&mut self, response: &Response) {
        let Some(at) = response.interact_pointer_pos() else {
            self.grasp = None;
            return;
        };
        // A click may begin and end between two frames.
        let is_held = response.is_pointer_button_down_on() || response.clicked();
        if response.drag_started() || (is_held && self.grasp.is_none()) {
            let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(at);
            let is_plain = response.clicked() || response.ctx.input(|input| input.pointer.primary_down());
            let has_two = response.ctx.input(egui::InputState::multi_touch).is_some();
            self.grasp = Some(if is_plain && !has_two { self.grasp_at(origin) } else { Grasp::View });
        }
        self.drag(response, at);
        if response.drag_stopped() || !response.is_pointer_button_down_on() {
            self.grasp = None;
        }
    }

    fn grasp_at(&self, at: Pos2) -> Grasp {
        let place = self.sight.to_world(at);
        let session = &self.session;
        let balls = session.game().layout().balls.iter();
        let hit = balls.filter(|placed| session.is_movable(&placed.label)).find_map(|placed| {
            let lies = session.lies(&placed.label)?;
            let near = lies.distance(place) <= placed.ball.radius * 1.3;
            near.then(|| Grasp::Ball(placed.label.clone(), place - lies))
        });
        if let Some(ball) = hit {
            return ball;
        }
        if let Some(ends) = self.cue_ends() {
            let [tip, butt] = ends.map(|end| self.sight.to_screen(end));
            let along = butt - tip;
            let part = ((at - tip).dot(along) / along.length_sq().max(1.0)).clamp(0.0, 1.0);
            if (tip + along * part).distance(at) < REACH {
                return Grasp::Cue(session.aim().speed, at);
            }
        }
        Grasp::Aim
    }

    fn drag(&mut self, response: &Response, at: Pos2) {
        match self.grasp.clone() {
            Some(Grasp::Ball(label, held)) if response.drag_delta() != egui::Vec2::ZERO => {
                self.session.put(&label, self.sight.to_world(at) - held);
            }
            Some(Grasp::Cue(speed, from)) => {
                let aim = self.session.aim();
                let back = -DVec2::from_angle(aim.direction);
                let drawn = (self.sight.to_world(at) - self.sight.to_world(from)).dot(back);
                self.session.set_aim(Aim { speed: speed + drawn * DRAWN, ..aim });
            }
            Some(Grasp::Aim) => {
                let is_fine = response.ctx.input(|input| input.modifiers.shift);
                if is_fine {
                    let turn = 2e-4 * f64::from(response.drag_delta().x - response.drag_delta().y);
                    let aim = self.session.aim();
                    self.session.set_aim(Aim { direction: aim.direction + turn, ..aim });
                } else {
                    self.session.aim_at(self.sight.to_world(at));
                }
            }
            Some(Grasp::View) => {
                self.fits = false;
                self.sight.camera.pan(response.drag_delta());
            }
            _ => {}
        }
    }

    pub(super) fn zoom(&mut self, ui: &Ui, response: &Response) {
        let Some(at) = response.hover_pos() else { return };
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = f64::from(pinch) * 1.002_f64.powf(f64::from(scroll));
        if factor != 1.0 && factor.is_finite() && factor > 0.0 {
            self.fits = false;
            self.sight.camera.zoom(at, factor);
        }
    }
}
