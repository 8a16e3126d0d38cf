//! Which balls can be potted how: lines of geometry, played to see whether they work.

use super::routes::{Line, Rail, Route, Wish, lines};
use super::steer::Trial;
use crate::{Error, Game, Outcome, Shot};
use carom_engine::DVec2;
use carom_engine::math::elementary::sin_cos;

/// Angles by which banks are tried beside the line of a mirror: cushions are none.
const BESIDE: [f64; 9] = [0.0, 0.015, -0.015, 0.03, -0.03, 0.05, -0.05, 0.08, -0.08];

/// How the cue ball is struck, but for the direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Speed of the cue in m/s.
    pub speed: f64,
    /// Where the tip meets the ball, to the right and upwards, as fractions of the radius.
    pub side: f64,
    /// As `side`.
    pub height: f64,
}

impl Stroke {
    /// A stroke through the centre.
    #[must_use]
    pub fn new(speed: f64) -> Stroke {
        Stroke { speed, side: 0.0, height: 0.0 }
    }
}

/// A shot that pots a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Pot {
    /// The label of the ball.
    pub ball: String,
    /// The number of the pocket: see [`Table::pocket_circles`](crate::Table::pocket_circles).
    pub pocket: usize,
    /// How.
    pub route: Route,
    /// The shot.
    pub shot: Shot,
    /// Where the cue ball is as it meets its first ball, by geometry, in the frame of the table.
    pub ghost: DVec2,
    /// The angle between the ways of what meets the ball and of the ball, by geometry, in radians, 0 to π/2.
    pub cut: f64,
    /// Half of the angle by which the ball may leave off the middle of its way, in radians.
    pub margin: f64,
    /// How far cue ball and balls travel until then, by geometry, in metres.
    pub distance: f64,
    /// Whether the cue ball falls as well.
    pub scratches: bool,
}

impl Pot {
    /// Whether an outcome is what was wanted: the ball falls into its pocket, the cue ball does not, and what
    /// is met first may be.
    #[must_use]
    pub fn is_made(&self, outcome: &Outcome, wish: &Wish) -> bool {
        let falls = outcome.potted.iter().any(|p| p.ball == self.ball && p.pocket == self.pocket);
        let scratches = outcome.potted.iter().any(|p| p.ball == outcome.ball);
        falls && !scratches && outcome.first_hit.as_ref().is_some_and(|ball| wish.may_meet(ball))
    }
}

impl Game {
    /// The shots that pot one of some balls with a stroke: straight, off one cushion (of the ball or of the
    /// cue ball), by combination and by carom. Every one of them has been played. In the order of the wish,
    /// then of the pockets.
    ///
    /// On a table with an outline of its own nothing is looked for off cushions, and jaws are not seen.
    ///
    /// The candidates are lines past everything that would be hit. For each the direction of the aim is found
    /// with which the ball leaves in the middle of what leads into the pocket: by playing it.
    ///
    /// # Errors
    /// For a stroke that is none, and balls that are not on the table.
    pub fn pots(&self, wish: &Wish, stroke: Stroke) -> Result<Vec<Pot>, Error> {
        let mut trial = Trial::new(self);
        let mut found = Vec::new();
        for line in lines(self, wish)? {
            found.extend(pot(&mut trial, &line, wish, stroke)?);
        }
        keep_first(&mut found, |pot| pot);
        Ok(found)
    }
}

/// Keeps one shot of several along a rail: the first, with each stroke.
pub(super) fn keep_first<T>(found: &mut Vec<T>, pot: impl Fn(&T) -> &Pot) {
    let mut seen: Vec<(String, usize, u64)> = Vec::new();
    found.retain(|found| {
        let pot = pot(found);
        if !matches!(pot.route, Route::AlongRail(_)) {
            return true;
        }
        let key = (pot.ball.clone(), pot.pocket, pot.shot.speed.to_bits());
        let is_new = !seen.contains(&key);
        seen.extend(is_new.then_some(key));
        is_new
    });
}

/// The shot along a line with a stroke, if it pots the ball.
pub(super) fn pot(
    trial: &mut Trial<'_>,
    line: &Line,
    wish: &Wish,
    stroke: Stroke,
) -> Result<Option<Pot>, Error> {
    let shot = Shot::new(stroke.speed).with_offset(stroke.side, stroke.height).of_ball(wish.cue_ball.clone());
    // Banks are tried beside the line, what goes straight also on both sides of the middle of the window.
    let part = 0.7 * line.half;
    let parts = [0.0, part, -part];
    let beside: &[f64] = match line.route {
        Route::Bank(_) => &BESIDE,
        Route::Direct => &parts,
        _ => &BESIDE[..1],
    };
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

impl Rail {
    /// Whether a cushion is a nose of this side: see [`Table::segments`](crate::Table::segments).
    fn has(self, cushion: usize) -> bool {
        match self {
            Rail::Head => cushion == 4,
            Rail::Right => cushion == 2 || cushion == 3,
            Rail::Foot => cushion == 5,
            Rail::Left => cushion < 2,
        }
    }
}

impl Route {
    /// Whether a ball that fell at a time took this route, whatever else it met on its way.
    fn is_taken(&self, outcome: &Outcome, ball: &str, fell: f64) -> bool {
        let (Some(first), Some(time)) = (outcome.first_hit.as_deref(), outcome.first_hit_at) else {
            return false;
        };
        let meets = |who: &str, rail: Rail, after: f64, before: f64| {
            let hits = outcome.cushions.iter().filter(|hit| hit.ball == who && rail.has(hit.cushion));
            hits.into_iter().any(|hit| (after..=before).contains(&hit.time))
        };
        let kicked = outcome.cushions.iter().any(|hit| hit.ball == outcome.ball && hit.time < time);
        let banked = outcome.cushions.iter().any(|hit| hit.ball == ball && hit.time < fell);
        let mut of_ball = outcome.hits.iter().filter(|hit| hit.balls.iter().any(|label| label == ball));
        let met_by = of_ball.next().and_then(|hit| hit.balls.iter().find(|label| *label != ball));
        let is_by = |label: &str| met_by.is_some_and(|by| by == label);
        match self {
            Route::Direct => first == ball && !kicked && !banked,
            Route::AlongRail(_) => first == ball && !kicked,
            Route::Bank(rail) => first == ball && !kicked && meets(ball, *rail, time, fell),
            Route::Kick(rail) => first == ball && meets(&outcome.ball, *rail, 0.0, time),
            Route::Combination(by) => first == by && is_by(by),
            Route::Carom(by) => first == by && is_by(&outcome.ball),
        }
    }
}

/// A line whose ball is to leave at an angle to it.
fn turned_line(line: &Line, angle: f64) -> Line {
    let (sin, cos) = sin_cos(angle);
    Line { way: line.way * cos + line.way.perp() * sin, ..line.clone() }
}
