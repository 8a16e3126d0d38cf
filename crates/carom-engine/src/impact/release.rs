use crate::event::Sink;
use crate::physics::Reach;
use crate::state::jams::{Blocked, Passing};
use crate::state::stamp::Stamp;
use crate::{Event, Physics, World};
use carom_broadphase::{Scheduler, Slot};
use carom_math::{DVec2, Time, sqrt};

/// When bodies that have given way go on: see [`CrushRule`](crate::CrushRule) and
/// [`Jams`](crate::state::jams::Jams).
impl<P: Physics, S: Scheduler> World<P, S> {
    /// A body takes up the velocity that it had, or a tracer has parted from what passes over it.
    pub(super) fn resolve_release<K: Sink<P>>(&mut self, slot: Slot, sink: &mut K) {
        let now = self.now;
        let is_due = |record: &Passing| record.tracer == slot && record.end <= now;
        let mut state = self.state_now(slot);
        for k in (0..self.bodies.jams.passing.len()).rev() {
            let record = self.bodies.jams.passing[k];
            if is_due(&record) {
                self.bodies.jams.passing.remove(k);
                self.mark(record.over);
            }
        }
        let jams = &mut self.bodies.jams;
        let is_released = jams.blocked.iter().position(|record| record.body == slot && record.end <= now);
        if let Some(k) = is_released {
            state.velocity = jams.remove(k);
        }
        // Of a tracer the state is stored anew, too: seen from one within what passed over it, the two
        // would meet.
        self.fade_wall_memory(slot);
        self.bodies.store(slot, now, &state, Stamp::NONE);
        self.mark(slot);
        if K::ACTIVE && is_released.is_some() {
            let _ = sink.event(&Event::Released {
                time: now,
                body: self.bodies.id(slot),
                velocity: state.velocity,
            });
        }
    }

    /// Forgets a disc that goes, or that others will feel in another way.
    pub(crate) fn forget_jams(&mut self, slot: Slot) {
        if !self.bodies.jams.is_empty() {
            for k in 0..self.bodies.jams.blocked.len() {
                if self.bodies.jams.blocked[k].names(slot) {
                    self.mark(self.bodies.jams.blocked[k].body);
                }
            }
            self.end_jams_by_place(slot);
            self.bodies.jams.forget(slot);
        }
    }

    /// Ends what a disc passes over, and lets bodies that it was in the way of try again, as it is put
    /// elsewhere or has another size. A tracer whose passing ends so is scheduled again.
    pub(crate) fn end_jams_by_place(&mut self, slot: Slot) {
        for k in 0..self.bodies.jams.passing.len() {
            let Passing { tracer, over, .. } = self.bodies.jams.passing[k];
            if tracer == slot || over == slot {
                self.mark(tracer);
            }
        }
        self.bodies.jams.end_by_place(slot);
    }

    /// Lets all bodies that have given way try again, as a wall goes.
    pub(crate) fn free_jams(&mut self) {
        self.bodies.jams.end_by_wall();
        for k in 0..self.bodies.jams.blocked.len() {
            self.mark(self.bodies.jams.blocked[k].body);
        }
    }

    /// Brings the ends of records up to date whose discs have changed, and marks those that they are the
    /// solo events of.
    #[cold]
    pub(crate) fn refresh_jams(&mut self) {
        self.dirty.sort_unstable();
        let mut jams = core::mem::take(&mut self.bodies.jams);
        let mut changed = core::mem::take(&mut jams.scratch.changed);
        changed.clear();
        let is_dirty = |slot: Slot| self.dirty.binary_search(&slot).is_ok();
        for record in jams.blocked.iter_mut().filter(|record| !record.is_over) {
            if record.is_free || self.dirty.iter().any(|&slot| record.names(slot)) {
                self.refresh_blocked(record);
                changed.push(record.body);
            }
        }
        for record in &mut jams.passing {
            if is_dirty(record.tracer) || is_dirty(record.over) {
                record.end = self.end_of_passing(record);
                changed.push(record.tracer);
            }
        }
        jams.remove_if(|record| record.is_over && record.since != self.now);
        self.dirty.extend_from_slice(&changed);
        jams.scratch.changed = changed;
        self.bodies.jams = jams;
    }

    fn refresh_blocked(&self, record: &mut Blocked) {
        let time = self.bodies.time(record.body);
        if self.bodies.record(record.body).velocity() != record.given {
            // A wall, or a call, has given it another velocity.
            (record.is_over, record.since, record.end) = (true, time, Time::NEVER);
            return;
        }
        if record.is_free {
            record.end = self.now;
            return;
        }
        let links = record.links.iter().map(|&link| self.end_of_link(link, record));
        let moved =
            record.jaws.iter().filter(|&&(jaw, velocity)| self.bodies.record(jaw).velocity() != velocity);
        let jaws = moved.map(|&(jaw, _)| self.bodies.time(jaw).latest(record.since));
        record.end = links.chain(jaws).min().unwrap_or(Time::NEVER);
    }

    /// When the second disc of a link is no longer in the way of the first: when the first one, at the
    /// velocity that the body wants, would not approach it. `(V − v_b)·(x_b − x_a)` is linear in time.
    fn end_of_link(&self, [a, b]: [Slot; 2], record: &Blocked) -> Time {
        let base = record.since.latest(self.bodies.time(a)).latest(self.bodies.time(b));
        let (d, of_a, of_b) = self.apart_at(a, b, base);
        let closing = record.wanted - of_b;
        let (now, change) = (closing.dot(d), closing.dot(of_b - of_a));
        if now <= 0.0 {
            base
        } else if change < 0.0 {
            self.clock.after(base, -now / change)
        } else {
            Time::NEVER
        }
    }

    /// When a tracer and what passes over it have parted: when their distance is that of contact, and grows.
    pub(super) fn end_of_passing(&self, record: &Passing) -> Time {
        let (a, b) = (record.tracer, record.over);
        let base = record.since.latest(self.bodies.time(a)).latest(self.bodies.time(b));
        let (d, of_a, of_b) = self.apart_at(a, b, base);
        let reach = self.physics.reach(self.bodies.radius_at(a, base), self.bodies.radius_at(b, base));
        let v = of_b - of_a;
        let (speed2, along) = (v.length_squared(), d.dot(v));
        let outside = d.length_squared() - reach * reach;
        let disc = along * along - speed2 * outside;
        if outside >= 0.0 && (along >= 0.0 || disc < 0.0) {
            return base;
        }
        let root = sqrt(disc.max(0.0));
        let dt = if along > 0.0 { -outside / (along + root) } else { (root - along) / speed2 };
        if dt.is_finite() { self.clock.after(base, dt.max(0.0)) } else { Time::NEVER }
    }

    /// From the first disc to the second at a time, and their velocities.
    fn apart_at(&self, a: Slot, b: Slot, time: Time) -> (DVec2, DVec2, DVec2) {
        let [of_a, of_b] = [a, b].map(|slot| self.bodies.motion_at(slot, time));
        (self.bodies.periods.nearest(of_b.position - of_a.position), of_a.velocity, of_b.velocity)
    }
}
