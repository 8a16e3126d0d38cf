use super::{Action, Game};
use crate::random::Random;
use crate::{Error, Input};

/// Plays all ships, for tests and pictures: they keep away from each other and fire at the nearest opponent.
#[derive(Clone, Debug)]
pub struct Pilot {
    random: Random,
    turn: u32,
}

impl Pilot {
    /// Seconds between two decisions.
    pub const TURN: f64 = 0.15;

    /// A pilot that decides by these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Pilot { random: Random::new(seed), turn: 0 }
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
            for player in 0..game.ships().len() {
                let (steer, fire) = self.decide(game, player);
                // Each at a time of its own, so that inputs fall between frames.
                let at = |share: f64| time + share * Self::TURN;
                let times = [at(self.random.share()), at(self.random.share())];
                for (time, action) in times.into_iter().zip([steer, fire]) {
                    if let Some(action) = action {
                        let input = Input { time, player, action };
                        game.input(input)?;
                        script.push(input);
                    }
                }
            }
        }
    }

    /// Where the ship of a player is to fly from now on, and where to fire, if this pilot flies it; `None`:
    /// as before, and nowhere.
    pub fn decide(&mut self, game: &Game, player: usize) -> (Option<Action>, Option<Action>) {
        let Some(place) = game.place(player) else { return (None, None) };
        let team = game.ships()[player].team;
        let others = (0..game.ships().len()).filter(|&other| game.ships()[other].team != team);
        let nearest = others
            .filter_map(|other| game.place(other))
            .min_by(|a, b| a.distance_squared(place).total_cmp(&b.distance_squared(place)));
        let steer = (self.random.share() < 0.25).then(|| {
            let wanted = game.home(player) * 0.5 + self.random.vector(7.0) - place;
            Action::Steer(wanted.normalize_or_zero() * self.random.between(2.0, Game::SPEED))
        });
        let fire = nearest.map(|target| {
            let spread = self.random.vector(0.15 * place.distance(target));
            Action::Fire(target + spread - place)
        });
        (steer, fire.filter(|_| self.random.share() < 0.95))
    }
}
