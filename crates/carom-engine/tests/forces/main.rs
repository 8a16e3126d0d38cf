//! Discs that accelerate: paths that bend, against closed forms and against each other.

use carom_testkit as common;

mod agree;
mod billiards;
mod closed_forms;
mod free;
mod grip;
mod hold_events;
mod masses;
mod movers;
mod regions;
mod rest;
mod scene;
mod time_goes_on;
