use super::SnapshotOf;
use crate::walk::{Fields, Place, Spot, StoredValue, Walk, mixed};
use crate::{Physics, World};
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
        SnapshotOf::<P>::of(&self.store)
            .show(&mut |_, value| hash = value.words().into_iter().fold(hash, mixed));
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
        let [one, other] = [self, other].map(|world| SnapshotOf::<P>::of(&world.store));
        let (mine, theirs) = (one.words(), other.words());
        let at = (0..mine.len().max(theirs.len())).find(|&k| mine.get(k) != theirs.get(k))?;
        let nothing = || (Place::World, String::new(), StoredValue::Name("nothing"));
        let (place, field, value) = one.word(at).unwrap_or_else(nothing);
        let (.., of_other) = other.word(at).unwrap_or_else(nothing);
        Some(Difference { place, field, values: [value, of_other] })
    }
}

impl<P: Physics + Fields> SnapshotOf<P> {
    fn show(&self, visit: &mut dyn FnMut(&Spot, StoredValue)) {
        let mut walk = Walk::new(visit);
        walk.field("physics", &self.physics);
        self.walk(&mut walk);
    }

    /// What all words are, in order.
    fn words(&self) -> Vec<[u64; 2]> {
        let mut words = Vec::new();
        self.show(&mut |_, value| words.push(value.words()));
        words
    }

    /// Where a word is, and what, by its number.
    fn word(&self, number: usize) -> Option<(Place, String, StoredValue)> {
        let (mut visited, mut found) = (0, None);
        self.show(&mut |spot, value| {
            if visited == number {
                found = Some((spot.place, spot.field(), value));
            }
            visited += 1;
        });
        found
    }
}
