use super::{Game, Order, Physics, Power};
use crate::random::Random;
use crate::{Error, Input};
use carom::{DVec2, Forecast};

/// Plays all pods, for tests and pictures: they aim beside the checkpoint by what they drift, and raise the
/// shield before a hard hit that is forecast.
#[derive(Debug)]
pub struct Pilot {
    random: Random,
    forecast: Forecast<Physics>,
    turn: u32,
}

impl Pilot {
    /// A pilot that decides by these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Pilot { random: Random::new(seed), forecast: Forecast::new(), turn: 0 }
    }

    /// Plays up to a time and returns what was done, for a replay.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn play(&mut self, game: &mut Game, until: f64) -> Result<Vec<Input<Order>>, Error> {
        let mut script = Vec::new();
        while f64::from(self.turn) < until {
            let time = f64::from(self.turn);
            game.advance_to(time)?;
            for player in 0..game.pods().len() {
                let input = Input { time, player, action: self.decide(game, player)? };
                game.input(input)?;
                script.push(input);
            }
            self.turn += 1;
        }
        game.advance_to(until).map(|()| script)
    }

    /// What the pod of a player is to do next, if this pilot flies it.
    ///
    /// # Errors
    /// If the world cannot be looked ahead.
    pub fn decide(&mut self, game: &Game, player: usize) -> Result<Order, Error> {
        let pod = &game.pods()[player];
        let Some(disc) = game.world().get(pod.disc) else {
            return Ok(Order { target: DVec2::ZERO, power: Power::Thrust(0) });
        };
        let (place, velocity) = (disc.position(), disc.velocity());
        let goal = game.next_checkpoint(pod);
        // Some cut corners closer than others.
        let drift = [3.0, 2.6, 3.4, 2.2][player % 4];
        let target = goal - velocity * drift + self.random.vector(150.0);
        let hit = self.forecast.first_impact(game.world(), 1.0, |impact| {
            impact.involves(pod.disc) && impact.approach_speed > 500.0
        })?;
        let ahead = pod.heading.dot((target - place).normalize_or(pod.heading));
        let power = if hit.is_some() {
            Power::Shield
        } else if !pod.is_boosted && pod.passed > 0 && ahead > 0.99 && place.distance(goal) > 6000.0 {
            Power::Boost
        } else if ahead < 0.0 {
            Power::Thrust(0)
        } else {
            Power::Thrust(200)
        };
        Ok(Order { target, power })
    }
}
