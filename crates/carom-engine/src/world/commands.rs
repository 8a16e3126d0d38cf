use crate::impact::judge::{enter, report_refused};
use crate::judge::{Command, CommandKind};
use crate::sink::Sink;
use crate::state::judging::Action;
use crate::{Departure, DiscId, Error, Event, Partner, Physics, WallId, World};
use carom_broadphase::NextMeeting;

/// What verdicts and timers have asked for.
impl<P: Physics> World<P> {
    /// Carries out what the verdicts of an event have asked for. Returns how many commands there were.
    pub(crate) fn carry_out<K: Sink<P>>(&mut self, next: &mut [NextMeeting; 2], sink: &mut K) -> u64 {
        self.store.judging.answers.clear();
        if self.store.judging.actions.is_empty() {
            return 0;
        }
        let mut actions = core::mem::take(&mut self.store.judging.actions);
        // They may meet others first now.
        *next = [NextMeeting::UNKNOWN; 2];
        self.store.edited();
        let count = actions.len() as u64;
        for action in actions.drain(..) {
            match action {
                Action::Command(command) => self.carry_out_command(&command, sink),
                Action::Remove(Partner::Disc(disc)) => _ = self.remove_and_report(disc, sink),
                Action::Remove(Partner::Wall { wall, .. }) => _ = self.remove_wall_and_report(wall, sink),
                Action::Capture(disc) => self.capture(disc, sink),
                Action::Enter(disc, wall) => enter(&mut self.store, disc, wall),
            }
        }
        self.store.judging.actions = actions;
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

    fn departure(&self, id: DiscId) -> Option<Departure> {
        let disc = self.get(id)?;
        let (position, velocity) = (disc.position(), disc.velocity());
        Some(Departure { time: self.now(), disc: id, user_data: disc.user_data(), position, velocity })
    }

    fn remove_and_report<K: Sink<P>>(&mut self, id: DiscId, sink: &mut K) -> Result<(), Error> {
        let departure = self.departure(id);
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
        let departure = self.departure(id);
        if self.take_off(id, true).is_ok()
            && let Some(departure) = departure.filter(|_| K::ACTIVE)
        {
            _ = sink.event(&Event::Captured(departure));
        }
    }
}
