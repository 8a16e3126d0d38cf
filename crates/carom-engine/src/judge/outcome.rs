use crate::{DiscId, Error, Partner};
use carom_math::Time;
use core::fmt;
use glam::DVec2;

/// Two bodies that meet and pass through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Passage {
    /// When they meet.
    pub time: Time,
    /// The disc that was inserted first, or the one at the wall.
    pub a: DiscId,
    /// What it meets.
    pub b: Partner,
    /// The user's notes on the two.
    pub user_data: [u64; 2],
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from `a` to `b`.
    pub normal: DVec2,
    /// Speed at which they approach along the normal.
    pub approach_speed: f64,
}

/// A disc that goes, with its last state: its handle may be stale.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Departure {
    /// When.
    pub time: Time,
    /// Which.
    pub disc: DiscId,
    /// The user's note on it.
    pub user_data: u64,
    /// Its last centre.
    pub position: DVec2,
    /// Its last velocity.
    pub velocity: DVec2,
    /// What it met as the verdict was given, such as a pocket: another disc, or a part of a wall, which may
    /// be gone as well. `None` if a command or its physics takes it off.
    pub by: Option<Partner>,
    /// The user's note on that; 0 by default.
    pub by_user_data: u64,
}

/// What was refused: see [`Event::Refused`](crate::Event::Refused).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandKind {
    /// A verdict with a number that is out of range.
    Verdict,
    /// [`Command::Insert`](crate::Command::Insert).
    Insert,
    /// [`Command::Remove`](crate::Command::Remove), or of a wall.
    Remove,
    /// A change of a velocity, an impulse, [`Command::MoveTo`](crate::Command::MoveTo),
    /// [`Command::TurnArm`](crate::Command::TurnArm) or [`Command::MoveWall`](crate::Command::MoveWall).
    Velocity,
    /// [`Command::SetPosition`](crate::Command::SetPosition).
    Position,
    /// A change of user data, of rules, or of being enabled.
    Property,
    /// [`Command::SetTimer`](crate::Command::SetTimer).
    Timer,
}

/// Why a verdict or a command was refused: the kind of its [`Error`](crate::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Refusal {
    /// A number is out of range, or does not fit the world.
    OutOfRange,
    /// The disc or wall is gone.
    Gone,
    /// It would overlap something.
    Overlap,
    /// No more discs fit.
    Full,
}

impl fmt::Display for CommandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CommandKind::Verdict => "a verdict",
            CommandKind::Insert => "the insertion of a disc",
            CommandKind::Remove => "a removal",
            CommandKind::Velocity => "a velocity, an impulse or a move",
            CommandKind::Position => "a position",
            CommandKind::Property => "a property",
            CommandKind::Timer => "a timer",
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::OutOfRange => "a number is out of range",
            Refusal::Gone => "the disc or wall is gone",
            Refusal::Overlap => "it would overlap something",
            Refusal::Full => "no more discs fit",
        })
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::NoSuchDisc(_) | Error::NoSuchWall(_) => Refusal::Gone,
            Error::OverlapsDisc { .. } | Error::OverlapsWall { .. } | Error::WallOverlapsDisc { .. } => {
                Refusal::Overlap
            }
            Error::Full(_) => Refusal::Full,
            _ => Refusal::OutOfRange,
        }
    }
}
