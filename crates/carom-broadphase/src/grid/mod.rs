//! The parts of the grid scheduler.

pub(crate) mod calendar;
pub(crate) mod cell;
pub(crate) mod cells;
pub(crate) mod front;
pub(crate) mod pending;
pub(crate) mod site;
