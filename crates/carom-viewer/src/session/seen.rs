//! Discs, walls and events of worlds of any physics.

use carom_engine::{
    DVec2, Disc, DiscForces, DiscId, Event, Impact, Never, Overlap, RoughDisc, RoughWall, Rules, Spin,
    Standstill, Time, Wall,
};
use std::fmt;

/// A disc with all that any physics of a session knows of one.
pub type WholeDisc = Disc<RoughDisc<DiscForces>, Spin>;
/// A wall with all that any physics of a session knows of one.
pub type WholeWall = Wall<RoughWall>;

/// A disc as it is at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenDisc {
    pub(super) id: DiscId,
    pub(super) disc: WholeDisc,
    pub(super) spin: Option<Spin>,
    pub(super) acceleration: DVec2,
    pub(super) unwrapped: DVec2,
    pub(super) state_time: Time,
}

impl SeenDisc {
    /// Which.
    #[must_use]
    pub fn id(&self) -> DiscId {
        self.id
    }

    /// The centre.
    #[must_use]
    pub fn position(&self) -> DVec2 {
        self.disc.position
    }

    /// The centre, with all periods that it has gone.
    #[must_use]
    pub fn unwrapped_position(&self) -> DVec2 {
        self.unwrapped
    }

    /// The velocity.
    #[must_use]
    pub fn velocity(&self) -> DVec2 {
        self.disc.velocity
    }

    /// The acceleration by forces.
    #[must_use]
    pub fn acceleration(&self) -> DVec2 {
        self.acceleration
    }

    /// The radius.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.disc.radius
    }

    /// The mass.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.disc.mass
    }

    /// The coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.disc.restitution
    }

    /// Which others it collides with.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.disc.rules
    }

    /// Whether it may be put onto others.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        self.disc.overlap
    }

    /// The number of its look.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.disc.user_data
    }

    /// What forces know of it.
    #[must_use]
    pub fn body(&self) -> DiscForces {
        self.disc.body.own
    }

    /// How it is turned and turns; none where discs do not.
    #[must_use]
    pub fn spin(&self) -> Option<Spin> {
        self.spin
    }

    /// When its state was stored.
    #[must_use]
    pub fn state_time(&self) -> Time {
        self.state_time
    }

    /// As one would insert it.
    #[must_use]
    pub fn to_disc(&self) -> WholeDisc {
        self.disc
    }
}

/// An event of a world of any physics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeenEvent {
    /// Of discs under forces, which may rub.
    Forces(Event<Standstill>),
    /// Of smooth discs.
    Smooth(Event<Never>),
}

impl SeenEvent {
    /// The impact, if it is one.
    #[must_use]
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            SeenEvent::Forces(event) => event.impact(),
            SeenEvent::Smooth(event) => event.impact(),
        }
    }
}

impl fmt::Display for SeenEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.impact(), self) {
            (Some(impact), _) => impact.fmt(f),
            (None, SeenEvent::Forces(event)) => event.fmt(f),
            (None, SeenEvent::Smooth(event)) => event.fmt(f),
        }
    }
}
