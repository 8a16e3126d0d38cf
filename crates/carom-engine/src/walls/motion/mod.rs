//! Walls that turn or move: the pose of a wall, and the course that it is on.

mod driven;

use super::arm;
use super::facet::{Drift, Shape};
use crate::handle::is_stop;
use crate::walk::{fields, variants};
use crate::{Error, Wall, WallShape};
use carom_math::toi::Arm;
use carom_math::{DVec2, Time};
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

/// How a wall stands that turns or moves, or that stands elsewhere than where it was put up: see
/// [`World::turn_arm`](crate::World::turn_arm) and [`World::move_wall`](crate::World::move_wall).
///
/// Its places are those of its form as it was put up and how far it is from there, so that it comes back to
/// the same bits however often it goes to and fro.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct WallPose {
    /// Its form where it was put up; of an arm at the angle at which it stands, or last stood.
    #[cfg_attr(feature = "serde", serde(serialize_with = "WallShape::serialize"))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "shared"))]
    pub(crate) home: Arc<WallShape>,
    /// How far from there it stands; on a course, stood as it set out.
    pub(crate) offset: DVec2,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub(crate) course: Option<Course>,
}

fields!(WallPose: home, offset, course);

#[cfg(feature = "serde")]
fn shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<WallShape>, D::Error> {
    WallShape::deserialize(deserializer).map(Arc::new)
}

/// How a wall turns or moves, and until when.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Course {
    pub(crate) way: Way,
    /// Since when.
    pub(crate) from: Time,
    /// Seconds from then on.
    pub(crate) lasts: f64,
    /// The timer that ends it.
    pub(crate) timer: (Time, u64),
}

fields!(Course: way, from as Past, lasts, timer);

/// At what velocity a wall goes where.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, rename_all = "snake_case"))]
pub(crate) enum Way {
    /// In a straight line to an offset.
    Drift { velocity: DVec2, to: DVec2 },
    /// An arm about its pivot, from an angle to another.
    Rotation { angle: f64, rate: f64, to: f64 },
}

variants!(Way: Drift { velocity, to }, Rotation { angle, rate, to });

impl Course {
    /// Whether the wall is where it was sent, and stops as time goes on.
    pub(crate) fn is_over(&self) -> bool {
        is_stop(self.timer)
    }
}

impl Way {
    pub(crate) fn is_rotation(&self) -> bool {
        matches!(self, Way::Rotation { .. })
    }

    /// At another velocity, if it is straight.
    pub(crate) fn with_velocity(self, velocity: DVec2) -> Way {
        if let Way::Drift { to, .. } = self { Way::Drift { velocity, to } } else { self }
    }

    /// To the end of another way of its kind.
    pub(crate) fn to_end_of(self, other: &Way) -> Way {
        match (self, *other) {
            (Way::Drift { velocity, .. }, Way::Drift { to, .. }) => Way::Drift { velocity, to },
            (Way::Rotation { angle, rate, .. }, Way::Rotation { to, .. }) => {
                Way::Rotation { angle, rate, to }
            }
            (way, _) => way,
        }
    }
}

impl WallPose {
    /// Of a wall that stands where it was put up.
    pub(crate) fn at_home(shape: WallShape) -> Self {
        WallPose { home: Arc::new(shape), offset: DVec2::ZERO, course: None }
    }

    pub(crate) fn is_at_home(&self) -> bool {
        self.course.is_none() && self.offset == DVec2::ZERO
    }

    /// Its form where it stands, or stood as it set out.
    pub(crate) fn shape(&self) -> WallShape {
        self.home.moved_by(self.offset)
    }

    /// As it stands if it stops at a time, not before that at which it set out; without one, or where it has
    /// arrived, at the end of its course.
    pub(crate) fn stopped(&self, at: Option<Time>) -> WallPose {
        let Some(course @ Course { way, from, .. }) = self.course else { return self.clone() };
        let seconds = at.filter(|_| !course.is_over()).map(|time| time.since(from));
        // Not past the end by rounding.
        match way {
            Way::Drift { velocity, to } => {
                let within = |at: f64, from: f64, to: f64| at.clamp(from.min(to), from.max(to));
                let between = |at: DVec2, from: DVec2| {
                    DVec2::new(within(at.x, from.x, to.x), within(at.y, from.y, to.y))
                };
                let offset = seconds.map_or(to, |dt| between(self.offset + velocity * dt, self.offset));
                WallPose { home: self.home.clone(), offset, course: None }
            }
            Way::Rotation { angle, rate, to } => {
                let within = |angle: f64| if rate > 0.0 { angle.min(to) } else { angle.max(to) };
                let angle = seconds.map_or(to, |dt| within(angle + rate * dt));
                WallPose { home: Arc::new(self.home.turned_to(angle)), offset: self.offset, course: None }
            }
        }
    }

    /// Its angle, if it is an arm; 0 of others.
    pub(crate) fn angle(&self) -> f64 {
        if let WallShape::Arm { angle, .. } = *self.home { angle } else { 0.0 }
    }

    /// The arm that turns, with times counted from when it does.
    pub(crate) fn arm(&self) -> Option<Arm> {
        let Course { way: Way::Rotation { angle, rate, .. }, lasts, .. } = self.course? else { return None };
        let WallShape::Arm { pivot, length, radius, .. } = self.shape() else { return None };
        Some(Arm { pivot, length, radius, angle, rate, lasts })
    }

    /// Says anew how an arm turns, from a later time on.
    pub(crate) fn restate(&mut self, arm: &Arm, since: Time) {
        if let Some(Course { way: Way::Rotation { angle, .. }, from, lasts, .. }) = &mut self.course {
            (*angle, *from, *lasts) = (arm.angle, since, arm.lasts);
        }
    }

    /// How its facets move, if it does.
    pub(crate) fn drift(&self) -> Option<Drift> {
        let Course { way: Way::Drift { velocity, .. }, from, lasts, .. } = self.course? else { return None };
        Some(Drift { velocity, from, lasts })
    }

    /// The forms of its facets.
    pub(crate) fn parts(&self) -> Result<Vec<Shape>, Error> {
        self.arm().map_or_else(|| Wall::<()>::new(self.shape()).parts(), |arm| Ok(arm::turning(arm)))
    }
}

impl WallShape {
    /// Elsewhere, by this way; each coordinate is rounded once.
    fn moved_by(&self, way: DVec2) -> WallShape {
        let mut moved = self.clone();
        match &mut moved {
            // Not `-0.0 + 0.0`: what has not moved keeps its bits.
            _ if way == DVec2::ZERO => {}
            WallShape::HalfPlane { point: at, .. }
            | WallShape::Disc { center: at, .. }
            | WallShape::Circle { center: at, .. }
            | WallShape::Arc { center: at, .. }
            | WallShape::Arm { pivot: at, .. }
            | WallShape::Stadium { center: at, .. } => *at += way,
            WallShape::Segment { a, b }
            | WallShape::Capsule { a, b, .. }
            | WallShape::OneSidedSegment { a, b }
            | WallShape::Container { min: a, max: b } => (*a, *b) = (*a + way, *b + way),
            WallShape::Polyline { points, .. } => points.iter_mut().for_each(|point| *point += way),
        }
        moved
    }

    /// An arm at another angle.
    fn turned_to(&self, to: f64) -> WallShape {
        let mut turned = self.clone();
        if let WallShape::Arm { angle, .. } = &mut turned {
            *angle = to;
        }
        turned
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
