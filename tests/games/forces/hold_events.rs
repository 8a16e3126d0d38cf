//! The events of held contacts: what edits do to them. When they come is in `closed_forms`; that for each
//! pair they alternate, and report what is held, random games show (`crates/carom-fuzz/tests/games.rs`).

use super::scene::under;
use carom_engine::{DVec2, Disc, DiscId, Event, Forces, Hold, Partner, Standstill, Wall, World};

fn gravity(g: f64) -> Forces {
    Forces::new().with_gravity([0.0, -g]).unwrap()
}

fn on_a_floor(e: f64) -> (World<Forces>, DiscId) {
    let mut world = under([0.0, -9.81]);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(e)).unwrap();
    let ball = world.insert(Disc::new([0.0, 1.5], 0.5).with_restitution(e)).unwrap();
    (world, ball)
}

fn holds_of(world: &World<Forces>) -> Vec<(bool, Hold)> {
    let of = |event: &Event<Standstill>| match event {
        Event::Held(hold) => Some((true, *hold)),
        Event::LetGo(hold) => Some((false, *hold)),
        _ => None,
    };
    world.events().iter().filter_map(of).collect()
}

/// What holds a ball is removed: the next call reports that it is let go, at the time of the edit. So it is
/// if the world was asked for its next event in between, or the ball is removed.
#[test]
fn what_an_edit_ends_is_reported_by_the_next_call() {
    for k in 0..6 {
        let (mut world, ball) = on_a_floor(0.0);
        world.advance(10.0).unwrap();
        let floor = world.walls().next().unwrap().0;
        match k % 3 {
            0 => drop(world.remove_wall(floor).unwrap()),
            1 => drop(world.remove(ball).unwrap()),
            _ => world.set_position(ball, [0.0, 1.0]).unwrap(),
        }
        if k > 2 {
            world.next_event();
        }
        world.advance(0.0).unwrap();
        let [(false, hold)] = holds_of(&world)[..] else { panic!("{k}: {:?}", holds_of(&world)) };
        assert_eq!((hold.a, hold.b), (ball, Partner::Wall { wall: floor, part: 0 }), "{k}");
        assert_eq!((hold.time, hold.normal), (world.now(), DVec2::NEG_Y), "{k}");
        world.advance(0.0).unwrap();
        assert!(world.events().is_empty());
    }
}

/// Edits after which a ball is held as before are no events; nor is what one takes back, or what is seen by
/// a call without a sink.
#[test]
fn what_an_edit_leaves_as_it_was_is_not_reported() {
    let (mut world, ball) = on_a_floor(0.0);
    world.advance(10.0).unwrap();
    let resting = world.get(ball).unwrap().position();
    world.set_physics(gravity(5.0)).unwrap();
    world.next_event();
    world.set_mass(ball, 3.0).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(holds_of(&world), []);
    world.set_position(ball, resting + DVec2::Y).unwrap();
    world.next_event();
    world.set_position(ball, resting).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(holds_of(&world), []);
    assert_eq!(world.held_to(ball).count(), 1);
    world.set_physics(Forces::new()).unwrap();
    world.advance(1.0).unwrap();
    assert!(matches!(holds_of(&world)[..], [(false, _)]));
    // A second ball is put beside it, on the floor.
    let other = world.insert(Disc::new(resting + DVec2::X, 0.5)).unwrap();
    world.set_physics(gravity(9.81)).unwrap();
    world.advance(1.0).unwrap();
    let parties: Vec<_> = holds_of(&world).iter().map(|&(begins, hold)| (begins, hold.a)).collect();
    assert_eq!(parties, [(true, ball), (true, other)]);
}
