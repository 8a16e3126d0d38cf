//! The direction of the aim that sends a ball off in a wanted one, found by playing.

use super::geometry::{angle_between, turned};
use super::routes::Line;
use crate::{Error, Game, Shot};
use carom_engine::{DVec2, Event};

/// Steps of the secant method.
const STEPS: usize = 8;

/// The angle by which a ball may leave off the wanted direction, in radians.
const OFF: f64 = 1e-4;

/// A game on which shots are tried.
#[derive(Clone)]
pub(super) struct Trial<'a> {
    pub(super) game: &'a Game,
    /// The same with all that its first call prepares: each trial begins as a copy of it.
    ready: Game,
    trial: Game,
}

impl<'a> Trial<'a> {
    pub(super) fn new(game: &'a Game) -> Result<Self, Error> {
        let mut ready = game.clone();
        ready.world_mut().advance(0.0)?;
        Ok(Trial { game, trial: ready.clone(), ready })
    }

    /// Plays a shot; the game stays as it is.
    pub(super) fn play(&mut self, shot: &Shot) -> Result<crate::Outcome, Error> {
        self.trial.clone_from(&self.ready);
        self.trial.try_shot(shot)
    }

    /// The game with a shot begun.
    pub(super) fn begun(&mut self, shot: &Shot) -> Result<&mut Game, Error> {
        self.trial.clone_from(&self.ready);
        self.trial.begin(shot)?;
        Ok(&mut self.trial)
    }

    /// The angle by which a ball leaves off a direction as something first meets it; `None` if nothing does.
    fn off(&mut self, shot: &Shot, line: &Line) -> Result<Option<f64>, Error> {
        self.trial.clone_from(&self.ready);
        let velocity = self.trial.launch(shot, line.ball)?;
        Ok(velocity.filter(|velocity| *velocity != DVec2::ZERO).map(|way| angle_between(line.way, way)))
    }

    /// The shot along a line whose ball leaves in the direction of the line, if one is found: by the secant
    /// method from the aim by geometry.
    pub(super) fn steer(&mut self, shot: &Shot, line: &Line) -> Result<Option<Shot>, Error> {
        let at = |turn: f64| {
            let way = turned(line.aim, turn);
            shot.clone().aimed_at(super::geometry::direction(way))
        };
        let mut turn = 0.0;
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..STEPS {
            let Some(off) = self.off(&at(turn), line)? else { return Ok(None) };
            if off.abs() < OFF {
                return Ok(Some(at(turn)));
            }
            // A ball is met further to the right as the aim turns to the left, and leaves to the right.
            let slope = match last {
                Some((other, before)) if other != turn && before != off => (off - before) / (turn - other),
                _ => -line.distance.max(1.0) * 20.0,
            };
            last = Some((turn, off));
            turn -= (off / slope).clamp(-0.02, 0.02);
        }
        Ok(None)
    }
}

impl Game {
    /// Plays a shot until something meets a ball for the first time, and returns its velocity after that.
    fn launch(&mut self, shot: &Shot, ball: usize) -> Result<Option<DVec2>, Error> {
        self.begin(shot)?;
        let id = self.discs()[ball];
        let mut velocity = None;
        self.world_mut().advance_until_event(64.0, |event| {
            if let Event::Impact(impact) = event
                && impact.b.disc().is_some()
            {
                let after = if impact.a == id { Some(impact.after[0]) } else { None };
                velocity = after.or_else(|| (impact.b.disc() == Some(id)).then_some(impact.after[1]));
            }
            velocity.is_some()
        })?;
        Ok(velocity)
    }
}
