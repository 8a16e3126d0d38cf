//! What will happen.

use crate::advance::stop;
use crate::engine::{Engine, exactly, time};
use crate::handle::{NONE, Numbered, partner};
use crate::laws::Laws;
use crate::refused::Refused;
use crate::room::{Held, in_room};
use carom_engine::{DiscId, Error, ForecastOptions, PathEnd, PathPiece, World};
use wasm_bindgen::prelude::*;

/// What of a disc is changed before the forecast: nothing, its velocity, its position, or both.
type Change = [f64; 5];

fn edit<P: Laws>(world: &mut World<P>, id: DiscId, change: &Change) -> Result<(), Error> {
    let [bits, x, y, vx, vy] = *change;
    let bits = bits as u32;
    if bits & 1 != 0 {
        world.set_position(id, [x, y])?;
    }
    if bits & 2 != 0 {
        world.set_velocity(id, [vx, vy])?;
    }
    Ok(())
}

/// Start, end, time of the state, position, velocity, acceleration, what is met with point and normal; of a
/// piece.
fn numbers(piece: &PathPiece) -> [f64; 19] {
    let [start, start_offset] = time(piece.start);
    let [end, end_offset] = time(piece.end);
    let [at, at_offset] = time(piece.time);
    let [kind, body, part] = piece.met.map_or([0.0, NONE, 0.0], |met| partner(met.body));
    let point = piece.met.map_or_else(Default::default, |met| met.point);
    let (p, v, a) = (piece.position, piece.velocity, piece.acceleration);
    [
        start,
        start_offset,
        end,
        end_offset,
        at,
        at_offset,
        p.x,
        p.y,
        v.x,
        v.y,
        a.x,
        a.y,
        kind,
        body,
        part,
        point.x,
        point.y,
        piece.position_at(piece.end).x,
        piece.position_at(piece.end).y,
    ]
}

fn path<P: Laws>(
    held: &mut Held<P>,
    id: DiscId,
    options: &ForecastOptions,
    change: &Change,
) -> Result<Vec<f64>, Refused> {
    let Held { world, forecast } = held;
    forecast.path_after(world, id, options, |copy| edit(copy, id, change))?;
    let end = match forecast.end() {
        PathEnd::Time => 0.0,
        PathEnd::Impacts => 1.0,
        PathEnd::Removed => 2.0,
        PathEnd::Stopped(reason) => 10.0 + stop(reason),
        _ => 3.0,
    };
    Ok(std::iter::once(end).chain(forecast.pieces().iter().flat_map(numbers)).collect())
}

#[wasm_bindgen]
impl Engine {
    /// The path of a disc: how it ends, and 19 numbers for each piece.
    ///
    /// # Errors
    /// The disc is gone, or a number is not allowed.
    pub fn forecast(&mut self, disc: f64, options: &[f64], change: &[f64]) -> Result<(), Refused> {
        let (id, change) = (DiscId::of_number(disc)?, exactly(change)?);
        let [max_time, max_impacts, frozen] = exactly(options)?;
        let mut options = ForecastOptions::new(max_time).with_frozen(frozen != 0.0);
        if max_impacts >= 0.0 {
            options = options.with_max_impacts(max_impacts as usize);
        }
        self.out = in_room!(&mut self.room, held => path(held, id, &options, &change))?;
        Ok(())
    }
}
