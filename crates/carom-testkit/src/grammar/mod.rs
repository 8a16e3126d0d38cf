//! The one grammar of random games: a random world of any physics, and random calls of everything that a
//! world can be asked for. A game is made from choices alone, so that it can be played several ways and
//! compared.

#[cfg(feature = "billiards")]
mod billiards;
mod calls;
mod choices;
mod draw;
mod edits;
mod frames;
mod looks;
mod oracle;
mod played;
mod scenes;
mod tape;

pub use choices::{Bytes, Choices};
pub use draw::{Draw, Scale, region, wall};
pub use played::{Dice, NOTE, Played, Stored};
pub use tape::{Hash, Tape};

use crate::rng::Rng;
use crate::stored::Format;
use carom_engine::{DiscId, Error, RegionId, SchedulerKind, Settings, SimdLevel, TimerId, WallId, World};
use oracle::Oracle;

/// Discs beyond which none is inserted any more, but by verdicts.
const MOST_DISCS: usize = 24;
/// Events of a call.
const BUDGET: u64 = 60;

/// How a game is played: what it shows must not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Call after call.
    Plain,
    /// With questions to the world, and a clone, before each call.
    Looked,
    /// Saved and loaded before each call.
    Stored,
    /// Saved and loaded before time passes, in both formats by turns.
    Saved,
    /// Cloned over a world of its past before each call.
    Cloned,
    /// With these vector instructions.
    With(SimdLevel),
    /// Saved and loaded after each third of the time of a call.
    Thirds,
    /// In frames of a sixtieth of a second.
    Frames,
    /// In frames of random lengths, with questions to the world, and a clone, in between.
    Random,
    /// In calls of a few events.
    Budgets,
    /// Event by event.
    Steps,
    /// Event by event, each compared with what the rescan finds.
    Rescan,
    /// With events that come through a sink.
    Sink,
}

/// What is not drawn in a game, and whether it is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed {
    /// The budget of a call; a game ends after twice as many events.
    pub budget: Option<u64>,
    /// How many small discs there are in a world that begins as a gas of many; 0 for any other world.
    pub crowd: usize,
    /// The lengths after which the plane repeats itself.
    pub period: Option<[Option<f64>; 2]>,
    /// The drag.
    pub drag: Option<f64>,
    /// The rate at which radii grow from the start. Walls that let nothing grow are taken down.
    pub growth: f64,
    /// Whether all discs have rules by which few of them meet.
    pub is_sparse: bool,
    /// Whether discs that forces accelerate have limits of their speed.
    pub is_limited: bool,
    /// Whether walls and kinematic discs are sent on in frames.
    pub is_sent: bool,
    /// Whether each call is checked.
    pub is_checked: bool,
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
    /// What is overwritten by the next clone.
    past: Option<World<P>>,
    /// Draws how time is cut.
    slicer: Rng,
    /// Events so far.
    events: u64,
    /// Events after which a game ends: some worlds have no other end.
    most: u64,
    /// Whether walls and kinematic discs are sent on in frames.
    is_sent: bool,
    /// Checks each call, and ends the game where a budget has ended one.
    oracle: Option<Oracle>,
}

/// Plays a game to its end.
///
/// # Panics
/// If the game is checked and a refused call changes something, the world is not well formed or not as its
/// events say, or its ledger does not close.
pub fn play<P: Played>(
    choices: &mut dyn Choices,
    fixed: Fixed,
    kind: SchedulerKind,
    way: Way,
    tape: Tape,
) -> Tape {
    let mut game = Game::<P>::new(choices, fixed, kind, way, tape);
    game.is_sent = fixed.is_sent;
    game.oracle = fixed.is_checked.then(|| Oracle::new(&game.world));
    game.play(fixed.growth)
}

/// Refuses a world with a period, where discs accelerate, in the words of the engine that did. The games of
/// their numbers have hashes of these words (`carom-fuzz/tests/game.hashes`), so they go on in an open plane.
/// Games in a period with forces have it as [`Fixed::period`].
fn open<P: Played>(world: World<P>) -> Result<World<P>, Error> {
    let periods = world.periods();
    if periods.is_open() {
        return Ok(world);
    }
    let reason = "discs that accelerate are met by their images at times without a closed form";
    Err(Error::Inconsistent { field: "period", value: periods.shortest(), reason })
}

impl<'c, P: Played> Game<'c, P> {
    /// A world with these settings and some discs and walls, all of which collide and are solid.
    ///
    /// # Panics
    /// If the settings are refused.
    pub fn plain(choices: &'c mut dyn Choices, settings: Settings) -> Self {
        let mut draw = Draw { choices, scale: Scale { is_plain: true, ..P::scale() } };
        let world = World::with_physics(P::laws(&mut draw), settings).expect("settings in range");
        let mut game = Game::with(world, draw, Way::Plain, Tape::default());
        game.build();
        game
    }

    fn new(
        choices: &'c mut dyn Choices,
        fixed: Fixed,
        kind: SchedulerKind,
        way: Way,
        mut tape: Tape,
    ) -> Self {
        let Fixed { crowd, is_sparse, is_limited, .. } = fixed;
        let mut draw = Draw { choices, scale: Scale { crowd, is_sparse, is_limited, ..P::scale() } };
        draw.scale.is_round = draw.chance(25);
        let mut settings = scenes::settings(&mut draw).with_scheduler(kind);
        settings.budget = fixed.budget.unwrap_or(settings.budget);
        settings.period = fixed.period.unwrap_or(settings.period);
        settings.drag = fixed.drag.unwrap_or(settings.drag);
        let world = P::built(&mut draw, &settings).unwrap_or_else(|| {
            if draw.chance(15) {
                let middle = draw.pick(&[1.0, 1e3, 1e6]) * draw.scale.size;
                draw.scale.middle = glam::DVec2::new(middle, -0.5 * middle);
            }
            let laws = P::laws(&mut draw);
            let world = World::with_physics(laws.clone(), settings.clone()).and_then(|world| {
                if P::ACCELERATED && fixed.period.is_none() { open(world) } else { Ok(world) }
            });
            tape.outcome("world", world.as_ref().map(drop).map_err(|error| *error));
            // What is refused is a period, a drag, an epoch or a start.
            let plain = Settings::default().with_budget(settings.budget).with_scheduler(kind);
            let plain = plain.with_drag(fixed.drag.unwrap_or_default());
            let plain = plain.with_period(fixed.period.unwrap_or_default());
            world.unwrap_or_else(|_| World::with_physics(laws, plain).expect("it is in range"))
        });
        Game::with(world, draw, way, tape)
    }

    fn with(world: World<P>, draw: Draw<'c>, way: Way, tape: Tape) -> Self {
        let (discs, walls) = (world.ids().collect(), world.walls().map(|(id, _)| id).collect());
        let most = 2 * world.settings().budget;
        Game {
            world,
            draw,
            tape,
            way,
            discs,
            walls,
            regions: Vec::new(),
            timers: Vec::new(),
            kept: None,
            past: None,
            slicer: Rng::new(0),
            events: 0,
            most,
            is_sent: false,
            oracle: None,
        }
    }

    fn play(mut self, growth: f64) -> Tape {
        self.build();
        if growth > 0.0 {
            while let Err(Error::CannotGrow { wall }) = self.world.set_growth(growth) {
                let _ = self.world.remove_wall(wall);
            }
        }
        let calls = 6 + self.draw.below(16);
        for _ in 0..calls {
            if self.events >= self.most || self.draw.choices.is_over() {
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
            Way::Looked => self.glance(),
            Way::Stored => self.store(Format::Postcard),
            Way::Cloned => {
                let mut next = self.past.take().unwrap_or_else(|| self.world.clone());
                next.clone_from(&self.world);
                self.past = Some(core::mem::replace(&mut self.world, next));
            }
            Way::With(level) => self.world.set_instructions(level),
            _ => {}
        }
    }

    /// Saves and loads the world. A snapshot takes whatever a world may hold, except numbers that are not
    /// finite, to which some physics and forces lead.
    fn store(&mut self, format: Format) {
        let saved = match format {
            Format::Json => serde_json::to_vec(&self.world).ok(),
            Format::Postcard => postcard::to_stdvec(&self.world).ok(),
        };
        let Some(saved) = saved else {
            // The other format does not say why.
            let refusal = serde_json::to_vec(&self.world).expect_err("it was refused").to_string();
            let is_not_finite =
                [" is NaN", " is inf", " is -inf"].iter().any(|value| refusal.contains(value));
            assert!(is_not_finite, "a world is refused: {refusal}");
            return;
        };
        self.world = format.load(&saved).expect("what was saved loads");
    }

    fn disc(&mut self) -> Option<DiscId> {
        (!self.discs.is_empty()).then(|| self.draw.pick(&self.discs))
    }

    fn wall(&mut self) -> Option<WallId> {
        (!self.walls.is_empty()).then(|| self.draw.pick(&self.walls))
    }
}
