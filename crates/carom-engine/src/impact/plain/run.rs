use super::{PlainDiscs, PlainEnd, PlainRun};
use crate::sink::{Sink, Watched};
use crate::{Physics, World};
use carom_broadphase::{Scheduled, Scheduler};
use carom_math::Time;

impl<P: Physics, S: Scheduler> World<P, S> {
    /// Whether all that can happen, but for groups, are impacts of two smooth discs of a table that fly
    /// straight, or of one at a half-plane: no rules, records, chains, regions, growth or periods.
    ///
    /// Impacts of two keep it so.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.bodies.is_sweeping() && self.sensing.is_none() && self.has_plain_bodies()
    }

    fn has_plain_bodies(&self) -> bool {
        let contacts = &self.bodies.contacts;
        self.walls.planes.others.is_empty()
            && !self.predictor().is_filtering()
            && contacts.is_without_ends()
            && !contacts.has_apart()
            && !self.bodies.growth.is_on()
            && self.chains.is_empty()
            && self.dirty.is_empty()
    }

    /// The next event, after what impacts of two there are before it in a plain world, which are carried out:
    /// at most so many, and up to a time. Returns how many were. Looks for none once the sink has asked to
    /// stop.
    #[inline(always)]
    pub(crate) fn run_to_next<K: Sink<P>>(
        &mut self,
        until: Time,
        most: u64,
        sink: &mut Watched<'_, K>,
    ) -> (u64, Option<Scheduled>) {
        if sink.is_stopped {
            return (0, None);
        }
        // A constant for itself, so that the loop is compiled for no other physics.
        if P::IS_SMOOTH && self.is_plain() { self.run_plain(until, most, sink) } else { (0, self.due(until)) }
    }

    /// As `run_to_next`, in a plain world.
    #[inline(always)]
    fn run_plain<K: Sink<P>>(
        &mut self,
        until: Time,
        most: u64,
        sink: &mut Watched<'_, K>,
    ) -> (u64, Option<Scheduled>) {
        let contact_time = self.settings.collapse.as_ref().map_or(-1.0, |rule| rule.contact_time);
        let Some(table) = self.scheduler.as_table() else { return (0, self.due(until)) };
        let discs = PlainDiscs {
            now: &mut self.now,
            bodies: &mut self.bodies,
            walls: &self.walls,
            clock: &self.clock,
            physics: &self.physics,
            positions_now: &self.positions_now,
            simd: self.simd,
        };
        let PlainEnd { events, due, is_spoiled } = self.simd.run(PlainRun {
            table,
            discs,
            impacts: &mut self.impacts,
            counters: &mut self.counters,
            book: &mut self.book,
            combine: self.settings.restitution,
            contact_time,
            until,
            most,
            sink,
        });
        self.edition.add(events);
        if let Some(due) = due.filter(|_| is_spoiled) {
            self.dirty.extend([due.a, due.b]);
        }
        (events, due)
    }
}
