use crate::give::{Given, give, given_queries};
use crate::physics::Physics;
use crate::take::{Written, take, written_queries};
use crate::tell::tell;
use bevy_ecs::prelude::*;
use bevy_time::Time;

/// What a step looks for and writes.
pub(crate) struct Queries<P: carom::Physics + 'static>(Written, Given<P>);

impl<P: carom::Physics + 'static> FromWorld for Queries<P> {
    fn from_world(world: &mut World) -> Self {
        Queries(written_queries::<P>(world), given_queries::<P>(world))
    }
}

/// A step: what was written goes to the world, the world goes on to the time of [`Time`], components are
/// written, and it is told what happened.
pub(crate) fn step<P: carom::Physics + 'static>(world: &mut World, mut queries: Local<Queries<P>>) {
    let Queries(written, given) = &mut *queries;
    let refused = take::<P>(world, written);
    let is_edited = world.resource::<Physics<P>>().is_edited();
    let elapsed = world.resource::<Time>().elapsed();
    if let Some(overran) = world.resource_mut::<Physics<P>>().advance_to(elapsed) {
        world.write_message(overran);
    }
    give::<P>(world, given, refused || is_edited);
    tell::<P>(world);
}
