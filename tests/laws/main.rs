//! The laws: what holds for every world, checked on random ones against oracles.

use carom_testkit as common;

mod age;
mod bounds;
mod builders;
mod changes;
mod counters;
mod diff;
mod door;
mod edits;
mod few_meet;
mod first_wall;
mod grid;
mod groups;
mod hooks;
mod instructions;
mod ledger;
mod order;
mod outline_rooms;
mod outlines;
mod periodic;
mod periodic_forces;
mod physics;
mod plain;
mod points;
mod reversed;
mod rooms;
mod rules;
mod slicing;
mod slides;
mod small_periods;
mod snapshots;
mod symmetry;
mod wall_edits;
