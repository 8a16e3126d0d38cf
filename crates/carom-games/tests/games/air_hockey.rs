use crate::arcade::Arcade as _;
use carom::DVec2;
use carom_games::air_hockey::{self, Game, Mouse, Options, Pilot};
use carom_games::{Error, Input};

arcade!(
    Mouse,
    |scheduler| Game::new(&Options { scheduler }),
    |game| [game.score(), game.fouls()].concat().into_iter().map(u64::from).collect(),
    crate::arcade::LONG,
    2000,
    60.0
);

/// The same on a table that slows the puck down.
mod with_friction {
    use carom_games::air_hockey::{Game as GameWith, Mouse, Options, Pilot};
    use carom_games::{Error, Input};

    type Game = GameWith<carom::Forces>;

    arcade!(
        Mouse,
        |scheduler| Game::with_friction(0.02, &Options { scheduler }),
        |game| [game.score(), game.fouls()].concat().into_iter().map(u64::from).collect(),
        [300.0, 60.0],
        300,
        30.0
    );
}

fn mouse(time: f64, player: usize, x: f64, y: f64) -> Input<Mouse> {
    Input { time, player, action: Mouse(DVec2::new(x, y)) }
}

fn place(game: &Game, player: usize) -> DVec2 {
    game.world().get(game.mallets()[player]).unwrap().position()
}

/// A mallet is where the mouse was, to the last bit, a reach later; a far one takes its time; and neither
/// leaves its half of the table.
#[test]
fn mallets_follow_the_mouse_within_their_half() {
    let mut game = Game::new(&Options::default()).unwrap();
    game.input(mouse(0.1, 1, 0.91, 0.02)).unwrap();
    game.advance_to(0.1 + Game::REACH).unwrap();
    assert_eq!(place(&game, 1), DVec2::new(0.91, 0.02));
    // As fast as it may: 0.4 m take a tenth of a second.
    game.input(mouse(0.2, 1, 0.91, 0.42)).unwrap();
    game.advance_to(0.25).unwrap();
    assert!((place(&game, 1).y - (0.02 + 0.05 * Game::SPEED)).abs() < 1e-12);
    game.advance_to(0.31).unwrap();
    assert_eq!(place(&game, 1), DVec2::new(0.91, 0.42));
    game.input(mouse(0.4, 1, -7.0, 7.0)).unwrap();
    game.input(mouse(0.9, 0, f64::NAN, 0.0)).unwrap();
    game.advance_to(1.0).unwrap();
    assert_eq!(place(&game, 1), DVec2::new(Game::MALLET, Game::HALF.y - Game::MALLET));
    assert_eq!(place(&game, 0), DVec2::new(-0.9, 0.0));
}

/// The puck rests at −0.3. A mallet from −0.9 at full speed v meets it after 0.6 less both radii. With
/// e = √0.9 of the two it leaves at (1 + e) v, and is over the line of the empty goal by its radius.
#[test]
fn a_shot_scores_at_the_exact_time_and_the_puck_comes_back() {
    let mut game = Game::new(&Options::default()).unwrap();
    game.input(mouse(0.0, 1, 0.9, 0.5)).unwrap();
    game.input(mouse(0.0, 0, -0.2, 0.0)).unwrap();
    let meets = (0.6 - Game::MALLET - Game::PUCK) / Game::SPEED;
    let speed = (1.0 + 0.9_f64.sqrt()) * Game::SPEED;
    let goal = meets + (0.3 + Game::HALF.x + Game::PUCK) / speed;
    let mut before = game.clone();
    before.advance_to(goal - 1e-12).unwrap();
    assert_eq!((before.score(), before.world().is_enabled(before.puck())), ([0, 0], true));
    before.advance_to(goal + 1e-12).unwrap();
    assert_eq!((before.score(), before.world().is_enabled(before.puck())), ([1, 0], false));
    // Back a second later, moving to the side that let it in: in one call, and at the exact time.
    game.advance_to(goal + Game::WAIT + 0.5).unwrap();
    let puck = game.world().get(game.puck()).unwrap();
    assert!((puck.position() - DVec2::new(0.4 * 0.5, 0.0)).length() < 1e-11);
}

/// After a foul the puck comes back from the middle at .4 m/s. With the coefficient μ and the weight w it is
/// at rest after .4/(μ w) s, .4²/(2 μ w) m from the middle.
#[test]
fn friction_stops_the_puck() {
    let mut game = Game::with_friction(0.02, &Options::default()).unwrap();
    let stop = 0.4 / (0.02 * Game::WEIGHT);
    let serve = Game::SHOT + Game::WAIT;
    let puck = |game: &air_hockey::Game<_>| {
        let puck = game.world().get(game.puck()).unwrap();
        [puck.position(), puck.velocity()]
    };
    game.input(mouse(0.0, 1, 1.1, 0.5)).unwrap();
    game.advance_to(serve + 0.5 * stop).unwrap();
    assert!((puck(&game)[1] - DVec2::new(0.2, 0.0)).length() < 1e-14);
    game.advance_to(serve + stop + 1e-12).unwrap();
    assert_eq!(puck(&game)[1], DVec2::ZERO);
    assert!((puck(&game)[0] - DVec2::new(0.2 * stop, 0.0)).length() < 1e-14);
    let wrong = Game::with_friction(-0.1, &Options::default()).unwrap_err();
    assert!(wrong.to_string().contains("friction"), "{wrong}");
}

/// The puck rests with the first player, who leaves it there: after seven seconds the second one serves.
#[test]
fn who_keeps_the_puck_for_seven_seconds_loses_it() {
    let mut game = Game::new(&Options::default()).unwrap();
    game.input(mouse(0.0, 1, 0.9, 0.5)).unwrap();
    game.advance_to(Game::SHOT - 1e-9).unwrap();
    assert_eq!((game.fouls(), game.world().is_enabled(game.puck())), ([0, 0], true));
    game.advance_to(Game::SHOT).unwrap();
    assert_eq!((game.fouls(), game.world().is_enabled(game.puck())), ([1, 0], false));
    // The mallet of the second player sends it back, over the middle: its time is over no more.
    game.input(mouse(7.5, 1, 1.1, 0.0)).unwrap();
    let serve = Game::SHOT + Game::WAIT;
    game.advance_to(serve + 0.5).unwrap();
    let at = |game: &Game| game.world().get(game.puck()).unwrap().position();
    assert!((at(&game) - DVec2::new(0.2, 0.0)).length() < 1e-11);
    let meets = (1.1 - Game::MALLET - Game::PUCK) / 0.4;
    let back = serve + meets * (1.0 + 1.0 / 0.9_f64.sqrt());
    game.advance_to(back + 0.01).unwrap();
    assert!(at(&game).x < 0.0 && game.now() < serve + Game::SHOT);
    let (player, left) = game.clock().unwrap();
    let crosses = back;
    assert!(player == 0 && (left - (crosses + Game::SHOT - game.now())).abs() < 1e-9, "{left}");
    game.advance_to(serve + Game::SHOT + 0.5).unwrap();
    assert_eq!((game.fouls(), game.score()), ([1, 0], [0, 0]));
}

#[test]
fn a_goal_ends_the_time_of_the_player_who_had_the_puck() {
    let mut game = Game::new(&Options::default()).unwrap();
    game.input(mouse(0.0, 1, 0.9, 0.5)).unwrap();
    game.input(mouse(6.0, 0, -0.2, 0.0)).unwrap();
    game.advance_to(6.5).unwrap();
    assert_eq!(game.score(), [1, 0]);
    // A goal takes the puck off the plane, which ends the clock. The puck leaves its half at that time, and
    // the event of that must not start the clock of either player.
    assert_eq!(game.clock(), None);
    game.advance_to(7.2).unwrap();
    assert_eq!(game.clock().is_some(), game.world().is_enabled(game.puck()));
    assert_eq!((game.fouls(), game.world().is_enabled(game.puck())), ([0, 0], false));
}

#[test]
fn strangers_are_refused() {
    let mut game = Game::new(&Options::default()).unwrap();
    let before = game.bits();
    assert!(game.input(mouse(2.0, 2, 0.0, 0.0)).is_err() && game.bits() == before);
}
