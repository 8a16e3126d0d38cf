mod blocked;
mod held;
mod hold_note;
mod holds;
mod pairs;
mod passing_wall;

pub(crate) use blocked::Blocked;
pub(crate) use held::{SLIDE, Slide};
pub(crate) use hold_note::HoldNote;
pub(crate) use holds::{Held, HeldTo, Holds, PIECE};
pub(crate) use pairs::{ExcludedPairs, Passing};
pub(crate) use passing_wall::PassingWall;

use super::sparse::Sparse;
use crate::walk::fields;
use carom_broadphase::{Kind, Slot, Solo};
use carom_math::{DVec2, Time};

/// The tag of a change of motion by the physics.
pub(crate) const CHANGE: u32 = 0;

/// The tag of the change of motion at which a record ends of a body that has given way, or of a pair that
/// passes through each other.
pub(crate) const RELEASE: u32 = 2;

/// Records of pairs of discs and of contacts of discs with walls: what of the future does not follow from
/// stored states and rules alone.
///
/// Each but an exclusion, which lasts until an edit, has an end: a time that follows from the stored states
/// of the discs that it names, is computed again where one of these changes, and is a solo event of one of
/// them. Sparse: no memory, and next to no time, in a world that has none.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct ContactRecords {
    /// Contacts of discs with walls along which they slide.
    pub(crate) held: Sparse<Slide>,
    /// Contacts that press: see [`Rest`](crate::Rest).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) holds: Holds,
    /// Bodies that have given way: see [`CrushRule`](crate::CrushRule).
    pub(crate) blocked: Vec<Blocked>,
    pub(crate) passing: Vec<Passing>,
    pub(crate) passing_walls: Vec<PassingWall>,
    pub(crate) excluded: ExcludedPairs,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) scratch: Scratch,
}

carom_broadphase::clone_fields!(
    ContactRecords: held, holds, blocked, passing, passing_walls, excluded; scratch scratch
);
fields!(ContactRecords: held, blocked, passing, passing_walls, excluded; without holds, scratch);

/// What stands in place of a time that is still to be computed.
#[cfg(feature = "serde")]
pub(super) fn never() -> Time {
    Time::NEVER
}

/// Memory that is kept for the next jam.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Records of bodies that have gone on.
    spare: Vec<Blocked>,
    /// Members of a group, and how far they are from the first, in contacts.
    pub(crate) queue: Vec<usize>,
    pub(crate) distances: Vec<u32>,
    /// Discs to be scheduled again.
    pub(crate) changed: Vec<Slot>,
}

impl ContactRecords {
    /// After facets were given other numbers; `None` for those that are gone.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.held.renumber(&number);
        self.holds.renumber(number);
    }

    /// Whether no record ends in an event.
    #[inline(always)]
    pub(crate) fn is_without_ends(&self) -> bool {
        self.held.is_empty() && self.is_without_releases()
    }

    /// Whether no body has given way, and nothing passes through anything.
    #[inline(always)]
    pub(crate) fn is_without_releases(&self) -> bool {
        self.blocked.is_empty() && self.passing.is_empty() && self.passing_walls.is_empty()
    }

    /// Whether a body gives way now.
    pub(crate) fn is_blocked(&self, slot: Slot) -> bool {
        self.blocked.iter().any(|record| record.body == slot && !record.is_over)
    }

    /// Whether a disc passes through a wall, until they part.
    pub(crate) fn passes_wall(&self, slot: Slot, wall: u32) -> bool {
        self.passing_walls.iter().any(|record| record.disc == slot && record.wall == wall)
    }

    /// Whether there are pairs that do not collide.
    #[inline(always)]
    pub(crate) fn has_apart(&self) -> bool {
        !(self.passing.is_empty() && self.excluded.is_empty())
    }

    /// Whether two discs do not collide: they are an excluded pair, or pass through each other until they
    /// part.
    #[inline(always)]
    pub(crate) fn keep_apart(&self, a: Slot, b: Slot) -> bool {
        self.has_apart() && self.is_apart(a, b)
    }

    #[cold]
    fn is_apart(&self, a: Slot, b: Slot) -> bool {
        self.excluded.contains(a, b) || self.passing.iter().any(|record| record.is_of(a, b))
    }

    /// What a disc does next that would otherwise have this solo event: the end of one of its records, if
    /// that comes first.
    #[inline(always)]
    pub(crate) fn end_before(&self, slot: Slot, solo: Solo) -> Solo {
        if self.is_without_ends() { solo } else { self.first_end_before(slot, solo) }
    }

    #[cold]
    fn first_end_before(&self, slot: Slot, mut solo: Solo) -> Solo {
        if let Some(slide) = self.held.get(slot).filter(|slide| slide.until <= solo.time) {
            solo = Solo { time: slide.until, kind: Kind::MotionChange, tag: SLIDE };
        }
        let blocked = self.blocked.iter().filter(|record| record.body == slot).map(|record| record.end);
        let passing = self.passing.iter().filter(|record| record.disc == slot).map(|record| record.end);
        let walls = self.passing_walls.iter().filter(|record| record.disc == slot).map(|record| record.end);
        match blocked.chain(passing).chain(walls).min() {
            Some(end) if end <= solo.time && !end.is_never() => {
                Solo { time: end, kind: Kind::MotionChange, tag: RELEASE }
            }
            _ => solo,
        }
    }

    /// The memory of a record of a body that has given way, if one is left.
    pub(crate) fn spare(&mut self) -> Option<Blocked> {
        self.scratch.spare.pop()
    }

    /// Takes the record of a body that has given way out, and keeps its memory. Returns the velocity that the
    /// body takes up.
    pub(crate) fn remove(&mut self, k: usize) -> DVec2 {
        let record = self.blocked.remove(k);
        let wanted = record.wanted;
        self.scratch.spare.push(record);
        wanted
    }

    /// Takes out the records of bodies that have given way of which this is true.
    pub(crate) fn remove_if(&mut self, is_gone: impl Fn(&Blocked) -> bool) {
        for k in (0..self.blocked.len()).rev() {
            if is_gone(&self.blocked[k]) {
                self.remove(k);
            }
        }
    }

    /// Ends the passing of two discs through each other.
    pub(crate) fn end_passing(&mut self, a: Slot, b: Slot) {
        self.passing.retain(|record| !record.is_of(a, b));
    }

    /// To be called when a disc is given a velocity.
    pub(crate) fn end_by_velocity(&mut self, slot: Slot, now: Time) {
        // One that is over tells of the instant at which it ended, whenever it is dropped.
        for record in self.blocked.iter_mut().filter(|record| record.body == slot && !record.is_over) {
            (record.is_over, record.since, record.end) = (true, now, Time::NEVER);
        }
    }

    /// To be called when a disc is given other rules; its state is rewritten or not.
    pub(crate) fn end_by_rules(&mut self, slot: Slot, is_rewritten: bool) {
        self.free_blocked(|record| record.names(slot));
        self.passing.retain(|record| record.is_judged || !is_rewritten || !record.names(slot));
    }

    /// Lets bodies that have given way try again.
    pub(crate) fn free_blocked(&mut self, is_free: impl Fn(&Blocked) -> bool) {
        self.blocked.iter_mut().filter(|record| is_free(record)).for_each(|record| record.is_free = true);
    }

    /// Whether two discs pass through each other until they have parted.
    pub(crate) fn is_passing(&self, a: Slot, b: Slot) -> bool {
        self.passing.iter().any(|record| record.is_judged && record.names(a) && record.names(b))
    }

    /// To be called when a disc is put elsewhere, or has another size.
    pub(crate) fn end_by_place(&mut self, slot: Slot) {
        self.free_blocked(|record| record.names(slot));
        self.passing.retain(|record| !record.names(slot));
        self.passing_walls.retain(|record| record.disc != slot);
    }

    /// To be called before a disc goes, or becomes one that others feel in another way.
    pub(crate) fn forget(&mut self, slot: Slot) {
        self.end_by_place(slot);
        self.remove_if(|record| record.body == slot);
        for record in &mut self.blocked {
            record.links.retain(|link| !link.contains(&slot));
            record.between.retain(|&disc| disc != slot);
            record.jaws.retain(|&(jaw, _)| jaw != slot);
        }
    }

    /// To be called when all states have been stored anew, at the beginning of another clock.
    pub(crate) fn begin(&mut self, now: Time) {
        self.blocked.iter_mut().for_each(|record| record.since = now);
        self.passing.iter_mut().for_each(|record| record.since = now);
        self.passing_walls.iter_mut().for_each(|record| record.since = now);
    }

    /// To be called when all velocities are multiplied.
    pub(crate) fn scale(&mut self, factor: f64) {
        for record in &mut self.blocked {
            record.wanted *= factor;
            record.given *= factor;
            for (_, velocity) in &mut record.jaws {
                *velocity *= factor;
            }
        }
    }
}
