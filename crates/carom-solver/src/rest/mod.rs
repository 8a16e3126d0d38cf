//! How contacts come to rest: which of those that touch press on each other from an impact on, and with what
//! forces.
//!
//! A contact has a *rest speed*: that of a fall from its rest height with the accelerations around. What
//! opens or closes more slowly is a candidate. The forces of the candidates, `λ ≥ 0` with `D″ ≥ 0` and `λ D″
//! = 0` (Gauss' principle of least constraint), tell which of them press; one projection sets the speeds of
//! these to 0, the others being inequalities. Then the forces of all that neither open nor close make the
//! accelerations. See `docs/derivations/resting.md`.

mod clusters;
mod driven;
mod flight;
mod forces;
mod part;
mod pieces;
mod rest_speeds;
mod rough;
mod slid;
mod slip;
mod slip_ends;
mod support_frame;
mod wedged;

use crate::group::{Contact, Free, Group};
use glam::DVec2;
pub(crate) use pieces::plan_pieces;
pub(crate) use rest_speeds::note_rest_speeds;
pub(crate) use slip_ends::heat_of;
pub use support_frame::Began;
pub(crate) use support_frame::keep_held;
pub(crate) use wedged::rest_class;

/// The accelerations without contacts of a member with some velocity.
pub(crate) type FreeAt<'a> = &'a dyn Fn(usize, DVec2) -> Free;

/// Settles the contacts for which others stand, of one facet in the place of another: they press if these
/// do, and are not held themselves.
pub(crate) fn settle_twins(group: &mut Group) {
    for c in 0..group.contacts.len() {
        let twin = group.contacts[c];
        if twin.is_twin {
            let stands_for = |other: &&Contact| !other.is_twin && other.normal == twin.normal;
            let of_other = group.facet_contacts_of(twin.a).find(stands_for).map(|other| other.pressing);
            let is_settled = of_other.is_some_and(|pressing| pressing.is_settled || pressing.is_held);
            group.contacts[c].pressing.is_settled = is_settled;
        }
    }
}
