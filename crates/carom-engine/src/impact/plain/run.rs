use super::refresh::PlainRefresh;
use super::table_within::TableWithin;
use super::{PlainDiscs, PlainEnd, PlainRun};
use crate::predict::StatePredictor;
use crate::sink::{Sink, Watched};
use crate::state::row_within::Ranges;
use crate::store::Store;
use crate::{Physics, Rules, World};
use carom_broadphase::{Scheduled, Scheduler};
use carom_math::Time;

/// Runs a plain world by a schedule of its own.
macro_rules! run_by {
    ($world:expr, $schedule:expr, $until:expr, $most:expr, $sink:expr) => {
        $world.store.simd.run(PlainRun {
            combine: $world.store.settings.restitution,
            contact_time: $world.store.settings.collapse.as_ref().map_or(-1.0, |rule| rule.contact_time),
            discs: PlainDiscs { store: &mut $world.store, positions_now: &$world.positions_now },
            schedule: $schedule,
            until: $until,
            most: $most,
            sink: $sink,
        })
    };
}

impl<P: Physics> World<P> {
    /// Whether all that can happen, but for groups, are impacts of two smooth discs that fly straight, or of
    /// one at a half-plane: no rules, records, chains, regions or growth; and periods only by the grid, where
    /// there are no walls and the nearest image is met first.
    ///
    /// Impacts of two keep it so.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let are_images_near = self.store.bodies.periods.is_open()
            || (!self.store.bodies.wide && self.store.walls.facets.is_empty());
        (self.store.bodies.is_sweeping() || (!self.scheduler.sweeps() && are_images_near))
            && self.store.sensing.is_none()
            && self.has_plain_bodies()
    }

    fn has_plain_bodies(&self) -> bool {
        let contacts = &self.store.bodies.contacts;
        self.store.walls.planes.others.is_empty()
            && !self.predictor().is_filtering()
            && contacts.is_without_ends()
            && !contacts.has_apart()
            && !self.store.bodies.growth.is_on()
            && self.store.chains.is_empty()
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
        if P::IS_SMOOTH && self.store.dirty.is_empty() && self.is_plain() {
            self.run_plain(until, most, sink)
        } else {
            (0, self.due(until))
        }
    }

    /// As `run_to_next`, in a plain world.
    #[inline(always)]
    fn run_plain<K: Sink<P>>(
        &mut self,
        until: Time,
        most: u64,
        sink: &mut Watched<'_, K>,
    ) -> (u64, Option<Scheduled>) {
        let PlainEnd { events, due, is_spoiled } = match &mut self.scheduler {
            Scheduler::Table(_) if Ranges::suit(self.store.bodies.slots()) => {
                self.run_within(until, most, sink)
            }
            Scheduler::Table(table) => run_by!(self, table.as_mut(), until, most, sink),
            Scheduler::Grid(grid) => run_by!(self, grid.as_mut(), until, most, sink),
        };
        self.store.edition.add(events);
        if let Some(due) = due.filter(|_| is_spoiled) {
            self.store.dirty.extend([due.a, due.b]);
        }
        (events, due)
    }

    /// As `run_plain`, by a table of which rows are filled up to a horizon. Not inlined: it takes two
    /// kilobytes of the stack.
    #[inline(never)]
    fn run_within<K: Sink<P>>(&mut self, until: Time, most: u64, sink: &mut Watched<'_, K>) -> PlainEnd {
        let Some(table) = self.scheduler.as_table() else {
            return PlainEnd { events: 0, due: None, is_spoiled: false };
        };
        let mut table = TableWithin { table, ranges: Ranges::new(), known: f64::INFINITY };
        run_by!(self, &mut table, until, most, sink)
    }

    /// Schedules the marked discs of a plain world again, of which each is named once. Changes nothing and
    /// returns false if it is none, or one of the states is not of the present.
    #[inline(always)]
    pub(crate) fn refresh_plainly(&mut self) -> bool {
        let are_new = |world: &Self| {
            world.store.dirty.iter().all(|&slot| world.store.bodies.time(slot) == world.store.now)
        };
        P::IS_SMOOTH && self.is_plain() && are_new(self) && self.refresh_plain()
    }

    fn refresh_plain(&mut self) -> bool {
        let Some(table) = self.scheduler.as_table() else { return false };
        let Store { dirty, simd, .. } = &self.store;
        let predictor =
            StatePredictor { store: &self.store, positions_now: &self.positions_now, visitor: Rules::new() };
        simd.run(PlainRefresh { table, predictor, changed: dirty });
        true
    }
}
