//! What is written of discs, contacts and energies. The states of discs are written here, with two
//! exceptions: the fast loop writes those of plain worlds (`run/plain`), and loading makes those of a
//! snapshot.

pub(crate) mod chains;
pub(crate) mod contacts;
pub(crate) mod crush;
pub(crate) mod energy;
pub(crate) mod fade;
pub(crate) mod group;
pub(crate) mod holds;
pub(crate) mod plain;
pub(crate) mod rest;
pub(crate) mod slide;
pub(crate) mod two;
pub(crate) mod write;
