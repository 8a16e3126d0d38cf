//! The window: draws a session with egui, and takes the mouse, fingers and keys.

mod camera;
mod canvas;
mod grasp;
mod keys;
mod panels;
mod plots;
mod style;
mod table;

use crate::session::Session;
use camera::Camera;
use carom_engine::{DVec2, DiscId};
use eframe::egui;
use grasp::Grasp;
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

/// A window onto a [`Session`]. It is an app of eframe; [`Viewer::show`] draws it in any context of egui.
pub struct Viewer {
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
    /// Whether the user has chosen between light and dark; else the system has.
    has_theme: bool,
    was_styled: Option<bool>,
    /// What draws it, to be woken where something is done that is no input.
    ctx: Option<egui::Context>,
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

impl Viewer {
    /// A window onto a session.
    #[must_use]
    pub fn new(session: Session) -> Self {
        let shows = Shows { paths: true, trails: true, help: false, panels: None };
        let mut viewer = Viewer {
            session,
            camera: Camera::default(),
            fits: true,
            grasp: None,
            tool: Tool::default(),
            tip_seconds: 1.0,
            trails: HashMap::new(),
            shows,
            is_dark: false,
            has_theme: false,
            was_styled: None,
            ctx: None,
        };
        viewer.begin();
        viewer
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

    /// Opens a scene as [`Session::open`] does, and shows all of it.
    pub fn open(&mut self, text: &str) -> bool {
        let is_open = self.session.open(text);
        if is_open {
            self.begin();
        }
        self.wake();
        is_open
    }

    /// Draws in dark colours, or in light ones.
    pub fn set_dark(&mut self, is_dark: bool) {
        self.is_dark = is_dark;
        self.has_theme = true;
        self.wake();
    }

    /// Asks for a frame.
    fn wake(&self) {
        if let Some(ctx) = &self.ctx {
            ctx.request_repaint();
        }
    }

    /// All that is shown, as JSON: the form is in the crate's README.
    pub fn describe(&mut self) -> String {
        let (camera, seconds) = (self.camera, self.tip_seconds);
        let world = self.session.world();
        let radii: Vec<(DVec2, f64)> =
            world.ids().filter_map(|id| world.get(id)).map(|disc| (disc.position(), disc.radius())).collect();
        let screen = |at: DVec2| {
            let at = camera.to_screen(at);
            [f64::from(at.x), f64::from(at.y)]
        };
        let tip = |position: DVec2, velocity: DVec2| {
            let radius = radii.iter().find(|(at, _)| *at == position).map_or(0.0, |(_, radius)| *radius);
            grasp::tip(position, velocity, radius, seconds)
        };
        let mut report = self.session.report(screen, tip);
        if let Some(fields) = report.as_object_mut() {
            fields.insert("tip_seconds".to_owned(), seconds.into());
        }
        report.to_string()
    }

    /// A scene has been opened.
    fn begin(&mut self) {
        self.fits = true;
        self.grasp = None;
        self.trails.clear();
        let world = self.session.world();
        let speeds = world.ids().filter_map(|id| world.get(id)).map(|disc| disc.velocity().length());
        let fastest = speeds.fold(0.0, f64::max);
        let size = camera::bounds(&self.session).map_or(10.0, |(min, max)| (max - min).max_element());
        self.tip_seconds = if fastest > 0.0 { (0.15 * size / fastest).clamp(1e-9, 1e9) } else { 0.1 };
    }

    /// One frame.
    pub fn show(&mut self, ctx: &egui::Context) {
        if self.ctx.is_none() {
            self.ctx = Some(ctx.clone());
        }
        if !self.has_theme {
            self.is_dark = ctx.system_theme() == Some(egui::Theme::Dark);
        }
        if self.was_styled != Some(self.is_dark) {
            style::apply(ctx, self.is_dark);
            self.was_styled = Some(self.is_dark);
        }
        let seconds = f64::from(ctx.input(|input| input.stable_dt));
        self.keys(ctx);
        self.session.frame(seconds);
        self.record_trails();
        let is_wide = ctx.content_rect().width() > 760.0;
        let panels = *self.shows.panels.get_or_insert(is_wide);
        egui::TopBottomPanel::top("bar").show(ctx, |ui| self.bar(ui));
        egui::TopBottomPanel::bottom("time").show(ctx, |ui| self.time_bar(ui));
        if panels {
            let width = if is_wide { 300.0 } else { (ctx.content_rect().width() * 0.8).min(300.0) };
            egui::SidePanel::right("panels").resizable(false).exact_width(width).show(ctx, |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.panels(ui));
            });
        }
        let frame = egui::Frame::new().fill(style::plane(self.is_dark));
        egui::CentralPanel::default().frame(frame).show(ctx, |ui| self.canvas(ui));
        self.help(ctx);
        let is_busy = self.session.is_playing() || !self.session.flashes().is_empty();
        if is_busy || self.grasp.is_some() {
            ctx.request_repaint();
        }
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
            egui::Grid::new("keys").num_columns(2).show(ui, |ui| {
                for (key, what) in keys::KEYS {
                    ui.strong(key);
                    ui.label(what);
                    ui.end_row();
                }
            });
        });
    }
}

impl eframe::App for Viewer {
    fn update(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.show(ctx);
    }

    /// The entry points for a page ask for it by its type.
    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}
