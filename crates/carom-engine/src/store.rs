//! What is stored of a world: all of which the future follows, and by which the past is accounted for.

mod courses;
mod guarded;
mod marks;
mod read;
mod time;
mod write;

pub(crate) use courses::Onward;
pub(crate) use guarded::Guarded;
pub use time::Moment;

use crate::drag::Drag;
use crate::ledger::{Book, energy_of_change};
use crate::physics::Reach;
use crate::sense::{Flights, Sensing};
use crate::simd::Simd;
use crate::state::added::Added;
use crate::state::bodies::Bodies;
use crate::state::chains::Chains;
use crate::state::contacts::{Held, HeldTo, HoldNote};
use crate::state::edition::Edition;
use crate::state::judging::Judging;
use crate::state::timers::Timers;
use crate::state::with::With;
use crate::touch::{Apart, held_depth, image_met, overlap_depth};
use crate::walls::Walls;
use crate::walls::motion::WallPose;
use crate::{Counters, Error, Partner, Physics, Settings, State, Wall, WallShape};
use carom_broadphase::Slot;
use carom_math::{Clock, DVec2, Time};
use core::ops::{Deref, DerefMut};
use std::borrow::Cow;
use std::sync::Arc;

/// The state of a world, and the instant. Whoever predicts events, responds to them or answers queries reads
/// it through a shared reference, and can write nothing.
///
/// A world has besides only what follows from it: a scheduler, caches, and scratch.
#[derive(Debug)]
pub(crate) struct Store<P: Physics> {
    pub(crate) common: Common,
    pub(crate) physics: P,
    /// What the physics adds to each disc, by slot; empty if it adds nothing.
    pub(crate) added: Vec<Added<P::Body, P::Extra>>,
    /// The walls as users describe them, by slot; those of free slots mean nothing. Shared with clones of the
    /// world until either edits them.
    pub(crate) descriptions: Arc<Vec<Wall<P::Surface>>>,
    pub(crate) judging: Judging<P::Body, P::Extra>,
    pub(crate) timers: Timers<P::Body, P::Extra>,
}

carom_broadphase::clone_fields!(
    Store<P: Physics>: common, physics, added, descriptions, timers; scratch judging
);

/// What is stored of a world of any physics. What needs no more than this is compiled once.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) now: Time,
    pub(crate) bodies: Bodies,
    pub(crate) walls: Walls,
    /// Number of the latest impact.
    pub(crate) impacts: u64,
    /// Discs that bodies close in on: see [`CrushRule`](crate::CrushRule).
    pub(crate) chains: Chains,
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
    Common: settings, clock, now, bodies, walls, impacts, chains, drag, sensing, counters, book, dirty,
    solo_marks, unsettled, hold_notes, edition, simd
);

impl Common {
    /// Notes what friction in the contacts that hold a disc has taken up to the present, as these are going
    /// to be dropped.
    pub(crate) fn note_heat(&mut self, slot: Slot) {
        let age = self.now.since(self.bodies.time(slot));
        let taken = self.bodies.contacts.holds.of(slot).iter().map(|held| held.heat_after(age)).sum();
        self.book.note_heat(taken);
    }

    /// Of that, what is of contacts with walls and with discs in higher slots: so that each counts once.
    pub(crate) fn heat_from(&self, slot: Slot) -> f64 {
        let age = self.now.since(self.bodies.time(slot));
        let is_counted = |held: &&Held| !matches!(held.to, HeldTo::Disc(other) if other < slot);
        let counted = self.bodies.contacts.holds.of(slot).iter().filter(is_counted);
        counted.map(|held| held.heat_after(age)).sum()
    }

    /// What crossings of borders follow from.
    pub(crate) fn flights(&self) -> Flights<'_> {
        let Common { bodies, walls, clock, now, drag, .. } = self;
        Flights { bodies, walls, clock, now: *now, drag: drag.as_ref() }
    }

    /// Has the regions, if there are any, look at what has changed.
    #[inline(always)]
    pub(crate) fn sense(&mut self, look: impl FnOnce(&mut Sensing, &Flights<'_>)) {
        if self.sensing.is_some() {
            self.begin_sensing(look);
        }
    }

    /// As `sense`; there are regions from now on.
    pub(crate) fn begin_sensing<R>(&mut self, look: impl FnOnce(&mut Sensing, &Flights<'_>) -> R) -> R {
        let Common { sensing, bodies, walls, clock, now, drag, .. } = self;
        let flights = Flights { bodies, walls, clock, now: *now, drag: drag.as_ref() };
        look(sensing.get_or_insert_default(), &flights)
    }

    /// Plans the crossings of the marked discs.
    #[inline(always)]
    pub(crate) fn plan_crossings(&mut self) {
        if self.sensing.is_some() {
            let mut dirty = core::mem::take(&mut self.dirty);
            dirty.sort_unstable();
            self.begin_sensing(|sensing, flights| sensing.plan_discs(flights, &dirty));
            self.dirty = dirty;
        }
    }

    /// Whether more than the schedule lags behind: rules are to come into force, discs to be settled, or
    /// records of contacts to be ended.
    pub(crate) fn has_unresolved_edits(&self) -> bool {
        !self.dirty.is_empty()
            && (self.has_edited_rules()
                || !self.unsettled.is_empty()
                || !self.bodies.contacts.is_without_releases())
    }

    /// Whether rules have been set that are not in force yet.
    #[inline(always)]
    pub(crate) fn has_edited_rules(&self) -> bool {
        self.bodies.rules.has_edited() | self.walls.has_edited()
    }

    /// The velocity of what a facet consists of at a place.
    #[inline(always)]
    pub(crate) fn surface_velocity(&self, f: u32, place: DVec2) -> DVec2 {
        self.walls.facets[f as usize].velocity_at(place)
    }

    /// The user's note on what a disc meets.
    #[inline]
    pub(crate) fn user_data_of(&self, with: With) -> u64 {
        match with {
            With::Disc(slot) => self.bodies.user_data.get(slot),
            With::Facet(f) => self.walls.user_data[self.walls.facets[f as usize].wall as usize],
        }
    }

    /// What a disc meets, as events name it.
    #[inline]
    pub(crate) fn partner(&self, with: With) -> Partner {
        match with {
            With::Disc(slot) => Partner::Disc(self.bodies.id(slot)),
            With::Facet(f) => self.walls.partner(f),
        }
    }
}

impl<P: Physics> Deref for Store<P> {
    type Target = Common;

    #[inline(always)]
    fn deref(&self) -> &Common {
        &self.common
    }
}

impl<P: Physics> DerefMut for Store<P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

impl<P: Physics> Store<P> {
    /// Nothing yet, at the beginning of time.
    pub(crate) fn new(physics: P, settings: Settings) -> Result<Self, Error> {
        let (true_clock, periods) = (settings.clock()?, settings.periods()?);
        let drag = match settings.slow_clock()? {
            Some(_) if P::ACCELERATED || !P::DRAGS => {
                let reason = if P::ACCELERATED {
                    "paths of discs that accelerate are no parabolas under drag"
                } else {
                    "this physics does not say that its discs may be slowed down by drag"
                };
                return Err(Error::Inconsistent { field: "drag", value: settings.drag, reason });
            }
            clock => clock.map(|clock| Drag::new(clock, true_clock.at(settings.start))),
        };
        let (clock, now) = match &drag {
            Some(drag) => (drag.pacing.clock.clock, Time::ZERO),
            None => (true_clock, true_clock.at(settings.start)),
        };
        let common = Common {
            now,
            simd: Simd::chosen(settings.instructions),
            settings,
            clock,
            bodies: Bodies::new(periods, P::ACCELERATED),
            walls: Walls::new(),
            dirty: Vec::new(),
            solo_marks: Vec::new(),
            unsettled: Vec::new(),
            hold_notes: Vec::new(),
            impacts: 0,
            counters: Counters::default(),
            book: Book::default(),
            chains: Chains::default(),
            drag,
            sensing: None,
            edition: Edition::new(),
        };
        Ok(Store {
            common,
            physics,
            added: Vec::new(),
            descriptions: Arc::default(),
            judging: Judging::default(),
            timers: Timers::default(),
        })
    }

    /// The state of a disc now, as it would be stored: in a periodic world of the image that its path leads
    /// to, with drag with a velocity of the slow clock.
    #[inline(always)]
    pub(crate) fn state_now(&self, slot: Slot) -> State<P::Extra> {
        let bodies = &self.bodies;
        let motion = self.motion_at(slot, self.now);
        let age = self.now.since(bodies.time(slot));
        let (body, state) = (self.body(slot), self.state(slot));
        let is_off = bodies.off.contains(slot);
        let extra = if is_off { state.extra } else { self.physics.evolve(&body, &state, age) };
        State { position: motion.position, velocity: motion.velocity, extra }
    }

    /// The speed at which surfaces move outwards now on which radii of this sum have grown.
    #[inline(always)]
    pub(crate) fn growth_speed(&self, radii: f64) -> f64 {
        if P::GROWS { self.bodies.growth.rate_at(self.now) * radii } else { 0.0 }
    }

    /// Whether two discs overlap now by more than touching, or than what is held does.
    pub(crate) fn are_overlapping(&self, a: Slot, b: Slot) -> bool {
        let [of_a, of_b] = [a, b].map(|slot| self.bodies.wrapped_motion_at(slot, self.now));
        let apart = Apart::new(of_a.position, of_b.position, &self.bodies.periods);
        let reach = self.physics.reach(of_a.radius, of_b.radius);
        overlap_depth(&apart, reach).is_some_and(|depth| depth > held_depth(self.bodies.is_bent(), reach))
    }

    /// Refuses a radius that is too large for a period. Discs that grow are to have room for it.
    pub(crate) fn check_periods(&self, radius: f64, but: Option<Slot>) -> Result<(), Error> {
        let most = if self.bodies.growth.is_on() { 0.49 } else { Self::FARTHEST };
        self.check_within_periods(radius, but, most)
    }

    /// Periods that discs are apart at contact at most. Where paths bend two touch by one image alone: what
    /// is held by two would be held by two contacts of one pair.
    pub(crate) const FARTHEST: f64 = if P::ACCELERATED { 0.49 } else { 0.98 };

    /// As `check_periods`, where the distance of centres at contact is at most `most` periods. O(1) unless a
    /// disc is wider than half of that.
    pub(crate) fn check_within_periods(
        &self,
        radius: f64,
        but: Option<Slot>,
        most: f64,
    ) -> Result<(), Error> {
        let (bodies, own) = (&self.bodies, self.physics.size(radius));
        let shortest = bodies.periods.shortest();
        let largest = own.max(bodies.growth.grown(bodies.largest, self.now));
        let others = || bodies.live().filter(|&other| Some(other) != but);
        let reach = |other: Slot| self.physics.reach(radius, bodies.radius_at(other, self.now));
        let is_near = || others().all(|other| reach(other) <= most * shortest);
        if own <= 0.49 * shortest && (largest <= 0.5 * most * shortest || is_near()) {
            return Ok(());
        }
        let reason = "discs would touch their own images, or one another by two: a period is 2.041 radii at \
                      least, 4.082 where discs grow or accelerate";
        Err(Error::Inconsistent { field: "radius", value: radius, reason })
    }

    /// A wall as users describe it.
    pub(crate) fn wall(&self, slot: u32) -> &Wall<P::Surface> {
        &self.descriptions[slot as usize]
    }

    /// As `wall`, of the one that a facet is of.
    #[inline(always)]
    pub(crate) fn wall_of(&self, f: u32) -> &Wall<P::Surface> {
        self.wall(self.walls.facets[f as usize].wall)
    }

    /// The form and place of a wall at the present.
    pub(crate) fn shape_of_wall(&self, slot: u32) -> Cow<'_, WallShape> {
        self.walls.shape_at(slot, &self.wall(slot).shape, self.now)
    }

    /// How a wall stands, or on what course it is.
    pub(crate) fn pose(&self, slot: u32) -> WallPose {
        self.walls.pose(slot, &self.wall(slot).shape)
    }

    /// A state with the image of its position that is next to a place, nearly `expected` from there.
    #[inline(always)]
    pub(crate) fn beside(&self, place: DVec2, expected: DVec2, state: State<P::Extra>) -> State<P::Extra> {
        let periods = &self.bodies.periods;
        if periods.is_open() {
            return state;
        }
        State { position: place + image_met(periods, state.position - place, expected), ..state }
    }

    /// Whether a disc is held to something.
    #[inline(always)]
    pub(crate) fn is_held(&self, slot: Slot) -> bool {
        P::ACCELERATED && self.bodies.contacts.holds.is_held(slot)
    }

    /// What its acceleration has added to the kinetic energy of a disc from its stored state to a time.
    pub(crate) fn work_on_path(&self, slot: Slot, time: Time) -> f64 {
        let before = self.bodies.record(slot).velocity();
        energy_of_change(self.bodies.detail(slot).mass, before, self.motion_at(slot, time).velocity)
    }
}
