use carom::{Commands, DVec2, Disc, DiscForces, Encounter, Judge, Party, Verdict, Which};
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
    /// A bullet goes with the rock that it hits, and two halves come; a ship that meets a rock is taken off
    /// the plane; rocks bounce.
    Asteroids,
}

/// The user data of a wall that kicks.
pub(crate) const BUMPER: u64 = 1;
/// Of one that kicks what comes fast.
pub(crate) const SLING: u64 = 2;
/// Of the first of those that go when they are hit.
pub(crate) const TARGET: u64 = 3;

/// The upper half of the user data of a ship, a bullet or a rock of Asteroids.
pub(crate) const SHIP: u64 = 1;
pub(crate) const BULLET: u64 = 2;
/// The lower half is its class.
pub(crate) const ROCK: u64 = 3;

pub(crate) fn note(kind: u64, number: u32) -> u64 {
    kind << 32 | u64::from(number)
}

pub(crate) fn kind_of(note: u64) -> u64 {
    note >> 32
}

pub(crate) fn number_of(note: u64) -> u32 {
    note as u32
}

/// Radius of a large rock.
pub(crate) const ROCK_RADIUS: f64 = 1.6;

/// Radius of a rock of a class, 3 to 1.
pub(crate) fn rock_radius(class: u32) -> f64 {
    ROCK_RADIUS / f64::from(1_u32 << 3_u32.saturating_sub(class).min(2))
}

/// A rock of Asteroids. All bounce without loss.
pub(crate) fn rock(class: u32, place: DVec2, velocity: DVec2, mass: f64) -> Disc<DiscForces> {
    Disc::new(place, rock_radius(class))
        .with_velocity(velocity)
        .with_mass(mass)
        .with_groups(1 << ROCK, !0)
        .with_user_data(note(ROCK, class))
}

/// How fast the halves of a rock part from where it would have flown on, at a right angle to the shot.
const PARTING: f64 = 1.5;

/// Two halves in the place of a rock that is hit, with the momentum of rock and bullet and the mass of the
/// rock. None of a small one. What is in the place of a half passes through it until they have parted.
fn split(
    rock_hit: &Party<'_, DiscForces>,
    bullet: &Party<'_, DiscForces>,
    commands: &mut Commands<DiscForces>,
) {
    let class = number_of(rock_hit.user_data);
    if class < 2 {
        return;
    }
    let mass = 0.5 * rock_hit.mass;
    let velocity = rock_hit.velocity + bullet.velocity * (bullet.mass / rock_hit.mass);
    let across = (bullet.velocity - rock_hit.velocity).normalize_or(DVec2::X).perp();
    for side in [-1.0, 1.0] {
        let place = rock_hit.position + across * (side * rock_radius(class - 1));
        let half = rock(class - 1, place, velocity + across * (side * PARTING), mass);
        commands.insert(half.with_overlap());
    }
}

impl Judge<DiscForces> for FallingRules {
    fn verdict(&self, met: &Encounter<'_, DiscForces>, commands: &mut Commands<DiscForces>) -> Verdict {
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
            FallingRules::Asteroids => {
                let is = |kind| move |party: &Party<'_, DiscForces>| kind_of(party.user_data) == kind;
                if let Some([rock_hit, bullet]) = met.pair(is(ROCK), is(BULLET)) {
                    split(rock_hit, bullet, commands);
                    return Verdict::Remove(Which::Both);
                }
                let lost = met.pair(is(SHIP), is(ROCK));
                lost.map_or(Verdict::Bounce, |[ship, _]| Verdict::Capture(ship.which))
            }
        }
    }
}
