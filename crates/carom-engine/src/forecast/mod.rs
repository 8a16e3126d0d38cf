//! What will happen: the path of a disc, the first impact of some kind. They advance a copy of the world;
//! that itself does not move.

mod follow;
mod freeze;
mod options;

pub use options::{ForecastOptions, PathEnd};

use crate::error::check;
use crate::sink::Listener;
use crate::{DiscId, Error, Event, Impact, PathPiece, Physics, Smooth, StopReason, World};
use core::ops::ControlFlow;
use follow::follow;
use freeze::freeze_but;

/// Looks ahead: the exact path of a disc, or who hits whom first, by advancing a copy of the world that is
/// kept from one forecast to the next. So all physics holds in it, and what it says is what will happen if
/// nothing is edited, to the last bit. The world is only read; its sinks see nothing.
///
/// Once warm a forecast allocates nothing where the table schedules; the grid allocates a few dozen times
/// where it takes another shape. It costs what the events cost until then, and before that the copying of the
/// world: see [`World::clone_from`](World#impl-Clone-for-World<P>).
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Forecast, ForecastOptions, Partner, Wall, World};
///
/// let mut world = World::new();
/// let wall = world.add_wall(Wall::container([0.0, 0.0], [10.0, 6.0]))?;
/// let cue = world.insert(Disc::new([2.0, 3.0], 0.5))?;
/// let ball = world.insert(Disc::new([6.0, 3.5], 0.5))?;
///
/// // Where would the cue ball go if it were struck like this?
/// let mut forecast = Forecast::new();
/// let options = ForecastOptions::new(3.0).with_max_impacts(2);
/// let path = forecast.path_after(&world, cue, &options, |copy| copy.set_velocity(cue, [5.0, 0.0]))?;
/// let met: Vec<Partner> = path.iter().filter_map(|piece| piece.met).map(|met| met.body).collect();
/// assert_eq!((met[0].disc(), met[1].wall()), (Some(ball), Some(wall)));
///
/// assert!(forecast.is_current(&world));
/// world.set_velocity(cue, [5.0, 0.0])?;
/// assert!(!forecast.is_current(&world));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forecast<P: Physics = Smooth> {
    copy: Option<World<P>>,
    pieces: Vec<PathPiece>,
    end: PathEnd,
    /// The edition of the world that the last forecast is of.
    of: Option<[u64; 2]>,
}

impl<P: Physics> Default for Forecast<P> {
    fn default() -> Self {
        Forecast::new()
    }
}

impl<P: Physics> Forecast<P> {
    /// Without memory yet.
    #[must_use]
    pub const fn new() -> Self {
        Forecast { copy: None, pieces: Vec::new(), end: PathEnd::Time, of: None }
    }

    /// The path of a disc from the present on, in pieces that follow each other without a gap: until some
    /// time has passed or it has had some impacts, with the others moving or standing still.
    ///
    /// It is the path that comes, to the last bit, if nothing is edited: journeys of kinematic discs and of
    /// walls end on it, and [timed commands](World::command_at) are carried out.
    ///
    /// How it ended says [`Forecast::end`]: also where the world's budget of events
    /// ([`Settings::budget`](crate::Settings::budget)) is used up before.
    ///
    /// # Errors
    /// If the disc is gone, a number is out of range, or the time would be beyond the clock's horizon. There
    /// is no path then.
    #[doc(alias = "trajectory")]
    #[doc(alias = "prediction")]
    #[doc(alias = "aim_line")]
    pub fn path(
        &mut self,
        world: &World<P>,
        id: DiscId,
        options: &ForecastOptions,
    ) -> Result<&[PathPiece], Error> {
        self.path_after(world, id, options, |_| Ok(()))
    }

    /// As [`Forecast::path`], after the copy has been edited or advanced: what would be if the disc were
    /// given this velocity?
    ///
    /// # Errors
    /// As [`Forecast::path`], and those of `edit`.
    pub fn path_after(
        &mut self,
        world: &World<P>,
        id: DiscId,
        options: &ForecastOptions,
        edit: impl FnOnce(&mut World<P>) -> Result<(), Error>,
    ) -> Result<&[PathPiece], Error> {
        options.check()?;
        self.pieces.clear();
        let copy = Self::refill(&mut self.copy, &mut self.of, world);
        edit(copy)?;
        let slot = copy.store.bodies.slot(id)?;
        if options.frozen {
            freeze_but(copy, slot);
        }
        self.end = follow(copy, id, options, &mut self.pieces)?;
        self.of = Some(world.store.edition.noted());
        Ok(&self.pieces)
    }

    /// The first impact, within some seconds from the present, that `is_wanted`: asked in the order of
    /// events, and of those of one group of all. No path is recorded: this costs what the events do.
    ///
    /// `None` if there is none; [`Forecast::end`] says whether the time has come, or the budget of events was
    /// used up before.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Forecast, World};
    ///
    /// let mut world = World::new();
    /// let bullet = world.insert(Disc::new([0.0, 0.0], 0.1).with_velocity([9.0, 0.0]))?;
    /// let ship = world.insert(Disc::new([5.0, 0.0], 0.4).with_velocity([0.0, 0.1]))?;
    /// let mut forecast = Forecast::new();
    /// let hit = forecast.first_impact(&world, 1.0, |impact| impact.involves(ship))?.expect("it is hit");
    /// assert!(hit.between(bullet, ship) && hit.time.as_secs() < 0.6);
    /// assert_eq!(world.now().as_secs(), 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the time is negative, not finite, or beyond the clock's horizon.
    pub fn first_impact(
        &mut self,
        world: &World<P>,
        max_time: f64,
        mut is_wanted: impl FnMut(&Impact) -> bool,
    ) -> Result<Option<Impact>, Error> {
        check::not_negative("max_time", max_time)?;
        let until = world.after(max_time)?;
        self.pieces.clear();
        let copy = Self::refill(&mut self.copy, &mut self.of, world);
        let mut found = None;
        let mut sink = |event: &Event<P::Change>| {
            if found.is_none() {
                found = event.impact().filter(|impact| is_wanted(impact)).copied();
            }
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ended = copy.run(until, copy.store.settings.budget, Listener::of(&mut sink)).end;
        self.end = match ended {
            StopReason::Reached => PathEnd::Time,
            StopReason::Stopped => PathEnd::Impacts,
            other => PathEnd::Stopped(other),
        };
        self.of = Some(world.store.edition.noted());
        Ok(found)
    }

    /// The pieces of the path that was forecast last; none after [`Forecast::first_impact`] or an error.
    #[must_use]
    pub fn pieces(&self) -> &[PathPiece] {
        &self.pieces
    }

    /// How the last forecast ended.
    #[must_use]
    pub fn end(&self) -> PathEnd {
        self.end
    }

    /// The world as it would be at the end of the last forecast, for where the others are then; `None` before
    /// the first.
    #[must_use]
    pub fn world_then(&self) -> Option<&World<P>> {
        self.copy.as_ref()
    }

    /// Whether the last forecast was made of this world, and the world has not been edited, nor had an event,
    /// since: see [`World::edits`]. Time that has passed without an event leaves it current.
    #[must_use]
    pub fn is_current(&self, world: &World<P>) -> bool {
        self.of == Some(world.store.edition.noted())
    }

    /// Overwrites the copy, of which there is no forecast yet.
    fn refill<'c>(
        copy: &'c mut Option<World<P>>,
        of: &mut Option<[u64; 2]>,
        world: &World<P>,
    ) -> &'c mut World<P> {
        *of = None;
        match copy {
            Some(copy) => {
                copy.clone_from(world);
                copy
            }
            None => copy.insert(world.clone()),
        }
    }
}
