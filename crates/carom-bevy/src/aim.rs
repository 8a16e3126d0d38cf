use crate::physics::Physics;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::DVec2;
use carom::{Error, Forecast, ForecastOptions, PathPiece, Smooth};

/// A system's parameter that looks ahead: aim lines, and who hits whom. It keeps a copy of the world warm.
#[derive(SystemParam)]
pub struct Aim<'w, 's, P: carom::Physics + 'static = Smooth> {
    /// The world of the present.
    pub physics: Res<'w, Physics<P>>,
    forecast: Local<'s, Forecast<P>>,
}

impl<P: carom::Physics + 'static> Aim<'_, '_, P> {
    /// The path that an entity's disc takes from the present on, with the others moving; and the points at
    /// which it bends.
    ///
    /// # Errors
    /// As [`Forecast::path`](carom::Forecast::path).
    pub fn path(&mut self, entity: Entity, options: &ForecastOptions) -> Result<&[PathPiece], Error> {
        self.physics.path(&mut self.forecast, entity, None, options)
    }

    /// The path that it would take with another velocity.
    ///
    /// # Errors
    /// As [`Forecast::path_after`](carom::Forecast::path_after).
    pub fn path_with(
        &mut self,
        entity: Entity,
        velocity: DVec2,
        options: &ForecastOptions,
    ) -> Result<&[PathPiece], Error> {
        self.physics.path(&mut self.forecast, entity, Some(velocity), options)
    }
}
