use crate::arcade::Arcade as _;
use carom::{DVec2, Event};
use carom_games::shooter::{Action, Game, Options, Pilot};
use carom_games::{Error, Input};

arcade!(
    Action,
    |scheduler| Game::new(&Options { scheduler, ..Options::default() }),
    |game| {
        let lives = game.ships().iter().map(|ship| ship.lives);
        game.score().into_iter().chain(lives).map(u64::from).collect()
    },
    crate::arcade::LONG,
    50_000,
    60.0
);

fn duel() -> Game {
    Game::new(&Options { ships: 1, lives: 2, ..Options::default() }).unwrap()
}

fn at(time: f64, player: usize, action: Action) -> Input<Action> {
    Input { time, player, action }
}

/// A shot at the ship on the other side, over a rock that is in the way: the ships face each other at y = 0
/// and the rock in the middle has radius 1.6.
#[test]
fn bullets_leave_their_ship_and_die_at_what_they_hit() {
    let mut game = duel();
    game.input(at(0.0, 0, Action::Fire(DVec2::X))).unwrap();
    game.input(at(0.0, 0, Action::Fire(DVec2::Y))).unwrap();
    game.advance_to(0.0).unwrap();
    assert_eq!(game.bullets(), 1, "the gun is not loaded yet");
    let mut gone = Vec::new();
    game.advance_to_with(2.0, &mut |event| match event {
        Event::Removed(departure) => gone.push(departure.time.as_secs()),
        Event::Impact(impact) => assert!(impact.b.wall().is_some(), "{impact}"),
        _ => {}
    })
    .unwrap();
    // From the ship at −14 to the rock whose surface is at −1.6.
    let expected = (14.0 - 1.6 - Game::BULLET) / Game::SHOT;
    assert!(gone.len() == 1 && (gone[0] - expected).abs() < 1e-14, "{gone:?} {expected}");
    assert_eq!((game.bullets(), game.score()), (0, [0, 0]));
}

/// What is hit loses lives, waits and comes again, each at the exact time, in one frame of ten seconds.
#[test]
fn hits_cost_lives_and_ships_come_again() {
    let mut game = duel();
    // The second ship comes down to where nothing is in the way.
    game.input(at(0.0, 0, Action::Steer(DVec2::new(0.0, 4.0)))).unwrap();
    game.input(at(0.0, 1, Action::Steer(DVec2::new(0.0, 4.0)))).unwrap();
    for player in [0, 1] {
        game.input(at(0.75, player, Action::Steer(DVec2::ZERO))).unwrap();
    }
    for time in [1.0, 2.0] {
        game.input(at(time, 0, Action::Fire(DVec2::X))).unwrap();
    }
    let mut early = game.clone();
    // Both are at y = 3; the flight is of 28 less a radius of each.
    let flight = (28.0 - Game::SHIP - Game::BULLET) / Game::SHOT;
    early.advance_to(1.0 + flight - 1e-9).unwrap();
    assert_eq!((early.ships()[1].lives, early.score()), (2, [0, 0]));
    early.advance_to(1.0 + flight + 1e-9).unwrap();
    assert_eq!((early.ships()[1].lives, early.score()), (1, [1, 0]));
    assert_eq!(early.bullets(), 1, "the second shot");
    // The hit pushes the ship, so that the second shot meets it a little later.
    early.advance_to(2.0 + flight + 0.1).unwrap();
    assert_eq!((early.ships()[1].lives, early.score()), (0, [6, 0]));
    assert_eq!(early.place(1), None);
    early.advance_to(10.0).unwrap();
    assert_eq!((early.ships()[1].lives, early.place(1)), (2, Some(DVec2::new(14.0, 0.0))));
    game.advance_to(10.0).unwrap();
    assert!(game.bits() == early.bits());
}

#[test]
fn bad_input_is_refused() {
    let mut game = duel();
    game.advance_to(1.0).unwrap();
    let before = game.bits();
    assert!(game.input(at(f64::NAN, 0, Action::Fire(DVec2::X))).is_err());
    let stranger = game.input(at(2.0, 2, Action::Fire(DVec2::X)));
    assert_eq!(stranger, Err(Error::NoSuchPlayer { player: 2, most: 1 }));
    assert!(game.bits() == before);
    for ships in [0, 11] {
        assert!(Game::new(&Options { ships, ..Options::default() }).is_err());
    }
    // A direction that is none, and one without a number: no shot, no harm.
    game.input(at(2.0, 0, Action::Fire(DVec2::ZERO))).unwrap();
    game.input(at(2.0, 0, Action::Fire(DVec2::new(f64::NAN, 1.0)))).unwrap();
    game.advance_to(3.0).unwrap();
    assert_eq!(game.bullets(), 0);
}
