//! Which balls can be potted how: lines of geometry, played to see whether they work.

use super::fan::Fan;
use super::pot::{Pot, Stroke, shot_of};
use super::routes::{Line, Route, Wish, lines};
use super::steer::Trial;
use crate::{Error, Game, Outcome};
use carom_engine::math::elementary::sin_cos;

impl Game {
    /// The shots that pot one of some balls with a stroke. Every one of them has been played.
    ///
    /// First come those without a cushion, by geometry: straight, along a rail, by combination, on lines past
    /// everything that would be hit. For each the direction of the aim is found with which the ball leaves in
    /// the middle of what leads into the pocket: by playing it. On a table with an outline of its own jaws
    /// are not seen, and nothing is looked for along a rail.
    ///
    /// Then a fan of directions is played, some hundreds, and one more way is added for each ball and pocket
    /// where the fan has one: off cushions, by caroms, kisses and what else there is. Of two neighbours of
    /// the fan with the same contacts, between which the ball passes over the pocket, a shot between them
    /// may pot it. The fan grows where balls are that have no way so far. The one is taken whose ball turns
    /// least with the aim.
    ///
    /// # Errors
    /// For a stroke that is none, and balls that are not on the table.
    pub fn pots(&self, wish: &Wish, stroke: Stroke) -> Result<Vec<Pot>, Error> {
        let mut trial = Trial::new(self)?;
        let mut found = Vec::new();
        for line in lines(self, wish)? {
            found.extend(pot(&mut trial, &line, wish, stroke)?);
        }
        keep_first(&mut found);
        let mut fan = Fan::new(self, wish, shot_of(wish, stroke), &found)?;
        loop {
            let shots = fan.grow()?;
            if shots.is_empty() {
                break;
            }
            let played = shots.iter().map(|shot| Ok((shot.direction, trial.follow(shot)?)));
            let played: Vec<_> = played.collect::<Result<_, Error>>()?;
            fan.take(played.into_iter());
        }
        fan.add_to(&mut found);
        Ok(found)
    }
}

/// Keeps one shot of several along a rail: the first, with each stroke.
pub(super) fn keep_first(found: &mut Vec<Pot>) {
    let mut kept: Vec<Pot> = Vec::with_capacity(found.len());
    for pot in found.drain(..) {
        if !matches!(pot.route, Route::AlongRail(_)) || !kept.iter().any(|other| pot.is_like(other)) {
            kept.push(pot);
        }
    }
    *found = kept;
}

/// The shot along a line with a stroke, if it pots the ball.
pub(super) fn pot(
    trial: &mut Trial<'_>,
    line: &Line,
    wish: &Wish,
    stroke: Stroke,
) -> Result<Option<Pot>, Error> {
    let shot = shot_of(wish, stroke);
    // What goes straight is tried on both sides of the middle of the window, too.
    let part = 0.7 * line.half;
    let parts = [0.0, part, -part];
    let beside = if line.route == Route::Direct { &parts[..] } else { &parts[..1] };
    for &off in beside {
        let line = turned_line(line, off);
        let Some(shot) = trial.steer(&shot, &line)? else { continue };
        let outcome = trial.play(&shot)?;
        let layout = &trial.game.layout().balls;
        let ball = layout[line.ball].label.clone();
        let falls = outcome.potted.iter().find(|p| p.ball == ball && p.pocket == line.pocket);
        let may_be = outcome.first_hit.as_ref().is_some_and(|ball| wish.may_meet(ball));
        if may_be && falls.is_some_and(|fell| line.route.is_taken(&outcome, &ball, fell.time)) {
            return Ok(Some(Pot {
                ball,
                pocket: line.pocket,
                route: line.route,
                ghost: trial.game.table().from_world(line.ghost),
                cut: crate::elementary::arc_cos(line.cut),
                margin: line.half,
                distance: line.distance,
                scratches: outcome.potted.iter().any(|p| p.ball == outcome.ball),
                shot,
            }));
        }
    }
    Ok(None)
}

impl Route {
    /// Whether a ball that fell at a time took this route without a cushion, whatever else it met on its way.
    fn is_taken(&self, outcome: &Outcome, ball: &str, fell: f64) -> bool {
        let (Some(first), Some(time)) = (outcome.first_hit.as_deref(), outcome.first_hit_at) else {
            return false;
        };
        let meets =
            |who: &str, until: f64| outcome.cushions.iter().any(|hit| hit.ball == who && hit.time < until);
        let kicked = meets(&outcome.ball, time);
        let mut of_ball = outcome.hits.iter().filter(|hit| hit.balls.iter().any(|label| label == ball));
        let met_by = of_ball.next().and_then(|hit| hit.balls.iter().find(|label| *label != ball));
        match self {
            Route::Direct => first == ball && !kicked && !meets(ball, fell),
            Route::AlongRail(_) => first == ball && !kicked,
            Route::Combination(by) => first == by && met_by.is_some_and(|met| met == by),
            _ => false,
        }
    }
}

/// A line whose ball is to leave at an angle to it.
fn turned_line(line: &Line, angle: f64) -> Line {
    let (sin, cos) = sin_cos(angle);
    Line { way: line.way * cos + line.way.perp() * sin, ..line.clone() }
}
