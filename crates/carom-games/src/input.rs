use crate::Error;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Something that a player does at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input<A> {
    /// Seconds since the game began.
    pub time: f64,
    /// The player.
    pub player: usize,
    /// What the player does.
    pub action: A,
}

/// Inputs that have not come yet, by their times; of one time in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs<A> {
    queue: VecDeque<Input<A>>,
}

impl<A> Default for Inputs<A> {
    fn default() -> Self {
        Inputs { queue: VecDeque::new() }
    }
}

impl<A: Copy> Inputs<A> {
    /// Adds one.
    ///
    /// # Errors
    /// [`Error::Late`] if its time is over, or not a number; [`Error::NoSuchPlayer`].
    pub fn push(&mut self, input: Input<A>, players: usize, now: f64) -> Result<(), Error> {
        if input.player >= players {
            return Err(Error::NoSuchPlayer { player: input.player, most: players.saturating_sub(1) });
        }
        if !(input.time >= now) {
            return Err(Error::Late { time: input.time, now });
        }
        let place = self.queue.partition_point(|other| other.time <= input.time);
        self.queue.insert(place, input);
        Ok(())
    }

    /// Takes the first, if its time is not after `time`.
    pub fn take_until(&mut self, time: f64) -> Option<Input<A>> {
        if self.queue.front()?.time <= time { self.queue.pop_front() } else { None }
    }

    /// Those that are left.
    pub fn iter(&self) -> impl Iterator<Item = &Input<A>> {
        self.queue.iter()
    }
}
