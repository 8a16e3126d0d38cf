use crate::arcade::Arcade as _;
use carom::{DVec2, Event};
use carom_games::asteroids::{Action, Game, Options, Pilot};
use carom_games::{Error, Input};
use std::collections::HashSet;

arcade!(
    Action,
    |scheduler| Game::new(&Options { ships: 2, scheduler, ..Options::default() }),
    |game| {
        let ships = game.ships().iter().flat_map(|ship| [ship.score, ship.lost]);
        ships.chain([game.wave()]).map(u64::from).collect()
    },
    [600.0, 120.0],
    3000,
    40.0
);

fn game(seed: u64) -> Game {
    Game::new(&Options { seed, ..Options::default() }).unwrap()
}

fn at(time: f64, action: Action) -> Input<Action> {
    Input { time, player: 0, action }
}

/// From rest with 6 m/s², and on at the speed that it has where the engine stops: around the world, by the
/// exact times of the inputs, in one call. (The rocks are far from a ship that has just come.)
#[test]
fn a_ship_thrusts_and_flies_on() {
    let mut game = game(1);
    let from = game.place(0).unwrap();
    // To the right.
    game.input(at(0.0, Action::Turn(-18))).unwrap();
    game.input(at(0.0, Action::Thrust(true))).unwrap();
    game.input(at(0.25, Action::Thrust(false))).unwrap();
    game.advance_to(0.5).unwrap();
    assert_eq!(game.ships()[0].lost, 0);
    // ½ a t² and then a t t.
    let way = 0.5 * Game::THRUST * 0.25 * 0.25 + Game::THRUST * 0.25 * 0.25;
    let off = game.place(0).unwrap() - from - DVec2::new(way, 0.0);
    assert!(off.length() < 1e-12, "{off}");
    assert!((game.ships()[0].heading - DVec2::X).length() < 1e-14);
}

/// A bullet that hits nothing is gone 1.1 s after the shot, and the gun is loaded again after 0.2 s.
#[test]
fn bullets_time_out() {
    let mut missed = 0;
    for seed in 1..8 {
        let mut game = game(seed);
        for time in [0.0, 0.1, 0.3] {
            game.input(at(time, Action::Fire)).unwrap();
        }
        let mut hits = 0;
        let mut flying = |time: f64| {
            let mut count = |event: &Event<_>| {
                hits += usize::from(matches!(event, Event::Removed(gone) if gone.user_data >> 32 == 2));
            };
            game.advance_to_with(time, &mut count).unwrap();
            (game.bullets(), hits)
        };
        for (time, fired) in [(0.0, 1), (0.1, 1), (0.3, 2), (Game::FLIGHT - 1e-9, 2)] {
            let (bullets, hits) = flying(time);
            assert_eq!(bullets + hits, fired, "at {time}");
        }
        let after =
            [Game::FLIGHT + 1e-9, 0.3 + Game::FLIGHT - 1e-9, 0.3 + Game::FLIGHT + 1e-9].map(&mut flying);
        assert_eq!(after[2].0, 0);
        if after[2].1 == 0 {
            missed += 1;
            assert_eq!(after.map(|(bullets, _)| bullets), [1, 1, 0]);
        }
    }
    assert!(missed > 0);
}

/// Momentum of rocks and bullets, and mass of rocks, are the same before a hit and after it. A small rock
/// goes with its bullet.
#[test]
fn a_split_keeps_mass_and_momentum() {
    let (mut splits, mut small) = (0, 0);
    for seed in 1..4 {
        let mut game = game(seed);
        for input in Pilot::new(seed).play(&mut game.clone(), 30.0).unwrap() {
            game.input(input).unwrap();
        }
        let momentum = |game: &Game| -> (DVec2, f64) {
            let bodies = game.world().discs().filter(|(_, disc)| disc.user_data >> 32 != 1);
            let rocks = game.rocks().map(|(_, rock)| rock.mass).sum();
            (bodies.map(|(_, disc)| disc.velocity * disc.mass).sum(), rocks)
        };
        for step in 1..=30_000_u32 {
            let time = f64::from(step) / 1000.0;
            let before = momentum(&game);
            let (mut gone, mut others) = (Vec::new(), 0);
            let fired = game.bullets();
            game.advance_to_with(time, &mut |event| match event {
                Event::Removed(departure) => gone.push(*departure),
                Event::Inserted { .. } | Event::Impact(_) => {}
                _ => others += 1,
            })
            .unwrap();
            let after = momentum(&game);
            // Another bullet, or one that timed out, would be seen in the sum.
            if gone.len() != 2 || others > 0 || game.bullets() + 1 != fired {
                continue;
            }
            let rock = gone.iter().find(|departure| departure.user_data >> 32 == 3).unwrap();
            let class = rock.user_data as u32;
            if class == 1 {
                small += 1;
                assert_eq!(after.1, before.1 - 1.0);
                continue;
            }
            splits += 1;
            assert!((after.0 - before.0).length() < 1e-12, "{} {}", after.0, before.0);
            assert_eq!(after.1, before.1);
        }
    }
    assert!(splits > 10 && small > 5, "{splits} {small}");
}

/// A ship that meets a rock is lost, and comes again; the next wave comes when no rock is left. Halves may
/// come where another rock is: what has parted never overlaps again.
#[test]
fn ships_and_waves_come_again() {
    let (mut game, mut pilot) = (game(2), Pilot::new(3));
    let mut parted = HashSet::new();
    for frame in 1..=2400 {
        pilot.play(&mut game, f64::from(frame) / 10.0).unwrap();
        let rocks: Vec<_> = game.world().discs().filter(|(_, disc)| disc.user_data >> 32 == 3).collect();
        for (k, (id, a)) in rocks.iter().enumerate() {
            for (other, b) in &rocks[..k] {
                let apart = game.world().periods().nearest(a.position - b.position).length();
                if apart > (a.radius + b.radius) * (1.0 - 1e-9) {
                    parted.insert([*id, *other]);
                } else {
                    assert!(!parted.contains(&[*id, *other]), "frame {frame}: {apart}");
                }
            }
        }
    }
    let ship = game.ships()[0];
    assert!(game.wave() > 1 && ship.lost > 0 && ship.score > 500, "{} {ship:?}", game.wave());
}

#[test]
fn bad_input_is_refused() {
    for (ships, rocks) in [(0, 4), (5, 4), (1, 0), (1, 11)] {
        assert!(Game::new(&Options { ships, rocks, ..Options::default() }).is_err());
    }
    let mut game = game(1);
    let before = game.bits();
    let stranger = game.input(Input { time: 2.0, player: 1, action: Action::Fire });
    assert_eq!(stranger, Err(Error::NoSuchPlayer { player: 1, most: 0 }));
    assert!(game.input(at(f64::NAN, Action::Fire)).is_err());
    assert!(game.bits() == before);
    // Two seeds are two games.
    assert!(Game::new(&Options { seed: 2, ..Options::default() }).unwrap().bits() != before);
}
