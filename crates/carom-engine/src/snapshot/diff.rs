use super::discs::DiscRecord;
use super::{Snapshot, SnapshotOf};
use crate::walk::{Fields, Place, StoredValue, Walk, mixed};
use crate::{DiscId, Physics, WallId, World};
use core::fmt;

/// The first part in which two worlds differ: see [`World::diff`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Where it is, in the first world.
    pub place: Place,
    /// What it is, mostly as in a snapshot: `velocity.x`, `contacts.passing[2].since`.
    pub field: String,
    /// What it is in the first world, and in the second.
    pub values: [StoredValue; 2],
}

/// `disc 3: velocity.x is 1 (0x3ff0000000000000) vs 1.0000000000000002 (0x3ff0000000000001)`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { place, field, values: [one, other] } = self;
        write!(f, "{place}: {field} is {one} vs {other}")
    }
}

impl<P: Physics + Fields> World<P> {
    /// A hash of all that the world's future depends on: what [`World::diff`] compares. Two worlds with one
    /// checksum go on alike, to the last bit, with a chance of 2⁻⁶⁴ that they do not. For games that several
    /// machines play from the same input, which send it to each other now and then; when it differs,
    /// [`World::diff`] with a saved world says where.
    ///
    /// It is the same on every machine, in debug and release, with any scheduler and any vector instructions,
    /// and in a clone. A world that was saved and loaded may have another one, where bodies had given way or
    /// discs at rest had just been edited: loading looks at these again. Another version of Carom may have
    /// another one of the same world. It needs no serde. O(discs + walls), about 1 µs a disc.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, SchedulerKind, World};
    ///
    /// let play = |scheduler| {
    ///     let mut world = World::new();
    ///     world.set_scheduler(scheduler)?;
    ///     world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    ///     world.insert(Disc::new([3.0, 0.1], 0.5))?;
    ///     world.advance(4.0)?;
    ///     Ok::<_, carom::Error>(world)
    /// };
    /// let (here, there) = (play(SchedulerKind::Table)?, play(SchedulerKind::Grid)?);
    /// assert_eq!(here.checksum(), there.checksum());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let mut hash = 0;
        SnapshotOf::<P>::of(self).walk(&mut Walk::new(&mut |_, _, seen| {
            hash = seen.words().into_iter().fold(hash, mixed);
        }));
        hash
    }

    /// The first part of what two worlds' futures depend on that has other bits in the other one; `None` if
    /// they go on alike, to the last bit. For tests of rollback, of a restored world against one that never
    /// was rolled back.
    ///
    /// Compared is all that a snapshot holds: settings and time, walls, discs with their stored states and
    /// the impacts that wrote them, records of contacts, free slots and serial numbers, counters, the
    /// ledger. In this order, and of discs first where they are and how they move; so what is found is near
    /// the cause. Not compared are the schedule, with what schedulers count, and with it the settings that
    /// change no bits ([`scheduler`], [`instructions`], [`record_events`]); nor the events of the last call.
    /// With drag, positions and velocities are those on the clock that slows down.
    ///
    /// [`scheduler`]: crate::Settings::scheduler
    /// [`instructions`]: crate::Settings::instructions
    /// [`record_events`]: crate::Settings::record_events
    ///
    /// A physics and what it adds to discs and walls is compared by its [`Fields`]. An edit that waits for
    /// the next call of `advance` is part of the state: a world that has begun to follow it differs from one
    /// that has not. O(discs + walls), in time and in memory.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let mut other = world.clone();
    /// assert_eq!(world.diff(&other), None);
    /// other.set_velocity(ball, [1.0_f64.next_up(), 0.0])?;
    /// assert_eq!(
    ///     world.diff(&other).expect("they differ").to_string(),
    ///     "disc 0: velocity.x is 1 (0x3ff0000000000000) vs 1.0000000000000002 (0x3ff0000000000001)"
    /// );
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn diff(&self, other: &World<P>) -> Option<Difference> {
        let [one, other] = [self, other].map(SnapshotOf::<P>::of);
        let (mine, theirs) = (words(&one), words(&other));
        let at = (0..mine.len().max(theirs.len())).find(|&k| mine.get(k) != theirs.get(k))?;
        let nothing = || (Place::World, String::new(), StoredValue::Name("nothing"));
        let (place, field, value) = part(&one, at).unwrap_or_else(nothing);
        let (.., of_other) = part(&other, at).unwrap_or_else(nothing);
        Some(Difference { place, field, values: [value, of_other] })
    }
}

/// What all parts are, in order.
fn words(whole: &dyn Fields) -> Vec<[u64; 2]> {
    let mut words = Vec::new();
    whole.walk(&mut Walk::new(&mut |_, _, seen| words.push(seen.words())));
    words
}

/// Where a part is, and what, by its number.
fn part(whole: &dyn Fields, number: usize) -> Option<(Place, String, StoredValue)> {
    let (mut visited, mut found) = (0, None);
    whole.walk(&mut Walk::new(&mut |place, path, seen| {
        if visited == number {
            found = Some((place, path.to_string(), seen.stored()));
        }
        visited += 1;
    }));
    found
}

/// What the rest follows from comes first, and of discs first where they are and how they move; then all, as
/// it is stored. What there may be more or less of comes after its number.
impl<P: Fields, B: Fields, X: Fields, W: Fields> Fields for Snapshot<P, B, X, W> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.field("settings", &self.settings);
        walk.field("physics", &self.physics);
        walk.field("time", &self.now);
        walk.field("number of walls", &self.walls.len());
        self.wall_slots.walk_each("slots of walls", Place::WallSlot, walk);
        for wall in &self.walls {
            walk.at(Place::Wall(WallId::new(wall.slot, self.wall_slots.generation(wall.slot))));
            wall.walk(walk);
        }
        walk.at(Place::World);
        walk.field("growth", &self.growth);
        walk.field("number of discs", &self.discs.len());
        self.disc_slots.walk_each("slots of discs", Place::DiscSlot, walk);
        for look in [DiscRecord::walk_motion, DiscRecord::walk] {
            for disc in &self.discs {
                let id = DiscId::new(disc.slot, self.disc_slots.generation(disc.slot));
                walk.at(Place::Disc { id, serial: disc.detail.serial });
                look(disc, walk);
            }
        }
        walk.at(Place::World);
        self.walk_rest(walk);
    }
}

impl<P, B: Fields, X: Fields, W> Snapshot<P, B, X, W> {
    fn walk_rest(&self, walk: &mut Walk<'_>) {
        let Snapshot {
            version: _,
            physics: _,
            settings: _,
            now: _,
            drag,
            growth: _,
            impacts,
            counters,
            ledger,
            next_serial,
            next_region,
            disc_slots: _,
            discs: _,
            chains,
            contacts,
            holds,
            unsettled,
            hold_notes,
            wall_slots: _,
            walls: _,
            regions,
            timers,
        } = self;
        walk.field("next_serial", next_serial);
        walk.field("contacts", contacts);
        walk.field("holds", holds);
        walk.field("chains", chains);
        walk.field("unsettled", unsettled);
        walk.field("hold_notes", hold_notes);
        walk.field("impacts", impacts);
        walk.field("next_region", next_region);
        regions.walk(walk);
        walk.field("timers", timers);
        walk.field("drag", drag);
        walk.field("counters", counters);
        walk.field("ledger", ledger);
    }
}
