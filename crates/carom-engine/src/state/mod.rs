//! The discs' stored states, and copies of them laid out for sweeps.

pub(crate) mod added;
pub(crate) mod bend;
pub(crate) mod bodies;
pub(crate) mod chains;
pub(crate) mod column;
pub(crate) mod contacts;
pub(crate) mod edition;
pub(crate) mod growth;
pub(crate) mod judging;
pub(crate) mod lane_minima;
pub(crate) mod movers;
pub(crate) mod off_plane;
pub(crate) mod positions_now;
pub(crate) mod record;
pub(crate) mod row_sweep;
pub(crate) mod row_within;
pub(crate) mod rules;
pub(crate) mod sort;
pub(crate) mod sparse;
pub(crate) mod stamp;
pub(crate) mod sweep_lanes;
pub(crate) mod timers;
pub(crate) mod wall_memory;
pub(crate) mod with;
