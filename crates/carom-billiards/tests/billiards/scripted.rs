//! Shots made up for the tests of rules, and simple players.

use crate::support::disc;
use carom_billiards::rules::{CueBall, Next, Player};
use carom_billiards::{CushionHit, Game, Layout, Outcome, Potted, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::rng::Rng;

/// What a shot would have to look like: which ball is met first, which fall, which meet a cushion afterwards.
pub(crate) fn shot(first: Option<u32>, fallen: &[&str], driven: &[&str]) -> Outcome {
    let table = Table::carom_10ft();
    let mut game = Layout::new().with(Layout::CUE, table.ball, [0.7, 0.7]).build(&table).unwrap();
    let played = game.shoot(&Shot::new(0.1)).unwrap();
    let potted = |&ball: &&str| Potted { ball: ball.into(), pocket: 0, time: 0.5 };
    let cushion = |&ball: &&str| CushionHit { ball: ball.into(), cushion: 0, time: 0.4, frozen: false };
    Outcome {
        first_hit: first.map(|ball| ball.to_string()),
        first_hit_at: first.map(|_| 0.2),
        potted: fallen.iter().map(potted).collect(),
        cushions: driven.iter().map(cushion).collect(),
        ..played
    }
}

pub(crate) fn shoots(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::Lies }
}

pub(crate) fn in_hand(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::InHand }
}

/// A shot for the ball on: into the pocket for which it is cut least, with some error.
pub(crate) fn aim(game: &Game, ball_on: &str, rng: &mut Rng) -> (Shot, usize) {
    let (cue, ball) = (place(game, Layout::CUE), place(game, ball_on));
    let ghost = |(pocket, (at, _)): (usize, (DVec2, f64))| {
        let way = (at - ball).normalize();
        let ghost = ball - way * (2.0 * game.table().ball.radius);
        (way.dot((ghost - cue).normalize()), ghost, pocket)
    };
    let circles = game.table().pocket_circles();
    let best = circles.into_iter().enumerate().map(ghost).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let target = if best.0 > 0.3 { best.1 } else { ball };
    let error = rng.range(-0.005, 0.005);
    (Shot::new(rng.range(1.0, 4.0)).aimed_at((target - cue).to_angle() + error), best.2)
}

/// At full speed at the ball in front.
pub(crate) fn break_shot(game: &Game, front: &str) -> Shot {
    Shot::new(8.0).aimed_at((place(game, front) - place(game, Layout::CUE)).to_angle())
}

/// Where a ball is, in the frame of worlds.
pub(crate) fn place(game: &Game, label: &str) -> DVec2 {
    game.world().get(disc(game, label)).unwrap().position()
}

pub(crate) fn lies(game: &Game, label: &str) -> bool {
    game.world().is_enabled(disc(game, label))
}

/// Takes a ball off the table.
pub(crate) fn take(game: &mut Game, label: &str) {
    let id = disc(game, label);
    game.world_mut().set_enabled(id, false).unwrap();
}

/// Puts the cue ball somewhere, if it is in hand.
pub(crate) fn put_in_hand(game: &mut Game, cue_ball: CueBall, rng: &mut Rng) {
    let (width, length) = (game.table().width, game.table().length);
    loop {
        let at = match cue_ball {
            CueBall::InHand => DVec2::new(rng.range(0.0, width), rng.range(0.0, length)),
            CueBall::BehindHeadString => DVec2::new(rng.range(0.0, width), rng.range(0.0, 0.25 * length)),
            CueBall::InD => {
                let off = DVec2::new(rng.range(-0.29, 0.29), rng.range(-0.29, 0.0));
                if off.length() > 0.29 {
                    continue;
                }
                DVec2::new(0.5 * width, 0.737) + off
            }
            _ => return,
        };
        if game.place(Layout::CUE, at).is_ok() {
            return;
        }
    }
}
