use crate::advance::step;
use crate::give::give_entity;
use crate::hooks::register;
use crate::messages::{
    Captured, Entered, Happened, Held, Impacted, Inserted, Left, LetGo, Overran, Removed, TimerEnded,
};
use crate::physics::Physics;
use crate::refused::Refused;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use carom::Smooth;

/// The schedule of a step: before each tick of [`FixedUpdate`], and once a frame after the last of them. It
/// goes on to the time of [`Time`](bevy_time::Time). Rollback runs it by itself.
#[derive(ScheduleLabel, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PhysicsStep;

/// When a [`CaromPlugin`] steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum When {
    /// To the time of each fixed tick, before the game's systems in [`FixedUpdate`]; and after the last one
    /// of a frame on to the time of the frame, which is before the next tick.
    #[default]
    TicksAndFrames,
    /// To the time of each fixed tick only: pictures are those of the last tick.
    Ticks,
    /// To the time of each frame only, which costs less: for games whose logic is in [`Update`]. Systems in
    /// [`FixedUpdate`] see the time of the frame before.
    Frames,
    /// Where [`PhysicsStep`] is run by the program.
    ByHand,
}

/// Puts a [`World`](carom::World) of discs into an app: one for an app.
///
/// Discs that are in it already get entities.
pub struct CaromPlugin<P: carom::Physics + 'static = Smooth> {
    world: carom::World<P>,
    when: When,
}

impl<P: carom::Physics + 'static> CaromPlugin<P> {
    /// With this world, whose present is the time 0 of the app. It records its events from then on.
    #[must_use]
    pub fn new(world: carom::World<P>) -> Self {
        CaromPlugin { world, when: When::default() }
    }

    /// Stepping at other times than at ticks and frames.
    #[must_use]
    pub fn with_steps(self, when: When) -> Self {
        CaromPlugin { when, ..self }
    }
}

impl Default for CaromPlugin {
    /// With an empty world of smooth discs.
    fn default() -> Self {
        CaromPlugin::new(carom::World::new())
    }
}

impl<P: carom::Physics + 'static> Plugin for CaromPlugin<P> {
    fn build(&self, app: &mut App) {
        register::<P>(app.world_mut());
        app.add_message::<Impacted>().add_message::<Entered>().add_message::<Left>();
        app.add_message::<Held>().add_message::<LetGo>().add_message::<Removed>();
        app.add_message::<Captured>().add_message::<Inserted>().add_message::<TimerEnded>();
        app.add_message::<Happened<P>>().add_message::<Overran>().add_message::<Refused>();
        app.insert_resource(Physics::new(self.world.clone()));
        let discs: Vec<_> = self.world.ids().collect();
        for id in discs {
            give_entity::<P>(app.world_mut(), id);
        }
        app.init_schedule(PhysicsStep).add_systems(PhysicsStep, step::<P>);
        let run = |world: &mut World| world.run_schedule(PhysicsStep);
        if matches!(self.when, When::TicksAndFrames | When::Ticks) {
            app.add_systems(FixedPreUpdate, run);
        }
        if matches!(self.when, When::TicksAndFrames | When::Frames) {
            let after = RunFixedMainLoopSystems::AfterFixedMainLoop;
            app.add_systems(RunFixedMainLoop, run.in_set(after));
        }
    }
}
