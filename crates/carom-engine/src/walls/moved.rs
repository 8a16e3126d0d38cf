use super::drift::Drift;
use crate::WallShape;
use crate::walk::fields;
use carom_math::{DVec2, Time};
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// A wall that moves, or that stands elsewhere than where it was put up: see
/// [`World::move_wall`](crate::World::move_wall).
///
/// Its places are those of its form as it was put up and how far it is from there, so that it comes back to
/// the same bits however often it goes to and fro.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Moved {
    /// Slot of the wall.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) wall: u32,
    /// Its form where it was put up.
    #[cfg_attr(feature = "serde", serde(serialize_with = "WallShape::serialize"))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "shared"))]
    pub(crate) home: Arc<WallShape>,
    /// How far from there it stands; while it moves, stood as it began to.
    pub(crate) offset: DVec2,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub(crate) travel: Option<Travel>,
}

fields!(Moved: home, offset, travel; without wall);

#[cfg(feature = "serde")]
fn shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<WallShape>, D::Error> {
    WallShape::deserialize(deserializer).map(Arc::new)
}

/// How a wall moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Travel {
    pub(crate) drift: Drift,
    /// Where it is going to stand.
    pub(crate) to: DVec2,
    /// The timer that ends it.
    pub(crate) timer: (Time, u64),
}

fields!(Travel: drift, to, timer);

impl Moved {
    /// Its form at a distance from where it was put up.
    pub(crate) fn shape_at(&self, offset: DVec2) -> WallShape {
        self.home.moved_by(offset)
    }

    /// How far it is from where it was put up at a time, not before that from which on it moves.
    pub(crate) fn offset_at(&self, time: Time) -> DVec2 {
        let Some(Travel { drift: Drift { velocity, from, .. }, to, .. }) = self.travel else {
            return self.offset;
        };
        let at = self.offset + velocity * time.since(from);
        // Not past the end by rounding.
        let within = |at: f64, from: f64, to: f64| at.clamp(from.min(to), from.max(to));
        DVec2::new(within(at.x, self.offset.x, to.x), within(at.y, self.offset.y, to.y))
    }
}

impl WallShape {
    /// Elsewhere, by this way; each coordinate is rounded once.
    pub(crate) fn moved_by(&self, way: DVec2) -> WallShape {
        let mut moved = self.clone();
        match &mut moved {
            WallShape::HalfPlane { point: at, .. }
            | WallShape::Disc { center: at, .. }
            | WallShape::Circle { center: at, .. }
            | WallShape::Arc { center: at, .. }
            | WallShape::Arm { pivot: at, .. }
            | WallShape::Stadium { center: at, .. } => *at += way,
            WallShape::Segment { a, b }
            | WallShape::OneSidedSegment { a, b }
            | WallShape::Container { min: a, max: b } => (*a, *b) = (*a + way, *b + way),
            WallShape::Polyline { points, .. } => points.iter_mut().for_each(|point| *point += way),
        }
        moved
    }

    /// Why a wall of this form cannot move; `None` if it can.
    pub(crate) fn why_fixed(&self) -> Option<&'static str> {
        match self {
            WallShape::Circle { .. } | WallShape::Arc { .. } | WallShape::Stadium { .. } => {
                Some("it is hollow, and along what is hollow discs slide")
            }
            _ => None,
        }
    }
}
