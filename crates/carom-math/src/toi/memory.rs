use crate::DVec2;

/// A disc in uniform motion, which may grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Centre, at the moment from which times are counted.
    pub position: DVec2,
    /// Velocity.
    pub velocity: DVec2,
    /// Radius, ≥ 0; a disc of radius 0 is a point.
    pub radius: f64,
    /// Growth of the radius per second in proportion to itself, ≥ 0: it is `radius · (1 + growth · t)`
    /// after `t` seconds. A growth of 0 leaves no trace in the bits of any time.
    pub growth: f64,
}

impl Motion {
    /// A disc of constant radius.
    #[inline(always)]
    #[must_use]
    pub fn new(position: DVec2, velocity: DVec2, radius: f64) -> Self {
        Motion { position, velocity, radius, growth: 0.0 }
    }
}

/// The two sides of a line or circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Side {
    /// Left of a segment, outside a circle.
    Front,
    /// Right of a segment, inside a circle.
    Back,
}

impl Side {
    /// +1 for the front, −1 for the back.
    #[inline(always)]
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Side::Front => 1.0,
            Side::Back => -1.0,
        }
    }
}

/// What a disc remembers of a surface.
///
/// A point that has just bounced off a two-sided wall is stored on it, an ulp to either side: from its
/// coordinates alone it cannot be told on which side it is, nor that it need not bounce again. What
/// resolved the impact knows, and says so here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing: the side is where the centre is.
    None,
    /// It is at the surface, on this side, and may hit it.
    Near(Side),
    /// It has just been hit, on this side, and its velocity is the one after the impact.
    Met(Side),
}

impl Memory {
    #[inline(always)]
    pub(crate) fn just_met(self) -> bool {
        matches!(self, Memory::Met(_))
    }

    #[inline(always)]
    pub(crate) fn side(self) -> Option<Side> {
        match self {
            Memory::None => None,
            Memory::Near(side) | Memory::Met(side) => Some(side),
        }
    }
}

/// The distance of a disc from a surface that it faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance between the disc's edge and the surface; negative when they overlap.
    pub distance: f64,
    /// Unit normal from the disc's centre to the surface.
    pub normal: DVec2,
    /// The side of the surface on which the disc is.
    pub side: Side,
}
