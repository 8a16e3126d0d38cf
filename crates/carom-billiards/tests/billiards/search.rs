//! The search for a shot: the same on any number of threads, and its probabilities are what one finds by
//! playing.

use carom_billiards::aim::{Search, Spread, Stroke, Wish};
use carom_billiards::{Error, Game, Layout, Shot, Table};
use carom_testkit::rng::{Rng, cases};
use core::num::NonZeroUsize;
use core::time::Duration;

/// Solids and stripes all over a table, by a seed.
fn scattered(seed: u64) -> Game {
    let (table, rng) = (Table::pool_9ft(), &mut Rng::new(seed));
    let mut layout = Layout::new();
    for label in ["cue", "1", "2", "3", "9", "10", "11"] {
        let mut tried = layout.clone().with(label, table.ball, [0.6, 0.6]);
        while tried.build(&table).is_err() {
            tried = layout.clone().with(label, table.ball, [rng.range(0.1, 1.1), rng.range(0.1, 2.4)]);
        }
        layout = tried;
    }
    layout.build(&table).unwrap()
}

fn solids() -> Wish {
    Wish::pot(&["1", "2", "3"]).meeting_first(&["1", "2", "3"])
}

/// Law: the number of threads changes nothing; the seed does.
#[test]
fn threads_change_nothing() {
    let game = scattered(4);
    let search = Search::default().with_simulations(400);
    let on = |threads| search.clone().with_threads(NonZeroUsize::new(threads).unwrap());
    let one = on(1).run(&game, &solids()).unwrap();
    assert!(one.len() > 3);
    for threads in [2, 5] {
        assert_eq!(on(threads).run(&game, &solids()).unwrap(), one);
    }
    let other = Search { seed: 2, ..search }.run(&game, &solids()).unwrap();
    assert_ne!(other, one);
}

/// The probability is the share of shots with errors that a player makes, who is played here on other errors;
/// the first ones have been tried most, and what has been tried is not more than was allowed.
#[test]
fn probabilities_are_those_of_playing() {
    for seed in 1..=cases(3) {
        let game = scattered(seed);
        let wish = solids();
        let search = Search::default().with_simulations(1200);
        let found = search.run(&game, &wish).unwrap();
        assert!(found.iter().map(|shot| shot.simulations).sum::<u32>() <= 1200);
        assert!(found[0].simulations >= found[found.len() - 1].simulations);
        assert!(!found.is_empty());
        for shot in found.iter().take(2) {
            let made = |number: &u64| {
                let played = search.spread.played(&shot.pot.shot, 77, *number);
                let outcome = game.clone().shoot(&played);
                outcome.is_ok_and(|outcome| shot.pot.is_made(&outcome, &wish))
            };
            let share = (0..1000).filter(made).count() as f64 / 1000.0;
            let error = shot.error.hypot((share * (1.0 - share) / 1000.0).sqrt());
            // Five standard errors: by chance once in a million.
            assert!((shot.probability - share).abs() < 5.0 * error, "{share}: {shot:?}");
        }
    }
}

/// Without errors every shot is made; with more of them fewer are; without simulations each is played once.
#[test]
fn spreads() {
    let game = scattered(2);
    let wish = solids();
    let best = |spread: Spread| {
        let found = Search::default().with_simulations(800).with_spread(spread).run(&game, &wish).unwrap();
        found.iter().map(|shot| shot.probability).sum::<f64>() / found.len() as f64
    };
    let shares = [0.0, 0.3, 1.0, 3.0, 10.0].map(|factor| best(Spread::TOURNAMENT.scaled(factor)));
    assert_eq!(shares[0], 1.0);
    assert!(shares.windows(2).all(|pair| pair[0] > pair[1]), "{shares:?}");
    let few = Search::default().with_simulations(0).run(&game, &wish).unwrap();
    assert!(few.iter().all(|shot| shot.simulations == 1));
}

/// The errors have the mean 0 and the deviations that were asked for: within five standard errors of either.
#[test]
fn errors_are_normal() {
    let (spread, shot, n) = (Spread::TOURNAMENT, Shot::new(3.0).with_elevation(0.3), 4000_u32);
    let played: Vec<Shot> = (0..u64::from(n)).map(|k| spread.played(&shot, 5, k)).collect();
    let errors = |played: &Shot| {
        [
            (played.direction, spread.direction),
            (played.speed - 3.0, spread.speed),
            (played.side, spread.side),
            (played.height, spread.height),
            (played.elevation - 0.3, spread.elevation),
        ]
        .map(|(off, deviation)| off / deviation)
    };
    let off: Vec<[f64; 5]> = played.iter().map(errors).collect();
    for of in 0..5 {
        let n = f64::from(n);
        let sum = off.iter().map(|off| off[of]).sum::<f64>() / n;
        let squares = off.iter().map(|off| off[of] * off[of]).sum::<f64>() / n;
        assert!(
            sum.abs() < 5.0 / n.sqrt() && (squares - 1.0).abs() < 5.0 * (2.0 / n).sqrt(),
            "{sum} {squares}"
        );
    }
    let level = Shot::new(3.0);
    assert!((0..100).all(|k| spread.played(&level, 5, k).elevation >= 0.0));
}

/// What is asked for decides: rules of one's own, a search by the clock, nothing to be potted.
#[test]
fn other_searches() {
    let game = scattered(2);
    let wish = solids();
    let search = Search::default().with_simulations(400).with_strokes(vec![Stroke::new(2.0)]);
    // With the cue ball left in the half at the head.
    let stays = |outcome: &carom_billiards::Outcome| outcome.duration < 4.0;
    let any = search.run(&game, &wish).unwrap();
    let short =
        search.run_for(&game, &wish, |pot, outcome| pot.is_made(outcome, &wish) && stays(outcome)).unwrap();
    let sum = |found: &[carom_billiards::aim::Ranked]| found.iter().map(|shot| shot.probability).sum::<f64>();
    assert!(sum(&short) < sum(&any));
    let timed = search.run_until(&game, &wish, Duration::from_millis(20)).unwrap();
    assert_eq!(timed.len(), any.len());
    assert!(search.run(&game, &Wish::pot(&[])).unwrap().is_empty());
    // No end that a clock could show.
    assert!(search.run_until(&game, &Wish::pot(&[]), Duration::MAX).unwrap().is_empty());
    assert!(matches!(search.run(&game, &Wish::pot(&["99"])), Err(Error::NoSuchBall { .. })));
    let broken = search.with_strokes(vec![Stroke::new(99.0)]).run(&game, &wish);
    assert!(matches!(broken, Err(Error::OutOfRange { field: "speed", .. })));
}
