//! What games ask of a world: verdicts, commands, discs off the plane, movers, arms, walls that move, timers,
//! regions, queries, forecasts.
//!
//! One program, as the engine is compiled anew for each.

use carom_testkit as common;

mod arms;
mod each_frame;
mod enabled;
mod forces;
mod forecast;
mod movers;
mod moving_walls;
mod one_sided;
mod pressed;
mod public;
mod regions;
mod sent;
mod time_scale;
mod timers;
mod tunnelling;
mod verdicts;
