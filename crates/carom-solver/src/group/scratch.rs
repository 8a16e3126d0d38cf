use super::Incidence;
use crate::contact_problem::ContactProblem;
use crate::give_way::Jam;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// What the steps of a group work in. Nothing in it is read by a later step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The contacts that the present pass may take, and which these are.
    pub(crate) candidates: Vec<u32>,
    pub(crate) is_candidate: Vec<bool>,
    /// The contacts of the members of a part that move.
    pub(crate) contacts_of: Incidence,
    /// The forest whose trees are the parts: for each member another one of its part, or itself.
    pub(crate) links: Vec<u32>,
    pub(crate) problem: ContactProblem,
    /// The bodies of the problem: members; and the other way round.
    pub(crate) bodies: Vec<u32>,
    pub(crate) body_of: Vec<u32>,
    /// Velocities before an attempt.
    pub(crate) saved: Vec<[Dd; 2]>,
    pub(crate) saved_rims: Vec<f64>,
    /// Those of what a part moves, and the impulses that have brought its contacts to rest.
    pub(crate) saved_part: Vec<(usize, [Dd; 2])>,
    pub(crate) saved_rest: Vec<(u32, f64)>,
    pub(crate) saved_part_rims: Vec<f64>,
    pub(crate) jam: Jam,
    /// By which contact, and over which other body, each body of a part gets its momentum.
    pub(crate) ways: Vec<(usize, u32, Option<usize>)>,
    /// The momentum that bodies are still to get.
    pub(crate) owed: Vec<DVec2>,
}

impl Scratch {
    /// With room for this many members, and twice as many contacts.
    pub(super) fn with_room(few: usize) -> Self {
        Scratch {
            candidates: Vec::with_capacity(2 * few),
            bodies: Vec::with_capacity(few),
            problem: ContactProblem::with_room(few),
            ..Scratch::default()
        }
    }
}
