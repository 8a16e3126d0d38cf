//! Drag, growth and planes that repeat themselves: what is shown is what the engine says, and what cannot be
//! together is said.

use super::{Window, filled, opened, pair, times_shown};
use carom_engine::{DVec2, Disc, DiscId, Settings, World};
use carom_viewer::{Contacts, DiscRoom, Session, WorldRef};

/// Two discs in a plane that repeats itself after 8 and 6.
const PERIODIC: &str = "format = 1\nmodel = \"discs\"\nname = \"periodic\"\nuntil = 10.0\n\
     periodic = { x = 8.0, y = 6.0 }\n\
     [[discs]]\nposition = [7.5, 3.0]\nradius = 0.75\nvelocity = [2.0, 0.5]\n\
     [[discs]]\nposition = [3.0, 2.0]\nradius = 0.5\nvelocity = [-1.0, 0.25]\n";

fn first(session: &Session) -> DiscId {
    session.world().ids().next().unwrap()
}

#[test]
fn drag_slows_down_exponentially_and_is_undone_and_shared() {
    let mut session = Session::new();
    let (disc, hash) = (first(&session), session.hash());
    let start = session.world().get(disc).unwrap();
    // One drag of the slider is one step to undo.
    session.hold();
    session.set_drag(0.25);
    session.set_drag(0.5);
    session.release();
    assert_eq!((session.drag(), session.message()), (0.5, ""));
    let link = session.share().unwrap();
    // v = v₀ e^(−k t) and x = x₀ + v₀ (1 − e^(−k t))/k, before anything is met.
    session.go_to(1.0);
    let (now, left) = (session.world().get(first(&session)).unwrap(), (-0.5_f64).exp());
    assert!((now.velocity() - start.velocity() * left).length() < 1e-15);
    assert!((now.position() - start.position() - start.velocity() * ((1.0 - left) / 0.5)).length() < 1e-14);
    let mut other = opened(&link);
    other.go_to(1.0);
    assert_eq!((other.drag(), other.hash()), (0.5, session.hash()));
    session.undo();
    assert_eq!((session.drag(), session.hash()), (0.0, hash));
    assert!(!session.can_undo() && session.world().now().as_secs() == 0.0);
}

#[test]
fn the_coming_events_under_drag_are_those_of_the_engine() {
    let mut window = Window::new("two discs");
    let room = window.viewer.room_mut::<DiscRoom>().unwrap();
    room.session_mut().set_drag(0.1);
    let shown = window.describe();
    let mut world: World = filled(World::with_settings(Settings::default().with_drag(0.1)).unwrap(), &shown);
    // After five events no way is left that leads to another one.
    let times: Vec<f64> = (0..5).map(|_| world.step_event().time.as_secs()).collect();
    assert_eq!((times_shown(&shown), world.step_event().events), (times.clone(), 0));
    // Both contact times are those of the table, to rounding.
    let entry = shown["pair"]["entry"].as_f64().unwrap();
    let enter = shown["pair"]["contacts"][0].as_f64().unwrap();
    assert!((entry - enter).abs() < 1e-12 && entry == times[0], "{shown}");
}

/// Two discs of radius 1 that come to each other on the x axis, 6 apart, the second one at rest.
fn in_line(speed: f64) -> Session {
    let mut session = Session::new();
    let [a, b] = [0, 1].map(|k| session.world().ids().nth(k).unwrap());
    for (disc, x, speed) in [(a, -3.0, speed), (b, 3.0, 0.0)] {
        session.put(disc, DVec2::new(x, 0.0));
        session.resize(disc, 1.0);
        session.send(disc, DVec2::new(speed, 0.0));
    }
    session
}

/// What slows down may stop before it is there. The contact times of a pair are the roots of the curve that
/// is drawn, and the first one is the entry of the table.
#[test]
fn a_pair_that_friction_slows_down_touches_where_its_curve_is_zero() {
    // At 2 m/s² a way of 4 takes (v − √(v² − 16))/2 s: 1 s at 5 m/s, and is too far at 3.9.
    let mut session = in_line(5.0);
    session.set_friction(2.0);
    session.outlook();
    let pair = session.pair().unwrap();
    let Contacts::Both(enter, exit) = pair.contacts else { panic!("{pair:?}") };
    assert!((enter - 1.0).abs() < 1e-15 && (pair.entry.unwrap() - 1.0).abs() < 1e-15, "{pair:?}");
    // It would stop after 6.25, inside the other one.
    assert!(exit == f64::INFINITY && pair.gap(2.5) == -1.75 && pair.gap(9.0) == pair.gap(2.5));
    assert_eq!((pair.says(), pair.discriminant), ("will collide", None));
    let mut session = in_line(3.9);
    assert_eq!(session.pair().unwrap().says(), "will collide");
    session.set_friction(2.0);
    session.outlook();
    let pair = session.pair().unwrap();
    assert_eq!((pair.says(), pair.entry), ("never", Some(f64::INFINITY)));
}

/// Of two that drag stops before they meet, neither the geometry nor the table has a time.
#[test]
fn a_pair_that_drag_stops_has_no_time_in_the_table() {
    // The way that is left is v/k: 4 in time is 5 or 8, and never 3.9.
    for (speed, says) in [(5.0, "will collide"), (3.9, "never")] {
        let mut session = in_line(speed);
        session.set_drag(1.0);
        session.outlook();
        let pair = session.pair().unwrap();
        assert_eq!((pair.says(), pair.entry.unwrap().is_finite()), (says, says != "never"));
    }
}

#[test]
fn gravity_friction_and_drag_end_each_other() {
    let mut session = Session::new();
    session.set_drag(0.5);
    session.set_gravity(DVec2::new(0.0, -9.0));
    assert_eq!((session.drag(), session.world().forces().gravity().y), (0.0, -9.0));
    assert!(matches!(session.world(), WorldRef::Forces(_)));
    session.set_drag(0.5);
    assert_eq!((session.drag(), session.world().forces().gravity()), (0.5, DVec2::ZERO));
    session.set_friction(2.0);
    assert_eq!((session.drag(), session.friction()), (0.0, 2.0));
    assert_eq!((session.selected(), session.world().len()), (Some(first(&session)), 2));
    // What is refused leaves all as it was.
    let hash = session.hash();
    for refused in [f64::NAN, -1.0, 1e300] {
        session.set_drag(refused);
        assert!(session.friction() == 2.0 && session.hash() == hash, "{}", session.message());
        assert!(session.message().contains("drag"), "{}", session.message());
    }
    (0..3).for_each(|_| session.undo());
    assert_eq!((session.drag(), session.friction()), (0.5, 0.0));
}

#[test]
fn radii_grow_in_proportion_until_forces_end_it() {
    let mut session = Session::new();
    session.set_growth(0.125);
    let before = session.world().get(first(&session)).unwrap().radius();
    session.go_to(1.0);
    // R (1 + g t), exactly: both are sums of few powers of two.
    assert_eq!(session.world().get(first(&session)).unwrap().radius(), before * 1.125);
    assert!(session.world().growth() > 0.0);
    let enter = session.pair().unwrap();
    assert!(enter.gap(0.0) > 0.0);
    if let Contacts::Both(at, _) = enter.contacts {
        assert!(enter.gap(at).abs() < 1e-12, "{enter:?}");
        assert!((enter.entry.unwrap() - 1.0 - at).abs() < 1e-12, "{enter:?}");
    }
    session.set_gravity(DVec2::new(0.0, -1.0));
    assert_eq!((session.world().growth(), session.message()), (0.0, ""));
    // Round rooms do not take discs that grow, and say so.
    assert!(session.open("stadium"), "{}", session.message());
    let hash = session.hash();
    session.set_growth(0.1);
    assert!(session.message().contains("wall") && session.hash() == hash, "{}", session.message());
}

#[test]
fn a_link_and_a_file_keep_radii_growing() {
    let mut session = Session::new();
    session.set_growth(0.125);
    session.go_to(1.0);
    for text in [session.share().unwrap(), session.saved().unwrap()] {
        let mut other = opened(&text);
        assert_eq!(other.world().growth().to_bits(), session.world().growth().to_bits());
        let radius = |session: &Session| session.world().get(first(session)).unwrap().radius();
        assert_eq!(radius(&other), radius(&session));
        // R (1 + g t), whether t counts from the start or from the link.
        other.go_to(1.0);
        session.go_to(2.0);
        assert!((radius(&other) / radius(&session) - 1.0).abs() < 1e-15);
        session.go_to(1.0);
    }
}

#[test]
fn a_plane_that_repeats_itself_opens_runs_and_wraps_what_is_dragged() {
    let mut window = Window::new(PERIODIC);
    let shown = window.describe();
    // Through the edge at 8, the first meets an image of the second: an engine without a window says when.
    let mut world = World::with_settings(Settings::default().with_period([Some(8.0), Some(6.0)])).unwrap();
    world.insert(Disc::new([7.5, 3.0], 0.75).with_velocity([2.0, 0.5])).unwrap();
    world.insert(Disc::new([3.0, 2.0], 0.5).with_velocity([-1.0, 0.25])).unwrap();
    let times: Vec<f64> = (0..12).map(|_| world.step_event().time.as_secs()).collect();
    assert_eq!(times_shown(&shown)[..], times[..times_shown(&shown).len()]);
    // Dragged to the left over the edge at 0 it comes in at the right.
    let from = window.place(1, "screen");
    let scale = (window.place(0, "screen").x - from.x) / 4.5;
    window.drag(from, from - eframe::egui::vec2(3.75 * scale, -scale));
    let place = pair(&window.describe()["discs"][1]["position"]);
    assert!((place - DVec2::new(7.25, 1.0)).length() < 0.05, "{place} {}", window.describe()["message"]);
    let session = window.viewer.room_mut::<DiscRoom>().unwrap().session_mut();
    session.set_gravity(DVec2::new(0.0, -1.0));
    assert_eq!((session.message(), session.world().forces().gravity().y), ("", -1.0));
    session.undo();
    // Under forces a period is at least 2.041 sums of two radii.
    let mut tight = opened(&PERIODIC.replace("y = 6.0", "y = 2.5"));
    let hash = tight.hash();
    tight.set_gravity(DVec2::new(0.0, -1.0));
    assert!(tight.message().contains("period") && tight.hash() == hash, "{}", tight.message());
    session.set_drag(0.25);
    assert_eq!((session.message(), session.world().settings().period[0]), ("", Some(8.0)));
    let link = session.share().unwrap();
    let other = opened(&link);
    assert_eq!(other.hash(), session.hash());
}

#[test]
fn the_forecast_of_a_pair_among_many_that_runs_is_what_happens() {
    let mut session = opened("box-1000");
    session.play(true);
    for _ in 0..40 {
        session.frame(1.0 / 240.0);
        let now = session.world().now();
        let coming = session.outlook().coming().to_vec();
        assert!(!session.outlook().tracks().is_empty() && coming.iter().all(|coming| coming.time >= now));
    }
    let coming = session.outlook().coming().to_vec();
    let chosen = session.selected().unwrap();
    let next = coming.iter().find(|next| next.a == chosen && !next.ghosts.is_empty()).unwrap();
    session.go_to(next.time.as_secs());
    let place = session.world().get(chosen).unwrap().position();
    assert!(place.distance(next.ghosts[0].0) < 1e-9, "{place} {next:?}");
}
