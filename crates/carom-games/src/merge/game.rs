use super::Action;
use crate::random::Random;
use crate::{Error, FallingRules, Input, Inputs};
use carom::{
    DVec2, Disc, DiscForces, DiscId, DiscRef, Event, Forces, Judged, QueryFilter, Region, SchedulerKind,
    Settings, Sink, Standstill, StopReason, TimerId, Wall, World,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The physics of the game: gravity and its rules.
pub type Physics = Judged<Forces, FallingRules>;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What decides the sizes of the discs that are dropped.
    pub seed: u64,
    /// The largest size that is dropped, 1 to [`Game::SIZES`].
    pub largest: u64,
    /// Which scheduler the world has: the bits of a game do not depend on it.
    pub scheduler: SchedulerKind,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 0, largest: 5, scheduler: SchedulerKind::Fastest }
    }
}

/// What the rules wait for.
#[derive(Clone, Copy)]
enum News {
    /// Two of one size touch.
    Touch([DiscId; 2]),
    /// A disc is above the line.
    Above(DiscId),
    /// It is no longer.
    Below(DiscId),
    Timer(TimerId),
}

/// Stops the run at what the rules wait for, and shows all events to an observer.
struct Watch<'a> {
    news: Vec<News>,
    observer: &'a mut dyn FnMut(&Event<Standstill>),
}

impl Sink<Physics> for Watch<'_> {
    fn event(&mut self, event: &Event<Standstill>) -> ControlFlow<()> {
        (self.observer)(event);
        let news = match event {
            Event::Passed(passage) => passage.b.disc().map(|b| News::Touch([passage.a, b])),
            Event::Entered(crossing) => Some(News::Above(crossing.disc)),
            Event::Left(crossing) => Some(News::Below(crossing.disc)),
            Event::Timer { timer, .. } => Some(News::Timer(*timer)),
            _ => None,
        };
        self.news.extend(news);
        if news.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The state of a game. A clone is another game that goes on in the same way; saved and loaded it does, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    world: World<Physics>,
    inputs: Inputs<Action>,
    seed: u64,
    largest: u64,
    /// How many discs have been dropped.
    dropped: u64,
    aim: f64,
    /// When the dropper holds the next disc.
    loaded: f64,
    /// Discs that are not as large yet as they are to be.
    growing: Vec<DiscId>,
    /// When they grow next.
    growth: Option<TimerId>,
    /// Discs above the line, and when each ends the game.
    above: Vec<(DiscId, TimerId)>,
    over: Option<f64>,
    score: u64,
    /// Times, places and sizes of what has merged lately, to be drawn.
    flashes: Vec<(f64, DVec2, u64)>,
}

impl Game {
    /// Sizes of discs, from 1 to this.
    pub const SIZES: u64 = 11;
    /// Half of the width of the box, whose floor is at height 0 and whose middle is at 0.
    pub const HALF_WIDTH: f64 = 4.0;
    /// Height of the line above which nothing may stay.
    pub const LINE: f64 = 10.0;
    /// Height of the centre of the disc that the dropper holds.
    pub const DROPPER: f64 = 11.5;
    /// Acceleration of what falls.
    pub const GRAVITY: f64 = 20.0;
    /// Coefficient of restitution of all discs and of the box.
    pub const RESTITUTION: f64 = 0.1;
    /// Seconds from a drop until the dropper holds the next disc.
    pub const RELOAD: f64 = 0.5;
    /// Seconds that a disc may be above the line, with any part of it.
    pub const GRACE: f64 = 2.0;
    /// Speed at which a radius grows.
    pub const GROWTH: f64 = 1.5;
    /// Seconds between two steps of growth. A step is 1/24 of the radius of the smallest disc.
    pub const STEP: f64 = 1.0 / 120.0;
    /// How far a step of growth pushes any disc at most: as far as a diameter grows, which in a corner goes
    /// to one side.
    pub const PUSH: f64 = 2.0 * Self::GROWTH * Self::STEP;
    /// Seconds for which a merger is drawn.
    pub(super) const FLASH: f64 = 0.4;

    /// The start of a game: an empty box.
    ///
    /// # Errors
    /// [`carom::Error::OutOfRange`] if there is no such largest size.
    pub fn new(options: &Options) -> Result<Self, Error> {
        if !(1..=Self::SIZES).contains(&options.largest) {
            let (field, value, allowed) = ("largest", options.largest as f64, "a size from 1 to 11");
            return Err(carom::Error::OutOfRange { field, value, allowed }.into());
        }
        let settings = Settings::default().with_scheduler(options.scheduler).with_record_events(false);
        let forces = Forces::new().with_gravity([0.0, -Self::GRAVITY])?;
        let mut world = World::with_physics(Judged::new(forces, FallingRules::Merge), settings)?;
        let half = Self::HALF_WIDTH;
        for (point, normal) in
            [([0.0, 0.0], [0.0, 1.0]), ([-half, 0.0], [1.0, 0.0]), ([half, 0.0], [-1.0, 0.0])]
        {
            world.add_wall(Wall::half_plane(point, normal).with_restitution(Self::RESTITUTION))?;
        }
        world.add_region(Region::half_plane([0.0, Self::LINE], [0.0, -1.0]).by_edge())?;
        Ok(Game {
            world,
            inputs: Inputs::default(),
            seed: options.seed,
            largest: options.largest,
            dropped: 0,
            aim: 0.0,
            loaded: 0.0,
            growing: Vec::new(),
            growth: None,
            above: Vec::new(),
            over: None,
            score: 0,
            flashes: Vec::new(),
        })
    }

    /// The radius of a size: each has twice the volume of the one before, as balls of one stuff have that
    /// merge.
    #[must_use]
    pub fn radius(size: u64) -> f64 {
        const ROOTS: [f64; 3] = [1.0, 1.259_921_049_894_873_2, 1.587_401_051_968_199_4];
        let step = size.saturating_sub(1);
        0.3 * ROOTS[(step % 3) as usize] * (1_u64 << (step / 3).min(63)) as f64
    }

    /// The mass of a size: that of the two that it is made of.
    #[must_use]
    pub fn mass(size: u64) -> f64 {
        (1_u64 << size.saturating_sub(1).min(63)) as f64
    }

    fn disc(size: u64, place: DVec2) -> Disc<DiscForces> {
        Disc::new(place, Self::radius(size))
            .with_mass(Self::mass(size))
            .with_restitution(Self::RESTITUTION)
            .with_user_data(size)
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
            self.apply(&input);
        }
        self.run_to(time, observer)?;
        let now = self.now();
        self.flashes.retain(|&(time, ..)| time > now - Self::FLASH);
        Ok(())
    }

    fn run_to(&mut self, time: f64, observer: &mut dyn FnMut(&Event<Standstill>)) -> Result<(), Error> {
        let mut watch = Watch { news: Vec::new(), observer };
        loop {
            let done = self.world.advance_to_with(time, &mut watch)?;
            for news in watch.news.drain(..) {
                match news {
                    News::Touch([a, b]) => self.merge(a, b)?,
                    News::Above(disc) => {
                        self.above.push((disc, self.world.set_timer(Self::GRACE, 0)?));
                    }
                    News::Below(disc) => self.let_go(disc),
                    News::Timer(timer) if self.growth == Some(timer) => self.grow()?,
                    News::Timer(_) => self.over = self.over.or(Some(self.now())),
                }
            }
            if self.growth.is_none() && !self.growing.is_empty() {
                self.growth = Some(self.world.set_timer(Self::STEP, 0)?);
            }
            match done.end {
                StopReason::Reached => return Ok(()),
                StopReason::Stopped => {}
                _ => return Err(Error::OutOfBudget { time: self.now() }),
            }
        }
    }

    /// A disc is no longer above the line, or no longer there.
    fn let_go(&mut self, disc: DiscId) {
        for (_, timer) in self.above.extract_if(.., |(other, _)| *other == disc) {
            self.world.cancel_timer(timer);
        }
    }

    /// Two of one size become one of the next, and two of the largest nothing.
    fn merge(&mut self, a: DiscId, b: DiscId) -> Result<(), Error> {
        // One of them has merged with a third at this instant.
        if !self.world.contains(a) || !self.world.contains(b) {
            return Ok(());
        }
        let (a, b) = (self.world.remove(a)?, self.world.remove(b)?);
        let (place, size) = (0.5 * (a.position + b.position), a.user_data);
        self.flashes.push((self.now(), place, size));
        if self.over.is_none() {
            self.score += size * (size + 1) / 2;
        }
        if size == Self::SIZES {
            return Ok(());
        }
        let mut near = Vec::new();
        self.world.nearest(place, 1, &QueryFilter::new(), &mut near)?;
        let next = Self::disc(size + 1, place);
        let room = near.first().map_or(next.radius, |near| near.distance.min(next.radius));
        // It is allowed to overlap, as it does in the middle of a step of growth.
        let next = next.with_radius(room).with_velocity(0.5 * (a.velocity + b.velocity)).with_overlap();
        self.growing.push(self.world.insert(next)?);
        Ok(())
    }

    /// A step of growth. One that would touch another of its size merges with it; all others become larger
    /// together.
    fn grow(&mut self) -> Result<(), Error> {
        self.growth = None;
        for disc in std::mem::take(&mut self.growing) {
            let Some(now) = self.world.get(disc) else { continue };
            let (place, size) = (now.position(), now.user_data());
            let radius = Self::grown(size, now.radius(), 1.0);
            let mut near = Vec::new();
            self.world.overlap_disc(place, radius, &QueryFilter::new().excluding(disc), &mut near)?;
            let is_equal =
                |other: &DiscId| self.world.get(*other).is_some_and(|other| other.user_data() == size);
            match near.iter().filter_map(|near| near.disc()).find(is_equal) {
                Some(other) => self.merge(disc, other)?,
                None => self.growing.push(disc),
            }
        }
        // Where a disc is wedged in it goes further than what pushes it, or finds no room: then the step is
        // tried smaller, as the moves are nearly in proportion to it, and at last left for later.
        let mut share = 1.0;
        for _ in 0..4 {
            let mut larger = self.world.clone();
            for &disc in &self.growing {
                if let Some(now) = self.world.get(disc) {
                    larger.set_radius(disc, Self::grown(now.user_data(), now.radius(), share))?;
                }
            }
            let Ok(moves) = larger.push_apart() else {
                share *= 0.5;
                continue;
            };
            let furthest = moves.iter().map(|moved| moved.from.distance(moved.to)).fold(0.0, f64::max);
            if furthest <= Self::PUSH {
                self.world = larger;
                break;
            }
            share *= 0.9 * Self::PUSH / furthest;
        }
        let is_full = |disc: &DiscRef<'_, Physics>| disc.radius() == Self::radius(disc.user_data());
        self.growing.retain(|&disc| self.world.get(disc).is_some_and(|disc| !is_full(&disc)));
        Ok(())
    }

    /// The radius of a disc after a share of a step.
    fn grown(size: u64, radius: f64, share: f64) -> f64 {
        Self::radius(size).min(radius + share * (Self::GROWTH * Self::STEP))
    }

    fn apply(&mut self, input: &Input<Action>) {
        match input.action {
            // NaN and infinity are not places: such an input is ignored.
            Action::Aim(x) if x.is_finite() => self.aim = x,
            Action::Aim(_) => {}
            Action::Drop => self.let_fall(),
        }
    }

    /// Lets go of the disc in the dropper. Where something is in the way nothing falls.
    fn let_fall(&mut self) {
        if self.is_loaded() && self.world.insert(Self::disc(self.held(), self.dropper())).is_ok() {
            self.dropped += 1;
            self.loaded = self.now() + Self::RELOAD;
        }
    }

    /// The size of a disc by when it is dropped: the first is number 0.
    #[must_use]
    pub fn size_of(&self, n: u64) -> u64 {
        let share = Random::new(self.seed.wrapping_mul(1 << 20).wrapping_add(n)).share();
        1 + (self.largest as f64 * share) as u64
    }

    /// Seconds since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.world.now().as_secs()
    }

    /// The world, to be looked at. The user data of a disc is its size.
    #[must_use]
    pub fn world(&self) -> &World<Physics> {
        &self.world
    }

    /// The points: of two discs that merge the sum of the numbers up to their size.
    #[must_use]
    pub fn score(&self) -> u64 {
        self.score
    }

    /// When the game was over, if it is.
    #[must_use]
    pub fn over(&self) -> Option<f64> {
        self.over
    }

    /// How many discs have been dropped.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The size of the disc that the dropper holds, or will hold next.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.size_of(self.dropped)
    }

    /// The size of the one after it.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.size_of(self.dropped + 1)
    }

    /// Whether the dropper holds a disc.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.over.is_none() && self.now() >= self.loaded
    }

    /// Where the disc that the dropper holds is let go.
    #[must_use]
    pub fn dropper(&self) -> DVec2 {
        let room = Self::HALF_WIDTH - Self::radius(self.held());
        DVec2::new(self.aim.clamp(-room, room), Self::DROPPER)
    }

    /// When what is above the line ends the game if it stays there.
    #[must_use]
    pub fn ends_at(&self) -> Option<f64> {
        let &(_, first) = self.above.first()?;
        self.world.timers().find_map(|(timer, time)| (timer == first).then_some(time.as_secs()))
    }

    pub(super) fn flashes(&self) -> &[(f64, DVec2, u64)] {
        &self.flashes
    }
}
