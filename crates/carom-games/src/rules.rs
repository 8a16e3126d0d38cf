use carom::{Commands, Encounter, Judge, Party, Verdict};
use serde::{Deserialize, Serialize};

/// What becomes of smooth discs that meet, in the games of those. One type for all of them, so that a program
/// with several games has the engine once for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rules {
    /// Who is of this kind goes where it hits, and what it hits feels it; the others bounce. They do not meet
    /// each other.
    Spent {
        /// The upper half of the user data.
        kind: u64,
    },
    /// The second half of an impulse is at least so large.
    LeastImpulse(f64),
}

impl Judge for Rules {
    fn verdict(&self, met: &Encounter<'_>, _: &mut Commands) -> Verdict {
        match *self {
            Rules::Spent { kind } => {
                let is_spent = |party: &Party<'_>| party.user_data >> 32 == kind;
                met.pair(is_spent, |_| true)
                    .map_or(Verdict::Bounce, |[spent, _]| Verdict::BounceAndRemove(spent.which))
            }
            Rules::LeastImpulse(least) => {
                let half = met.stopping_impulse;
                Verdict::Impulse(half + half.max(least))
            }
        }
    }
}
