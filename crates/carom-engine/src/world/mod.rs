mod advance;
mod bulk;
mod clone;
pub(crate) mod edit;
mod find;
mod measure;
mod moving_walls;
mod queries;
mod regions;
mod rules;
mod run;
#[cfg(feature = "serde")]
mod saved;
mod schedule;
pub(crate) mod stops;
mod timers;
mod walls;

pub use advance::{Upcoming, UpcomingKind};
pub use moving_walls::{ArmState, WallMotion};

use crate::apply;
use crate::apply::token::GuardedStore;
use crate::run::responder::Scratch;
use crate::state::positions_now::PositionsNow;
use crate::store::{Guarded, Store};
use crate::{Collapse, Error, Event, Physics, Settings, SimdLevel, Smooth, limits};
use carom_broadphase::{Scheduler, SchedulerKind};
use carom_math::{Clock, Time};

/// A simulation: discs, walls and the current time.
///
/// `advance` jumps from event to event and returns at the time asked for; everything can be read and edited
/// then. Between events nothing is stored or rounded, so the result does not depend on how the time was cut
/// into calls.
///
/// `P` is the physics: smooth discs by default.
///
/// # Edits
/// An edit is stored at once. What follows from several together is resolved where the next call of `advance`
/// begins: which rules come into force, and what discs rest against. Looking resolves nothing: questions,
/// forecasts, snapshots and clones between two edits change nothing of what follows.
///
/// # Frames
/// What is sent somewhere by [`move_wall`](World::move_wall), [`move_to`](World::move_to) or
/// [`turn_arm`](World::turn_arm) arrives in the call of `advance` to that time, and whoever asks then sees it
/// stand at its target. It stops as time goes on: where the next call to a later time begins, before what was
/// edited meanwhile. A command before that which leads on along its line at its speed continues its motion,
/// as if there had been one command: what rides on it rides on, and nothing is rewritten. So frame loops may
/// send things on in each frame, for the seconds that it lasts.
///
/// Targets and times of frames are rounded. A command continues a motion if at its end that is off by no more
/// than 4 ulp of the coordinates. What the first frame does not tell of a velocity, an ulp or two over the
/// length of the frame, later ones correct, in ever fewer steps. Something that arrives a rounding before a
/// frame ends stands for so long: then advance to the time that the command returns.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{DVec2, Disc, Wall, World};
///
/// let mut world = World::new();
/// world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(10.0)))?;
/// let ball = world.insert(Disc::new(DVec2::new(2.0, 5.0), 1.0).with_velocity(DVec2::new(3.0, 0.0)))?;
/// world.advance(3.0)?;
/// // From 2 to the wall at 10 − 1 in 7/3 s, and back for the rest.
/// let ball = world.get(ball).expect("it has not been removed");
/// assert!((ball.position().x - 7.0).abs() < 1e-14);
/// assert_eq!(ball.velocity().x, -3.0);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Debug)]
pub struct World<P: Physics = Smooth> {
    pub(crate) store: GuardedStore<P>,
    pub(crate) scheduler: Scheduler,
    /// Of the latest call that records them.
    pub(crate) events: Vec<Event<P::Change>>,
    /// A cache: where the discs are at an instant.
    pub(crate) positions_now: PositionsNow,
    pub(crate) scratch: Scratch<P::Extra>,
}

impl World {
    /// An empty world of smooth discs with default settings.
    #[must_use]
    pub fn new() -> Self {
        let settings = Settings::default();
        match Self::with_settings(settings) {
            Ok(world) => world,
            Err(_) => unreachable!("the default settings are in range"),
        }
    }

    /// An empty world of smooth discs.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Settings, World};
    ///
    /// let settings = Settings::default().with_period([Some(10.0), Some(10.0)]);
    /// let mut world = World::with_settings(settings)?;
    /// let id = world.insert(Disc::new([9.0, 5.0], 0.5).with_velocity([2.0, 0.0]))?;
    /// world.advance(1.0)?;
    /// assert_eq!(world.get(id).map(|disc| disc.position().x), Some(1.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn with_settings(settings: Settings) -> Result<Self, Error> {
        World::with_physics(Smooth, settings)
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl<P: Physics> World<P> {
    /// An empty world with a physics of one's own.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn with_physics(physics: P, settings: Settings) -> Result<Self, Error> {
        Store::new(physics, settings).map(World::of)
    }

    /// One that goes on from what is stored.
    fn of(store: Store<P>) -> Self {
        let mut world = World {
            store: Guarded::new(store),
            scheduler: Scheduler::default(),
            events: Vec::new(),
            positions_now: PositionsNow::default(),
            scratch: Scratch::default(),
        };
        world.begin_schedule();
        world
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.store.true_now()
    }

    /// The clock that makes this world's times.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        self.store.true_clock()
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.store.settings
    }

    /// Changes [`Settings::budget`]: the most events that one call of `advance` resolves.
    pub fn set_budget(&mut self, budget: u64) {
        apply::all::change_settings(self.store.common(), |settings| settings.budget = budget);
    }

    /// Changes [`Settings::collapse`], the rule against inelastic collapse, from the next impact on.
    ///
    /// # Errors
    /// If one of its numbers is out of range.
    pub fn set_collapse(&mut self, collapse: Option<Collapse>) -> Result<(), Error> {
        collapse.iter().try_for_each(Collapse::check)?;
        apply::all::change_settings(self.store.common(), |settings| settings.collapse = collapse);
        Ok(())
    }

    /// Changes [`Settings::record_events`]: whether `advance` keeps the events of the call.
    pub fn set_record_events(&mut self, record: bool) {
        apply::all::change_settings(self.store.common(), |settings| settings.record_events = record);
    }

    /// Changes [`Settings::instructions`], the widest vector instructions to use.
    pub fn set_instructions(&mut self, instructions: SimdLevel) {
        apply::all::change_settings(self.store.common(), |settings| settings.instructions = instructions);
    }

    /// Changes [`Settings::scheduler`]. Cheap if that is the one in use, else O(N) with the grid and O(N²)
    /// with the table.
    ///
    /// # Errors
    /// If there are more discs than it takes.
    pub fn set_scheduler(&mut self, wanted: SchedulerKind) -> Result<(), Error> {
        let most = limits::MAX_DISCS.min(Scheduler::capacity(wanted));
        if self.len() > most {
            return Err(Error::Full(most));
        }
        apply::all::change_settings(self.store.common(), |settings| settings.scheduler = wanted);
        self.choose_scheduler();
        Ok(())
    }

    /// The vector instructions in use: those of [`Settings::instructions`] if this machine has them, else
    /// the widest below. Never [`SimdLevel::Best`].
    #[must_use]
    pub fn instructions(&self) -> SimdLevel {
        self.store.simd.level()
    }
}
