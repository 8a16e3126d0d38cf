use crate::error::check;
use crate::walk::{fields, variants};
use crate::walls::wall::{circle, half_plane, segment};
use crate::{DiscId, Error, Rules, Sensor, WallId};
use carom_math::{HalfPlane, Segment};
use glam::DVec2;

/// A part of the plane that reports which discs enter and leave it, and touches none of them: a goal, a
/// pocket, a beam of light, the reach of an enemy.
///
/// It lies still, or is carried by a disc, whose centre it goes with; then its coordinates are relative to
/// that centre, and it does not see that disc. A disc is inside by its centre or, if asked, by its edge: as
/// soon as it overlaps the region. Both are closed sets; but to touch the border from outside, or to graze
/// it, is not to enter. [`Rules`] say which discs it sees, as for walls. It changes no path and no bit.
///
/// [`World::add_region`](crate::World::add_region) puts one up; [`Event::Entered`](crate::Event::Entered) and
/// [`Event::Left`](crate::Event::Left) come at the exact times, by turns for each disc.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Event, Region, World};
///
/// let mut world = World::new();
/// let goal = world.add_region(Region::rectangle([2.0, -1.0], [3.0, 1.0]))?;
/// let puck = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
/// let ended = world.advance_until_event(10.0, |event| matches!(event, Event::Entered(_)))?;
/// assert_eq!(ended.time.as_secs(), 0.5);
/// assert!(world.inside(goal)?.eq([puck]));
/// # Ok::<(), carom::Error>(())
/// ```
#[doc(alias = "sensor")]
#[doc(alias = "trigger")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Region {
    /// Its form and place.
    pub shape: RegionShape,
    /// The disc that carries it.
    // To leave it out is not to say that there is none.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub carrier: Option<DiscId>,
    /// What of a disc is to be inside.
    pub extent: Extent,
    /// Which discs it sees.
    pub rules: Rules,
    /// Whether it sees sensors that are to be seen: see [`Sensor::AmongSensors`](crate::Sensor).
    pub sensors: bool,
    /// Anything; the engine does not look at it.
    pub user_data: u64,
}

fields!(Region: shape, carrier as Disc, extent, rules, sensors, user_data);
variants!(
    RegionShape: Disc { center, radius }, Rectangle { min, max }, HalfPlane { point, normal },
    Segment { a, b }, Wall { wall }
);
variants!(Extent: Centre, Edge);

/// The form and place of a [`Region`]; of one that is carried, relative to the centre of the disc.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum RegionShape {
    /// A disc.
    Disc {
        /// Its centre.
        center: DVec2,
        /// Its radius, 10⁻¹⁵ … 10¹⁵.
        radius: f64,
    },
    /// A rectangle along the axes.
    Rectangle {
        /// The corner with the least coordinates.
        min: DVec2,
        /// The corner with the largest; more than `min` by 10⁻¹⁵ … 10¹⁵ along each axis.
        max: DVec2,
    },
    /// All that is behind a line, as of [`WallShape::HalfPlane`](crate::WallShape::HalfPlane).
    HalfPlane {
        /// A point of the line.
        point: DVec2,
        /// Direction out of the region, of any length.
        normal: DVec2,
    },
    /// The straight between two points, which only edges cross: a light barrier.
    Segment {
        /// One end.
        a: DVec2,
        /// The other.
        b: DVec2,
    },
    /// A wall: what is solid of it, as seen by edges. What collides with it only touches it, and never
    /// enters; the region goes when the wall is removed.
    Wall {
        /// Which.
        wall: WallId,
    },
}

/// What of a disc is to be inside of a [`Region`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Extent {
    /// Its centre.
    #[default]
    Centre,
    /// Any part of it: it is inside while it overlaps the region.
    Edge,
}

impl Region {
    /// A region of this form that sees the centres of all discs.
    #[must_use]
    pub fn new(shape: RegionShape) -> Self {
        let (extent, rules) = (Extent::Centre, Rules::new());
        Region { shape, carrier: None, extent, rules, sensors: false, user_data: 0 }
    }

    /// A disc.
    #[must_use]
    pub fn disc(center: impl Into<DVec2>, radius: f64) -> Self {
        Region::new(RegionShape::Disc { center: center.into(), radius })
    }

    /// A rectangle along the axes.
    #[must_use]
    pub fn rectangle(min: impl Into<DVec2>, max: impl Into<DVec2>) -> Self {
        Region::new(RegionShape::Rectangle { min: min.into(), max: max.into() })
    }

    /// All that is behind the line through `point`; `normal` leads out of the region.
    #[must_use]
    pub fn half_plane(point: impl Into<DVec2>, normal: impl Into<DVec2>) -> Self {
        Region::new(RegionShape::HalfPlane { point: point.into(), normal: normal.into() })
    }

    /// The straight between two points, by edge.
    #[must_use]
    pub fn segment(a: impl Into<DVec2>, b: impl Into<DVec2>) -> Self {
        Region::new(RegionShape::Segment { a: a.into(), b: b.into() }).by_edge()
    }

    /// A wall, by edge: which discs overlap it.
    #[must_use]
    pub fn wall(wall: WallId) -> Self {
        Region::new(RegionShape::Wall { wall }).by_edge()
    }

    /// What a sensor of this size carries.
    pub(crate) fn of_sensor(sensor: Sensor, radius: f64, rules: Rules, user_data: u64) -> Self {
        let sensors = sensor == Sensor::AmongSensors;
        let own = Region::disc(DVec2::ZERO, radius).by_edge().with_rules(rules).with_user_data(user_data);
        Region { sensors, ..own }
    }

    setters! {
        /// Carried by a disc: coordinates are relative to its centre. It goes when the disc is removed.
        carried_by(carrier: DiscId) => carrier = Some(carrier);

        /// That counts discs as inside as soon as they overlap it.
        by_edge() => extent = Extent::Edge;

        /// With these rules, which say which discs it sees.
        with_rules(rules: Rules) => rules = rules;

        /// That sees sensors, too, as far as these ask for it.
        with_sensors() => sensors = true;

        /// With this user data.
        with_user_data(user_data: u64) => user_data = user_data;
    }

    /// A member of the groups of `membership` that sees discs of those of `mask` which accept it: see
    /// [`Rules`].
    #[must_use]
    pub fn with_groups(mut self, membership: u32, mask: u32) -> Self {
        self.rules = self.rules.with_membership(membership).with_mask(mask);
        self
    }

    /// Of this team, whose members it does not see; 0 is none.
    #[must_use]
    pub fn with_team(mut self, team: u32) -> Self {
        self.rules = self.rules.with_team(team);
        self
    }

    /// Checks every number, as adding the region does.
    ///
    /// # Errors
    /// The first number that is not in its range.
    pub fn check(&self) -> Result<(), Error> {
        match self.shape {
            RegionShape::Disc { center, radius } => circle(center, radius).map(drop),
            RegionShape::Rectangle { min, max } => check::rectangle(min, max),
            RegionShape::HalfPlane { point, normal } => half_plane(point, normal).map(drop),
            RegionShape::Segment { .. } | RegionShape::Wall { .. } if self.extent == Extent::Centre => {
                let reason = "only edges cross a segment or a wall";
                Err(Error::Inconsistent { field: "extent", value: 0.0, reason })
            }
            RegionShape::Segment { a, b } => segment(a, b).map(drop),
            RegionShape::Wall { .. } if self.carrier.is_some() => {
                let reason = "a wall is carried by no disc";
                Err(Error::Inconsistent { field: "carrier", value: 1.0, reason })
            }
            RegionShape::Wall { .. } => Ok(()),
        }
    }

    /// What decides which discs are inside, of a region that has been checked.
    pub(super) fn form(&self) -> Form {
        match self.shape {
            RegionShape::Disc { center, radius } => Form::Disc { center, radius },
            RegionShape::Rectangle { min, max } => Form::Rectangle { min, max },
            RegionShape::HalfPlane { point, normal } => {
                let fallback = HalfPlane { point, normal: DVec2::X };
                Form::HalfPlane(half_plane(point, normal).unwrap_or(fallback))
            }
            RegionShape::Segment { a, b } => {
                let fallback = Segment { start: a, direction: DVec2::X, length: 0.0 };
                Form::Segment(segment(a, b).unwrap_or(fallback))
            }
            RegionShape::Wall { wall } => Form::Wall(wall.slot()),
        }
    }
}

/// As [`RegionShape`], with what is derived from it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Disc {
        center: DVec2,
        radius: f64,
    },
    Rectangle {
        min: DVec2,
        max: DVec2,
    },
    HalfPlane(HalfPlane),
    Segment(Segment),
    /// The wall in a slot.
    Wall(u32),
}
