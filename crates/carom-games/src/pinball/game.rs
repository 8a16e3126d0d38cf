use super::table::{BUMPER, LANE, SLING, SWEEP, TARGET, TARGETS, flipper, flipper_angle, target, walls};
use super::{Action, Side};
use crate::{Error, FallingRules, Input, Inputs};
use carom::{
    DVec2, Disc, DiscId, Event, Forces, Judged, Region, SchedulerKind, Settings, Sink, Standstill,
    StopReason, WallId, World,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The physics of the game: gravity and its rules.
pub type Physics = Judged<Forces, FallingRules>;

/// How a game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which scheduler the world has: the bits of a game do not depend on it.
    pub scheduler: SchedulerKind,
}

/// What the rules wait for.
#[derive(Clone, Copy)]
enum News {
    Lost,
    Timer(u64),
}

/// Notes of timers.
const NEXT_BALL: u64 = 0;
const TARGETS_UP: u64 = 1;

/// Stops the run at what the rules wait for, counts points, and shows all events to an observer.
struct Watch<'a> {
    news: Option<News>,
    points: u64,
    dropped: usize,
    flashes: Vec<(f64, DVec2)>,
    observer: &'a mut dyn FnMut(&Event<Standstill>),
}

impl Sink<Physics> for Watch<'_> {
    fn event(&mut self, event: &Event<Standstill>) -> ControlFlow<()> {
        (self.observer)(event);
        match event {
            Event::Impact(impact) => {
                let points = match impact.user_data[1] {
                    BUMPER => 100,
                    SLING => 10,
                    TARGET.. if impact.b.wall().is_some() => 500,
                    _ => 0,
                };
                self.points += points;
                if points > 0 {
                    self.flashes.push((impact.time.as_secs(), impact.point));
                }
            }
            Event::WallRemoved { .. } => self.dropped += 1,
            Event::Entered(_) => self.news = Some(News::Lost),
            Event::Timer { note, .. } => self.news = Some(News::Timer(*note)),
            _ => {}
        }
        let is_due = self.news.is_some() || self.dropped == TARGETS.len();
        if is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The state of a game. A clone is another game that goes on in the same way; saved and loaded it does, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    world: World<Physics>,
    inputs: Inputs<Action>,
    ball: DiscId,
    /// The left one, then the right one.
    flippers: [WallId; 2],
    points: u64,
    lost: u32,
    /// How many targets are down.
    dropped: usize,
    /// Times and places of what has scored lately, to be drawn.
    flashes: Vec<(f64, DVec2)>,
}

impl Game {
    /// Radius of the ball.
    pub const BALL: f64 = 0.27;
    /// Acceleration down the table.
    pub const GRAVITY: f64 = 20.0;
    /// Greatest speed of a launch.
    pub const LAUNCH: f64 = 40.0;
    /// Greatest speed that a nudge gives.
    pub const NUDGE: f64 = 3.0;
    /// Seconds in which a flipper goes all the way up or down.
    pub const FLIP: f64 = 0.07;
    /// Seconds until the next ball, and until targets come up again.
    pub const WAIT: f64 = 1.0;
    /// Seconds for which a hit is drawn.
    pub(super) const FLASH: f64 = 0.3;

    /// The start of a game: the ball lies in the lane.
    ///
    /// # Errors
    /// If the world cannot be made; it can.
    pub fn new(options: &Options) -> Result<Self, Error> {
        let settings = Settings::default().with_scheduler(options.scheduler).with_record_events(false);
        let forces = Forces::new().with_gravity([0.0, -Self::GRAVITY])?;
        let physics = Judged::new(forces, FallingRules::Pinball { bumper: 9.0, sling: 7.0 });
        let mut world = World::with_physics(physics, settings)?;
        for wall in walls() {
            world.add_wall(wall)?;
        }
        for k in 0..TARGETS.len() {
            world.add_wall(target(k))?;
        }
        // Below the flippers the ball is lost.
        world.add_region(Region::half_plane([0.0, 0.0], [0.0, 1.0]).with_groups(!0, BALLS))?;
        let ball = Disc::new(LANE, Self::BALL).with_restitution(0.8).with_groups(BALLS, !0);
        let ball = world.insert(ball)?;
        let flippers = [world.add_wall(flipper(Side::Left))?, world.add_wall(flipper(Side::Right))?];
        let (inputs, flashes) = (Inputs::default(), Vec::new());
        Ok(Game { world, inputs, ball, flippers, points: 0, lost: 0, dropped: 0, flashes })
    }

    /// Takes an input, to be applied at its time.
    ///
    /// # Errors
    /// [`Error::Late`], [`Error::NoSuchPlayer`].
    pub fn input(&mut self, input: Input<Action>) -> Result<(), Error> {
        self.inputs.push(input, 1, self.now())
    }

    /// Plays up to a time, in seconds since the start.
    ///
    /// # Errors
    /// If the time is over or not finite; [`Error::OutOfBudget`].
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        self.advance_to_with(time, &mut |_| {})
    }

    /// As [`Game::advance_to`], with an observer of all events.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn advance_to_with(
        &mut self,
        time: f64,
        observer: &mut dyn FnMut(&Event<Standstill>),
    ) -> Result<(), Error> {
        while let Some(input) = self.inputs.take_until(time) {
            self.run_to(input.time, observer)?;
            self.apply(&input)?;
        }
        self.run_to(time, observer)?;
        let now = self.now();
        self.flashes.retain(|&(time, _)| time > now - Self::FLASH);
        Ok(())
    }

    fn run_to(&mut self, time: f64, observer: &mut dyn FnMut(&Event<Standstill>)) -> Result<(), Error> {
        let flashes = std::mem::take(&mut self.flashes);
        let mut watch = Watch { news: None, points: 0, dropped: self.dropped, flashes, observer };
        let end = loop {
            let done = self.world.advance_to_with(time, &mut watch)?;
            if watch.dropped == TARGETS.len() {
                watch.dropped = 0;
                watch.points += 5000;
                self.world.set_timer(Self::WAIT, TARGETS_UP)?;
            }
            match watch.news.take() {
                Some(News::Lost) => {
                    self.lost += 1;
                    self.world.set_enabled(self.ball, false)?;
                    self.world.set_timer(Self::WAIT, NEXT_BALL)?;
                }
                Some(News::Timer(NEXT_BALL)) => self.next_ball()?,
                Some(News::Timer(_)) => self.raise_targets()?,
                None => {}
            }
            if done.end != StopReason::Stopped {
                break done.end;
            }
        };
        self.points += watch.points;
        (self.flashes, self.dropped) = (watch.flashes, watch.dropped);
        if end == StopReason::Reached { Ok(()) } else { Err(Error::OutOfBudget { time: self.now() }) }
    }

    fn next_ball(&mut self) -> Result<(), Error> {
        self.world.set_velocity(self.ball, DVec2::ZERO)?;
        self.world.set_position(self.ball, LANE)?;
        self.world.set_enabled(self.ball, true)?;
        Ok(())
    }

    /// All at once, and not while the ball is in the way of one.
    fn raise_targets(&mut self) -> Result<(), Error> {
        let [ball, _] = self.ball_state();
        let is_clear =
            |foot: &DVec2| (ball - DVec2::new(foot.x, ball.y.clamp(foot.y, foot.y + 0.9))).length() > 0.3;
        if self.world.is_enabled(self.ball) && !TARGETS.iter().all(is_clear) {
            self.world.set_timer(0.1, TARGETS_UP)?;
            return Ok(());
        }
        for k in 0..TARGETS.len() {
            self.world.add_wall(target(k))?;
        }
        Ok(())
    }

    fn apply(&mut self, input: &Input<Action>) -> Result<(), Error> {
        match input.action {
            Action::Press(side) => self.flip(side, true),
            Action::Release(side) => self.flip(side, false),
            Action::Launch(speed) => {
                let [place, velocity] = self.ball_state();
                let lies = place.x > 5.0 && place.y < LANE.y + 0.1 && velocity.length() < 0.5;
                if lies && self.world.is_enabled(self.ball) && speed.is_finite() {
                    self.world.set_velocity(self.ball, [0.0, speed.clamp(0.0, Self::LAUNCH)])?;
                }
                Ok(())
            }
            Action::Nudge(push) => {
                let [_, velocity] = self.ball_state();
                if self.world.is_enabled(self.ball) && push.is_finite() {
                    let push = push.clamp_length_max(Self::NUDGE);
                    self.world.set_velocity(self.ball, velocity + push)?;
                }
                Ok(())
            }
        }
    }

    fn flip(&mut self, side: Side, is_up: bool) -> Result<(), Error> {
        let flipper = self.flippers[usize::from(side == Side::Right)];
        self.world.turn_arm(flipper, flipper_angle(side, is_up), SWEEP / Self::FLIP)?;
        Ok(())
    }

    /// Seconds since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.world.now().as_secs()
    }

    /// The world, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World<Physics> {
        &self.world
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }

    /// How many balls were lost.
    #[must_use]
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// The ball; off the plane from its loss until the next one.
    #[must_use]
    pub fn ball(&self) -> DiscId {
        self.ball
    }

    /// Place and velocity of the ball.
    #[must_use]
    pub fn ball_state(&self) -> [DVec2; 2] {
        self.world.get(self.ball).map_or([DVec2::ZERO; 2], |ball| [ball.position(), ball.velocity()])
    }

    /// The left flipper and the right one, which are arms.
    #[must_use]
    pub fn flippers(&self) -> [WallId; 2] {
        self.flippers
    }

    /// Which of the drop targets stand, the lowest first.
    #[must_use]
    pub fn targets(&self) -> [bool; TARGETS.len()] {
        let mut stand = [false; TARGETS.len()];
        for (_, wall) in self.world.walls() {
            if let Some(place) = wall.user_data.checked_sub(TARGET).and_then(|k| stand.get_mut(k as usize)) {
                *place = true;
            }
        }
        stand
    }

    pub(super) fn flashes(&self) -> &[(f64, DVec2)] {
        &self.flashes
    }
}

const BALLS: u32 = 1 << 0;
