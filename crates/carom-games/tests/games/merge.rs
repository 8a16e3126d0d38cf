use carom::{DVec2, Event, Partner, Rest};
use carom_games::merge::{Action, Game, Options, Pilot};
use carom_games::{Error, Input};
use std::collections::BTreeMap;

arcade!(
    Action,
    |scheduler| Game::new(&Options { scheduler, ..Options::default() }),
    |game| vec![game.score(), game.dropped(), game.over().map_or(0, f64::to_bits)],
    [8.0, 8.0],
    800,
    6.0
);

/// What a disc is: size, radius, place, velocity.
type Seen = (u64, f64, DVec2, DVec2);

fn discs(game: &Game) -> Vec<Seen> {
    let seen = game.world().discs();
    seen.map(|(_, disc)| (disc.user_data, disc.radius, disc.position, disc.velocity)).collect()
}

/// A game whose first discs have these sizes.
fn start(sizes: &[u64]) -> Game {
    let largest = sizes.iter().copied().fold(1, u64::max);
    let game = |seed| Game::new(&Options { seed, largest, ..Options::default() }).unwrap();
    let has_sizes = |game: &Game| (0..).zip(sizes).all(|(n, &size)| game.size_of(n) == size);
    (0..100_000).map(game).find(has_sizes).unwrap()
}

/// Lets discs fall from these places at these times.
fn drop_at(game: &mut Game, drops: &[(f64, f64)]) {
    for &(time, x) in drops {
        for action in [Action::Aim(x), Action::Drop] {
            game.input(Input { time, player: 0, action }).unwrap();
        }
    }
}

fn fall(height: f64) -> f64 {
    (2.0 * height / Game::GRAVITY).sqrt()
}

/// One falls onto one of its size that lies: after √(2h/g), at √(2gh), they are one of twice the mass,
/// midway, with half of the velocity, as large as it is to be, since there is room.
#[test]
fn two_of_a_size_become_one_with_their_momentum() {
    for size in 1..=4 {
        let (mut game, r) = (start(&[size, size]), Game::radius(size));
        drop_at(&mut game, &[(0.0, 0.5), (3.0, 0.5)]);
        let height = Game::DROPPER - 3.0 * r;
        game.advance_to(3.0 + fall(height) - 1e-9).unwrap();
        assert_eq!((discs(&game).len(), game.score()), (2, 0));
        game.advance_to(3.0 + fall(height) + 1e-9).unwrap();
        let [(next, radius, place, velocity)] = discs(&game)[..] else { panic!("{:?}", discs(&game)) };
        assert_eq!((next, game.score()), (size + 1, size * (size + 1) / 2));
        assert_eq!(game.world().discs().map(|(_, disc)| disc.mass).sum::<f64>(), 2.0 * Game::mass(size));
        assert_eq!(radius, Game::radius(size + 1));
        assert!((place - DVec2::new(0.5, 2.0 * r)).length() < 1e-7, "{place}");
        let half = 0.5 * (2.0 * Game::GRAVITY * height).sqrt();
        assert!((velocity - DVec2::new(0.0, -half)).length() < 1e-7, "{velocity}");
    }
}

/// At the wall there is room for as much as the two had. It grows from there at its speed, and comes to lie
/// in the corner as large as it is to be.
#[test]
fn at_a_wall_it_begins_small_and_grows() {
    let (mut game, r, full) = (start(&[3, 3]), Game::radius(3), Game::radius(4));
    drop_at(&mut game, &[(0.0, -9.0), (3.0, -9.0)]);
    let met = 3.0 + fall(Game::DROPPER - 3.0 * r);
    for step in 0..=20 {
        game.advance_to(met + 1e-9 + f64::from(step) * Game::STEP).unwrap();
        let [(_, radius, place, _)] = discs(&game)[..] else { panic!("{:?}", discs(&game)) };
        let grown = full.min(r + f64::from(step) * Game::GROWTH * Game::STEP);
        assert!((radius - grown).abs() < 1e-12, "after {step} steps: {radius} {grown}");
        // Pushed away from the wall no further than it has to be.
        assert!((0.0..1e-12).contains(&(place.x - radius + Game::HALF_WIDTH)), "{place}");
    }
    game.advance_to(met + 3.0).unwrap();
    let [(_, _, place, _)] = discs(&game)[..] else { panic!("{:?}", discs(&game)) };
    assert!((place - DVec2::new(full - Game::HALF_WIDTH, full)).length() < 1e-9, "{place}");
}

/// One falls between two of its size, onto both at one instant: it merges with the older one, whichever side
/// that is on, and what comes of that is as large as the floor and the younger one leave room for.
#[test]
fn of_three_the_oldest_two_merge() {
    for side in [-1.0, 1.0] {
        let (mut game, r) = (start(&[2, 2, 2]), Game::radius(2));
        let aside = 1.8 * side * r;
        drop_at(&mut game, &[(0.0, aside), (1.0, -aside), (4.0, 0.0)]);
        let raised = (4.0 - 1.8_f64 * 1.8).sqrt() * r;
        game.advance_to(4.0 + fall(Game::DROPPER - r - raised) - 1e-9).unwrap();
        let ids: Vec<_> = game.world().ids().collect();
        let mut touches = Vec::new();
        let mut note = |event: &Event<_>| {
            if let Event::Passed(passage) = event {
                touches.push((passage.a, passage.b));
            }
        };
        game.advance_to_with(game.now() + 2e-9, &mut note).unwrap();
        assert_eq!(touches, [(ids[0], Partner::Disc(ids[2]))]);
        let [(2, _, younger, _), (3, room, place, _)] = discs(&game)[..] else {
            panic!("{:?}", discs(&game))
        };
        assert!((younger - DVec2::new(-aside, r)).length() < 1e-9, "{younger}");
        let midway = DVec2::new(0.5 * aside, r + 0.5 * raised);
        assert!((place - midway).length() < 1e-7, "{place} {midway}");
        let expected = Game::radius(3).min(midway.y).min(midway.distance(younger) - r);
        assert!((room - expected).abs() < 1e-7, "{room} {expected}");
    }
}

/// Two of the largest vanish.
#[test]
fn two_of_the_largest_leave_nothing() {
    let mut game = start(&[Game::SIZES, Game::SIZES]);
    drop_at(&mut game, &[(0.0, 0.0), (1.5, 0.0)]);
    game.advance_to(2.2).unwrap();
    assert_eq!((game.dropped(), discs(&game).len(), game.score()), (2, 0, 66));
}

/// What falls past the line ends nothing; what stays above it does, after the time of grace, to the bit.
#[test]
fn what_stays_above_the_line_ends_the_game() {
    // The first is 6 high, and the second lies on it and at the wall: its centre at 7.8, its rim above 10.
    let mut game = start(&[11, 10, 9]);
    drop_at(&mut game, &[(0.0, -9.0), (2.5, 9.0), (4.4, 0.0), (5.0, 0.0)]);
    game.advance_to(4.0).unwrap();
    assert_eq!((game.dropped(), game.over(), game.ends_at()), (2, None, Some(2.5 + Game::GRACE)));
    game.advance_to(7.0).unwrap();
    assert_eq!((game.dropped(), game.over()), (2, Some(2.5 + Game::GRACE)));
}

#[test]
fn a_dropper_waits_and_keeps_to_the_box() {
    let mut game = start(&[5, 1]);
    // Too soon, and then where the first is still in the way: nothing falls.
    drop_at(&mut game, &[(0.0, 99.0), (0.9 * Game::RELOAD, 0.0)]);
    for action in [Action::Aim(f64::NAN), Action::Aim(f64::INFINITY)] {
        game.input(Input { time: 0.46, player: 0, action }).unwrap();
    }
    game.advance_to(0.0).unwrap();
    assert_eq!(discs(&game)[0].2, DVec2::new(Game::HALF_WIDTH - Game::radius(5), Game::DROPPER));
    game.advance_to(0.49).unwrap();
    assert_eq!((game.dropped(), game.is_loaded(), game.dropper().x), (1, false, 0.0));
    game.advance_to(Game::RELOAD).unwrap();
    assert!(game.is_loaded());
    for largest in [0, 12] {
        assert!(Game::new(&Options { largest, ..Options::default() }).is_err());
    }
}

/// What holds in whole games: nothing overlaps, nothing shrinks or is larger than its size, what lies
/// together is of unequal sizes, the mass is that of what has been dropped, and no step of growth moves
/// anything further than a diameter grows.
#[test]
fn heaps_merge_without_overlap_or_jump() {
    for seed in 0..carom_testkit::rng::cases(2) {
        let options = Options { seed, ..Options::default() };
        let (mut game, mut pilot) = (Game::new(&options).unwrap(), Pilot::new(seed));
        let mut radii = BTreeMap::new();
        let (mut mass, mut dropped) = (0.0, 0);
        for frame in 1..=600 {
            let before = game.clone();
            let script = pilot.play(&mut game, f64::from(frame) / 60.0).unwrap();
            while dropped < game.dropped() {
                mass += Game::mass(game.size_of(dropped));
                dropped += 1;
            }
            assert_well_merged(&game, &mut radii);
            assert_eq!(game.world().discs().map(|(_, disc)| disc.mass).sum::<f64>(), mass);
            assert_pushes_gently(before, &script, game.now());
        }
        assert!(game.score() > 20 && game.dropped() > 15, "{} {}", game.score(), game.dropped());
    }
}

fn assert_well_merged(game: &Game, radii: &mut BTreeMap<String, f64>) {
    let all: Vec<_> = game.world().discs().collect();
    let is_above = all.iter().any(|(_, disc)| disc.position.y + disc.radius > Game::LINE);
    assert_eq!(game.over().is_none() && game.ends_at().is_some(), is_above, "at {}", game.now());
    for (k, (id, disc)) in all.iter().enumerate() {
        let (size, place) = (disc.user_data, disc.position);
        let before = radii.insert(id.to_string(), disc.radius).unwrap_or(0.0);
        assert!(before <= disc.radius && disc.radius <= Game::radius(size), "{before} {disc:?}");
        // Gaps inside of pieces are at most `Rest::gap` of the size, and those of several pieces add up.
        let slack = |size: f64| 4.0 * Rest::default().gap * size;
        assert!(place.y >= disc.radius - slack(disc.radius), "{disc:?}");
        assert!(place.x.abs() <= Game::HALF_WIDTH - disc.radius + slack(disc.radius), "{disc:?}");
        for (_, other) in &all[..k] {
            let gap = place.distance(other.position) - disc.radius - other.radius;
            assert!(gap >= -slack(0.5 * (disc.radius + other.radius)), "{gap:e} {disc:?} {other:?}");
        }
        for held in game.world().held_to(*id).filter_map(|held| held.disc()) {
            assert_ne!(game.world().get(held).unwrap().user_data(), size, "{disc:?}");
        }
    }
}

/// Plays a frame again, and looks at each step of growth, from just before to just after it.
fn assert_pushes_gently(start: Game, script: &[Input<Action>], until: f64) {
    let mut game = start;
    let mut times = Vec::new();
    script.iter().for_each(|input| game.input(*input).unwrap());
    game.clone()
        .advance_to_with(until, &mut |event| {
            if let Event::Timer { time, .. } = event {
                times.push(time.as_secs());
            }
        })
        .unwrap();
    for time in times {
        let (early, late) = (time - 1e-9, time + 1e-9);
        if early < game.now() || late > until {
            continue;
        }
        game.advance_to(early).unwrap();
        let before: Vec<_> = game.world().discs().collect();
        game.advance_to(late).unwrap();
        for (id, disc) in before {
            let Some(now) = game.world().get(id) else { continue };
            let moved = now.position().distance(disc.position);
            // In 2 ns nothing flies further than 10⁻⁷.
            assert!(moved <= Game::PUSH + 1e-7, "{moved} at {time}: {disc:?}");
        }
    }
}
