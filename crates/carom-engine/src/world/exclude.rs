use crate::edit::rewrite_here;
use crate::impact::write::unsettle;
use crate::state::contacts::Passing;
use crate::{DiscId, Error, Physics, World};
use carom_math::Time;

/// Pairs of discs that do not collide, whatever their [`Rules`](crate::Rules).
impl<P: Physics> World<P> {
    /// Lets two discs pass through each other from the present on, as if the other were not there. False if
    /// they do already. O(log n) in the number of such pairs.
    ///
    /// For pairs, where a rule would be of all discs of a group: a chain's neighbours, what has been
    /// launched and its launcher. While there are any, plans look at pairs one by one.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.exclude(a, b)?;
    /// world.advance(2.5)?;
    /// // One is within the other: they go on to pass through each other, until they have parted.
    /// world.include(a, b)?;
    /// assert_eq!(world.advance(100.0)?.events, 1);
    /// assert_eq!(world.counters().disc_impacts, 0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If one of the discs is gone.
    pub fn exclude(&mut self, a: DiscId, b: DiscId) -> Result<bool, Error> {
        let (a, b) = (self.store.bodies.slot(a)?, self.store.bodies.slot(b)?);
        let is_new = self.store.bodies.contacts.excluded.insert(a, b);
        if is_new {
            self.store.bodies.contacts.end_passing(a, b);
            if self.store.bodies.contacts.holds.with_disc(a, b).is_some() {
                unsettle(&mut self.store, a);
            }
            self.store.mark(a);
            self.store.mark(b);
        }
        Ok(is_new)
    }

    /// Ends what [`World::exclude`] has begun. False if it has not. If the two overlap, they pass through
    /// each other until they have parted, which is an event.
    ///
    /// The state of the first is rewritten at the present time, as by [`World::set_velocity`] with its own
    /// velocity: what the two have passed by is past.
    ///
    /// # Errors
    /// If one of the discs is gone.
    pub fn include(&mut self, a: DiscId, b: DiscId) -> Result<bool, Error> {
        let (a, b) = (self.store.bodies.slot(a)?, self.store.bodies.slot(b)?);
        let was_there = self.store.bodies.contacts.excluded.remove(a, b);
        if was_there {
            let state = self.store.state_now(a);
            rewrite_here(&mut self.store, a, &state);
            self.store.mark(b);
            if !self.store.bodies.ignore(a, b) && self.store.are_overlapping(a, b) {
                let record = Passing {
                    disc: a,
                    through: b,
                    since: self.store.now,
                    end: Time::NEVER,
                    is_judged: false,
                };
                self.store.bodies.contacts.passing.push(record);
            }
        }
        Ok(was_there)
    }

    /// Whether [`World::exclude`] lets two discs pass through each other. False for discs that are gone.
    #[must_use]
    pub fn is_excluded(&self, a: DiscId, b: DiscId) -> bool {
        match (self.store.bodies.slot(a), self.store.bodies.slot(b)) {
            (Ok(a), Ok(b)) => self.store.bodies.contacts.excluded.contains(a, b),
            _ => false,
        }
    }
}
