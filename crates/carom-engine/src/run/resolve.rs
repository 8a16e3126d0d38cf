//! What is due, sent on to whoever responds to it.

use super::judge::judge_due;
use super::responder::Responder;
use super::scan::Scan;
use super::slide::resolve_slide;
use crate::apply::judge::forget_answers;
use crate::apply::release::apply_release;
use crate::apply::two::apply_two;
use crate::respond::collapse::is_locked;
use crate::respond::outcome::{outcome, settle};
use crate::respond::rest::may_come_to_rest;
use crate::sink::Sink;
use crate::state::contacts::{PIECE, RELEASE, SLIDE};
use crate::state::stamp::ImpactKind;
use crate::state::with::With;
use crate::{Physics, StopReason};
use carom_broadphase::{Kind, NextMeeting, Scheduled, Slot};

impl<P: Physics> Responder<'_, P> {
    /// Resolves an event that is due. `next` becomes the first meetings of its discs, where these come out
    /// on the way, for whoever schedules them again.
    #[inline]
    pub(crate) fn resolve<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        next: &mut [NextMeeting; 2],
        sink: &mut K,
    ) -> Result<(), StopReason> {
        *next = Scan::NOTHING.next;
        if P::JUDGES {
            forget_answers(self.store);
            if due.kind == Kind::Impact
                && self.store.physics.is_judging()
                && !judge_due(self.store, due, sink)
            {
                return Ok(());
            }
        }
        match due.kind {
            Kind::Impact => {}
            Kind::MotionChange => {
                match due.tag {
                    PIECE => return self.resolve_piece(due.a, sink),
                    RELEASE => apply_release(self.store, due.a, sink),
                    SLIDE => resolve_slide(self.store, due.a, sink),
                    _ => return self.resolve_change(due.a, sink),
                }
                return Ok(());
            }
        }
        if is_locked(self.store, [due.a, due.b], With::of(due)) {
            self.note_positions();
            return self.resolve_group(due, ImpactKind::Cluster, sink);
        }
        let is_held = self.store.is_held(due.a) || self.store.is_held(due.b);
        // Compiled apart for two discs and for a disc at a wall.
        let is_of_two = !is_held
            && match With::of(due) {
                With::Disc(b) => {
                    let [a, b] = self.store.bodies.in_order([due.a, b]);
                    self.resolve_two::<K, true>([a, b], With::Disc(b), next, sink)
                }
                with @ With::Facet(_) => self.resolve_two::<K, true>([due.a; 2], with, next, sink),
            };
        if is_of_two {
            return Ok(());
        }
        if is_held {
            self.note_positions();
        }
        self.resolve_group(due, ImpactKind::Group, sink)
    }

    /// Resolves an impact of two bodies. If these may come to rest, or others are to be looked for (`LOOK`)
    /// and something else may touch one of them, changes nothing and returns false.
    #[inline(always)]
    pub(crate) fn resolve_two<K: Sink<P>, const LOOK: bool>(
        &mut self,
        slots: [Slot; 2],
        with: With,
        next: &mut [NextMeeting; 2],
        sink: &mut K,
    ) -> bool {
        // The states after the impact tell what the discs meet next, which is found with what is near them.
        let (mut new_states, mut outcome) = outcome(self.store, slots, with);
        let scan = if LOOK { self.scan(slots, with, &new_states) } else { Scan::NOTHING };
        let parting = outcome.shown.restitution * outcome.contact.approach_speed.max(0.0);
        if P::ACCELERATED
            && may_come_to_rest(self.store, slots, with, &new_states, (&outcome.contact, parting))
        {
            return false;
        }
        if scan.touched {
            return false;
        }
        let settled = settle(self.store, &mut new_states, &mut outcome);
        if !apply_two(self.store, &new_states, &outcome, settled, sink) {
            *next = scan.next;
        }
        true
    }
}
