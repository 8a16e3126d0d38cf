//! Where balls of snooker are put, and what hides them from the cue ball.

use crate::gathered::FROZEN;
use crate::motion::length;
use crate::rack::{COLOURS, snooker_spots, the_d};
use crate::{Error, Game, Layout};
use carom_engine::DVec2;

/// Places of the D that are tried, in metres apart.
const STEP: f64 = 0.01;

/// Puts a colour back, by its place among [`COLOURS`]: section 3, 7.
pub(super) fn spot(game: &mut Game, colour: usize) -> Result<(), Error> {
    let (spots, label) = (snooker_spots(game.table()), COLOURS[colour]);
    let index = game.index_of(label)?;
    let own = spots[colour];
    let by_value = [own].into_iter().chain(spots.into_iter().rev());
    let free = by_value.into_iter().find(|&at| is_free(game, index, at));
    if let Some(at) = free {
        return game.place(label, at);
    }
    for y in game.free_along(index, own, |_| Game::SEPARATION) {
        let at = own + DVec2::new(0.0, y);
        if is_free(game, index, at) && game.place(label, at).is_ok() {
            return Ok(());
        }
    }
    Err(Error::OffTable { label: label.into(), x: own.x, y: own.y })
}

/// Whether a ball lies at a place without touching another one on the table.
fn is_free(game: &Game, ball: usize, at: DVec2) -> bool {
    let at = game.table().to_world(at);
    let mut others = (0..game.discs().len()).filter(|&k| k != ball).filter_map(|k| game.seen(k, ball));
    others.all(|other| length(other.at - at) > other.reach + FROZEN)
}

/// Whether none of the balls that are on can be met at both of its edges: section 2, 17.
pub(super) fn is_snookered(game: &Game, on: &[String]) -> Result<bool, Error> {
    Ok(!sees(game, on, None)?)
}

/// Whether that is so from everywhere in the D: section 2, 17 (a). Places a centimetre apart are tried.
pub(super) fn is_snookered_in_hand(game: &Game, on: &[String]) -> Result<bool, Error> {
    let (brown, radius) = the_d(game.table());
    let cue = game.index_of(Layout::CUE)?;
    let steps = (radius / STEP) as i32;
    for row in 0..=steps {
        for column in -steps..=steps {
            let off = DVec2::new(f64::from(column), -f64::from(row)) * STEP;
            let at = brown + off;
            let is_in_d = off.length_squared() <= radius * radius;
            if is_in_d && is_free(game, cue, at) && sees(game, on, Some(game.table().to_world(at)))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether one of the balls that are on can be met at both of its edges, from a place in the frame of worlds
/// or from where the cue ball lies.
fn sees(game: &Game, on: &[String], from: Option<DVec2>) -> Result<bool, Error> {
    let passed: Vec<&str> = on.iter().map(String::as_str).collect();
    for &ball in &passed {
        let in_the_way = match from {
            Some(from) => game.in_the_way_from(from, Layout::CUE, ball, &passed)?,
            None => game.in_the_way(Layout::CUE, ball, &passed)?,
        };
        if in_the_way.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The one ball that is nearest in the way to all balls that are on: section 2, 17 (b) and (c).
pub(super) fn snookering(game: &Game, on: &[String]) -> Result<Option<String>, Error> {
    let passed: Vec<&str> = on.iter().map(String::as_str).collect();
    let mut by: Option<&str> = None;
    for &ball in &passed {
        let Some(nearest) = game.in_the_way(Layout::CUE, ball, &passed)? else { return Ok(None) };
        if by.is_some_and(|by| by != nearest) {
            return Ok(None);
        }
        by = Some(nearest);
    }
    Ok(by.map(str::to_owned))
}
