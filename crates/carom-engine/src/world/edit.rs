use crate::apply;
use crate::apply::fast::{has_plain_states, is_same, set_plain_velocity};
use crate::edit::{Change, ChangeOf, Placing, Row};
use crate::error::check;
use crate::sense::check_sensor;
use crate::state::sort::Sort;
use crate::store::Store;
use crate::{DiscId, Error, Overlap, Physics, World};
use carom_broadphase::{Circle, Slot};
use carom_solver::MassClass;
use glam::DVec2;

/// # Editing discs
/// A refused edit leaves the world as it was.
///
/// Those of position, velocity, radius, extra state and the physics' own properties rewrite the disc's stored
/// state at the present time, as an impact does: rounding begins anew there. Those of mass, restitution and
/// user data do not, so that they leave the path and its bits alone; the exception is a mass that becomes or
/// ceases to be 0 or infinite, as that changes what the disc can meet. The schedule follows lazily: any
/// number of edits between two calls of `advance` cost one rescheduling.
impl<P: Physics> World<P> {
    /// Moves a disc to another position. O(N): checked for overlap, unless the disc allows it. One that was
    /// [captured](crate::Verdict::Capture) is put back on the plane there.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.set_position(ball, [1.9, 0.0])?;
    /// assert!(world.set_position(ball, [2.1, 0.0]).is_err());
    /// assert_eq!(world.get(ball).map(|ball| ball.position().x), Some(1.9));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone, a coordinate is out of range, or it would overlap something.
    pub fn set_position(&mut self, id: DiscId, position: impl Into<DVec2>) -> Result<(), Error> {
        let (slot, position) = (self.store.bodies.slot(id)?, position.into());
        check::point(["position.x", "position.y"], position)?;
        if self.store.bodies.overlap.get(slot) == Overlap::Refuse {
            self.check_room(&Placing::of(&self.store, slot), position, &[slot])?;
        }
        self.change(slot, Change::Position(position));
        if self.store.bodies.off.get(slot).is_some_and(|off| off.is_captured) {
            self.put_back(id)?;
        }
        Ok(())
    }

    /// Changes a disc in a way that has been checked.
    pub(super) fn change(&mut self, slot: Slot, change: ChangeOf<P>) {
        self.change_all(&[(slot, change)]);
    }

    /// Changes discs. What they touch and are inside of is looked at when all have been changed.
    pub(super) fn change_all(&mut self, changes: &[(Slot, ChangeOf<P>)]) {
        for (slot, change) in changes {
            apply::disc::change_disc(&mut self.store, *slot, change);
        }
        for (slot, change) in changes {
            self.show_changed(*slot, change);
        }
    }

    /// Shows a disc that has been changed to the scheduler and to regions, where its row says so.
    fn show_changed(&mut self, slot: Slot, change: &ChangeOf<P>) {
        let Row { passes, places, neighbours, .. } = change.row();
        if passes {
            let position = self.store.bodies.wrapped_motion_at(slot, self.store.now).position;
            let circle = Placing::of(&self.store, slot).circle(&self.store, position);
            let near = self.take_discs_around(circle, &Placing::of(&self.store, slot));
            apply::passing::pass_what_overlaps(&mut self.store, slot, &change.rules_before(), &circle, &near);
            self.scratch.near = near;
        }
        let mark_neighbours = |world: &mut Self| {
            let known = world.scheduler.neighbours(slot).unwrap_or_default();
            apply::marks::mark(world.store.common(), known.iter().copied().chain([slot]));
        };
        if neighbours {
            mark_neighbours(self);
        }
        if places {
            self.placed(slot);
        }
        if neighbours {
            mark_neighbours(self);
        }
        apply::disc::sense_change(&mut self.store, slot, change);
    }

    /// Takes discs out of the world, which are sorted.
    pub(super) fn take_out(&mut self, gone: &[Slot]) {
        apply::disc::remove(&mut self.store, gone);
        gone.iter().for_each(|&slot| self.scheduler.remove(slot));
        self.positions_now.invalidate();
        self.choose_scheduler();
    }

    /// Sets a disc's velocity. O(1); the new schedule is made when it is needed. The velocity that a disc has
    /// changes nothing, however often it is set, unless it ends a journey.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let cue = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// assert_eq!(world.next_event(), None);
    /// world.set_velocity(cue, [4.0, 0.0])?;
    /// assert_eq!(world.next_event().map(|next| next.time.as_secs()), Some(0.5));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone or a component is out of range.
    #[inline]
    pub fn set_velocity(&mut self, id: DiscId, velocity: impl Into<DVec2>) -> Result<(), Error> {
        let (slot, velocity) = (self.store.bodies.slot(id)?, velocity.into());
        check::velocity(velocity)?;
        if has_plain_states(&self.store) {
            set_plain_velocity(self.store.common(), slot, velocity);
        } else if !apply::disc::change_off(self.store.common(), slot, |off| off.velocity = velocity)
            && !has_velocity(&self.store, slot, velocity)
        {
            let velocity = self.slowed(velocity);
            self.change(slot, Change::Velocity(velocity));
        }
        Ok(())
    }

    /// Sets a disc's extra state.
    ///
    /// # Errors
    /// If the disc is gone, or the physics refuses it ([`Physics::check_extra`]).
    pub fn set_extra(&mut self, id: DiscId, extra: P::Extra) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        self.store.physics.check_extra(&extra)?;
        self.change(slot, Change::Extra(extra));
        Ok(())
    }

    /// Sets what a physics adds to a disc's properties. Its state is rewritten, as its motion may depend on
    /// them.
    ///
    /// # Errors
    /// If the disc is gone, or the physics refuses them ([`Physics::check`]).
    pub fn set_body(&mut self, id: DiscId, body: P::Body) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        self.store.physics.check(&body)?;
        self.change(slot, Change::Body(body));
        Ok(())
    }

    /// Sets a disc's radius. O(N): checked for overlap, unless the disc allows it. One that grows into a
    /// one-sided wall after it has hit that stays in front of it.
    ///
    /// # Errors
    /// If the disc is gone, the radius is out of range or too large for a period, or it would overlap
    /// something.
    pub fn set_radius(&mut self, id: DiscId, radius: f64) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        check::radius(radius)?;
        self.store.check_periods(radius, Some(slot))?;
        check_sensor(&self.store.flights(), &self.store.bodies.sensors.get(slot), radius)?;
        if self.store.bodies.overlap.get(slot) == Overlap::Refuse {
            let placing = Placing::of(&self.store, slot).with_radius(radius);
            self.check_room(&placing, self.store.state_now(slot).position, &[slot])?;
        }
        self.change(slot, Change::Radius(radius));
        Ok(())
    }

    /// Sets a disc's mass. O(1). Its state is rewritten only if the mass becomes or ceases to be 0 or
    /// infinite. Discs that passed through each other and no longer do may overlap then: they collide when
    /// they approach.
    ///
    /// # Errors
    /// If the disc is gone or the mass is out of range.
    pub fn set_mass(&mut self, id: DiscId, mass: f64) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        check::mass(mass)?;
        if self.store.bodies.movers.contains(slot) && mass != f64::INFINITY {
            let reason = "a kinematic disc has an infinite mass";
            return Err(Error::Inconsistent { field: "mass", value: mass, reason });
        }
        let is_of_class = MassClass::of(mass) == self.store.bodies.class(slot);
        self.change(slot, if is_of_class { Change::Mass(mass) } else { Change::Class(mass) });
        Ok(())
    }

    /// Sets a disc's coefficient of restitution. O(1); its state is not rewritten.
    ///
    /// # Errors
    /// If the disc is gone or the coefficient is out of range.
    pub fn set_restitution(&mut self, id: DiscId, restitution: f64) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        check::restitution(restitution)?;
        self.change(slot, Change::Restitution(restitution));
        Ok(())
    }

    /// Sets a disc's user data. O(1); its state is not rewritten.
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn set_user_data(&mut self, id: DiscId, user_data: u64) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        self.change(slot, Change::UserData(user_data));
        Ok(())
    }

    /// Says whether a disc may be put where it overlaps something, from now on. O(1); its state is not
    /// rewritten.
    ///
    /// # Errors
    /// If the disc is gone.
    pub fn set_overlap(&mut self, id: DiscId, overlap: Overlap) -> Result<(), Error> {
        let slot = self.store.bodies.slot(id)?;
        self.change(slot, Change::Overlap(overlap));
        Ok(())
    }

    /// To be called when a disc is in another place, or has another size.
    pub(crate) fn placed(&mut self, slot: Slot) {
        self.positions_now.invalidate();
        self.tell_scheduler(|scheduler, predictor| scheduler.place(slot, predictor));
    }

    /// The discs that may touch a circle at the present and that what is put there may collide with, by slot:
    /// in a list that is to be put back.
    fn take_discs_around(&mut self, circle: Circle, placing: &Placing) -> Vec<Slot> {
        let mut near = core::mem::take(&mut self.scratch.near);
        near.clear();
        self.tell_scheduler(|scheduler, predictor| scheduler.rewind_to_now(predictor));
        let has_edited = self.store.bodies.rules.has_edited();
        let wanted = |species| has_edited || placing.meets(&Sort::of(species));
        if self.scheduler.around(circle, wanted, &mut near) {
            near.sort_unstable();
        } else {
            near.extend(self.store.bodies.live());
        }
        near
    }

    /// Refuses a place where a disc would overlap another that it can meet, or a wall. Those in `but`, in
    /// order, do not count.
    pub(super) fn check_room(
        &mut self,
        placing: &Placing,
        position: DVec2,
        but: &[Slot],
    ) -> Result<(), Error> {
        let circle = placing.circle(&self.store, position);
        let near = self.take_discs_around(circle, placing);
        let checked = placing.check(&self.store, &circle, &near, but);
        self.scratch.near = near;
        checked
    }
}

/// Whether to set this velocity changes nothing: the disc has it, and it is not on its way to a place, where
/// it would stop, nor has it given way, from where it would go on at another one.
fn has_velocity<P: Physics>(store: &Store<P>, slot: Slot, velocity: DVec2) -> bool {
    let bodies = &store.bodies;
    let goes_on = bodies.movers.get(slot).is_none_or(|mover| mover.journey.is_none());
    goes_on && !bodies.contacts.is_blocked(slot) && is_same(store.true_velocity(slot), velocity)
}
