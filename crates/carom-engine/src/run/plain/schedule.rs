use super::{Outcome, PlainDiscs};
use crate::Physics;
use crate::simd::F64x4;
use crate::state::record::Record;
use carom_broadphase::{Scheduled, Slot, Solo};
use carom_math::Time;

/// A scheduler as the loop of a plain world sees it: what is next, what is near the discs of an impact, and
/// what these do next.
pub(super) trait PlainSchedule {
    /// The first meeting of a disc of an impact.
    type First: Copy;

    /// Whether the plane may be periodic.
    const PERIODIC: bool;

    /// The next event; one after `until` need not be found.
    fn next<P: Physics, V: F64x4>(&mut self, discs: &PlainDiscs<'_, P>, until: Time) -> Option<Scheduled>;

    /// Looks for what the discs of an impact meet next, whose states after it are the `records`, before these
    /// are stored. What becomes of the impact if something else is near one of them.
    fn look<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &mut PlainDiscs<'_, P>,
        slots: [Slot; N],
        records: &[Record; N],
    ) -> Result<[Self::First; N], Outcome>;

    /// Schedules the discs of an impact, whose records have been stored, by what they do on their own and
    /// their first meetings.
    fn take_in<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &PlainDiscs<'_, P>,
        slots: [Slot; N],
        firsts: &[(Solo, Self::First); N],
    );
}
