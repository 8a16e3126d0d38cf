use super::exchange::Sides;
use crate::Moment;
use crate::error::check;
use crate::sink::{Sink, Watched};
use crate::state::timers::Timer;
use crate::walls::drift::Drift;
use crate::walls::moved::{Moved, Travel};
use crate::{Error, Event, Physics, RegionShape, WallId, WallShape, World};
use carom_math::{DVec2, Time, sqrt};
use std::borrow::Cow;
use std::sync::Arc;

/// Where a wall is at the present, and how it moves: see [`World::wall_motion`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WallMotion {
    /// How far it is from where it was put up.
    pub offset: DVec2,
    /// Length units per second; 0 at rest.
    pub velocity: DVec2,
    /// Where it is going to stand, from where it was put up; at rest where it stands.
    pub target: DVec2,
}

/// Walls that move: lifts, doors, platforms, pistons and paddles.
impl<P: Physics> World<P> {
    /// Moves a wall in a straight line, at a constant velocity, to where it is `offset` from where it was put
    /// up, at the time `by`, and there it stands from then on. Returns the time of arrival, which is later if
    /// the wall has a [largest speed](crate::Wall::with_max_speed), and is the time of an
    /// [`Event::WallMoved`]. A new call, while it moves, goes on from where it is. A wall that is where it is
    /// sent to stops, at once and without an event.
    ///
    /// Its coordinates are those with which it was put up and `offset`, added and rounded once: it comes
    /// back to the same bits however often it goes to and fro.
    ///
    /// Nothing deflects it. Discs bounce off at the velocity of its surface; what is soft is pushed along,
    /// and under forces what rests on it is carried: its own frame is an inertial one, in which contacts
    /// are held, and times of impact are as exact, as on walls at rest. Friction at its surface is that of
    /// the physics at impacts; what is held slides on it without. Kinematic discs and other walls pass
    /// through it. Where it closes in on discs that have no room it stays, with [`Event::WallBlocked`],
    /// unless the [rule](crate::CrushRule) is to stop the world.
    ///
    /// Walls of all forms move but circles, arcs and stadiums, which have a hollow side. Cost: as of
    /// [`World::add_wall`] now and when it stops, of all that it sweeps; a half-plane sweeps all.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// let piston = world.add_wall(Wall::segment([0.0, -1.0], [0.0, 1.0]))?;
    /// let ball = world.insert(Disc::new([2.5, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
    /// // It goes 3 m at 3 m/s, and hits the ball half a second from now; that leaves at 2 · 3 + 1 m/s.
    /// world.move_wall(piston, [3.0, 0.0], 1.0)?;
    /// world.advance(1.0)?;
    /// assert_eq!(world.get(ball).map(|ball| ball.velocity()), Some(DVec2::new(7.0, 0.0)));
    /// assert_eq!(world.wall_motion(piston).map(|piston| piston.velocity), Some(DVec2::ZERO));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the wall has been removed, has a hollow side, is an arm that turns, or is a region that sees discs;
    /// if a coordinate of it would be out of range; if `by` is not after the present, not finite, or beyond
    /// the clock's horizon, or so near that the speed would be out of range; if the wall would not repeat
    /// itself with the world; if there is drag, or radii grow.
    pub fn move_wall(
        &mut self,
        id: WallId,
        offset: impl Into<DVec2>,
        by: impl Into<Moment>,
    ) -> Result<Time, Error> {
        let (slot, to) = (self.store.walls.slot(id)?, offset.into());
        self.check_movable(id, slot)?;
        check::point(["offset.x", "offset.y"], to)?;
        let by = self.store.at(by.into())?;
        let seconds = by.since(self.store.now);
        if seconds <= 0.0 {
            let reason = "a move takes time, so that it ends after the present";
            return Err(Error::Inconsistent { field: "by", value: by.as_secs(), reason });
        }
        let here = self.moved_now(slot);
        let there = crate::Wall { shape: here.shape_at(to), ..self.store.walls.get(slot).clone() };
        there.check()?;
        let way = to - here.offset;
        if way == DVec2::ZERO {
            _ = self.stop_wall(slot);
            return Ok(self.store.now);
        }
        let (length, most) = (sqrt(way.length_squared()), self.store.walls.get(slot).max_speed);
        let (velocity, arrival) = if length / seconds > most {
            (way * (most / length), self.store.at(Moment::Exact(self.after(length / most)?))?)
        } else {
            (way / seconds, by)
        };
        check::velocity(velocity)?;
        if arrival == self.store.now {
            self.end_travel(slot);
            self.stand_at(slot, Moved { offset: to, ..here });
            return Ok(arrival);
        }
        let drift = Drift { velocity, from: self.store.now, lasts: arrival.since(self.store.now) };
        self.set_off_wall(id, slot, here, (drift, to, arrival))?;
        Ok(arrival)
    }

    /// How far a wall is at the present from where it was put up, and how it moves; `None` if it has been
    /// removed. O(log n) in the number of walls that move or have moved.
    #[must_use]
    pub fn wall_motion(&self, id: WallId) -> Option<WallMotion> {
        let slot = self.store.walls.slot(id).ok()?;
        let Some(moved) = self.store.walls.moved(slot) else {
            return Some(WallMotion { offset: DVec2::ZERO, velocity: DVec2::ZERO, target: DVec2::ZERO });
        };
        let offset = moved.offset_at(self.store.now);
        let at_rest = (DVec2::ZERO, offset);
        let (velocity, target) =
            moved.travel.as_ref().map_or(at_rest, |travel| (travel.drift.velocity, travel.to));
        Some(WallMotion { offset, velocity, target })
    }

    /// The form and place of a wall at the present, also while it moves or turns; `None` if it has been
    /// removed.
    #[must_use]
    pub fn wall_shape(&self, id: WallId) -> Option<Cow<'_, WallShape>> {
        let slot = self.store.walls.slot(id).ok()?;
        Some(self.shape_now(id, self.store.walls.get(slot)))
    }

    /// Refuses a wall that cannot move.
    fn check_movable(&self, id: WallId, slot: u32) -> Result<(), Error> {
        let refused = |reason| Err(Error::CannotMoveWall { wall: id, reason });
        if let Some(reason) = self.store.walls.get(slot).shape.why_fixed() {
            return refused(reason);
        }
        if self.store.walls.turn_of(slot).is_some() {
            return refused("it is an arm that turns");
        }
        if self.store.drag().is_some() {
            return refused("under drag the times at which discs hit it are not known");
        }
        if self.store.bodies.growth.is_on() {
            return refused("discs grow, and the times at which they hit it are not known");
        }
        if self.regions().any(|(_, region)| region.shape == RegionShape::Wall { wall: id }) {
            return refused("it is a region, and these do not move");
        }
        Ok(())
    }

    /// A wall as it would stand if it stopped now.
    fn moved_now(&self, slot: u32) -> Moved {
        match self.store.walls.moved(slot) {
            Some(moved) => Moved { offset: moved.offset_at(self.store.now), travel: None, ..moved.clone() },
            None => {
                let home = Arc::new(self.store.walls.get(slot).shape.clone());
                Moved { wall: slot, home, offset: DVec2::ZERO, travel: None }
            }
        }
    }

    /// Lets a wall move from where it is now.
    fn set_off_wall(
        &mut self,
        id: WallId,
        slot: u32,
        here: Moved,
        (drift, to, arrival): (Drift, DVec2, Time),
    ) -> Result<(), Error> {
        let shape = here.shape_at(here.offset);
        let parts = crate::Wall::<P::Surface>::new(shape.clone()).parts()?;
        self.end_travel(slot);
        self.exchange_parts(slot, parts, Some(drift), &Sides::Same);
        self.store.walls.get_mut(slot).shape = shape;
        let timer = self.store.timers.add(arrival, Timer::Moved(id));
        self.store.walls.set_moved(Moved { travel: Some(Travel { drift, to, timer }), ..here });
        Ok(())
    }

    /// Ends the motion of a wall, if it moves. Its parts are as they were.
    pub(super) fn end_travel(&mut self, slot: u32) {
        if let Some(timer) = self.store.walls.travel_of(slot).map(|travel| travel.timer) {
            self.store.timers.remove(timer);
        }
    }

    /// Puts a wall up at rest where it is.
    fn stand_at(&mut self, slot: u32, moved: Moved) {
        let shape = moved.shape_at(moved.offset);
        // On the way between two places at which it is a wall it is one, but for what rounding does to its
        // form.
        let Ok(parts) = crate::Wall::<P::Surface>::new(shape.clone()).parts() else { return };
        self.exchange_parts(slot, parts, None, &Sides::Same);
        self.store.walls.get_mut(slot).shape = shape;
        self.store.walls.set_moved(Moved { travel: None, ..moved });
    }

    /// Stops a wall where it is, if it moves. How far that is from where it was put up, and where it was
    /// sent to.
    fn stop_wall(&mut self, slot: u32) -> Option<(DVec2, DVec2)> {
        let to = self.store.walls.travel_of(slot)?.to;
        let here = self.moved_now(slot);
        let offset = here.offset;
        self.end_travel(slot);
        self.stand_at(slot, here);
        Some((offset, to))
    }

    /// Stops all walls where they are.
    pub(crate) fn stop_walls(&mut self) {
        let moving = self.store.walls.moved.iter().filter(|moved| moved.travel.is_some());
        let moving: Vec<u32> = moving.map(|moved| moved.wall).collect();
        moving.into_iter().for_each(|slot| _ = self.stop_wall(slot));
    }

    /// A wall is where it was sent.
    pub(super) fn end_of_travel<K: Sink<P>>(&mut self, wall: WallId, sink: &mut Watched<'_, K>) {
        let Ok(slot) = self.store.walls.slot(wall) else { return };
        let Some(offset) = self.store.walls.travel_of(slot).map(|travel| travel.to) else { return };
        let here = self.moved_now(slot);
        self.stand_at(slot, Moved { offset, ..here });
        if K::ACTIVE {
            _ = Sink::<P>::event(sink, &Event::WallMoved { time: self.now(), wall, offset });
        }
    }

    /// Stops walls, given by their slots, that close in on what has no room.
    pub(crate) fn block_walls<K: Sink<P>>(&mut self, walls: &[u32], sink: &mut K) {
        for &slot in walls {
            let (time, wall) = (self.now(), self.store.walls.id(slot));
            let event = if let Some((offset, target)) = self.stop_wall(slot) {
                Event::WallBlocked { time, wall, offset, target }
            } else if let Some((angle, target)) = self.stop_arm(slot) {
                Event::TurnBlocked { time, wall, angle, target }
            } else {
                continue;
            };
            if K::ACTIVE {
                _ = sink.event(&event);
            }
        }
    }
}
