//! The one grammar of random games: a random world of any physics, and random calls of everything that a
//! world can be asked for. A game is made from choices alone, so that it can be played several ways and
//! compared.

#[cfg(feature = "billiards")]
mod billiards;
mod calls;
mod choices;
mod draw;
mod edits;
mod looks;
mod oracle;
mod played;
mod scenes;
mod tape;

pub use choices::{Bytes, Choices};
pub use draw::{Draw, Scale};
pub use played::{Dice, NOTE, Played, Stored};
pub use tape::{Hash, Tape};

use crate::stored::Format;
use carom_engine::{DiscId, RegionId, SchedulerKind, Settings, TimerId, WallId, World};
use oracle::Oracle;

/// Discs beyond which none is inserted any more, but by verdicts.
const MOST_DISCS: usize = 24;
/// Events after which a game ends: some worlds have no other end.
const MOST_EVENTS: u64 = 120;

/// How a game is played: what it shows must not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Call after call.
    Plain,
    /// With questions to the world, and a clone, before each call.
    Looked,
    /// Saved and loaded before each call.
    Stored,
    /// Saved and loaded after each third of the time of a call.
    Thirds,
    /// Event by event.
    Steps,
}

/// A game that goes on.
pub struct Game<'c, P: Played> {
    pub world: World<P>,
    pub draw: Draw<'c>,
    pub tape: Tape,
    way: Way,
    /// Handles, dead ones too.
    discs: Vec<DiscId>,
    walls: Vec<WallId>,
    regions: Vec<RegionId>,
    timers: Vec<TimerId>,
    kept: Option<World<P>>,
    /// Events so far.
    events: u64,
    /// Checks each call, and ends the game where a budget has ended one.
    oracle: Option<Oracle>,
}

/// Plays a game to its end, with a crowd of so many discs if that is not 0.
pub fn play<P: Played>(
    choices: &mut dyn Choices,
    crowd: usize,
    kind: SchedulerKind,
    way: Way,
    tape: Tape,
) -> Tape {
    let game = Game::<P>::new(choices, crowd, kind, way, tape);
    game.play()
}

/// Plays a game, and checks each call.
///
/// # Panics
/// If a refused call changes something, the world is not well formed or not as its events say, or its ledger
/// does not close.
pub fn check<P: Played>(choices: &mut dyn Choices, kind: SchedulerKind, way: Way, tape: Tape) -> Tape {
    let mut game = Game::<P>::new(choices, 0, kind, way, tape);
    game.oracle = Some(Oracle::new(&game.world));
    game.play()
}

impl<'c, P: Played> Game<'c, P> {
    fn new(
        choices: &'c mut dyn Choices,
        crowd: usize,
        kind: SchedulerKind,
        way: Way,
        mut tape: Tape,
    ) -> Self {
        let mut draw = Draw { choices, scale: Scale { crowd, ..P::scale() } };
        draw.scale.is_round = draw.chance(25);
        let settings = scenes::settings(&mut draw).with_scheduler(kind);
        let world = P::built(&mut draw, &settings).unwrap_or_else(|| {
            if draw.chance(15) {
                let middle = draw.pick(&[1.0, 1e3, 1e6]) * draw.scale.size;
                draw.scale.middle = glam::DVec2::new(middle, -0.5 * middle);
            }
            let laws = P::laws(&mut draw);
            let world = World::with_physics(laws.clone(), settings.clone());
            tape.outcome("world", world.as_ref().map(drop).map_err(|error| *error));
            // What is refused is a period, a drag, an epoch or a start.
            let plain = Settings::default().with_budget(settings.budget).with_scheduler(kind);
            world.unwrap_or_else(|_| World::with_physics(laws, plain).expect("it is in range"))
        });
        let (discs, walls) = (world.ids().collect(), world.walls().map(|(id, _)| id).collect());
        let (regions, timers, kept) = (Vec::new(), Vec::new(), None);
        Game { world, draw, tape, way, discs, walls, regions, timers, kept, events: 0, oracle: None }
    }

    fn play(mut self) -> Tape {
        self.build();
        let calls = 6 + self.draw.below(16);
        for _ in 0..calls {
            if self.events >= MOST_EVENTS || self.draw.choices.is_over() {
                break;
            }
            self.between();
            if let Some(oracle) = &mut self.oracle {
                oracle.note(&self.world);
            }
            self.tape.is_refused = false;
            self.call();
            if self.tape.is_over {
                return self.tape;
            }
            if let Some(oracle) = self.oracle.as_ref().filter(|_| self.tape.is_refused) {
                oracle.refused(&self.world);
            }
            self.tape.states(&self.world);
        }
        self.between();
        self.tape.whole(&mut self.world);
        self.tape
    }

    /// What must change nothing.
    fn between(&mut self) {
        match self.way {
            Way::Plain | Way::Thirds | Way::Steps => {}
            Way::Looked => self.glance(),
            Way::Stored => self.store(Format::Postcard),
        }
    }

    /// Saves and loads the world. A state beyond what a snapshot takes is refused when it is saved.
    fn store(&mut self, format: Format) {
        let saved = match format {
            Format::Json => serde_json::to_vec(&self.world).ok(),
            Format::Postcard => postcard::to_stdvec(&self.world).ok(),
        };
        if let Some(saved) = saved {
            self.world = format.load(&saved).expect("what was saved loads");
        }
    }

    fn disc(&mut self) -> Option<DiscId> {
        (!self.discs.is_empty()).then(|| self.draw.pick(&self.discs))
    }

    fn wall(&mut self) -> Option<WallId> {
        (!self.walls.is_empty()).then(|| self.draw.pick(&self.walls))
    }
}
