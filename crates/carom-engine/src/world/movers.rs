use crate::edit::rewrite_here;
use crate::error::check;
use crate::sink::{Sink, Watched};
use crate::state::movers::Journey;
use crate::state::timers::Timer;
use crate::{DiscId, DiscRef, Error, Event, Moment, Physics, State, World};
use carom_broadphase::Slot;
use carom_math::{Time, sqrt};
use glam::DVec2;

/// Kinematic discs: mallets, platforms and other bodies that go where the caller sends them.
impl<P: Physics> World<P> {
    /// Sends a [kinematic](crate::Disc::kinematic) disc to a place: it goes there in a straight line at a
    /// constant speed, is at `target` to the last bit at the time `by`, and stands still from then on.
    /// Returns the time of arrival, which is later if the disc has a [largest
    /// speed](crate::Disc::with_max_speed). In a periodic world it takes the shortest way, and is at the
    /// image of `target` in the rectangle. O(log n) in the number of timers and kinematic discs, and one
    /// event of the budget on arrival, of which nothing is reported.
    ///
    /// A new call, or an edit of its place or velocity, ends the journey. Where bodies that it cannot push
    /// away stop it, and the [rule](crate::CrushRule) lets it give way, it goes on once they are gone; at
    /// the time of arrival it goes the rest of the way at the same speed, and arrives later. If it stands at
    /// that time then it stays, with [`Event::MoveBlocked`].
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, World};
    ///
    /// let mut world = World::new();
    /// let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic())?;
    /// let puck = world.insert(Disc::new([2.0, 0.0], 0.5))?;
    /// world.move_to(mallet, [1.3, 0.0], 0.1)?;
    /// world.advance(0.2)?;
    /// // It hits at 13 m/s, 1/13 s from now; the puck leaves at twice that.
    /// assert_eq!(world.get(mallet).map(|disc| disc.position()), Some(DVec2::new(1.3, 0.0)));
    /// assert_eq!(world.get(puck).map(|disc| disc.velocity()), Some(DVec2::new(26.0, 0.0)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the disc is gone, is not kinematic, or is off the plane; if a coordinate of the target is out of
    /// range; if `by` is not after the present, not finite, or beyond the clock's horizon, or so near that
    /// the speed would be out of range.
    pub fn move_to(
        &mut self,
        id: DiscId,
        target: impl Into<DVec2>,
        by: impl Into<Moment>,
    ) -> Result<Time, Error> {
        let (slot, target) = (self.store.bodies.slot(id)?, target.into());
        let Some(mover) = self.store.bodies.movers.get(slot) else {
            return Err(Error::CannotMove { disc: id, reason: "it is not kinematic" });
        };
        let max_speed = mover.max_speed;
        if self.store.bodies.off.contains(slot) {
            return Err(Error::CannotMove { disc: id, reason: "it is off the plane" });
        }
        check::point(["target.x", "target.y"], target)?;
        let by = self.store.at(by.into())?;
        let seconds = by.since(self.now());
        if seconds <= 0.0 {
            let reason = "a move takes time, so that it ends after the present";
            return Err(Error::Inconsistent { field: "by", value: by.as_secs(), reason });
        }
        let way = self.store.way_to(slot, target);
        let length = sqrt(way.length_squared());
        let (velocity, arrival) = if length / seconds > max_speed {
            (way * (max_speed / length), self.after(length / max_speed)?)
        } else {
            (way / seconds, by)
        };
        check::velocity(velocity)?;
        self.set_off(id, slot, target, velocity, arrival)?;
        Ok(arrival)
    }

    /// Gives a disc the velocity for a journey, and notes that.
    fn set_off(
        &mut self,
        id: DiscId,
        slot: Slot,
        target: DVec2,
        velocity: DVec2,
        arrival: Time,
    ) -> Result<(), Error> {
        self.set_velocity(id, velocity)?;
        let timer = self.store.timers.add(arrival, Timer::Arrival(id));
        if let Some(mover) = self.store.bodies.movers.get_mut(slot) {
            mover.journey = Some(Journey { target, velocity, timer, is_late: false });
        }
        Ok(())
    }

    /// The time of arrival of a disc has come. It is at its target; or it is late, and goes the rest of its
    /// way as fast as before, or stays if it stands.
    pub(super) fn arrive<K: Sink<P>>(&mut self, id: DiscId, sink: &mut Watched<'_, K>) {
        let Ok(slot) = self.store.bodies.slot(id) else { return };
        let Some(journey) = self.store.bodies.movers.take_journey(slot) else { return };
        let Journey { target, velocity, is_late, .. } = journey;
        let way = self.store.way_to(slot, target);
        if !is_late || way == DVec2::ZERO {
            let position = self.store.bodies.image_reached(slot, target, self.store.now);
            return self.stop_at(slot, position);
        }
        let bodies = &self.store.bodies;
        if !bodies.contacts.is_blocked(slot) && bodies.record(slot).velocity() != DVec2::ZERO {
            let seconds = sqrt(way.length_squared() / velocity.length_squared());
            let arrival = self.store.clock.after(self.store.now, seconds);
            if !arrival.is_never() && self.set_off(id, slot, target, way / seconds, arrival).is_ok() {
                return;
            }
        }
        self.stop_at(slot, self.store.state_now(slot).position);
        if K::ACTIVE {
            let position = DiscRef { store: &self.store, slot }.position();
            _ = sink.event(&Event::MoveBlocked { time: self.now(), disc: id, position, target });
        }
    }

    fn stop_at(&mut self, slot: Slot, position: DVec2) {
        let state = State { position, velocity: DVec2::ZERO, ..self.store.state_now(slot) };
        self.store.bodies.contacts.end_by_velocity(slot, self.store.now);
        rewrite_here(&mut self.store, slot, &state);
        self.placed(slot);
        self.store.sense(|sensing, flights| sensing.see_placed(flights, slot));
    }
}
