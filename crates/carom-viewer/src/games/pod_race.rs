//! The race of the pods, as one flies in it.

use super::play::{Controls, Play, SEED};
use carom_engine::DVec2;
use carom_games::{Board, Error, Input, pod_arena};
use carom_scene::Rgb;

/// A race against three others.
pub(super) struct PodRace {
    game: pod_arena::Game,
    pilot: pod_arena::Pilot,
    turn: f64,
}

impl PodRace {
    /// Turns in a second.
    const RATE: f64 = 5.0;
    const LAPS: u32 = 3;

    pub(super) fn new() -> Result<Self, Error> {
        let game = pod_arena::Game::new(&pod_arena::Options::default())?;
        Ok(PodRace { game, pilot: pod_arena::Pilot::new(SEED), turn: 0.0 })
    }

    fn order(&self, controls: &Controls) -> Option<pod_arena::Order> {
        use pod_arena::{Order, Power};
        let pod = self.game.pods().first()?;
        let place = self.game.world().get(pod.disc)?.position();
        let target = match controls.pointer {
            _ if controls.arrows.x != 0.0 => place + 3000.0 * turned(pod.heading, -0.3 * controls.arrows.x),
            Some(pointer) => pointer,
            None => place + 3000.0 * pod.heading,
        };
        let power = if controls.arrows.y < 0.0 {
            Power::Shield
        } else if controls.space {
            Power::Boost
        } else if controls.is_pressed || controls.arrows.y > 0.0 {
            Power::Thrust(200)
        } else {
            Power::Thrust(0)
        };
        Some(Order { target, power })
    }

    fn laps(&self) -> u32 {
        self.game.pods().iter().map(|pod| pod.passed).max().unwrap_or(0)
            / (self.game.checkpoints().len().max(1) as u32)
    }
}

/// A direction turned by an angle.
fn turned(direction: DVec2, angle: f64) -> DVec2 {
    DVec2::from_angle(angle).rotate(direction)
}

impl Play for PodRace {
    fn advance(&mut self, seconds: f64, controls: &Controls) -> Result<(), Error> {
        let now = self.game.now();
        if let Some(action) = self.order(controls) {
            self.game.input(Input { time: now, player: 0, action })?;
        }
        let until = now + Self::RATE * seconds;
        while self.turn <= until {
            self.game.advance_to(self.turn)?;
            for player in 1..self.game.pods().len() {
                let action = self.pilot.decide(&self.game, player)?;
                self.game.input(Input { time: self.turn, player, action })?;
            }
            self.turn += 1.0;
        }
        self.game.advance_to(until)
    }

    fn now(&self) -> f64 {
        self.game.now()
    }

    fn draw(&self, board: &mut dyn Board) {
        pod_arena::draw(&self.game, board);
        let Some(pod) = self.game.pods().first() else { return };
        let next = self.game.next_checkpoint(pod);
        board.ring(next, pod_arena::Game::CHECKPOINT + 60.0, 70.0, pod_arena::colour_of(0), 0.9);
    }

    fn steers(&self) -> bool {
        true
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        pod_arena::bounds()
    }

    fn ground(&self) -> Rgb {
        pod_arena::GROUND
    }

    fn status(&self) -> String {
        let place = self.game.ranking().iter().position(|&player| player == 0).map_or(0, |place| place + 1);
        let course = self.game.checkpoints().len().max(1) as u32;
        let passed = self.game.pods().first().map_or(0, |pod| pod.passed);
        let (lap, next) = ((passed / course + 1).min(Self::LAPS), passed % course + 1);
        let [pods, laps] = [self.game.pods().len() as u32, Self::LAPS];
        format!("place {place} of {pods}, lap {lap} of {laps}, to checkpoint {next}")
    }

    fn outcome(&self) -> Option<String> {
        let place = self.game.ranking().iter().position(|&player| player == 0).map_or(0, |place| place + 1);
        (self.laps() >= Self::LAPS).then(|| format!("Place {place} of {}", self.game.pods().len()))
    }

    fn help(&self) -> &'static str {
        "Your pod, number 1, turns to the mouse or finger, and flies while it is pressed. Arrows: turn, up \
         to fly, down for the shield. Space: boost, once. Three laps."
    }
}
