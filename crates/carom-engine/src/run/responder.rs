use crate::apply::token::GuardedStore;
use crate::respond::group_physics::RubbingScratch;
use crate::state::positions_now::PositionsNow;
use crate::{Physics, State};
use carom_broadphase::{Scheduler, Slot};
use carom_solver::Group;
use smallvec::SmallVec;

/// Room for the impacts of an instant, used again by the next ones.
#[derive(Debug)]
pub(crate) struct Scratch<X> {
    pub(crate) group: Option<Box<Group>>,
    /// The states of a group before and after its impact, on the heap only for large ones.
    pub(crate) before: SmallVec<[State<X>; 16]>,
    pub(crate) after: SmallVec<[State<X>; 16]>,
    pub(crate) rubbing: RubbingScratch<X>,
    /// Discs near something.
    pub(crate) near: Vec<Slot>,
}

impl<X> Default for Scratch<X> {
    fn default() -> Self {
        Scratch {
            group: None,
            before: SmallVec::new(),
            after: SmallVec::new(),
            rubbing: RubbingScratch::default(),
            near: Vec::new(),
        }
    }
}

/// Has an event resolved, from what is due to what is stored: lends the store and scratch to whoever responds
/// to it and to whoever writes that down. It knows who is near whom, and no world.
pub(crate) struct Responder<'w, P: Physics> {
    pub(crate) store: &'w mut GuardedStore<P>,
    /// Knows neighbours.
    pub(crate) scheduler: &'w Scheduler,
    /// A cache, filled here.
    pub(crate) positions_now: &'w mut PositionsNow,
    pub(crate) scratch: &'w mut Scratch<P::Extra>,
}
