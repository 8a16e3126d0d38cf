use super::{Action, Game, Side};
use crate::random::Random;
use crate::{Error, Input};
use carom::DVec2;

/// Plays the table, for tests and pictures: flips when the ball is near, and pushes the table when it lies
/// still.
#[derive(Clone, Debug)]
pub struct Pilot {
    random: Random,
    turn: u32,
    pressed: [bool; 2],
}

impl Pilot {
    /// Seconds between two looks at the table.
    pub const TURN: f64 = 0.02;

    /// A pilot that decides by these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Pilot { random: Random::new(seed), turn: 0, pressed: [false; 2] }
    }

    /// Plays up to a time and returns what was done, for a replay.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn play(&mut self, game: &mut Game, until: f64) -> Result<Vec<Input<Action>>, Error> {
        let mut script = Vec::new();
        loop {
            let time = f64::from(self.turn) * Self::TURN;
            if time > until {
                return game.advance_to(until).map(|()| script);
            }
            self.turn += 1;
            game.advance_to(time)?;
            for action in self.decide(game).into_iter().flatten() {
                // At a time of its own, so that inputs fall between frames.
                let time = time + self.random.share() * Self::TURN;
                script.push(Input { time, player: 0, action });
                game.input(Input { time, player: 0, action })?;
            }
        }
    }

    fn decide(&mut self, game: &Game) -> [Option<Action>; 3] {
        let ([place, velocity], mut actions) = (game.ball_state(), [None; 3]);
        if !game.world().is_enabled(game.ball()) {
            return actions;
        }
        for (k, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            let towards = if k == 0 { -place.x } else { place.x };
            let is_near = (-0.2..2.2).contains(&towards) && (1.6..3.2).contains(&place.y) && velocity.y < 4.0;
            let wanted = is_near && (self.pressed[k] || self.random.share() < 0.5);
            if wanted != self.pressed[k] {
                self.pressed[k] = wanted;
                actions[k] = Some(if wanted { Action::Press(side) } else { Action::Release(side) });
            }
        }
        if velocity.length() < 0.05 && self.random.share() < 0.05 {
            let up = DVec2::new(self.random.between(-1.0, 1.0), 1.0);
            let is_in_lane = place.x > 5.0 && place.y < 3.0;
            actions[2] = Some(if is_in_lane {
                Action::Launch(self.random.between(30.0, 36.0))
            } else {
                Action::Nudge(up * self.random.between(1.0, 3.0))
            });
        }
        actions
    }
}
