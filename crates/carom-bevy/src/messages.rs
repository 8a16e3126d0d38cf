use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom::{Crossing, CrossingCause, Error, Event, Smooth, StopReason, TimerId};

/// Two discs met, or a disc and a wall, at an exact time.
///
/// It is one message, and an event for the observers of each of the two: there `entity` is the one observed.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct Impacted {
    /// The disc that came into the world first, or the one that hit the wall.
    pub entity: Entity,
    /// What it met, which is not there if it has no entity.
    pub other: Option<Entity>,
    /// When, in seconds of the world.
    pub time: f64,
    /// Number of the impact: the same for contacts of one instant that were resolved together.
    pub group: u64,
    /// Where they touch.
    pub point: DVec2,
    /// Unit normal, from `entity` to `other`.
    pub normal: DVec2,
    /// The speed at which they approached along the normal.
    pub approach_speed: f64,
    /// The momentum along the normal that passed from `entity` to `other`.
    pub impulse: f64,
    /// Velocities of the two before.
    pub before: [DVec2; 2],
    /// Velocities of the two after.
    pub after: [DVec2; 2],
}

impl Impacted {
    /// The same, as `other` has it.
    #[must_use]
    pub fn swapped(&self) -> Option<Self> {
        let ([a, b], [c, d]) = (self.before, self.after);
        let (entity, other) = (self.other?, Some(self.entity));
        Some(Impacted { entity, other, normal: -self.normal, before: [b, a], after: [d, c], ..*self })
    }
}

macro_rules! swapped {
    ($($name:ident),*) => {$(
        impl $name {
            /// The same, as `other` has it.
            #[must_use]
            pub fn swapped(&self) -> Option<Self> {
                Some($name { entity: self.other?, other: Some(self.entity), normal: -self.normal, ..*self })
            }
        }
    )*};
}

swapped!(Held, LetGo);

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            /// The entity that it is about.
            pub entity: Entity,
            /// When, in seconds of the world.
            pub time: f64,
            $($(#[$field_doc])* pub $field: $type,)*
        }
    )*};
}

messages! {
    /// A disc enters a region. Observers of the disc and those of the region get it.
    Entered {
        /// The disc.
        disc: Entity,
        /// The entity of the region; that of the disc, if that is a sensor.
        region: Entity,
        /// The centre of the disc then.
        position: DVec2,
        /// Its velocity then.
        velocity: DVec2,
        /// By what.
        cause: CrossingCause,
    }

    /// A disc leaves a region. Observers of the disc and those of the region get it.
    Left {
        /// The disc.
        disc: Entity,
        /// The entity of the region; that of the disc, if that is a sensor.
        region: Entity,
        /// The centre of the disc then.
        position: DVec2,
        /// Its velocity then.
        velocity: DVec2,
        /// By what.
        cause: CrossingCause,
    }

    /// A disc begins to press on another, or on a wall. Observers of both get it.
    Held {
        /// What it presses on.
        other: Option<Entity>,
        /// Where they touch.
        point: DVec2,
        /// Unit normal, from `entity` to `other`.
        normal: DVec2,
    }

    /// A disc no longer presses on another, or on a wall. Observers of both get it.
    LetGo {
        /// What it pressed on.
        other: Option<Entity>,
        /// Where they touch.
        point: DVec2,
        /// Unit normal, from `entity` to `other`.
        normal: DVec2,
    }

    /// A disc or a wall was taken out of the world by a verdict, a command or [`Physics::world_mut`]. Its
    /// entity is despawned, after its observers.
    ///
    /// [`Physics::world_mut`]: crate::Physics::world_mut
    Removed {
        /// What it had met, if a verdict removed it.
        by: Option<Entity>,
    }

    /// A disc was taken off the plane by a verdict. Its entity stays; a new [`Position`](crate::Position)
    /// puts it back.
    Captured {
        /// What it had met.
        by: Option<Entity>,
    }

    /// A command has inserted a disc: this is its new entity.
    Inserted {}
}

macro_rules! crossings {
    ($($name:ident),*) => {$(
        impl $name {
            /// The message to the observers of the disc, and the one to those of the region, if disc and
            /// region are two entities.
            pub(crate) fn told([disc, region]: [Entity; 2], crossing: &Crossing) -> (Self, Option<Self>) {
                let (time, cause) = (crossing.time.as_secs(), crossing.cause);
                let (position, velocity) = (crate::from(crossing.position), crate::from(crossing.velocity));
                let told = $name { entity: disc, time, disc, region, position, velocity, cause };
                (told, (region != disc).then_some($name { entity: region, ..told }))
            }
        }
    )*};
}

crossings!(Entered, Left);

/// A timer of the world is over.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct TimerEnded {
    /// When, in seconds of the world.
    pub time: f64,
    /// Which.
    pub timer: TimerId,
    /// The note that it was set with.
    pub note: u64,
}

/// Any other event, as the engine tells it: what is blocked, crushed, has arrived or changed its motion.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Happened<P: carom::Physics + 'static = Smooth>(pub Event<P::Change>);

/// A step did not get to its time: its [budget](carom::Settings::budget) of events is used up, or what comes
/// next cannot happen. The next one goes on.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Overran {
    /// The time asked for.
    pub asked: f64,
    /// The time that it got to.
    pub time: f64,
    /// Why it stopped.
    pub end: Result<StopReason, Error>,
}
