//! Games played by script: the same bits for all frames, schedulers, clones and saved games.

#[macro_use]
mod arcade;

mod air_hockey;
mod asteroids;
mod builders;
mod merge;
mod pinball;
mod pod_arena;
mod shooter;
