use crate::{DiscId, Partner};
use carom_broadphase::Slot;
use carom_math::{DVec2, Time};

/// What crushing has left: bodies that have given way, and tracers that something passes over. See
/// [`CrushRule`](crate::CrushRule).
///
/// Each record has an end: a time that follows from the stored states of the discs that it names, and is
/// computed again where one of them changes.
#[derive(Debug, Default)]
pub(crate) struct Jams {
    pub(crate) blocked: Vec<Blocked>,
    pub(crate) passing: Vec<Passing>,
    pub(crate) scratch: JamScratch,
}

carom_broadphase::clone_fields!(Jams: blocked, passing; scratch scratch);

/// Memory that is kept for the next jam.
#[derive(Debug, Default)]
pub(crate) struct JamScratch {
    /// Records of bodies that have gone on.
    spare: Vec<Blocked>,
    /// Members of a group, and how far they are from the first, in contacts.
    pub(crate) queue: Vec<usize>,
    pub(crate) distances: Vec<u32>,
    /// Discs to be scheduled again.
    pub(crate) changed: Vec<Slot>,
}

/// A body that has given way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocked {
    pub(crate) body: Slot,
    /// The velocity that it takes up in the end.
    pub(crate) wanted: DVec2,
    /// The velocity that it took instead.
    pub(crate) given: DVec2,
    /// What it was pressed on, and what held that, as the event said.
    pub(crate) on: DiscId,
    pub(crate) against: Partner,
    /// When it gave way.
    pub(crate) since: Time,
    /// Whether it has been given another velocity: then the record only tells what has been said at that
    /// instant.
    pub(crate) is_over: bool,
    /// Whether something between has been taken away or put elsewhere: it is to go on at once.
    pub(crate) is_free: bool,
    /// Contacts of the jam, the disc nearer to the body first, at which the second is in the way of the
    /// first.
    pub(crate) links: Vec<[Slot; 2]>,
    /// The discs of finite mass in the jam, sorted.
    pub(crate) between: Vec<Slot>,
    /// The other unstoppable discs of the jam, with their velocities.
    pub(crate) jaws: Vec<(Slot, DVec2)>,
    /// When it goes on.
    pub(crate) end: Time,
}

/// A tracer that a disc passes over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Passing {
    pub(crate) tracer: Slot,
    pub(crate) over: Slot,
    /// When it began.
    pub(crate) since: Time,
    /// When the two have parted.
    pub(crate) end: Time,
}

impl Blocked {
    /// Whether the record depends on the state of a disc.
    pub(crate) fn names(&self, slot: Slot) -> bool {
        self.body == slot
            || self.between.binary_search(&slot).is_ok()
            || self.jaws.iter().any(|&(jaw, _)| jaw == slot)
    }
}

impl Passing {
    fn is_of(&self, a: Slot, b: Slot) -> bool {
        (self.tracer, self.over) == (a, b) || (self.tracer, self.over) == (b, a)
    }
}

impl Jams {
    /// The memory of a record that is gone, if there is one.
    pub(crate) fn spare(&mut self) -> Option<Blocked> {
        self.scratch.spare.pop()
    }

    /// Takes a record out, and keeps its memory. Returns the velocity that its body takes up.
    pub(crate) fn remove(&mut self, k: usize) -> DVec2 {
        let record = self.blocked.remove(k);
        let wanted = record.wanted;
        self.scratch.spare.push(record);
        wanted
    }

    /// Takes out the records of which this is true.
    pub(crate) fn remove_if(&mut self, is_gone: impl Fn(&Blocked) -> bool) {
        for k in (0..self.blocked.len()).rev() {
            if is_gone(&self.blocked[k]) {
                self.remove(k);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.blocked.is_empty() && self.passing.is_empty()
    }

    /// Whether two discs pass through each other until they part.
    #[inline]
    pub(crate) fn is_passing(&self, a: Slot, b: Slot) -> bool {
        self.passing.iter().any(|record| record.is_of(a, b))
    }

    /// When a disc goes on, or has parted from what passes over it; the earliest time if there are several.
    pub(crate) fn end_of(&self, slot: Slot) -> Time {
        let blocked = self.blocked.iter().filter(|record| record.body == slot).map(|record| record.end);
        let passing = self.passing.iter().filter(|record| record.tracer == slot).map(|record| record.end);
        blocked.chain(passing).min().unwrap_or(Time::NEVER)
    }

    /// To be called when a disc is given a velocity.
    pub(crate) fn end_by_velocity(&mut self, slot: Slot, now: Time) {
        for record in self.blocked.iter_mut().filter(|record| record.body == slot) {
            (record.is_over, record.since, record.end) = (true, now, Time::NEVER);
        }
    }

    /// To be called when a disc is put elsewhere, or has another size.
    pub(crate) fn end_by_place(&mut self, slot: Slot) {
        for record in self.blocked.iter_mut().filter(|record| record.names(slot)) {
            record.is_free = true;
        }
        self.passing.retain(|record| record.tracer != slot && record.over != slot);
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

    /// To be called when a wall goes.
    pub(crate) fn end_by_wall(&mut self) {
        for record in &mut self.blocked {
            record.is_free = true;
        }
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
