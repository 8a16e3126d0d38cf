//! What breaks engines: degenerate, hostile and extreme worlds.

mod apart;
mod apart_in_rooms;
mod builders;
mod collapse;
mod crush;
mod edit_pairs;
mod edits;
mod finite;
mod gaps;
mod glancing;
mod mass_ratio;
mod overlap;
mod packings;
mod part;
mod pistons;
mod ranges;
mod refused;
mod rough_heaps;
mod same_impact;
mod snapshots;
mod squeezed;
mod tight_rooms;
