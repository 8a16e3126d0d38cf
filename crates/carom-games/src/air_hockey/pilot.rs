use super::{Game, Mouse};
use crate::random::Random;
use crate::{Error, Input};
use carom::{DVec2, Forecast, ForecastOptions, Physics, Smooth};

/// Plays both mallets, for tests and pictures: they defend where the puck is forecast to come, and strike it
/// when it is slow.
#[derive(Debug)]
pub struct Pilot<P: Physics = Smooth> {
    random: Random,
    forecast: Forecast<P>,
    turn: u32,
    /// Some inattention: where each player plays beside the place that is meant.
    aside: [DVec2; 2],
}

impl Pilot {
    /// Seconds between two looks at the table.
    pub const TURN: f64 = 0.03;
}

impl<P: Physics> Pilot<P> {
    /// A pilot that decides by these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Pilot { random: Random::new(seed), forecast: Forecast::new(), turn: 0, aside: [DVec2::ZERO; 2] }
    }

    /// Plays up to a time and returns what was done, for a replay.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn play(&mut self, game: &mut Game<P>, until: f64) -> Result<Vec<Input<Mouse>>, Error> {
        let mut script = Vec::new();
        loop {
            let time = f64::from(self.turn) * Pilot::TURN;
            if time > until {
                return game.advance_to(until).map(|()| script);
            }
            self.turn += 1;
            game.advance_to(time)?;
            let mut inputs = [0, 1].map(|player| {
                let mouse = self.decide(game, player);
                // Each at a time of its own, so that inputs fall between frames.
                Input { time: time + self.random.share() * Pilot::TURN, player, action: Mouse(mouse) }
            });
            inputs.sort_by(|a, b| a.time.total_cmp(&b.time));
            for input in inputs {
                game.input(input)?;
                script.push(input);
            }
        }
    }

    /// Where the mouse of a player is to be now, if this pilot plays for it.
    pub fn decide(&mut self, game: &Game<P>, player: usize) -> DVec2 {
        let side = if player == 0 { -1.0 } else { 1.0 };
        let guard = DVec2::new(side * 0.9, 0.0);
        if self.random.share() < 0.1 {
            self.aside[player] = self.random.vector(0.05);
        }
        let ([puck, velocity], world) = (game.state(game.puck()), game.world());
        if !world.is_enabled(game.puck()) {
            return guard;
        }
        let is_mine = puck.x * side > 0.0;
        if is_mine && velocity.length() < 1.5 {
            // Behind the puck first, then through it, towards the other goal.
            let goal = DVec2::new(-side * Game::HALF.x, self.random.between(-0.5, 0.5));
            let aim = (goal - puck).normalize_or(DVec2::new(-side, 0.0));
            let [mallet, _] = game.state(game.mallets()[player]);
            let is_behind = (puck - mallet).normalize_or_zero().dot(aim) > 0.85;
            return if is_behind { puck + aim * 0.1 } else { puck - aim * 0.16 };
        }
        // Where the puck will cross the line of the guard, off cushions and other mallets.
        let options = ForecastOptions::new(1.0).with_max_impacts(4);
        let Ok(path) = self.forecast.path(world, game.puck(), &options) else { return guard };
        let crossing = path.iter().find_map(|piece| {
            let (from, to) = (piece.position_at(piece.start), piece.position_at(piece.end));
            let share = (guard.x - from.x) / (to.x - from.x);
            ((0.0..=1.0).contains(&share) && (to.x - from.x) * side > 0.0).then(|| from.lerp(to, share))
        });
        let meet = crossing.map_or(guard.with_y(0.4 * puck.y), |at| at.with_x(guard.x));
        meet + self.aside[player]
    }
}
