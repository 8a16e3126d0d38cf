//! Motions that change their law by themselves.

use super::contact::approach;
use crate::physics::Gripped;
use crate::predict::CommonPredictor;
use crate::state::contacts::CHANGE;
use crate::state::stamp::Stamp;
use crate::store::Store;
use crate::{Physics, State};
use carom_broadphase::{Kind, Scheduled, Slot};
use carom_math::DVec2;
use carom_math::toi::{Memory, Motion};
use carom_math::tolerance::touch_slack;
use carom_solver::Group;

/// The disc whose motion has changed, how, and whether it is captured with that.
pub(crate) type Changed<C> = (Slot, C, bool);

/// How a disc moves on whose motion has changed.
pub(crate) struct NewMotion<X> {
    pub(crate) slot: Slot,
    pub(crate) state: State<X>,
    /// [`Stamp::NONE`] if it may meet anew what it met in its last impact.
    pub(crate) stamp: Stamp,
    /// Kinetic energy.
    pub(crate) gained: f64,
}

/// How a disc's motion changes next.
pub(crate) fn change_of<P: Physics>(store: &Store<P>, slot: Slot) -> Option<P::Change> {
    let (body, state) = (store.body(slot), store.state(slot));
    let next = if store.is_held(slot) {
        store.physics.next_change_in_cluster(&body, &state, store.bodies.bend(slot).acceleration)
    } else {
        store.physics.next_change(&body, &state)
    };
    next.map(|(_, change)| change)
}

/// Carries out the change of motion that is due, if that is what a group is settled for. Nothing but
/// `after`, in the order of the members, is changed.
pub(crate) fn change_within<P: Physics>(
    store: &Store<P>,
    due: &Scheduled,
    group: &Group,
    after: &mut [State<P::Extra>],
) -> Option<Changed<P::Change>> {
    if due.kind != Kind::MotionChange || due.tag != CHANGE {
        return None;
    }
    let (change, m) = (change_of(store, due.a)?, group.member_at(due.a)?);
    let body = store.body_at(due.a, store.now);
    let is_captured = P::JUDGES && store.physics.captures(change, &body, &after[m]);
    store.physics.change(change, &body, &mut after[m]);
    Some((due.a, change, is_captured))
}

#[cold]
pub(crate) fn closes_in_on_wall<P: Physics>(
    store: &Store<P>,
    slot: Slot,
    motion: &Motion,
    before: DVec2,
) -> bool {
    store.walls.present().any(|(f, facet)| {
        let memory = CommonPredictor::of(store).memory(slot, f, motion);
        // From an arm that turns a disc has parted by more than rounding.
        matches!(memory, Memory::Met(_))
            && facet.arm().is_none()
            && CommonPredictor::of(store).collides_with_facet(slot, f)
            && facet.gap(motion, memory, store.now).is_some_and(|gap| {
                let velocity = facet.seen(motion, store.now).velocity;
                let closing = approach(velocity.dot(gap.normal), store.growth_speed(motion.radius));
                closing > rounding([motion.velocity, before])
            })
    })
}

/// What rounding may leave of the speed at which two part or approach after an impact with these velocities:
/// as for [`touch_slack`], 4 ulp.
pub(crate) fn rounding<const N: usize>(velocities: [DVec2; N]) -> f64 {
    touch_slack(velocities.into_iter().fold(0.0, |largest, v| v.abs().max_element().max(largest)))
}
