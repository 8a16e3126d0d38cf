use crate::edit::WallChange;
use crate::error::check;
use crate::respond::crush::closing_walls;
use crate::sink::{Sink, Watched};
use crate::store::{Common, Onward};
use crate::walls::motion::{Course, WallPose, Way};
use crate::{Error, Event, Moment, Physics, StopReason, WallId, WallShape, World, apply};
use carom_math::{DVec2, Time};
use std::borrow::Cow;

/// An arm at the present: see [`World::arm`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArmState {
    /// Its angle from the x axis, radians.
    pub angle: f64,
    /// Radians per second, counter-clockwise if positive; 0 at rest.
    pub rate: f64,
    /// The angle at which it stops; at rest its own.
    pub target: f64,
}

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

/// # Turning arms
/// Flippers, gates and other walls turn about a pivot.
impl<P: Physics> World<P> {
    /// Turns an [arm](crate::Wall::arm) to an angle, at this many radians per second: counter-clockwise if
    /// the angle is larger than its own, by as many turns as that takes. It stops there to the last bit.
    /// Returns when, which is also the time of an [`Event::Turned`]. A new call, while it turns, goes on
    /// from where it is, and one that [continues](World#frames) the turn changes its end alone.
    ///
    /// Nothing deflects it. Discs bounce off at the velocity that its surface has where they touch, and what
    /// lies in its way is hit at once; kinematic discs pass through it. Nothing comes to rest on an arm that
    /// turns. A disc leaves it at no less than 1/128 of the speed of the tip, and fast enough to rise 1/1024
    /// of its radius (of the arm's reach, for a point) against its acceleration. So a disc that is pressed on
    /// the arm hops along it, a bounded number of times, and the arm does the work for that. Where it closes
    /// in on discs that have no room it stops, with [`Event::TurnBlocked`], unless the
    /// [rule](crate::CrushRule) is to stop the world.
    ///
    /// Times of impact with it have no closed form and are found by search, as exactly as those with fixed
    /// walls: see [`carom_math::toi::disc_arm`]. Cost: as of [`World::add_wall`] now and when it stops.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Wall, World};
    ///
    /// let mut world = World::new();
    /// let flipper = world.add_wall(Wall::arm([0.0, 0.0], 2.0, 0.2, -0.5))?;
    /// let ball = world.insert(Disc::new([1.5, 0.3], 0.25))?;
    /// // 1 radian at 20 rad/s. Where the ball is the surface goes at 30 m/s, and it leaves at twice that.
    /// let stops = world.turn_arm(flipper, 0.5, 20.0)?;
    /// world.advance(0.1)?;
    /// assert_eq!(stops.as_secs(), 0.05);
    /// assert_eq!(world.arm(flipper).map(|arm| (arm.angle, arm.rate)), Some((0.5, 0.0)));
    /// assert!(world.get(ball).is_some_and(|ball| (55.0..65.0).contains(&ball.velocity().length())));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the wall has been removed or is no arm, moves, or is a region that sees discs; if the angle is
    /// not within ±10⁶, the rate is not positive, or its tip would be too fast; if it would arrive beyond
    /// the clock's horizon; if there is drag, or radii grow.
    pub fn turn_arm(&mut self, id: WallId, to: f64, rate: f64) -> Result<Time, Error> {
        let (slot, now) = (self.store.walls.slot(id)?, self.store.now);
        let refused = |reason| Error::CannotTurn { wall: id, reason };
        let WallShape::Arm { length, radius, angle, .. } = *self.store.shape_of_wall(slot) else {
            return Err(refused("it is no arm"));
        };
        check::turned_to(to)?;
        check::turning_rate(rate, length + radius)?;
        if let Some(reason) = why_still(&self.store, id, "it is a region, and these do not turn") {
            return Err(refused(reason));
        }
        match self.store.walls.course(slot) {
            Some(course) if !course.is_over() && !course.way.is_rotation() => {
                return Err(refused("it moves"));
            }
            Some(course) if !course.is_over() => {}
            _ if to == angle => return Ok(now),
            _ => {}
        }
        let stops = self.store.after((to - angle).abs() / rate)?;
        let rate = if to > angle { rate } else { -rate };
        self.send_wall(id, Way::Rotation { angle, rate, to }, stops)?;
        Ok(stops)
    }

    /// The angle of an [arm](crate::Wall::arm) at the present, and how it turns; `None` if the wall has been
    /// removed or is not an arm. O(log n) in the number of walls that turn or move, or have moved.
    #[must_use]
    pub fn arm(&self, id: WallId) -> Option<ArmState> {
        let (walls, slot) = (&self.store.walls, self.store.walls.slot(id).ok()?);
        let WallShape::Arm { angle, .. } = *self.store.shape_of_wall(slot) else { return None };
        let course = walls.course(slot).filter(|course| !course.is_over());
        let (rate, target) = match course.map(|course| course.way) {
            Some(Way::Rotation { rate, to, .. }) => (rate, to),
            _ => (0.0, angle),
        };
        Some(ArmState { angle, rate, target })
    }

    /// Stops the walls that turn or move and close in on what has no room, or else ends the growth of radii.
    pub(super) fn make_room<K: Sink<P>>(&mut self, sink: &mut K) -> Result<(), StopReason> {
        let walls =
            self.scratch.group.as_ref().map(|group| closing_walls(&self.store, group)).unwrap_or_default();
        if walls.is_empty() {
            self.change_growth(0.0);
            if K::ACTIVE {
                let _ = sink.event(&Event::GrowthEnded { time: self.store.now });
            }
            return Err(StopReason::Outgrown);
        }
        self.block_walls(&walls, sink);
        Ok(())
    }
}

/// # Moving walls
/// Lifts, doors, platforms, pistons and paddles.
impl<P: Physics> World<P> {
    /// Moves a wall to where it is `offset` from where it was put up; it arrives after `seconds`.
    /// [`World::move_wall_until`] takes the time of arrival instead. The seconds are those of the world,
    /// whatever the [scale of time](World::set_time_scale) is.
    ///
    /// It goes in a straight line at a constant velocity, and stands still from then on. Returns the time of
    /// arrival, which is later if the wall has a [largest speed](crate::Wall::with_max_speed), and is the
    /// time of an [`Event::WallMoved`]. A new call, while it moves, goes on from where it is, and one that
    /// [continues](World#frames) the motion changes its end alone. A wall that is where it is sent to stops,
    /// at once and without an event.
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
    /// if a coordinate of it would be out of range; if the seconds are not positive, not finite, or beyond
    /// the clock's horizon, or so few that the speed would be out of range; if the wall would not repeat
    /// itself with the world; if there is drag, or radii grow.
    pub fn move_wall(&mut self, id: WallId, offset: impl Into<DVec2>, seconds: f64) -> Result<Time, Error> {
        let until = self.after(seconds)?;
        self.move_wall_until(id, offset, until)
    }

    /// As [`World::move_wall`], with the time of arrival: in seconds from the origin, or an exact [`Time`] of
    /// this world's clock.
    ///
    /// # Errors
    /// As [`World::move_wall`]; if `until` is not after the present.
    pub fn move_wall_until(
        &mut self,
        id: WallId,
        offset: impl Into<DVec2>,
        until: impl Into<Moment>,
    ) -> Result<Time, Error> {
        let (slot, to, now) = (self.store.walls.slot(id)?, offset.into(), self.store.now);
        let (wall, course) = (self.store.wall(slot), self.store.walls.course(slot));
        let turning = course.filter(|course| course.way.is_rotation() && !course.is_over());
        let why_arm = || turning.map(|_| "it is an arm that turns");
        let why_still = || why_still(&self.store, id, "it is a region, and these do not move");
        let why_fixed = wall.shape.why_fixed();
        if let Some(reason) = why_fixed.or_else(why_arm).or_else(why_still) {
            return Err(Error::CannotMoveWall { wall: id, reason });
        }
        check::point(["offset.x", "offset.y"], to)?;
        let time = self.store.time_to_move(until.into())?;
        let here = self.store.pose(slot).stopped(Some(now));
        let there = WallPose { offset: to, ..here.clone() };
        crate::Wall { shape: there.shape(), ..wall.clone() }.check()?;
        let way = to - here.offset;
        if way == DVec2::ZERO {
            self.stop_wall(slot);
            return Ok(now);
        }
        let (velocity, arrival) = self.store.course(way, time, wall.max_speed)?;
        self.send_wall(id, Way::Drift { velocity, to }, arrival)?;
        Ok(arrival)
    }

    /// How far a wall is at the present from where it was put up, and how it moves; `None` if it has been
    /// removed. O(log n) in the number of walls that move or have moved.
    #[must_use]
    pub fn wall_motion(&self, id: WallId) -> Option<WallMotion> {
        let slot = self.store.walls.slot(id).ok()?;
        let at_rest = |offset| WallMotion { offset, velocity: DVec2::ZERO, target: offset };
        let Some(pose) = self.store.walls.stored_pose(slot) else { return Some(at_rest(DVec2::ZERO)) };
        let offset = pose.stopped(Some(self.store.now)).offset;
        Some(match pose.course.filter(|course| !course.is_over()).map(|course| course.way) {
            Some(Way::Drift { velocity, to }) => WallMotion { offset, velocity, target: to },
            _ => at_rest(offset),
        })
    }

    /// The form and place of a wall at the present, also while it moves or turns; `None` if it has been
    /// removed.
    #[must_use]
    pub fn wall_shape(&self, id: WallId) -> Option<Cow<'_, WallShape>> {
        let slot = self.store.walls.slot(id).ok()?;
        Some(self.store.shape_of_wall(slot))
    }
}

// How their courses begin and end.
impl<P: Physics> World<P> {
    /// Sends a wall on its way, until it arrives at a time: at once, if that is the present. What continues
    /// its motion changes nothing but the end of that.
    fn send_wall(&mut self, id: WallId, way: Way, arrival: Time) -> Result<(), Error> {
        let (slot, now) = (id.slot(), self.store.now);
        let onward = self.store.course_on(slot, &way, arrival).filter(|_| arrival > now);
        let pose = self.store.pose(slot);
        let until = |from: Time, way| {
            let course = Course { way, from, lasts: arrival.since(from), timer: (arrival, 0) };
            WallPose { course: Some(course), ..pose.clone() }
        };
        match (onward, pose.course) {
            (Some(Onward::AsItGoes), Some(course)) => {
                let pose = until(course.from, course.way.to_end_of(&way));
                let parts = self.store.walls.plan_onward(slot, &pose, None)?;
                self.change_wall(slot, WallChange::Onward { pose, parts, is_aimed: false });
                Ok(())
            }
            (Some(Onward::Aimed(velocity)), Some(Course { from, .. })) if !way.is_rotation() => {
                let pose = until(from, way.with_velocity(velocity));
                let parts = self.store.walls.plan_onward(slot, &pose, Some(now))?;
                self.change_wall(slot, WallChange::Onward { pose, parts, is_aimed: true });
                Ok(())
            }
            _ => {
                if pose.course.is_some_and(|course| course.is_over()) {
                    self.stop_wall(slot);
                }
                let course = until(now, way).course;
                let pose = WallPose { course, ..pose.stopped(Some(now)) };
                self.set_pose(id, if arrival == now { pose.stopped(None) } else { pose }, way.is_rotation())
            }
        }
    }

    /// Stops a wall, if it turns or moves: where it has arrived, or else where it is. Returns what it is to
    /// report then.
    pub(crate) fn stop_wall(&mut self, slot: u32) -> Option<Event<P::Change>> {
        let (time, wall, pose) = (self.now(), self.store.walls.id(slot), self.store.pose(slot));
        let course = pose.course?;
        let stopped = pose.stopped(Some(self.store.now));
        let (angle, offset) = (stopped.angle(), stopped.offset);
        self.set_pose(wall, stopped, course.way.is_rotation()).ok()?;
        match course.way {
            _ if course.is_over() => None,
            Way::Rotation { to: target, .. } => Some(Event::TurnBlocked { time, wall, angle, target }),
            Way::Drift { to: target, .. } => Some(Event::WallBlocked { time, wall, offset, target }),
        }
    }

    /// A wall is where it was sent, and stops as time goes on.
    pub(super) fn wall_arrives<K: Sink<P>>(
        &mut self,
        wall: WallId,
        timer: (Time, u64),
        sink: &mut Watched<'_, K>,
    ) {
        let (Ok(slot), time) = (self.store.walls.slot(wall), self.now()) else { return };
        let Some(Course { way, .. }) = self.store.walls.course(slot) else { return };
        apply::wall::arrive(&mut self.store, slot, timer);
        if K::ACTIVE {
            _ = Sink::<P>::event(
                sink,
                &match way {
                    Way::Rotation { to: angle, .. } => Event::Turned { time, wall, angle },
                    Way::Drift { to: offset, .. } => Event::WallMoved { time, wall, offset },
                },
            );
        }
    }

    /// Stops walls, given by their slots, that close in on what has no room.
    pub(crate) fn block_walls<K: Sink<P>>(&mut self, walls: &[u32], sink: &mut K) {
        for &slot in walls {
            if let Some(event) = self.stop_wall(slot)
                && K::ACTIVE
            {
                _ = sink.event(&event);
            }
        }
    }

    /// Takes the parts of a wall down and puts those up that it has in another pose, as of the present. What
    /// touches it touches it as if it was put up then.
    fn set_pose(&mut self, id: WallId, pose: WallPose, is_turn: bool) -> Result<(), Error> {
        let (walls, slot) = (&self.store.walls, id.slot());
        let parts = walls.plan_pose(slot, &pose, self.store.now, self.store.impacts)?;
        self.change_wall(slot, WallChange::Posed { pose, parts, is_turn });
        Ok(())
    }
}

/// Why a wall may neither move nor turn in this world; `None` if it may.
fn why_still(store: &Common, id: WallId, of_region: &'static str) -> Option<&'static str> {
    if store.drag().is_some() {
        return Some("under drag the times at which discs hit it are not known");
    }
    if store.bodies.growth.is_on() {
        return Some("discs grow, and the times at which they hit it are not known");
    }
    store.sensing.as_ref().filter(|sensing| sensing.has_wall(id)).map(|_| of_region)
}
