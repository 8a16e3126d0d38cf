//! Time of impact, one pair of shapes a file.
//!
//! Every function takes the motion from the moment at which it holds and returns the time from there to the
//! first contact, or `None`. A contact is a *downward crossing*: the first `t ≥ 0` at which the gap is not
//! positive and is falling. So a pair that recedes or grazes has none, and a pair that overlaps and
//! approaches has one now, at 0. No function has an epsilon: "not moving" is a zero on which nothing divides.

pub mod bent;

mod disc_arc;
mod disc_arm;
mod disc_circle;
mod disc_disc;
mod disc_half_plane;
mod disc_images;
mod disc_segment;
mod entry;
mod growing;
mod invariants;
mod lattice;
mod memory;

pub use disc_arc::{disc_arc, disc_arc_side, gap_disc_arc};
pub use disc_arm::{Arm, disc_arm, gap_disc_arm, gap_disc_arm_at_impact};
pub use disc_circle::{
    disc_circle_inside, disc_circle_outside, fits, gap_disc_circle_inside, gap_disc_circle_outside,
};
pub use disc_disc::{Encounter, disc_disc, disc_disc_encounter, disc_disc_within, squared_gap};
pub use disc_half_plane::{disc_half_plane, gap_disc_half_plane};
pub use disc_images::{disc_disc_images, disc_disc_images_growing};
pub use disc_segment::{
    disc_one_sided_end, disc_one_sided_segment, disc_segment, disc_segment_body, disc_segment_side,
    gap_disc_one_sided_end, gap_disc_one_sided_segment, gap_disc_segment_body,
};
pub use entry::{disc_arc_entry, disc_one_sided_entry, disc_segment_entry};
pub use growing::disc_disc_growing;
pub use invariants::Invariants;
pub use memory::{Gap, Memory, Motion, Side};
