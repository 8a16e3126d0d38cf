//! The bars above and below, and the panels at the side.

use super::{DiscRoom, Tool};
use crate::file;
use crate::room::{self, COPIED, Shell};
use crate::session::Session;
use crate::style;
use carom_engine::{DVec2, Impact};
use eframe::egui::{self, DragValue, Response, RichText, Slider, Ui};

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

    /// One step to undo for each drag of a slider.
    fn held(&mut self, response: &Response) {
        if response.drag_started() {
            self.session.hold();
        }
    }

    fn let_go_of(&mut self, response: &Response) {
        if response.drag_stopped() {
            self.session.release();
        }
    }

    fn inspector(&mut self, ui: &mut Ui) {
        let disc = self
            .session
            .selected()
            .and_then(|id| self.session.world().get(id))
            .map(|disc| (disc.id(), disc.to_disc()));
        let Some((id, disc)) = disc else {
            ui.label("Click a disc.");
            return;
        };
        let world = self.session.world();
        let stored = world.get(id).map_or(0.0, |disc| disc.state_time().as_secs());
        ui.label(format!("disc {id}, state stored at {stored:.6} s"));
        ui.label(format!("position {:.6}, {:.6}", disc.position.x, disc.position.y));
        ui.label(format!("velocity {:.6}, {:.6}", disc.velocity.x, disc.velocity.y));
        let (mut radius, mut mass, mut restitution) = (disc.radius, disc.mass, disc.restitution);
        let speed = 0.01 * disc.radius.max(1e-6);
        let response = ui.add(DragValue::new(&mut radius).speed(speed).range(1e-9..=1e9).prefix("radius "));
        self.held(&response);
        if response.changed() {
            self.session.resize(id, radius);
        }
        self.let_go_of(&response);
        ui.horizontal(|ui| {
            let response = ui.add(DragValue::new(&mut mass).speed(0.02).range(0.0..=1e9).prefix("mass "));
            self.held(&response);
            if response.changed() {
                self.session.weigh(id, mass);
            }
            self.let_go_of(&response);
            if ui.button("∞").on_hover_text("infinite mass").clicked() {
                self.session.weigh(id, f64::INFINITY);
            }
        });
        let response = ui.add(Slider::new(&mut restitution, 0.0..=1.0).text("restitution"));
        self.held(&response);
        if response.changed() {
            self.session.set_restitution_of(id, restitution);
        }
        self.let_go_of(&response);
        if ui.button("Remove").clicked() {
            self.session.remove(id);
        }
    }

    fn settings(&mut self, ui: &mut Ui) {
        let forces = self.session.world().forces();
        let mut gravity = -forces.gravity().y;
        let response = ui.add(Slider::new(&mut gravity, 0.0..=20.0).text("gravity"));
        self.held(&response);
        if response.changed() {
            self.session.set_gravity(DVec2::new(forces.gravity().x, -gravity));
        }
        self.let_go_of(&response);
        let mut friction = self.session.friction();
        let response = ui.add(Slider::new(&mut friction, 0.0..=5.0).text("friction"));
        self.held(&response);
        if response.changed() {
            self.session.set_friction(friction);
        }
        self.let_go_of(&response);
        self.drag_and_growth(ui);
        let first = self.session.world().discs().next();
        let mut restitution = first.map_or(1.0, |disc| disc.restitution());
        let response = ui.add(Slider::new(&mut restitution, 0.0..=1.0).text("restitution of all"));
        self.held(&response);
        if response.changed() {
            self.session.set_restitution(restitution);
        }
        self.let_go_of(&response);
        if ui.button("Remove the last wall").clicked() {
            self.session.remove_wall();
        }
        ui.label(format!("state {:016x}", self.session.hash()));
        if let Some(promise) = self.session.promise() {
            let run = format!("{} events after the link", Session::PROMISED);
            ui.label(RichText::new(promise.in_words(&run)).small());
        }
    }

    /// Both are for discs that no forces move: these end, and they under forces.
    fn drag_and_growth(&mut self, ui: &mut Ui) {
        let mut drag = self.session.drag();
        let response = ui.add(Slider::new(&mut drag, 0.0..=2.0).text("drag"));
        self.held(&response);
        if response.changed() {
            // Between 0 and the least drag that there is a slider has nothing to say.
            self.session.set_drag(if drag < 1e-6 { 0.0 } else { drag });
        }
        self.let_go_of(&response);
        let mut growth = self.session.world().growth();
        let response = ui.add(Slider::new(&mut growth, 0.0..=0.5).text("growth of radii"));
        self.held(&response);
        if response.changed() {
            self.session.set_growth(growth);
        }
        self.let_go_of(&response);
        ui.label(RichText::new("gravity, friction and drag end each other, and growth").small());
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
