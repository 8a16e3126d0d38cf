//! What to do about discs that overlap.

use crate::engine::Engine;
use crate::handle::{Numbered, partner};
use crate::refused::Refused;
use crate::room::in_room;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// Pushes apart what overlaps: handle, old place and new place of each disc that is moved.
    ///
    /// # Errors
    /// There is no room, or the plane repeats itself.
    pub fn push_apart(&mut self) -> Result<(), Refused> {
        let moved = in_room!(&mut self.room, held => held.world.push_apart())?;
        let numbers = moved.iter().flat_map(|moved| {
            [moved.disc.nearest_number(), moved.from.x, moved.from.y, moved.to.x, moved.to.y]
        });
        self.give(numbers);
        Ok(())
    }

    /// Gives what overlaps velocities at which it parts: the energy added, then disc, partner, depth, normal
    /// and impulse of each overlap.
    ///
    /// # Errors
    /// The speed is not allowed, nothing would part them, or the plane repeats itself.
    pub fn separate_overlaps(&mut self, speed: f64) -> Result<(), Refused> {
        let parted = in_room!(&mut self.room, held => held.world.separate_overlaps(speed))?;
        let overlaps = parted.overlaps.iter().flat_map(|of| {
            let [kind, body, part] = partner(of.b);
            [of.a.nearest_number(), kind, body, part, of.depth, of.normal.x, of.normal.y, of.impulse]
        });
        self.give([parted.energy_added].into_iter().chain(overlaps));
        Ok(())
    }
}
