//! The bars above and below, and the panels at the side.

use super::{DiscRoom, Tool};
use crate::file;
use crate::room::{self, COPIED, Shell};
use crate::session::{SeenDisc, Session};
use crate::style;
use carom_engine::{DVec2, Impact, Spin};
use eframe::egui::{self, DragValue, Response, RichText, Slider, SliderClamping, Ui};

impl DiscRoom {
    /// The bar at the top; where there is little room, what is needed less is in the drawer.
    pub(super) fn bar(&mut self, ui: &mut Ui, shell: &mut Shell) {
        let is_narrow = room::is_narrow(ui.ctx());
        ui.add_space(3.0);
        ui.horizontal_wrapped(|ui| {
            shell.menu(ui, self.session.name());
            let play = if self.session.is_playing() { "Pause" } else { "Play" };
            if ui.button(play).clicked() {
                self.session.play(!self.session.is_playing());
            }
            let events = if is_narrow { ["←", "→"] } else { ["← Event", "Event →"] };
            for (label, name) in events.into_iter().zip(["back", "step"]) {
                if ui.button(label).clicked() {
                    self.do_command(name);
                }
            }
            if !is_narrow {
                self.tools(ui, shell);
            }
            let mut panels = self.shows.panels.unwrap_or(true);
            ui.toggle_value(&mut panels, if is_narrow { "More" } else { "Panels" });
            self.shows.panels = Some(panels);
        });
        ui.add_space(3.0);
    }

    /// What can be done with the world, and what is shown of it.
    pub(super) fn tools(&mut self, ui: &mut Ui, shell: &mut Shell) {
        if ui.button("Start").clicked() {
            self.do_command("restart");
        }
        let mut speed = self.session.speed();
        let slider = Slider::new(&mut speed, 1e-3..=1e3).logarithmic(true).text("speed");
        if ui.add(slider).changed() {
            self.session.set_speed(speed);
        }
        ui.selectable_value(&mut self.tool, Tool::Look, "Drag");
        ui.selectable_value(&mut self.tool, Tool::Disc, "Add disc");
        ui.selectable_value(&mut self.tool, Tool::Wall, "Draw wall");
        if ui.add_enabled(self.session.can_undo(), egui::Button::new("Undo")).clicked() {
            self.session.undo();
        }
        if ui.button("Copy link").clicked() {
            self.copy_link(ui.ctx());
        }
        if ui.button("Save").on_hover_text("as a scene, a file with every digit").clicked() {
            self.save();
        }
        ui.toggle_value(&mut self.shows.paths, "Paths");
        ui.toggle_value(&mut self.shows.trails, "Trails");
        shell.dark_button(ui);
        ui.toggle_value(&mut self.shows.help, "Help");
    }

    /// Copies a link to the world at the present time.
    fn copy_link(&mut self, ctx: &egui::Context) {
        let said = match self.session.share() {
            Ok(link) => {
                ctx.copy_text(file::address(link));
                COPIED.to_owned()
            }
            Err(message) => message,
        };
        self.session.say(said);
    }

    /// Saves the world at the present time as a file.
    fn save(&mut self) {
        let said = match self.session.saved() {
            Ok(text) => file::save(self.session.name(), &text).unwrap_or_else(|message| message),
            Err(message) => message,
        };
        self.session.say(said);
    }

    pub(super) fn do_command(&mut self, name: &str) -> String {
        match name {
            "play" => self.session.play(true),
            "pause" => self.session.play(false),
            "step" => self.session.step(),
            "back" => self.session.step_back(),
            "restart" => {
                self.trails.clear();
                self.session.restart();
            }
            "undo" => self.session.undo(),
            "fit" => self.fits = true,
            "share" => return self.session.share().unwrap_or_else(|message| message),
            "save" => return self.session.saved().unwrap_or_else(|message| message),
            other => return format!("there is no command `{other}`"),
        }
        String::new()
    }

    /// The bar at the bottom.
    pub(super) fn time_bar(&mut self, ui: &mut Ui) {
        ui.add_space(3.0);
        ui.horizontal(|ui| {
            let timeline = self.session.timeline();
            let now = timeline.world().now().as_secs();
            let (start, end) = (timeline.start().as_secs(), timeline.end().as_secs());
            let (event, last) = (timeline.event(), timeline.last_event());
            // In a narrow window the slider would else push what is below over the edge.
            ui.label(match room::is_narrow(ui.ctx()) {
                true => format!("{now:.3} s, {event} of {last}"),
                false => format!("{now:.6} s, event {event} of {last}"),
            });
            let mut time = now;
            ui.spacing_mut().slider_width = (ui.available_width() - 20.0).max(60.0);
            let slider = Slider::new(&mut time, start..=end.max(start + 1e-9)).show_value(false);
            if ui.add(slider).changed() {
                self.trails.clear();
                self.session.go_to(time.min(end));
            }
        });
        let pace = self.session.pace();
        if !self.session.message().is_empty() {
            let message = RichText::new(self.session.message()).color(style::accent(self.is_dark)).strong();
            ui.label(message);
        } else if self.session.is_playing() && pace < 0.99 {
            ui.label(format!("the engine does {:.1} % of the speed that is asked for", 100.0 * pace));
        } else {
            // An empty line, so that the plane stays where it is.
            ui.label(" ");
        }
        ui.add_space(3.0);
    }

    /// The panels at the side.
    pub(super) fn panels(&mut self, ui: &mut Ui, shell: &mut Shell) {
        if room::is_narrow(ui.ctx()) {
            ui.horizontal_wrapped(|ui| self.tools(ui, shell));
        }
        let section = |ui: &mut Ui, title: &str| {
            ui.add_space(6.0);
            ui.heading(title);
        };
        section(ui, "Disc");
        self.inspector(ui);
        if self.session.pair().is_some() {
            section(ui, "Pair");
            self.pair(ui);
        }
        section(ui, "World");
        self.settings(ui);
        #[cfg(feature = "rapier")]
        {
            section(ui, "Beside it: rapier2d");
            self.beside(ui);
        }
        section(ui, "Energy, momentum, events");
        self.plots(ui);
        let count = self.session.world().len();
        if (1..=32).contains(&count) {
            section(ui, "Table of pairs");
            self.table(ui);
        }
        section(ui, "Events");
        self.log(ui);
        ui.add_space(8.0);
    }

    /// What a slider or a field for a number does, as one step to undo for each drag of it.
    fn edit(&mut self, response: &Response, edit: impl FnOnce(&mut Session)) {
        if response.drag_started() {
            self.session.hold();
        }
        if response.changed() {
            edit(&mut self.session);
        }
        if response.drag_stopped() {
            self.session.release();
        }
    }

    /// A slider for a number of the session.
    fn slider(&mut self, ui: &mut Ui, text: &str, most: f64, now: f64, set: impl FnOnce(&mut Session, f64)) {
        let mut wanted = now;
        // What is beyond its end stays as it is until it is moved.
        let slider = Slider::new(&mut wanted, 0.0..=most).clamping(SliderClamping::Edits).text(text);
        let response = ui.add(slider);
        self.edit(&response, |session| set(session, wanted));
    }

    fn inspector(&mut self, ui: &mut Ui) {
        let selected = self.session.selected();
        let Some(seen) = selected.and_then(|id| self.session.world().get(id)) else {
            ui.label("Click a disc.");
            return;
        };
        let (id, disc) = (seen.id(), seen.to_disc());
        ui.label(format!("disc {id}, state stored at {:.6} s", seen.state_time().as_secs()));
        ui.label(format!("position {:.6}, {:.6}", disc.position.x, disc.position.y));
        ui.label(format!("velocity {:.6}, {:.6}", disc.velocity.x, disc.velocity.y));
        if let Some(spin) = seen.spin() {
            self.spin(ui, &seen, spin);
        }
        let (mut radius, mut mass) = (disc.radius, disc.mass);
        let speed = 0.01 * disc.radius.max(1e-6);
        let response = ui.add(field(&mut radius, speed).range(1e-9..=1e9).prefix("radius "));
        self.edit(&response, |session| session.resize(id, radius));
        ui.horizontal(|ui| {
            let response = ui.add(field(&mut mass, 0.02).range(0.0..=1e9).prefix("mass "));
            self.edit(&response, |session| session.weigh(id, mass));
            if ui.button("∞").on_hover_text("infinite mass").clicked() {
                self.session.weigh(id, f64::INFINITY);
            }
        });
        let set = |session: &mut Session, to| session.set_restitution_of(id, to);
        self.slider(ui, "restitution", 1.0, disc.restitution, set);
        if ui.button("Remove").clicked() {
            self.session.remove(id);
        }
    }

    /// How a disc turns, and rubs.
    fn spin(&mut self, ui: &mut Ui, disc: &SeenDisc, spin: Spin) {
        let own = disc.to_disc().body.roughness.or(self.session.world().roughness());
        let friction = own.unwrap_or_default().friction();
        ui.label(format!("angle {:.6}, roughness {friction}", spin.angle));
        let mut wanted = spin.angular_velocity;
        let response = ui.add(field(&mut wanted, 0.02).prefix("angular velocity "));
        self.edit(&response, |session| session.spin(disc.id(), wanted));
    }

    fn settings(&mut self, ui: &mut Ui) {
        let gravity = self.session.world().forces().gravity();
        let set = |session: &mut Session, to: f64| session.set_gravity(DVec2::new(gravity.x, -to));
        self.slider(ui, "gravity", 20.0, 0.0 - gravity.y, set);
        self.slider(ui, "friction", 5.0, self.session.friction(), Session::set_friction);
        let roughness = self.session.world().roughness().unwrap_or_default().friction();
        self.slider(ui, "roughness", 1.0, roughness, Session::set_roughness);
        // Between 0 and the least drag that there is a slider has nothing to say.
        let set = |session: &mut Session, to| session.set_drag(if to < 1e-6 { 0.0 } else { to });
        self.slider(ui, "drag", 2.0, self.session.drag(), set);
        self.slider(ui, "growth of radii", 0.5, self.session.world().growth(), Session::set_growth);
        let says =
            "gravity, friction and drag end each other, and growth; roughness has neither drag nor growth";
        ui.label(RichText::new(says).small());
        let first = self.session.world().discs().next();
        let restitution = first.map_or(1.0, |disc| disc.restitution());
        self.slider(ui, "restitution of all", 1.0, restitution, Session::set_restitution);
        if ui.button("Remove the last wall").clicked() {
            self.session.remove_wall();
        }
        ui.label(format!("state {:016x}", self.session.hash()));
        if let Some(promise) = self.session.promise() {
            let run = format!("{} events after the link", Session::PROMISED);
            ui.label(RichText::new(promise.in_words(&run)).small());
        }
    }

    fn log(&mut self, ui: &mut Ui) {
        ui.spacing_mut().interact_size.y = 18.0;
        let mut chosen = None;
        for (number, event) in self.session.log().iter().rev().take(40) {
            let text = format!("{number}: {event}");
            let here = *number == self.session.timeline().event();
            let entry = ui.selectable_label(here, RichText::new(text).small());
            if entry.clicked() {
                chosen = Some(*number);
            }
            // Of the event that is shown at once, as fingers do not hover; of the others where the mouse is.
            match event.impact() {
                Some(hit) if here => _ = ui.label(RichText::new(of_impact(hit)).small()),
                Some(hit) => _ = entry.on_hover_text(of_impact(hit)),
                None => {}
            }
        }
        if self.session.log().is_empty() {
            ui.label("none yet");
        }
        if let Some(number) = chosen {
            self.session.go_to_event(number);
        }
    }
}

/// A field for a number. What is beyond its ends stays as it is until it is changed.
fn field(value: &mut f64, speed: f64) -> DragValue<'_> {
    DragValue::new(value).speed(speed).clamp_existing_to_range(false)
}

/// What an impact has changed.
fn of_impact(hit: &Impact) -> String {
    let vector = |v: DVec2| format!("{:.6}, {:.6}", v.x, v.y);
    let [a, b] = [0, 1].map(|k| format!("{} to {}", vector(hit.before[k]), vector(hit.after[k])));
    match hit.b.disc() {
        Some(other) => {
            format!("velocity of {}: {a}\nvelocity of {other}: {b}\nimpulse {:.6}", hit.a, hit.impulse)
        }
        None => format!("velocity of {}: {a}\nimpulse {:.6}", hit.a, hit.impulse),
    }
}
