use super::BilliardRoom;
use crate::billiards::{Aim, Phase};
use eframe::egui::{self, Key, Modifiers};

/// What the keys do, for the help.
pub(super) const KEYS: [(&str, &str); 13] = [
    ("Space, Enter", "shoot; pause or go on"),
    ("←  →", "turn the aim, with Shift finely"),
    ("↑  ↓", "faster, slower stroke"),
    ("A  D  W  S", "english: left, right, up, down"),
    ("C", "tip at the centre, cue as level as can be"),
    ("Q  E", "lower, lift the butt"),
    (",  .", "one event back, one on"),
    ("End", "end of the shot"),
    ("U, Ctrl Z", "undo the shot"),
    ("Home", "set up again"),
    ("+  −", "time faster, slower"),
    ("F, L", "show all; labels"),
    ("T, H", "light or dark; this card"),
];

impl BilliardRoom {
    pub(super) fn keys(&mut self, ctx: &egui::Context) {
        if ctx.wants_keyboard_input() {
            return;
        }
        let is_hit = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if is_hit(Key::Space) || is_hit(Key::Enter) {
            match self.session.phase() {
                Phase::Aiming if self.session.known_forecast().is_some() => _ = self.session.shoot(),
                _ => self.session.play(!self.session.is_playing()),
            }
        }
        let (play, undoes) =
            (&mut self.session, ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z)));
        if is_hit(Key::U) || undoes {
            play.undo();
        }
        if is_hit(Key::Comma) {
            play.step(false);
        }
        if is_hit(Key::Period) {
            play.step(true);
        }
        if is_hit(Key::End) {
            play.finish();
        }
        if is_hit(Key::Home) {
            play.restart();
        }
        if is_hit(Key::Plus) || is_hit(Key::Equals) {
            play.set_speed(play.speed() * 2.0);
        }
        if is_hit(Key::Minus) {
            play.set_speed(play.speed() * 0.5);
        }
        if is_hit(Key::F) {
            self.fits = true;
        }
        if is_hit(Key::L) {
            self.labels = !self.labels;
        }
        if is_hit(Key::H) {
            self.help = !self.help;
        }
        self.keys_of_the_aim(ctx);
    }

    /// Keys that act for as long as they are held.
    fn keys_of_the_aim(&mut self, ctx: &egui::Context) {
        let (is_fine, seconds) =
            ctx.input(|input| (input.modifiers.shift, f64::from(input.stable_dt.min(0.1))));
        let way = |less: Key, more: Key| {
            ctx.input(|input| {
                f64::from(u8::from(input.key_down(more))) - f64::from(u8::from(input.key_down(less)))
            })
        };
        let turn = way(Key::ArrowRight, Key::ArrowLeft) * if is_fine { 0.01 } else { 0.25 };
        let by = Aim {
            direction: turn,
            speed: way(Key::ArrowDown, Key::ArrowUp) * 2.0,
            side: way(Key::A, Key::D) * 0.4,
            height: way(Key::S, Key::W) * 0.4,
            elevation: way(Key::Q, Key::E) * 0.4,
        };
        let is_centred = ctx.input(|input| input.key_pressed(Key::C) && !input.modifiers.command);
        let is_moved = [by.direction, by.speed, by.side, by.height, by.elevation].iter().any(|by| *by != 0.0);
        if is_moved {
            let aim = self.session.aim();
            self.session.set_aim(Aim {
                direction: aim.direction + by.direction * seconds,
                speed: aim.speed + by.speed * seconds,
                side: aim.side + by.side * seconds,
                height: aim.height + by.height * seconds,
                elevation: aim.elevation + by.elevation * seconds,
            });
            ctx.request_repaint();
        }
        if is_centred {
            let aim = self.session.aim();
            self.session.set_aim(Aim { side: 0.0, height: 0.0, ..aim });
            self.session.set_lifted(true);
        }
    }
}
