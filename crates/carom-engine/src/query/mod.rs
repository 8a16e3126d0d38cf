//! Queries at the present: what is where, what a ray or a moving disc meets. They change nothing.

mod area;
mod filter;
mod nearest;
mod overlap;
mod ray;
mod search;
mod shapes;

pub use filter::QueryFilter;
pub use nearest::Nearest;
pub use ray::{Ray, RayHit};
