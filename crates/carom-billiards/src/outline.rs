//! Cushions and pockets that are placed one by one.

use crate::cushion::MOST_RISE;
use crate::error::within;
use crate::motion::length;
use crate::{Error, Surface};
use carom_engine::{DVec2, Wall};

/// The cushions and pockets of a table of any shape, in the frame of the table. Ends of straight noses are
/// points that balls bounce off; what looks like a table is closed, but nothing asks for that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Straight noses and facings.
    pub noses: Vec<Nose>,
    /// Round ones: the jaws of pockets, posts.
    pub jaws: Vec<RoundNose>,
    /// What balls fall into.
    pub holes: Vec<Hole>,
}

/// The nose of a straight cushion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nose {
    /// One end.
    pub from: DVec2,
    /// The other.
    pub to: DVec2,
    /// Its height above the cloth in metres: see [`Table::nose`](crate::Table::nose).
    pub height: f64,
    /// The radius with which it is rounded in metres: see [`Table::rounding`](crate::Table::rounding).
    pub rounding: f64,
}

/// The nose of a cushion that is part of a circle, hit from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundNose {
    /// Its centre.
    pub center: DVec2,
    /// Its radius in metres, 0.0001 to 10.
    pub radius: f64,
    /// Its height above the cloth in metres: see [`Table::nose`](crate::Table::nose).
    pub height: f64,
    /// The radius with which it is rounded in metres: see [`Table::rounding`](crate::Table::rounding).
    pub rounding: f64,
}

/// A pocket as a circle: a ball falls as its centre reaches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hole {
    /// Its centre.
    pub center: DVec2,
    /// Its radius in metres: more than that of each ball, at most 10.
    pub radius: f64,
}

/// Where cushions and pockets may be, in metres: the corners of the largest table, and room around it.
const FAR: f64 = 1e3;

fn check_place(field: [&'static str; 2], at: DVec2) -> Result<(), Error> {
    let allowed = "a number from -1000 to 1000";
    within(field[0], at.x, -FAR..=FAR, allowed)?;
    within(field[1], at.y, -FAR..=FAR, allowed)
}

/// Refuses a nose that a ball meets too far above its centre or too far below, and one that is no nose.
pub(crate) fn check_nose(
    [field, rounded]: [&'static str; 2],
    [height, rounding]: [f64; 2],
    ball_radius: f64,
) -> Result<(), Error> {
    let allowed = "metres, from 0.5 to 1.9 radii of each ball";
    within(field, height, 0.5 * ball_radius..=(1.0 + MOST_RISE) * ball_radius, allowed)?;
    within(rounded, rounding, 0.0..=0.1, "a number from 0 to 0.1")
}

impl Nose {
    /// Refuses numbers out of range for balls of this radius, and ends that are one point.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self, ball_radius: f64) -> Result<(), Error> {
        check_place(["from.x", "from.y"], self.from)?;
        check_place(["to.x", "to.y"], self.to)?;
        let long = length(self.to - self.from);
        within("length of a nose", long, 1e-4..=2.0 * FAR, "a number from 0.0001 to 2000")?;
        check_nose(["height", "rounding"], [self.height, self.rounding], ball_radius)
    }
}

impl RoundNose {
    /// Refuses numbers out of range for balls of this radius.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self, ball_radius: f64) -> Result<(), Error> {
        check_place(["center.x", "center.y"], self.center)?;
        within("radius", self.radius, 1e-4..=10.0, "a number from 0.0001 to 10")?;
        check_nose(["height", "rounding"], [self.height, self.rounding], ball_radius)
    }
}

impl Hole {
    /// Refuses numbers out of range, and a hole too small for a ball of this radius.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self, ball_radius: f64) -> Result<(), Error> {
        check_place(["center.x", "center.y"], self.center)?;
        let allowed = "more than the radius of each ball, at most 10";
        within("radius", self.radius, ball_radius + 1e-6..=10.0, allowed)
    }
}

impl Outline {
    pub(crate) fn check(&self, ball_radius: f64) -> Result<(), Error> {
        self.noses.iter().try_for_each(|nose| nose.check(ball_radius))?;
        self.jaws.iter().try_for_each(|jaw| jaw.check(ball_radius))?;
        self.holes.iter().try_for_each(|hole| hole.check(ball_radius))
    }

    /// The walls, in the order of [`Table::segments`](crate::Table::segments) and
    /// [`Table::jaw_circles`](crate::Table::jaw_circles); `origin` is that of the world.
    pub(crate) fn walls(&self, origin: DVec2) -> Vec<(Wall<Surface>, Surface)> {
        let nose = |nose: &Nose| {
            let wall = Wall::segment(nose.from - origin, nose.to - origin);
            (wall, Surface::Cushion { nose: nose.height, rounding: nose.rounding })
        };
        let jaw = |jaw: &RoundNose| {
            let wall = Wall::disc(jaw.center - origin, jaw.radius);
            (wall, Surface::Cushion { nose: jaw.height, rounding: jaw.rounding })
        };
        self.noses.iter().map(nose).chain(self.jaws.iter().map(jaw)).collect()
    }
}
