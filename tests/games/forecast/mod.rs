//! What is forecast is what happens: bit for bit, whatever schedules the events.

mod current;
mod first;
mod frozen;
mod paths;
mod refused;
mod state_at;
