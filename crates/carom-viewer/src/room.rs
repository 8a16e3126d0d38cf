//! What the program asks of each of its rooms, and what a room is given.

use crate::style;
use eframe::egui;
use std::any::Any;

/// A part of the program that fills the whole window: discs, billiards.
///
/// One is shown at a time. Whatever is refused leaves it as it was, and is said by [`Room::message`].
pub trait Room: Any {
    /// The name of what is open, as the menu has it.
    fn name(&self) -> &str;

    /// One frame: time goes on, and bars, panels and canvas are drawn.
    fn show(&mut self, ctx: &egui::Context, shell: &mut Shell);

    /// All that is shown, as JSON: the form is in the crate's README.
    fn describe(&mut self) -> String;

    /// Does what a button does, by its name. What it gives is empty, a link, a scene, or a message.
    fn command(&mut self, name: &str) -> String;

    /// What is said to the user; empty if nothing is.
    fn message(&self) -> &str;

    /// Says something to the user.
    fn say(&mut self, message: String);

    /// The seconds that the engine took in the last frame: what is not drawing.
    fn engine_seconds(&self) -> f64;
}

/// A room, or why there is none.
pub type Opened = Result<Box<dyn Room>, String>;

/// How a room is entered.
pub struct Entry {
    /// What the menu calls the room.
    pub title: &'static str,
    /// The names of what can be opened in it.
    pub names: fn() -> Vec<&'static str>,
    /// Opens a name, a text or a link; `None` if that belongs to another room. What is shown now says how
    /// things are to be shown.
    pub open: fn(&str, now: &dyn Room) -> Option<Opened>,
}

/// What is said when a link has been copied.
pub(crate) const COPIED: &str = "the link is copied; who pastes it here opens the same";

/// Points of width below which panels fold into a drawer.
const NARROW: f32 = 600.0;

/// Whether the window is narrow: a telephone's.
pub(crate) fn is_narrow(ctx: &egui::Context) -> bool {
    ctx.content_rect().width() < NARROW
}

/// The panels: at the side, or in a narrow window a drawer at the bottom.
pub(crate) fn drawer(ctx: &egui::Context, add: impl FnOnce(&mut egui::Ui)) {
    let contents =
        |ui: &mut egui::Ui| _ = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| add(ui));
    if is_narrow(ctx) {
        let height = 0.42 * ctx.content_rect().height();
        egui::TopBottomPanel::bottom("drawer").exact_height(height).show(ctx, contents);
    } else {
        egui::SidePanel::right("panels").resizable(false).exact_width(300.0).show(ctx, contents);
    }
}

/// The keys of a room, and what they do.
pub(crate) fn key_table(ui: &mut egui::Ui, keys: &[(&str, &str)]) {
    egui::Grid::new("keys").num_columns(2).show(ui, |ui| {
        for (key, what) in keys {
            ui.strong(*key);
            ui.label(*what);
            ui.end_row();
        }
    });
}

/// What all rooms share: light or dark, and the menu of what can be opened.
pub struct Shell {
    entries: &'static [Entry],
    is_dark: bool,
    /// Whether the user has chosen between light and dark; else the system has.
    has_theme: bool,
    was_styled: Option<bool>,
    wanted: Option<String>,
}

impl Shell {
    /// With the rooms that there are.
    pub(crate) fn new(entries: &'static [Entry]) -> Self {
        Shell { entries, is_dark: false, has_theme: false, was_styled: None, wanted: None }
    }

    /// The rooms that there are.
    pub(crate) fn entries(&self) -> &'static [Entry] {
        self.entries
    }

    /// Whether colours are dark.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.is_dark
    }

    /// Draws in dark colours, or in light ones.
    pub fn set_dark(&mut self, is_dark: bool) {
        self.is_dark = is_dark;
        self.has_theme = true;
    }

    /// Asks for something else to be opened after this frame: what [`Viewer::open`](crate::Viewer::open)
    /// takes.
    pub fn open(&mut self, text: impl Into<String>) {
        self.wanted = Some(text.into());
    }

    /// What is to be opened.
    pub(crate) fn take_wanted(&mut self) -> Option<String> {
        self.wanted.take()
    }

    /// The menu of all that can be opened, room by room.
    pub fn menu(&mut self, ui: &mut egui::Ui, name: &str) {
        let mut chosen = None;
        let menu = egui::ComboBox::from_id_salt("scene").selected_text(name).width(130.0).height(420.0);
        menu.show_ui(ui, |ui| {
            for entry in self.entries {
                ui.weak(entry.title);
                for of_room in (entry.names)() {
                    if ui.selectable_label(of_room == name, of_room).clicked() {
                        chosen = Some(of_room);
                    }
                }
            }
        });
        if let Some(name) = chosen {
            self.open(name);
        }
    }

    /// The button for dark colours.
    pub fn dark_button(&mut self, ui: &mut egui::Ui) {
        let mut is_dark = self.is_dark;
        if ui.toggle_value(&mut is_dark, "Dark").changed() {
            self.set_dark(is_dark);
        }
    }

    /// Colours and letters of the context, before a frame.
    pub(crate) fn prepare(&mut self, ctx: &egui::Context) {
        if !self.has_theme {
            self.is_dark = ctx.system_theme() == Some(egui::Theme::Dark);
        }
        let is_hit = |key| ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
        if !ctx.wants_keyboard_input() && is_hit(egui::Key::T) {
            self.set_dark(!self.is_dark);
        }
        if self.was_styled != Some(self.is_dark) {
            style::apply(ctx, self.is_dark);
            self.was_styled = Some(self.is_dark);
        }
    }
}
