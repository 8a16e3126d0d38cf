use carom::math::Shown;
use thiserror::Error as ThisError;

/// Why a game could not go on, or refused an input.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The engine refused a number.
    #[error(transparent)]
    Engine(#[from] carom::Error),
    /// An input for a time that is over: go back to a clone of the game from before it.
    #[error("input for {} s came at {} s; allowed: times that are not over", Shown(*time), Shown(*now))]
    Late {
        /// The time of the input.
        time: f64,
        /// The present.
        now: f64,
    },
    /// An input of a player that does not exist.
    #[error("player is {player}; allowed: 0 to {most}")]
    NoSuchPlayer {
        /// Who.
        player: usize,
        /// The number of the last player.
        most: usize,
    },
    /// The world used up its budget of events.
    #[error("too much happened before {} s", Shown(*time))]
    OutOfBudget {
        /// How far it came.
        time: f64,
    },
}
