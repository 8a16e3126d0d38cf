use super::Store;
use crate::state::added::Added;
use crate::{Body, Physics, State};
use carom_broadphase::Slot;
use carom_math::Time;
use carom_math::toi::Motion;

/// Discs with what the physics adds to them.
impl<P: Physics> Store<P> {
    /// Whether it adds anything: else there is no column of it.
    pub(crate) const ADDS: bool = size_of::<Added<P::Body, P::Extra>>() > 0;

    #[inline(always)]
    pub(crate) fn added(&self, slot: Slot) -> Added<P::Body, P::Extra> {
        if Self::ADDS { self.added[slot as usize] } else { Added::default() }
    }

    #[inline(always)]
    pub(crate) fn body(&self, slot: Slot) -> Body<P::Body> {
        let detail = self.bodies.detail(slot);
        Body {
            id: self.bodies.id(slot),
            radius: self.bodies.radius(slot),
            mass: detail.mass,
            restitution: detail.restitution,
            own: self.added(slot).own,
        }
    }

    /// As `body`, with the radius at a time.
    #[inline(always)]
    pub(crate) fn body_at(&self, slot: Slot, time: Time) -> Body<P::Body> {
        let mut body = self.body(slot);
        if self.bodies.growth.is_on() {
            body.radius = self.bodies.radius_at(slot, time);
        }
        body
    }

    /// As [`Bodies::motion_at`](crate::state::bodies::Bodies::motion_at), by what the compiler knows of the
    /// physics: it is in every prediction.
    #[inline(always)]
    pub(crate) fn motion_at(&self, slot: Slot, time: Time) -> Motion {
        if P::ACCELERATED {
            self.bodies.bent_motion_at(slot, time)
        } else {
            self.bodies.straight_motion_at(slot, time)
        }
    }

    /// The stored state.
    #[inline(always)]
    pub(crate) fn state(&self, slot: Slot) -> State<P::Extra> {
        let record = self.bodies.record(slot);
        State { position: record.position(), velocity: record.velocity(), extra: self.added(slot).extra }
    }
}
