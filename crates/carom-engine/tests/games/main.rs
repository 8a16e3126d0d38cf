//! What games ask of a world: verdicts, commands, discs off the plane, movers, arms, timers.

use carom_testkit as common;

mod arms;
mod enabled;
mod movers;
mod random;
mod time_scale;
mod timers;
mod tunnelling;
mod umpire;
mod verdicts;
