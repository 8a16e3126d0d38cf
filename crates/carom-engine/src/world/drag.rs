use crate::drag::{Paced, power_of_two};
use crate::edit::restate;
use crate::impact::write::store_state;
use crate::ledger::Book;
use crate::sink::{AnySink, Nothing, Sink, Watched};
use crate::state::positions_now::PositionsNow;
use crate::state::stamp::Stamp;
use crate::{Advance, Physics, State, StopReason, World};
use carom_math::Time;
use glam::DVec2;

/// Half-lives after which the slow clock begins anew, at the next event or edit that depends on it: then
/// velocities on it are 2³² times the true ones, and its moments 2⁻⁶¹ lifetimes apart or less.
const OLD: u64 = 32;

/// Worlds with drag: see [`Settings::drag`].
impl<P: Physics> World<P> {
    /// Takes a true velocity that is going to be stored now.
    #[inline(always)]
    pub(crate) fn slowed(&mut self, velocity: DVec2) -> DVec2 {
        if P::DRAGS && self.store.drag.is_some() { velocity / self.renewed_pace() } else { velocity }
    }

    /// The pace, for velocities that are going to be stored now.
    #[cold]
    pub(crate) fn renewed_pace(&mut self) -> f64 {
        if self.store.drag().is_some() {
            self.renew_old_clock();
        }
        self.store.pace()
    }

    /// As `run_straight`, up to a true time, in a world with drag. Its events come one by one.
    pub(super) fn run_slowed<K: Sink<P>>(&mut self, wanted: Time, budget: &mut u64, sink: &mut K) -> Advance {
        self.store.settle_energy();
        let (mut events, mut more) = (0, 0);
        let (mut base, mut target, mut sight) = self.store.goal(wanted);
        let end = loop {
            self.reschedule();
            let mut watched = Watched::new(sink);
            self.store.sensing.iter_mut().for_each(|sensing| sensing.report(&mut watched));
            if watched.is_stopped {
                break StopReason::Stopped;
            }
            let next = self.next_time_before(sight);
            let time = next.map(|next| self.store.time_of_next(next));
            match (next, time) {
                (Some(next), Some(time)) if time <= wanted => {
                    if events + more >= *budget {
                        break StopReason::OutOfBudget;
                    }
                    let groups = self.store.counters.groups;
                    let done = self.run_one_slowed(next, time, sink);
                    events += done.events;
                    more += self.work_since(groups);
                    if !matches!(done.end, StopReason::Reached | StopReason::OutOfBudget) {
                        break done.end;
                    }
                    if self.store.drag().is_some_and(|drag| drag.pacing.base != base) {
                        (base, target, sight) = self.store.goal(wanted);
                    }
                }
                _ => {
                    // Not before what has happened or after what has not, whatever the rounding.
                    let target = next.map_or(target, |next| target.min(next));
                    self.store.now = target.latest(self.store.now);
                    self.store.set_true_now(wanted);
                    break StopReason::Reached;
                }
            }
        };
        *budget = budget.saturating_sub(events + more);
        Advance { end, time: self.now(), events }
    }

    /// Has the event happen that is due at a time of the schedule, which is this true time.
    fn run_one_slowed<K: Sink<P>>(&mut self, due: Time, time: Time, sink: &mut K) -> Advance {
        let pace = self.store.drag().map_or(1.0, |drag| drag.pacing.clock.pace(due));
        let done = if K::ACTIVE {
            self.run_straight(
                due,
                &mut 1,
                &mut AnySink::new(&mut Paced { sink: AnySink::new(sink), time, pace }),
            )
        } else {
            self.run_straight(due, &mut 1, &mut Nothing)
        };
        self.store.set_true_now(time);
        self.store.settle_energy();
        self.renew_old_clock();
        done
    }

    /// Begins a slow clock anew that has run down, with the half-life of the true present: velocities on it
    /// are halved for each that is over. All states are rewritten at the present time, and scheduled again.
    fn renew_old_clock(&mut self) {
        let Some(drag) = self.store.drag() else { return };
        if (drag.pacing.clock.half_lives(self.store.now) as u64) < OLD {
            return;
        }
        let base = drag.pacing.clock.true_half_lives(drag.now);
        let over = base.saturating_sub(drag.pacing.base);
        if over < OLD {
            return;
        }
        self.store.settle_energy();
        // Beyond 1000 half-lives nothing is left of any velocity.
        let factor = if over > 1000 { 0.0 } else { 1.0 / power_of_two(over as usize) };
        restate(&mut self.store, |state| State { velocity: state.velocity * factor, ..state });
        self.store.bodies.contacts.scale(factor);
        // No velocity has changed but on this clock.
        self.store.book = Book::default();
        let Some(drag) = &mut self.store.drag else { return };
        drag.pacing.base = base;
        self.store.now = drag.pacing.slow_time(drag.now);
        drag.count(self.scheduler.counters());
        let pace = drag.pacing.pace(self.store.now, drag.now);
        drag.energy = drag.energy.rescaled(factor, pace * pace);
        self.store.for_each_live(|store, slot| {
            let state = store.bodies.state(slot);
            store_state(store, slot, &state, Stamp::NONE);
        });
        self.store.bodies.contacts.begin(self.store.now);
        self.store.walls.begin(self.store.now);
        self.positions_now = PositionsNow::default();
        self.begin_schedule();
    }
}
