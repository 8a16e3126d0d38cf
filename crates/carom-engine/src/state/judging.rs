use super::with::With;
use crate::judge::{Command, Commands};
use crate::{DiscId, Partner, WallId};
use carom_broadphase::Slot;

/// The verdicts on the contacts of an event, and what they have done after it.
#[derive(Debug)]
pub(crate) struct Judging<B, X> {
    pub(crate) answers: Vec<Answer>,
    /// What a judge writes into.
    pub(crate) commands: Commands<B, X>,
    /// What is to be done, in order.
    pub(crate) actions: Vec<Action<B, X>>,
}

impl<B, X> Default for Judging<B, X> {
    fn default() -> Self {
        Judging { answers: Vec::new(), commands: Commands::default(), actions: Vec::new() }
    }
}

/// What a verdict makes of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) a: Slot,
    pub(crate) with: With,
    pub(crate) restitution: f64,
    /// By how much faster the two part than by restitution.
    pub(crate) kick: f64,
    /// Whether it is a contact at all.
    pub(crate) bounces: bool,
}

impl Answer {
    pub(crate) fn is_of(&self, a: Slot, with: With) -> bool {
        (self.a, self.with) == (a, with) || (With::Disc(self.a), self.with) == (with, With::Disc(a))
    }
}

/// What a body met as a verdict on it was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cause {
    pub(crate) body: Partner,
    pub(crate) user_data: u64,
}

/// Something to be done once the impacts of an event are over.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action<B, X> {
    Command(Command<B, X>),
    /// Of a verdict: nothing if it is gone already.
    Remove(Partner, Cause),
    Capture(DiscId, Option<Cause>),
    /// A disc passes through the wall of a facet from now on.
    Enter(DiscId, WallId),
}
