//! Whatever games are given works, or is refused with a reason.

use carom::{DVec2, SchedulerKind};
use carom_games::{Error, Input, asteroids, merge, pinball, pod_arena, shooter};
use carom_testkit::odd::{Numbers, ODD, works_or_says_why};

fn pods(n: &mut Numbers) -> Result<(), Error> {
    let checkpoints = vec![n.place(4000.0, 4000.0), n.place(12000.0, 4000.0), n.place(8000.0, 8000.0)];
    let starts = vec![(n.place(1000.0, 1000.0), n.place(100.0, 0.0)), (n.place(3000.0, 1000.0), DVec2::ZERO)];
    let options = pod_arena::Options { checkpoints, starts, scheduler: SchedulerKind::Fastest };
    let mut game = pod_arena::Game::new(&options)?;
    let power = pod_arena::Power::Thrust(n.few(100));
    let action = pod_arena::Order { target: n.place(4000.0, 4000.0), power };
    game.input(Input { time: n.get(1.0), player: n.count(1) as usize, action })?;
    game.advance_to(5.0)?;
    assert!(game.world().discs().all(|(_, disc)| disc.position.is_finite()));
    Ok(())
}

fn ships(n: &mut Numbers) -> Result<(), Error> {
    let (ships, lives) = (n.count(2) as usize, n.few(2));
    let options = shooter::Options { ships, lives, ..shooter::Options::default() };
    let mut game = shooter::Game::new(&options)?;
    game.input(Input { time: n.get(0.1), player: 0, action: shooter::Action::Fire(n.place(1.0, 0.1)) })?;
    game.input(Input { time: n.get(0.2), player: 1, action: shooter::Action::Steer(n.place(1.0, 0.1)) })?;
    game.advance_to(2.0)
}

fn rocks(n: &mut Numbers) -> Result<(), Error> {
    let (ships, rocks, seed) = (n.count(2) as usize, n.count(4) as usize, n.count(1));
    let mut game =
        asteroids::Game::new(&asteroids::Options { ships, rocks, seed, ..asteroids::Options::default() })?;
    game.input(Input { time: n.get(0.1), player: 0, action: asteroids::Action::Turn(n.few(3) as i8) })?;
    game.input(Input { time: n.get(0.2), player: 0, action: asteroids::Action::Thrust(true) })?;
    game.advance_to(2.0)
}

fn mergers(n: &mut Numbers) -> Result<(), Error> {
    let (seed, largest) = (n.count(1), n.count(5));
    let mut game = merge::Game::new(&merge::Options { seed, largest, ..merge::Options::default() })?;
    game.advance_to(0.5)
}

#[test]
fn options_and_inputs() {
    works_or_says_why("pods", 60, pods);
    works_or_says_why("ships", 60, ships);
    works_or_says_why("rocks", 60, rocks);
    works_or_says_why("mergers", 60, mergers);
}

/// A race without starts or checkpoints, or with checkpoints that overlap, is refused. Calls with times far
/// in the future return.
#[test]
fn lists_and_times() {
    let usual = pod_arena::Options::default;
    let refused = |options: pod_arena::Options| pod_arena::Game::new(&options).unwrap_err().to_string();
    let none = refused(pod_arena::Options { starts: Vec::new(), ..usual() });
    assert_eq!(none, "starts is 0, allowed is at least one");
    let none = refused(pod_arena::Options { checkpoints: Vec::new(), ..usual() });
    assert_eq!(none, "checkpoints is 0, allowed is at least one");
    let twice = refused(pod_arena::Options { checkpoints: vec![DVec2::ZERO; 2], ..usual() });
    assert_eq!(twice, "distance of checkpoints is 0, allowed is more than 1200");
    let lives = shooter::Game::new(&shooter::Options { lives: 0, ..shooter::Options::default() });
    assert_eq!(lives.unwrap_err().to_string(), "lives is 0, allowed is at least 1");
    let mut ball = pinball::Game::new(&pinball::Options::default()).unwrap();
    let mut pod =
        pod_arena::Game::new(&pod_arena::Options { starts: usual().starts[..1].to_vec(), ..usual() });
    let pod = pod.as_mut().unwrap();
    for time in ODD.into_iter().filter(|time| !(0.0..=1.0).contains(time)) {
        if let Err(error) = ball.clone().advance_to(time) {
            assert!((16..200).contains(&error.to_string().len()), "{time:e}: {error}");
        }
        assert!(pod.clone().advance_to(time).is_err(), "{time:e}");
    }
    assert_eq!(ball.advance_to(0.0), Ok(()));
}
