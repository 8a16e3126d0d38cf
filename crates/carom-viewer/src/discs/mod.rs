//! The room of discs: draws a session with egui, and takes the mouse, fingers and keys.

#[cfg(feature = "rapier")]
mod beside;
mod bounds;
mod canvas;
mod grasp;
mod images;
mod keys;
mod panels;
mod plots;
mod table;

use crate::camera::Camera;
use crate::names;
use crate::room::{self, Entry, Room, Shell};
use crate::session::Session;
use crate::style;
use carom_engine::{DVec2, DiscId};
use eframe::egui;
use grasp::Grasp;
use std::any::Any;
use std::collections::{HashMap, VecDeque};

/// The most points of the trail of a disc.
const TRAIL: usize = 400;
/// The most discs that have trails.
const TRAILS: usize = 64;

/// What a press on the empty plane does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tool {
    /// Moves the view.
    #[default]
    Look,
    /// Adds a disc.
    Disc,
    /// Draws a wall.
    Wall,
}

/// How the room is entered: by whatever no other one takes.
pub(crate) const ENTRY: Entry = Entry {
    title: "discs",
    names: || names().collect(),
    open: |text, now| {
        let mut session = Session::new();
        if !session.open(text) {
            return Some(Err(session.message().to_owned()));
        }
        let mut room = DiscRoom::new(session);
        let now: &dyn Any = now;
        if let Some(now) = now.downcast_ref::<DiscRoom>() {
            (room.shows, room.tool) = (now.shows, now.tool);
            room.session.set_speed(now.session.speed());
        }
        Some(Ok(Box::new(room)))
    },
};

/// A window onto a [`Session`].
pub struct DiscRoom {
    session: Session,
    camera: Camera,
    /// Whether the view follows the size of the window: until the user moves it.
    fits: bool,
    grasp: Option<Grasp>,
    tool: Tool,
    /// Seconds of flight that an arrow of velocity shows.
    tip_seconds: f64,
    trails: HashMap<DiscId, VecDeque<DVec2>>,
    shows: Shows,
    is_dark: bool,
    engine_seconds: f64,
    /// The same start in fixed steps, while it is shown.
    #[cfg(feature = "rapier")]
    beside: Option<crate::fixed_step::Beside>,
}

/// What is shown.
#[derive(Clone, Copy, Debug)]
struct Shows {
    paths: bool,
    trails: bool,
    help: bool,
    /// None until the width of the window has decided.
    panels: Option<bool>,
}

impl DiscRoom {
    /// A window onto a session.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let shows = Shows { paths: true, trails: true, help: false, panels: None };
        let mut room = DiscRoom {
            session,
            camera: Camera::default(),
            fits: true,
            grasp: None,
            tool: Tool::default(),
            tip_seconds: 1.0,
            trails: HashMap::new(),
            shows,
            is_dark: false,
            engine_seconds: 0.0,
            #[cfg(feature = "rapier")]
            beside: None,
        };
        room.begin();
        room
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, to do something in it.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// A scene has been opened.
    fn begin(&mut self) {
        self.fits = true;
        self.grasp = None;
        self.trails.clear();
        let world = self.session.world();
        let speeds = world.discs().map(|disc| disc.velocity().length());
        let fastest = speeds.fold(0.0, f64::max);
        let size = bounds::bounds(&self.session).map_or(10.0, |(min, max)| (max - min).max_element());
        self.tip_seconds = if fastest > 0.0 { (0.15 * size / fastest).clamp(1e-9, 1e9) } else { 0.1 };
    }

    fn record_trails(&mut self) {
        if !self.session.is_playing() || !self.shows.trails {
            return;
        }
        let world = self.session.world();
        for disc in world.ids().take(TRAILS).filter_map(|id| world.get(id)) {
            let trail = self.trails.entry(disc.id()).or_default();
            if trail.back() != Some(&disc.position()) {
                trail.push_back(disc.position());
            }
            if trail.len() > TRAIL {
                trail.pop_front();
            }
        }
    }

    fn help(&mut self, ctx: &egui::Context) {
        egui::Window::new("Help").open(&mut self.shows.help).collapsible(false).show(ctx, |ui| {
            ui.set_max_width(380.0);
            let drag = "Drag a disc, or the tip of its arrow: paths, ghosts and the order of the coming \
                        events follow.";
            ui.label(drag);
            ui.label("Click two discs one after the other to see the geometry of the pair.");
            ui.add_space(4.0);
            room::key_table(ui, &keys::KEYS);
        });
    }
}

impl Room for DiscRoom {
    fn name(&self) -> &str {
        self.session.name()
    }

    fn show(&mut self, ctx: &egui::Context, shell: &mut Shell) {
        self.is_dark = shell.is_dark();
        let seconds = f64::from(ctx.input(|input| input.stable_dt));
        self.keys(ctx);
        let start = web_time::Instant::now();
        self.session.frame(seconds);
        self.engine_seconds = start.elapsed().as_secs_f64();
        self.record_trails();
        #[cfg(feature = "rapier")]
        self.follow_beside();
        let is_wide = ctx.content_rect().width() > 760.0;
        let panels = *self.shows.panels.get_or_insert(is_wide);
        egui::TopBottomPanel::top("bar").show(ctx, |ui| self.bar(ui, shell));
        egui::TopBottomPanel::bottom("time").show(ctx, |ui| self.time_bar(ui));
        if panels {
            room::drawer(ctx, |ui| self.panels(ui, shell));
        }
        let frame = egui::Frame::new().fill(style::plane(self.is_dark));
        egui::CentralPanel::default().frame(frame).show(ctx, |ui| self.canvas(ui));
        self.help(ctx);
        let is_busy = self.session.is_playing() || !self.session.flashes().is_empty();
        if is_busy || self.grasp.is_some() {
            ctx.request_repaint();
        }
    }

    fn describe(&mut self) -> String {
        let (camera, seconds) = (self.camera, self.tip_seconds);
        let tips: Vec<DVec2> = self.session.world().discs().map(|disc| self.tip_of(&disc)).collect();
        let screen = |at: DVec2| {
            let at = camera.to_screen(at);
            [f64::from(at.x), f64::from(at.y)]
        };
        let mut report = self.session.report(screen, &tips);
        if let Some(fields) = report.as_object_mut() {
            fields.insert("tip_seconds".to_owned(), seconds.into());
        }
        report.to_string()
    }

    fn command(&mut self, name: &str) -> String {
        self.do_command(name)
    }

    fn message(&self) -> &str {
        self.session.message()
    }

    fn say(&mut self, message: String) {
        self.session.say(message);
    }

    fn engine_seconds(&self) -> f64 {
        self.engine_seconds
    }
}
