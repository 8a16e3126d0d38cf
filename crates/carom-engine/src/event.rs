use crate::{DiscId, Never, Physics, Smooth, WallId};
use carom_math::Time;
use glam::DVec2;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Event<C = Never> {
    /// A disc met another or a wall.
    Impact(Impact),
    /// The motion of a disc changed its law by itself.
    Change {
        /// When.
        time: Time,
        /// Whose.
        disc: DiscId,
        /// How.
        change: C,
    },
}

impl<C> Event<C> {
    /// When it happened.
    #[must_use]
    pub fn time(&self) -> Time {
        match self {
            Event::Impact(impact) => impact.time,
            Event::Change { time, .. } => *time,
        }
    }

    /// The impact, if it is one.
    #[must_use]
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Event::Impact(impact) => Some(impact),
            Event::Change { .. } => None,
        }
    }
}

/// One contact of an impact.
///
/// When several discs meet at one instant they form a group, with one record per contact that took an
/// impulse. These share `time` and `group`, and their velocities are those before and after the whole group.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Impact {
    /// When.
    pub time: Time,
    /// Number of the impact, counted from 1; the same for all contacts of a group.
    pub group: u64,
    /// The disc that was inserted first (the smaller serial number), or the one that hit the wall.
    pub a: DiscId,
    /// What it met.
    pub with: Partner,
    /// Where they touch.
    pub point: DVec2,
    /// Unit normal from `a` to what it met.
    pub normal: DVec2,
    /// Speed at which the two approached along the normal, before the group; negative if they were receding
    /// and only others drove them together. It is that of their surfaces, which move outwards where radii grow.
    pub approach_speed: f64,
    /// Normal impulse, ≥ 0: the change of momentum of each of the two. For a tracer, and for an infinite mass at a
    /// wall, per unit of mass; an infinite mass takes that of its partner.
    pub impulse: f64,
    /// Velocities before, of `a` and of what it met (zero for a wall).
    pub before: [DVec2; 2],
    /// Velocities after.
    pub after: [DVec2; 2],
}

/// What a disc met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Partner {
    /// Another disc.
    Disc(DiscId),
    /// A part of a wall: see [`crate::WallShape`] for how parts are counted.
    Wall {
        /// The wall.
        wall: WallId,
        /// Which of its parts.
        part: u32,
    },
}

/// Takes events as they happen, in order.
pub trait Sink<P: Physics = Smooth> {
    /// Whether events are wanted at all; if not, none are made.
    const ACTIVE: bool = true;

    /// Takes one.
    fn event(&mut self, event: &Event<P::Change>);
}

impl<P: Physics> Sink<P> for Vec<Event<P::Change>> {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) {
        self.push(*event);
    }
}

impl<P: Physics, F: FnMut(&Event<P::Change>)> Sink<P> for F {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) {
        self(event);
    }
}

/// Wants no events.
pub(crate) struct Nothing;

impl<P: Physics> Sink<P> for Nothing {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &Event<P::Change>) {}
}
