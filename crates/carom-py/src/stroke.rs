//! A stroke as Python gives it.

use crate::words::Keywords;
use carom_billiards::{Cue, Shot};
use pyo3::prelude::*;
use pyo3::types::PyDict;

const CUE: [&str; 8] =
    ["mass", "end_mass", "miscue", "length", "tip_radius", "butt_radius", "contact_time", "follow_through"];

/// A cue: that of pool, with what is given.
fn cue(given: Option<&Bound<'_, PyDict>>) -> PyResult<Cue> {
    let (given, usual) = (Keywords::of(given, &CUE)?, Cue::POOL);
    Ok(Cue {
        mass: given.or("mass", usual.mass)?,
        end_mass: given.get("end_mass")?,
        miscue: given.or("miscue", usual.miscue)?,
        length: given.or("length", usual.length)?,
        tip_radius: given.or("tip_radius", usual.tip_radius)?,
        butt_radius: given.or("butt_radius", usual.butt_radius)?,
        contact_time: given.or("contact_time", usual.contact_time)?,
        follow_through: given.or("follow_through", usual.follow_through)?,
    })
}

const SHOT: [&str; 6] = ["direction", "side", "height", "elevation", "ball", "cue"];

/// A stroke of this speed, with what is given.
pub(crate) fn shot(speed: f64, given: Option<&Bound<'_, PyDict>>) -> PyResult<Shot> {
    let given = Keywords::of(given, &SHOT)?;
    let own: Option<Bound<'_, PyDict>> = given.get("cue")?;
    let mut shot = Shot::new(speed).aimed_at(given.or("direction", 0.0)?);
    shot = shot.with_offset(given.or("side", 0.0)?, given.or("height", 0.0)?);
    shot = shot.with_elevation(given.or("elevation", 0.0)?);
    if let Some(ball) = given.get::<String>("ball")? {
        shot = shot.of_ball(ball);
    }
    shot.cue = cue(own.as_ref())?;
    Ok(shot)
}
