use crate::Error;

/// What becomes of two bodies that meet: the answer of [`Judge::verdict`](crate::Judge::verdict).
///
/// Numbers out of range are refused: the two bounce, and the event [`Event::Refused`](crate::Event::Refused)
/// says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// They bounce, as without a judge.
    #[default]
    Bounce,
    /// They bounce with this restitution, from 0 to 10¹⁵. Above 1 it is a kick, as in
    /// [`Physics::restitution`](crate::Physics::restitution).
    Restitution(f64),
    /// They bounce with this normal impulse, from 0 to 10⁵⁰; for a tracer, and for an infinite mass at a
    /// wall, per unit of mass. If it is less than [`Encounter::stopping_impulse`], it is that, as they would
    /// go through each other else. In a group it is the restitution that gives it to the two alone.
    ///
    /// [`Encounter::stopping_impulse`]: crate::Encounter::stopping_impulse
    Impulse(f64),
    /// They bounce, and part faster by this speed, from 0 to 10¹⁵: a bumper.
    Kick(f64),
    /// They pass through each other until they have parted: nothing happens to their motion, and they may
    /// meet again after that. Ends the holding of a contact that was held.
    Pass,
    /// These are taken off the plane: see [`World::set_enabled`](crate::World::set_enabled). The other one
    /// goes on as if nothing had been in its way. Of a disc and a wall it is the disc; of the wall alone it
    /// is refused.
    Capture(Which),
    /// These are removed. The other one goes on as if nothing had been in its way.
    Remove(Which),
    /// They bounce, and then these are removed.
    BounceAndRemove(Which),
}

/// One of two bodies that meet, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first: of two discs the one that was inserted first, else the disc.
    First,
    /// The second: of two discs the one that was inserted last, else the wall.
    Second,
    /// Both.
    Both,
}

impl Which {
    /// Whether the first and the second are meant.
    pub(crate) fn of_two(self) -> [bool; 2] {
        [self != Which::Second, self != Which::First]
    }
}

impl Verdict {
    /// Refuses a number that is out of range, and to capture a wall.
    pub(crate) fn check(&self, is_at_wall: bool) -> Result<(), Error> {
        if is_at_wall && *self == Verdict::Capture(Which::Second) {
            let reason = "a wall cannot be captured";
            return Err(Error::Inconsistent { field: "verdict.capture", value: f64::NAN, reason });
        }
        let (field, value, most, allowed) = match *self {
            Verdict::Restitution(e) => ("verdict.restitution", e, 1e15, "a number from 0 to 1e15"),
            Verdict::Impulse(j) => ("verdict.impulse", j, 1e50, "a number from 0 to 1e50"),
            Verdict::Kick(speed) => ("verdict.kick", speed, 1e15, "a number from 0 to 1e15"),
            _ => return Ok(()),
        };
        if (0.0..=most).contains(&value) { Ok(()) } else { Err(Error::OutOfRange { field, value, allowed }) }
    }

    /// Whether the impact is one of the two bodies.
    pub(crate) fn bounces(&self) -> bool {
        !matches!(self, Verdict::Pass | Verdict::Capture(_) | Verdict::Remove(_))
    }
}
