use crate::apply;
use crate::edit::Placing;
use crate::physics::check_disc;
use crate::run::responder::Scratch;
use crate::sense::check_sensor;
use crate::state::positions_now::PositionsNow;
use crate::state::rules::SensorRules;
use crate::store::{Guarded, Store};
use crate::{
    Collapse, Disc, DiscId, DiscRef, Error, Overlap, Physics, Settings, SimdLevel, Smooth, World, limits,
};
use carom_broadphase::{Scheduler, SchedulerKind, Slot};
use carom_math::{Clock, Time};

/// # Making a world
impl World {
    /// An empty world of smooth discs with default settings.
    #[must_use]
    pub fn new() -> Self {
        let settings = Settings::default();
        match Self::with_settings(settings) {
            Ok(world) => world,
            Err(_) => unreachable!("the default settings are in range"),
        }
    }

    /// An empty world of smooth discs.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Settings, World};
    ///
    /// let settings = Settings::default().with_period([Some(10.0), Some(10.0)]);
    /// let mut world = World::with_settings(settings)?;
    /// let id = world.insert(Disc::new([9.0, 5.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// world.advance(1.0)?;
    /// assert_eq!(world.get(id).map(|disc| disc.position().x), Some(1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn with_settings(settings: Settings) -> Result<Self, Error> {
        World::with_physics(Smooth, settings)
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl<P: Physics> World<P> {
    /// An empty world with a physics of one's own.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn with_physics(physics: P, settings: Settings) -> Result<Self, Error> {
        Store::new(physics, settings).map(World::of)
    }
}

/// # Time and settings
impl<P: Physics> World<P> {
    /// The current time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.store.true_now()
    }

    /// The clock that makes this world's times.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        self.store.true_clock()
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.store.settings
    }

    /// Changes [`Settings::budget`]: the most events that one call of `advance` resolves.
    pub fn set_budget(&mut self, budget: u64) {
        apply::all::change_settings(self.store.common(), |settings| settings.budget = budget);
    }

    /// Changes [`Settings::collapse`], the rule against inelastic collapse, from the next impact on.
    ///
    /// # Errors
    /// If one of its numbers is out of range.
    pub fn set_collapse(&mut self, collapse: Option<Collapse>) -> Result<(), Error> {
        collapse.iter().try_for_each(Collapse::check)?;
        apply::all::change_settings(self.store.common(), |settings| settings.collapse = collapse);
        Ok(())
    }

    /// Changes [`Settings::record_events`]: whether `advance` keeps the events of the call.
    pub fn set_record_events(&mut self, record: bool) {
        apply::all::change_settings(self.store.common(), |settings| settings.record_events = record);
    }

    /// Changes [`Settings::instructions`], the widest vector instructions to use.
    pub fn set_instructions(&mut self, instructions: SimdLevel) {
        apply::all::change_settings(self.store.common(), |settings| settings.instructions = instructions);
    }

    /// Changes [`Settings::scheduler`]. Cheap if that is the one in use, else O(N) with the grid and O(N²)
    /// with the table.
    ///
    /// # Errors
    /// If there are more discs than it takes.
    pub fn set_scheduler(&mut self, wanted: SchedulerKind) -> Result<(), Error> {
        let most = limits::MAX_DISCS.min(Scheduler::capacity(wanted));
        if self.len() > most {
            return Err(Error::Full(most));
        }
        apply::all::change_settings(self.store.common(), |settings| settings.scheduler = wanted);
        self.choose_scheduler();
        Ok(())
    }

    /// The vector instructions in use: those of [`Settings::instructions`] if this machine has them, else
    /// the widest below. Never [`SimdLevel::Best`].
    #[must_use]
    pub fn instructions(&self) -> SimdLevel {
        self.store.simd.level()
    }
}

/// # Discs that come and go
/// What is refused leaves the world as it was.
impl<P: Physics> World<P> {
    /// Inserts a disc. O(N): all others are checked for overlap.
    ///
    /// Touching, a gap of up to 4 ulp of the coordinates either way, is legal: a rack, a cradle. An overlap
    /// is refused unless the disc allows it ([`Disc::with_overlap`]); then the pair does not collide while it
    /// separates, and collides at once when it approaches. At zero relative velocity nothing happens.
    ///
    /// In a periodic world the position may be that of any image. A radius is at most 0.49 periods, so that
    /// no disc touches its own images, and the distance of centres at contact at most twice that. While radii
    /// grow, that distance is at most 0.49 periods: there growth ends. It is also at most that where discs
    /// accelerate ([`Physics::ACCELERATED`]).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Error, World};
    ///
    /// let mut world = World::new();
    /// let puck = Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 1.0]).with_mass(0.3).with_restitution(0.9);
    /// let id = world.insert(puck)?;
    /// let refused = world.insert(Disc::new([0.5, 0.0], 0.5));
    /// assert_eq!(refused, Err(Error::OverlapsDisc { other: id, depth: 0.5 }));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, the disc overlaps another or a wall, it is too large for a period, it is
    /// kinematic in a world with drag, or the world is full.
    pub fn insert(&mut self, disc: Disc<P::Body, P::Extra>) -> Result<DiscId, Error> {
        check_disc(&self.store.physics, &disc)?;
        let most = limits::MAX_DISCS.min(Scheduler::capacity(self.store.settings.scheduler));
        if self.store.bodies.len() >= most {
            return Err(Error::Full(most));
        }
        self.store.check_periods(disc.radius, None)?;
        check_sensor(&self.store.flights(), &SensorRules::of(disc.sensor, disc.rules), disc.radius)?;
        if disc.kinematic && self.store.settings.drag != 0.0 {
            let reason = "drag slows all discs down, and so none is kinematic beside it";
            return Err(Error::Inconsistent { field: "drag", value: self.store.settings.drag, reason });
        }
        if disc.overlap == Overlap::Refuse {
            self.check_room(&Placing::of_new::<P>(&disc), disc.position, &[])?;
        }
        let disc = Disc { velocity: self.slowed(disc.velocity), ..disc };
        let (slot, serial) = apply::disc::insert(&mut self.store, &disc);
        if !self.choose_scheduler() {
            self.scheduler.insert(slot, serial);
            self.placed(slot);
        }
        Ok(self.store.bodies.id(slot))
    }

    /// Makes room for `additional` discs, and no more: without it, memory doubles from time to
    /// time. For a known number of discs; it changes nothing else.
    pub fn reserve(&mut self, additional: usize) {
        let discs = self.len().saturating_add(additional).min(limits::MAX_DISCS);
        apply::disc::reserve(self.store.common(), discs);
        self.scheduler.reserve(discs);
    }

    /// Removes a disc and returns it as it is now. Its handle is dead from then on. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// world.advance(1.5)?;
    /// let disc = world.remove(id)?;
    /// assert_eq!(disc.position.x, 3.0);
    /// assert!(world.remove(id).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone already.
    pub fn remove(&mut self, id: DiscId) -> Result<Disc<P::Body, P::Extra>, Error> {
        let slot = self.store.bodies.slot(id)?;
        let disc = DiscRef { store: &self.store, slot }.to_disc();
        self.take_out(&[slot]);
        Ok(disc)
    }

    /// Removes the discs for which `keep` is false, asked by slot.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 2.0, 4.0] {
    ///     world.insert(Disc::new([x, 0.0], 0.5))?;
    /// }
    /// world.retain(|disc| disc.position().x < 3.0);
    /// assert_eq!(world.len(), 2);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(DiscRef<'_, P>) -> bool) {
        let gone: Vec<Slot> =
            self.store.bodies.live().filter(|&slot| !keep(DiscRef { store: &self.store, slot })).collect();
        if gone.is_empty() {
            return;
        }
        self.take_out(&gone);
    }

    /// Removes all discs, walls and regions. Time, settings, counters and memory stay; handles are dead from
    /// then on.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [9.0, 9.0]))?;
    /// let id = world.insert(Disc::new([4.0, 4.0], 0.5))?;
    /// world.clear();
    /// assert!(world.is_empty() && world.walls().next().is_none() && world.get(id).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_| false);
        let walls: Vec<_> = self.walls().map(|(id, _)| id).collect();
        for id in walls {
            // It is there: it has just been listed.
            _ = self.remove_wall(id);
        }
        let regions: Vec<_> = self.regions().map(|(id, _)| id).collect();
        for id in regions {
            _ = self.remove_region(id);
        }
    }
}

// What worlds begin with.
impl<P: Physics> World<P> {
    /// One that goes on from what is stored.
    pub(super) fn of(store: Store<P>) -> Self {
        let mut world = World {
            store: Guarded::new(store),
            scheduler: Scheduler::default(),
            events: Vec::new(),
            positions_now: PositionsNow::default(),
            scratch: Scratch::default(),
        };
        world.begin_schedule();
        world
    }
}
