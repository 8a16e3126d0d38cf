//! Radii that grow.

use crate::engine::Engine;
use crate::refused::Refused;
use crate::room::in_room;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// Lets all radii grow at a rate; 0 stops it.
    ///
    /// # Errors
    /// The rate is not allowed, or something of the world does not take discs that grow.
    pub fn set_growth(&mut self, rate: f64) -> Result<(), Refused> {
        Ok(in_room!(&mut self.room, held => held.world.set_growth(rate))?)
    }

    /// How fast they grow now, in proportion to themselves.
    #[must_use]
    pub fn growth(&self) -> f64 {
        in_room!(&self.room, held => held.world.growth())
    }

    /// Multiplies all velocities.
    ///
    /// # Errors
    /// The factor is negative or not finite, or too large.
    pub fn scale_velocities(&mut self, factor: f64) -> Result<(), Refused> {
        Ok(in_room!(&mut self.room, held => held.world.scale_velocities(factor))?)
    }
}
