use crate::debug_draw::Drawing;
use crate::predict::StatePredictor;
use crate::state::contacts::HeldTo;
use crate::{
    CastOptions, DebugDraw, DebugView, Disc, DiscId, DiscRef, Error, Event, Hold, Impact, Mark, Moment,
    Partner, Physics, QueryFilter, State, Wall, WallId, World,
};
use carom_broadphase::Scheduler;
use carom_math::{Periods, Time};
use glam::DVec2;

/// # Reading
/// Everything is as it is at the current time.
impl<P: Physics> World<P> {
    /// The physics.
    #[must_use]
    pub fn physics(&self) -> &P {
        &self.store.physics
    }

    /// Number of discs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.bodies.len()
    }

    /// Whether there are no discs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.bodies.len() == 0
    }

    /// Whether the handle's disc is there.
    #[must_use]
    pub fn contains(&self, id: DiscId) -> bool {
        self.store.bodies.slot(id).is_ok()
    }

    /// The periods after which the world repeats itself: [`Settings::period`](crate::Settings::period).
    #[must_use]
    pub fn periods(&self) -> &Periods {
        &self.store.bodies.periods
    }

    /// A disc, to be read as it is now; `None` if it has been removed. O(1).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let id = world.insert(Disc::new([1.0, 2.0], 0.5))?;
    /// assert_eq!(world.get(id).map(|disc| disc.position().y), Some(2.0));
    /// world.remove(id)?;
    /// assert!(world.get(id).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, id: DiscId) -> Option<DiscRef<'_, P>> {
        self.store.bodies.slot(id).ok().map(|slot| DiscRef { store: &self.store, slot })
    }

    /// All discs as they are now, by slot.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 2.0, 4.0] {
    ///     world.insert(Disc::new([x, 0.0], 0.5).with_velocity([x, 0.0]))?;
    /// }
    /// let fast = world.discs().filter(|(_, disc)| disc.velocity.x > 1.0);
    /// assert_eq!(fast.count(), 2);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn discs(&self) -> impl Iterator<Item = (DiscId, Disc<P::Body, P::Extra>)> + '_ {
        self.store.bodies.live().map(|slot| {
            let disc = DiscRef { store: &self.store, slot };
            (disc.id(), disc.to_disc())
        })
    }

    /// The handles of all discs, by slot.
    pub fn ids(&self) -> impl Iterator<Item = DiscId> + '_ {
        self.store.bodies.live().map(|slot| self.store.bodies.id(slot))
    }

    /// Writes the centres of all discs now, by slot, as [`World::ids`]. O(N), without allocation.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// world.advance(1.0)?;
    /// let mut places = vec![DVec2::ZERO; world.len()];
    /// world.read_positions(&mut places)?;
    /// assert_eq!(places, [DVec2::new(2.0, 0.0)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `places` is not as long as there are discs; then nothing is written.
    pub fn read_positions(&self, places: &mut [DVec2]) -> Result<(), Error> {
        if places.len() != self.len() {
            return Err(Error::WrongLength { given: places.len(), discs: self.len() });
        }
        if !P::ACCELERATED && self.store.bodies.periods.is_open() && self.store.bodies.movers.is_empty() {
            let live = self.store.bodies.records().iter().filter(|record| !record.is_free());
            for (place, record) in places.iter_mut().zip(live) {
                *place = record.motion_at(self.store.now).position;
            }
            return Ok(());
        }
        for (place, slot) in places.iter_mut().zip(self.store.bodies.live()) {
            *place = self.store.bodies.place_at(slot, self.store.now);
        }
        Ok(())
    }

    /// Writes the velocities of all discs now, as [`World::read_positions`] does the centres.
    ///
    /// # Errors
    /// As [`World::read_positions`].
    pub fn read_velocities(&self, velocities: &mut [DVec2]) -> Result<(), Error> {
        if velocities.len() != self.len() {
            return Err(Error::WrongLength { given: velocities.len(), discs: self.len() });
        }
        if !P::ACCELERATED && self.store.bodies.movers.is_empty() {
            let pace = self.store.pace();
            let live = self.store.bodies.records().iter().filter(|record| !record.is_free());
            for (velocity, record) in velocities.iter_mut().zip(live) {
                *velocity = pace * record.velocity();
            }
            return Ok(());
        }
        for (velocity, slot) in velocities.iter_mut().zip(self.store.bodies.live()) {
            *velocity = self.store.true_velocity(slot);
        }
        Ok(())
    }

    /// As [`World::read_positions`], with [`DiscRef::unwrapped_position`].
    ///
    /// # Errors
    /// As [`World::read_positions`].
    pub fn read_unwrapped_positions(&self, places: &mut [DVec2]) -> Result<(), Error> {
        if places.len() != self.len() {
            return Err(Error::WrongLength { given: places.len(), discs: self.len() });
        }
        for (place, slot) in places.iter_mut().zip(self.store.bodies.live()) {
            *place = self.store.bodies.unwrapped_at(slot, self.store.now);
        }
        Ok(())
    }

    /// A wall, to be read; `None` if it has been removed. O(1).
    #[must_use]
    pub fn get_wall(&self, id: WallId) -> Option<&Wall<P::Surface>> {
        self.store.walls.slot(id).ok().map(|slot| self.store.wall(slot))
    }

    /// All walls, by slot.
    pub fn walls(&self) -> impl Iterator<Item = (WallId, &Wall<P::Surface>)> + '_ {
        let walls = &self.store.walls;
        walls.live().map(|slot| (walls.id(slot), self.store.wall(slot)))
    }

    /// The scheduler: for what it knows beyond events, such as the entries of the pair table.
    ///
    /// As of the last reschedule; `advance(0.0)` first has all edits in.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// What a disc is held to now: discs and parts of walls that press on it, and that it presses on, without
    /// parting or approaching. See [`Rest`](crate::Rest). Empty for a disc that is gone. After an edit it is
    /// that of before, until `advance(0.0)` [resolves](World#edits) it.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Forces, Partner, Settings, Wall, World};
    ///
    /// let forces = Forces::new().with_gravity([0.0, -10.0])?;
    /// let mut world = World::with_physics(forces, Settings::default())?;
    /// let floor = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0))?;
    /// let ball = world.insert(Disc::new([0.0, 1.0], 0.5).with_restitution(0.0))?;
    /// assert_eq!(world.held_to(ball).count(), 0);
    /// world.advance(1.0)?;
    /// assert!(world.held_to(ball).eq([Partner::Wall { wall: floor, part: 0 }]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn held_to(&self, id: DiscId) -> impl Iterator<Item = Partner> + '_ {
        let held =
            self.store.bodies.slot(id).map_or(&[][..], |slot| self.store.bodies.contacts.holds.of(slot));
        held.iter().filter(|held| held.presses).map(|held| match held.to {
            HeldTo::Disc(other) => Partner::Disc(self.store.bodies.id(other)),
            HeldTo::Facet(f, _) => self.store.walls.partner(f),
        })
    }

    /// Draws what the world knows at the present: regions first, then walls, discs and what is on them.
    /// Changes nothing. O(discs and walls), and what the next impacts cost.
    pub fn debug_draw(&self, view: &DebugView, to: &mut dyn DebugDraw) {
        let options = CastOptions::new().with_max_time(view.next_impacts);
        let store = &self.store;
        let next_impact = |slot| {
            let disc = DiscRef { store, slot };
            let others = QueryFilter::new().excluding(disc.id());
            self.cast_disc(&disc.to_disc(), &options, &others).ok().flatten()
        };
        let shape_of_wall = |slot| store.shape_of_wall(slot);
        let drawing =
            Drawing { common: store, shape_of_wall: &shape_of_wall, next_impact: &next_impact, view };
        drawing.draw(to);
        for event in self.events().iter().filter(|_| view.contacts) {
            if let Event::Impact(Impact { point, normal, a, .. }) = *event {
                drawing.draw_impact(a, point, normal, to);
            } else if let Event::Held(Hold { point, .. }) = *event {
                to.point(point, Mark::Contact);
            }
        }
    }
}

/// # What the schedule knows
impl<P: Physics> World<P> {
    /// The state of a disc at a time from its last event up to the world's next one: without moving, with
    /// the bits that it would have if the world were advanced to there. At the time of the next event, that
    /// before it.
    ///
    /// Brings the schedule up to date, as [`World::next_event`]; O(1) after that. What lies beyond the next
    /// event a [`Forecast`](crate::Forecast) knows.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::half_plane([0.0, 0.0], [1.0, 0.0]))?;
    /// let ball = world.insert(Disc::new([2.0, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
    /// world.advance(0.5)?;
    /// assert_eq!(world.state_at(ball, 0.25)?.position, DVec2::new(1.75, 0.0));
    /// assert_eq!(world.state_at(ball, 1.25)?.position, DVec2::new(0.75, 0.0));
    /// // It hits the wall before.
    /// assert!(world.state_at(ball, 2.0).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone; if the time is not finite, of a clock with another epoch, before the disc's last
    /// event or edit, or after the next event of any disc.
    pub fn state_at(&mut self, id: DiscId, time: impl Into<Moment>) -> Result<State<P::Extra>, Error> {
        let time = self.time_at(time)?;
        self.look(|world| world.state_then(id, time))
    }

    fn state_then(&mut self, id: DiscId, time: Time) -> Result<State<P::Extra>, Error> {
        let slot = self.store.bodies.slot(id)?;
        let refused = |reason| Error::Inconsistent { field: "time", value: time.as_secs(), reason };
        if time < (DiscRef { store: &self.store, slot }).state_time() {
            return Err(refused("it is before the disc's last event or edit"));
        }
        let mut then = self.store.now;
        if time != self.now() {
            then = self.store.drag().map_or(time, |drag| drag.pacing.slow_time(time));
        }
        if time > self.now() {
            if let Some(next) = self.next_in_sight_of(time) {
                if self.store.time_of_next(next) < time {
                    return Err(refused("it is after the next event"));
                }
                then = then.min(next);
            }
            if time > self.store.growth_limit() {
                return Err(refused("it is after the end of growth"));
            }
            then = then.latest(self.store.now);
        }
        let then = then.latest(self.store.bodies.time(slot));
        let motion = self.store.bodies.wrapped_motion_at(slot, then);
        let age = then.since(self.store.bodies.time(slot));
        let extra = self.store.physics.evolve(&self.store.body(slot), &self.store.state(slot), age);
        let pace = self.store.drag().map_or(1.0, |drag| drag.pacing.pace(then, time));
        Ok(State { position: motion.position, velocity: pace * motion.velocity, extra })
    }

    /// The entry of the table of pairs for two discs: when they meet; of a disc with itself: when it has
    /// an event of its own. [`Time::NEVER`] if not at all. `None` where the grid schedules, which has no
    /// table.
    ///
    /// As of the last reschedule, as [`World::scheduler`]. O(1).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.next_event();
    /// assert_eq!(world.table_entry(a, b)?.map(|time| time.as_secs()), Some(0.5));
    /// assert!(world.table_entry(a, a)?.is_some_and(|time| time.is_never()));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a disc is gone.
    pub fn table_entry(&self, a: DiscId, b: DiscId) -> Result<Option<Time>, Error> {
        let (a, b) = (self.store.bodies.slot(a)?, self.store.bodies.slot(b)?);
        let Scheduler::Table(table) = &self.scheduler else { return Ok(None) };
        let entry = table.entry(a, b, &StatePredictor::of(&self.store));
        // Drag leaves no way to what is later on its clock than all that happens.
        let is_reached = self.store.drag().is_none_or(|drag| entry <= drag.pacing.clock.last());
        Ok(Some(if is_reached { self.store.time_of_next(entry) } else { Time::NEVER }))
    }
}
