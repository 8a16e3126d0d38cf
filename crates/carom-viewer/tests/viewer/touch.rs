//! Fingers: what they touch is what the mouse would.

use super::{Window, button, place, times_of_a_new_world, times_shown};
#[cfg(feature = "games")]
use carom_engine::{DVec2, WallShape};
#[cfg(feature = "games")]
use carom_scene::Rgb;
#[cfg(feature = "games")]
use carom_viewer::GameRoom;
use eframe::egui::{Event, Pos2, TouchDeviceId, TouchId, TouchPhase, pos2, vec2};

impl Window {
    /// What a system sends of one finger: its touch, and the pointer that goes with it.
    fn touch(&mut self, phase: TouchPhase, pos: Pos2) {
        let (device_id, id) = (TouchDeviceId(1), TouchId(7));
        let mut events =
            vec![Event::Touch { device_id, id, phase, pos, force: None }, Event::PointerMoved(pos)];
        match phase {
            TouchPhase::Start => events.push(button(pos, true)),
            TouchPhase::End => events.extend([button(pos, false), Event::PointerGone]),
            _ => {}
        }
        self.frame(events);
    }

    pub(super) fn swipe(&mut self, from: Pos2, to: Pos2) {
        self.touch(TouchPhase::Start, from);
        (1..=8).for_each(|k| self.touch(TouchPhase::Move, from.lerp(to, k as f32 / 8.0)));
        self.touch(TouchPhase::End, to);
        self.frame(Vec::new());
    }
}

#[test]
fn a_finger_drags_a_disc_and_a_velocity() {
    let mut window = Window::new("two discs");
    for (of, field) in [("screen", "position"), ("tip_screen", "velocity")] {
        let (shown, from) = (window.describe(), window.place(0, of));
        window.swipe(from, from + vec2(24.0, -36.0));
        let now = window.describe();
        assert_ne!(now["discs"][0][field], shown["discs"][0][field]);
        assert_eq!(times_shown(&now), times_of_a_new_world(&now), "{of}");
    }
}

/// The corners of the box of a gas.
fn corners(window: &mut Window) -> [Pos2; 2] {
    let shown = window.describe();
    [0, 1].map(|k| place(&shown["screen"][k]))
}

#[test]
fn a_finger_moves_the_gas_and_two_make_it_larger() {
    let mut window = Window::new("gas of 1000");
    let before = corners(&mut window);
    let by = vec2(40.0, -24.0);
    window.swipe(pos2(400.0, 400.0), pos2(400.0, 400.0) + by);
    let moved = corners(&mut window);
    for (at, before) in moved.into_iter().zip(before) {
        assert!((at - before - by).length() < 0.01, "{at} {before}");
    }
    // Two fingers go apart to twice their distance, about their middle; then both go on together.
    let (middle, half) = (pos2(420.0, 380.0), vec2(40.0, 0.0));
    let touch = |id, phase, pos| Event::Touch {
        device_id: TouchDeviceId(1),
        id: TouchId(id),
        phase,
        pos,
        force: None,
    };
    let press = |pressed| button(middle - half, pressed);
    let ends = |window: &mut Window, phase, by, half, pointer: &[Event]| {
        let fingers = [middle + by - half, middle + by + half];
        let mut events =
            vec![touch(1, phase, fingers[0]), touch(2, phase, fingers[1]), Event::PointerMoved(fingers[0])];
        events.extend_from_slice(pointer);
        window.frame(events);
    };
    ends(&mut window, TouchPhase::Start, vec2(0.0, 0.0), half, &[press(true)]);
    for k in 0..=10 {
        ends(&mut window, TouchPhase::Move, vec2(0.0, 0.0), half * (1.0 + 0.1 * k as f32), &[]);
    }
    let larger = corners(&mut window);
    for (at, before) in larger.into_iter().zip(moved) {
        assert!((at - middle - 2.0 * (before - middle)).length() < 0.5, "{at} {before} {moved:?}");
    }
    for k in 1..=10 {
        ends(&mut window, TouchPhase::Move, by * (0.1 * k as f32), 2.0 * half, &[]);
    }
    let both = corners(&mut window);
    for (at, before) in both.into_iter().zip(larger) {
        assert!((at - before - by).length() < 0.5, "{at} {before}");
    }
    ends(&mut window, TouchPhase::End, by, 2.0 * half, &[press(false), Event::PointerGone]);
}

#[test]
fn a_finger_aims_and_shoots() {
    let mut window = Window::new("9-ball");
    let shown = window.describe();
    let aim = shown["aim"].clone();
    window.swipe(pos2(500.0, 300.0), pos2(560.0, 420.0));
    let aimed = window.describe();
    assert_ne!(aimed["aim"]["direction"], aim["direction"]);
    assert_eq!(aimed["phase"], "aiming");
    // The cue: drawn back by its butt, which sets the speed; the button plays the stroke.
    let [tip, butt] = [0, 1].map(|end| place(&aimed["cue_screen"][end]));
    let along = (butt - tip).normalized();
    let middle = tip.lerp(butt, 0.3);
    window.swipe(middle, middle + 12.0 * along);
    let drawn = window.describe();
    assert_ne!(drawn["aim"]["speed"], aimed["aim"]["speed"], "{drawn}");
    assert_eq!(drawn["aim"]["direction"], aimed["aim"]["direction"]);
    assert_eq!(window.viewer.command("shoot"), "");
    assert_eq!(window.describe()["phase"], "rolling");
}

/// Where balls are drawn.
#[cfg(feature = "games")]
#[derive(Default)]
struct Drawn(Vec<DVec2>);

#[cfg(feature = "games")]
impl carom_games::Board for Drawn {
    fn fill(&mut self, _: &[DVec2], _: Rgb, _: f64) {}
    fn stroke(&mut self, _: &[DVec2], _: f64, _: Rgb, _: f64) {}
    fn fill_disc(&mut self, center: DVec2, _: f64, _: Rgb, _: f64) {
        self.0.push(center);
    }
    fn glow(&mut self, _: DVec2, _: f64, _: Rgb, _: f64) {}
    fn ball(&mut self, center: DVec2, _: f64, _: Rgb) {
        self.0.push(center);
    }
    fn ring(&mut self, _: DVec2, _: f64, _: f64, _: Rgb, _: f64) {}
    fn fading(&mut self, _: DVec2, _: DVec2, _: f64, _: Rgb, _: f64) {}
    fn wall(&mut self, _: &WallShape) {}
    fn text(&mut self, _: DVec2, _: f64, _: &str, _: Rgb) {}
}

/// Where the balls of a game are drawn, and what else is a disc.
#[cfg(feature = "games")]
pub(super) fn drawn(play: &dyn carom_viewer::Play) -> Vec<DVec2> {
    let mut drawn = Drawn::default();
    play.draw(&mut drawn);
    drawn.0
}

#[cfg(feature = "games")]
#[test]
fn a_finger_starts_a_game_and_moves_the_mallet() {
    let mut places = Vec::new();
    for y in [300.0, 560.0] {
        let mut window = Window::new("air-hockey");
        let tap = pos2(600.0, 420.0);
        window.touch(TouchPhase::Start, tap);
        window.touch(TouchPhase::End, tap);
        window.frame(Vec::new());
        assert_eq!(window.describe()["playing"], true);
        window.touch(TouchPhase::Start, pos2(250.0, y));
        (0..30).for_each(|_| window.touch(TouchPhase::Move, pos2(250.0, y)));
        places.push(drawn(window.viewer.room::<GameRoom>().unwrap().play()));
    }
    // The same game except for the place of the finger.
    assert!(!places[0].is_empty() && places[0] != places[1]);
}
