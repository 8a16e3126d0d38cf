//! Discs that accelerate: paths that bend, against closed forms and against each other.

mod agree;
mod closed_forms;
mod grip;
mod hold_events;
mod movers;
mod rest;
pub(crate) mod scene;
mod speed_limit;
mod time_goes_on;
