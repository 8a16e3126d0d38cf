//! When do these two touch? Closed-form times of impact for discs in the plane.
//!
//! Pure functions without state: nothing here allocates, reads a clock or knows of a world. All inputs are
//! `f64` in whatever consistent units the caller uses; a time of impact is counted from the moment at which
//! the positions hold. The only operations on the path of a disc are `+ − × ÷ sqrt`, each rounded once, so
//! that the same input gives the same bits everywhere.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`Time`], [`Clock`] | a moment, equally precise at any age |
//! | [`Periods`] | a plane that repeats itself: nearest images, wrapped places |
//! | [`overlap`] | do two discs overlap, now or after `dt`? |
//! | [`toi`] | when does a disc touch a disc, half-plane, segment, circle or arc? |
//! | [`toi::bent`] | the same for discs that accelerate |
//! | [`eft`] | error-free sums and products, and the double-double built on them |
//! | [`elementary`] | sine, cosine, exponential and logarithm with the same bits everywhere |
//! | [`Shown`] | a number as a message writes it |
//! | [`tolerance`] | the few tolerances there are, as named constants |
//!
//! The derivations are in `docs/derivations/` of the repository.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "Carom takes square roots from the standard library or from libm: choose the feature `std` or `libm`"
);

pub mod eft;
pub mod elementary;
#[cfg(feature = "serde")]
pub mod number;
pub mod overlap;
pub mod toi;
pub mod tolerance;

mod periods;
mod shape;
mod shown;
mod sqrt;
#[cfg(feature = "serde")]
mod stored_time;
mod time;

pub use glam::DVec2;
pub use periods::Periods;
pub use shape::{Arc, Circle, HalfPlane, Segment};
pub use shown::Shown;
pub use sqrt::sqrt;
pub use time::{Clock, Time};
