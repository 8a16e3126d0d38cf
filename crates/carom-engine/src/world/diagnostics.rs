use crate::{Counters, Physics, World};
use carom_broadphase::SchedulerCounters;
use carom_solver::MassClass;
use glam::DVec2;

impl<P: Physics> World<P> {
    /// What has been done so far. O(1).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
    /// world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.advance(1.0)?;
    /// assert_eq!(world.counters().disc_impacts, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn counters(&self) -> Counters {
        let counted = self.scheduler.counters();
        let SchedulerCounters { pair_times, roots, solo_times, queue_operations, row_searches } =
            self.store.drag().map_or(counted, |drag| drag.counted_with(counted));
        let ledger = self.store.entries().ledger();
        Counters {
            ledger,
            pair_times,
            roots,
            solo_times,
            queue_operations,
            row_searches,
            ..self.store.counters
        }
    }

    /// Bytes of memory that discs and schedule take; without walls, recorded events and what allocation
    /// adds. O(1) but for long lists.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let marks = size_of::<u32>() * (self.store.dirty.capacity() + self.store.solo_marks.capacity());
        let regions = self.store.sensing.as_ref().map_or(0, |sensing| sensing.bytes());
        self.store.bodies.bytes() + self.scheduler.bytes() + marks + regions
    }

    /// Kinetic energy of the centres now, `Σ ½ m v²` over the discs of finite mass. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(3.0).with_velocity([4.0, 0.0]))?;
    /// assert_eq!(world.kinetic_energy(), 24.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        self.finite().map(|(mass, velocity)| 0.5 * mass * velocity.length_squared()).sum()
    }

    /// Momentum now, `Σ m v` over the discs of finite mass. O(N).
    #[must_use]
    pub fn momentum(&self) -> DVec2 {
        self.finite().map(|(mass, velocity)| velocity * mass).sum()
    }

    fn finite(&self) -> impl Iterator<Item = (f64, DVec2)> + '_ {
        let pace = self.store.pace();
        self.store.bodies.live().filter_map(move |slot| {
            let mass = self.store.bodies.detail(slot).mass;
            let finite = MassClass::of(mass) != MassClass::Infinite;
            finite.then(|| (mass, pace * self.store.bodies.motion_at(slot, self.store.now).velocity))
        })
    }
}
