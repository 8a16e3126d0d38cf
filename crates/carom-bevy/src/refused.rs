use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use carom::Error;
use core::fmt;

/// What an entity asked of the world was refused. The world is as it was before, and components that were
/// written are put back.
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct Refused {
    /// Whose components.
    pub entity: Entity,
    /// The entity that is in the way, if there is one.
    pub other: Option<Entity>,
    /// Why.
    pub reason: Reason,
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// By the engine: no room, or a number that is out of range.
    World(Error),
    /// The transform of a disc has a scale other than 1.
    Scaled(Vec3),
    /// A disc is below an entity that is moved, turned or scaled: its place would not be that of the world.
    Below(Entity),
    /// A wall comes with a transform other than the identity: its shape is in coordinates of the world.
    WallIsPlaced(Vec3),
    /// Only kinematic discs and walls are sent somewhere.
    NothingToMove,
}

impl From<Error> for Reason {
    fn from(error: Error) -> Self {
        Reason::World(error)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::World(error) => error.fmt(f),
            Reason::Scaled(scale) => {
                write!(f, "the scale of a disc is {scale}, allowed is 1: draw what is scaled as a child")
            }
            Reason::Below(parent) => {
                write!(f, "the disc is below {parent}, whose transform is to be the identity")
            }
            Reason::WallIsPlaced(place) => {
                write!(f, "the wall comes at {place}, allowed is the origin: its shape says where it is")
            }
            Reason::NothingToMove => write!(f, "only kinematic discs and walls are sent somewhere"),
        }
    }
}
