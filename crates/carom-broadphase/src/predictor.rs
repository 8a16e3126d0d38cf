use crate::{Kind, PairRow, RowLanes, RowMin, Slot};
use carom_math::{Circle, DVec2, Periods, Time};

/// The next thing that a disc does on its own: the diagonal of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solo {
    /// When, `NEVER` if it does nothing on its own.
    pub time: Time,
    /// What.
    pub kind: Kind,
    /// The predictor's own note (which wall, say), handed back with the event.
    pub tag: u32,
}

impl Solo {
    /// Nothing, ever.
    pub const NEVER: Solo = Solo { time: Time::NEVER, kind: Kind::Impact, tag: 0 };
}

/// A meeting of two discs, counted from the stored state of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The disc that it meets.
    pub other: Slot,
    /// Seconds until then from the time of its stored state; [`EventTimes::after`] these, which may be never.
    pub dt: f64,
}

impl Meeting {
    /// No meeting.
    pub const NEVER: Meeting = Meeting { other: Slot::MAX, dt: f64::INFINITY };
}

/// The first meeting of a disc, found before the disc is scheduled again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextMeeting {
    /// The disc.
    pub slot: Slot,
    /// The disc that it meets: with `dt` what [`Predictor::first_met`] returns for its neighbours.
    pub other: Slot,
    /// Seconds until then, as in [`Meeting`].
    pub dt: f64,
}

impl NextMeeting {
    /// That of no disc.
    pub const UNKNOWN: NextMeeting = NextMeeting { slot: Slot::MAX, other: Slot::MAX, dt: f64::INFINITY };

    /// The one of two that is the disc's, if any.
    #[inline(always)]
    #[must_use]
    pub fn of(known: &[NextMeeting; 2], slot: Slot) -> Option<Meeting> {
        // Without a branch for which of the two it is.
        let known = &known[usize::from(known[1].slot == slot)];
        (known.slot == slot).then_some(Meeting { other: known.other, dt: known.dt })
    }
}

/// All that decides whom a disc meets at all, however it flies, in the predictor's own words. Discs of one
/// species meet the same others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Species(pub [u64; 2]);

impl Species {
    /// One that meets whatever meets any.
    pub const ANY: Species = Species([u64::MAX, 0]);
}

/// When events happen: what a table of all pairs needs.
///
/// Every answer is a pure function of the states of the slots asked for: it does not depend on the present
/// time, nor on the scheduler, nor on the order of the questions.
pub trait EventTimes {
    /// Seconds from the later one of their two stored states until the discs meet, in a periodic plane the
    /// first of all their images; infinite if they do not. Symmetric to the last bit.
    fn seconds(&self, a: Slot, b: Slot) -> f64;

    /// When its stored state holds. Never for a free slot.
    fn state_time(&self, slot: Slot) -> Time;

    /// The time `dt` seconds after that of its stored state; never if `dt` is infinite. Monotonic in `dt`.
    fn after(&self, slot: Slot, dt: f64) -> Time;

    /// Seconds: what differs by more, or in the last bit if that is more, [`EventTimes::after`] tells apart.
    fn resolution(&self) -> f64;

    /// What the disc does next on its own.
    fn solo(&self, slot: Slot) -> Solo;

    /// When the discs meet; `NEVER` if they do not. Symmetric to the last bit.
    fn pair(&self, a: Slot, b: Slot) -> Time {
        let later = if self.state_time(a).is_before(self.state_time(b)) { b } else { a };
        self.after(later, self.seconds(a, b))
    }

    /// Fills the row of a disc, whose state is as late as those of all that have a place in it, and finds the
    /// least. As tied counts what differs by at most [`EventTimes::resolution`].
    ///
    /// The default asks [`EventTimes::seconds`] for each; an implementation may do all of them together, with
    /// the same bits.
    fn fill_row(&self, slot: Slot, mut row: PairRow<'_>) -> RowMin {
        row.fill(|other| self.seconds(slot, other));
        RowLanes::least(row.seconds, self.resolution())
    }

    /// Fills a row whose entries were left out, with the same bits for all that have a place in it: other
    /// discs may have later states than its own by now.
    ///
    /// An [`EventTimes::fill_row`] that relies on the order of states needs another one here.
    fn refill_row(&self, slot: Slot, row: PairRow<'_>) -> RowMin {
        self.fill_row(slot, row)
    }

    /// Clears what in a row was written anew since, and finds the least of the rest.
    fn search_row(&self, mut row: PairRow<'_>) -> RowMin {
        row.clear_stale();
        RowLanes::least(row.seconds, self.resolution())
    }

    /// The least of some numbers; as tied count equal ones.
    fn least(&self, numbers: &[RowLanes]) -> RowMin {
        RowLanes::least(numbers, 0.0)
    }
}

/// The physics as a scheduler sees it: slots in; times, circles and first meetings out.
pub trait Predictor: EventTimes {
    /// What [`EventTimes::solo`] returns, of a disc that stays inside a circle until the scheduler asks
    /// again: what would happen to it outside need not be found.
    fn solo_within(&self, slot: Slot, circle: &Circle) -> Solo;

    /// The present.
    fn now(&self) -> Time;

    /// The serial number of a disc.
    fn serial(&self, slot: Slot) -> u64;

    /// Seconds from a time to that of [`EventTimes::after`], rounded like [`Time::since`], or a little less.
    fn soonest(&self, slot: Slot, dt: f64, from: Time) -> f64;

    /// The disc at a time. The radius is the disc's, and a little more: two discs whose circles are apart at
    /// a time neither touch nor are resolved as touching then.
    fn circle(&self, slot: Slot, at: Time) -> Circle;

    /// The velocity of its stored state.
    fn velocity(&self, slot: Slot) -> DVec2;

    /// Whether the discs of the open plane fly straight past each other: neither do paths bend nor radii
    /// grow.
    fn has_straight_paths(&self) -> bool;

    /// The length of the way of the disc's centre, or of the edge of one that grows, from its stored state
    /// to a time.
    fn flown(&self, slot: Slot, at: Time) -> f64;

    /// Seconds from its stored state, rounded down, until the disc, which is within the circle at the time
    /// `at`, is no longer; infinite if it is within still after `before` seconds.
    fn exit_time(&self, slot: Slot, circle: Circle, at: Time, before: f64) -> f64;

    /// The first meeting of the disc with one of `others` whose stored state is not newer than its own. It
    /// may itself be among them, and does not count.
    ///
    /// Of equal times the one that is first in the order of events. In a periodic world at least those
    /// images are looked at that can be met before one of the two has left the circle that it is in at the
    /// time `at`.
    fn first_met(&self, slot: Slot, others: &[Slot], at: Time) -> Meeting;

    /// The species of a disc, until it is placed again. By default all are of one that meets itself.
    fn species(&self, slot: Slot) -> Species {
        let _ = slot;
        Species::ANY
    }

    /// Whether discs of two species meet each other, if their paths do. Symmetric.
    #[must_use]
    fn meet(a: Species, b: Species) -> bool {
        let _ = (a, b);
        true
    }

    /// Moves those of the others to the front that the disc may touch on the paths that they have at a time,
    /// before it leaves a circle of this radius that it is in then; their number. Where there are many, most
    /// are flown past at a distance.
    fn leave_out_passing(&self, slot: Slot, within: f64, others: &mut [Slot], at: Time) -> usize {
        let _ = (slot, within, at);
        others.len()
    }

    /// Whether no disc does anything by itself: there is nothing but discs that fly.
    fn is_without_solos(&self) -> bool;

    /// Begins to bring a slot's state into the cache; and, if `all`, all else that an event of it takes.
    fn prefetch(&self, slot: Slot, all: bool);

    /// The lengths after which the plane repeats itself.
    fn periods(&self) -> Periods;
}
