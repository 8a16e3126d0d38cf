use crate::arcade::Arcade as _;
use carom::{DVec2, Event};
use carom_games::pod_arena::{self, Game, Options, Order, Pilot, Pod, Power};
use carom_games::{Error, Input};

arcade!(
    Order,
    |scheduler| Game::new(&Options { scheduler, ..Options::default() }),
    |game| {
        let of = |pod: &Pod| {
            let [x, y] = pod.heading.to_array().map(f64::to_bits);
            [u64::from(pod.passed), pod.passed_at.to_bits(), u64::from(pod.recharging), x, y]
        };
        game.pods().iter().flat_map(of).collect()
    },
    crate::arcade::LONG,
    500,
    200.0
);

/// A race of pods at these places with these velocities, to a checkpoint far away.
fn race(starts: &[(DVec2, DVec2)]) -> Game {
    let checkpoints = vec![DVec2::new(1e6, 0.0), DVec2::new(-1e6, 0.0)];
    Game::new(&Options { checkpoints, starts: starts.to_vec(), ..Options::default() }).unwrap()
}

fn velocity(game: &Game, player: usize) -> DVec2 {
    game.world().get(game.pods()[player].disc).unwrap().velocity()
}

fn place(game: &Game, player: usize) -> DVec2 {
    game.world().get(game.pods()[player].disc).unwrap().position()
}

fn order(time: f64, player: usize, power: Power) -> Input<Order> {
    Input { time, player, action: Order { target: DVec2::new(1e6, 0.0), power } }
}

/// Who begins at the edge of the field is seen as a whole.
#[test]
fn all_pods_are_in_view_at_the_start() {
    let game = Game::new(&Options::default()).unwrap();
    let (low, high) = pod_arena::bounds();
    for player in 0..game.pods().len() {
        let place = place(&game, player);
        assert!((place - Game::POD).cmpge(low).all() && (place + Game::POD).cmple(high).all(), "{place}");
    }
}

/// The rules along a line, in whole numbers: v ← trunc(0.85 (v + thrust)), x ← x + v before that.
#[test]
fn thrust_and_friction_are_those_of_the_rules() {
    let mut game = race(&[(DVec2::new(0.0, 0.0), DVec2::ZERO)]);
    game.input(order(0.0, 0, Power::Thrust(100))).unwrap();
    game.input(order(3.0, 0, Power::Boost)).unwrap();
    let (mut x, mut v) = (0_i64, 0_i64);
    for turn in 0..40 {
        v += match turn {
            0..3 => 100,
            3 => 650,
            _ => 200,
        };
        x += v;
        v = v * 85 / 100;
        game.advance_to(f64::from(turn + 1)).unwrap();
        assert_eq!(place(&game, 0), DVec2::new(x as f64, 0.0), "turn {turn}");
        assert_eq!(velocity(&game, 0), DVec2::new(v as f64, 0.0), "turn {turn}");
    }
    // v = trunc(0.85 (v + 200)): the limit from below.
    assert_eq!(v, 1127);
}

/// j₁ = 5 stops an approach of 10 of equal masses; with the least impulse each changes by 5 + 120. At an
/// approach of 600 j₁ = 300 is more, and the impact is elastic.
#[test]
fn slow_pods_are_pushed_apart_and_fast_ones_bounce() {
    for (speed, after) in [(5.0, 120.0), (300.0, 300.0)] {
        let mut game = race(&[
            (DVec2::new(-402.0, 0.0), DVec2::new(speed, 0.0)),
            (DVec2::new(402.0, 0.0), DVec2::new(-speed, 0.0)),
        ]);
        let mut impacts = 0;
        game.advance_to_with(0.999, &mut |event| impacts += u32::from(event.impact().is_some())).unwrap();
        assert_eq!(impacts, 1);
        assert_eq!([velocity(&game, 0).x, velocity(&game, 1).x], [-after, after], "at {speed}");
    }
}

/// A shield is ten times as heavy: j₁ = μ w with μ = 10/11 stops an approach of w.
#[test]
fn a_shield_is_heavy_for_a_turn_and_costs_three() {
    let start = [(DVec2::new(-500.0, 0.0), DVec2::ZERO), (DVec2::new(500.0, 0.0), DVec2::new(-550.0, 0.0))];
    let mut game = race(&start);
    game.input(order(0.0, 0, Power::Shield)).unwrap();
    game.input(order(1.0, 0, Power::Thrust(100))).unwrap();
    game.advance_to(0.999).unwrap();
    let impulse = 2.0 * 10.0 / 11.0 * 550.0;
    assert!((velocity(&game, 0).x + impulse / 10.0).abs() < 1e-9);
    assert!((velocity(&game, 1).x - (impulse - 550.0)).abs() < 1e-9);
    for turn in 1..=4 {
        game.advance_to(f64::from(turn)).unwrap();
        assert!(velocity(&game, 0).x < 0.0, "turn {turn}");
    }
    let before = velocity(&game, 0).x;
    game.advance_to(4.5).unwrap();
    assert_eq!(velocity(&game, 0).x, before + 100.0);
}

#[test]
fn pods_turn_by_eighteen_degrees() {
    let mut game = race(&[(DVec2::ZERO, DVec2::ZERO)]);
    let back = Order { target: DVec2::new(0.0, -1e6), power: Power::Thrust(0) };
    game.input(Input { time: 0.0, player: 0, action: back }).unwrap();
    for turn in 1..=5 {
        game.advance_to(f64::from(turn)).unwrap();
        let angle = -(18.0 * f64::from(turn)).to_radians();
        assert!((game.pods()[0].heading - DVec2::from_angle(angle)).length() < 1e-15, "turn {turn}");
    }
    assert_eq!(game.pods()[0].heading, DVec2::NEG_Y);
}

/// At 2000 a turn a pod crosses a checkpoint between two ends of turns, and has passed it at the exact time.
#[test]
fn checkpoints_are_passed_within_a_turn() {
    let checkpoints = vec![DVec2::new(3000.0, 0.0), DVec2::new(-9000.0, 0.0)];
    let starts = vec![(DVec2::ZERO, DVec2::new(4000.0, 0.0))];
    let mut game = Game::new(&Options { checkpoints, starts, ..Options::default() }).unwrap();
    let mut crossings = 0;
    game.advance_to_with(1.0, &mut |event| crossings += u32::from(matches!(event, Event::Entered(_))))
        .unwrap();
    assert_eq!((crossings, game.pods()[0].passed, game.pods()[0].passed_at), (1, 1, 0.6));
    // That one again is not the next.
    assert_eq!(game.next_checkpoint(&game.pods()[0]), DVec2::new(-9000.0, 0.0));
}

#[test]
fn strangers_and_empty_races_are_refused() {
    let mut game = race(&[(DVec2::ZERO, DVec2::ZERO)]);
    let before = game.bits();
    assert!(game.input(order(3.0, 1, Power::Boost)).is_err() && game.bits() == before);
    assert!(Game::new(&Options { starts: Vec::new(), ..Options::default() }).is_err());
    assert!(Game::new(&Options { checkpoints: Vec::new(), ..Options::default() }).is_err());
}
