//! What the pointer holds.

use super::{DiscRoom, Tool};
use crate::session::SeenDisc;
use carom_engine::{DVec2, DiscId};
use eframe::egui::{Pos2, Response};

/// How near, in points, the pointer has to be to what it grasps: a mouse, and a finger.
const REACH: [f64; 2] = [12.0, 26.0];
/// How near, in points, it has to be to a tip that lies on a disc.
const KNOB: f64 = 9.0;
/// Points from the rim to the tip of a disc at rest: a stub to pull at.
const STUB: f64 = 15.0;
/// The largest number of discs among which each disc at rest has a stub. Among more, only the selected one
/// has a stub, as many stubs are a tangle.
const STUBS: usize = 6;
/// With more discs than this there are no letters and no arrows, except for those of the selected one.
pub(super) const FEW: usize = 60;

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

/// Where the tip of the arrow of a velocity is, with the stub that a disc at rest has beyond its rim:
/// `radius` is up to the end of that.
fn tip(position: DVec2, velocity: DVec2, radius: f64, seconds: f64) -> DVec2 {
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
            let (origin, is_touch) =
                response.ctx.input(|input| (input.pointer.press_origin().unwrap_or(at), input.any_touches()));
            self.press(origin, is_touch);
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

    /// What a pointer takes: the tip that it is right on, or the disc that it is in, or else what is nearest.
    /// The centre of a disc is the disc's, even where a tip lies on it.
    fn grasp_at(&self, place: DVec2, is_touch: bool) -> Option<Grasp> {
        let world = self.session.world();
        let reach = REACH[usize::from(is_touch)] / self.camera.scale();
        // While something is added or drawn a press beside a disc is for that.
        let beyond = if self.tool == Tool::Look { reach } else { 0.0 };
        let tip = self.tip_at(place).filter(|&(far, _)| far <= reach);
        let disc = self.session.disc_at(place, beyond).and_then(|disc| world.get(disc));
        let Some(disc) = disc else { return tip.map(|(_, disc)| Grasp::Tip(disc)) };
        let held = world.periods().nearest(place - disc.position());
        let far = held.length();
        let is_tip = |&(from_tip, _): &(f64, DiscId)| {
            if far <= disc.radius() {
                from_tip <= KNOB / self.camera.scale() && from_tip < 0.5 * far
            } else {
                from_tip <= far - disc.radius()
            }
        };
        Some(tip.filter(is_tip).map_or(Grasp::Disc(disc.id(), held), |(_, disc)| Grasp::Tip(disc)))
    }

    /// Where the tip of the arrow of a disc is.
    pub(super) fn tip_of(&self, disc: &SeenDisc) -> DVec2 {
        tip(disc.position(), disc.velocity(), self.to_stub(disc), self.tip_seconds)
    }

    /// From the centre of a disc to the end of its stub.
    fn to_stub(&self, disc: &SeenDisc) -> f64 {
        disc.radius() + STUB / self.camera.scale()
    }

    /// Whether the arrow of a disc is there.
    pub(super) fn has_tip(&self, disc: &SeenDisc) -> bool {
        let most = if disc.velocity() == DVec2::ZERO { STUBS } else { FEW };
        let is_shown = Some(disc.id()) == self.session.selected() || self.session.world().len() <= most;
        disc.mass() < f64::INFINITY && is_shown
    }

    fn press(&mut self, at: Pos2, is_touch: bool) {
        let place = self.camera.to_world(at);
        let grasp = self.grasp_at(place, is_touch).unwrap_or(match self.tool {
            Tool::Look => Grasp::Plane,
            Tool::Wall => Grasp::Wall(place),
            Tool::Disc => {
                self.session.add(place);
                Grasp::Plane
            }
        });
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
                let velocity = velocity(held.position(), place, self.to_stub(&held), self.tip_seconds);
                self.session.send(disc, velocity);
            }
            Some(Grasp::Plane) if self.tool == Tool::Look => {
                self.fits = false;
                self.camera.pan(response.drag_delta());
            }
            _ => {}
        }
    }

    /// The disc whose arrow ends nearest to a place, and how far from it.
    fn tip_at(&self, place: DVec2) -> Option<(f64, DiscId)> {
        let tips = self.session.world().discs().filter(|disc| self.has_tip(disc));
        tips.map(|disc| (self.tip_of(&disc).distance(place), disc.id())).min_by(|a, b| a.0.total_cmp(&b.0))
    }
}
