//! A world that is advanced on several cores: as strips, each with what is near it, which are compared where
//! they meet.

mod merge;
mod part;
mod strip;

use self::merge::Merged;
use self::part::Part;
use self::strip::Cuts;
use crate::sink::Nothing;
use crate::state::stamp::MassClass;
use crate::{Advance, Counters, Disc, DiscId, DiscRef, Error, Event, Sink, StopReason, World};
use carom_broadphase::Auto;
use carom_math::{DVec2, Time};
use core::num::NonZeroUsize;
use core::ops::ControlFlow;
use std::thread;

/// A window lasts at first so many mean ways through the margin.
const FIRST_WINDOW: f64 = 0.05;
/// Of the margin so much is to be lost in a window.
const AIM: f64 = 0.5;
/// At most so many windows are advanced as one world before strips are tried again.
const MOST_PATIENCE: u32 = 64;
/// A part logs at most so many impacts in a window: a few, and so many a disc of the world.
const FEW: u64 = 4096;
const LOGGED: f64 = 1.0;

/// A world of smooth discs that is advanced on several cores, with the same events and the same bits as on
/// one.
///
/// The plane is cut into as many strips as there are threads. Each is a world of its own, which also holds
/// the discs within a margin of it, and is advanced by its own thread for a window of time. What is beyond
/// the margin a part does not know, so its own copies of the discs there go wrong, from the outside in. At
/// the end of the window two parts compare all paths that lead through a strip around their common border, of
/// the width within which discs can touch: where these agree bit by bit, what either knows on its own side is
/// what the whole world would have done, as every event there follows from states that are right. Each then
/// takes over the states beyond its border from the other. If they do not agree, or something else than an
/// impact of two has happened, the window is forgotten, and a shorter one is advanced as one world.
///
/// Events come in the order, and with the numbers, that they have in one world. Counters of impacts and the
/// ledger are those of one world, those of work ([`Counters::pair_times`] and what follows) are not.
///
/// For worlds of 10⁵ discs and more, and calls in which there are several events a disc: a window costs some
/// 100 ns a disc beside its events, laying out the strips as much as inserting all discs, and where a strip
/// ends its discs fly into the void. Memory: that of the world without its schedule, of the parts, which
/// together are somewhat more than one world, and of the notes of a window: 48 bytes for each of its impacts,
/// of which a part has at most about as many as there are discs; four times that with a sink or where impacts
/// take energy.
///
/// Split are worlds of discs of finite mass, half-planes and periods. In what else there is
/// ([`SplitWorld::obstacle`]) the world is advanced by one thread.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Settings, SplitWorld, World};
/// use std::num::NonZeroUsize;
///
/// let mut world = World::with_settings(Settings::default().with_period([Some(40.0), Some(10.0)]))?;
/// for k in 0..160 {
///     let velocity = [(k as f64).sin(), (k as f64).cos()];
///     let disc = Disc::new([(k / 4) as f64 + 0.5, 2.5 * (k % 4) as f64], 0.4).with_velocity(velocity);
///     world.insert(disc)?;
/// }
/// let mut alone = world.clone();
/// let mut split = SplitWorld::new(world, NonZeroUsize::new(2).unwrap());
/// let (by_one, by_two) = (alone.advance(2.0)?, split.advance(2.0)?);
/// assert_eq!(by_one, by_two);
/// assert!(split.windows().agreed > 0);
/// assert_eq!(alone.diff(&split.into_world()), None);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Debug)]
pub struct SplitWorld {
    /// The whole. While there are parts its states are those of the end of the last window.
    whole: World,
    /// Whether it has a schedule: not while there are parts.
    is_scheduled: bool,
    threads: usize,
    /// None while the whole is advanced as one.
    parts: Vec<Part>,
    merged: Merged,
    cuts: Option<Cuts>,
    /// Whether no impact takes energy.
    is_elastic: bool,
    /// Length of a window, in seconds; 0 if not known yet. And the shortest that it may have.
    window: f64,
    shortest: f64,
    /// How many windows are advanced as one world after one that was forgotten; more each time.
    patience: u32,
    /// How many of these are left.
    alone: u32,
    windows: SplitWindows,
}

/// How a [`SplitWorld`] has been advanced so far, in windows of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitWindows {
    /// By several threads, which agreed.
    pub agreed: u64,
    /// By several threads, and forgotten, as these did not agree or there was something else than an impact
    /// of two.
    pub forgotten: u64,
    /// As one world, by one thread.
    pub alone: u64,
}

impl SplitWorld {
    /// A world that is to be advanced by so many threads.
    #[must_use]
    pub fn new(world: World, threads: NonZeroUsize) -> Self {
        SplitWorld {
            whole: world,
            is_scheduled: true,
            threads: threads.get(),
            parts: Vec::new(),
            merged: Merged::default(),
            cuts: None,
            is_elastic: false,
            window: 0.0,
            shortest: 0.0,
            patience: 1,
            alone: 0,
            windows: SplitWindows::default(),
        }
    }

    /// The world, as one. Its next call of `advance` makes a schedule for all discs.
    #[must_use]
    pub fn into_world(mut self) -> World {
        self.unite();
        self.whole
    }

    /// The world, to be looked at and edited, as one: the parts are laid out anew at the next advance.
    pub fn world_mut(&mut self) -> &mut World {
        self.unite();
        // Speeds may be others from now on.
        self.window = 0.0;
        &mut self.whole
    }

    /// Why the world is not split, if there is a reason that lies in what there is in it.
    #[must_use]
    pub fn obstacle(&self) -> Option<&'static str> {
        obstacle(&self.whole)
    }

    /// How it has been advanced so far.
    #[must_use]
    pub fn windows(&self) -> SplitWindows {
        self.windows
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.whole.now()
    }

    /// What has been done so far: see [`World::counters`].
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.whole.counters()
    }

    /// A disc: see [`World::get`].
    #[must_use]
    pub fn get(&self, id: DiscId) -> Option<DiscRef<'_>> {
        self.whole.get(id)
    }

    /// All discs: see [`World::discs`].
    pub fn discs(&self) -> impl Iterator<Item = (DiscId, Disc)> + '_ {
        self.whole.discs()
    }

    /// Kinetic energy of the centres now: see [`World::kinetic_energy`].
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        self.whole.kinetic_energy()
    }

    /// Momentum now: see [`World::momentum`].
    #[must_use]
    pub fn momentum(&self) -> DVec2 {
        self.whole.momentum()
    }

    /// Advances by `dt` seconds: see [`World::advance`]. Events are not recorded.
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance(&mut self, dt: f64) -> Result<Advance, Error> {
        self.advance_with(dt, &mut Nothing)
    }

    /// As [`SplitWorld::advance`], with the events going into `sink`, in order; those of a window at its end.
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_with<K: Sink>(&mut self, dt: f64, sink: &mut K) -> Result<Advance, Error> {
        let until = self.whole.after_scaled(dt)?;
        self.whole.events.clear();
        let mut budget = self.whole.settings.budget;
        let mut events = 0;
        loop {
            let (advance, goes_on) = if self.alone > 0 || (self.parts.is_empty() && !self.lay_out()) {
                self.advance_alone(until, &mut budget, sink)
            } else {
                self.advance_parts(until, &mut budget, sink)
            };
            events += advance.events;
            if !goes_on {
                return Ok(Advance { events, ..advance });
            }
        }
    }

    /// Advances as one world: to a time, or for a while. Returns whether there is more to do.
    fn advance_alone<K: Sink>(&mut self, until: Time, budget: &mut u64, sink: &mut K) -> (Advance, bool) {
        self.windows.alone += 1;
        self.unite();
        let given = if self.alone > 0 { self.most_logged().min(*budget) } else { *budget };
        self.alone = self.alone.saturating_sub(1);
        let mut left = given;
        let advance = self.whole.run_by_budget(until, &mut left, sink);
        let goes_on = advance.end == StopReason::OutOfBudget && given < *budget;
        *budget -= given - left;
        (advance, goes_on)
    }

    /// Advances all parts by a window, or forgets that if they do not agree. Returns whether there is more to
    /// do.
    fn advance_parts<K: Sink>(&mut self, until: Time, budget: &mut u64, sink: &mut K) -> (Advance, bool) {
        let end = until.min(self.whole.clock.after(self.whole.now, self.window));
        if !self.run_parts(end, K::ACTIVE || !self.is_elastic) {
            self.windows.forgotten += 1;
            self.alone = self.patience;
            self.patience = (2 * self.patience).min(MOST_PATIENCE);
            self.window = (0.25 * self.window).max(self.shortest);
            self.parts = Vec::new();
            return (Advance { end: StopReason::Reached, time: self.whole.now, events: 0 }, true);
        }
        let events = self.merged.len() as u64;
        if events >= *budget {
            // It ends at an event, or soon after.
            return self.advance_alone(until, budget, sink);
        }
        if let Err(told) = self.merged.tell(&self.parts, &mut self.whole, sink) {
            self.windows.alone += 1;
            self.unite();
            return (self.whole.run(end, *budget, &mut Stop { after: told }), false);
        }
        self.adopt(end);
        self.windows.agreed += 1;
        self.patience = (self.patience / 2).max(1);
        *budget -= events;
        (Advance { end: StopReason::Reached, time: end, events }, end != until)
    }

    /// Lays the parts out. Returns whether there are any.
    fn lay_out(&mut self) -> bool {
        let cuts = if self.threads < 2 || self.obstacle().is_some() {
            None
        } else {
            Cuts::of(&self.whole, self.threads)
        };
        let Some(cuts) = cuts else { return false };
        if self.window == 0.0 {
            let speed = rms_speed(&self.whole);
            if speed == 0.0 {
                return false;
            }
            self.window = FIRST_WINDOW * cuts.margin / speed;
            self.shortest = self.window / 16.0;
        }
        self.is_elastic = is_elastic(&self.whole);
        self.is_scheduled = false;
        self.whole.scheduler = Auto::default();
        (self.whole.dirty, self.whole.solo_marks) = (Vec::new(), Vec::new());
        let whole = &self.whole;
        self.parts = thread::scope(|scope| {
            let cuts = &cuts;
            let threads: Vec<_> =
                (0..cuts.strips()).map(|k| scope.spawn(move || Part::of(whole, cuts, k))).collect();
            threads.into_iter().map(joined).collect()
        });
        self.cuts = Some(cuts);
        true
    }

    /// Makes one world of the parts again.
    fn unite(&mut self) {
        self.parts = Vec::new();
        if !self.is_scheduled {
            self.whole.positions_now.invalidate();
            self.whole.begin_schedule();
            self.is_scheduled = true;
        }
    }

    /// Advances all parts. Returns whether they agree, and puts what has happened into its order.
    fn run_parts(&mut self, end: Time, keeps: bool) -> bool {
        let most = self.most_logged() * 8;
        let are_plain = thread::scope(|scope| {
            let parts = self.parts.iter_mut();
            let threads: Vec<_> = parts.map(|part| scope.spawn(move || part.run(end, most, keeps))).collect();
            threads.into_iter().map(joined).fold(true, |all, is_plain| all & is_plain)
        });
        let discs: usize = self.parts.iter().map(|part| part.log.discs).sum();
        let do_agree = are_plain && discs == self.whole.len() && self.do_seams_agree();
        if do_agree {
            self.merged.merge(self.whole.impacts, &self.parts, keeps);
        }
        do_agree
    }

    /// Whether all paths through the strips around the borders are the same on both sides.
    fn do_seams_agree(&self) -> bool {
        let Some(cuts) = &self.cuts else { return false };
        let pieces = |k: usize, at: f64| {
            let seams = &self.parts[k].notes().seams;
            seams.iter().find(|seam| seam.at == at).map(|seam| &seam.pieces)
        };
        cuts.seams().all(|(at, [before, after])| pieces(before, at) == pieces(after, at))
    }

    /// Makes what has happened in the parts the past of the whole, and of each other.
    fn adopt(&mut self, end: Time) {
        for (k, part) in self.parts.iter().enumerate() {
            part.store_in(&mut self.whole, |number| self.merged.number(k, number));
        }
        self.whole.now = end;
        self.whole.impacts += self.merged.len() as u64;
        self.whole.edition.add(self.merged.len() as u64);
        let whole = &self.whole;
        let nearest = thread::scope(|scope| {
            let threads: Vec<_> =
                self.parts.iter_mut().map(|part| scope.spawn(move || part.take_over(whole))).collect();
            threads.into_iter().map(joined).fold(f64::INFINITY, f64::min)
        });
        self.choose_window(nearest);
        let fullest = self.parts.iter().map(|part| part.log.discs).max().unwrap_or(0);
        if fullest * self.parts.len() > self.whole.len() + self.whole.len() / 4 {
            // Discs have gone to one side: the strips are laid out anew.
            self.parts = Vec::new();
        }
    }

    /// Chooses the length of the next window by how near to a border paths went wrong in this one.
    fn choose_window(&mut self, nearest: f64) {
        let Some(cuts) = &self.cuts else { return };
        let lost = ((cuts.margin - nearest) / (cuts.margin - cuts.half_width)).max(0.01);
        let logged = self.parts.iter().map(|part| part.notes().inside.len()).max().unwrap_or(0).max(1);
        let by_log = self.most_logged() as f64 / logged as f64;
        self.window = (self.window * (AIM / lost).min(by_log).clamp(0.25, 2.0)).max(self.shortest);
    }

    /// A part logs at most so many impacts in a window.
    fn most_logged(&self) -> u64 {
        FEW + (LOGGED * self.whole.len() as f64) as u64
    }
}

/// Stops a run after so many events.
struct Stop {
    after: usize,
}

impl Sink for Stop {
    fn event(&mut self, _: &Event) -> ControlFlow<()> {
        self.after -= 1;
        if self.after == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The root of the mean square of the speeds.
fn rms_speed(world: &World) -> f64 {
    let bodies = &world.bodies;
    let squares: f64 = bodies.live().map(|slot| bodies.record(slot).velocity().length_squared()).sum();
    (squares / bodies.len() as f64).sqrt()
}

/// Whether no impact takes energy.
fn is_elastic(world: &World) -> bool {
    let World { bodies, walls, .. } = world;
    let of_discs = bodies.live().map(|slot| bodies.detail(slot).restitution);
    let of_walls = walls.iter().map(|(_, wall)| wall.restitution);
    of_discs.chain(of_walls).all(|restitution| restitution == 1.0)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What there is in a world that parts of it would not know.
fn obstacle(world: &World) -> Option<&'static str> {
    let (bodies, contacts) = (&world.bodies, &world.bodies.contacts);
    let is_finite = |slot| bodies.class(slot) == MassClass::Finite;
    [
        (world.drag().is_some(), "there is drag"),
        (!world.timers.is_empty(), "there are timers"),
        (world.sensing.is_some(), "there are regions"),
        (bodies.growth.is_on(), "discs grow"),
        (!world.walls.planes.others.is_empty(), "there are walls other than half-planes"),
        (world.predictor().is_filtering(), "there are rules of what collides with what"),
        (!bodies.movers.is_empty() || !bodies.off.is_empty(), "there are kinematic or captured discs"),
        (!contacts.is_without_ends() || contacts.has_apart(), "there are pairs that do not collide"),
        (!world.chains.is_empty(), "there are discs that are crushed"),
        (!bodies.live().all(is_finite), "there are discs without mass, or of infinite mass"),
    ]
    .into_iter()
    .find_map(|(is_there, what)| is_there.then_some(what))
}
