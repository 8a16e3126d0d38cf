//! A world that is looked at and changed, without a window.

mod bent;
mod closest;
mod edit;
mod kinds;
mod link;
mod outlook;
mod pair;
mod physics;
mod report;
mod samples;
mod saved;
mod seen;
mod worlds;

use outlook::Looked;
pub use outlook::{Coming, ComingKind, Outlook, Track};
pub use pair::{Contacts, Pair};
pub use samples::names;
pub use seen::{SeenDisc, SeenEvent, WholeDisc, WholeWall};
pub use worlds::{AnyTimeline, WorldRef};

use crate::link::{OTHER_RESULT, Promise};
use crate::session::samples::Opened;
use carom_engine::{DVec2, DiscId, Time};
use carom_scene::Look;
use std::collections::VecDeque;
use worlds::AnyWorld;

/// An event with its number, as the log has it.
pub type Logged = (u64, SeenEvent);

/// The most events that the log keeps.
const LOG: usize = 400;
/// The most points of the plots.
const HISTORY: usize = 600;
/// The most steps that can be undone.
const UNDO: usize = 50;
/// The most bytes that the worlds for undoing take together.
const UNDO_BYTES: usize = 32 << 20;
/// The most events of one frame, so that a window answers while a gas runs. In larger worlds they cost
/// more.
const EVENTS_OF_FRAME: u64 = 20_000;

/// What the plots show, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When.
    pub time: f64,
    /// Energy, kinetic and potential.
    pub energy: f64,
    /// Length of the momentum.
    pub momentum: f64,
    /// Events since the start.
    pub events: u64,
}

/// A world as it was.
#[derive(Clone, Debug)]
struct Before {
    world: AnyWorld,
    /// Of which timeline it is.
    run: u64,
    version: u64,
}

/// A world with its past and future, what is selected in it, and how fast time runs.
///
/// Whatever is refused leaves it as it was, and says why in [`Session::message`].
#[derive(Debug)]
pub struct Session {
    timeline: AnyTimeline,
    /// How often the timeline has been replaced by another one.
    run: u64,
    name: String,
    looks: Vec<Look>,
    selected: Option<DiscId>,
    other: Option<DiscId>,
    is_playing: bool,
    speed: f64,
    /// How much slower it runs than it was asked to, 1 if it keeps up.
    pace: f64,
    undo: Vec<Before>,
    /// What the world was as the drag that is going on began.
    held: Option<Before>,
    /// The disc that is dragged and lies on others, and where it last had room.
    lying: Option<(DiscId, DVec2)>,
    log: VecDeque<Logged>,
    history: VecDeque<Sample>,
    /// Discs of the last impacts, for flashing, with the seconds of the window since.
    flashes: Vec<(DiscId, f64)>,
    outlook: Outlook,
    /// When the world was made or edited last, and after which event. Until time passes its table is that of
    /// before.
    edited: Option<(Time, u64)>,
    /// A copy in which the last edit is resolved, for its table.
    resolved: Option<AnyWorld>,
    message: String,
    /// What the link that was opened tells of its result.
    promise: Option<Promise>,
    /// How often the world has been replaced or edited.
    version: u64,
}

impl Session {
    /// Two discs that are about to meet.
    #[must_use]
    pub fn new() -> Self {
        let mut session = Session {
            timeline: AnyTimeline::new(samples::empty()),
            run: 0,
            name: String::new(),
            looks: Vec::new(),
            selected: None,
            other: None,
            is_playing: false,
            speed: 1.0,
            pace: 1.0,
            undo: Vec::new(),
            held: None,
            lying: None,
            log: VecDeque::new(),
            history: VecDeque::new(),
            flashes: Vec::new(),
            outlook: Outlook::default(),
            edited: None,
            resolved: None,
            message: String::new(),
            promise: None,
            version: 0,
        };
        session.open(samples::FIRST);
        session
    }

    /// Opens a scene: its text as JSON or TOML, the name of a scene, or what [`Session::share`] gave.
    /// Says whether it could; if not, [`Session::message`] has the reason and all is as it was.
    pub fn open(&mut self, text: &str) -> bool {
        match samples::open(text) {
            Ok(opened) => {
                self.take(opened);
                true
            }
            Err(message) => {
                self.message = message;
                false
            }
        }
    }

    fn take(&mut self, opened: Opened) {
        let Opened { name, world, looks, promise } = opened;
        self.begin_run(world);
        let first: Vec<DiscId> = self.world().ids().take(2).collect();
        (self.selected, self.other) = (first.first().copied(), first.get(1).copied());
        self.version += 1;
        (self.name, self.looks) = (name, looks);
        self.is_playing = false;
        self.undo.clear();
        self.held = None;
        self.lying = None;
        self.outlook.reset();
        self.message.clear();
        self.promise = promise;
        if promise.is_some_and(|promise| !promise.is_kept()) {
            self.message = OTHER_RESULT.to_owned();
        }
        self.forget();
    }

    /// Forgets what was recorded on the way.
    fn forget(&mut self) {
        self.log.clear();
        self.history.clear();
        self.flashes.clear();
        self.note_sample();
    }

    /// Begins a timeline that has no past.
    fn begin_run(&mut self, world: AnyWorld) {
        self.timeline = AnyTimeline::new(world);
        self.edited = Some((self.world().now(), self.timeline.event()));
        self.resolved = None;
        self.run += 1;
    }

    /// The world at the present time.
    #[must_use]
    pub fn world(&self) -> WorldRef<'_> {
        self.timeline.world()
    }

    /// The world with its past.
    #[must_use]
    pub fn timeline(&self) -> &AnyTimeline {
        &self.timeline
    }

    /// A number that is another one after each edit, and after another scene has been opened.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The name of the scene.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How a disc is to look.
    #[must_use]
    pub fn look(&self, disc: DiscId) -> Option<&Look> {
        let note = self.world().get(disc)?.user_data();
        self.looks.get(usize::try_from(note).ok()?)
    }

    /// What is said to the user; empty if nothing is.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says something to the user.
    pub fn say(&mut self, message: String) {
        self.message = message;
    }

    /// The disc that is selected.
    #[must_use]
    pub fn selected(&self) -> Option<DiscId> {
        self.selected.filter(|&disc| self.world().contains(disc))
    }

    /// The second disc of the pair that is looked at.
    #[must_use]
    pub fn other(&self) -> Option<DiscId> {
        self.other.filter(|&disc| self.world().contains(disc) && Some(disc) != self.selected)
    }

    /// Selects a disc; the one that was selected becomes the other one of the pair.
    pub fn select(&mut self, disc: Option<DiscId>) {
        if disc.is_some() && disc != self.selected && self.selected.is_some() {
            self.other = self.selected;
        }
        self.selected = disc;
    }

    /// The smallest disc that covers a place, of those that are nearest to be grasped within `reach` of it.
    #[must_use]
    pub fn disc_at(&self, place: DVec2, reach: f64) -> Option<DiscId> {
        let world = self.world();
        let distance = |center: DVec2| world.periods().nearest(place - center).length();
        let near = world.discs().map(|disc| (distance(disc.position()) - disc.radius(), disc.id()));
        near.filter(|&(gap, _)| gap <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
    }

    /// Whether time runs.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Lets time run, or stops it.
    pub fn play(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
    }

    /// Seconds of the world in a second of the window.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets how fast time runs, from 10⁻⁶ to 10⁶; other numbers are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if (1e-6..=1e6).contains(&speed) {
            self.speed = speed;
        }
    }

    /// The part of the speed that the engine keeps up with, 1 if all.
    #[must_use]
    pub fn pace(&self) -> f64 {
        self.pace
    }

    /// A frame of the window, `seconds` long: time goes on if it runs.
    pub fn frame(&mut self, seconds: f64) {
        for flash in &mut self.flashes {
            flash.1 += seconds;
        }
        self.flashes.retain(|flash| flash.1 < 0.6);
        if !self.is_playing || self.held.is_some() {
            return;
        }
        let wanted = self.speed * seconds.clamp(0.0, 0.1);
        let (before, first) = (self.timeline.world().now(), self.timeline.event());
        let budget = (200_000_000 / (1000 + 100 * self.world().len() as u64)).clamp(200, EVENTS_OF_FRAME);
        let mut done = 0;
        let until = before.as_secs() + wanted;
        // Events are taken one by one, so that each has its number.
        while done < budget {
            match self.timeline.next_event() {
                Some(next) if next.time.as_secs() <= until => {
                    self.timeline.step();
                    done += 1;
                    self.note_events();
                }
                _ => break,
            }
        }
        if done < budget {
            if let Err(error) = self.timeline.go_to(until) {
                self.stop(error.to_string());
            }
            self.pace = 1.0;
        } else {
            self.pace = if wanted > 0.0 { self.world().now().since(before) / wanted } else { 1.0 };
        }
        if self.timeline.event() == first && self.world().now() == before {
            self.is_playing = false;
        }
        self.note_sample();
    }

    /// Goes on to the next event.
    pub fn step(&mut self) {
        self.is_playing = false;
        if self.timeline.step().events == 0 {
            self.message = "nothing happens any more".to_owned();
        } else {
            self.message.clear();
            self.note_events();
        }
        self.note_sample();
    }

    /// Goes back by one event.
    pub fn step_back(&mut self) {
        self.is_playing = false;
        self.timeline.step_back();
        self.message.clear();
        self.went_back();
    }

    /// Goes to a time, in seconds.
    pub fn go_to(&mut self, time: f64) {
        self.is_playing = false;
        let done = self.timeline.go_to(time.max(self.timeline.start().as_secs()));
        self.message = done.map_or_else(|error| error.to_string(), |_| String::new());
        self.went_back();
    }

    /// Goes to just after an event, by its number.
    pub fn go_to_event(&mut self, number: u64) {
        self.is_playing = false;
        let done = self.timeline.go_to_event(number);
        self.message = done.map_or_else(|error| error.to_string(), |_| String::new());
        self.went_back();
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        self.go_to(0.0);
    }

    fn stop(&mut self, why: String) {
        self.is_playing = false;
        self.message = why;
    }

    /// The events of the last step.
    fn note_events(&mut self) {
        let number = self.timeline.event();
        let (flashes, log) = (&mut self.flashes, &mut self.log);
        self.timeline.each_event(|event| {
            if let Some(impact) = event.impact() {
                let discs = [Some(impact.a), impact.b.disc()];
                flashes.extend(discs.into_iter().flatten().map(|disc| (disc, 0.0)));
            }
            if log.back().is_none_or(|last| last.0 <= number) {
                log.push_back((number, event));
            }
        });
        while self.log.len() > LOG {
            self.log.pop_front();
        }
        let extra = self.flashes.len().saturating_sub(64);
        self.flashes.drain(..extra);
    }

    fn went_back(&mut self) {
        self.flashes.clear();
        let now = self.world().now().as_secs();
        self.history.retain(|sample| sample.time <= now);
        self.note_sample();
    }

    fn note_sample(&mut self) {
        let world = self.timeline.world();
        let (time, events) = (world.now().as_secs(), self.timeline.event());
        if self.history.back().is_some_and(|last| last.time == time && last.events == events) {
            self.history.pop_back();
        }
        let (energy, momentum) = (world.energy(), world.momentum().length());
        self.history.push_back(Sample { time, energy, momentum, events });
        if self.history.len() > HISTORY {
            self.history.pop_front();
        }
    }

    /// The events that were seen, with their numbers, oldest first.
    #[must_use]
    pub fn log(&self) -> &VecDeque<Logged> {
        &self.log
    }

    /// What the plots show, oldest first.
    #[must_use]
    pub fn history(&self) -> &VecDeque<Sample> {
        &self.history
    }

    /// The discs that have just had an impact, with the seconds of the window since.
    #[must_use]
    pub fn flashes(&self) -> &[(DiscId, f64)] {
        &self.flashes
    }

    /// Whether no time has passed since the world was made or edited.
    fn is_just_edited(&self) -> bool {
        self.edited == Some((self.world().now(), self.timeline.event()))
    }

    /// The world whose table of pairs is that of now.
    fn tabled(&self) -> WorldRef<'_> {
        match &self.resolved {
            Some(copy) if self.is_just_edited() => copy.read(),
            _ => self.world(),
        }
    }

    /// What is going to happen: computed anew only where something has changed.
    pub fn outlook(&mut self) -> &Outlook {
        if self.is_just_edited() && self.resolved.is_none() {
            let mut copy = self.world().cloned();
            copy.run_on(0, 0.0);
            self.resolved = Some(copy);
        }
        let next = self.timeline.next_event();
        let looked = Looked {
            pair: [self.selected(), self.other()],
            is_still: !self.is_playing || self.held.is_some(),
        };
        self.outlook.look(self.timeline.world(), self.version, looked, next);
        &self.outlook
    }
}

impl Default for Session {
    fn default() -> Self {
        Session::new()
    }
}
