use crate::arcade::Arcade as _;
use carom::{DVec2, Event};
use carom_games::pinball::{Action, Game, Options, Pilot, Side};
use carom_games::{Error, Input};

arcade!(
    Action,
    |scheduler| Game::new(&Options { scheduler }),
    |game| vec![game.points(), u64::from(game.lost())],
    crate::arcade::LONG,
    5_000,
    600.0
);

fn at(time: f64, action: Action) -> Input<Action> {
    Input { time, player: 0, action }
}

fn start() -> Game {
    Game::new(&Options::default()).unwrap()
}

/// The ball lies in the lane until it is launched: with speed v it is at height y after
/// (v − √(v² − 2 g y))/g, past the gate, which lets it out; it does not come back through it.
#[test]
fn the_gate_lets_the_ball_out_and_not_back() {
    let mut game = start();
    game.advance_to(1.0).unwrap();
    let [lies, still] = game.ball_state();
    assert!((lies - DVec2::new(5.5, 2.0)).length() < 1e-9 && still == DVec2::ZERO);
    game.input(at(1.0, Action::Launch(33.0))).unwrap();
    let (v, g, y) = (33.0_f64, Game::GRAVITY, 10.0);
    game.advance_to(1.0 + (v - (v * v - 2.0 * g * y).sqrt()) / g).unwrap();
    assert!((game.ball_state()[0].y - 12.0).abs() < 1e-9);
    for frame in 0..2000 {
        game.advance_to(2.0 + f64::from(frame) * 0.01).unwrap();
        let [place, _] = game.ball_state();
        let is_back = place.x > 5.0 && place.y < 12.9 && game.lost() == 0;
        assert!(!is_back, "{place} at {}", game.now());
    }
    assert_eq!(game.lost(), 1, "without flippers it is lost");
}

/// A weak launch falls back, and can be repeated.
#[test]
fn a_weak_launch_stays_in_the_lane() {
    let mut game = start();
    game.input(at(0.0, Action::Launch(10.0))).unwrap();
    game.input(at(0.1, Action::Launch(30.0))).unwrap();
    game.advance_to(5.0).unwrap();
    assert!((game.ball_state()[0] - DVec2::new(5.5, 2.0)).length() < 1e-9);
}

/// A flipper is at its angle to the last bit when it is up and when it is down, and level on half its way.
#[test]
fn flippers_go_up_and_down_exactly() {
    let mut game = start();
    let angles = |game: &Game| game.flippers().map(|id| game.world().arm(id).unwrap().angle);
    let down = angles(&game);
    game.input(at(0.5, Action::Press(Side::Left))).unwrap();
    game.input(at(1.0, Action::Release(Side::Left))).unwrap();
    game.advance_to(0.5 + 0.5 * Game::FLIP).unwrap();
    assert!(angles(&game)[0].abs() < 1e-12, "level: {:?}", angles(&game));
    game.advance_to(0.5 + 1.01 * Game::FLIP).unwrap();
    assert_eq!(angles(&game), [-down[0], down[1]]);
    game.advance_to(2.0).unwrap();
    assert_eq!(angles(&game), down);
}

/// Bumpers add their speed, targets fall at their hit and come up again together, a lost ball comes back.
#[test]
fn what_scores_does_what_the_rules_say() {
    let mut game = start();
    let (mut kicks, mut falls, mut raised) = (0, 0, 0);
    let mut pilot = Pilot::new(3);
    let script = pilot.play(&mut game, 300.0).unwrap();
    let mut again = start();
    script.iter().for_each(|input| again.give(*input).unwrap());
    let mut frames = 0;
    let walls = again.world().walls().count();
    while frames < 3000 {
        frames += 1;
        again
            .advance_to_with(0.1 * f64::from(frames), &mut |event| match event {
                Event::Impact(impact) if impact.user_data[1] == 1 => {
                    let n = impact.normal;
                    let parts = (impact.before[0] - impact.after[0]).dot(n) - impact.approach_speed;
                    assert!(parts >= 9.0 - 1e-9, "{impact}: {parts}");
                    kicks += 1;
                }
                Event::WallRemoved { .. } => falls += 1,
                Event::Timer { note: 1, .. } => raised += 1,
                _ => {}
            })
            .unwrap();
        assert!(again.world().walls().count() >= walls - 3);
    }
    assert!(game.bits() == again.bits());
    assert!(
        kicks > 50 && falls > 3 && raised > 0 && game.lost() > 3,
        "{kicks} {falls} {raised} {}",
        game.lost()
    );
}

#[test]
fn no_launch_without_a_number() {
    let mut game = start();
    game.advance_to(1.0).unwrap();
    for action in [Action::Launch(f64::NAN), Action::Nudge(DVec2::NAN), Action::Launch(-5.0)] {
        game.input(at(1.5, action)).unwrap();
    }
    game.advance_to(2.0).unwrap();
    assert!((game.ball_state()[0] - DVec2::new(5.5, 2.0)).length() < 1e-9);
}
