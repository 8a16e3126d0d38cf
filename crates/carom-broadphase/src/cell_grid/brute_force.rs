use super::CellGrid;
use super::imminent_events::FrontPlace;
use crate::tolerance::PATH_ROUNDING;
use crate::{EventKey, Kind, Predictor, Scheduled, Slot};
use alloc::vec::Vec;
use carom_math::{DVec2, Time, sqrt};

/// Whether neighbourhoods are maintained as time goes on, or the next event is known from a search among
/// all pairs.
///
/// Discs that fly apart, or side by side, or past each other in a periodic plane, leave neighbourhood after
/// neighbourhood without meeting anything. After [`CellGrid::most_rebuilds`] of them in vain all pairs are
/// searched once, and nothing is maintained until that event, or an edit: so a flight costs O(N²) pair
/// times at most, whatever its length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Lookahead {
    /// Each disc is in its circle, and each list has the discs whose circles overlap.
    #[default]
    Maintained,
    /// The next event of all, if there is any. Discs may have left their circles.
    Searched(Option<Scheduled>),
    /// A disc of that event was removed. Discs may have left their circles.
    Outdated,
}

impl Lookahead {
    /// Whether the event that was found is one of this disc.
    pub(super) fn concerns(&self, slot: Slot) -> bool {
        matches!(self, Lookahead::Searched(Some(event)) if event.a == slot || event.b == slot)
    }
}

impl CellGrid {
    /// How many neighbourhoods are rebuilt without an event before all pairs are searched, which then takes
    /// about as long as these have taken. A pair takes about 1/2000 of a rebuild in the open plane, where
    /// most are out of each other's way, and 1/4 in a periodic one, where all images are searched.
    pub(super) fn most_rebuilds<P: Predictor>(&self, predictor: &P) -> usize {
        let discs = self.live - self.species.number_alone();
        let pairs = discs / 2 * discs;
        if predictor.periods().is_open() { discs + pairs / 2048 } else { 4 * discs + pairs / 4 }
    }

    /// A disc leaves its neighbourhood, which is rebuilt. After too many of these in vain all pairs are
    /// searched, which may end the search for the next event: that is returned then, or `None` if it is not
    /// due.
    #[inline]
    pub(super) fn leave<P: Predictor>(
        &mut self,
        slot: Slot,
        time: Time,
        place: FrontPlace,
        until: Time,
        predictor: &P,
    ) -> Option<Option<Scheduled>> {
        if self.rebuilt > self.most_rebuilds(predictor) {
            let found = self.next_by_brute_force(predictor);
            // Circles that rounding lets no disc stay in are as good as they can be. If they have just been
            // rebuilt for that event, a disc may leave its circle a rounding before it, however often that is
            // rebuilt: an exit is counted from the disc's state, and rounded down.
            if found.is_some_and(|event| event.time <= time.latest(self.ahead_until)) {
                return Some(found);
            }
            self.lookahead = Lookahead::Searched(found);
            return if self.is_due_by_brute_force(until, predictor) { None } else { Some(None) };
        }
        self.calendar.front.remove(place);
        self.prefetch_next(0, predictor);
        self.counters.row_searches += 1;
        self.rebuild(slot, time, predictor);
        self.plan(slot, time, predictor);
        None
    }

    /// Whether there may be an event until then, as far as a search among all pairs knows. Maintains
    /// neighbourhoods again if so.
    pub(super) fn is_due_by_brute_force<P: Predictor>(&mut self, until: Time, predictor: &P) -> bool {
        match self.lookahead {
            Lookahead::Maintained => true,
            Lookahead::Searched(None) => false,
            Lookahead::Searched(Some(event)) if until < event.time => false,
            Lookahead::Searched(Some(event)) => {
                self.rebuild_all(event.time.latest(predictor.now()), predictor);
                true
            }
            Lookahead::Outdated => {
                self.rebuild_all(predictor.now(), predictor);
                true
            }
        }
    }

    /// Keeps what a search among all pairs has found right as a few discs change: O(N) pair times for each,
    /// if the event found is not one of them. `false` if neighbourhoods are to be maintained instead.
    pub(super) fn search_again<P: Predictor>(&mut self, changed: &[Slot], predictor: &P) -> bool {
        let Lookahead::Searched(found) = self.lookahead else { return false };
        if changed.len() > MOST_SEARCHED_AGAIN {
            return false;
        }
        let found = if changed.iter().any(|&slot| self.lookahead.concerns(slot)) {
            self.next_by_brute_force(predictor)
        } else {
            let mut first = Earliest { found, predictor };
            let slots = self.with_circles();
            for &b in changed {
                first.consider_solo(b);
                if self.lists.get(b).has_circle() {
                    slots.iter().filter(|&&a| a != b).for_each(|&a| first.consider_pair(a, b));
                }
            }
            self.counters.pair_times += (changed.len() * slots.len()) as u64;
            first.found
        };
        self.lookahead = Lookahead::Searched(found);
        true
    }

    /// The earliest of all events, among the pairs and solo events of all discs: O(N²).
    #[cold]
    pub(super) fn next_by_brute_force<P: Predictor>(&mut self, predictor: &P) -> Option<Scheduled> {
        let slots = self.with_circles();
        let paths = Paths::new(&slots, predictor);
        let mut first = Earliest { found: None, predictor };
        self.placed().for_each(|slot| first.consider_solo(slot));
        for (k, &b) in slots.iter().enumerate() {
            paths.for_each_before(k, |j| first.consider_pair(slots[j], b));
        }
        self.counters.pair_times += (slots.len() * slots.len() / 2) as u64;
        first.found
    }

    /// Builds all neighbourhoods and plans as of a time at which no event is overdue.
    #[cold]
    pub(super) fn rebuild_all<P: Predictor>(&mut self, at: Time, predictor: &P) {
        self.lookahead = Lookahead::Maintained;
        self.rebuilt = 0;
        self.needs_replan.clear();
        let slots: Vec<Slot> = self.placed().collect();
        let widest = self.widest_circle(at, predictor);
        for &slot in &slots {
            let neighbourhood = self.lists.get(slot);
            if neighbourhood.has_circle() {
                self.skin = f64::from(neighbourhood.radius).min(widest);
            }
            self.build(slot, at, predictor);
        }
        self.resize_cells(predictor);
        for &slot in &slots {
            self.find_neighbours(slot, at, predictor, false);
        }
        self.note_ahead(at, &slots);
        self.restart_calendar(at, 1.0, predictor);
        for &slot in &slots {
            self.plan(slot, at, predictor);
        }
        let rate = self.bucket_rate(at, predictor);
        self.restart_calendar(at, rate, predictor);
    }

    /// The widest skin of a circle that is rebuilt after a long flight. Circles grow without bound in a
    /// flight; with this skin they overlap a dozen others where discs are spread evenly.
    fn widest_circle<P: Predictor>(&self, at: Time, predictor: &P) -> f64 {
        let slots = self.with_circles();
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &slot in &slots {
            let center = predictor.circle(slot, at).center;
            (low, high) = (low.min(center), high.max(center));
        }
        let sides = high - low;
        sqrt((sides.x * sides.y / slots.len().max(1) as f64).max(0.0))
    }

    /// The slots of all discs.
    pub(super) fn placed(&self) -> impl Iterator<Item = Slot> {
        (0..self.lists.len() as Slot).filter(|&slot| self.lists.get(slot).is_placed())
    }

    /// The slots of those that may meet others.
    pub(super) fn with_circles(&self) -> Vec<Slot> {
        self.placed().filter(|&slot| self.lists.get(slot).has_circle()).collect()
    }

    /// Checks that what a search among all pairs has found is still so.
    pub(super) fn assert_lookahead<P: Predictor>(&self, predictor: &P) {
        if let Lookahead::Searched(found) = self.lookahead {
            assert_eq!(found, self.clone().next_by_brute_force(predictor), "the next event of all");
        }
    }
}

/// Changed discs up to which the event that a search has found is kept right: O(N) pair times for each.
///
/// An impact changes two. A larger edit begins another history, for which neighbourhoods are the better
/// guess.
const MOST_SEARCHED_AGAIN: usize = 4;

/// The earliest of some events.
struct Earliest<'a, P> {
    found: Option<Scheduled>,
    predictor: &'a P,
}

impl<P: Predictor> Earliest<'_, P> {
    fn consider_solo(&mut self, slot: Slot) {
        let solo = self.predictor.solo(slot);
        self.consider(Scheduled { time: solo.time, kind: solo.kind, a: slot, b: slot, tag: solo.tag });
    }

    fn consider_pair(&mut self, a: Slot, b: Slot) {
        let (time, a, b) = (self.predictor.pair(a, b), a.min(b), a.max(b));
        self.consider(Scheduled { time, kind: Kind::Impact, a, b, tag: 0 });
    }

    fn consider(&mut self, event: Scheduled) {
        let is_first = match &self.found {
            None => !event.time.is_never(),
            Some(found) => event.time <= found.time && self.key(&event).is_before(&self.key(found)),
        };
        if is_first {
            self.found = Some(event);
        }
    }

    fn key(&self, event: &Scheduled) -> EventKey {
        let [a, b] = [event.a, event.b].map(|slot| self.predictor.serial(slot));
        EventKey::new(event.time, event.kind, a, b)
    }
}

/// The paths of discs from the present on, to find the pairs that may meet. No bit depends on it: it leaves
/// out what misses by more than all rounding.
struct Paths {
    /// Whether all pairs are to be looked at: paths are straight lines past each other only in the open
    /// plane, and for discs that do not grow.
    all: bool,
    lanes: Vec<PathLanes>,
}

/// Eight paths: places, velocities and radii with a margin.
#[derive(Clone, Copy, Default)]
struct PathLanes {
    x: [f64; LANES],
    y: [f64; LANES],
    vx: [f64; LANES],
    vy: [f64; LANES],
    radius: [f64; LANES],
}

const LANES: usize = 8;

impl Paths {
    fn new<P: Predictor>(slots: &[Slot], predictor: &P) -> Paths {
        let all = !predictor.periods().is_open() || !predictor.has_straight_paths();
        let mut lanes = Vec::new();
        if !all {
            lanes.resize(slots.len().div_ceil(LANES), PathLanes::default());
        }
        for (k, &slot) in slots.iter().enumerate().filter(|_| !all) {
            let now = predictor.now();
            let (circle, velocity) = (predictor.circle(slot, now), predictor.velocity(slot));
            let (lanes, lane) = (&mut lanes[k / LANES], k % LANES);
            (lanes.x[lane], lanes.y[lane]) = (circle.center.x, circle.center.y);
            (lanes.vx[lane], lanes.vy[lane]) = (velocity.x, velocity.y);
            // The place at present is rounded to 2⁻⁵³ of the way there.
            lanes.radius[lane] = circle.radius + predictor.flown(slot, now) * PATH_ROUNDING;
        }
        Paths { all, lanes }
    }

    /// Calls `visit` with the numbers below `k` of paths that may meet that of `k`.
    fn for_each_before(&self, k: usize, mut visit: impl FnMut(usize)) {
        if self.all {
            return (0..k).for_each(visit);
        }
        let (own, lane) = (&self.lanes[k / LANES], k % LANES);
        let [x, y, vx, vy, radius] = [&own.x, &own.y, &own.vx, &own.vy, &own.radius].map(|of| of[lane]);
        for (block, lanes) in self.lanes[..k.div_ceil(LANES)].iter().enumerate() {
            let may_meet: [bool; LANES] = core::array::from_fn(|l| {
                let (dx, dy) = (lanes.x[l] - x, lanes.y[l] - y);
                let (dvx, dvy) = (lanes.vx[l] - vx, lanes.vy[l] - vy);
                let reach = lanes.radius[l] + radius;
                let (along, across) = (dx * dvx + dy * dvy, dx * dvy - dy * dvx);
                let is_apart = dx * dx + dy * dy > reach * reach;
                let is_past = across * across > (dvx * dvx + dvy * dvy) * (reach * reach);
                !(is_apart & ((along >= 0.0) | is_past))
            });
            if may_meet != [false; LANES] {
                (0..LANES)
                    .filter(|&l| may_meet[l] && LANES * block + l < k)
                    .for_each(|l| visit(LANES * block + l));
            }
        }
    }
}
