use crate::walk::{fields, variants};
use crate::{DiscId, RegionId};
use carom_math::Time;
use core::fmt;
use glam::DVec2;

/// That a disc enters a [`Region`](crate::Region), or leaves it.
///
/// Of each disc and region these come by turns. What an edit changes is reported by the next call of
/// `advance`, with the time of the edit, and only as a difference: a disc that is put elsewhere within a
/// region has not left it. As a disc or a region that has been removed is named by a stale handle, the user
/// data and the disc's last state are here.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Crossing {
    /// When.
    pub time: Time,
    /// The disc.
    pub disc: DiscId,
    /// The region.
    pub region: RegionId,
    /// The user's notes on the two: of the disc, and of the region.
    pub user_data: [u64; 2],
    /// The centre of the disc then.
    pub position: DVec2,
    /// Its velocity then.
    pub velocity: DVec2,
    /// By what it is inside now, or no longer.
    pub cause: CrossingCause,
}

/// By what a disc enters a region, or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CrossingCause {
    /// On its way, or on that of the disc that carries the region.
    Motion,
    /// The disc, the carrier or the region was put there, with this place or size; or put elsewhere.
    Placed,
    /// Their rules were changed: the region sees the disc from now on, or no longer.
    Rules,
    /// The disc was taken off the plane, or the sensor that carries the region.
    Disabled,
    /// The disc was removed.
    DiscRemoved,
    /// The region was removed, or the disc that carries it.
    RegionRemoved,
}

/// `1.25 s: disc 0 enters region 3 at (2, 5)`, for the verb `enters`.
pub(crate) fn show(crossing: &Crossing, verb: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Crossing { disc, region, position, .. } = crossing;
    write!(f, "disc {disc} {verb} region {region} at ({}, {})", position.x, position.y)
}

/// A crossing that an edit has caused and that has not been reported. Time and velocity are the true ones
/// where there is drag.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct CrossingNote {
    pub(crate) crossing: Crossing,
    pub(crate) enters: bool,
    /// The serial number of the disc, and the number of the region.
    pub(crate) serials: [u64; 2],
}

variants!(CrossingCause: Motion, Placed, Rules, Disabled, DiscRemoved, RegionRemoved);
fields!(CrossingNote: crossing, enters, serials);
fields!(Crossing: time, disc, region, user_data, position, velocity, cause);
