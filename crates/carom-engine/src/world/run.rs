use super::advance::work_since;
use crate::apply;
use crate::drag::Paced;
use crate::judge::{Command, CommandKind};
use crate::run::judge::report_refused;
use crate::sink::{AnySink, Nothing, Sink, Watched};
use crate::state::judging::Action;
use crate::state::positions_now::PositionsNow;
use crate::state::timers::Timer;
use crate::store::Store;
use crate::{Advance, Departure, DiscId, DiscRef, Error, Event, Partner, Physics, StopReason, WallId, World};
use carom_broadphase::NextMeeting;
use carom_math::Time;
use glam::DVec2;

/// From timer to timer.
impl<P: Physics> World<P> {
    /// Advances to a time, from timer to timer.
    pub(super) fn run_by_timers<K: Sink<P>>(
        &mut self,
        wanted: Time,
        budget: &mut u64,
        sink: &mut K,
    ) -> Advance {
        let mut events = 0;
        loop {
            let next = self.store.timers.first().filter(|&(time, _)| time <= wanted);
            let until = next.map_or(wanted, |(time, _)| time);
            let done = if self.store.drag().is_some() {
                self.run_slowed(until, budget, sink)
            } else {
                self.run_straight(until, budget, sink)
            };
            events += done.events;
            let mut end = done.end;
            let is_due = self.store.timers.first().is_some_and(|(time, _)| time <= self.now());
            if end == StopReason::Reached && is_due {
                if *budget == 0 {
                    return Advance { end: StopReason::OutOfBudget, time: self.now(), events };
                }
                events += 1;
                *budget -= 1;
                if self.fire_timer(&mut Watched::new(sink)) {
                    continue;
                }
                end = StopReason::Stopped;
            }
            if end != StopReason::Reached || done.time >= wanted {
                return Advance { end, time: self.now(), events };
            }
        }
    }

    /// Does what the first timer is for. Returns whether the call goes on.
    fn fire_timer<K: Sink<P>>(&mut self, sink: &mut Watched<'_, K>) -> bool {
        let Some((number, timer)) = apply::time::take_timer(&mut self.store) else { return true };
        match timer {
            Timer::Note(note) if K::ACTIVE => {
                let event = Event::Timer { time: self.now(), timer: number, note };
                _ = Sink::<P>::event(sink, &event);
            }
            Timer::Note(_) => {}
            Timer::Arrival(disc) => self.arrive(disc, sink),
            Timer::WallArrival(wall) => self.wall_arrives(wall, sink),
            Timer::Command(command) => self.carry_out_command(&command, sink),
        }
        !sink.is_stopped
    }
}

/// Worlds with drag: see [`Settings::drag`](crate::Settings::drag).
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
        apply::time::settle_energy(&mut self.store);
        let (mut events, mut more) = (0, 0);
        let (mut base, mut target, mut sight) = self.store.goal(wanted);
        let end = loop {
            self.reschedule();
            let mut watched = Watched::new(sink);
            apply::time::report_crossings(&mut self.store, &mut watched);
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
                    let before = self.store.counters.groups;
                    let done = self.run_one_slowed(next, time, sink);
                    events += done.events;
                    more += work_since(before, &self.store, &self.scratch);
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
                    let target = target.latest(self.store.now);
                    apply::time::go_to(&mut self.store, target);
                    apply::time::set_true_now(&mut self.store, wanted);
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
        apply::time::set_true_now(&mut self.store, time);
        apply::time::settle_energy(&mut self.store);
        self.renew_old_clock();
        done
    }

    /// Begins a slow clock anew that has run down, with the half-life of the true present: velocities on it
    /// are halved for each that is over. All states are rewritten at the present time, and scheduled again.
    fn renew_old_clock(&mut self) {
        let counted = self.scheduler.counters();
        if apply::time::renew_clock(&mut self.store, counted) {
            self.positions_now = PositionsNow::default();
            self.begin_schedule();
        }
    }
}

/// What verdicts and timers have asked for.
impl<P: Physics> World<P> {
    /// Carries out what the verdicts of an event have asked for. Returns how many commands there were.
    pub(crate) fn carry_out<K: Sink<P>>(&mut self, next: &mut [NextMeeting; 2], sink: &mut K) -> u64 {
        let Some(mut actions) = apply::judge::take_actions(&mut self.store) else { return 0 };
        // They may meet others first now.
        *next = [NextMeeting::UNKNOWN; 2];
        let count = actions.len() as u64;
        for action in actions.drain(..) {
            match action {
                Action::Command(command) => self.carry_out_command(&command, sink),
                Action::Remove(Partner::Disc(disc)) => _ = self.remove_and_report(disc, sink),
                Action::Remove(Partner::Wall { wall, .. }) => _ = self.remove_wall_and_report(wall, sink),
                Action::Capture(disc) => self.capture(disc, sink),
                Action::Enter(disc, wall) => apply::judge::enter(&mut self.store, disc, wall),
            }
        }
        apply::judge::give_back_actions(&mut self.store, actions);
        count
    }

    /// Carries out a command, or reports that it is refused.
    pub(crate) fn carry_out_command<K: Sink<P>>(
        &mut self,
        command: &Command<P::Body, P::Extra>,
        sink: &mut K,
    ) {
        use Command as C;
        let (what, done) = match *command {
            C::Insert(disc) => {
                let inserted = self.insert(disc).map(|id| {
                    if K::ACTIVE {
                        let (time, user_data) = (self.now(), disc.user_data);
                        _ = sink.event(&Event::Inserted { time, disc: id, user_data });
                    }
                });
                (CommandKind::Insert, inserted)
            }
            C::Remove(disc) => (CommandKind::Remove, self.remove_and_report(disc, sink)),
            C::RemoveWall(wall) => (CommandKind::Remove, self.remove_wall_and_report(wall, sink)),
            C::SetVelocity(disc, velocity) => (CommandKind::Velocity, self.set_velocity(disc, velocity)),
            C::ApplyImpulse(disc, impulse) => (CommandKind::Velocity, self.apply_impulse(disc, impulse)),
            C::SetPosition(disc, position) => (CommandKind::Position, self.set_position(disc, position)),
            C::MoveTo(disc, target, seconds) => {
                let by = self.after(seconds);
                (CommandKind::Velocity, by.and_then(|by| self.move_to(disc, target, by)).map(|_| ()))
            }
            C::SetUserData(disc, note) => (CommandKind::Property, self.set_user_data(disc, note)),
            C::SetRules(disc, rules) => (CommandKind::Property, self.set_rules(disc, rules)),
            C::SetWallRules(wall, rules) => (CommandKind::Property, self.set_wall_rules(wall, rules)),
            C::SetEnabled(disc, is_on) => (CommandKind::Property, self.set_enabled(disc, is_on)),
            C::TurnArm(wall, to, rate) => (CommandKind::Velocity, self.turn_arm(wall, to, rate).map(|_| ())),
            C::MoveWall(wall, offset, seconds) => {
                let by = self.after(seconds);
                (CommandKind::Velocity, by.and_then(|by| self.move_wall(wall, offset, by)).map(|_| ()))
            }
            C::SetTimer(seconds, note) => (CommandKind::Timer, self.set_timer(seconds, note).map(|_| ())),
        };
        if let Err(error) = done {
            report_refused(&self.store, what, error.into(), sink);
        }
    }

    fn remove_and_report<K: Sink<P>>(&mut self, id: DiscId, sink: &mut K) -> Result<(), Error> {
        let departure = departure(&self.store, id);
        self.remove(id)?;
        if let Some(departure) = departure.filter(|_| K::ACTIVE) {
            _ = sink.event(&Event::Removed(departure));
        }
        Ok(())
    }

    fn remove_wall_and_report<K: Sink<P>>(&mut self, id: WallId, sink: &mut K) -> Result<(), Error> {
        let wall = self.remove_wall(id)?;
        if K::ACTIVE {
            let user_data = wall.user_data;
            _ = sink.event(&Event::WallRemoved { time: self.now(), wall: id, user_data });
        }
        Ok(())
    }

    fn capture<K: Sink<P>>(&mut self, id: DiscId, sink: &mut K) {
        let departure = departure(&self.store, id);
        if self.take_off(id, true).is_ok()
            && let Some(departure) = departure.filter(|_| K::ACTIVE)
        {
            _ = sink.event(&Event::Captured(departure));
        }
    }
}

/// A disc that goes, as it is now.
fn departure<P: Physics>(store: &Store<P>, id: DiscId) -> Option<Departure> {
    let disc = DiscRef { store, slot: store.bodies.slot(id).ok()? };
    let (position, velocity) = (disc.position(), disc.velocity());
    Some(Departure { time: store.true_now(), disc: id, user_data: disc.user_data(), position, velocity })
}
