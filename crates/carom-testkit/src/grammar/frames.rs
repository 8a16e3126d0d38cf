use super::{Fixed, Game, Played, Tape, Way};
use carom_engine::{DVec2, Event, SchedulerKind, StopReason, WallId};

/// The 1024ths of a second after which a wall is sent on: without cuts all at once.
const CUTS: [u32; 6] = [16, 16, 16, 1, 17, 48];

impl<P: Played> Game<'_, P> {
    /// What a random world shows whose walls move, each at a velocity that no frame rounds: sent there by one
    /// command, or sent on in each of some `frames`. `None` where something ends the comparison: a budget, or
    /// what blocks a wall, as the next command sends it again.
    pub fn sent(choices: &mut dyn super::Choices, frames: usize, is_whole: bool) -> Option<Vec<String>> {
        let fixed = Fixed { budget: Some(2000), ..Fixed::default() };
        let mut game = Game::<P>::new(choices, fixed, SchedulerKind::Table, Way::Plain, Tape::default());
        game.build();
        game.world.set_record_events(true);
        let cuts: Vec<u32> = (0..frames).map(|_| game.draw.pick(&CUTS)).collect();
        let mut eighth = || f64::from(game.draw.below(17) as u32) / 8.0 - 1.0;
        // A largest speed is another velocity, and rounded.
        let is_free =
            |wall: &WallId| game.world.get_wall(*wall).is_some_and(|wall| wall.max_speed == f64::INFINITY);
        let free = game.walls.iter().copied().filter(is_free).take(3);
        let ways: Vec<(WallId, DVec2)> = free.map(|wall| (wall, DVec2::new(eighth(), eighth()))).collect();
        let cuts = if is_whole { vec![cuts.iter().sum()] } else { cuts };
        let (clock, start, mut at, mut seen) = (*game.world.clock(), game.world.now(), 0, Vec::new());
        // Its times are rounded, or it is a jam from the start.
        if start.as_secs() != 0.0 || game.world.discs().any(|(_, disc)| disc.kinematic) {
            return None;
        }
        for cut in cuts {
            at += cut;
            let seconds = f64::from(at) / 1024.0;
            let by = clock.after(start, seconds);
            for &(wall, way) in &ways {
                _ = game.world.move_wall_until(wall, way * seconds, by);
            }
            game.show_until(by, &mut seen)?;
        }
        let after = clock.after(game.world.now(), 0.25);
        game.show_until(after, &mut seen)?;
        seen.extend(game.world.discs().map(|(id, disc)| format!("{id} {} {}", disc.position, disc.velocity)));
        Some(seen)
    }

    /// Sends walls and kinematic discs on, each at a velocity of its own, in each of some frames.
    pub(super) fn send_on(&mut self) {
        let walls: Vec<WallId> = self.world.walls().map(|(id, _)| id).take(2).collect();
        let walls: Vec<_> = walls
            .into_iter()
            .map(|id| {
                (
                    id,
                    self.world.wall_motion(id).map_or(DVec2::ZERO, |motion| motion.offset),
                    self.draw.velocity(),
                )
            })
            .collect();
        let discs: Vec<_> = self.world.discs().filter(|(_, disc)| disc.kinematic).take(2).collect();
        let discs: Vec<_> =
            discs.into_iter().map(|(id, disc)| (id, disc.position, self.draw.velocity())).collect();
        let (frames, rate) = (2 + self.draw.below(12), self.draw.pick(&[60.0, 64.0, 120.0, 30.0]));
        let (clock, start) = (*self.world.clock(), self.world.now());
        for frame in 1..=frames {
            let seconds = frame as f64 / rate;
            let by = clock.after(start, seconds);
            for &(id, from, velocity) in &walls {
                let result = self.world.move_wall_until(id, from + velocity * seconds, by);
                self.tape.outcome("wall on", result);
            }
            for &(id, from, velocity) in &discs {
                let result = self.world.move_to_until(id, from + velocity * seconds, by);
                self.tape.outcome("disc on", result);
            }
            if let Some(oracle) = &mut self.oracle {
                oracle.note(&self.world);
            }
            let mut seen = Vec::new();
            let advance = self.pass(1.0 / rate, Some(by), &mut seen);
            self.finish(advance, seen, true);
            if self.tape.is_over || self.events >= self.most {
                return;
            }
        }
    }

    fn show_until(&mut self, by: carom_engine::Time, seen: &mut Vec<String>) -> Option<()> {
        let is_reached = self.world.advance_to(by).ok()?.end == StopReason::Reached;
        let events = self.world.events().iter();
        let is_blocked = events.clone().any(|event| matches!(event, Event::WallBlocked { .. }));
        // Arrivals are those of commands, which have taken numbers of timers.
        let of_discs = events.filter(|event| !matches!(event, Event::WallMoved { .. } | Event::Timer { .. }));
        seen.extend(of_discs.map(|event| format!("{event:?}")));
        // A jam has events without end.
        (is_reached && !is_blocked && seen.len() < 60).then_some(())
    }
}
