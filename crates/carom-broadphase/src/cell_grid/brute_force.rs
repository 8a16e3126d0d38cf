use super::CellGrid;
use crate::{EventKey, Kind, Predictor, Scheduled, Slot};
use alloc::vec::Vec;
use carom_math::Time;

/// Whether neighbourhoods are maintained as time goes on, or the next event is known from a search among all pairs.
///
/// Discs that fly apart, or side by side, or past each other in a periodic plane, leave neighbourhood after neighbourhood
/// without meeting anything. After [`CellGrid::most_rebuilds`] of them in vain all pairs are searched once, and nothing is
/// maintained until that event, or an edit: so a flight costs O(N²) pair times at most, whatever its length.
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
    /// How many neighbourhoods are rebuilt without an event before all pairs are searched: about as many as take as
    /// long. A pair time takes about 1/500 of a rebuild in the open plane, where most pairs recede, and 1/4 in a periodic
    /// one, where all images are searched.
    pub(super) fn most_rebuilds<P: Predictor>(&self, predictor: &P) -> usize {
        let share = if predictor.periods().is_open() { 1024 } else { 8 };
        4 * self.live + self.live / 2 * self.live / share
    }

    /// Whether there may be an event until then, as far as a search among all pairs knows. Maintains neighbourhoods again
    /// if so.
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

    /// The earliest of all events, among the pairs and solo events of all discs: O(N²).
    #[cold]
    pub(super) fn next_by_brute_force<P: Predictor>(&mut self, predictor: &P) -> Option<Scheduled> {
        let slots = self.placed();
        let key = |event: &Scheduled| {
            let [a, b] = [event.a, event.b].map(|slot| predictor.serial(slot));
            EventKey::new(event.time, event.kind, a, b)
        };
        let mut first: Option<Scheduled> = None;
        let mut consider = |event: Scheduled| {
            let is_first = match &first {
                None => !event.time.is_never(),
                Some(first) => event.time <= first.time && key(&event).is_before(&key(first)),
            };
            if is_first {
                first = Some(event);
            }
        };
        for (k, &b) in slots.iter().enumerate() {
            let solo = predictor.solo(b);
            consider(Scheduled { time: solo.time, kind: solo.kind, a: b, b, tag: solo.tag });
            for &a in &slots[..k] {
                consider(Scheduled { time: predictor.pair(a, b), kind: Kind::Impact, a, b, tag: 0 });
            }
        }
        self.counters.pair_times += (slots.len() * slots.len() / 2) as u64;
        first
    }

    /// Builds all neighbourhoods and plans as of a time at which no event is overdue.
    #[cold]
    pub(super) fn rebuild_all<P: Predictor>(&mut self, at: Time, predictor: &P) {
        self.lookahead = Lookahead::Maintained;
        self.rebuilt = 0;
        self.needs_replan.clear();
        let slots = self.placed();
        if predictor.periods().is_open() {
            // As at the start: skins grow without bound in the course of a long flight.
            self.skin = 0.0;
        }
        for &slot in &slots {
            self.build(slot, at, predictor);
        }
        self.resize_cells(predictor.periods());
        for &slot in &slots {
            self.find_neighbours::<P>(slot, at, None);
        }
        self.note_ahead(at, &slots);
        self.restart_calendar(at, 1.0, predictor);
        for &slot in &slots {
            self.plan(slot, at, predictor);
        }
        let rate = self.fitting_rate(at, predictor);
        self.restart_calendar(at, rate, predictor);
    }

    /// The slots of all discs.
    pub(super) fn placed(&self) -> Vec<Slot> {
        (0..self.lists.len() as Slot).filter(|&slot| self.lists.get(slot).is_placed()).collect()
    }

    /// Checks that what a search among all pairs has found is still so.
    pub(super) fn assert_lookahead<P: Predictor>(&self, predictor: &P) {
        if let Lookahead::Searched(found) = self.lookahead {
            assert_eq!(found, self.clone().next_by_brute_force(predictor), "the next event of all");
        }
    }
}
