// In the order in which the page of `World` shows their methods; blank lines keep it.
mod make;

mod walls;

mod advance;

mod queries;

pub(crate) mod edit;

mod bulk;

mod timers;

mod moving_walls;

mod rules;

mod regions;

mod find;

mod measure;

mod clone;
mod run;
#[cfg(feature = "serde")]
mod saved;
mod schedule;
pub(crate) mod stops;

pub use advance::{Upcoming, UpcomingKind};
pub use moving_walls::{ArmState, WallMotion};

use crate::apply::token::GuardedStore;
use crate::run::responder::Scratch;
use crate::state::positions_now::PositionsNow;
use crate::{Event, Physics, Smooth};
use carom_broadphase::Scheduler;

/// A simulation: discs, walls and the current time.
///
/// [`advance`](World::advance) jumps from event to event and returns at the time asked for; everything can be
/// read and edited then. Between events nothing is stored or rounded, so the result does not depend on how
/// the time was cut into calls.
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
///
/// # What to call
/// - make a world: [`new`](World::new), [`with_settings`](World::with_settings),
///   [`with_physics`](World::with_physics).
/// - put discs in, take them out: [`insert`](World::insert), [`remove`](World::remove),
///   [`retain`](World::retain), [`clear`](World::clear).
/// - put up walls: [`add_wall`](World::add_wall), [`remove_wall`](World::remove_wall).
/// - let time pass: [`advance`](World::advance), [`advance_to`](World::advance_to),
///   [`advance_until_event`](World::advance_until_event), [`step_event`](World::step_event).
/// - see what happened, and what is next: [`events`](World::events), [`next_event`](World::next_event).
/// - read discs and walls: [`get`](World::get), [`discs`](World::discs),
///   [`read_positions`](World::read_positions), [`read_velocities`](World::read_velocities),
///   [`walls`](World::walls).
/// - change them: [`set_velocity`](World::set_velocity), [`set_position`](World::set_position),
///   [`apply_impulse`](World::apply_impulse), [`set_radius`](World::set_radius).
/// - send them somewhere: [`move_to`](World::move_to), [`move_wall`](World::move_wall),
///   [`turn_arm`](World::turn_arm).
/// - have something happen at a time: [`set_timer`](World::set_timer), [`command_at`](World::command_at).
/// - say what collides: [`set_rules`](World::set_rules), [`exclude`](World::exclude),
///   [`set_enabled`](World::set_enabled).
/// - see who enters and leaves: [`add_region`](World::add_region), [`inside`](World::inside).
/// - ask what is where: [`nearest`](World::nearest), [`overlap_disc`](World::overlap_disc),
///   [`cast_ray`](World::cast_ray), [`cast_disc`](World::cast_disc).
/// - look ahead: [`Forecast`](crate::Forecast), [`state_at`](World::state_at).
/// - measure: [`kinetic_energy`](World::kinetic_energy), [`ledger`](World::ledger),
///   [`counters`](World::counters).
/// - compare, save and load: [`checksum`](World::checksum), [`diff`](World::diff),
///   and `carom::snapshot` with the feature `serde`.
///
/// # Type
/// `P` is the physics: [`Smooth`] discs by default. `World::new` makes a `World` of smooth discs;
/// [`World::with_physics`] one of any other physics: `World<Forces>` with gravity, `World<Judged<Smooth, J>>`
/// with rules of a game. A variable of a function needs no type:
/// `let mut world = World::with_physics(forces, Settings::default())?`. A field of a struct names it.
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
/// edited meanwhile. A call to the same time comes before the stop: what was put in its way meanwhile is
/// hit at its speed. A command before the stop which leads on along its line at its speed continues its
/// motion, as if there had been one command: what rides on it rides on, and nothing is rewritten. So frame
/// loops may send things on in each frame, for the seconds that it lasts.
///
/// Targets and times of frames are rounded. A command continues a motion if at its end that is off by no more
/// than 4 ulp of the coordinates. What the first frame does not tell of a velocity, an ulp or two over the
/// length of the frame, later ones correct, in ever fewer steps. Something that arrives a rounding before a
/// frame ends stands for so long: then advance to the time that the command returns.
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
