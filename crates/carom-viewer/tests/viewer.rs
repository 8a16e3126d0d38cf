//! What the viewer shows is what the engine says, whatever is dragged; no scene and no input makes it panic.

#[cfg(feature = "rapier")]
#[path = "viewer/beside.rs"]
mod beside;
#[cfg(feature = "games")]
#[path = "viewer/games.rs"]
mod games;
#[path = "viewer/gas.rs"]
mod gas;
#[path = "viewer/physics.rs"]
mod physics;
#[path = "viewer/rough.rs"]
mod rough;
#[path = "viewer/touch.rs"]
mod touch;

use carom_engine::{DVec2, Disc, DiscId, Forces, Physics, Settings, Wall, World};
use carom_viewer::{DiscRoom, Promise, Session, Viewer, WorldRef, names};
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use serde_json::Value;

#[path = "viewer/billiards.rs"]
mod billiards;

/// A window without a screen.
struct Window {
    ctx: egui::Context,
    viewer: Viewer,
    time: f64,
}

impl Window {
    fn new(scene: &str) -> Self {
        let mut viewer = Viewer::new(Session::new());
        assert!(viewer.open(scene), "{scene}: {}", viewer.message());
        let mut window = Window { ctx: egui::Context::default(), viewer, time: 0.0 };
        // The size of the plane is known after the first frames.
        (0..3).for_each(|_| window.frame(Vec::new()));
        window
    }

    fn frame(&mut self, events: Vec<Event>) {
        self.time += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(1200.0, 800.0)));
        let input =
            RawInput { screen_rect, time: Some(self.time), events, focused: true, ..RawInput::default() };
        _ = self.ctx.run(input, |ctx| self.viewer.show(ctx));
    }

    fn describe(&mut self) -> Value {
        serde_json::from_str(&self.viewer.describe()).unwrap()
    }

    /// The place of a disc, or of the tip of its velocity, on the screen.
    fn place(&mut self, disc: usize, of: &str) -> Pos2 {
        place(&self.describe()["discs"][disc][of])
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        for k in 1..=8 {
            self.frame(vec![Event::PointerMoved(from.lerp(to, k as f32 / 8.0))]);
        }
        self.frame(vec![button(to, false)]);
        self.frame(Vec::new());
    }

    fn press(&mut self, key: Key) {
        let event = |pressed: bool| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![event(true)]);
        self.frame(vec![event(false)]);
    }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn place(value: &Value) -> Pos2 {
    let at = pair(value);
    pos2(at.x as f32, at.y as f32)
}

/// A session of this scene or link.
fn opened(text: &str) -> Session {
    let mut session = Session::new();
    assert!(session.open(text), "{text}: {}", session.message());
    session
}

fn pair(value: &Value) -> DVec2 {
    DVec2::new(value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
}

/// A world with the box and the discs that are shown.
fn filled<P: Physics<Body: Default, Extra: Default, Surface: Default>>(
    mut world: World<P>,
    shown: &Value,
) -> World<P> {
    world.add_wall(Wall::container([-6.0, -4.0], [6.0, 4.0])).unwrap();
    for disc in shown["discs"].as_array().unwrap() {
        let radius = disc["radius"].as_f64().unwrap();
        let velocity = pair(&disc["velocity"]);
        world.insert(Disc::new(pair(&disc["position"]), radius).with_velocity(velocity)).unwrap();
    }
    world
}

/// The times of the coming events of a world that is made anew of what is shown: the oracle.
fn times_of_a_new_world(shown: &Value) -> Vec<f64> {
    let world: World<Forces> = World::with_physics(Forces::new(), Settings::default()).unwrap();
    let mut world = filled(world, shown);
    (0..12).map(|_| world.step_event().time.as_secs()).collect()
}

fn times_shown(shown: &Value) -> Vec<f64> {
    shown["next"].as_array().unwrap().iter().map(|next| next["time"].as_f64().unwrap()).collect()
}

#[test]
fn drags_of_a_disc_and_of_a_velocity_change_the_times_to_those_of_the_engine() {
    let mut window = Window::new("two discs");
    let before = window.describe();
    assert_eq!(times_shown(&before), times_of_a_new_world(&before));
    for of in ["screen", "tip_screen"] {
        let shown = window.describe();
        let from = window.place(0, of);
        window.drag(from, from + vec2(31.0, -47.0));
        let now = window.describe();
        assert_ne!(times_shown(&now), times_shown(&shown), "{of}");
        assert_eq!(times_shown(&now), times_of_a_new_world(&now), "{of}");
        let field = if of == "screen" { "position" } else { "velocity" };
        assert_ne!(now["discs"][0][field], shown["discs"][0][field]);
        // One drag is one step to undo.
        window.press(Key::U);
        assert_eq!(window.describe()["hash"], shown["hash"]);
        window.drag(from, from + vec2(31.0, -47.0));
    }
}

/// A tap of a touchpad may begin and end between two frames: it does what a slow click does.
#[test]
fn a_click_within_one_frame_selects_and_adds() {
    let mut window = Window::new("two discs");
    let click = |pos: Pos2| vec![Event::PointerMoved(pos), button(pos, true), button(pos, false)];
    let second = window.place(1, "screen");
    window.frame(click(second));
    window.frame(Vec::new());
    let shown = window.describe();
    assert_eq!((&shown["selected"], &shown["other"]), (&shown["discs"][1]["id"], &shown["discs"][0]["id"]));
    window.press(Key::A);
    let count = window.describe()["count"].as_u64().unwrap();
    window.frame(click(pos2(300.0, 640.0)));
    window.frame(Vec::new());
    assert_eq!(window.describe()["count"], count + 1);
    let hash = window.describe()["hash"].clone();
    window.drag(pos2(500.0, 640.0), pos2(520.0, 640.0));
    assert_ne!(window.describe()["hash"], hash);
}

/// A press on the centre of a disc takes the disc, however its arrow lies; what is at rest has a stub to pull
/// at.
#[test]
fn the_centre_of_a_disc_is_the_discs_and_a_stub_is_there_to_be_pulled() {
    for by in [Window::drag, Window::swipe] {
        let mut window = Window::new("symmetric hit");
        for disc in 1..3 {
            let (center, shown) = (window.place(disc, "screen"), window.describe());
            by(&mut window, center, center + vec2(14.0, 0.0));
            let now = window.describe();
            assert_ne!(now["discs"][disc]["position"], shown["discs"][disc]["position"]);
            assert_eq!(now["discs"][disc]["velocity"], shown["discs"][disc]["velocity"]);
            let tip = window.place(disc, "tip_screen");
            assert!((tip - window.place(disc, "screen")).length() > 20.0, "clear of the disc");
            by(&mut window, tip, tip + vec2(30.0, 0.0));
            let pulled = window.describe();
            assert_eq!(pulled["discs"][disc]["position"], now["discs"][disc]["position"]);
            assert!(pair(&pulled["discs"][disc]["velocity"]).x > 0.0);
        }
    }
}

/// What overlaps when it is let go is pushed apart by the least moves: two discs each by half of the overlap.
#[test]
fn a_disc_that_is_dropped_onto_another_one_parts_from_it_as_the_engine_has_it() {
    for by in [Window::drag, Window::swipe] {
        let mut window = Window::new("two discs");
        let before = window.describe();
        let (from, onto) = (window.place(0, "screen"), window.place(1, "screen"));
        by(&mut window, from, onto + vec2(-20.0, 0.0));
        let shown = window.describe();
        assert_eq!(shown["message"], "pushed apart: 2 discs moved");
        assert_eq!(
            times_shown(&shown),
            times_of_a_new_world(&shown),
            "they are as far apart as they must be"
        );
        let far = |k: usize| pair(&shown["discs"][k]["position"]) - pair(&before["discs"][k]["position"]);
        assert!(far(1) != DVec2::ZERO, "the other one has given way");
        let gap = pair(&shown["discs"][0]["position"]).distance(pair(&shown["discs"][1]["position"])) - 1.75;
        assert!((0.0..1e-12).contains(&gap), "{gap}");
        // Drop and push are one step to undo.
        window.press(Key::U);
        assert_eq!(window.describe()["hash"], before["hash"]);
    }
    // While it lies there it is shown where they go.
    let mut session = Session::new();
    let disc = session.world().ids().next().unwrap();
    session.hold();
    session.put(disc, DVec2::new(2.5, 1.0));
    assert!(session.message().starts_with("it lies on another disc"));
    let pushed = session.pushed();
    session.release();
    for moved in pushed {
        assert_eq!(session.world().get(moved.disc).map(|disc| disc.position()), Some(moved.to));
    }
}

#[test]
fn what_there_is_no_room_for_is_refused_in_plain_words() {
    // Discs of radius 1 in a row that has room for three.
    let discs: String =
        [1.0, 3.0, 5.0].map(|x| format!("[[discs]]\nposition = [{x}, 1]\nradius = 1\n")).concat();
    let fourth = "[[discs]]\nposition = [3, 4]\nradius = 1\n";
    let walls = "[[walls]]\nshape = \"polyline\"\nclosed = true\npoints = [[-0.1, -0.1], [6.1, -0.1], \
                 [6.1, 2.1], [-0.1, 2.1]]\n";
    let text = format!("format = 1\nmodel = \"discs\"\nname = \"row\"\nuntil = 1\n{discs}{fourth}{walls}");
    let mut session = opened(&text);
    let all: Vec<DiscId> = session.world().ids().collect();
    let hash = session.hash();
    session.hold();
    session.put(all[3], DVec2::new(3.0, 1.0));
    session.release();
    assert_eq!(session.message(), "there is no room for it there: it is back where it last had some");
    assert_eq!(session.hash(), hash);
    session.put(all[0], DVec2::new(3.5, 1.0));
    assert_eq!(session.message(), "there is no room: another disc is there");
    session.put(all[0], DVec2::new(-0.5, 1.0));
    assert_eq!(session.message(), "there is no room: a wall is there");
    session.draw_wall(DVec2::new(1.0, 0.0), DVec2::new(1.0, 2.0));
    assert_eq!(session.message(), "there is no room for a wall: a disc is there");
    assert_eq!(session.hash(), hash);
    let mut window = Window::new("two discs");
    let session = window.viewer.room_mut::<DiscRoom>().unwrap().session_mut();
    let disc: DiscId = session.world().ids().next().unwrap();
    let hash = session.hash();
    session.send(disc, DVec2::splat(f64::NAN));
    session.resize(disc, -1.0);
    session.weigh(disc, f64::NAN);
    session.set_gravity(DVec2::splat(f64::INFINITY));
    assert!(!session.message().is_empty() && session.hash() == hash);
}

#[test]
fn steps_and_scrubbing_go_both_ways_to_the_same_bits() {
    let mut window = Window::new("break");
    let mut hashes = vec![window.describe()["hash"].clone()];
    for _ in 0..30 {
        window.press(Key::ArrowRight);
        hashes.push(window.describe()["hash"].clone());
    }
    for hash in hashes.iter().rev().skip(1) {
        window.press(Key::ArrowLeft);
        assert_eq!(&window.describe()["hash"], hash);
    }
    let session = window.viewer.room_mut::<DiscRoom>().unwrap().session_mut();
    session.go_to(0.3);
    let there = session.hash();
    session.go_to(0.0);
    session.go_to(0.3);
    assert_eq!(session.hash(), there);
}

#[test]
fn a_link_has_every_bit() {
    let mut session = Session::new();
    for name in ["two discs", "break", "stack", "newtons-cradle"] {
        assert!(session.open(name));
        session.go_to(0.37);
        let link = session.share().unwrap();
        let mut other = opened(&link);
        for (a, b) in session.world().discs().zip(other.world().discs()) {
            assert_eq!((a.position(), a.velocity()), (b.position(), b.velocity()), "{name}");
        }
        let again = other.share().unwrap();
        assert_eq!(again, link, "{name}");
        assert!(other.promise().is_some_and(Promise::is_kept), "{name}");
        // Without its result it opens, with another one it says so, and with a part of it it is broken.
        let (start, end) = link.rsplit_once('.').unwrap();
        assert!(other.open(start) && other.promise().is_none() && other.message().is_empty());
        let told = u64::from_str_radix(end, 16).unwrap();
        assert!(other.open(&format!("{start}.{:016x}", told ^ 1)));
        assert!(!other.promise().unwrap().is_kept() && other.message().contains("result"));
        assert!(!other.open(&link[..link.len() - 1]) && other.message().contains("broken"));
    }
}

/// A world of this many discs in a row.
fn row(count: u32) -> Session {
    let discs: String =
        (0..count).map(|k| format!("[[discs]]\nposition = [{}.125, 0]\nradius = 0.25\n", k)).collect();
    opened(&format!("format = 1\nmodel = \"discs\"\nname = \"row\"\nuntil = 1\n{discs}"))
}

/// The size that a refusal tells: what follows the colon.
fn size_told(message: &str) -> f64 {
    let (_, size) = message.split_once(": ").unwrap();
    let (number, unit) = size.split_once(' ').unwrap();
    let unit = if unit.starts_with("MB") { 1e6 } else { 1e3 };
    number.parse::<f64>().unwrap() * unit
}

/// What an address cannot hold is refused with its size and the limit: the exact size where it is written,
/// and else what some of its discs take, in proportion.
#[test]
fn a_world_that_is_too_large_for_a_link_says_how_large_it_is() {
    let half = row(5_000).share().unwrap().len() as f64;
    assert!(half < 1e6, "{half}");
    for times in [3, 6] {
        let message = row(5_000 * times).share().unwrap_err();
        assert!(message.contains("link") && message.contains("at most 1.0 MB"), "{message}");
        // Places have one digit more or less: 3 % of a disc.
        let size = size_told(&message) / f64::from(times);
        assert!((size / half - 1.0).abs() < 0.05, "{message}");
    }
    let saved = row(30_000).saved().unwrap();
    assert!(Session::new().open(&saved));
}

/// A shell takes a name with hyphens more easily, and the page shows it with spaces.
#[test]
fn names_are_taken_with_spaces_and_with_hyphens() {
    let mut session = Session::new();
    for name in names() {
        for as_given in [name.replace(' ', "-"), name.replace('-', " ")] {
            assert!(session.open(&as_given), "{as_given}: {}", session.message());
            assert_eq!(session.name(), name);
        }
    }
    assert!(!session.open("newton-cradle"));
    assert_eq!(
        session.message(),
        "there is no scene or file `newton-cradle`; the nearest name is `newtons-cradle`"
    );
}

#[test]
fn no_text_makes_it_panic_and_a_bad_one_leaves_all_as_it_was() {
    let mut session = Session::new();
    let hash = session.hash();
    let link = session.share().unwrap();
    let half = &link[..link.len() / 2];
    let long = "\0".repeat(1 << 20);
    let texts = [
        "", "c1.", "c1.@@@", "c1.AAAA", "c1.e30", "{", "{}", "no-such-scene", "name = 3", "\0", "ä=ö", half,
        &long,
    ];
    for text in texts {
        assert!(!session.open(text), "{text:?}");
        assert!((1..500).contains(&session.message().len()), "{text:?}: {}", session.message());
        assert_eq!(session.hash(), hash);
    }
}

#[test]
fn every_scene_is_shown_and_runs() {
    for name in names() {
        let mut window = Window::new(name);
        window.press(Key::Space);
        (0..12).for_each(|_| window.frame(Vec::new()));
        let shown = window.describe();
        assert!(shown["time"].as_f64().unwrap() > 0.0, "{name}");
        assert_eq!(shown["message"], "", "{name}");
    }
}

#[test]
fn no_input_makes_it_panic() {
    // Keys and drags from a generator of numbers (Knuth's), all over the window.
    let mut state = 1_u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let keys =
        [Key::Space, Key::ArrowRight, Key::ArrowLeft, Key::Home, Key::U, Key::Delete, Key::A, Key::W, Key::F];
    for name in ["two discs", "stack", "newtons-cradle", "conveyor"] {
        let mut window = Window::new(name);
        for _ in 0..60 {
            let mut place = || pos2(below(1200) as f32, below(800) as f32);
            let (from, to) = (place(), place());
            window.drag(from, to);
            window.press(keys[below(keys.len() as u64) as usize]);
        }
        assert!(window.describe()["version"] == 1);
    }
}

#[test]
fn the_forecast_of_a_pair_among_many_is_what_happens() {
    let mut session = opened("box-1000");
    let tracks = session.outlook().tracks().to_vec();
    assert_eq!(tracks.len(), 2);
    let WorldRef::Forces(start) = session.world() else { panic!("it has no drag") };
    let mut world = start.clone();
    for track in tracks {
        assert!(!track.pieces.is_empty());
        let mut then = session.world().now().as_secs();
        for (position, velocity, acceleration, lasts) in track.pieces {
            let end = position + (velocity + acceleration * (0.5 * lasts)) * lasts;
            then += lasts;
            world.clone_from(start);
            world.advance_to(then).unwrap();
            let place = world.get(track.disc).unwrap().unwrapped_position();
            // The same path, by sums that are rounded in other places.
            assert!((place - end).length() < 1e-9 * (1.0 + end.length()), "{place} {end}");
        }
    }
}

/// The table of pairs that is shown is that of what is shown, before any time has passed, too: the first
/// event is its least entry.
#[test]
fn the_table_of_a_scene_that_was_opened_or_edited_has_its_first_event() {
    let mut session = Session::new();
    for edit in [false, true] {
        let disc = session.world().ids().next().unwrap();
        if edit {
            session.send(disc, DVec2::new(1.5, 0.25));
        }
        let first = session.outlook().coming()[0].time.as_secs();
        let ids: Vec<DiscId> = session.world().ids().collect();
        let all = ids.iter().flat_map(|&a| ids.iter().map(move |&b| (a, b)));
        let least = all.filter_map(|(a, b)| session.entry(a, b)).fold(f64::INFINITY, f64::min);
        assert_eq!(least, first);
    }
}

#[test]
fn the_least_gap_is_that_of_the_worst_pair_or_wall() {
    // Radii ¾ and 1, the second disc at (3, 1), in a box from (−6, −4) to (6, 4).
    let mut session = Session::new();
    let disc = session.world().ids().next().unwrap();
    session.put(disc, DVec2::new(0.0, 1.0));
    assert_eq!(session.closest(), Some(3.0 - 1.75));
    session.put(disc, DVec2::new(0.0, -3.0));
    assert_eq!(session.closest(), Some(0.25));
}
