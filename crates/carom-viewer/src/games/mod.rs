//! The room of the games.

mod air_hockey;
mod asteroids;
mod board;
mod merge;
mod pinball;
mod play;
mod pod_race;
mod shooter;

use crate::camera::Camera;
use crate::room::{self, Entry, Opened, Room, Shell};
use crate::style;
use air_hockey::AirHockey;
use asteroids::Asteroids;
use board::Plane;
use carom_engine::DVec2;
use carom_games::Error;
use eframe::egui::{self, Align2, FontId, Key, Sense};
use merge::Merge;
use pinball::Pinball;
pub use play::{Controls, Play};
use pod_race::PodRace;
use serde_json::json;
use shooter::Shooter;

/// The names of the games.
pub const GAMES: [&str; 6] = ["air-hockey", "asteroids", "merge", "pinball", "pod-race", "shooter"];

/// The start of a game, by its name; `None` if there is none of that name.
#[must_use]
pub fn game(name: &str) -> Option<Result<Box<dyn Play>, Error>> {
    match name {
        "air-hockey" => Some(AirHockey::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "asteroids" => Some(Asteroids::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "merge" => Some(Merge::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "pinball" => Some(Pinball::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "pod-race" => Some(PodRace::new().map(|game| Box::new(game) as Box<dyn Play>)),
        "shooter" => Some(Shooter::new().map(|game| Box::new(game) as Box<dyn Play>)),
        _ => None,
    }
}

/// How the room is entered: by the name of a game.
pub(crate) const ENTRY: Entry = Entry {
    title: "games",
    names: || GAMES.to_vec(),
    open: |text, _| {
        let name = GAMES.into_iter().find(|&name| name == text.trim())?;
        let play = game(name)?;
        Some(play.map_err(|error| error.to_string()).map(|play| {
            let room: Box<dyn Room> = Box::new(GameRoom::new(name, play));
            room
        })) as Option<Opened>
    },
};

/// A window onto a game.
pub struct GameRoom {
    name: &'static str,
    play: Box<dyn Play>,
    is_playing: bool,
    camera: Camera,
    message: String,
    help: bool,
    engine_seconds: f64,
}

impl GameRoom {
    fn new(name: &'static str, play: Box<dyn Play>) -> Self {
        GameRoom {
            name,
            play,
            is_playing: false,
            camera: Camera::default(),
            message: String::new(),
            help: false,
            engine_seconds: 0.0,
        }
    }

    /// The game.
    #[must_use]
    pub fn play(&self) -> &dyn Play {
        self.play.as_ref()
    }

    fn restart(&mut self) {
        match game(self.name) {
            Some(Ok(play)) => {
                self.play = play;
                self.message.clear();
                self.is_playing = false;
            }
            Some(Err(error)) => self.message = error.to_string(),
            None => {}
        }
    }

    /// Begins, goes on, or begins anew if it is over.
    fn begin(&mut self) {
        if self.play.outcome().is_some() {
            self.restart();
        }
        self.is_playing = true;
    }

    /// What the player does.
    fn controls(&self, ctx: &egui::Context) -> Controls {
        let rect = self.camera.rect();
        ctx.input(|input| {
            let is_down = |keys: [Key; 2]| keys.into_iter().any(|key| input.key_down(key));
            let axis = |less: [Key; 2], more: [Key; 2]| {
                f64::from(u8::from(is_down(more))) - f64::from(u8::from(is_down(less)))
            };
            let arrows = DVec2::new(
                axis([Key::ArrowLeft, Key::A], [Key::ArrowRight, Key::D]),
                axis([Key::ArrowDown, Key::S], [Key::ArrowUp, Key::W]),
            );
            let at = input.pointer.latest_pos().filter(|at| rect.contains(*at));
            Controls {
                pointer: at.map(|at| self.camera.to_world(at)),
                is_pressed: at.is_some() && input.pointer.primary_down(),
                is_touch: input.any_touches(),
                arrows: if self.play.steers() { arrows } else { self.camera.direction(arrows) },
                space: input.key_down(Key::Space),
            }
        })
    }

    fn run(&mut self, ctx: &egui::Context) {
        let is_hit = |key| ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
        if is_hit(Key::P) || is_hit(Key::Escape) {
            self.is_playing = !self.is_playing;
        }
        if !self.is_playing {
            if is_hit(Key::Space) || is_hit(Key::Enter) {
                self.begin();
            }
            return;
        }
        let controls = self.controls(ctx);
        let seconds = f64::from(ctx.input(|input| input.stable_dt)).clamp(0.0, 0.05);
        let start = web_time::Instant::now();
        if let Err(error) = self.play.advance(seconds, &controls) {
            self.message = error.to_string();
            self.is_playing = false;
        }
        self.engine_seconds = start.elapsed().as_secs_f64();
        if self.play.outcome().is_some() {
            self.is_playing = false;
        }
    }

    fn bar(&mut self, ui: &mut egui::Ui, shell: &mut Shell) {
        ui.add_space(3.0);
        ui.horizontal_wrapped(|ui| {
            shell.menu(ui, self.name);
            if ui.button(if self.is_playing { "Pause" } else { "Play" }).clicked() {
                if self.is_playing {
                    self.is_playing = false;
                } else {
                    self.begin();
                }
            }
            if ui.button("Start").clicked() {
                self.restart();
            }
            ui.strong(self.play.status());
            if !room::is_narrow(ui.ctx()) {
                shell.dark_button(ui);
            }
            ui.toggle_value(&mut self.help, "Help");
        });
        if !self.message.is_empty() {
            ui.label(&self.message);
        }
        ui.add_space(3.0);
    }

    fn canvas(&mut self, ui: &mut egui::Ui) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "the game"));
        self.camera.set_rect(response.rect);
        self.camera.fit_turning(self.play.bounds());
        let ground = board::colour(self.play.ground(), 1.0);
        let (low, high) = self.play.bounds();
        let rect = egui::Rect::from_two_pos(self.camera.to_screen(low), self.camera.to_screen(high));
        let painter = painter.with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, ground);
        self.play.draw(&mut Plane { painter: &painter, camera: self.camera, ground });
        if !self.is_playing {
            self.card(&painter, rect);
            if response.clicked() {
                self.begin();
            }
        }
    }

    /// What is said while nothing moves.
    fn card(&self, painter: &egui::Painter, rect: egui::Rect) {
        let first = self.play.outcome();
        let go = if first.is_some() {
            "Space or a tap: again"
        } else if self.play.now() > 0.0 {
            "Space or a tap: go on"
        } else {
            "Space or a tap: play"
        };
        let words = first.map_or(go.to_owned(), |first| format!("{first}\n{go}"));
        let white = egui::Color32::WHITE;
        let width = (0.8 * rect.width()).min(420.0);
        let title = painter.layout(words, FontId::proportional(22.0), white, width);
        let help = painter.layout(self.play.help().to_owned(), FontId::proportional(14.0), white, width);
        let size = egui::vec2(width + 32.0, title.size().y + help.size().y + 40.0);
        let card = egui::Rect::from_center_size(rect.center(), size);
        painter.rect_filled(card, 8.0, egui::Color32::from_black_alpha(190));
        let at = card.min + egui::vec2(16.0, 14.0);
        let below = at + egui::vec2(0.0, title.size().y + 10.0);
        painter.galley(at, title, white);
        painter.galley(below, help, white);
    }

    fn show_help(&mut self, ctx: &egui::Context) {
        let text = self.play.help();
        egui::Window::new("Help")
            .open(&mut self.help)
            .collapsible(false)
            .anchor(Align2::RIGHT_TOP, egui::vec2(-10.0, 50.0))
            .show(ctx, |ui| {
                ui.set_max_width(320.0);
                ui.label(text);
                ui.label("P, Escape: pause. T: light, dark.");
            });
    }
}

impl Room for GameRoom {
    fn name(&self) -> &str {
        self.name
    }

    fn show(&mut self, ctx: &egui::Context, shell: &mut Shell) {
        self.run(ctx);
        egui::TopBottomPanel::top("bar").show(ctx, |ui| self.bar(ui, shell));
        let frame = egui::Frame::new().fill(style::plane(shell.is_dark()));
        egui::CentralPanel::default().frame(frame).show(ctx, |ui| self.canvas(ui));
        self.show_help(ctx);
        if self.is_playing {
            ctx.request_repaint();
        }
    }

    fn describe(&mut self) -> String {
        json!({
            "version": 1,
            "room": "game",
            "scene": self.name,
            "time": self.play.now(),
            "status": self.play.status(),
            "outcome": self.play.outcome(),
            "playing": self.is_playing,
            "engine_seconds": self.engine_seconds,
            "message": self.message,
        })
        .to_string()
    }

    fn command(&mut self, name: &str) -> String {
        match name {
            "play" => self.begin(),
            "pause" => self.is_playing = false,
            "restart" => self.restart(),
            other => return format!("there is no command `{other}`"),
        }
        String::new()
    }

    fn message(&self) -> &str {
        &self.message
    }

    fn say(&mut self, message: String) {
        self.message = message;
    }

    fn engine_seconds(&self) -> f64 {
        self.engine_seconds
    }
}
