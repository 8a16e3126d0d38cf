use carom::{Commands, DiscForces, Encounter, Judge, Party, Verdict};
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

/// What becomes of those that meet, in the games with gravity: one type for all, as [`Rules`] are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum FallingRules {
    /// Bumpers and slingshots kick, and targets go when they are hit: walls, told by their user data.
    Pinball {
        /// The speed that a bumper adds.
        bumper: f64,
        /// The speed that a slingshot adds.
        sling: f64,
    },
    /// Discs of the same user data pass through each other, so that an event names both; others bounce.
    Merge,
}

/// The user data of a wall that kicks.
pub(crate) const BUMPER: u64 = 1;
/// Of one that kicks what comes fast.
pub(crate) const SLING: u64 = 2;
/// Of the first of those that go when they are hit.
pub(crate) const TARGET: u64 = 3;

impl Judge<DiscForces> for FallingRules {
    fn verdict(&self, met: &Encounter<'_, DiscForces>, _: &mut Commands<DiscForces>) -> Verdict {
        match *self {
            FallingRules::Pinball { bumper, sling } => match met.b.user_data {
                BUMPER => Verdict::Kick(bumper),
                // What lies on it is let lie.
                SLING if met.approach_speed > 1.0 => Verdict::Kick(sling),
                TARGET.. if met.b.wall().is_some() => Verdict::BounceAndRemove(met.b.which),
                _ => Verdict::Bounce,
            },
            FallingRules::Merge => {
                let is_pair = met.b.disc().is_some() && met.a.user_data == met.b.user_data;
                if is_pair { Verdict::Pass } else { Verdict::Bounce }
            }
        }
    }
}
