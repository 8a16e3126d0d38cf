//! The lines of event and state files. `docs/scene-format.md` describes them.

use carom_engine::{DVec2, Impact, Time};
use serde::Serialize;

/// The exact two parts of a time: the start of its epoch and the offset from there, in seconds.
pub(crate) fn parts(time: Time) -> [f64; 2] {
    [time.epoch_start(), time.offset()]
}

pub(crate) fn pair(v: DVec2) -> [f64; 2] {
    [v.x, v.y]
}

/// What a disc met, by its index in file order.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Met {
    Disc { b: u64 },
    Wall { wall: u64, part: u32 },
}

/// One impact: one contact, of a group or alone.
#[derive(Serialize)]
pub(crate) struct EventLine {
    pub(crate) time: f64,
    pub(crate) t: [f64; 2],
    pub(crate) kind: &'static str,
    pub(crate) a: u64,
    #[serde(flatten)]
    pub(crate) met: Met,
    pub(crate) point: [f64; 2],
    pub(crate) normal: [f64; 2],
    pub(crate) impulse: f64,
    pub(crate) group: u64,
    /// The velocities of the discs: of a and b, or of a alone at a wall.
    pub(crate) before: Vec<[f64; 2]>,
    pub(crate) after: Vec<[f64; 2]>,
}

impl EventLine {
    pub(crate) fn new(impact: &Impact, a: u64, met: Met) -> Self {
        let discs = match met {
            Met::Disc { .. } => 2,
            Met::Wall { .. } => 1,
        };
        Self {
            time: impact.time.as_secs(),
            t: parts(impact.time),
            kind: if discs == 2 { "disc" } else { "wall" },
            a,
            met,
            point: pair(impact.point),
            normal: pair(impact.normal),
            impulse: impact.impulse,
            group: impact.group,
            before: impact.before.into_iter().take(discs).map(pair).collect(),
            after: impact.after.into_iter().take(discs).map(pair).collect(),
        }
    }
}

/// Something that happened and is no impact: a contact begins to be held, or ceases to be; unstoppable
/// bodies closed in on a disc, and one gave way; it went on; friction stopped a disc; a thrust ended at a
/// limit of the speed, or acts again; a body is gone; growth ended for want of room.
#[derive(Serialize)]
pub(crate) struct OtherLine {
    pub(crate) time: f64,
    pub(crate) t: [f64; 2],
    #[serde(flatten)]
    pub(crate) what: Other,
}

/// A contact that begins to be held, or ceases to be.
#[derive(Serialize)]
pub(crate) struct HoldLine {
    pub(crate) a: u64,
    #[serde(flatten)]
    pub(crate) with: Met,
    pub(crate) point: [f64; 2],
    pub(crate) normal: [f64; 2],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Other {
    Crushed { body: u64, by: u64, against: Against, impulse: f64, velocity: [f64; 2] },
    Released { body: u64, velocity: [f64; 2] },
    Stopped { body: u64 },
    ReachedLimit { body: u64 },
    Resumed { body: u64 },
    GrowthEnded,
    Held(HoldLine),
    LetGo(HoldLine),
    Entered(CrossingLine),
    Left(CrossingLine),
    Captured(DepartureLine),
    Removed(DepartureLine),
    WallRemoved { wall: u64 },
    Timer { note: u64 },
    MoveBlocked { body: u64, position: [f64; 2], target: [f64; 2] },
    Turned { wall: u64, angle: f64 },
    TurnBlocked { wall: u64, angle: f64, target: f64 },
    WallMoved { wall: u64, offset: [f64; 2] },
    WallBlocked { wall: u64, offset: [f64; 2], target: [f64; 2] },
    Refused { why: String },
}

/// A disc enters a region, or leaves it.
#[derive(Serialize)]
pub(crate) struct CrossingLine {
    pub(crate) body: u64,
    /// The region, by its index in file order; that of a sensor is `null`.
    pub(crate) region: Option<u64>,
    /// The sensor, by its index in file order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sensor: Option<u64>,
    pub(crate) position: [f64; 2],
    pub(crate) velocity: [f64; 2],
}

/// A disc is taken off the plane, or goes for good.
#[derive(Serialize)]
pub(crate) struct DepartureLine {
    pub(crate) body: u64,
    /// What it met then; none if a command takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<Against>,
    pub(crate) position: [f64; 2],
    pub(crate) velocity: [f64; 2],
}

/// A disc or a part of a wall.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum Against {
    Disc { disc: u64 },
    Wall { wall: u64, part: u32 },
}

impl Other {
    /// The discs that it is about.
    pub(crate) fn discs(&self) -> impl Iterator<Item = u64> {
        let discs = match *self {
            Self::Crushed { body, by, against: Against::Disc { disc }, .. } => {
                [Some(body), Some(by), Some(disc)]
            }
            Self::Crushed { body, by, .. } => [Some(body), Some(by), None],
            Self::Released { body, .. }
            | Self::Stopped { body }
            | Self::ReachedLimit { body }
            | Self::Resumed { body }
            | Self::MoveBlocked { body, .. } => [Some(body), None, None],
            Self::Entered(ref crossing) | Self::Left(ref crossing) => {
                [Some(crossing.body), crossing.sensor, None]
            }
            Self::Captured(ref gone) | Self::Removed(ref gone) => match gone.by {
                Some(Against::Disc { disc }) => [Some(gone.body), Some(disc), None],
                _ => [Some(gone.body), None, None],
            },
            Self::Held(ref hold) | Self::LetGo(ref hold) => match hold.with {
                Met::Disc { b } => [Some(hold.a), Some(b), None],
                Met::Wall { .. } => [Some(hold.a), None, None],
            },
            _ => [None; 3],
        };
        discs.into_iter().flatten()
    }
}

/// Where one disc is.
#[derive(Serialize)]
pub(crate) struct StateLine {
    pub(crate) time: f64,
    pub(crate) t: [f64; 2],
    pub(crate) index: usize,
    pub(crate) position: [f64; 2],
    pub(crate) velocity: [f64; 2],
    /// In scenes with forces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) acceleration: Option<[f64; 2]>,
    /// In scenes with roughness.
    #[serde(flatten)]
    pub(crate) spin: Option<SpinLine>,
}

/// How a disc is turned, and turns.
#[derive(Serialize)]
pub(crate) struct SpinLine {
    pub(crate) angle: f64,
    pub(crate) angular_velocity: f64,
}
