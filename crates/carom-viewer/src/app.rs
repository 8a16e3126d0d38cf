//! The program: one room at a time.

use crate::billiard_room;
use crate::discs::{self, DiscRoom};
#[cfg(feature = "games")]
use crate::games;
use crate::gas;
use crate::given;
use crate::room::{Entry, Room, Shell};
use crate::session::Session;
use eframe::egui;
use std::any::Any;

/// The rooms, in the order of the menu. A text is offered to one after the other from the last to the first,
/// which takes whatever no other one does.
static ENTRIES: &[Entry] = &[
    discs::ENTRY,
    billiard_room::ENTRY,
    #[cfg(feature = "games")]
    games::ENTRY,
    gas::ENTRY,
];

/// The program. It is an app of eframe; [`Viewer::show`] draws it in any context of egui.
pub struct Viewer {
    room: Box<dyn Room>,
    shell: Shell,
    /// What draws it, to be woken where something is done that is no input.
    ctx: Option<egui::Context>,
}

/// Frames until the sizes of letters, rows of buttons and panels are known: each follows from the last.
const SETTLED: u64 = 4;

/// The names of all that [`Viewer::open`] takes.
pub fn scenes() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().flat_map(|entry| (entry.names)())
}

impl Viewer {
    /// A window onto a session of discs.
    #[must_use]
    pub fn new(session: Session) -> Self {
        Viewer { room: Box::new(DiscRoom::new(session)), shell: Shell::new(ENTRIES), ctx: None }
    }

    /// The room that is shown, if it is of this kind.
    #[must_use]
    pub fn room<R: Room>(&self) -> Option<&R> {
        let room: &dyn Any = self.room.as_ref();
        room.downcast_ref()
    }

    /// The room that is shown, if it is of this kind, to do something in it.
    pub fn room_mut<R: Room>(&mut self) -> Option<&mut R> {
        let room: &mut dyn Any = self.room.as_mut();
        room.downcast_mut()
    }

    /// Opens a scene: its text as JSON or TOML, one of [`scenes`], or what was shared, alone or as the end of
    /// the address of a page. Says whether it could;
    /// if not, [`Viewer::message`] has the reason and all is as it was.
    pub fn open(&mut self, text: &str) -> bool {
        let text = given::payload(text);
        let opened =
            self.shell.entries().iter().rev().find_map(|entry| (entry.open)(text, self.room.as_ref()));
        let is_open = match opened {
            Some(Ok(room)) => {
                self.room = room;
                true
            }
            Some(Err(message)) => {
                self.room.say(message);
                false
            }
            None => false,
        };
        self.wake();
        is_open
    }

    /// What is said to the user; empty if nothing is.
    #[must_use]
    pub fn message(&self) -> &str {
        self.room.message()
    }

    /// Draws in dark colours, or in light ones.
    pub fn set_dark(&mut self, is_dark: bool) {
        self.shell.set_dark(is_dark);
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
        self.room.describe()
    }

    /// Does what a button does, by its name: see the crate's README. What it gives is empty, a link, a
    /// scene, or a message.
    pub fn command(&mut self, name: &str) -> String {
        self.wake();
        self.room.command(name)
    }

    /// The seconds that the engine took in the last frame: what is not drawing.
    #[must_use]
    pub fn engine_seconds(&self) -> f64 {
        self.room.engine_seconds()
    }

    /// One frame.
    pub fn show(&mut self, ctx: &egui::Context) {
        if self.ctx.is_none() {
            self.ctx = Some(ctx.clone());
        }
        if ctx.cumulative_frame_nr() < SETTLED {
            ctx.request_repaint();
        }
        self.shell.prepare(ctx);
        match given::given(ctx) {
            Some(Ok(text)) => self.shell.open(text),
            Some(Err(message)) => self.room.say(message),
            None => {}
        }
        self.room.show(ctx, &mut self.shell);
        if let Some(text) = self.shell.take_wanted() {
            self.open(&text);
        }
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
