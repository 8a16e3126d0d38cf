use super::contact::{ContactNow, With, gap_at_impact, kind_of, touched};
use super::two_body::MassShares;
use crate::judge::{Command, CommandKind, Encounter, Party, Refusal, Verdict, Which};
use crate::physics::Reach;
use crate::sink::Sink;
use crate::state::contacts::{Passing, PassingWall};
use crate::state::judging::{Action, Answer};
use crate::state::stamp::Stamp;
use crate::touch::Apart;
use crate::{Departure, DiscId, Event, Partner, Passage, Physics, State, WallId, World};
use carom_broadphase::{EventTimes, Kind, NextMeeting, Scheduled, Slot};
use carom_math::Time;
use carom_math::toi::Memory;
use carom_math::tolerance::touch_slack;
use carom_solver::{Group, Other};
use glam::DVec2;

/// A contact as it is judged.
struct Case {
    slots: [Slot; 2],
    with: With,
    contact: ContactNow,
    masses: MassShares,
}

/// What a judge says of contacts: see [`Judge`](crate::Judge).
impl<P: Physics> World<P> {
    /// To be called where an event begins.
    pub(super) fn begin_judging(&mut self) {
        self.store.judging.answers.clear();
    }

    /// What was said of a contact at this event.
    #[inline(always)]
    pub(super) fn answer(&self, a: Slot, with: With) -> Option<&Answer> {
        if P::JUDGES { self.store.judging.answers.iter().find(|answer| answer.is_of(a, with)) } else { None }
    }

    /// Whether a contact is none, by verdict.
    #[inline(always)]
    pub(super) fn is_waived(&self, a: Slot, with: With) -> bool {
        self.answer(a, with).is_some_and(|answer| !answer.bounces)
    }

    /// A contact of two with the restitution that a verdict gives it.
    #[inline(always)]
    pub(super) fn judged(&self, a: Slot, with: With, contact: ContactNow) -> ContactNow {
        let Some(answer) = self.answer(a, with) else { return contact };
        let kick = if contact.approach_speed > 0.0 { answer.kick / contact.approach_speed } else { 0.0 };
        ContactNow { restitution: (answer.restitution + kick).min(f64::MAX), ..contact }
    }

    /// Judges the impact that is due. Returns whether it is one.
    pub(super) fn judge_due<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) -> bool {
        let with = With::of(due);
        let contact = match with {
            With::Disc(_) => None,
            With::Facet(f) => {
                let motion = self.store.bodies.motion_at(due.a, self.store.now);
                let body = self.store.bodies.body_at(due.a, self.store.now);
                let gap = gap_at_impact(&self.predictor(), due.a, f, &motion);
                Some(self.wall_contact(due.a, f, &motion, &body, gap))
            }
        };
        let case = self.case(due.a, with, contact);
        self.judge(&case, sink)
    }

    /// A contact, the disc that was inserted first before the other; that with a facet is given.
    fn case(&self, a: Slot, with: With, at_wall: Option<ContactNow>) -> Case {
        match (with, at_wall) {
            (With::Disc(b), _) | (With::Facet(b), None) => {
                let is_first = self.store.bodies.detail(a).serial < self.store.bodies.detail(b).serial;
                let slots = if is_first { [a, b] } else { [b, a] };
                let motions = slots.map(|slot| self.store.bodies.motion_at(slot, self.store.now));
                let bodies = slots.map(|slot| self.store.bodies.body_at(slot, self.store.now));
                let contact = self.disc_contact(slots, motions.each_ref(), bodies.each_ref());
                let masses = MassShares::of_discs(bodies.map(|body| body.mass));
                Case { slots, with: With::Disc(slots[1]), contact, masses }
            }
            (With::Facet(_), Some(contact)) => {
                let masses = MassShares::at_wall(self.store.bodies.detail(a).mass);
                Case { slots: [a; 2], with, contact, masses }
            }
        }
    }

    /// Asks for the verdict on a contact, and notes it. Returns whether the two bounce.
    fn judge<K: Sink<P>>(&mut self, case: &Case, sink: &mut K) -> bool {
        let mut commands = core::mem::take(&mut self.store.judging.commands);
        let met = self.encounter(case);
        let mut verdict = self.store.physics.verdict(&met, &mut commands);
        let own = met.restitution;
        let passage = Passage {
            time: met.time,
            a: self.store.bodies.id(case.slots[0]),
            b: met.b.body,
            user_data: [met.a.user_data, met.b.user_data],
            point: met.point,
            normal: met.normal,
            approach_speed: met.approach_speed,
        };
        if let Err(error) = verdict.check(matches!(case.with, With::Facet(_))) {
            verdict = Verdict::Bounce;
            self.report_refused(CommandKind::Verdict, error.into(), sink);
        }
        self.note_answer(case, verdict, own);
        let parties = [Partner::Disc(passage.a), passage.b];
        self.note_departures(verdict, parties);
        self.store.judging.actions.extend(commands.list.drain(..).map(Action::Command));
        self.store.judging.commands = commands;
        if verdict == Verdict::Pass {
            self.let_pass(case);
            if let Partner::Wall { wall, .. } = passage.b {
                self.store.judging.actions.push(Action::Enter(passage.a, wall));
            }
            if K::ACTIVE {
                _ = sink.event(&Event::Passed(passage));
            }
        }
        if !verdict.bounces() {
            self.store.mark(case.slots[0]);
            self.store.mark(case.slots[1]);
        }
        verdict.bounces()
    }

    fn note_answer(&mut self, case: &Case, verdict: Verdict, own: f64) {
        let approach = case.contact.approach_speed;
        let restitution = match verdict {
            Verdict::Restitution(e) => e,
            Verdict::Impulse(j) if approach > 0.0 => {
                (j / (case.masses.effective() * approach) - 1.0).clamp(0.0, f64::MAX)
            }
            _ => own,
        };
        let kick = if let Verdict::Kick(speed) = verdict { speed } else { 0.0 };
        let (a, with, bounces) = (case.slots[0], case.with, verdict.bounces());
        self.store.judging.answers.push(Answer { a, with, restitution, kick, bounces });
    }

    /// Notes which bodies a verdict removes.
    fn note_departures(&mut self, verdict: Verdict, parties: [Partner; 2]) {
        let (which, is_capture) = match verdict {
            Verdict::Capture(which) => (which, true),
            Verdict::Remove(which) | Verdict::BounceAndRemove(which) => (which, false),
            _ => return,
        };
        for (party, is_meant) in parties.into_iter().zip(which.of_two()) {
            match party {
                Partner::Disc(disc) if is_meant && is_capture => {
                    self.store.judging.actions.push(Action::Capture(disc));
                }
                _ if is_meant && !is_capture => self.store.judging.actions.push(Action::Remove(party)),
                _ => {}
            }
        }
    }

    /// Lets two bodies pass through each other until they have parted.
    fn let_pass(&mut self, case: &Case) {
        let [a, b] = case.slots;
        let (since, end) = (self.store.now, Time::NEVER);
        let contacts = &mut self.store.bodies.contacts;
        let is_held = match case.with {
            With::Disc(_) => {
                contacts.passing.push(Passing { disc: a, through: b, since, end, is_judged: true });
                contacts.holds.with_disc(a, b).is_some()
            }
            With::Facet(f) => {
                let wall = self.store.walls.facets[f as usize].wall;
                contacts.passing_walls.push(PassingWall { disc: a, wall, since, end });
                contacts.holds.with_facet(a, f).is_some()
            }
        };
        if is_held {
            self.unsettle(a);
        }
    }

    fn encounter(&self, case: &Case) -> Encounter<'_, P::Body, P::Extra, P::Surface> {
        let Case { slots: [a, b], with, contact, masses } = case;
        let normal = contact.gap.normal;
        let first = self.disc_party(*a, Which::First);
        let (point, second) = match with {
            With::Disc(_) => {
                let second = self.disc_party(*b, Which::Second);
                let places = [first.position, second.position];
                (self.store.bodies.point_between(places, [first.radius, second.radius], normal), second)
            }
            With::Facet(f) => {
                let point = first.position + normal * first.radius;
                (point, self.wall_party(*f, point))
            }
        };
        Encounter {
            time: self.store.now,
            a: first,
            b: second,
            point: self.store.bodies.periods.wrap(point).0,
            normal,
            approach_speed: contact.approach_speed,
            restitution: contact.restitution,
            stopping_impulse: contact.approach_speed.max(0.0) * masses.effective(),
        }
    }

    fn disc_party(&self, slot: Slot, which: Which) -> Party<'_, P::Body, P::Extra, P::Surface> {
        let (state, body) = (self.store.state_now(slot), self.store.bodies.body_at(slot, self.store.now));
        Party {
            body: Partner::Disc(body.id),
            which,
            user_data: self.store.bodies.user_data.get(slot),
            rules: self.store.bodies.rules.latest(slot),
            position: state.position,
            velocity: state.velocity,
            radius: body.radius,
            mass: body.mass,
            own: Some(body.own),
            extra: Some(state.extra),
            surface: None,
        }
    }

    fn wall_party(&self, f: u32, point: DVec2) -> Party<'_, P::Body, P::Extra, P::Surface> {
        let wall = self.store.walls.get(self.store.walls.facets[f as usize].wall);
        Party {
            body: self.partner(With::Facet(f)),
            which: Which::Second,
            user_data: wall.user_data,
            rules: wall.rules,
            position: point,
            velocity: self.surface_velocity(f, point),
            radius: 0.0,
            mass: f64::INFINITY,
            own: None,
            extra: None,
            surface: Some(&wall.surface),
        }
    }

    /// Judges those contacts of a group that approach, or that it has `pushed`, and that were not. Returns
    /// whether one of them is none, or is another than the solution takes it for.
    pub(super) fn judge_group<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        group: &mut Group,
        is_solved: bool,
        sink: &mut K,
    ) -> bool {
        if !self.store.physics.is_judging() {
            return false;
        }
        let speed = group.members.iter().map(|member| member.motion.velocity.abs().max_element());
        let least = touch_slack(speed.fold(0.0, f64::max));
        let serial = |m: usize| self.store.bodies.detail(group.members[m].slot).serial;
        let mut cases: Vec<((u64, bool, u64), usize)> = (0..group.contacts.len())
            .filter(|&c| self.is_to_be_judged(due, group, c, is_solved, least))
            .map(|c| (group.contacts[c].key(serial), c))
            .collect();
        cases.sort_unstable();
        let mut is_changed = false;
        for (_, c) in cases {
            let contact = group.contacts[c];
            let a = group.members[contact.a];
            let case = match contact.with {
                Other::Member(b) => self.case(a.slot, With::Disc(group.members[b].slot), None),
                Other::Facet(f, side) => {
                    let facet = &self.store.walls.facets[f as usize];
                    let gap = facet.gap_at_impact(&a.motion, Memory::Near(side), self.store.now);
                    let body = self.store.bodies.body_at(a.slot, self.store.now);
                    let at_wall = self.wall_contact(a.slot, f, &a.motion, &body, gap);
                    self.case(a.slot, With::Facet(f), Some(at_wall))
                }
            };
            is_changed |= !self.judge(&case, sink);
            let answer = self.answer(case.slots[0], case.with);
            is_changed |= is_solved
                && answer.is_some_and(|now| now.kick > 0.0 || now.restitution != contact.restitution);
        }
        is_changed
    }

    fn is_to_be_judged(&self, due: &Scheduled, group: &Group, c: usize, is_solved: bool, least: f64) -> bool {
        let contact = &group.contacts[c];
        let (slot, holds) = (group.members[contact.a].slot, &self.store.bodies.contacts.holds);
        let with = touched(group, contact.with);
        let is_held = match with {
            With::Disc(b) => holds.are_held(slot, b),
            With::Facet(f) => holds.is_held_to(slot, f),
        };
        // Where a piece of its motion ends, what is held goes on to be.
        if self.answer(slot, with).is_some() || contact.is_twin || (is_held && due.kind != Kind::Impact) {
            return false;
        }
        if is_solved {
            contact.impulse > 0.0 || (!is_held && contact.pressing.is_held)
        } else {
            group.approach_before(contact) > least && (!P::ACCELERATED || self.is_at(group, c))
        }
    }

    /// Whether a contact is one, and not only near.
    fn is_at(&self, group: &Group, c: usize) -> bool {
        let contact = &group.contacts[c];
        let a = &group.members[contact.a];
        match contact.with {
            Other::Member(b) => {
                let b = &group.members[b];
                let reach = self.store.physics.reach(a.motion.radius, b.motion.radius);
                let apart = Apart::new(a.motion.position, b.motion.position, &self.store.bodies.periods);
                kind_of(group).takes_in(&apart, reach)
                    || self.predictor().pair(a.slot, b.slot) == self.store.now
            }
            Other::Facet(f, side) => {
                let facet = &self.store.walls.facets[f as usize];
                let gap = facet.gap(&a.motion, Memory::Near(side), self.store.now);
                gap.is_some_and(|gap| kind_of(group).takes_in_at(gap.distance, facet.slack(&a.motion)))
                    || self.predictor().hit_time(a.slot, f) == self.store.now
            }
        }
    }

    /// Gives the contacts of a group what was said of them.
    pub(super) fn apply_answers(&self, group: &mut Group) {
        for c in 0..group.contacts.len() {
            let contact = group.contacts[c];
            let slot = group.members[contact.a].slot;
            if let Some(answer) = self.answer(slot, touched(group, contact.with)) {
                group.contacts[c].restitution = answer.restitution;
                group.contacts[c].added_kick = answer.kick;
            }
        }
    }

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
                Action::Enter(disc, wall) => self.enter(disc, wall),
            }
        }
        self.store.judging.actions = actions;
        count
    }

    /// Lets the physics change the extra state of a disc that begins to pass through a wall, if both are
    /// there.
    fn enter(&mut self, disc: DiscId, wall: WallId) {
        let (Ok(slot), Ok(wall)) = (self.store.bodies.slot(disc), self.store.walls.slot(wall)) else {
            return;
        };
        let (state, body) = (self.store.state_now(slot), self.store.bodies.body_at(slot, self.store.now));
        let surface = &self.store.walls.get(wall).surface;
        let Some(extra) = self.store.physics.enter(surface, &body, &state) else { return };
        // Its velocity is the same, so what it has just met it does not meet again.
        let is_new = self.store.bodies.time(slot) != self.store.now;
        let stamp = if is_new { Stamp::NONE } else { self.store.bodies.stamp(slot) };
        if is_new {
            self.fade_wall_memory(slot);
        }
        if self.is_held(slot) {
            self.unsettle(slot);
        }
        self.store(slot, &State { extra, ..state }, stamp);
        self.store.mark(slot);
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
            self.report_refused(what, error.into(), sink);
        }
    }

    fn report_refused<K: Sink<P>>(&self, what: CommandKind, reason: Refusal, sink: &mut K) {
        if K::ACTIVE {
            _ = sink.event(&Event::Refused { time: self.now(), what, reason });
        }
    }

    fn departure(&self, id: DiscId) -> Option<Departure> {
        let disc = self.get(id)?;
        let (position, velocity) = (disc.position(), disc.velocity());
        Some(Departure { time: self.now(), disc: id, user_data: disc.user_data(), position, velocity })
    }

    fn remove_and_report<K: Sink<P>>(&mut self, id: DiscId, sink: &mut K) -> Result<(), crate::Error> {
        let departure = self.departure(id);
        self.remove(id)?;
        if let Some(departure) = departure.filter(|_| K::ACTIVE) {
            _ = sink.event(&Event::Removed(departure));
        }
        Ok(())
    }

    fn remove_wall_and_report<K: Sink<P>>(
        &mut self,
        id: crate::WallId,
        sink: &mut K,
    ) -> Result<(), crate::Error> {
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
