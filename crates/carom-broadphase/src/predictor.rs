use crate::{Bits, Kind};
use alloc::vec::Vec;
use carom_math::{DVec2, Periods, Time};

/// Dense index of a disc; reused after removal.
pub type Slot = u32;

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

/// A circle: a disc as the grid sees it, or its neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its centre.
    pub center: DVec2,
    /// Its radius.
    pub radius: f64,
}

/// A meeting of two discs, counted from the stored state of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The disc that it meets.
    pub other: Slot,
    /// Seconds until then from the time of its stored state; [`Predictor::after`] these, which may be never.
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

/// When events happen: what a table of all pairs needs.
///
/// Every answer is a pure function of the states of the slots asked for: it does not depend on the present
/// time, nor on the scheduler, nor on the order of the questions.
pub trait EventTimes {
    /// When the discs meet, in a periodic plane the first of all their images; `NEVER` if they do not.
    /// Symmetric to the last bit.
    fn pair(&self, a: Slot, b: Slot) -> Time;

    /// What the disc does next on its own.
    fn solo(&self, slot: Slot) -> Solo;

    /// Marks the slots that `slot` may meet: bit `k % 64` of `words[k / 64]`.
    ///
    /// Overwrites all of `words`. A superset is allowed (a marked pair may answer `NEVER`), an omission is
    /// not; `slot` itself and dead slots are not marked. This is where a predictor sweeps many discs at
    /// once.
    fn candidates(&self, slot: Slot, words: &mut [u64]);

    /// Calls `meet` with all discs that `slot` will meet, and when, but for those marked in `skip`.
    ///
    /// `words` is scratch of the length of `skip`. The default asks [`EventTimes::candidates`] and then
    /// [`EventTimes::pair`] for each; an implementation may do all of them together, with the same bits.
    /// Returns how many roots that took.
    #[inline(always)]
    fn partners(&self, slot: Slot, skip: &[u64], words: &mut [u64], meet: impl FnMut(Slot, Time)) -> u64
    where
        Self: Sized,
    {
        partners_one_by_one(self, slot, skip, words, meet)
    }
}

/// The physics as a scheduler sees it: slots in; times, circles and first meetings out.
pub trait Predictor: EventTimes {
    /// As [`EventTimes::solo`], for a disc that stays inside a circle until the scheduler asks again: what
    /// would happen to it outside need not be found.
    fn solo_within(&self, slot: Slot, circle: &Circle) -> Solo;

    /// The present.
    fn now(&self) -> Time;

    /// The serial number of a disc.
    fn serial(&self, slot: Slot) -> u64;

    /// When its stored state holds. Never for a free slot.
    fn state_time(&self, slot: Slot) -> Time;

    /// The time `dt` seconds after that of its stored state.
    fn after(&self, slot: Slot, dt: f64) -> Time;

    /// Seconds from a time to that of [`Predictor::after`], as [`Time::since`] returns, or a little less.
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

    /// Removes those of the others that the disc never meets, however they fly, as far as that is known:
    /// symmetric, and as long as nothing is placed or refreshed. They need not be asked for again.
    fn leave_out(&self, slot: Slot, others: &mut Vec<Slot>) {
        let _ = (slot, others);
    }

    /// Whether no disc does anything by itself: there is nothing but discs that fly.
    fn is_without_solos(&self) -> bool;

    /// Begins to bring a slot's state into the cache; and, if `all`, all else that an event of it takes.
    fn prefetch(&self, slot: Slot, all: bool);

    /// The lengths after which the plane repeats itself.
    fn periods(&self) -> Periods;
}

/// What [`EventTimes::partners`] does by default.
pub fn partners_one_by_one<P: EventTimes>(
    predictor: &P,
    slot: Slot,
    skip: &[u64],
    words: &mut [u64],
    mut meet: impl FnMut(Slot, Time),
) -> u64 {
    predictor.candidates(slot, words);
    let mut roots = 0;
    for (w, (&word, &skip)) in words.iter().zip(skip).enumerate() {
        for bit in Bits(word & !skip) {
            let other = (64 * w + bit) as Slot;
            let time = predictor.pair(slot, other);
            roots += 1;
            if !time.is_never() {
                meet(other, time);
            }
        }
    }
    roots
}
