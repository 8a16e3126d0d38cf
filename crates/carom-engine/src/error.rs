use crate::{DiscId, RegionId, WallId};
use carom_math::Shown;

/// Why a call was refused. The world is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is not finite or not in its range.
    #[error("{field} is {}, allowed is {allowed}", Shown(*value))]
    OutOfRange {
        /// Which number, such as `radius` or `velocity.x`.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// Two numbers do not fit together.
    #[error("{field} is {}: {reason}", Shown(*value))]
    Inconsistent {
        /// Which number.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What it contradicts.
        reason: &'static str,
    },
    /// The handle's disc has been removed, or is of another world.
    #[error("disc {0} does not exist (any more)")]
    NoSuchDisc(DiscId),
    /// The handle's wall has been removed, or is of another world.
    #[error("wall {0} does not exist (any more)")]
    NoSuchWall(WallId),
    /// The handle's region has been removed, or is of another world.
    #[error("region {0} does not exist (any more)")]
    NoSuchRegion(RegionId),
    /// The disc would overlap another by more than rounding.
    #[error(
        "the disc would overlap disc {other} by {}; allowed is touching, or ask for overlap",
        Shown(*depth)
    )]
    OverlapsDisc {
        /// The one that is already there.
        other: DiscId,
        /// By how much, in length units.
        depth: f64,
    },
    /// The disc would overlap a wall by more than rounding.
    #[error(
        "the disc would overlap part {part} of wall {wall} by {}; allowed is touching, or ask for overlap",
        Shown(*depth)
    )]
    OverlapsWall {
        /// The wall.
        wall: WallId,
        /// Which of its parts.
        part: u32,
        /// By how much, in length units.
        depth: f64,
    },
    /// The new wall would overlap a disc by more than rounding.
    #[error("the wall would overlap disc {disc} by {}; allowed is touching", Shown(*depth))]
    WallOverlapsDisc {
        /// The disc.
        disc: DiscId,
        /// By how much, in length units.
        depth: f64,
    },
    /// [`World::push_apart`](crate::World::push_apart) found no places without overlap.
    #[error("no room was found: disc {disc} would still overlap something by {}", Shown(*depth))]
    NoRoom {
        /// The disc that overlaps deepest, in proportion to its size, where the search ended.
        disc: DiscId,
        /// By how much, in length units.
        depth: f64,
    },
    /// [`World::separate_overlaps`](crate::World::separate_overlaps) found no velocities at which all
    /// overlaps part.
    #[error(
        "disc {disc} and what it overlaps cannot part at {}: it is between things that do not yield",
        Shown(*speed)
    )]
    CannotPart {
        /// A disc of the heap.
        disc: DiscId,
        /// The speed that was asked for.
        speed: f64,
    },
    /// More pairs of discs overlap than [`World::push_apart`](crate::World::push_apart) and
    /// [`World::separate_overlaps`](crate::World::separate_overlaps) part: 1500 discs on one point are more.
    #[error("more than {most} pairs of discs overlap, which are too many to be parted")]
    TooManyOverlaps {
        /// The largest number: 2²⁰, and 32 for each disc.
        most: usize,
    },
    /// Discs cannot grow while this wall stands: when they reach the hollow side of a round room or an arc,
    /// or a wall that turns or moves, is not known.
    #[error("discs cannot grow beside wall {wall}: it is a round room, has arcs, turns or moves")]
    CannotGrow {
        /// The wall.
        wall: WallId,
    },
    /// A slice has another length than there are discs.
    #[error("the slice holds {given} places, there are {discs} discs")]
    WrongLength {
        /// Length of the slice.
        given: usize,
        /// Number of discs.
        discs: usize,
    },
    /// [`World::move_to`](crate::World::move_to) cannot send this disc anywhere.
    #[error("disc {disc} cannot be sent anywhere: {reason}")]
    CannotMove {
        /// The disc.
        disc: DiscId,
        /// Why not.
        reason: &'static str,
    },
    /// [`World::turn_arm`](crate::World::turn_arm) cannot turn this wall.
    #[error("wall {wall} cannot be turned: {reason}")]
    CannotTurn {
        /// The wall.
        wall: WallId,
        /// Why not.
        reason: &'static str,
    },
    /// [`World::move_wall`](crate::World::move_wall) cannot move this wall.
    #[error("wall {wall} cannot be moved: {reason}")]
    CannotMoveWall {
        /// The wall.
        wall: WallId,
        /// Why not.
        reason: &'static str,
    },
    /// The walls would have more parts than a world holds.
    #[error("with it the walls would have {parts} parts, and {most} are the most that a world holds")]
    TooManyParts {
        /// How many there would be.
        parts: usize,
        /// The largest number: [`MAX_WALL_PARTS`](crate::limits::MAX_WALL_PARTS).
        most: usize,
    },
    /// No more discs fit.
    #[error("there are already {0} discs, which is the most a world holds")]
    Full(usize),
}

/// Checks at the door.
pub(crate) mod check {
    use super::Error;
    use crate::limits::{MAX_ANGULAR_VELOCITY, MAX_LENGTH, MAX_MASS, MAX_SPEED, MIN_LENGTH, MIN_MASS};
    use glam::DVec2;

    fn in_range(ok: bool, field: &'static str, value: f64, allowed: &'static str) -> Result<(), Error> {
        if ok { Ok(()) } else { Err(Error::OutOfRange { field, value, allowed }) }
    }

    pub(crate) fn point(fields: [&'static str; 2], p: DVec2) -> Result<(), Error> {
        for (field, value) in fields.into_iter().zip([p.x, p.y]) {
            in_range(value.abs() <= MAX_LENGTH, field, value, "a finite number from -1e15 to 1e15")?;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn velocity(v: DVec2) -> Result<(), Error> {
        let is_in_range = (v.x.abs() <= MAX_SPEED) & (v.y.abs() <= MAX_SPEED);
        if is_in_range { Ok(()) } else { vector(["velocity.x", "velocity.y"], v) }
    }

    pub(crate) fn vector(fields: [&'static str; 2], v: DVec2) -> Result<(), Error> {
        for (field, value) in fields.into_iter().zip([v.x, v.y]) {
            in_range(value.abs() <= MAX_SPEED, field, value, "a finite number from -1e15 to 1e15")?;
        }
        Ok(())
    }

    pub(crate) fn finite(fields: [&'static str; 2], v: DVec2) -> Result<(), Error> {
        for (field, value) in fields.into_iter().zip([v.x, v.y]) {
            in_range(value.is_finite(), field, value, "a finite number")?;
        }
        Ok(())
    }

    pub(crate) fn coefficient(field: &'static str, value: f64) -> Result<(), Error> {
        in_range((0.0..=MAX_SPEED).contains(&value), field, value, "a number from 0 to 1e15")
    }

    /// A coefficient that may have no limit.
    pub(crate) fn friction(value: f64) -> Result<(), Error> {
        let ok = value == f64::INFINITY || (0.0..=MAX_SPEED).contains(&value);
        in_range(ok, "friction", value, "infinity, or a number from 0 to 1e15")
    }

    /// The square of a radius of gyration by that of the disc.
    pub(crate) fn inertia(value: f64) -> Result<(), Error> {
        let ok = value == f64::INFINITY || (MIN_LENGTH..=MAX_LENGTH).contains(&value);
        in_range(ok, "inertia", value, "infinity, or a number from 1e-15 to 1e15")
    }

    pub(crate) fn rate(value: f64) -> Result<(), Error> {
        coefficient("rate", value)
    }

    pub(crate) fn radius(value: f64) -> Result<(), Error> {
        let ok = value == 0.0 || (MIN_LENGTH..=MAX_LENGTH).contains(&value);
        in_range(ok, "radius", value, "0 or a number from 1e-15 to 1e15")
    }

    pub(crate) fn length(field: &'static str, value: f64) -> Result<(), Error> {
        in_range((MIN_LENGTH..=MAX_LENGTH).contains(&value), field, value, "a number from 1e-15 to 1e15")
    }

    pub(crate) fn rectangle(min: DVec2, max: DVec2) -> Result<(), Error> {
        point(["min.x", "min.y"], min)?;
        point(["max.x", "max.y"], max)?;
        length("max.x - min.x", max.x - min.x)?;
        length("max.y - min.y", max.y - min.y)
    }

    pub(crate) fn mass(value: f64) -> Result<(), Error> {
        let ok = value == 0.0 || value == f64::INFINITY || (MIN_MASS..=MAX_MASS).contains(&value);
        in_range(ok, "mass", value, "0, infinity, or a number from 1e-50 to 1e50")
    }

    pub(crate) fn max_speed(value: f64) -> Result<(), Error> {
        in_range(value > 0.0, "max_speed", value, "a positive number or infinity")
    }

    pub(crate) fn speed_limit(value: f64) -> Result<(), Error> {
        let is_in_range = (MIN_LENGTH..=MAX_SPEED).contains(&value) || value == f64::INFINITY;
        in_range(is_in_range, "speed_limit", value, "a number from 1e-15 to 1e15, or infinity")
    }

    pub(crate) fn restitution(value: f64) -> Result<(), Error> {
        in_range((0.0..=1.0).contains(&value), "restitution", value, "a number from 0 to 1")
    }

    pub(crate) fn tangential_restitution(value: f64) -> Result<(), Error> {
        in_range((-1.0..=1.0).contains(&value), "tangential_restitution", value, "a number from -1 to 1")
    }

    pub(crate) fn angle(value: f64) -> Result<(), Error> {
        in_range(value.abs() <= MAX_LENGTH, "angle", value, "a finite number from -1e15 to 1e15")
    }

    pub(crate) fn turned_to(value: f64) -> Result<(), Error> {
        in_range(value.abs() <= 1e6, "angle", value, "an angle from -1e6 to 1e6")
    }

    /// Of an arm that reaches so far.
    pub(crate) fn turning_rate(value: f64, reach: f64) -> Result<(), Error> {
        let allowed = "a positive number at which no point is faster than 1e15";
        in_range(value > 0.0 && value * reach <= MAX_SPEED, "rate", value, allowed)
    }

    pub(crate) fn angular_velocity(value: f64) -> Result<(), Error> {
        let ok = value.abs() <= MAX_ANGULAR_VELOCITY;
        in_range(ok, "angular_velocity", value, "a finite number from -1e50 to 1e50")
    }

    pub(crate) fn extent(field: &'static str, value: f64) -> Result<(), Error> {
        in_range(value >= 0.0, field, value, "a number from 0 to infinity")
    }

    pub(crate) fn not_negative(field: &'static str, value: f64) -> Result<(), Error> {
        in_range(value >= 0.0 && value.is_finite(), field, value, "a finite number, at least 0")
    }
}
