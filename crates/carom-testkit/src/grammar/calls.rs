use super::{Game, MOST_DISCS, Played, Way};
use crate::by::By;
use crate::stored::{FORMATS, Format};
use carom_engine::{
    Advance, Collapse, Command, DVec2, Error, Event, RegionId, SchedulerKind, SimdLevel, StopReason, Time,
    WallId, World,
};
use core::ops::ControlFlow;

/// Events of a call of a small budget.
const FEW: u64 = 7;

impl<P: Played> Game<'_, P> {
    /// One random call.
    pub(super) fn call(&mut self) {
        match self.draw.below(48) {
            0..=15 => self.advance(),
            16..=18 if self.world.len() < MOST_DISCS => {
                let disc = self.draw.disc::<P>();
                self.insert(disc);
            }
            19 => {
                let wall = self.draw.wall::<P>();
                self.add_wall(wall);
            }
            20..=28 => self.edit_disc(),
            29 | 30 => self.edit_wall(),
            31 => self.edit_many(),
            32 | 33 => self.region(),
            34 | 35 => self.timer(),
            36..=38 => self.send(),
            39 => {
                let result = P::edit(&mut self.world, &mut self.draw);
                self.tape.outcome("laws", result);
            }
            40 => self.overlaps(),
            41 | 42 => self.look(),
            43 => self.copy(),
            44 => self.set(),
            _ if self.is_sent => self.send_on(),
            _ => self.advance(),
        }
    }

    fn advance(&mut self) {
        if self.way == Way::Saved {
            self.store(FORMATS[self.tape.calls.len() % 2]);
        }
        let (dt, how) = (self.draw.seconds(), self.draw.below(12));
        let now = self.world.now();
        let until = self.world.clock().after(now, dt);
        let mut seen: Vec<Event<P::Change>> = Vec::new();
        let advance = match how {
            0 => Ok(self.world.step_event()),
            1 => self.world.advance_to_with(until, &mut seen),
            2 => {
                let mut left = self.draw.below(8);
                let mut sink = |event: &Event<P::Change>| {
                    seen.push(*event);
                    left = left.saturating_sub(1);
                    if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                self.world.advance_with(dt, &mut sink)
            }
            3 => self.world.advance_until_event(dt, |event| event.impact().is_some()),
            5 if self.draw.chance(20) => self.world.advance(self.draw.odd()),
            _ => self.pass(dt, if how == 4 { Some(until) } else { None }, &mut seen),
        };
        self.finish(advance, seen, how > 3);
    }

    /// Notes what came of a call; in a checked game ends it where that `may_end` at a budget, which cuts
    /// differ in.
    pub(super) fn finish(
        &mut self,
        advance: Result<Advance, Error>,
        seen: Vec<Event<P::Change>>,
        may_end: bool,
    ) {
        self.tape.is_over = self.oracle.is_some()
            && may_end
            && advance.as_ref().is_ok_and(|advance| advance.end != StopReason::Reached);
        if !self.tape.is_over {
            self.note_advance(advance, seen);
        }
    }

    /// Has time pass, in one call or in several, to a time or by some seconds at the scale of time. The
    /// events of all calls before the last are added to those seen.
    pub(super) fn pass(
        &mut self,
        dt: f64,
        until: Option<Time>,
        seen: &mut Vec<Event<P::Change>>,
    ) -> Result<Advance, Error> {
        let (start, clock, budget) = (self.world.now(), *self.world.clock(), self.world.settings().budget);
        let passing = dt * if until.is_some() { 1.0 } else { self.world.settings().time_scale };
        let goal = until.unwrap_or(clock.after(start, passing));
        let mut count = 0;
        match self.way {
            Way::Thirds | Way::Frames | Way::Random => {
                for time in self.cuts(start, passing, goal) {
                    let part = self.world.advance_to(time)?;
                    seen.extend_from_slice(self.world.events());
                    count += part.events;
                    if part.end != StopReason::Reached {
                        return Ok(part);
                    }
                    match self.way {
                        Way::Thirds => self.store(Format::Postcard),
                        Way::Random => self.glance(),
                        _ => {}
                    }
                }
            }
            Way::Steps => {
                // A step goes on from where something stops, which a call to that time leaves waiting.
                while count < budget && self.world.next_event().is_some_and(|next| next.time < goal) {
                    let step = self.world.step_event();
                    seen.extend_from_slice(self.world.events());
                    count += step.events;
                    if !matches!(step.end, StopReason::Reached | StopReason::OutOfBudget) {
                        return Ok(step);
                    }
                }
            }
            Way::Budgets => {
                while count + FEW < budget {
                    self.world.set_budget(FEW);
                    let part = self.world.advance_to(goal);
                    self.world.set_budget(budget);
                    seen.extend_from_slice(self.world.events());
                    count += part?.events;
                    if part?.end != StopReason::OutOfBudget {
                        break;
                    }
                }
            }
            Way::Rescan => {
                let (advance, events) = By::Rescan.advance_to(&mut self.world, goal);
                seen.extend_from_slice(&events[..events.len() - self.world.events().len()]);
                return Ok(advance);
            }
            Way::Sink if self.world.settings().record_events => {
                let advance = self.world.advance_to_with(goal, seen);
                assert!(self.world.events().is_empty(), "the sink has them");
                return advance;
            }
            _ => {}
        }
        let mut last = match until {
            None if count == 0 && self.world.now() == start => self.world.advance(dt),
            _ => self.world.advance_to(goal),
        }?;
        last.events += count;
        Ok(last)
    }

    /// The times at which the passing of some seconds is cut, all before the `goal`.
    fn cuts(&mut self, start: Time, passing: f64, goal: Time) -> Vec<Time> {
        let clock = *self.world.clock();
        let from = start.as_secs();
        match self.way {
            Way::Thirds => [3.0, 1.5].map(|part| clock.after(start, passing / part).min(goal)).to_vec(),
            Way::Frames => {
                let first = (from * 60.0) as u64 + 1;
                let frames =
                    (first..).map(|frame| clock.at(frame as f64 / 60.0)).filter(|time| *time > start);
                frames.take_while(|time| *time < goal).collect()
            }
            _ => {
                let mut cuts = Vec::new();
                let mut time = start;
                loop {
                    let longest = self.slicer.pick(&[0.3, 0.01, 1e-6]);
                    // Tiny frames are cut short, or there would be no end.
                    let least = if longest < 1e-3 { 0.0 } else { 1e-3 };
                    time = clock.after(time, self.slicer.range(0.0, longest).max(least));
                    if time >= goal {
                        return cuts;
                    }
                    cuts.push(time);
                }
            }
        }
    }

    fn note_advance(&mut self, advance: Result<Advance, Error>, mut seen: Vec<Event<P::Change>>) {
        if let Ok(advance) = &advance {
            seen.extend_from_slice(self.world.events());
            if let Some(oracle) = &mut self.oracle {
                oracle.advanced(&mut self.world, advance.end, &seen);
            }
        }
        for event in &seen {
            self.tape.event(event);
            if let Event::Inserted { disc, .. } = event {
                self.discs.push(*disc);
            }
        }
        self.events += advance.as_ref().map_or(0, |advance| advance.events);
        self.tape.outcome("advance", advance);
    }

    fn region(&mut self) {
        let region = self.draw.region(&self.discs, &self.walls);
        let known = (!self.regions.is_empty()).then(|| self.draw.pick(&self.regions));
        let keep = |game: &mut Self, result: Result<RegionId, Error>| {
            game.regions.extend(result.as_ref().ok());
            game.tape.outcome("region", result);
        };
        match (self.draw.below(8), known) {
            (0 | 1, Some(id)) => self.tape.outcome("set region", self.world.set_region(id, region)),
            (2, Some(id)) => self.tape.outcome("remove region", self.world.remove_region(id)),
            (3, _) => {
                let wall = self.draw.wall::<P>();
                let result = self.world.add_sensor_wall(wall);
                self.walls.extend(result.as_ref().ok().map(|(wall, _)| wall));
                keep(self, result.map(|(_, region)| region));
            }
            _ => {
                let result = self.world.add_region(region);
                keep(self, result);
            }
        }
    }

    fn timer(&mut self) {
        let (seconds, note) = (self.draw.seconds(), self.draw.below(100) as u64);
        let known = (!self.timers.is_empty()).then(|| self.draw.pick(&self.timers));
        let result = match (self.draw.below(8), known) {
            (0, Some(id)) => {
                let was_set = self.world.cancel_timer(id);
                return self.tape.outcome("cancel", Ok(was_set));
            }
            (1 | 2, _) => self.world.set_timer(seconds, note),
            (3, _) => {
                let time = self.draw.pick(&[self.world.now().as_secs() + seconds, -1.0, f64::NAN]);
                self.world.set_timer_at(time, note)
            }
            _ => {
                let command = self.command();
                let time = self.world.clock().after(self.world.now(), seconds);
                self.world.command_at(time, command)
            }
        };
        self.timers.extend(result.as_ref().ok());
        self.tape.outcome("timer", result);
    }

    /// A command, which may name what is gone by then.
    fn command(&mut self) -> Command<P::Body, P::Extra> {
        let (disc, wall, kind) = (self.disc(), self.wall(), self.draw.below(14));
        let draw = &mut self.draw;
        match (kind, disc, wall) {
            (0, ..) => Command::Insert(draw.disc::<P>()),
            (1, _, Some(wall)) => Command::RemoveWall(wall),
            (2, _, Some(wall)) => Command::SetWallRules(wall, draw.rules()),
            (3, _, Some(wall)) => Command::TurnArm(wall, draw.angle(), draw.pick(&[0.5, 4.0, 100.0])),
            (4, _, Some(wall)) => Command::MoveWall(wall, 0.5 * draw.offset(), draw.seconds()),
            (5, Some(disc), _) => Command::Remove(disc),
            (6, Some(disc), _) => Command::SetVelocity(disc, draw.velocity()),
            (7, Some(disc), _) => Command::SetPosition(disc, draw.place()),
            (8, Some(disc), _) => Command::ApplyImpulse(disc, draw.velocity()),
            (9, Some(disc), _) => Command::SetRules(disc, draw.rules()),
            (10, Some(disc), _) => Command::SetEnabled(disc, draw.chance(50)),
            (11, Some(disc), _) => Command::MoveTo(disc, draw.place(), draw.seconds()),
            (12, Some(disc), _) => Command::SetUserData(disc, draw.below(256) as u64),
            _ => Command::SetTimer(draw.seconds(), 7),
        }
    }

    /// Sends a disc, an arm or a wall somewhere.
    pub(super) fn send(&mut self) {
        let by = self.world.now().as_secs() + self.draw.pick(&[0.01, 0.1, 0.5, 1.0, 2.0, 0.0, -1.0]);
        match (self.draw.below(3), self.disc(), self.wall()) {
            (0, Some(disc), _) => {
                let kinematic = self.world.discs().find(|(_, disc)| disc.kinematic);
                let disc = kinematic.filter(|_| self.draw.chance(80)).map_or(disc, |(id, _)| id);
                let target = self.draw.place();
                self.tape.outcome("move", self.world.move_to_until(disc, target, by));
            }
            (1, _, Some(wall)) => {
                let wall = self.arm().filter(|_| self.draw.chance(90)).unwrap_or(wall);
                let (to, rate) = (self.draw.angle(), self.draw.pick(&[0.5, 1.0, 4.0, 20.0, 0.0, -1.0]));
                self.tape.outcome("turn", self.world.turn_arm(wall, to, rate));
            }
            (_, _, Some(wall)) => {
                let offset = if self.draw.chance(30) { DVec2::ZERO } else { 0.7 * self.draw.offset() };
                self.tape.outcome("move wall", self.world.move_wall_until(wall, offset, by));
            }
            _ => {}
        }
    }

    fn arm(&self) -> Option<WallId> {
        self.world.walls().map(|(id, _)| id).find(|id| self.world.arm(*id).is_some())
    }

    fn overlaps(&mut self) {
        match self.draw.below(3) {
            0 => self.tape.outcome("push apart", self.world.push_apart()),
            _ => {
                let speed = self.draw.pick(&[0.25, 1.0, 4.0]) * self.draw.scale.speed;
                self.tape.outcome("part", self.world.separate_overlaps(speed));
            }
        }
    }

    /// Goes on with a copy, a world that was kept, or one that was loaded.
    fn copy(&mut self) {
        match (self.draw.below(5), self.kept.take()) {
            (0, Some(kept)) => {
                self.world = kept;
                if let Some(oracle) = &mut self.oracle {
                    oracle.lose();
                }
                self.tape.outcome("back", Ok(()));
            }
            (1, Some(mut kept)) => {
                kept.clone_from(&self.world);
                self.world = kept;
            }
            (2, _) => self.store(Format::Json),
            (3, _) => self.store(Format::Postcard),
            _ => self.kept = Some(self.world.clone()),
        }
    }

    /// Changes a setting.
    fn set(&mut self) {
        let (draw, world) = (&mut self.draw, &mut self.world);
        let mut outcome = Ok(());
        match draw.below(9) {
            0 => outcome = world.set_time_scale(draw.pick(&[1.0, 0.25, 2.0, 0.3, 0.0, -1.0])),
            1 => outcome = world.set_growth(draw.pick(&[0.1, 0.5, 0.01, 0.0, -1.0])),
            2 => outcome = world.scale_velocities(draw.pick(&[0.5, 2.0, 0.0, f64::NAN])),
            3 => {
                let rules = [None, Some(Collapse::new(0.1, 3)), Some(Collapse::default())];
                outcome = world.set_collapse(draw.pick(&rules));
            }
            4 => world.set_budget(draw.pick(&[1, 7, 30, 60, 60])),
            5 => world.set_instructions(draw.pick(&[SimdLevel::Portable, SimdLevel::Best])),
            6 => world.set_record_events(draw.chance(80)),
            _ => outcome = flip(world),
        }
        self.tape.outcome("set", outcome);
    }
}

/// Has the other scheduler go on.
fn flip<P: Played>(world: &mut World<P>) -> Result<(), Error> {
    let is_grid = world.settings().scheduler == SchedulerKind::Grid;
    world.set_scheduler(if is_grid { SchedulerKind::Table } else { SchedulerKind::Grid })
}
