use crate::ledger::Ledger;
use crate::store::Store;
use crate::{Counters, Difference, Fields, Physics, World, snapshot};
use carom_broadphase::{SchedulerCounters, Slot};
use carom_solver::MassClass;
use glam::DVec2;

/// # Measuring
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
    /// adds. O(1) except for long lists.
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
        finite(&self.store).map(|(mass, velocity)| 0.5 * mass * velocity.length_squared()).sum()
    }

    /// Momentum now, `Σ m v` over the discs of finite mass. O(N).
    #[must_use]
    pub fn momentum(&self) -> DVec2 {
        finite(&self.store).map(|(mass, velocity)| velocity * mass).sum()
    }

    /// A number that becomes a larger one with every edit, with every event, and where `clone_from`
    /// overwrites the world; by how much does not mean anything. Time that passes without an event leaves it
    /// as it is.
    ///
    /// For what is derived from the world and kept, such as a drawing: see also
    /// [`Forecast::is_current`](crate::Forecast::is_current). It begins anew in a world that is loaded.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let before = world.edits();
    /// world.advance(1.0)?;
    /// assert_eq!(world.edits(), before);
    /// world.set_velocity(ball, [0.0, 1.0])?;
    /// assert!(world.edits() > before);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.store.edition.edits()
    }

    /// Kinetic and potential energy now, of the discs of finite mass: `Σ m (½ v² + φ)` with the
    /// [`Physics::potential`] φ. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Forces, Settings, World};
    ///
    /// let forces = Forces::new().with_gravity([0.0, -9.81])?;
    /// let mut world = World::with_physics(forces, Settings::default())?;
    /// world.insert(Disc::new([0.0, 3.0], 0.5).with_mass(2.0).with_velocity([0.0, 1.0]))?;
    /// let before = world.energy();
    /// world.advance(4.0)?;
    /// assert!((world.energy() - before).abs() < 1e-12 * world.kinetic_energy());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy()
    }

    /// Potential energy now, of the discs of finite mass: see [`World::energy`]. O(N).
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        let of = |slot| {
            let position = self.store.bodies.unwrapped_at(slot, self.store.now);
            self.store.bodies.detail(slot).mass
                * self.store.physics.potential(&self.store.body(slot), position)
        };
        self.store
            .bodies
            .live()
            .filter(|&slot| self.store.bodies.class(slot) == MassClass::Finite)
            .map(of)
            .sum()
    }

    /// Where the kinetic energy came from and went, up to the present: what forces have done since the stored
    /// states included, which the [`Counters`](crate::Counters) only have as of these. O(N) where discs
    /// accelerate, else O(1).
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        let mut book = self.store.entries();
        if P::ACCELERATED {
            for slot in self.store.bodies.live() {
                book.forces.add(self.store.work_on_path(slot, self.store.now));
                book.note_heat(self.store.heat_from(slot));
            }
        }
        book.ledger()
    }
}

/// # Discs that turn
/// What they add to energy and momentum: see [`Rough`](crate::Rough). Nothing in a physics that turns none.
impl<P: Physics> World<P> {
    /// Energy of rotation now, `Σ ½ I ω²` over the discs of finite mass and inertia. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Rough, Settings, Spin, World};
    ///
    /// let mut world: World<Rough> = World::with_physics(Rough::default(), Settings::default())?;
    /// world.insert(Disc::new([0.0, 0.0], 2.0).with_mass(3.0).with_extra(Spin::new(4.0)))?;
    /// // ½ · (½ · 3 · 2²) · 4².
    /// assert_eq!(world.rotational_energy(), 48.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn rotational_energy(&self) -> f64 {
        let of = |(inertia, spin): (f64, f64)| 0.5 * inertia * spin * spin;
        turning(&self.store).map(of).sum()
    }

    /// Angular momentum now about a point, `Σ m (r − point) × v + I ω` over the discs of finite mass, the
    /// second term over those of finite inertia. O(N).
    #[must_use]
    pub fn angular_momentum(&self, about: impl Into<DVec2>) -> f64 {
        let about = about.into();
        let of_centres = of_finite_mass(&self.store).map(|slot| {
            let motion = self.store.motion_at(slot, self.store.now);
            self.store.bodies.detail(slot).mass * (motion.position - about).perp_dot(motion.velocity)
        });
        of_centres.sum::<f64>() + turning(&self.store).map(|(inertia, spin)| inertia * spin).sum::<f64>()
    }
}

/// # Comparing worlds
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
        snapshot::checksum(&self.store)
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
        snapshot::difference(&self.store, &other.store)
    }
}

/// Masses that are finite, and velocities.
fn finite<P: Physics>(store: &Store<P>) -> impl Iterator<Item = (f64, DVec2)> {
    let pace = store.pace();
    store.bodies.live().filter_map(move |slot| {
        let mass = store.bodies.detail(slot).mass;
        let finite = MassClass::of(mass) != MassClass::Infinite;
        finite.then(|| (mass, pace * store.motion_at(slot, store.now).velocity))
    })
}

fn of_finite_mass<P: Physics>(store: &Store<P>) -> impl Iterator<Item = Slot> {
    store.bodies.live().filter(|&slot| store.bodies.class(slot) == MassClass::Finite)
}

/// Moments of inertia, of those on the plane that have a finite one, and angular velocities.
fn turning<P: Physics>(store: &Store<P>) -> impl Iterator<Item = (f64, f64)> {
    let of = |slot| {
        let (turning, body) = (P::TURNING?, store.body(slot));
        let inertia = (turning.inertia)(&store.physics, &body) * body.mass * body.radius * body.radius;
        // A point has no lever.
        let (inertia, now) = (if body.radius > 0.0 { inertia } else { 0.0 }, store.state_now(slot));
        (inertia < f64::INFINITY).then(|| (inertia, (turning.spin)(&now.extra).angular_velocity))
    };
    of_finite_mass(store).filter(|&slot| !store.bodies.off.contains(slot)).filter_map(of)
}
