//! The engine for Python: what `python/carom` calls.
//!
//! A thin layer: it turns arguments into the engine's types, results into arrays and objects, and errors into
//! exceptions. There is no physics here, no parsing of files and no statistics.

mod advance;
mod aim;
mod arrays;
mod body;
mod colours;
mod crew;
mod discs;
mod errors;
mod event;
mod forecast;
mod gym;
mod handle;
mod happened;
mod judge;
mod laws;
mod measure;
mod movie;
mod observe;
mod options;
mod outcome;
mod picture;
mod pool;
mod query;
mod record;
mod regions;
mod room;
mod rules;
mod save;
mod scenes;
mod shots;
mod stroke;
mod table;
mod time;
mod timeline;
mod timers;
mod vector;
mod walls;
mod words;
mod world;

use pyo3::prelude::*;

/// The extension module; people import `carom`.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::{
        advance::Advance, aim::FirstContact, aim::Pot, aim::Spread, aim::pots, aim::search, body::Disc,
        event::Event, forecast::Forecast, forecast::PathPiece, gym::Batch, judge::Encounter,
        measure::Counters, movie::Movie, observe::bond_order, observe::displacement, observe::pressure,
        observe::radial, observe::read_xyz, observe::structure_factor, observe::temperature, observe::xyz,
        outcome::Outcome, picture::Picture, picture::shown, pool::Game, pool::Recording, query::DiscHit,
        query::Nearest, query::RayHit, regions::Region, rules::EightBall, rules::Next, rules::NineBall,
        rules::Ruling, rules::Snooker, rules::ThreeCushion, scenes::Scene, scenes::scene_names,
        shots::simulate_many, time::Time, timeline::Timeline, walls::Wall, world::World,
    };
}
