//! The bars above and below, and the panels at the side.

use super::{BilliardRoom, lines, stroke};
use crate::billiards::{Aim, Phase, SPEEDS};
use crate::file;
use crate::room::{COPIED, Shell};
use crate::style;
use carom_billiards::Layout;
use carom_billiards::rules::{CueBall, Player};
use eframe::egui::{Button, DragValue, RichText, Sense, Slider, Stroke, Ui, vec2};

impl BilliardRoom {
    /// The bar at the top.
    pub(super) fn bar(&mut self, ui: &mut Ui, shell: &mut Shell) {
        ui.add_space(3.0);
        ui.horizontal_wrapped(|ui| {
            shell.menu(ui, self.session.name());
            let label = if self.session.name().contains("ball") { "New rack" } else { "Set up again" };
            if ui.button(label).clicked() {
                self.session.restart();
            }
            if ui.add_enabled(self.session.can_undo(), Button::new("Undo shot")).clicked() {
                self.session.undo();
            }
            let mut speed = self.session.speed();
            let is_changed = if ui.ctx().content_rect().width() > 760.0 {
                ui.add(Slider::new(&mut speed, 1e-3..=10.0).logarithmic(true).text("time")).changed()
            } else {
                let value = DragValue::new(&mut speed).range(1e-3..=10.0).speed(0.01).prefix("time × ");
                ui.add(value).changed()
            };
            if is_changed {
                self.session.set_speed(speed);
            }
            if ui.button("Copy link").clicked() {
                let said = self.session.share().map(|link| {
                    ui.ctx().copy_text(file::address(link));
                    COPIED.to_owned()
                });
                self.session.say(said.unwrap_or_else(|message| message));
            }
            if ui.button("Save").clicked() {
                let name = self.session.name().to_owned();
                let said = self.session.saved().and_then(|text| file::save(&name, &text));
                self.session.say(said.unwrap_or_else(|message| message));
            }
            let mut panels = self.panels.unwrap_or(true);
            ui.toggle_value(&mut panels, "Panels");
            self.panels = Some(panels);
            ui.toggle_value(&mut self.labels, "Labels");
            shell.dark_button(ui);
            ui.toggle_value(&mut self.help, "Help");
        });
        ui.add_space(3.0);
    }

    /// The bar at the bottom: the time of the shot, and what is said.
    pub(super) fn time_bar(&mut self, ui: &mut Ui) {
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            let Some((now, end)) = self.session.time() else {
                _ = ui.add_enabled(false, Button::new("Play"));
                ui.label("Drag on the table to aim; Space shoots.");
                return;
            };
            let play = if self.session.is_playing() { "Pause" } else { "Play" };
            if ui.button(play).clicked() {
                self.session.play(!self.session.is_playing());
            }
            ui.label(format!("{now:.4} of {end:.4} s"));
            let mut time = now;
            ui.spacing_mut().slider_width = (ui.available_width() - 20.0).max(60.0);
            if ui.add(Slider::new(&mut time, 0.0..=end.max(1e-9)).show_value(false)).changed() {
                self.session.go_to(time);
            }
        });
        let problem = self.session.known_forecast().map(|forecast| forecast.problem.as_str());
        let message =
            [self.session.message(), problem.unwrap_or_default()].into_iter().find(|text| !text.is_empty());
        if let Some(message) = message {
            ui.label(RichText::new(message).color(style::accent(self.is_dark)).strong());
        } else {
            // An empty line, so that the table stays where it is.
            ui.label(if self.session.said().is_empty() { " " } else { self.session.said() });
        }
        ui.add_space(3.0);
    }

    /// The panels at the side.
    pub(super) fn panels(&mut self, ui: &mut Ui, has_stroke: bool) {
        self.game(ui);
        if has_stroke {
            ui.add_space(6.0);
            ui.heading("Stroke");
            self.stroke(ui);
        }
        if self.session.known_forecast().is_some() {
            ui.add_space(6.0);
            ui.heading("Forecast");
            self.forecast(ui);
        }
        ui.add_space(6.0);
        ui.heading("Paths");
        ui.horizontal_wrapped(|ui| {
            for (what, motion) in lines::LEGEND {
                let (response, painter) = ui.allocate_painter(vec2(18.0, 14.0), Sense::hover());
                let [a, b] = [response.rect.left_center(), response.rect.right_center()];
                painter.rect_filled(response.rect, 3.0, super::balls::colour(carom_billiards::look::CLOTH));
                painter.line_segment([a, b], Stroke::new(3.0, lines::of_motion(motion)));
                ui.label(what);
            }
        });
        ui.add_space(6.0);
        // While a shot runs that would run it again in every frame.
        if !self.session.is_playing() {
            ui.label(format!("state {:016x}", self.session.hash()));
        }
        if let Some(promise) = self.session.promise() {
            let told = promise.in_words("after the stroke of the link");
            ui.label(RichText::new(told).small());
        }
    }

    /// Whose turn it is, and the scores.
    fn game(&mut self, ui: &mut Ui) {
        if !self.session.has_rules() {
            ui.heading("Practice");
            ui.label("Balls can be dragged to any free place.");
            return;
        }
        let turn = self.session.turn();
        ui.heading(match self.session.phase() {
            Phase::Over => "The game is over".to_owned(),
            _ => format!("On: {}", self.session.on()),
        });
        for player in [Player::First, Player::Second] {
            let is_on = turn.is_some_and(|turn| turn.0 == player);
            let score = self.session.score(player).unwrap_or_default();
            let text = RichText::new(format!("{} {score}", self.session.called(player)));
            ui.horizontal(|ui| {
                ui.label(if is_on { "→" } else { "  " });
                ui.label(if is_on { text.strong().color(style::accent(self.is_dark)) } else { text });
            });
        }
        match (self.session.phase(), turn) {
            (Phase::Thinking, _) => _ = ui.label("thinks …"),
            (Phase::Aiming, Some((_, from))) if from != CueBall::Lies => {
                ui.label("Cue ball in hand: drag it to its place.");
            }
            _ => {}
        }
        let (may_push_out, mut is_push_out) = self.session.push_out();
        if may_push_out && ui.checkbox(&mut is_push_out, "push-out: it need not meet anything").changed() {
            self.session.set_push_out(is_push_out);
        }
        for (number, choice) in self.session.choices().into_iter().enumerate() {
            if ui.button(choice).clicked() {
                self.session.choose(number);
            }
        }
        ui.horizontal(|ui| {
            let mut is_against_simple = self.session.is_against_simple();
            if ui.checkbox(&mut is_against_simple, "simple player").changed() {
                self.session.set_against_simple(is_against_simple);
            }
            if ui.button("Practise").on_hover_text("leave the rules, move balls freely").clicked() {
                self.session.practise();
            }
        });
    }

    fn shoot_button(&mut self, ui: &mut Ui, width: f32) {
        let is_aiming = self.session.phase() == Phase::Aiming;
        let is_playable = self.session.known_forecast().is_some_and(|forecast| forecast.recording.is_some());
        ui.add_enabled_ui(is_aiming && is_playable, |ui| {
            if ui.add_sized(vec2(width, 30.0), Button::new(RichText::new("Shoot").strong())).clicked() {
                self.session.shoot();
            }
        });
    }

    fn take(&mut self, aims: impl IntoIterator<Item = Option<Aim>>) {
        for aim in aims.into_iter().flatten() {
            self.session.set_aim(aim);
        }
    }

    /// Where the tip meets the ball, how fast and how steep.
    fn stroke(&mut self, ui: &mut Ui) {
        let (mut aim, cue) = (self.session.aim(), self.session.cue());
        let mut found = Vec::new();
        ui.horizontal(|ui| {
            found.push(stroke::tip(ui, 134.0, aim, &cue, self.is_dark));
            found.push(stroke::elevation(ui, 134.0, aim, self.is_dark));
        });
        let speed = Slider::new(&mut aim.speed, SPEEDS[0]..=SPEEDS[1]).text("m/s").fixed_decimals(2);
        let mut is_changed = ui.add(speed).changed();
        ui.horizontal(|ui| {
            let mut degrees = aim.direction.to_degrees();
            let value =
                DragValue::new(&mut degrees).speed(0.02).fixed_decimals(3).prefix("direction ").suffix("°");
            if ui.add(value).changed() {
                aim.direction = degrees.to_radians();
                is_changed = true;
            }
            ui.label(format!("tip {:+.2}, {:+.2}", aim.side, aim.height));
        });
        let mut is_lifted = self.session.is_lifted();
        if ui.checkbox(&mut is_lifted, "lift the butt over what is behind").changed() {
            self.session.set_lifted(is_lifted);
        }
        found.push(is_changed.then_some(aim));
        self.take(found);
        let width = ui.available_width() - 8.0;
        self.shoot_button(ui, width);
    }

    /// The same in one row, for narrow screens.
    pub(super) fn stroke_in_a_row(&mut self, ui: &mut Ui) {
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            let (mut aim, cue) = (self.session.aim(), self.session.cue());
            let tip = stroke::tip(ui, 84.0, aim, &cue, self.is_dark);
            let elevation = stroke::elevation(ui, 84.0, aim, self.is_dark);
            ui.vertical(|ui| {
                ui.spacing_mut().slider_width = (ui.available_width() - 76.0).clamp(60.0, 300.0);
                let speed = Slider::new(&mut aim.speed, SPEEDS[0]..=SPEEDS[1]).text("m/s").fixed_decimals(1);
                let is_changed = ui.add(speed).changed();
                self.take([tip, elevation, is_changed.then_some(aim)]);
                let width = ui.available_width() - 8.0;
                self.shoot_button(ui, width);
            });
        });
    }

    /// What the engine says about the aim.
    fn forecast(&mut self, ui: &mut Ui) {
        let Some(forecast) = self.session.known_forecast() else { return };
        match &forecast.contact {
            Some(contact) => {
                ui.label(format!("meets {} after {:.9} s", contact.ball, contact.time));
                ui.label(format!("cut {:.3}°", contact.cut.to_degrees()));
                let [cue, other] = contact.rolling.map(|velocity| velocity.length());
                ui.label(format!("rolls on at {cue:.2} m/s, the other at {other:.2} m/s"));
            }
            None if forecast.recording.is_some() => _ = ui.label("meets no ball"),
            None => {}
        }
        let Some(recording) = &forecast.recording else { return };
        let potted: Vec<&str> = recording.outcome.potted.iter().map(|potted| potted.ball.as_str()).collect();
        ui.label(match potted.as_slice() {
            [] => "nothing falls".to_owned(),
            balls => format!("falls: {}", balls.join(", ").replace(Layout::CUE, "the cue ball")),
        });
        ui.label(format!("{:.3} s, {} events", recording.outcome.duration, recording.outcome.events));
    }
}
