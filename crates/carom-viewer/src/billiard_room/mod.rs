//! The room of billiards: draws a table that is played on, and takes the mouse, fingers and keys.

mod balls;
mod cloth;
mod keys;
mod lines;
mod panels;
mod pointer;
mod sight;
mod stroke;

use crate::billiards::{BilliardSession, Phase};
use crate::room::{self, Entry, Room, Shell};
use crate::style;
use eframe::egui::{self, Sense};
use pointer::Grasp;
use sight::Sight;
use web_time::Instant;

/// How the room is entered.
pub(crate) const ENTRY: Entry = Entry {
    title: "billiards",
    names: BilliardSession::names,
    open: |text, _| {
        let opened = BilliardSession::open(text)?;
        Some(opened.map(|session| Box::new(BilliardRoom::new(session)) as Box<dyn Room>))
    },
};

/// Seconds of trail behind the balls of a shot that runs.
const TRAIL: f64 = 0.5;

/// A window onto a [`BilliardSession`].
pub struct BilliardRoom {
    session: BilliardSession,
    sight: Sight,
    /// Whether the view follows the size of the window: until the user moves it.
    fits: bool,
    grasp: Option<Grasp>,
    help: bool,
    /// Whether the numbers of balls that have rolled stand beside them, too.
    labels: bool,
    /// None until the width of the window has decided.
    panels: Option<bool>,
    is_dark: bool,
    /// What the engine took in the last frame.
    engine_seconds: f64,
}

impl BilliardRoom {
    /// A window onto a session.
    #[must_use]
    pub fn new(session: BilliardSession) -> Self {
        let sight = Sight::default();
        BilliardRoom {
            session,
            sight,
            fits: true,
            grasp: None,
            help: false,
            labels: true,
            panels: None,
            is_dark: false,
            engine_seconds: 0.0,
        }
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &BilliardSession {
        &self.session
    }

    /// The session, to do something in it.
    pub fn session_mut(&mut self) -> &mut BilliardSession {
        &mut self.session
    }

    /// The table with all that is on it.
    fn table(&mut self, ui: &mut egui::Ui) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "the table"));
        self.sight.camera.set_rect(response.rect);
        if self.fits {
            self.sight.fit(response.rect, cloth::half_of_view(self.session.table()));
        }
        self.zoom(ui, &response);
        self.point(&response);
        let start = Instant::now();
        self.session.forecast();
        let balls = self.session.balls();
        self.engine_seconds += start.elapsed().as_secs_f64();
        let sight = self.sight;
        cloth::draw(&painter, &sight, self.session.table());
        if let Some(forecast) = self.session.known_forecast() {
            lines::forecast(&painter, &sight, self.session.game().layout(), forecast);
        }
        if let (Phase::Rolling, Some((time, _)), Some(recording)) =
            (self.session.phase(), self.session.time(), self.session.recording())
        {
            lines::paths(&painter, &sight, recording, [time - TRAIL, time], 0.7);
        } else if let (Some(recording), Some((time, end))) = (self.session.recording(), self.session.time())
            && time < end
        {
            lines::paths(&painter, &sight, recording, [0.0, time], 0.7);
        }
        let is_at_rest = self.session.time().is_none_or(|(time, end)| time >= end);
        let marked = self.session.marked();
        let is_labelled = self.labels && is_at_rest;
        for ball in balls {
            balls::draw(&painter, &sight, &ball);
            let is_held = self.session.has_rules() && self.session.is_movable(&ball.label);
            if is_held || (is_at_rest && marked.contains(&ball.label)) {
                balls::ring(&painter, &sight, &ball, is_held);
            }
            if is_labelled {
                balls::label(&painter, &sight, &ball);
            }
        }
        if let Some(ends) = self.cue_ends() {
            lines::cue(&painter, &sight, ends);
        }
    }

    /// Where the cue is, while one aims, in the frame of worlds.
    fn cue_ends(&self) -> Option<[carom_engine::DVec2; 2]> {
        let session = &self.session;
        session.known_forecast()?;
        let shot = session.shot();
        let aim = crate::billiards::Aim {
            direction: shot.direction,
            speed: shot.speed,
            side: shot.side,
            height: shot.height,
            elevation: shot.elevation,
        };
        let radius = session.table().ball.radius;
        Some(lines::cue_ends(session.lies(&shot.ball)?, radius, &aim, &shot.cue))
    }

    fn help(&mut self, ctx: &egui::Context) {
        egui::Window::new("Help").open(&mut self.help).collapsible(false).show(ctx, |ui| {
            ui.set_max_width(400.0);
            ui.label(
                "Drag on the table to aim, the cue to set its speed, the blue point on the ball for spin.",
            );
            ui.label("A cue ball in hand is dragged to its place; in practice, all balls are.");
            ui.add_space(4.0);
            room::key_table(ui, &keys::KEYS);
        });
    }

    fn is_busy(&self) -> bool {
        self.session.is_playing() || self.session.phase() == Phase::Thinking || self.grasp.is_some()
    }
}

impl Room for BilliardRoom {
    fn name(&self) -> &str {
        self.session.name()
    }

    fn show(&mut self, ctx: &egui::Context, shell: &mut Shell) {
        self.is_dark = shell.is_dark();
        self.keys(ctx);
        let start = Instant::now();
        self.session.frame(f64::from(ctx.input(|input| input.stable_dt)));
        self.engine_seconds = start.elapsed().as_secs_f64();
        let is_wide = ctx.content_rect().width() > 760.0;
        let panels = *self.panels.get_or_insert(is_wide);
        egui::TopBottomPanel::top("bar").show(ctx, |ui| self.bar(ui, shell));
        egui::TopBottomPanel::bottom("time").show(ctx, |ui| self.time_bar(ui));
        if !is_wide {
            egui::TopBottomPanel::bottom("stroke").show(ctx, |ui| self.stroke_in_a_row(ui));
        }
        if panels && is_wide {
            egui::SidePanel::right("panels").resizable(false).exact_width(300.0).show(ctx, |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.panels(ui, true));
            });
        } else if panels {
            egui::TopBottomPanel::bottom("panels").max_height(260.0).show(ctx, |ui| {
                egui::ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| self.panels(ui, false));
            });
        }
        let frame = egui::Frame::new().fill(style::plane(self.is_dark));
        egui::CentralPanel::default().frame(frame).show(ctx, |ui| self.table(ui));
        self.help(ctx);
        if self.is_busy() {
            ctx.request_repaint();
        }
    }

    fn describe(&mut self) -> String {
        let sight = self.sight;
        let screen = |at| {
            let at = sight.to_screen(at);
            [f64::from(at.x), f64::from(at.y)]
        };
        let mut report = self.session.report(screen);
        let cue = self.cue_ends().map(|ends| ends.map(screen));
        if let Some(fields) = report.as_object_mut() {
            fields.insert("cue_screen".to_owned(), serde_json::json!(cue));
        }
        report.to_string()
    }

    fn command(&mut self, name: &str) -> String {
        let session = &mut self.session;
        match name {
            "shoot" if session.phase() == Phase::Aiming => {
                session.shoot();
                return session.message().to_owned();
            }
            "shoot" => return "it is not the time to shoot".to_owned(),
            "play" if session.recording().is_none() => _ = session.shoot(),
            "play" => session.play(true),
            "pause" => session.play(false),
            "finish" => session.finish(),
            "step" => session.step(true),
            "back" => session.step(false),
            "restart" => session.restart(),
            "undo" => session.undo(),
            "practise" => session.practise(),
            "fit" => self.fits = true,
            "share" => return session.share().unwrap_or_else(|message| message),
            "save" => return session.saved().unwrap_or_else(|message| message),
            other => return format!("there is no command `{other}`"),
        }
        String::new()
    }

    fn engine_seconds(&self) -> f64 {
        self.engine_seconds
    }

    fn message(&self) -> &str {
        self.session.message()
    }

    fn say(&mut self, message: String) {
        self.session.say(message);
    }
}
