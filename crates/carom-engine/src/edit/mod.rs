//! What edits check, and what follows from them. What needs a scheduler is in the façade.

mod passing;
mod placing;
mod rewrite;
mod walls;

pub(crate) use passing::{end_slides_past_walls, enforce_wall_rules, pass_what_overlaps};
pub(crate) use placing::{Placing, check_among};
pub(crate) use rewrite::{note_removal, restate, rewrite, rewrite_here};
pub(crate) use walls::{Sides, exchange_parts, forget_gone_parts, part_from_wall};
