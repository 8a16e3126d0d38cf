//! What happens when discs and walls meet. Pure functions and scratch data: they read states and return new ones.

pub(crate) mod complementarity;
pub(crate) mod group;
mod normal;

pub(crate) use normal::{Bounce, approach, bounce_pair, bounce_wall};
