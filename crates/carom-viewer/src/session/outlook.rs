use super::WorldRef;
use super::kinds::Kind;
use carom_engine::{
    DVec2, DiscId, Forces, Forecast, ForecastOptions, Partner, PathPiece, Rough, Smooth, Time, Upcoming,
    UpcomingKind, World,
};

/// The most events that are looked ahead.
const EVENTS: u64 = 24;
/// In worlds with more discs than this only what happens to the selected pair is looked ahead.
const MANY: usize = 300;
/// For this many impacts of each of the two, and no further than this many events of the world; fewer
/// while time runs, and not again for this many frames.
const IMPACTS: usize = 4;
const EVENTS_OF_MANY: u64 = 10_000;
const EVENTS_RUNNING: u64 = 1000;
const FRAMES: u32 = 10;
/// The most discs whose paths are drawn.
const TRACKS: usize = 48;

/// An event that is going to happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Coming {
    /// When.
    pub time: Time,
    /// What.
    pub kind: ComingKind,
    /// The disc that it happens to.
    pub a: DiscId,
    /// The other disc, if there is one.
    pub b: Option<DiscId>,
    /// Where the discs are then.
    pub ghosts: Vec<(DVec2, f64)>,
}

/// What is going to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComingKind {
    /// Two discs meet.
    Discs,
    /// A disc meets a wall.
    Wall,
    /// Anything else.
    Change,
}

/// The path of a disc, as pieces of parabolas. Under drag they are straight, and what they say of the speed
/// is that in the mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Which disc.
    pub disc: DiscId,
    /// Each piece: where it begins, velocity and acceleration there, and how many seconds it lasts.
    pub pieces: Vec<(DVec2, DVec2, DVec2, f64)>,
}

/// What is looked at in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Looked {
    /// The selected pair.
    pub(super) pair: [Option<DiscId>; 2],
    /// Whether time stands still.
    pub(super) is_still: bool,
}

/// What is going to happen if nothing is edited: the events in their order, and the paths until then.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    forces: Ahead<Forces>,
    smooth: Ahead<Smooth>,
    rough: Ahead<Rough<Forces>>,
    /// The version and the time of the world that was looked at, which discs, and whether time stood still.
    of: Option<(u64, Time, Looked)>,
    found: Found,
    /// In how many frames a large world is looked at again.
    rest: u32,
}

/// Copies of a world that run ahead.
#[derive(Clone, Debug)]
struct Ahead<P: Kind> {
    copy: Option<World<P>>,
    /// For large worlds.
    forecast: Forecast<P>,
}

impl<P: Kind> Default for Ahead<P> {
    fn default() -> Self {
        Ahead { copy: None, forecast: Forecast::default() }
    }
}

/// What is going to happen.
#[derive(Clone, Debug, Default)]
struct Found {
    coming: Vec<Coming>,
    tracks: Vec<Track>,
}

impl Outlook {
    /// The events that are going to happen, in their order.
    #[must_use]
    pub fn coming(&self) -> &[Coming] {
        &self.found.coming
    }

    /// The paths up to the last of them.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.found.tracks
    }

    /// To be called where a world has been replaced by another one.
    pub(super) fn reset(&mut self) {
        self.of = None;
    }

    pub(super) fn look(&mut self, world: WorldRef<'_>, version: u64, looked: Looked, next: Option<Upcoming>) {
        let of = (version, world.now(), looked);
        if self.of == Some(of) {
            return;
        }
        let is_same = self.of.is_some_and(|last| last.0 == version && last.2 == looked && last.1 <= of.1);
        self.of = Some(of);
        if world.len() > MANY && is_same && !looked.is_still && self.rest > 0 {
            // A copy of the world for each frame would take longer than the frame, and what has been found
            // comes as it was.
            self.rest -= 1;
            self.found.coming.retain(|coming| coming.time >= of.1);
            return;
        }
        self.rest = FRAMES;
        self.found = Found::default();
        match world {
            WorldRef::Forces(world) => self.forces.look(world, looked, next, &mut self.found),
            WorldRef::Smooth(world) => self.smooth.look(world, looked, next, &mut self.found),
            WorldRef::Rough(world) => self.rough.look(world, looked, next, &mut self.found),
        }
    }
}

impl<P: Kind> Ahead<P> {
    fn look(&mut self, world: &World<P>, looked: Looked, next: Option<Upcoming>, found: &mut Found) {
        if world.len() > MANY {
            self.copy = None;
            if let Some(next) = next {
                found.note(world, next);
            }
            let events = if looked.is_still { EVENTS_OF_MANY } else { EVENTS_RUNNING };
            looked.pair.into_iter().flatten().for_each(|disc| self.look_at(world, disc, events, found));
            found.coming.sort_by_key(|coming| coming.time);
            found.coming.dedup_by(|b, a| a.time == b.time && (a.a == b.a || a.b == Some(b.a)));
            return;
        }
        let mut copy = match self.copy.take() {
            Some(mut copy) => {
                copy.clone_from(world);
                copy
            }
            None => world.clone(),
        };
        found.tracks.extend(world.ids().take(TRACKS).map(|disc| Track { disc, pieces: Vec::new() }));
        found.run(&mut copy);
        self.copy = Some(copy);
    }

    /// The path of one disc of many, and what it meets within this many events of the world.
    fn look_at(&mut self, world: &World<P>, disc: DiscId, events: u64, found: &mut Found) {
        let options = ForecastOptions::new(1e6).with_max_impacts(IMPACTS);
        let limit = |copy: &mut World<P>| {
            copy.set_budget(events);
            Ok(())
        };
        let Ok(path) = self.forecast.path_after(world, disc, &options, limit) else { return };
        let radius = world.get(disc).map_or(0.0, |disc| disc.radius());
        let is_slowed = world.settings().drag > 0.0;
        let piece = |piece: &PathPiece| {
            let (start, lasts) = (piece.start, piece.end.since(piece.start));
            let from = piece.position_at(start);
            if is_slowed && lasts > 0.0 {
                return (from, (piece.position_at(piece.end) - from) / lasts, DVec2::ZERO, lasts);
            }
            (from, piece.velocity_at(start), piece.acceleration, lasts)
        };
        found.tracks.push(Track { disc, pieces: path.iter().map(piece).collect() });
        for piece in path {
            let Some(met) = piece.met else { continue };
            let (kind, b) = match met.body {
                Partner::Disc(other) => (ComingKind::Discs, Some(other)),
                _ => (ComingKind::Wall, None),
            };
            let ghosts = vec![(piece.position_at(piece.end), radius)];
            found.coming.push(Coming { time: piece.end, kind, a: disc, b, ghosts });
        }
    }
}

impl Found {
    fn run<P: Kind>(&mut self, copy: &mut World<P>) {
        let drag = copy.settings().drag;
        for _ in 0..EVENTS {
            let begin = copy.now();
            for track in &mut self.tracks {
                if let Some(disc) = copy.get(track.disc) {
                    track.pieces.push((disc.position(), disc.velocity(), disc.acceleration(), 0.0));
                }
            }
            let Some(next) = copy.next_event() else {
                self.go_on(drag);
                break;
            };
            let lasts = next.time.since(begin);
            for track in &mut self.tracks {
                if let Some(piece) = track.pieces.last_mut() {
                    piece.3 = lasts;
                    piece.1 *= slowing(drag, lasts);
                }
            }
            if copy.step_event().events == 0 {
                break;
            }
            self.note(copy, next);
        }
        for track in &mut self.tracks {
            track.pieces.retain(|piece| piece.3 > 0.0);
        }
    }

    /// Nothing more happens: a path goes on for as long as the eye can follow it.
    fn go_on(&mut self, drag: f64) {
        for piece in self.tracks.iter_mut().filter_map(|track| track.pieces.last_mut()) {
            piece.3 = if piece.2 == DVec2::ZERO { 1e3 } else { 20.0 };
            piece.1 *= slowing(drag, piece.3);
        }
    }

    /// Notes an event, with the places of its discs in a world.
    fn note<P: Kind>(&mut self, copy: &World<P>, event: Upcoming) {
        let (kind, a, b) = match event.kind {
            UpcomingKind::Discs(a, b) => (ComingKind::Discs, a, Some(b)),
            UpcomingKind::Wall(a, ..) => (ComingKind::Wall, a, None),
            UpcomingKind::Change(a)
            | UpcomingKind::Release(a)
            | UpcomingKind::Enter(a, _)
            | UpcomingKind::Leave(a, _)
            | UpcomingKind::Arrive(a) => (ComingKind::Change, a, None),
            _ => return,
        };
        let ghosts = [Some(a), b].into_iter().flatten().filter_map(|id| copy.get(id));
        let ghosts = ghosts.map(|disc| (disc.position(), disc.radius())).collect();
        self.coming.push(Coming { time: event.time, kind, a, b, ghosts });
    }
}

/// The mean speed over some seconds under drag, as a part of that at their beginning.
fn slowing(drag: f64, seconds: f64) -> f64 {
    let age = drag * seconds;
    if age > 0.0 { -(-age).exp_m1() / age } else { 1.0 }
}
