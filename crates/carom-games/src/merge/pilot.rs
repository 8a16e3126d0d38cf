use super::{Action, Game};
use crate::random::Random;
use crate::{Error, Input};

/// Plays the game, for tests and pictures: drops discs onto such of their size, or anywhere.
#[derive(Clone, Debug)]
pub struct Pilot {
    random: Random,
    turn: u32,
    /// The disc for which it has decided, and where that is to fall.
    decided: Option<(u64, f64)>,
}

impl Pilot {
    /// Seconds between two looks at the box.
    pub const TURN: f64 = 0.05;

    /// A pilot that decides by these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Pilot { random: Random::new(seed), turn: 0, decided: None }
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
            let aim = self.decide(game);
            // Each at a time of its own, so that inputs fall between frames.
            let mut share = self.random.share();
            for action in [Action::Aim(aim), Action::Drop] {
                let input = Input { time: time + share * Self::TURN, player: 0, action };
                game.input(input)?;
                script.push(input);
                share += (1.0 - share) * self.random.share();
            }
        }
    }

    /// Where the disc that the dropper holds is to fall: onto the highest of its size, mostly.
    pub fn decide(&mut self, game: &Game) -> f64 {
        if let Some((of, x)) = self.decided
            && of == game.dropped()
        {
            return x;
        }
        let equal = game.world().discs().filter(|(_, disc)| disc.user_data == game.held());
        let highest = equal.max_by(|(_, a), (_, b)| a.position.y.total_cmp(&b.position.y));
        let anywhere = self.random.between(-Game::HALF_WIDTH, Game::HALF_WIDTH);
        let x = match highest {
            Some((_, disc)) if self.random.share() < 0.8 => disc.position.x + self.random.between(-0.1, 0.1),
            _ => anywhere,
        };
        self.decided = Some((game.dropped(), x));
        x
    }
}
