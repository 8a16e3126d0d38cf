//! Discs that turn and rub: what is shown is what the engine says, and nothing of it is lost on the way.

use super::{Window, opened, times_shown};
use carom_engine::{DVec2, DiscId, Forces, Rough, World};
use carom_scene::Scene;
use carom_viewer::{DiscRoom, Promise, Session, WorldRef, names};

/// A hoop, a disc of infinite mass, and one with all that can be said of a disc, on a belt between two ends.
const BELT: &str = "format = 1\nmodel = \"discs\"\nname = \"belt\"\nuntil = 5\ngravity = [0.0, -10.0]\n\
     roughness = { friction = 2.5, rolling_resistance = 0.01 }\n\
     discs = [{ position = [1, 2], radius = 0.5, inertia = 1, velocity = [1, 0], angular_velocity = 3 },\n\
     { position = [4, 6], radius = 0.5, mass = \"inf\", gravity_scale = 0 },\n\
     { position = [3, 0.25], radius = 0.25, angle = 0.5, angular_velocity = -4, restitution = 0.5,\n\
     roughness = { friction = 0.1, tangential_restitution = 0.25 } }]\n\
     [[walls]]\nshape = \"segment\"\na = [0, 0]\nb = [6, 0]\nsurface_speed = 0.5\nrestitution = 0.5\n\
     [[walls]]\nshape = \"polyline\"\npoints = [[0, 3], [0, -1], [6, -1], [6, 3]]\n\
     roughness = { friction = 0.75 }\n";

fn world_of(scene: &Scene) -> World<Rough<Forces>> {
    scene.build_as().unwrap().world
}

fn first(session: &Session) -> DiscId {
    session.world().ids().next().unwrap()
}

/// All discs and walls. How held discs turn faster follows from the rest.
fn shown(session: &Session) -> String {
    let walls = session.world().walls().map(|id| session.world().wall(id));
    let discs = session.world().discs().map(|disc| {
        let mut disc = disc.to_disc();
        disc.extra.angular_acceleration = 0.0;
        disc
    });
    format!("{:?} {:?}", discs.collect::<Vec<_>>(), walls.collect::<Vec<_>>())
}

#[test]
fn scenes_with_friction_run_as_the_engine_runs_them() {
    let rough: Vec<&str> = names().filter(|name| name.ends_with("-rolling") || *name == "conveyor").collect();
    assert_eq!(rough.len(), 4, "{rough:?}");
    for name in rough {
        let mut session = opened(name);
        session.play(true);
        (0..90).for_each(|_| session.frame(1.0 / 60.0));
        assert_eq!(session.message(), "", "{name}");
        let mut world = world_of(&Scene::named(name).unwrap());
        world.advance_to(session.world().now().as_secs()).unwrap();
        let mut turning = 0;
        for (seen, (_, disc)) in session.world().discs().zip(world.discs()) {
            assert_eq!((seen.position(), seen.velocity()), (disc.position, disc.velocity), "{name}");
            assert_eq!(seen.spin(), Some(disc.extra), "{name}");
            turning += u32::from(disc.extra.angular_velocity != 0.0);
        }
        assert!(turning > 0, "{name}");
        // Back and there again, by time and by events.
        let (hash, now) = (session.hash(), session.world().now().as_secs());
        session.go_to(0.5 * now);
        session.go_to(now);
        assert_eq!(session.hash(), hash, "{name}");
        session.step();
        let hash = session.hash();
        session.step_back();
        session.step();
        assert_eq!((session.hash(), session.message()), (hash, ""), "{name}");
    }
}

#[test]
fn the_coming_events_and_spins_are_those_of_the_engine() {
    let mut window = Window::new(BELT);
    let shown = window.describe();
    let mut world = world_of(&Scene::from_toml(BELT, "belt").unwrap());
    // How held discs begin to move is there once time has begun.
    world.advance(0.0).unwrap();
    let times: Vec<f64> = times_shown(&shown);
    assert!(times.len() > 4, "{shown}");
    for time in times {
        let next = world.next_event().map(|next| next.time.as_secs());
        assert_eq!(next, Some(time), "{shown}");
        world.step_event();
    }
    assert_eq!(shown["discs"][0]["angular_velocity"], 3.0);
    assert_eq!(shown["discs"][2]["angle"], 0.5);
    assert!(Window::new("two discs").describe()["discs"][0]["angle"].is_null());
}

#[test]
fn a_link_and_a_file_keep_how_discs_turn_and_rub() {
    let mut session = opened(BELT);
    for time in [0.0, 0.7] {
        session.go_to(time);
        for text in [session.share().unwrap(), session.saved().unwrap()] {
            let other = opened(&text);
            assert_eq!(shown(&other), shown(&session));
            assert_eq!(other.world().roughness(), session.world().roughness());
            assert!(other.promise().is_none_or(Promise::is_kept));
        }
    }
    let link = session.share().unwrap();
    assert_eq!(opened(&link).share().unwrap(), link);
}

/// A spin that is given is one step to undo, and what turns on a floor sets out.
#[test]
fn a_spin_is_edited_and_undone() {
    let mut session = opened(BELT);
    let (disc, hash) = (session.world().ids().last().unwrap(), session.hash());
    session.hold();
    session.spin(disc, -20.0);
    session.spin(disc, -40.0);
    session.release();
    let spin = session.world().get(disc).unwrap().spin().unwrap();
    assert_eq!((spin.angle, spin.angular_velocity, session.message()), (0.5, -40.0, ""));
    session.outlook();
    session.go_to(0.01);
    assert!(session.world().get(disc).unwrap().velocity().x > 0.0);
    session.undo();
    assert_eq!((session.hash(), session.can_undo()), (hash, false));
    session.spin(disc, f64::NAN);
    assert!(
        session.message().contains("angular_velocity") && session.hash() == hash,
        "{}",
        session.message()
    );
    // Gravity, friction with the table, restitution, discs and walls are changed as elsewhere.
    session.set_gravity(DVec2::new(0.0, -5.0));
    session.set_restitution(0.25);
    session.draw_wall(DVec2::new(1.0, 4.0), DVec2::new(2.0, 5.0));
    session.add(DVec2::new(5.0, 4.0));
    assert_eq!((session.message(), session.world().forces().gravity().y), ("", -5.0));
    let added = session.world().get(session.selected().unwrap()).unwrap();
    assert_eq!(added.spin().map(|spin| spin.angular_velocity), Some(0.0));
    session.set_friction(2.0);
    assert_eq!((session.message(), session.friction()), ("", 2.0));
    assert!(matches!(session.world(), WorldRef::Rough(_)));
}

/// With roughness two discs that graze each other part turning; before, they did not.
#[test]
fn smooth_discs_become_rough_and_refuse_drag_and_growth() {
    let mut session = Session::new();
    session.send(first(&session), DVec2::new(2.0, 0.25));
    session.set_drag(0.25);
    session.set_roughness(0.5);
    assert_eq!((session.message(), session.drag()), ("", 0.0));
    assert_eq!(session.selected(), Some(first(&session)));
    let hash = session.hash();
    session.set_drag(0.5);
    assert!(session.message().contains("drag") && session.hash() == hash, "{}", session.message());
    session.set_growth(0.125);
    assert!(session.message().contains("grow") && session.hash() == hash, "{}", session.message());
    session.set_roughness(-1.0);
    assert!(session.message().contains("friction") && session.hash() == hash, "{}", session.message());
    session.step();
    let spins = session.world().discs().map(|disc| disc.spin().unwrap().angular_velocity);
    assert!(spins.into_iter().all(|spin| spin != 0.0));
    session.set_roughness(0.0);
    assert_eq!(session.world().roughness().unwrap().friction(), 0.0);
    (0..4).for_each(|_| session.undo());
    assert!(matches!(session.world(), WorldRef::Forces(_)) && session.world().roughness().is_none());
}

/// Sliders and fields that end below what a scene has leave it as it is.
#[test]
fn numbers_beyond_the_ends_of_sliders_stay() {
    let mut window = Window::new(&BELT.replace("-10.0]", "-1000.0]"));
    for disc in 0..3 {
        let session = window.viewer.room_mut::<DiscRoom>().unwrap().session_mut();
        let disc = session.world().ids().nth(disc);
        session.select(disc);
        (0..3).for_each(|_| window.frame(Vec::new()));
    }
    let session = window.viewer.room_mut::<DiscRoom>().unwrap().session_mut();
    assert_eq!((session.message(), session.can_undo()), ("", false));
    assert_eq!(session.world().forces().gravity().y, -1000.0);
    assert_eq!(session.world().roughness().unwrap().friction(), 2.5);
    assert_eq!(session.world().discs().nth(1).unwrap().mass(), f64::INFINITY);
}
