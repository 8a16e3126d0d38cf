//! What is stored of a world: all of which the future follows, and by which the past is accounted for.

use crate::drag::Drag;
use crate::ledger::Book;
use crate::sense::Sensing;
use crate::simd::Simd;
use crate::state::bodies::Bodies;
use crate::state::chains::Chains;
use crate::state::contacts::HoldNote;
use crate::state::edition::Edition;
use crate::state::judging::Judging;
use crate::state::timers::Timers;
use crate::walls::Walls;
use crate::{Counters, Physics, Settings};
use carom_broadphase::Slot;
use carom_math::{Clock, Time};

/// The state of a world, and the instant. Whoever predicts events, responds to them or answers queries reads
/// it through a shared reference, and can write nothing.
///
/// A world has besides only what follows from it: a scheduler, caches, and scratch.
#[derive(Debug)]
pub(crate) struct Store<P: Physics> {
    pub(crate) physics: P,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) now: Time,
    pub(crate) bodies: Bodies<P>,
    pub(crate) walls: Walls<P::Surface>,
    /// Number of the latest impact.
    pub(crate) impacts: u64,
    /// Discs that bodies close in on: see [`CrushRule`](crate::CrushRule).
    pub(crate) chains: Chains,
    pub(crate) judging: Judging<P::Body, P::Extra>,
    pub(crate) timers: Timers<P::Body, P::Extra>,
    /// The true time and the rest of what there is with drag; then `clock` and `now`, and all else, are on
    /// the slow clock.
    pub(crate) drag: Option<Drag>,
    /// Nothing in a world that never had regions.
    pub(crate) sensing: Option<Box<Sensing>>,
    pub(crate) counters: Counters,
    /// Becomes the ledger of the counters.
    pub(crate) book: Book,
    /// Slots to be scheduled again before the next event is looked up, some perhaps more than once.
    pub(crate) dirty: Vec<Slot>,
    /// Which of these marks are for what a disc does on its own alone, as often as it is marked so.
    pub(crate) solo_marks: Vec<Slot>,
    /// Slots of discs that edits have put where they may press on something, or taken away from there: to be
    /// settled before they are scheduled. Some perhaps more than once.
    pub(crate) unsettled: Vec<Slot>,
    /// Contacts that may have begun to be held, or ceased to be, since that was last reported.
    pub(crate) hold_notes: Vec<HoldNote>,
    pub(crate) edition: Edition,
    pub(crate) simd: Simd,
}

carom_broadphase::clone_fields!(
    Store<P: Physics>:
    physics, settings, clock, now, bodies, walls, impacts, chains, timers, drag, sensing, counters, book,
    dirty, solo_marks, unsettled, hold_notes, edition, simd;
    scratch judging
);
