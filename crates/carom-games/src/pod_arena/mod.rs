//! A race of pods in turns, by the classic rules of a programming contest: Coders Strike Back, also known as
//! Mad Pod Racing.
//!
//! Pods are discs of radius 400 on a plane of 16000 by 9000. A turn lasts 1 s of the world. At its start each
//! pod turns towards its target by 18° at most and is accelerated by its thrust; then all fly and bounce
//! without friction; at its end speeds fall to 0.85 and are cut to whole numbers, and places are rounded. Two
//! that meet are pushed apart with an impulse j₁ + max(j₁, 120), where j₁ stops their approach: a
//! [`Verdict::Impulse`](carom::Verdict::Impulse). Checkpoints are regions of radius 600 for centres, so that
//! a pod that crosses one within a turn has passed it.
//!
//! It differs from the contest's referee in that headings are not rounded to whole degrees.

mod draw;
mod game;
mod input;
mod pilot;

pub use draw::{GROUND, bounds, colour_of, draw, film, picture, sheet};
pub use game::{Game, Options, Physics, Pod};
pub use input::{Order, Power};
pub use pilot::Pilot;
