//! One event, from what is due to what is stored.

pub(crate) mod change;
pub(crate) mod group;
pub(crate) mod judge;
pub(crate) mod plain;
pub(crate) mod resolve;
pub(crate) mod responder;
pub(crate) mod scan;
pub(crate) mod settle;
pub(crate) mod slide;
