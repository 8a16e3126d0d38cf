//! The calls that users make, and how they end.

mod bulk;
mod debug_draw;
mod queries;
mod stops;
mod vectors;
