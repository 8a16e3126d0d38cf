//! The same start in an engine that goes in fixed steps, beside ours.

mod engine;
mod passing;
mod walls;

pub use engine::FixedStep;

use crate::session::Session;
use carom_engine::DVec2;
use carom_scene::Scene;

/// The most steps of a frame, for one disc; of N discs N times fewer, but never less than a few.
const STEPS: u64 = 20_000;

/// A world of a session and the same start in fixed steps, up to the present time of the session.
///
/// Where the session is edited, or goes back to before its start, it begins anew from there.
pub struct Beside {
    dt: f64,
    /// What both began with, and when.
    start: Option<(Scene, f64)>,
    engine: Option<FixedStep>,
    /// The version of the session that it began with.
    of: Option<u64>,
    begun: Begun,
    time: f64,
    is_there: bool,
    refused: String,
}

/// What our world had when it began.
#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    impacts: u64,
    energy: f64,
}

/// What has become of the same start in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// Impacts in our world, and contacts that have begun in fixed steps.
    pub impacts: [u64; 2],
    /// The pairs that passed through each other in fixed steps: see [`FixedStep::passed`].
    pub passed: usize,
    /// The deepest overlap of two discs in fixed steps, as a length.
    pub overlap: f64,
    /// The energy as a part of what it was at the start, ours and in fixed steps; none if that was 0.
    pub energy: Option<[f64; 2]>,
    /// The largest distance of a disc from itself in the other engine.
    pub farthest: f64,
}

impl Beside {
    /// In steps of a sixtieth of a second.
    #[must_use]
    pub fn new() -> Self {
        Beside {
            dt: 1.0 / 60.0,
            start: None,
            engine: None,
            of: None,
            begun: Begun::default(),
            time: 0.0,
            is_there: false,
            refused: String::new(),
        }
    }

    /// The length of a step, in seconds.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Sets the length of a step, from 10⁻⁶ to 1 s, and begins anew at the same start; other numbers are
    /// ignored.
    pub fn set_dt(&mut self, dt: f64) {
        if (1e-6..=1.0).contains(&dt) && dt != self.dt {
            self.dt = dt;
            self.rerun();
        }
    }

    /// Begins anew at the present of the session, at its next frame.
    pub fn restart(&mut self) {
        self.of = None;
    }

    /// Why there is nothing to compare; empty if there is.
    #[must_use]
    pub fn refused(&self) -> &str {
        &self.refused
    }

    /// Whether it keeps up with the session: if not, its steps are too small for a frame.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.is_there
    }

    /// The fixed steps, if there are any.
    #[must_use]
    pub fn engine(&self) -> Option<&FixedStep> {
        self.engine.as_ref()
    }

    /// Goes to the present time of a session, or nearer to it: a frame is bounded in steps.
    pub fn follow(&mut self, session: &Session) {
        let now = session.world().now().as_secs();
        let is_before = self.start.as_ref().is_none_or(|(_, start)| now < *start);
        if self.of != Some(session.version()) || is_before {
            self.begin(session, now);
        } else if self.engine.as_ref().is_some_and(|engine| now < engine.time_before()) {
            // There are no steps back.
            self.rerun();
        }
        let Some(engine) = &mut self.engine else { return };
        let most = (STEPS / session.world().len().max(1) as u64).max(8);
        self.is_there = engine.advance_to(now, most);
        self.time = now;
    }

    fn begin(&mut self, session: &Session, now: f64) {
        self.of = Some(session.version());
        let world = session.world();
        let counters = world.counters();
        self.begun = Begun { impacts: counters.disc_impacts + counters.wall_impacts, energy: world.energy() };
        self.start = Some((session.scene(), now));
        self.rerun();
    }

    fn rerun(&mut self) {
        let Some((scene, start)) = &self.start else { return };
        match FixedStep::new(scene, *start, self.dt) {
            Ok(engine) => (self.engine, self.refused) = (Some(engine), String::new()),
            Err(refused) => (self.engine, self.refused) = (None, refused),
        }
    }

    /// Where the discs are in fixed steps, in the order in which the session has them.
    pub fn places(&self) -> impl Iterator<Item = DVec2> {
        let engine = self.engine.iter();
        engine.flat_map(|engine| (0..).map_while(|number| engine.place(number, self.time)))
    }

    /// Both engines at the present time of the session.
    #[must_use]
    pub fn compared(&self, session: &Session) -> Option<Compared> {
        let engine = self.engine.as_ref()?;
        let world = session.world();
        let counters = world.counters();
        let impacts = (counters.disc_impacts + counters.wall_impacts).saturating_sub(self.begun.impacts);
        let ours = world.discs().map(|disc| disc.position());
        let farthest = ours.zip(self.places()).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        let energy = (self.begun.energy != 0.0)
            .then(|| [world.energy(), engine.energy()].map(|energy| energy / self.begun.energy));
        Some(Compared {
            impacts: [impacts, engine.impacts()],
            passed: engine.passed(),
            overlap: engine.overlap(),
            energy,
            farthest,
        })
    }
}

impl Default for Beside {
    fn default() -> Self {
        Beside::new()
    }
}
