use crate::apply;
use crate::apply::fast::{has_plain_states, set_plain_velocity};
use crate::edit::{Change, Placing, check_among};
use crate::error::check;
use crate::overlap::{apart, check_open, part};
use crate::physics::ReachOf;
use crate::state::positions_now::PositionsNow;
use crate::walls::facet::Facet;
use crate::world::stops::Stops;
use crate::{DiscId, DiscRef, Error, Extent, Moved, Overlap, Parted, Physics, World};
use carom_broadphase::Slot;
use glam::DVec2;

/// # Impulses, and edits of many discs at once
/// A refused edit leaves the world as it was.
impl<P: Physics> World<P> {
    /// Changes a disc's momentum: its velocity by `impulse / mass`, which is nothing for an infinite mass.
    /// O(1).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(2.0).with_velocity([1.0, 0.0]))?;
    /// world.apply_impulse(id, [0.0, 3.0])?;
    /// assert_eq!(world.get(id).map(|disc| disc.velocity()), Some(DVec2::new(1.0, 1.5)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone or a tracer, which has no mass, or a component of the new velocity is out of
    /// range.
    pub fn apply_impulse(&mut self, id: DiscId, impulse: impl Into<DVec2>) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        let mass = self.store.bodies.detail(slot).mass;
        if mass == 0.0 {
            let reason = "a tracer has no mass that an impulse could move";
            return Err(Error::Inconsistent { field: "mass", value: mass, reason });
        }
        self.set_velocity(id, DiscRef { store: &self.store, slot }.velocity() + impulse.into() / mass)
    }

    /// Sets the velocities of several discs: all or, if one is refused, none. Of two for one disc the later
    /// one holds.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.set_velocities(&[(a, DVec2::X), (b, DVec2::NEG_X)])?;
    /// assert_eq!(world.advance(2.0)?.events, 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::set_velocity`].
    pub fn set_velocities(&mut self, velocities: &[(DiscId, DVec2)]) -> Result<(), Error> {
        for &(id, velocity) in velocities {
            self.store.bodies.slot(id)?;
            check::velocity(velocity)?;
        }
        // One look at what the world has: a look for each disc takes a tenth of a turn.
        let is_plain = has_plain_states(&self.store);
        for &(id, velocity) in velocities {
            if is_plain {
                set_plain_velocity(self.store.common(), id.slot(), velocity);
            } else {
                self.set_velocity(id, velocity)?;
            }
        }
        Ok(())
    }

    /// Moves several discs at once: all or, if one is refused, none. Only the final places count, so that two
    /// discs may take each other's. Of two positions for one disc the later one holds. O(k log k) for k discs
    /// side by side, and the cost of [`World::set_position`] for each.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let a = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// let b = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.set_positions(&[(a, DVec2::new(3.0, 0.0)), (b, DVec2::ZERO)])?;
    /// assert_eq!(world.get(b).map(|disc| disc.position()), Some(DVec2::ZERO));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::set_position`].
    pub fn set_positions(&mut self, positions: &[(DiscId, DVec2)]) -> Result<(), Error> {
        let mut moved = Vec::with_capacity(positions.len());
        for &(id, position) in positions.iter().rev() {
            let slot = self.store.bodies.slot(id)?;
            check::point(["position.x", "position.y"], position)?;
            moved.push((slot, position));
        }
        // The order of slots shows nowhere but in which of several refusals is reported.
        moved.sort_by_key(|&(slot, _)| slot);
        moved.dedup_by_key(|&mut (slot, _)| slot);
        let slots: Vec<Slot> = moved.iter().map(|&(slot, _)| slot).collect();
        for &(slot, position) in &moved {
            if self.store.bodies.overlap.get(slot) == Overlap::Refuse {
                self.check_room(&Placing::of(&self.store, slot), position, &slots)?;
            }
        }
        check_among(&self.store, &moved)?;
        for &(slot, position) in &moved {
            self.change(slot, Change::Position(position));
        }
        Ok(())
    }
}

/// # Growth, velocities and physics of all discs
/// Radii that grow at a constant rate do so in proportion to themselves: the way to dense packings of
/// Lubachevsky and Stillinger, J. Stat. Phys. 60 (1990) 561.
impl<P: Physics> World<P> {
    /// Lets all radii grow from now on: each by `rate` times its present length every second, 0 to 10¹⁵; 0
    /// stops it.
    ///
    /// With rates in proportion to the radii, as Lubachevsky and Stillinger take them for mixtures, radii
    /// keep their ratios, and the packing fraction grows by the square of `1 + rate · t`. All that is said
    /// of radii elsewhere holds for the present ones: what is inserted or set, read or saved. Whoever grows
    /// pushes: it is the surfaces that meet and bounce, with the speed at which both move outwards, so
    /// impacts add energy, and between impacts there is none to be seen. Keep it in bounds with
    /// [`World::scale_velocities`]; as discs jam, their impacts come ever faster, and the budget ends a
    /// call. Those that share an impact are resolved together, as ever. Where things are so tight that
    /// nothing can give way growth ends for all, with an [`Event::GrowthEnded`](crate::Event::GrowthEnded);
    /// or the call does, with [`CrushRule::Stop`](crate::CrushRule::Stop).
    ///
    /// Growth ends at [`StopReason::Outgrown`](crate::StopReason::Outgrown): when two discs would touch more
    /// than 0.49 periods apart, or one is larger than 10¹⁵.
    ///
    /// All states are rewritten at the present time, as by other edits, and all discs are scheduled again:
    /// O(N), and O(N²) with the table.
    ///
    /// # Errors
    /// If the rate is out of range; if there is a wall with a hollow side, a round room or an arc
    /// ([`Error::CannotGrow`]); if the physics is not one for discs that grow ([`Physics::GROWS`]); or if
    /// there is drag.
    pub fn set_growth(&mut self, rate: f64) -> Result<(), Error> {
        check::rate(rate)?;
        if rate > 0.0 {
            if !P::GROWS || P::ACCELERATED {
                let reason = "this physics does not say that its discs may grow";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
            if self.store.drag().is_some() {
                let reason = "under drag discs that grow meet at times without a closed form";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
            let walls = &self.store.walls;
            let stops = |facet: &Facet| walls.course(facet.wall).is_some_and(|course| course.is_over());
            let moves_on = |facet: &&Facet| !facet.takes_growth() && !stops(facet);
            if let Some(facet) = walls.present().map(|(_, facet)| facet).find(moves_on) {
                return Err(Error::CannotGrow { wall: self.store.walls.id(facet.wall) });
            }
            if self.regions().any(|(_, region)| region.extent == Extent::Edge) {
                let reason = "a region sees the edges of discs: when they cross its border is not known";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
        } else if !self.store.bodies.growth.is_on() {
            return Ok(());
        }
        Stops(self).all();
        self.change_growth(rate);
        Ok(())
    }

    /// Sets the rate of growth, which is possible.
    pub(crate) fn change_growth(&mut self, rate: f64) {
        self.tell_scheduler(|scheduler, predictor| scheduler.rewind_to_now(predictor));
        apply::all::change_growth(&mut self.store, rate, self.scheduler.sweeps());
        self.positions_now = PositionsNow::default();
    }

    /// How fast the radii grow now, per second and in proportion to themselves; 0 if they do not. It falls
    /// as they grow: what is constant is the growth in lengths.
    #[must_use]
    pub fn growth(&self) -> f64 {
        self.store.bodies.growth.rate_at(self.store.now)
    }

    /// Multiplies all velocities by a factor, ≥ 0: a thermostat, in one blow. The kinetic energy changes by
    /// its square.
    ///
    /// All states are rewritten at the present time, and all discs are scheduled again: O(N), and O(N²) with
    /// the table.
    ///
    /// # Errors
    /// If the factor is negative or not finite, or a velocity would be out of range.
    pub fn scale_velocities(&mut self, factor: f64) -> Result<(), Error> {
        check::not_negative("factor", factor)?;
        let pace = self.store.pace();
        for slot in self.store.bodies.live() {
            check::velocity(self.store.state(slot).velocity * pace * factor)?;
        }
        Stops(self).all();
        // On a clock that has run down any velocity is in range that is as good as none.
        self.renewed_pace();
        apply::all::scale_velocities(&mut self.store, factor);
        Ok(())
    }

    /// Replaces the physics from now on: turns gravity, say, or switches it off.
    ///
    /// All states are rewritten at the present time, as by other edits, and all discs are scheduled again:
    /// O(N), and O(N²) with the table. The distance at which discs touch is to be the same
    /// ([`Physics::REACH`]).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Forces, Settings, World};
    ///
    /// let falling = Forces::new().with_gravity([0.0, -2.0])?;
    /// let mut world = World::with_physics(falling, Settings::default())?;
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.advance(1.0)?;
    /// world.set_physics(falling.with_gravity([0.0, 2.0])?)?;
    /// world.advance(1.0)?;
    /// let ball = world.get(ball).expect("it has not been removed");
    /// assert_eq!((ball.position().y, ball.velocity()), (-2.0, DVec2::ZERO));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it refuses a disc ([`Physics::check`]).
    pub fn set_physics(&mut self, physics: P) -> Result<(), Error> {
        self.store.bodies.live().try_for_each(|slot| physics.check(&self.store.added(slot).own))?;
        Stops(self).all();
        apply::all::set_physics(&mut self.store, physics);
        Ok(())
    }
}

/// What to do about discs that overlap: part them gently, or push them apart at once.
impl<P: Physics> World<P> {
    /// Pushes discs that overlap each other or walls apart, at the present time, moving as little as it can,
    /// and returns the discs moved, by serial number. Afterwards nothing overlaps by more than touching; a
    /// second call moves nothing.
    ///
    /// Places change, velocities do not. As little as it can: `Σ |to − from|²` over all discs, each counting
    /// alike whatever its mass, has a local minimum at the places found, so two discs that overlap by δ move
    /// by δ/2 each along the line of centres. Discs never push infinite masses, only walls do, which never
    /// move; tracers are pushed but do not push. No centre is pushed through a wall. Discs inserted with
    /// leave to overlap are pushed as well. Gaps that it opens are 10⁻¹³ of the contact distance wide,
    /// and 4 ulp of the coordinates. A disc that was in no other's way keeps its stored state to the last
    /// bit; that of a moved one is rewritten as by [`World::set_position`].
    ///
    /// Discs with coincident centres go different ways, by their serial numbers; otherwise the order of
    /// insertion changes nothing beyond rounding.
    ///
    /// Rounds of quadratic programming: the demand that no two overlap is taken along the line of their
    /// centres, the least moves from the places at the start that meet all demands are found, and so on from
    /// there. Between discs this only ever asks for too much, so each round's places are good and not worse
    /// than those before (the concave-convex procedure: Yuille and Rangarajan, Neural Comput. 15 (2003) 915).
    /// Discs in an exact row that must buckle are shaken. Where that leads nowhere, and for hundreds of discs
    /// on one point, they are pushed from place to place first, and the least moves are sought from there.
    /// O(N log N + N · walls) a round and what the least push costs. 10⁴ discs at random, at a packing
    /// fraction of one half, take some seconds, and so do 1000 on one point; for these work ends before the
    /// last per cents of the minimum.
    ///
    /// # Errors
    /// [`Error::TooManyOverlaps`] at once for 1500 on one point and the like;
    /// [`Error::NoRoom`] if it finds no room in a bounded number of rounds, because there is none or because
    /// it would have to look too far; [`Error::OutOfRange`] if a disc would be pushed out of the range of
    /// coordinates; [`Error::Inconsistent`] in a periodic world. The world is as it was.
    pub fn push_apart(&mut self) -> Result<Vec<Moved>, Error> {
        check_open(&self.store.bodies.periods)?;
        self.enforce_rules();
        let moved = apart(&self.store, ReachOf::new(&self.store.physics))?;
        let changes = moved.iter().map(|moved| (moved.disc.slot(), Change::Pushed(moved.to)));
        self.change_all(&changes.collect::<Vec<_>>());
        Ok(moved)
    }

    /// Gives discs that overlap velocities at which they separate, each pair along its normal at `speed` at
    /// least, and says what it did. Places stay.
    ///
    /// A disc that overlaps a wall separates from it as well, on the side on which its centre is; pairs
    /// that pass through each other are left alone. The change of velocities is the least in the metric
    /// of the masses, `Σ m |Δv|²` (Gauss's principle): impulses that only push, and only where the speed
    /// would not be reached without. So it keeps the momentum of finite masses, except for what walls and
    /// infinite masses take, and leaves pairs alone that separate fast enough. Energy can rise: the
    /// report says by how much. After it the ordinary rule holds: a pair that separates is ignored while
    /// it overlaps, and collides as any other when it meets again. Discs that merely touch are not looked
    /// at: one that is driven into them hits them in the ordinary way.
    ///
    /// `speed` in length units per second, 0 to 10¹⁵; 0 only stops approaches. Infinite masses yield to walls
    /// alone; tracers yield to all and push nothing. Coincident centres part in the
    /// direction at the golden section of the turn times the serial number of the disc that yields, or of the
    /// later one. Of an end of a wall whose straight or round part is nearer it is only asked that it is not
    /// approached. The changed states are rewritten as by [`World::set_velocity`].
    ///
    /// O(N log N + N · walls), and O(n³) for up to 48 discs that hang together. More are solved by iteration,
    /// until every pair is as fast as asked and none faster than needed by more than 3·10⁻¹⁰ of the largest
    /// velocity, or 3·10⁻⁶ for discs of very unequal masses on one point; in at most 2³⁰ times O(1), which is
    /// some ten seconds. Of many that overlap each other those count that push: 300 in a row that all
    /// overlap take a tenth of a second.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `speed` is, or a velocity would be; [`Error::TooManyOverlaps`] at once for
    /// 1500 discs on one point and the like; [`Error::CannotPart`] if no velocities will do, as for a disc
    /// between walls or infinite masses, or a tracer among others; or if more than 48 discs take too many
    /// iterations, as of very unequal masses; [`Error::Inconsistent`] in a periodic world. The world is as it
    /// was.
    pub fn separate_overlaps(&mut self, speed: f64) -> Result<Parted, Error> {
        check::coefficient("speed", speed)?;
        check_open(&self.store.bodies.periods)?;
        self.enforce_rules();
        // Velocities are stored as of now.
        self.renewed_pace();
        let (parted, changed) = part(&self.store, ReachOf::new(&self.store.physics), speed)?;
        let changes = changed.into_iter().map(|(slot, velocity)| (slot, Change::Deflected(velocity)));
        self.change_all(&changes.collect::<Vec<_>>());
        Ok(parted)
    }
}
