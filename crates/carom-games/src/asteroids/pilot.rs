use super::{Action, Game};
use crate::random::Random;
use crate::{Error, Input};
use carom::DVec2;

/// Plays all ships, for tests and pictures: they turn to the nearest rock and fire at it, and drift slowly.
#[derive(Clone, Debug)]
pub struct Pilot {
    random: Random,
    turn: u32,
}

impl Pilot {
    /// Seconds between two decisions.
    pub const TURN: f64 = 0.1;
    /// Faster than this it does not become by itself.
    const SPEED: f64 = 2.5;

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
                for action in self.decide(game, player).into_iter().flatten() {
                    // Each at a time of its own, so that inputs fall between frames.
                    let input = Input { time: time + self.random.share() * Self::TURN, player, action };
                    game.input(input)?;
                    script.push(input);
                }
            }
        }
    }

    /// How the ship of a player is to turn, whether its engine is to be on from now on, and whether it is to
    /// fire.
    pub fn decide(&mut self, game: &Game, player: usize) -> [Option<Action>; 3] {
        let (Some(place), Some(ship)) = (game.place(player), game.ships().get(player)) else {
            return [None; 3];
        };
        let way_to = |rock: DVec2| game.world().periods().nearest(rock - place);
        let rocks = game.rocks().map(|(_, rock)| (way_to(rock.position), rock));
        let nearest = rocks.min_by(|a, b| a.0.length_squared().total_cmp(&b.0.length_squared()));
        let velocity = game.world().get(ship.disc).map_or(DVec2::ZERO, |disc| disc.velocity());
        let ahead = nearest.map_or(-velocity, |(way, rock)| {
            // Where it will be when a bullet comes there.
            way + (rock.velocity - velocity) * (way.length() / Game::SHOT)
        });
        let (along, across) = (ship.heading.dot(ahead), ship.heading.perp_dot(ahead));
        let is_aimed = along > 0.0 && across.abs() < 0.08 * along;
        let steps =
            if is_aimed { 0 } else { across.signum() as i8 * if along > 2.0 * across.abs() { 1 } else { 4 } };
        let may_push = velocity.length() < Self::SPEED || velocity.dot(ship.heading) < 0.0;
        let thrusts = may_push && self.random.share() < 0.2;
        [
            (steps != 0).then_some(Action::Turn(steps)),
            (thrusts != ship.thrusts).then_some(Action::Thrust(thrusts)),
            (is_aimed && self.random.share() < 0.9).then_some(Action::Fire),
        ]
    }
}
