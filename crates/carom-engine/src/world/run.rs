use crate::apply;
use crate::apply::holds::report_holds;
use crate::apply::token::GuardedStore;
use crate::drag::PacedTime;
use crate::handle::is_stop;
use crate::judge::{Command, CommandKind};
use crate::run::judge::report_refused;
use crate::run::plain;
use crate::run::plain::run::{PlainGoal, is_plain};
use crate::run::responder::Scratch;
use crate::sense::Planned;
use crate::sink::{Sink, Watched};
use crate::state::judging::{Action, Cause};
use crate::state::positions_now::PositionsNow;
use crate::state::timers::Timer;
use crate::store::Store;
use crate::world::stops::Stops;
use crate::{
    Advance, CrushRule, Departure, DiscId, DiscRef, Error, Event, Partner, Physics, StopReason, TimerId,
    WallId, World,
};
use carom_broadphase::{NextMeeting, Scheduled};
use carom_math::Time;
use core::cell::Cell;
use glam::DVec2;

/// A group uses one event of the budget, and one more for each 64 contacts, as its solution takes time.
/// With a smaller number calls end early in heaps; with a larger one many large groups take long.
const CONTACTS_OF_EVENT: u64 = 64;

/// A part of a call of `advance` in which no timer is due: up to the first timer, the end of growth, or the
/// end of the call.
struct Stretch {
    /// Up to when events are looked for, on the clock of the schedule.
    until: Time,
    /// When it ends, on the caller's clock: the same time, unless there is drag.
    end: Time,
    /// How the call ends then, if no timer is due.
    reached: StopReason,
}

impl Stretch {
    /// The stretch that begins now, in a call to a time.
    fn begin<P: Physics>(store: &mut GuardedStore<P>, wanted: Time) -> Self {
        apply::time::begin_stretch(store);
        let end = store.timers.first().map_or(wanted, |(timer, _)| timer.min(wanted));
        if let Some(drag) = store.drag() {
            let until = drag.pacing.slow_time_after(end);
            return Stretch { until, end, reached: StopReason::Reached };
        }
        let (until, reached) = store.end_of_call(end);
        Stretch { until, end: until, reached }
    }
}

/// What is due first.
enum Due<'a> {
    Crossing(&'a Planned),
    Event(&'a Scheduled),
    Timer,
}

// The event loop.
impl<P: Physics> World<P> {
    /// Advances to a time, event by event. `at` becomes the true time and pace of each, where there is drag.
    /// The budget is for events, commands of verdicts, and what large groups take beyond one event each.
    #[inline(never)]
    pub(super) fn run_events<K: Sink<P>>(
        &mut self,
        wanted: Time,
        budget: u64,
        sink: &mut K,
        at: &Cell<PacedTime>,
    ) -> Advance {
        let (mut sink, is_slowed) = (Watched::new(sink), self.store.drag().is_some());
        let (mut stretch, mut known) = (Stretch::begin(&mut self.store, wanted), [NextMeeting::UNKNOWN; 2]);
        let (mut events, mut more) = (0, 0);
        let end = loop {
            let most = if is_slowed { 0 } else { budget.saturating_sub(events + more) };
            let (count, next) = self.run_to_next(stretch.until, most, &known, &mut sink);
            events += count;
            if sink.is_stopped {
                break StopReason::Stopped;
            }
            let crossing = apply::time::next_crossing(self.store.common(), next, stretch.until);
            let Some(due) = self.first_due((&crossing, &next), (&stretch, wanted), at) else {
                // The timer at its end is gone: that of a wall that has been blocked on its way.
                if stretch.reached == StopReason::Reached && stretch.end < wanted {
                    (stretch, known) = (Stretch::begin(&mut self.store, wanted), [NextMeeting::UNKNOWN; 2]);
                    continue;
                }
                break stretch.reached;
            };
            if events + more >= budget {
                break StopReason::OutOfBudget;
            }
            let (groups, mut done) = (self.store.counters.groups, Ok(()));
            match due {
                Due::Timer => {
                    events += self.fire_timer(&mut sink);
                    if sink.is_stopped {
                        break StopReason::Stopped;
                    }
                    (stretch, known) = (Stretch::begin(&mut self.store, wanted), [NextMeeting::UNKNOWN; 2]);
                    continue;
                }
                Due::Crossing(crossing) => apply::time::cross(&mut self.store, crossing, &mut sink),
                Due::Event(due) => done = self.resolve_due(due, &mut known, &mut sink),
            }
            // Also of verdicts on an impact that has no room: none waits for another event.
            let commands = if P::JUDGES { self.carry_out(&mut known, &mut sink) } else { 0 };
            more += commands;
            let is_renewed = is_slowed && self.end_slowed_event(at.get().time, &mut known);
            match done {
                Ok(()) => more += work_since(groups, &self.store, &self.scratch),
                // The growth has ended, and nothing limits the time any more.
                Err(StopReason::Outgrown) => {}
                Err(stuck) => break stuck,
            }
            if commands > 0 || is_renewed || done.is_err() {
                stretch = Stretch::begin(&mut self.store, wanted);
            }
            events += 1;
        };
        apply::time::count_events(self.store.common(), events);
        Advance { end, time: self.now(), events }
    }

    /// What is due: the first crossing or event of a stretch, or else, as its end becomes the present, a
    /// timer. `next` is the first event of the schedule.
    #[inline(always)]
    fn first_due<'a>(
        &mut self,
        next: (&'a Option<Planned>, &'a Option<Scheduled>),
        (stretch, wanted): (&Stretch, Time),
        at: &Cell<PacedTime>,
    ) -> Option<Due<'a>> {
        let (time, due) = match next {
            (Some(crossing), _) => (crossing.time, Due::Crossing(crossing)),
            (None, Some(next)) => (next.time, Due::Event(next)),
            (None, None) => (Time::NEVER, Due::Timer),
        };
        let is_due =
            time <= stretch.until && self.store.drag().is_none_or(|drag| drag.is_by(time, stretch.end, at));
        if is_due { Some(due) } else { self.end_stretch(stretch, wanted).then_some(Due::Timer) }
    }

    /// Makes the end of a stretch the present. Whether a timer is due then, in a call to a time: a stop, if
    /// time goes on.
    #[inline(always)]
    fn end_stretch(&mut self, stretch: &Stretch, wanted: Time) -> bool {
        if self.store.drag().is_some() {
            self.end_slowed_stretch(stretch);
        } else {
            apply::time::go_to(self.store.common(), stretch.until);
        }
        let is_due = |timer: (Time, u64)| timer.0 <= self.now() && (stretch.end < wanted || !is_stop(timer));
        stretch.reached == StopReason::Reached && self.store.timers.first().is_some_and(is_due)
    }

    /// When the next event of an up-to-date schedule is, if it is not after a time of the schedule.
    pub(super) fn next_time_before(&mut self, until: Time) -> Option<Time> {
        let due = self.due(until).filter(|due| due.time <= until);
        let crossing = apply::time::next_crossing(self.store.common(), due, until);
        crossing.map(|crossing| crossing.time).or(due.map(|due| due.time))
    }

    /// Brings the world up to date and takes the fast leg: carries out impacts of two up to a time, if the
    /// world is plain, and at most `most` of them. Returns how many there were, and the next event. `known`
    /// is what the discs of the last event meet first.
    #[inline(always)]
    fn run_to_next<K: Sink<P>>(
        &mut self,
        until: Time,
        most: u64,
        known: &[NextMeeting; 2],
        sink: &mut Watched<'_, K>,
    ) -> (u64, Option<Scheduled>) {
        self.reschedule_with(known);
        report_holds(&mut self.store, sink);
        apply::time::report_crossings(&mut self.store, sink);
        if sink.is_stopped {
            return (0, None);
        }
        self.run_plain(until, most, sink).unwrap_or_else(|| (0, self.due(until)))
    }

    /// The fast leg.
    #[inline(always)]
    fn run_plain<K: Sink<P>>(
        &mut self,
        until: Time,
        most: u64,
        sink: &mut Watched<'_, K>,
    ) -> Option<(u64, Option<Scheduled>)> {
        // A constant for itself, so that the loop is compiled for no other physics.
        if P::IS_SMOOTH && most > 0 && self.store.dirty.is_empty() && is_plain(&self.store, &self.scheduler) {
            let World { store, scheduler, positions_now, .. } = self;
            Some(plain::run::run(store, scheduler, positions_now, PlainGoal { until, most }, sink))
        } else {
            None
        }
    }

    /// Has an event happen. `known` becomes what its discs meet next.
    #[inline(always)]
    fn resolve_due<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        known: &mut [NextMeeting; 2],
        sink: &mut Watched<'_, K>,
    ) -> Result<(), StopReason> {
        if self.store.drag().is_some() && self.run_plain_once(due.time, sink) {
            return Ok(());
        }
        apply::time::go_to(self.store.common(), due.time);
        match self.responder().resolve(due, known, sink) {
            Err(StopReason::Jammed) if self.store.settings.crush == CrushRule::GiveWay => {
                self.make_room(sink)
            }
            done => done,
        }
    }

    /// Takes the fast leg for one event: with drag the clock is renewed between events. Compiled apart, so
    /// that it takes no room in the loop of worlds without drag. Returns whether the event has happened.
    #[inline(never)]
    fn run_plain_once<K: Sink<P>>(&mut self, until: Time, sink: &mut Watched<'_, K>) -> bool {
        self.run_plain(until, 1, sink).is_some_and(|(count, _)| count == 1)
    }

    /// Does what the first timer is for. What its edits bring about is left to the next round of the loop, or
    /// to the next call, if the sink asks to stop. Returns what it counts in the budget: a stop belongs to
    /// the event of the arrival.
    fn fire_timer<K: Sink<P>>(&mut self, sink: &mut Watched<'_, K>) -> u64 {
        let Some((at, timer)) = apply::time::take_timer(&mut self.store) else { return 0 };
        match timer {
            _ if is_stop(at) => {
                // All of an instant, as where a call begins with them: a wall that stands would else meet
                // what another one still carries.
                Stops(self).one(&timer);
                Stops(self).all();
                return 0;
            }
            Timer::Note(note) if K::ACTIVE => {
                let event = Event::Timer { time: self.now(), timer: TimerId(at.1), note };
                _ = Sink::<P>::event(sink, &event);
            }
            Timer::Arrival(disc) => self.arrive(disc, at, sink),
            Timer::WallArrival(wall) => self.wall_arrives(wall, at, sink),
            Timer::Command(command) => self.carry_out_command(&command, sink),
            Timer::Note(_) | Timer::Stop(_) | Timer::WallStop(_) => {}
        }
        1
    }
}

/// What the last event counts in the budget beside itself: a share for each 64 contacts, if it was a group.
/// `before` is the number of groups before it.
#[inline(always)]
fn work_since<P: Physics>(before: u64, store: &Store<P>, scratch: &Scratch<P::Extra>) -> u64 {
    let group = scratch.group.as_ref().filter(|_| store.counters.groups != before);
    group.map_or(0, |group| group.contacts.len() as u64 / CONTACTS_OF_EVENT)
}

// Worlds with drag: see `Settings::drag`.
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

    /// Makes the end of a stretch the present.
    #[cold]
    fn end_slowed_stretch(&mut self, stretch: &Stretch) {
        let Some(drag) = self.store.drag() else { return };
        // A call to the present leaves it as it is: both clocks round the time of the last event.
        if stretch.end == self.now() {
            return;
        }
        let target = drag.pacing.slow_time(stretch.end);
        // Not before what has happened or after what has not, whatever the rounding.
        let next = self.next_time_before(stretch.until);
        let target = next.map_or(target, |next| target.min(next)).latest(self.store.now);
        apply::time::go_to(self.store.common(), target);
        apply::time::set_true_now(self.store.common(), stretch.end);
    }

    /// Ends an event at a true time. Returns whether the slow clock, which has run down, begins anew; then
    /// nothing is known of what the discs meet.
    #[cold]
    fn end_slowed_event(&mut self, time: Time, known: &mut [NextMeeting; 2]) -> bool {
        self.reschedule_with(known);
        apply::time::set_true_now(self.store.common(), time);
        apply::time::settle_energy(self.store.common());
        *known = [NextMeeting::UNKNOWN; 2];
        self.renew_old_clock()
    }

    /// Begins a slow clock anew that has run down, with the half-life of the true present: velocities on it
    /// are halved for each that is over. All states are rewritten at the present time, and scheduled again.
    /// Returns whether it has.
    fn renew_old_clock(&mut self) -> bool {
        let counted = self.scheduler.counters();
        let is_renewed = apply::time::renew_clock(&mut self.store, counted);
        if is_renewed {
            self.positions_now = PositionsNow::default();
            self.begin_schedule();
        }
        is_renewed
    }
}

// What verdicts and timers have asked for.
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
                Action::Remove(Partner::Disc(disc), by) => {
                    _ = self.remove_and_report(disc, Some(by), sink);
                }
                Action::Remove(Partner::Wall { wall, .. }, _) => {
                    _ = self.remove_wall_and_report(wall, sink);
                }
                Action::Capture(disc, by) => self.capture(disc, by, sink),
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
            C::Remove(disc) => (CommandKind::Remove, self.remove_and_report(disc, None, sink)),
            C::RemoveWall(wall) => (CommandKind::Remove, self.remove_wall_and_report(wall, sink)),
            C::SetVelocity(disc, velocity) => (CommandKind::Velocity, self.set_velocity(disc, velocity)),
            C::ApplyImpulse(disc, impulse) => (CommandKind::Velocity, self.apply_impulse(disc, impulse)),
            C::SetPosition(disc, position) => (CommandKind::Position, self.set_position(disc, position)),
            C::MoveTo(disc, target, seconds) => {
                (CommandKind::Velocity, self.move_to(disc, target, seconds).map(|_| ()))
            }
            C::SetUserData(disc, note) => (CommandKind::Property, self.set_user_data(disc, note)),
            C::SetRules(disc, rules) => (CommandKind::Property, self.set_rules(disc, rules)),
            C::SetWallRules(wall, rules) => (CommandKind::Property, self.set_wall_rules(wall, rules)),
            C::SetEnabled(disc, is_on) => (CommandKind::Property, self.set_enabled(disc, is_on)),
            C::TurnArm(wall, to, rate) => (CommandKind::Velocity, self.turn_arm(wall, to, rate).map(|_| ())),
            C::MoveWall(wall, offset, seconds) => {
                (CommandKind::Velocity, self.move_wall(wall, offset, seconds).map(|_| ()))
            }
            C::SetRadius(disc, radius) => (CommandKind::Property, self.set_radius(disc, radius)),
            C::SetMass(disc, mass) => (CommandKind::Property, self.set_mass(disc, mass)),
            C::SetRestitution(disc, e) => (CommandKind::Property, self.set_restitution(disc, e)),
            C::SetTimer(seconds, note) => (CommandKind::Timer, self.set_timer(seconds, note).map(|_| ())),
        };
        if let Err(error) = done {
            report_refused(&self.store, what, error.into(), sink);
        }
    }

    fn remove_and_report<K: Sink<P>>(
        &mut self,
        id: DiscId,
        by: Option<Cause>,
        sink: &mut K,
    ) -> Result<(), Error> {
        let departure = departure(&self.store, id, by);
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

    fn capture<K: Sink<P>>(&mut self, id: DiscId, by: Option<Cause>, sink: &mut K) {
        let departure = departure(&self.store, id, by);
        if self.take_off(id, true).is_ok()
            && let Some(departure) = departure.filter(|_| K::ACTIVE)
        {
            _ = sink.event(&Event::Captured(departure));
        }
    }
}

/// A disc that goes, as it is now.
fn departure<P: Physics>(store: &Store<P>, id: DiscId, by: Option<Cause>) -> Option<Departure> {
    let disc = DiscRef { store, slot: store.bodies.slot(id).ok()? };
    let (time, user_data) = (store.true_now(), disc.user_data());
    let (position, velocity) = (disc.position(), disc.velocity());
    let (by, by_user_data) = by.map_or((None, 0), |cause| (Some(cause.body), cause.user_data));
    Some(Departure { time, disc: id, user_data, position, velocity, by, by_user_data })
}
