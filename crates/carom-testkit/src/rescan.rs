//! The oracle that cannot go wrong: every pair and every solo event computed again, one by one, from the stored
//! states. It never asks for whole rows, so it checks the sweeps as well.

use carom_engine::broadphase::{
    EventKey, Kind, NextMeeting, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot,
};
use carom_engine::{Physics, Time, World};
use std::collections::BTreeMap;

/// The event with the smallest key, by definition the next; `None` if there is none up to `limit`.
///
/// # Panics
/// If the time of a pair depends on the order of the two.
pub fn next<P: Physics>(world: &World<P>, limit: Time) -> Option<Scheduled> {
    let slots: Vec<_> = world.ids().map(|id| id.slot()).collect();
    let mut due = Vec::new();
    for (i, &b) in slots.iter().enumerate() {
        let (solo, serial_b) = world.solo_event(b);
        let event = Scheduled { time: solo.time, kind: solo.kind, a: b, b, tag: solo.tag };
        due.push((EventKey::new(solo.time, solo.kind, serial_b, serial_b), event));
        for &a in &slots[..i] {
            let time = world.pair_time(a, b);
            assert_eq!(time, world.pair_time(b, a), "pair ({a}, {b}) is not symmetric");
            let event = Scheduled { time, kind: Kind::Impact, a: a.min(b), b: a.max(b), tag: 0 };
            due.push((EventKey::new(time, Kind::Impact, world.solo_event(a).1, serial_b), event));
        }
    }
    let (_, first) = due.into_iter().min_by_key(|(key, _)| *key)?;
    (first.time != Time::NEVER && first.time <= limit).then_some(first)
}

/// Fails if the schedule has another next event than the rescan.
pub fn check<P: Physics>(world: &mut World<P>) {
    let (scheduled, limit) = world.scheduled();
    assert_eq!(scheduled, next(world, limit), "scheduled, and by the rescan, at {:?}", world.now());
}

/// The scheduler that cannot go wrong: at every refresh it forgets all and asks for every pair and every solo
/// event again, one by one. It never asks for whole rows, so it checks the sweeps as well.
#[derive(Clone, Debug, Default)]
pub struct Rescan {
    serials: BTreeMap<Slot, u64>,
    due: Vec<(EventKey, Scheduled)>,
}

impl Rescan {
    fn look<P: Predictor>(&self, predictor: &P) -> Vec<(EventKey, Scheduled)> {
        let mut due = Vec::new();
        for (&b, &serial_b) in &self.serials {
            let solo = predictor.solo(b);
            if solo.time != Time::NEVER {
                let event = Scheduled { time: solo.time, kind: solo.kind, a: b, b, tag: solo.tag };
                due.push((EventKey::new(solo.time, solo.kind, serial_b, serial_b), event));
            }
            for (&a, &serial_a) in self.serials.range(..b) {
                let time = predictor.pair(a, b);
                assert_eq!(time, predictor.pair(b, a), "pair ({a}, {b}) is not symmetric");
                if time != Time::NEVER {
                    let event = Scheduled { time, kind: Kind::Impact, a, b, tag: 0 };
                    due.push((EventKey::new(time, Kind::Impact, serial_a, serial_b), event));
                }
            }
        }
        due
    }
}

impl Scheduler for Rescan {
    fn insert(&mut self, slot: Slot, serial: u64) {
        assert_eq!(self.serials.insert(slot, serial), None, "slot {slot} is taken");
    }

    fn remove(&mut self, slot: Slot) {
        assert!(self.serials.remove(&slot).is_some(), "slot {slot} is empty");
        self.due.retain(|(_, event)| event.a != slot && event.b != slot);
    }

    fn refresh<P: Predictor>(&mut self, changed: &[Slot], _: &[NextMeeting; 2], predictor: &P) {
        let mut named = changed.to_vec();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named.len(), changed.len(), "a slot is named twice");
        assert!(named.iter().all(|slot| self.serials.contains_key(slot)), "a dead slot is named");
        self.due = self.look(predictor);
    }

    fn next<P: Predictor>(&mut self, _: Time, _: &P) -> Option<Scheduled> {
        self.due.iter().min_by_key(|(key, _)| *key).map(|(_, event)| *event)
    }

    fn counters(&self) -> SchedulerCounters {
        SchedulerCounters::default()
    }

    fn assert_well_formed<P: Predictor>(&self, predictor: &P) {
        // What was known stays true until a refresh: no state changed without one.
        let mut now = self.look(predictor);
        let mut known = self.due.clone();
        now.sort_unstable_by_key(|(key, _)| *key);
        known.sort_unstable_by_key(|(key, _)| *key);
        assert_eq!(now, known);
    }
}
