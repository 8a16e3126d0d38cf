use super::DiscRoom;
use eframe::egui::{self, Key, Modifiers};

/// What the keys do, for the help.
pub(super) const KEYS: [(&str, &str); 13] = [
    ("Space", "play, pause"),
    ("→", "one event on"),
    ("←", "one event back"),
    ("Home", "back to the start"),
    ("+  −", "faster, slower"),
    ("U, Ctrl Z", "undo"),
    ("Delete", "remove the selected disc"),
    ("A", "a press on the plane adds a disc"),
    ("W", "a drag on the plane draws a wall"),
    ("F", "show all"),
    ("Ctrl V", "opens a link or scene; so does a file dropped here"),
    ("T", "light, dark"),
    ("H", "this card"),
];

impl DiscRoom {
    pub(super) fn keys(&mut self, ctx: &egui::Context) {
        if ctx.wants_keyboard_input() {
            return;
        }
        let is_hit = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if is_hit(Key::Space) {
            self.session.play(!self.session.is_playing());
        }
        if is_hit(Key::ArrowRight) {
            self.session.step();
        }
        if is_hit(Key::ArrowLeft) {
            self.session.step_back();
        }
        if is_hit(Key::Home) {
            self.session.restart();
        }
        if is_hit(Key::Plus) || is_hit(Key::Equals) {
            self.session.set_speed(self.session.speed() * 2.0);
        }
        if is_hit(Key::Minus) {
            self.session.set_speed(self.session.speed() * 0.5);
        }
        let undoes = ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z));
        if is_hit(Key::U) || undoes {
            self.session.undo();
        }
        if (is_hit(Key::Delete) || is_hit(Key::Backspace))
            && let Some(disc) = self.session.selected()
        {
            self.session.remove(disc);
        }
        self.keys_of_the_view(is_hit);
    }

    fn keys_of_the_view(&mut self, is_hit: impl Fn(Key) -> bool) {
        use super::Tool;
        let toggled = |tool: Tool, other: Tool| if tool == other { Tool::Look } else { other };
        if is_hit(Key::A) {
            self.tool = toggled(self.tool, Tool::Disc);
        }
        if is_hit(Key::W) {
            self.tool = toggled(self.tool, Tool::Wall);
        }
        if is_hit(Key::F) {
            self.fits = true;
        }
        if is_hit(Key::H) {
            self.shows.help = !self.shows.help;
        }
    }
}
