//! Queries at the present: what is where, what a ray or a moving disc meets. They change nothing.

mod area;
mod cast;
mod filter;
mod guest;
mod nearest;
mod overlap;
mod ray;
mod search;
mod shapes;

pub(crate) use area::Area;
pub use cast::{CastOptions, DiscHit};
pub use filter::QueryFilter;
pub(crate) use guest::Guest;
pub use nearest::Nearest;
pub use ray::{Ray, RayHit};
pub(crate) use search::Search;
