//! What do bodies do that touch? Their velocities after an impact of many at once, and who presses on whom.
//!
//! Contacts, masses and velocities come in; impulses, forces and durations go out. Nothing here knows a
//! world or a schedule.
//!
//! A [`Group`] holds the [`Contact`]s of one instant that hang together through the bodies that they share,
//! its [`Member`]s. It is filled, solved step by step and read; then it is cleared for the next one, so that
//! nothing is allocated once it is warm.
//!
//! | step | what it does | where |
//! | --- | --- | --- |
//! | `clear`, `add_member`, `add_contact` | take in what touches, as it is before the impact | `group/` |
//! | `keep_held`, `note_rest_speeds` | bring what was at rest to the present | `rest/` |
//! | `resolve` | finds impulses and velocities, in passes | `impact/` |
//! | `kick` | adds what restitutions above 1 do | `impact/` |
//! | `raise_openings`, `stop_approaching`, `lower_openings` | stop what the physics sent on | `impact/` |
//! | `come_to_rest` | finds what rests, its forces, and how long these last | `rest/` |
//!
//! Both work on contacts as rows of a matrix (`contact_problem/`). Bodies that have no room give way
//! (`give_way/`). All tolerances stand in `tolerances.rs`.
//!
//! [`Complementarity`] is the problem of few contacts as a plain matrix.
//!
//! ```
//! use carom_math::{DVec2, toi::Motion};
//! use carom_solver::{Group, MassClass, Other};
//!
//! // A row of three discs that touch; the first comes in at speed 2.
//! let mut row = Group::default();
//! for (slot, speed) in [(0, 2.0), (1, 0.0), (2, 0.0)] {
//!     let place = DVec2::new(f64::from(slot), 0.0);
//!     row.add_member(slot, MassClass::Finite, 1.0, Motion::new(place, DVec2::X * speed, 0.5));
//! }
//! row.add_contact(0, Other::Member(1), DVec2::X, 1.0, 0.0);
//! row.add_contact(1, Other::Member(2), DVec2::X, 1.0, 0.0);
//! row.resolve()?;
//! assert_eq!([0, 1, 2].map(|m| row.velocity(m).x), [0.0, 0.0, 2.0]);
//! # Ok::<(), carom_solver::Infeasible>(())
//! ```
//!
//! Velocities are double-double while they are computed and are rounded at the end, so results do not depend
//! on the order in which contacts were found. Units are any that belong together; masses, lengths and speeds
//! are in the ranges of `carom_engine::limits`. The derivations are `impulse.md` and `resting.md`, in
//! `docs/derivations/` of the repository.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod complementarity;
mod contact_problem;
mod energy;
mod give_way;
mod group;
mod impact;
mod mass_class;
mod rest;
mod rows;
mod steps;
#[cfg(test)]
mod tests;
mod tolerances;

pub use complementarity::{Complementarity, Infeasible};
pub use group::{
    Contact, ContactGrip, Entries, Free, Friction, Group, LeftFacet, Member, Other, Pressing, Rim, Round,
    Stuck, root,
};
pub use mass_class::MassClass;
pub use rest::Began;
