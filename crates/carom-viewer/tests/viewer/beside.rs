use super::{Window, opened};
use carom_engine::DVec2;
use carom_viewer::{Beside, Compared, DiscRoom, FixedStep, Session};

/// A session of these discs in TOML, and what becomes of both at a time.
fn compared(discs: &str, dt: f64, time: f64) -> Compared {
    let mut session =
        opened(&format!("format = 1\nmodel = \"discs\"\nname = \"test\"\nuntil = 10.0\n{discs}"));
    let mut beside = Beside::new();
    beside.set_dt(dt);
    beside.follow(&session);
    session.go_to(time);
    beside.follow(&session);
    assert_eq!((beside.refused(), beside.is_there()), ("", true));
    beside.compared(&session).unwrap()
}

#[test]
fn a_disc_alone_is_where_it_is_in_both() {
    // Straight paths between places at steps are the path itself.
    let alone = "[[discs]]\nposition = [0.0, 0.0]\nradius = 0.5\nvelocity = [1.5, -0.25]\n";
    let compared = compared(alone, 1.0 / 64.0, 2.3);
    assert!(compared.farthest < 1e-12, "{compared:?}");
    assert_eq!((compared.impacts, compared.passed), ([0, 0], 0));
    assert!(compared.energy.unwrap().iter().all(|part| (part - 1.0).abs() < 1e-12), "{compared:?}");
}

#[test]
fn fast_discs_pass_through_each_other_in_steps_and_meet_here() {
    // 6.4 lengths in a step of 1/50 s, more than both diameters, from 5 apart: they change sides in the
    // first.
    let discs = "[[discs]]\nposition = [-2.5, 0.0]\nradius = 0.5\nvelocity = [160.0, 0.0]\n\
                 [[discs]]\nposition = [2.5, 0.1]\nradius = 0.5\nvelocity = [-160.0, 0.0]\n";
    let with = compared(discs, 0.02, 0.06);
    assert_eq!((with.impacts, with.passed), ([1, 0], 1), "{with:?}");
    // Ours turned round when they met; there they went on, each by 320 lengths a second from the other.
    assert!(with.farthest > 10.0, "{with:?}");
    let small = compared(discs, 1e-4, 0.06);
    assert_eq!((small.impacts, small.passed), ([1, 1], 0), "{small:?}");
    assert!(small.farthest < with.farthest / 10.0, "{small:?}");
}

#[test]
fn an_edit_begins_anew_and_so_does_going_back() {
    let mut session = Session::new();
    let disc = session.world().ids().next().unwrap();
    let mut beside = Beside::new();
    session.go_to(1.0);
    beside.follow(&session);
    assert_eq!(beside.engine().map(FixedStep::start), Some(1.0));
    session.send(disc, DVec2::new(1.0, 0.0));
    session.go_to(1.5);
    beside.follow(&session);
    assert_eq!(beside.engine().map(FixedStep::start), Some(1.5));
    session.go_to(2.5);
    beside.follow(&session);
    let there = beside.compared(&session);
    session.go_to(1.75);
    beside.follow(&session);
    session.go_to(2.5);
    beside.follow(&session);
    assert_eq!(beside.compared(&session), there);
    session.go_to(0.5);
    beside.follow(&session);
    assert_eq!(beside.engine().map(FixedStep::start), Some(0.5));
}

#[test]
fn every_hard_case_runs_beside_ours_or_says_why_not() {
    for name in carom_viewer::names() {
        let mut window = Window::new(name);
        // Some scenes have the name of a game, which opens in their place.
        let Some(room) = window.viewer.room_mut::<DiscRoom>() else { continue };
        room.show_beside(true);
        room.session_mut().play(true);
        (0..6).for_each(|_| window.frame(Vec::new()));
        let beside = window.viewer.room::<DiscRoom>().unwrap().beside_ours().unwrap();
        assert!(beside.engine().is_some() == beside.refused().is_empty(), "{name}");
        let places = beside.places().count();
        let count = window.viewer.room::<DiscRoom>().unwrap().session().world().len();
        assert!(places == count || beside.engine().is_none(), "{name}");
        let is_rough = window.viewer.room::<DiscRoom>().unwrap().session().world().roughness().is_some();
        assert!(!is_rough || !beside.refused().is_empty(), "{name}");
    }
}
