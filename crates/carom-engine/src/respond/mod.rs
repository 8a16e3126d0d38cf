//! What an event does, as values: contacts, velocities after impacts, who comes to rest. Nothing is written
//! here.

pub(crate) mod along_facet;
pub(crate) mod collapse;
pub(crate) mod contact;
pub(crate) mod crush;
pub(crate) mod energy;
pub(crate) mod friction;
pub(crate) mod group_physics;
pub(crate) mod motion_change;
pub(crate) mod outcome;
pub(crate) mod rest;
pub(crate) mod slide;
pub(crate) mod touching;
pub(crate) mod turning;
pub(crate) mod two_body;
