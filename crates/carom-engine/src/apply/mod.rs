//! What is written of the store, and nowhere else: whoever writes it shows a [`token::Token`], and only this
//! room makes one. What an event does comes in as the values of `respond/`, what a caller changes as those of
//! `edit/`.

pub(crate) mod chains;
pub(crate) mod change;
pub(crate) mod contacts;
pub(crate) mod crush;
pub(crate) mod edit;
pub(crate) mod energy;
pub(crate) mod fade;
pub(crate) mod fast;
pub(crate) mod group;
pub(crate) mod holds;
pub(crate) mod judge;
pub(crate) mod marks;
pub(crate) mod release;
pub(crate) mod rest;
pub(crate) mod settle;
pub(crate) mod slide;
pub(crate) mod time;
pub(crate) mod token;
pub(crate) mod two;
pub(crate) mod write;

pub(crate) use edit::{all, disc, mover, passing, region, wall};
