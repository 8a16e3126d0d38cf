use crate::error::check;
use crate::limits::MAX_WALL_PARTS;
use crate::walk::{fields, variants};
use crate::{Error, Rules};
use carom_math::elementary::unit_vector;
use carom_math::{Arc, Circle, DVec2, HalfPlane, Segment};
use core::f64::consts::TAU;

use crate::walls::arm;
use crate::walls::facet::Shape;

/// Something that discs bounce off and do not push away. It stands still until it is sent somewhere:
/// [`World::move_wall`](crate::World::move_wall), [`World::turn_arm`](crate::World::turn_arm).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Wall<S = ()> {
    /// Its form and place.
    pub shape: WallShape,
    /// Coefficient of restitution, in [0, 1].
    pub restitution: f64,
    /// Anything; the engine does not look at it.
    pub user_data: u64,
    /// Which discs it collides with.
    pub rules: Rules,
    /// The largest speed at which [`World::move_wall`](crate::World::move_wall) moves it; infinite if there
    /// is none.
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub max_speed: f64,
    /// What the physics knows of it.
    pub surface: S,
}

impl<S: Default> Wall<S> {
    /// What stands in a free slot.
    pub(crate) fn free() -> Self {
        Wall::disc(DVec2::ZERO, 0.0)
    }
}

fields!(Wall<S>: shape, restitution, user_data, rules, max_speed as Any, surface as Any);
variants!(
    WallShape: HalfPlane { point, normal }, Segment { a, b }, OneSidedSegment { a, b },
    Disc { center, radius }, Circle { center, radius }, Arc { center, radius, start, sweep },
    Polyline { points, closed }, Container { min, max }, Arm { pivot, length, radius, angle },
    Stadium { center, half_length, radius }, Capsule { a, b, radius }
);

/// Form and place of a wall.
///
/// Each form consists of parts, counted from 0 in the order given; an impact says which part was hit. Points
/// where parts join are parts of their own, hit as points when no straight or round part is nearer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum WallShape {
    /// The solid half-plane behind a line. One part.
    HalfPlane {
        /// A point of the line.
        point: DVec2,
        /// Direction towards the free side, of any length.
        normal: DVec2,
    },
    /// A straight wall between two points, hit from both sides, with round ends. Parts: the straight, `a`,
    /// `b`.
    Segment {
        /// Where it starts.
        a: DVec2,
        /// Where it ends.
        b: DVec2,
    },
    /// A straight wall that stops only what comes from its left, looking from `a` to `b`. What comes from its
    /// right, or around an end against its direction, passes until it has parted, also if it turns back in
    /// the line. Parts: the straight, `a`, `b`.
    ///
    /// What is put into its line with its centre on the left overlaps it, and is refused or
    /// [pushed](crate::World::push_apart) out there as from other walls. If the disc allows
    /// [overlap](crate::Disc::with_overlap), it passes.
    OneSidedSegment {
        /// Where it starts.
        a: DVec2,
        /// Where it ends.
        b: DVec2,
    },
    /// A fixed disc, hit from outside. One part.
    Disc {
        /// Centre.
        center: DVec2,
        /// Radius; 0 is a point.
        radius: f64,
    },
    /// A round room, hit from inside: nothing gets out. One part.
    Circle {
        /// Centre.
        center: DVec2,
        /// Radius.
        radius: f64,
    },
    /// A part of a circle, hit from either side, with round ends. Parts: the arc, its first and its last end.
    Arc {
        /// Centre of the circle.
        center: DVec2,
        /// Radius of the circle.
        radius: f64,
        /// Angle of the first end from the x axis, radians.
        start: f64,
        /// Angle from the first end to the last, counter-clockwise, in (0, 2π].
        sweep: f64,
    },
    /// Straight walls from point to point, hit from both sides. Parts: the straights, then the points.
    Polyline {
        /// At least two, no two neighbours at the same place.
        points: Vec<DVec2>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// Four half-planes facing inwards: a rectangular room, nothing gets out. Parts: left, right, bottom,
    /// top.
    Container {
        /// Lower left corner.
        min: DVec2,
        /// Upper right corner.
        max: DVec2,
    },
    /// A segment with round ends of one radius, about one of which [`World::turn_arm`] turns it: a flipper.
    /// Parts at rest: its left side, seen from the pivot, the end at the pivot, the tip, its right side; of
    /// one without thickness the straight and its ends. While it turns, all but the end at the pivot is part
    /// 0.
    ///
    /// [`World::turn_arm`]: crate::World::turn_arm
    Arm {
        /// The end about which it turns.
        pivot: DVec2,
        /// Distance of the tip's centre from it.
        length: f64,
        /// Half its thickness; may be 0.
        radius: f64,
        /// Angle from the x axis, radians; while it turns that from which it does: see [`World::arm`].
        ///
        /// [`World::arm`]: crate::World::arm
        angle: f64,
    },
    /// Two straights along x joined by half circles, hit from both sides. Parts: bottom, right half circle,
    /// top, left half circle, then the four points where they join, counter-clockwise from bottom left.
    Stadium {
        /// Centre.
        center: DVec2,
        /// Half the length of the straights.
        half_length: f64,
        /// Radius of the half circles.
        radius: f64,
    },
    /// A straight bar with round ends, hit from outside: a paddle, a platform, a bumper. Parts: its left
    /// side, looking from `a` to `b`, the end at `a`, that at `b`, its right side; of one without thickness
    /// those of a segment.
    Capsule {
        /// Centre of the first end.
        a: DVec2,
        /// Centre of the last end.
        b: DVec2,
        /// Half its thickness; may be 0.
        radius: f64,
    },
}

impl WallShape {
    /// Its middle: the centre of what is round, midway between the ends of a segment, a capsule or an arm,
    /// the centre of the box around the points of a polyline, and the given point of a half-plane.
    /// O(points).
    #[must_use]
    pub fn middle(&self) -> DVec2 {
        match *self {
            WallShape::HalfPlane { point, .. } => point,
            WallShape::Disc { center, .. }
            | WallShape::Circle { center, .. }
            | WallShape::Arc { center, .. }
            | WallShape::Stadium { center, .. } => center,
            WallShape::Segment { a, b }
            | WallShape::OneSidedSegment { a, b }
            | WallShape::Capsule { a, b, .. }
            | WallShape::Container { min: a, max: b } => a.midpoint(b),
            WallShape::Arm { pivot, length, angle, .. } => pivot + unit_vector(angle) * (0.5 * length),
            WallShape::Polyline { ref points, .. } => {
                let nowhere = (DVec2::INFINITY, DVec2::NEG_INFINITY);
                let (min, max) =
                    points.iter().fold(nowhere, |(min, max), &point| (min.min(point), max.max(point)));
                min.midpoint(max)
            }
        }
    }
}

impl<S: Default> Wall<S> {
    /// A wall of this form, with restitution 1.
    #[must_use]
    pub fn new(shape: WallShape) -> Self {
        let (rules, surface) = (Rules::new(), S::default());
        Wall { shape, restitution: 1.0, user_data: 0, rules, max_speed: f64::INFINITY, surface }
    }

    /// See [`WallShape::HalfPlane`].
    #[must_use]
    pub fn half_plane(point: impl Into<DVec2>, normal: impl Into<DVec2>) -> Self {
        Wall::new(WallShape::HalfPlane { point: point.into(), normal: normal.into() })
    }

    /// See [`WallShape::Segment`].
    #[must_use]
    pub fn segment(a: impl Into<DVec2>, b: impl Into<DVec2>) -> Self {
        Wall::new(WallShape::Segment { a: a.into(), b: b.into() })
    }

    /// See [`WallShape::OneSidedSegment`].
    #[must_use]
    pub fn one_sided_segment(a: impl Into<DVec2>, b: impl Into<DVec2>) -> Self {
        Wall::new(WallShape::OneSidedSegment { a: a.into(), b: b.into() })
    }

    /// See [`WallShape::Disc`].
    #[must_use]
    pub fn disc(center: impl Into<DVec2>, radius: f64) -> Self {
        Wall::new(WallShape::Disc { center: center.into(), radius })
    }

    /// See [`WallShape::Circle`].
    #[must_use]
    pub fn circle(center: impl Into<DVec2>, radius: f64) -> Self {
        Wall::new(WallShape::Circle { center: center.into(), radius })
    }

    /// See [`WallShape::Arc`].
    #[must_use]
    pub fn arc(center: impl Into<DVec2>, radius: f64, start: f64, sweep: f64) -> Self {
        Wall::new(WallShape::Arc { center: center.into(), radius, start, sweep })
    }

    /// An open chain of straight walls; see [`WallShape::Polyline`].
    #[must_use]
    pub fn polyline(points: &[impl Into<DVec2> + Copy]) -> Self {
        Wall::new(WallShape::Polyline { points: points.iter().map(|&p| p.into()).collect(), closed: false })
    }

    /// A closed chain of straight walls; see [`WallShape::Polyline`].
    #[must_use]
    pub fn polygon(points: &[impl Into<DVec2> + Copy]) -> Self {
        Wall::new(WallShape::Polyline { points: points.iter().map(|&p| p.into()).collect(), closed: true })
    }

    /// The outline of a rectangle, hit from inside and from outside. Parts as of a polygon, from `min`
    /// counter-clockwise.
    #[must_use]
    pub fn rectangle(min: impl Into<DVec2>, max: impl Into<DVec2>) -> Self {
        let (min, max) = (min.into(), max.into());
        Wall::polygon(&[min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)])
    }

    /// See [`WallShape::Container`].
    #[must_use]
    pub fn container(min: impl Into<DVec2>, max: impl Into<DVec2>) -> Self {
        Wall::new(WallShape::Container { min: min.into(), max: max.into() })
    }

    /// See [`WallShape::Arm`].
    #[must_use]
    pub fn arm(pivot: impl Into<DVec2>, length: f64, radius: f64, angle: f64) -> Self {
        Wall::new(WallShape::Arm { pivot: pivot.into(), length, radius, angle })
    }

    /// See [`WallShape::Stadium`].
    #[must_use]
    pub fn stadium(center: impl Into<DVec2>, half_length: f64, radius: f64) -> Self {
        Wall::new(WallShape::Stadium { center: center.into(), half_length, radius })
    }

    /// See [`WallShape::Capsule`].
    #[must_use]
    pub fn capsule(a: impl Into<DVec2>, b: impl Into<DVec2>, radius: f64) -> Self {
        Wall::new(WallShape::Capsule { a: a.into(), b: b.into(), radius })
    }

    setters! {
        /// With this coefficient of restitution.
        with_restitution(restitution: f64);

        /// With this user data.
        with_user_data(user_data: u64);

        /// With these rules of which discs it collides with.
        with_rules(rules: Rules);
    }

    /// A member of the groups of `membership` that accepts those of `mask`: see [`Rules`].
    #[must_use]
    pub fn with_groups(mut self, membership: u32, mask: u32) -> Self {
        self.rules = self.rules.with_membership(membership).with_mask(mask);
        self
    }

    /// Of this team, whose members do not collide with it; 0 is none.
    #[must_use]
    pub fn with_team(mut self, team: u32) -> Self {
        self.rules = self.rules.with_team(team);
        self
    }

    setters! {
        /// With a largest speed at which [`World::move_wall`](crate::World::move_wall) moves it: a paddle
        /// that follows a mouse fires no puck when that jumps. Circles, arcs and stadiums it does not move.
        with_max_speed(max_speed: f64);

        /// With these properties for the physics.
        with_surface(surface: S);
    }

    /// Checks every number, as adding the wall does. `O(parts)`.
    ///
    /// # Errors
    /// The first number that is not in its range, or that makes it no wall.
    pub fn check(&self) -> Result<(), Error> {
        self.parts().map(drop)
    }

    /// The parts, in order; an error if a number is out of range.
    pub(crate) fn parts(&self) -> Result<Vec<Shape>, Error> {
        check::restitution(self.restitution)?;
        check::max_speed(self.max_speed)?;
        match &self.shape {
            WallShape::HalfPlane { point, normal } => {
                Ok(vec![Shape::HalfPlane(half_plane(*point, *normal)?)])
            }
            WallShape::Segment { a, b } => {
                Ok(vec![Shape::Segment(segment(*a, *b)?), Shape::Point(*a), Shape::Point(*b)])
            }
            WallShape::OneSidedSegment { a, b } => {
                let straight = segment(*a, *b)?;
                let normal = straight.normal();
                let end = |point| Shape::OneSidedEnd { point, normal };
                Ok(vec![Shape::OneSided(straight), end(*a), end(*b)])
            }
            WallShape::Disc { center, radius } => {
                check::point(["center.x", "center.y"], *center)?;
                check::radius(*radius)?;
                Ok(vec![Shape::Outside(Circle { center: *center, radius: *radius })])
            }
            WallShape::Circle { center, radius } => Ok(vec![Shape::Inside(circle(*center, *radius)?)]),
            WallShape::Arc { center, radius, start, sweep } => arc(*center, *radius, *start, *sweep),
            WallShape::Polyline { points, closed } => polyline(points, *closed),
            WallShape::Container { min, max } => container(*min, *max),
            &WallShape::Arm { pivot, length, radius, angle } => arm(pivot, length, radius, angle),
            WallShape::Stadium { center, half_length, radius } => stadium(*center, *half_length, *radius),
            WallShape::Capsule { a, b, radius } => {
                check::radius(*radius)?;
                Ok(arm::bar(segment(*a, *b)?, *b, *radius))
            }
        }
    }
}

pub(crate) fn half_plane(point: DVec2, normal: DVec2) -> Result<HalfPlane, Error> {
    check::point(["point.x", "point.y"], point)?;
    check::point(["normal.x", "normal.y"], normal)?;
    let (value, reason) = (normal.length(), "it has no direction");
    check::length("length of the normal", value)?;
    HalfPlane::new(point, normal).ok_or(Error::Inconsistent { field: "normal", value, reason })
}

pub(crate) fn segment(a: DVec2, b: DVec2) -> Result<Segment, Error> {
    check::point(["a.x", "a.y"], a)?;
    check::point(["b.x", "b.y"], b)?;
    let (field, value, reason) = ("length of the segment", a.distance(b), "it has no direction");
    check::length(field, value)?;
    Segment::new(a, b).ok_or(Error::Inconsistent { field, value, reason })
}

pub(crate) fn circle(center: DVec2, radius: f64) -> Result<Circle, Error> {
    check::point(["center.x", "center.y"], center)?;
    check::length("radius", radius)?;
    Ok(Circle { center, radius })
}

fn arc(center: DVec2, radius: f64, start: f64, sweep: f64) -> Result<Vec<Shape>, Error> {
    let circle = circle(center, radius)?;
    if !(start.abs() <= 1e6) {
        return Err(Error::OutOfRange { field: "start", value: start, allowed: "an angle from -1e6 to 1e6" });
    }
    if !(sweep > 0.0 && sweep <= TAU) {
        let allowed = "an angle above 0, at most 2π";
        return Err(Error::OutOfRange { field: "sweep", value: sweep, allowed });
    }
    let (first, last) = (unit_vector(start), unit_vector(start + sweep));
    if sweep == TAU {
        let full = Arc { circle, first, last: first, major: true, full: true };
        return Ok(vec![Shape::Arc(full)]);
    }
    check::length("length of the arc", radius * sweep)?;
    let arc = Arc { circle, first, last, major: sweep > TAU / 2.0, full: false };
    let end = |towards: DVec2| Shape::Point(center + towards * radius);
    Ok(vec![Shape::Arc(arc), end(first), end(last)])
}

fn arm(pivot: DVec2, length: f64, radius: f64, angle: f64) -> Result<Vec<Shape>, Error> {
    check::point(["pivot.x", "pivot.y"], pivot)?;
    check::length("length", length)?;
    check::radius(radius)?;
    check::turned_to(angle)?;
    Ok(arm::resting(pivot, length, radius, angle))
}

fn polyline(points: &[DVec2], closed: bool) -> Result<Vec<Shape>, Error> {
    let (needed, value) = (if closed { 3 } else { 2 }, points.len() as f64);
    if points.len() < needed {
        let allowed = "at least 2, or 3 if closed";
        return Err(Error::OutOfRange { field: "number of points", value, allowed });
    }
    let (parts, most) = (2 * points.len(), MAX_WALL_PARTS);
    if parts > most {
        return Err(Error::TooManyParts { parts, most });
    }
    for &point in points {
        check::point(["points.x", "points.y"], point)?;
    }
    let mut parts = Vec::with_capacity(2 * points.len());
    for pair in points.windows(2) {
        parts.push(Shape::Segment(segment(pair[0], pair[1])?));
    }
    if closed {
        parts.push(Shape::Segment(segment(points[points.len() - 1], points[0])?));
    }
    parts.extend(points.iter().map(|&point| Shape::Point(point)));
    Ok(parts)
}

fn container(min: DVec2, max: DVec2) -> Result<Vec<Shape>, Error> {
    check::rectangle(min, max)?;
    let face = |point, normal| Shape::HalfPlane(HalfPlane { point, normal });
    Ok(vec![face(min, DVec2::X), face(max, DVec2::NEG_X), face(min, DVec2::Y), face(max, DVec2::NEG_Y)])
}

fn stadium(center: DVec2, half_length: f64, radius: f64) -> Result<Vec<Shape>, Error> {
    check::point(["center.x", "center.y"], center)?;
    check::length("radius", radius)?;
    check::length("half_length", half_length)?;
    let (along, up) = (DVec2::new(half_length, 0.0), DVec2::new(0.0, radius));
    let (bottom_left, bottom_right) = (center - along - up, center + along - up);
    let (top_right, top_left) = (center + along + up, center - along + up);
    // The ends are given as vectors, so that the half circles meet the straights without rounding of angles.
    let half_circle = |middle: DVec2, first: DVec2| -> Result<Shape, Error> {
        let circle = circle(middle, radius)?;
        Ok(Shape::Arc(Arc { circle, first, last: -first, major: false, full: false }))
    };
    let mut parts = vec![
        Shape::Segment(segment(bottom_left, bottom_right)?),
        half_circle(center + along, DVec2::NEG_Y)?,
        Shape::Segment(segment(top_right, top_left)?),
        half_circle(center - along, DVec2::Y)?,
    ];
    parts.extend([bottom_left, bottom_right, top_right, top_left].map(Shape::Point));
    Ok(parts)
}
