use super::exchange::Sides;
use crate::Moment;
use crate::error::check;
use crate::sink::{Sink, Watched};
use crate::state::timers::Timer;
use crate::walls::moved::Moved;
use crate::walls::turn::{self, Turn};
use crate::{Error, Event, Physics, RegionShape, Wall, WallId, WallShape, World};
use carom_math::toi::Arm;
use carom_math::{DVec2, Time};
use std::borrow::Cow;
use std::sync::Arc;

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

/// Form and place of an arm at rest.
#[derive(Clone, Copy)]
struct Form {
    pivot: DVec2,
    length: f64,
    radius: f64,
    angle: f64,
}

/// Arms: flippers, gates and other walls that turn about a pivot.
impl<P: Physics> World<P> {
    /// Turns an [arm](crate::Wall::arm) to an angle, at so many radians per second: counter-clockwise if the
    /// angle is larger than its own, by as many turns as that takes. It stops there to the last bit. Returns
    /// when, which is also the time of an [`Event::Turned`]. A new call, while it turns, goes on from where
    /// it is.
    ///
    /// Nothing deflects it. Discs bounce off at the velocity that its surface has where they touch, and what
    /// lies in its way is hit at once; kinematic discs pass through it. Nothing comes to rest on an arm that
    /// turns: what parts from it does so at no less than a 128th of the speed of its tip, and no less than
    /// takes it up by a 1024th of its radius (of the arm's reach, for a point) against its acceleration; so
    /// what is pressed on the arm hops along it, a bounded number of times. The arm pays for that. Where it
    /// closes in on discs that have no room it stops, with [`Event::TurnBlocked`], unless the
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
        let slot = self.store.walls.slot(id)?;
        let refused = |reason| Error::CannotTurn { wall: id, reason };
        let form = self.arm_form(slot).ok_or(refused("it is no arm"))?;
        check::turned_to(to)?;
        check::turning_rate(rate, form.length + form.radius)?;
        if self.store.drag().is_some() {
            return Err(refused("under drag the times at which discs hit it are not known"));
        }
        if self.store.bodies.growth.is_on() {
            return Err(refused("discs grow, and the times at which they hit it are not known"));
        }
        if self.regions().any(|(_, region)| region.shape == RegionShape::Wall { wall: id }) {
            return Err(refused("it is a region, and these do not turn"));
        }
        if self.store.walls.travel_of(slot).is_some() {
            return Err(refused("it moves"));
        }
        if to == form.angle && self.store.walls.turn_of(slot).is_none() {
            return Ok(self.store.now);
        }
        let lasts = (to - form.angle).abs() / rate;
        let stops = self.store.at(Moment::Exact(self.after(lasts)?))?;
        self.end_turn(slot);
        if to == form.angle || stops == self.store.now {
            self.put_up_at_rest(slot, Form { angle: to, ..form });
            return Ok(stops);
        }
        let Form { pivot, length, radius, angle } = form;
        let rate = if to > angle { rate } else { -rate };
        let arm = Arm { pivot, length, radius, angle, rate, lasts: stops.since(self.store.now) };
        self.exchange_parts(slot, turn::turning(arm), None, &Sides::OfArm);
        let timer = self.store.timers.add(stops, Timer::Turned(id));
        self.store.walls.turns.push(Turn { wall: slot, to, timer });
        Ok(stops)
    }

    /// The angle of an [arm](crate::Wall::arm) at the present, and how it turns; `None` if the wall has been
    /// removed or is none. O(number of arms that turn).
    #[must_use]
    pub fn arm(&self, id: WallId) -> Option<ArmState> {
        let slot = self.store.walls.slot(id).ok()?;
        let Form { angle, .. } = self.arm_form(slot)?;
        let turn = self.store.walls.turn_of(slot).zip(self.store.walls.arm_of(slot));
        let (rate, target) = turn.map_or((0.0, angle), |(turn, (arm, _))| (arm.rate, turn.to));
        Some(ArmState { angle, rate, target })
    }

    /// An arm as it would be if it stopped now.
    fn arm_form(&self, slot: u32) -> Option<Form> {
        let &WallShape::Arm { pivot, length, radius, angle } = &self.store.walls.get(slot).shape else {
            return None;
        };
        let form = Form { pivot, length, radius, angle };
        let Some((turn, (arm, since))) = self.store.walls.turn_of(slot).zip(self.store.walls.arm_of(slot))
        else {
            return Some(form);
        };
        let angle = arm.angle + arm.rate * self.store.now.since(since);
        let angle = if arm.rate > 0.0 { angle.min(turn.to) } else { angle.max(turn.to) };
        Some(Form { angle, ..form })
    }

    /// Ends the turn of an arm, if it turns, where it is: its parts are as they were.
    pub(super) fn end_turn(&mut self, slot: u32) -> Option<Turn> {
        let turn = self.store.walls.take_turn(slot)?;
        self.store.timers.remove(turn.timer);
        Some(turn)
    }

    /// The form of a wall at the present.
    pub(crate) fn shape_now<'a>(&self, id: WallId, wall: &'a Wall<P::Surface>) -> Cow<'a, WallShape> {
        match (&wall.shape, self.arm(id)) {
            (&WallShape::Arm { pivot, length, radius, .. }, Some(ArmState { angle, .. })) => {
                Cow::Owned(WallShape::Arm { pivot, length, radius, angle })
            }
            (shape, _) => match self.store.walls.moved(id.slot()) {
                Some(moved) if moved.travel.is_some() => {
                    Cow::Owned(moved.shape_at(moved.offset_at(self.store.now)))
                }
                _ => Cow::Borrowed(shape),
            },
        }
    }

    /// Stops all arms where they are.
    pub(crate) fn stop_arms(&mut self) {
        while let Some(&Turn { wall, .. }) = self.store.walls.turns.first() {
            _ = self.stop_arm(wall);
        }
    }

    /// Stops an arm where it is, if it turns. Its angle, and that to which it was sent.
    pub(super) fn stop_arm(&mut self, slot: u32) -> Option<(f64, f64)> {
        let form = self.arm_form(slot)?;
        let turn = self.end_turn(slot)?;
        self.put_up_at_rest(slot, form);
        Some((form.angle, turn.to))
    }

    /// An arm is where it was sent.
    pub(super) fn end_of_turn<K: Sink<P>>(&mut self, wall: WallId, sink: &mut Watched<'_, K>) {
        let Ok(slot) = self.store.walls.slot(wall) else { return };
        let (Some(form), Some(turn)) = (self.arm_form(slot), self.store.walls.take_turn(slot)) else {
            return;
        };
        let angle = turn.to;
        self.put_up_at_rest(slot, Form { angle, ..form });
        if K::ACTIVE {
            _ = Sink::<P>::event(sink, &Event::Turned { time: self.now(), wall, angle });
        }
    }

    fn put_up_at_rest(&mut self, slot: u32, Form { pivot, length, radius, angle }: Form) {
        self.exchange_parts(slot, turn::resting(pivot, length, radius, angle), None, &Sides::OfArm);
        self.store.walls.get_mut(slot).shape = WallShape::Arm { pivot, length, radius, angle };
        if let Some(moved) = self.store.walls.take_moved(slot)
            && let WallShape::Arm { pivot, .. } = *moved.home
        {
            let home = Arc::new(WallShape::Arm { pivot, length, radius, angle });
            self.store.walls.set_moved(Moved { home, ..moved });
        }
    }
}
