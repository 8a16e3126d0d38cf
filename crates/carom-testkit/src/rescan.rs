use carom_engine::Time;
use carom_engine::broadphase::{
    EventKey, Kind, NextMeeting, Predictor, Scheduled, Scheduler, SchedulerCounters, Slot,
};
use std::collections::BTreeMap;

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
