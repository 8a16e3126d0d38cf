//! What edits check, and what follows from them. What needs a scheduler is in the façade.

mod passing;
mod placing;

pub(crate) use passing::{end_slides_past_walls, pass_overlapped_by_wall, pass_what_overlaps};
pub(crate) use placing::{Placing, check_among};
