//! Discs that accelerate: paths that bend, against closed forms and against each other.

use carom_testkit as common;

mod agree;
mod closed_forms;
mod grip;
mod hold_events;
mod movers;
mod rest;
mod scene;
