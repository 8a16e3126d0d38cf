use super::Played;
use crate::record::{event_bits, time_bits};
use carom_engine::{DVec2, Error, Event, Ledger, World};
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};

/// What a game has shown so far, as a hash of all bits, and on request as words.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// Of events, outcomes of calls, and states.
    pub run: Hash,
    /// Of queries, forecasts and pictures.
    pub looks: Hash,
    /// How many events.
    pub events: usize,
    /// The hash after each call.
    pub calls: Vec<u64>,
    /// Whether the last call was refused.
    pub is_refused: bool,
    /// Whether a budget has ended the game, or something is stuck.
    pub is_over: bool,
    /// How many calls of each kind were accepted, and how many refused.
    pub counts: BTreeMap<&'static str, [u64; 2]>,
    /// One line for each entry.
    pub lines: Option<Vec<String>>,
}

/// A hash of 64 bits, mixed as SplitMix64 does (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hash(pub u64);

impl Hash {
    pub fn word(&mut self, word: u64) {
        let z = (self.0.rotate_left(23) ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = z ^ (z >> 31);
    }

    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// What `Debug` shows of numbers tells all their bits apart.
    pub fn shown(&mut self, value: &impl Debug) {
        self.text(&format!("{value:?}"));
    }

    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub fn vector(&mut self, v: DVec2) {
        self.words([v.x.to_bits(), v.y.to_bits()]);
    }
}

/// A ledger as it is shown, without the entry `friction` where that is 0: it is younger than the hashes of
/// games in which nothing is held that rubs.
struct Entries(Ledger);

impl Debug for Entries {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{:?}", self.0).replace("friction: 0.0, ", ""))
    }
}

/// What came of a call, of an error its kind: its words may change.
fn shown<T: Debug>(what: &str, outcome: Result<T, Error>) -> String {
    let error = match outcome {
        Ok(value) => return format!("{what}: {value:?}"),
        Err(error) => format!("{error:?}"),
    };
    let end = error.find(|c: char| !c.is_alphanumeric()).unwrap_or(error.len());
    format!("{what}: {}", &error[..end])
}

impl Tape {
    fn line(&mut self, line: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(line());
        }
    }

    /// What came of a call.
    pub fn outcome<T: Debug>(&mut self, what: &'static str, outcome: Result<T, Error>) {
        self.is_refused = outcome.is_err();
        self.counts.entry(what).or_default()[usize::from(self.is_refused)] += 1;
        let shown = shown(what, outcome);
        self.run.text(&shown);
        self.line(|| shown);
    }

    /// What came of a look.
    pub fn look<T: Debug>(&mut self, what: &str, outcome: Result<T, Error>) {
        let shown = shown(&format!("look: {what}"), outcome);
        self.looks.text(&shown);
        self.line(|| shown);
    }

    pub fn event<C: Debug>(&mut self, event: &Event<C>) {
        self.events += 1;
        self.run.words(event_bits(event));
        if let Event::Impact(impact) = event {
            self.run.words(impact.user_data);
        }
        self.line(|| format!("{event:?}"));
    }

    /// The bits of how all discs move, and of the time.
    pub fn states<P: Played>(&mut self, world: &World<P>) {
        let mut hash = Hash::default();
        hash.words(time_bits(world.now()));
        for (id, disc) in world.discs() {
            hash.words([u64::from(id.slot()), u64::from(id.generation()), disc.user_data]);
            hash.vector(disc.position);
            hash.vector(disc.velocity);
            hash.words([disc.radius, disc.mass, disc.restitution].map(f64::to_bits));
        }
        self.run.word(hash.0);
        self.calls.push(self.run.0);
        self.line(|| format!("states {:016x} at {:?}", hash.0, world.now()));
    }

    /// The bits of all that a world tells of itself, other than how much work it was.
    pub fn whole<P: Played>(&mut self, world: &mut World<P>) {
        let next = world.next_event();
        self.outcome("next", Ok(next));
        // Has what was edited last resolved: what a disc is held to, say.
        _ = world.scheduled();
        let mut hash = Hash::default();
        let mut note = |what: &dyn Debug| hash.shown(&what);
        for (id, disc) in world.discs() {
            let of = world.get(id).expect("it is listed");
            note(&(id, disc, of.acceleration(), of.unwrapped_position(), of.state_time(), of.is_enabled()));
            note(&(of.target(), world.held_to(id).collect::<Vec<_>>(), world.sensor_region(id)));
            for other in world.ids().filter(|other| world.is_excluded(id, *other)) {
                note(&(id, other));
            }
        }
        for (id, wall) in world.walls() {
            note(&(id, wall, world.arm(id), world.wall_motion(id), world.wall_shape(id)));
        }
        for (id, region) in world.regions() {
            note(&(id, region, world.inside(id).map(Iterator::collect::<Vec<_>>)));
        }
        note(&world.timers().collect::<Vec<_>>());
        note(&(world.now(), world.growth(), world.energy(), world.momentum(), Entries(world.ledger())));
        let counters = world.counters();
        note(&(counters.events, counters.disc_impacts, counters.wall_impacts, counters.groups));
        note(&(counters.changes, counters.slides, counters.made_plastic, counters.clamped));
        let settings = world.settings();
        note(&(settings.time_scale, settings.budget, settings.collapse, settings.record_events));
        self.run.word(hash.0);
        self.line(|| format!("whole {:016x}", hash.0));
    }
}
