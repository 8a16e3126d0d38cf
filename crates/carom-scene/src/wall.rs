//! Walls: a shape by its name, with the fields that it has.

use crate::error::SceneError;
use crate::place::FieldPath;
use crate::values::{self, Pair, Real};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// One entry of `[[walls]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneWall {
    /// The shape.
    pub shape: Shape,
    /// The restitution, 0 to 1.
    pub restitution: f64,
    /// A name for the wall, for people.
    pub name: Option<String>,
}

impl SceneWall {
    /// A wall of restitution 1 without a name.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape, restitution: 1.0, name: None }
    }
}

/// The shape of a wall. Lengths in the units of the scene, angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `half-plane`: everything behind `point` is solid; `normal` points to the free side.
    HalfPlane {
        /// A point on the edge.
        point: DVec2,
        /// A vector towards the free side, of any length but 0.
        normal: DVec2,
    },
    /// `segment`: two-sided, with round ends.
    Segment {
        /// One end.
        a: DVec2,
        /// The other end.
        b: DVec2,
    },
    /// `one-sided-segment`: stops only what comes from its left, looking from `a` to `b`.
    OneSidedSegment {
        /// Its beginning.
        a: DVec2,
        /// Its end.
        b: DVec2,
    },
    /// `disc`: a fixed disc, hit from outside.
    Disc {
        /// Its centre.
        center: DVec2,
        /// Its radius.
        radius: f64,
    },
    /// `circle`: a circle, hit from inside.
    Circle {
        /// Its centre.
        center: DVec2,
        /// Its radius.
        radius: f64,
    },
    /// `arc`: a part of a circle, hit from either side, with round ends.
    Arc {
        /// The centre of the circle.
        center: DVec2,
        /// Its radius.
        radius: f64,
        /// The angle at which it starts.
        start: f64,
        /// How far it goes counter-clockwise, in (0, 2π].
        sweep: f64,
    },
    /// `polyline`: segments from point to point; `closed` joins the last to the first.
    Polyline {
        /// The points, at least two.
        points: Vec<DVec2>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// `container`: four half-planes that face inwards; nothing gets out.
    Container {
        /// The corner with the smaller coordinates.
        min: DVec2,
        /// The corner with the larger coordinates.
        max: DVec2,
    },
    /// `stadium`: two straights along x, joined by two half circles; two-sided.
    Stadium {
        /// The centre.
        center: DVec2,
        /// Half the length of a straight.
        half_length: f64,
        /// The radius of the half circles.
        radius: f64,
    },
    /// `around-gas`: around the region of a gas, and facing inwards: a container, or a circle.
    AroundGas {
        /// Which of `gases`, counted from 0.
        gas: u64,
    },
}

/// The names of the shapes, as a file writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ShapeName {
    HalfPlane,
    Segment,
    OneSidedSegment,
    Disc,
    Circle,
    Arc,
    Polyline,
    Container,
    Stadium,
    AroundGas,
}

impl ShapeName {
    fn text(self) -> &'static str {
        match self {
            Self::HalfPlane => "half-plane",
            Self::Segment => "segment",
            Self::OneSidedSegment => "one-sided-segment",
            Self::Disc => "disc",
            Self::Circle => "circle",
            Self::Arc => "arc",
            Self::Polyline => "polyline",
            Self::Container => "container",
            Self::Stadium => "stadium",
            Self::AroundGas => "around-gas",
        }
    }

    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::HalfPlane => &["point", "normal"],
            Self::Segment | Self::OneSidedSegment => &["a", "b"],
            Self::Disc | Self::Circle => &["center", "radius"],
            Self::Arc => &["center", "radius", "start", "sweep"],
            Self::Polyline => &["points", "closed"],
            Self::Container => &["min", "max"],
            Self::Stadium => &["center", "half_length", "radius"],
            Self::AroundGas => &["gas"],
        }
    }
}

/// A wall as it stands in a file: every field that any shape has. A tagged enum would be shorter, but serde reads
/// those through a buffer that forgets where in the file each value stood.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WallFile {
    shape: ShapeName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    point: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normal: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    half_length: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sweep: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<Vec<Pair>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gas: Option<u64>,
    #[serde(with = "values::real", default = "values::one")]
    restitution: f64,
}

impl WallFile {
    fn empty(shape: ShapeName) -> Self {
        Self {
            shape,
            name: None,
            point: None,
            normal: None,
            a: None,
            b: None,
            center: None,
            half_length: None,
            radius: None,
            start: None,
            sweep: None,
            points: None,
            closed: None,
            min: None,
            max: None,
            gas: None,
            restitution: 1.0,
        }
    }

    /// The fields that are there, of those that belong to a shape.
    fn present(&self) -> [(&'static str, bool); 14] {
        [
            ("point", self.point.is_some()),
            ("normal", self.normal.is_some()),
            ("a", self.a.is_some()),
            ("b", self.b.is_some()),
            ("center", self.center.is_some()),
            ("half_length", self.half_length.is_some()),
            ("radius", self.radius.is_some()),
            ("start", self.start.is_some()),
            ("sweep", self.sweep.is_some()),
            ("points", self.points.is_some()),
            ("closed", self.closed.is_some()),
            ("min", self.min.is_some()),
            ("max", self.max.is_some()),
            ("gas", self.gas.is_some()),
        ]
    }

    /// The wall, when it has the fields of its shape and no others.
    pub(crate) fn into_wall(self, path: &FieldPath) -> Result<SceneWall, SceneError> {
        let (shape, fields) = (self.shape, self.shape.fields());
        for (field, present) in self.present() {
            if present && !fields.contains(&field) {
                return Err(SceneError::unexpected(
                    path.clone().field(field),
                    format!("the fields of the shape `{}` are {}", shape.text(), fields.join(", ")),
                ));
            }
        }
        let missing = |field: &str| {
            SceneError::missing(
                path.clone().field(field),
                format!("the fields of the shape `{}` are {}", shape.text(), fields.join(", ")),
            )
        };
        let pair = |value: Option<Pair>, field| value.map(|pair| pair.0).ok_or_else(|| missing(field));
        let real = |value: Option<Real>, field| value.map(|real| real.0).ok_or_else(|| missing(field));
        let shape = match shape {
            ShapeName::HalfPlane => {
                Shape::HalfPlane { point: pair(self.point, "point")?, normal: pair(self.normal, "normal")? }
            }
            ShapeName::Segment => Shape::Segment { a: pair(self.a, "a")?, b: pair(self.b, "b")? },
            ShapeName::OneSidedSegment => {
                Shape::OneSidedSegment { a: pair(self.a, "a")?, b: pair(self.b, "b")? }
            }
            ShapeName::Disc => {
                Shape::Disc { center: pair(self.center, "center")?, radius: real(self.radius, "radius")? }
            }
            ShapeName::Circle => {
                Shape::Circle { center: pair(self.center, "center")?, radius: real(self.radius, "radius")? }
            }
            ShapeName::Arc => Shape::Arc {
                center: pair(self.center, "center")?,
                radius: real(self.radius, "radius")?,
                start: real(self.start, "start")?,
                sweep: real(self.sweep, "sweep")?,
            },
            ShapeName::Polyline => Shape::Polyline {
                points: self
                    .points
                    .ok_or_else(|| missing("points"))?
                    .into_iter()
                    .map(|point| point.0)
                    .collect(),
                closed: self.closed.unwrap_or(false),
            },
            ShapeName::Container => {
                Shape::Container { min: pair(self.min, "min")?, max: pair(self.max, "max")? }
            }
            ShapeName::Stadium => Shape::Stadium {
                center: pair(self.center, "center")?,
                half_length: real(self.half_length, "half_length")?,
                radius: real(self.radius, "radius")?,
            },
            ShapeName::AroundGas => Shape::AroundGas { gas: self.gas.ok_or_else(|| missing("gas"))? },
        };
        Ok(SceneWall { shape, restitution: self.restitution, name: self.name })
    }
}

impl From<SceneWall> for WallFile {
    fn from(wall: SceneWall) -> Self {
        let (pair, real) = (|p: DVec2| Some(Pair(p)), |x: f64| Some(Real(x)));
        let file = match wall.shape {
            Shape::HalfPlane { point, normal } => {
                Self { point: pair(point), normal: pair(normal), ..Self::empty(ShapeName::HalfPlane) }
            }
            Shape::Segment { a, b } => Self { a: pair(a), b: pair(b), ..Self::empty(ShapeName::Segment) },
            Shape::OneSidedSegment { a, b } => {
                Self { a: pair(a), b: pair(b), ..Self::empty(ShapeName::OneSidedSegment) }
            }
            Shape::Disc { center, radius } => {
                Self { center: pair(center), radius: real(radius), ..Self::empty(ShapeName::Disc) }
            }
            Shape::Circle { center, radius } => {
                Self { center: pair(center), radius: real(radius), ..Self::empty(ShapeName::Circle) }
            }
            Shape::Arc { center, radius, start, sweep } => Self {
                center: pair(center),
                radius: real(radius),
                start: real(start),
                sweep: real(sweep),
                ..Self::empty(ShapeName::Arc)
            },
            Shape::Polyline { points, closed } => Self {
                points: Some(points.into_iter().map(Pair).collect()),
                closed: Some(closed),
                ..Self::empty(ShapeName::Polyline)
            },
            Shape::Container { min, max } => {
                Self { min: pair(min), max: pair(max), ..Self::empty(ShapeName::Container) }
            }
            Shape::Stadium { center, half_length, radius } => Self {
                center: pair(center),
                half_length: real(half_length),
                radius: real(radius),
                ..Self::empty(ShapeName::Stadium)
            },
            Shape::AroundGas { gas } => Self { gas: Some(gas), ..Self::empty(ShapeName::AroundGas) },
        };
        Self { restitution: wall.restitution, name: wall.name, ..file }
    }
}
