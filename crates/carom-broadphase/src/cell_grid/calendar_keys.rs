use super::imminent_events::{DueEvent, Rank};
use super::neighbour_lists::NeighbourLists;
use super::planned_event::{NEIGHBOURHOOD_EXIT, NOTHING, PlannedEvent, SOLO};
use crate::{EventKey, Kind, Predictor, Slot, Solo};
use carom_math::Time;

/// The times and ranks of planned events.
pub(super) struct CalendarKeys<'a, P> {
    pub(super) predictor: &'a P,
    pub(super) lists: &'a NeighbourLists,
}

impl<P: Predictor> CalendarKeys<'_, P> {
    /// When a slot's planned event is due; `NEVER` without one.
    #[inline(always)]
    pub(super) fn due_time(&self, slot: Slot, plan: &PlannedEvent) -> Time {
        match plan.target {
            NOTHING => Time::NEVER,
            SOLO => solo(slot, self.lists, self.predictor).time,
            _ => self.predictor.after(slot, plan.dt),
        }
    }

    /// The rank of a slot's event among what is due at the same time.
    pub(super) fn rank(&self, plans: &[PlannedEvent], due: &DueEvent) -> Rank {
        let (slot, target) = (due.slot, plans[due.slot as usize].target);
        let serial = |slot| self.predictor.serial(slot);
        let (real, key) = match target {
            NOTHING | NEIGHBOURHOOD_EXIT => {
                (false, EventKey::new(due.time, Kind::MotionChange, 0, u64::from(slot)))
            }
            SOLO => {
                let kind = solo(slot, self.lists, self.predictor).kind;
                (true, EventKey::new(due.time, kind, serial(slot), serial(slot)))
            }
            other => (true, EventKey::new(due.time, Kind::Impact, serial(slot), serial(other))),
        };
        Rank { time: due.time, real, key }
    }

    /// Begins to bring what an event of a slot takes into the cache.
    #[inline(always)]
    pub(super) fn prefetch(&self, slot: Slot) {
        self.lists.prefetch(slot);
        self.predictor.prefetch(slot, true);
    }
}

/// What a disc does on its own while it is in its circle.
// A call: it is asked for in many places, and long.
#[inline(never)]
pub(super) fn solo<P: Predictor>(slot: Slot, lists: &NeighbourLists, predictor: &P) -> Solo {
    predictor.solo_within(slot, &lists.get(slot).circle())
}
