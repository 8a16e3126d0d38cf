//! What the games of pool ask of every shot: World Pool-Billiard Association, The Rules of Play, sections 6
//! and 8.

use super::{CueBall, Foul};
use crate::{Error, Layout, Outcome, Tip};
use carom_engine::StopReason;

/// Object balls that meet a cushion on a break on which none falls.
const DRIVEN: usize = 4;

/// Balls by their numbers: bit k is ball k.
pub(super) type Balls = u16;

/// Balls of the numbers from `first` to `last`.
pub(super) const fn balls(first: u32, last: u32) -> Balls {
    (((1_u32 << (last + 1)) - 1) & !((1 << first) - 1)) as Balls
}

/// The number of an object ball of a game.
pub(super) fn number(label: &str, of_game: Balls) -> Result<u32, Error> {
    let number = label.parse().ok().filter(|number| (1..16).contains(number) && of_game >> number & 1 == 1);
    let known = || numbers(of_game).map(|number| number.to_string()).collect::<Vec<_>>();
    number.ok_or_else(|| Error::no_ball(label, known().iter().map(String::as_str)))
}

/// The numbers of some balls.
pub(super) fn numbers(balls: Balls) -> impl Iterator<Item = u32> {
    (1..16).filter(move |number| balls >> number & 1 == 1)
}

/// The object balls that fall in a shot.
///
/// # Errors
/// [`Error::OutOfTurn`] if balls still move, [`Error::NoSuchBall`] for one that is not of the game.
pub(super) fn fallen(outcome: &Outcome, of_game: Balls) -> Result<Balls, Error> {
    if outcome.end != StopReason::Reached {
        return Err(Error::OutOfTurn("balls still move"));
    }
    let mut fallen = 0;
    for potted in outcome.potted.iter().filter(|potted| potted.ball != Layout::CUE) {
        fallen |= 1 << number(&potted.ball, of_game)?;
    }
    Ok(fallen)
}

/// Whether the cue ball falls: 6.1.
pub(super) fn scratches(outcome: &Outcome) -> bool {
    outcome.potted.iter().any(|potted| potted.ball == Layout::CUE)
}

/// The fouls of a shot at the balls that are on: 6.1 to 6.3, 6.7, 6.10 and 6.11. Of balls that are met first
/// at one instant one that is on is enough: that is not to be decided, and the shooter has the benefit. A
/// ball that has been frozen to a cushion is not driven there: 8.4.
pub(super) fn fouls(outcome: &Outcome, on: Balls, of_game: Balls, from: CueBall) -> Result<Vec<Foul>, Error> {
    let mut fouls = Vec::new();
    if scratches(outcome) {
        fouls.push(Foul::Scratch);
    }
    fouls.extend(of_stroke(outcome));
    if from == CueBall::BehindHeadString && !outcome.from_behind_string {
        fouls.push(Foul::BadPlacement);
    }
    let Some(time) = outcome.first_hit_at else {
        fouls.push(Foul::NoContact);
        fouls.sort_unstable();
        return Ok(fouls);
    };
    let mut first_met = 0;
    for ball in outcome.first_met() {
        first_met |= 1 << number(ball, of_game)?;
    }
    if on & first_met == 0 {
        fouls.push(Foul::WrongBall);
    }
    let is_driven = outcome.cushions.iter().any(|hit| hit.time > time && !hit.frozen);
    if !is_driven && fallen(outcome, of_game)? == 0 {
        fouls.push(Foul::NoCushion);
    }
    if from == CueBall::BehindHeadString && outcome.met_behind_string {
        fouls.push(Foul::BehindHeadString);
    }
    fouls.sort_unstable();
    Ok(fouls)
}

/// What is wrong with how the tip meets the cue ball, 6.7, and what the referee calls: 6.4, 6.6, 6.15, 6.16.
pub(super) fn of_stroke(outcome: &Outcome) -> impl Iterator<Item = Foul> {
    let tip = (outcome.tip != Tip::Once).then_some(Foul::DoubleHit);
    tip.into_iter().chain(outcome.is_called.then_some(Foul::Called))
}

/// Notes among the fouls of a break on which no ball falls if too few are driven to cushions.
pub(super) fn note_weak_break(fouls: &mut Vec<Foul>, outcome: &Outcome, of_game: Balls) {
    let driven = |&number: &u32| {
        let label = number.to_string();
        outcome.cushions.iter().any(|hit| hit.ball == label && !hit.frozen)
    };
    if numbers(of_game).filter(driven).count() < DRIVEN && !fouls.contains(&Foul::NoContact) {
        fouls.retain(|foul| *foul != Foul::NoCushion);
        fouls.push(Foul::WeakBreak);
        fouls.sort_unstable();
    }
}
