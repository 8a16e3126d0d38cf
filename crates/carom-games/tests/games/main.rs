//! Games played by script: the same bits for all frames, schedulers, clones and saved games.

mod air_hockey;
mod arcade;
mod pinball;
mod pod_arena;
mod shooter;
