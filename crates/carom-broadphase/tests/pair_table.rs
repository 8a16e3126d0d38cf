//! The pair table against a plain model: all times in a map, and the smallest key by scanning.

use carom_broadphase::{EventKey, EventTimes, Kind, PairTable, Scheduled, Scheduler, Slot, Solo};
use carom_math::{Clock, Time};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Times that are made up: a pure function of the versions of the slots, as a physics' are of its states.
#[derive(Debug)]
struct Made {
    versions: BTreeMap<Slot, u64>,
    /// How many of 16 pairs never meet.
    apart: u64,
    /// How many different times there are: few make ties.
    times: u64,
    /// Whether to mark more candidates than meet.
    generous: bool,
    asked: RefCell<Vec<(Slot, Slot)>>,
}

fn mix(a: u64, b: u64) -> u64 {
    let z = (a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 32)
}

impl Made {
    fn time(&self, choice: u64) -> Time {
        if choice % 16 < self.apart {
            return Time::NEVER;
        }
        let clock = Clock::new(1.0).unwrap();
        // Half of them differ only beyond the last bit of seconds.
        let count = (choice >> 8) % self.times;
        let late = clock.at(1e15);
        if choice >> 4 & 1 == 1 { clock.after(late, count as f64 * 1e-6) } else { clock.at(count as f64) }
    }

    fn pair_of(&self, a: Slot, b: Slot) -> Time {
        let version = |slot: Slot| mix(u64::from(slot) + 1, self.versions[&slot]);
        self.time(mix(version(a.min(b)), version(a.max(b))))
    }

    fn solo_of(&self, slot: Slot) -> Solo {
        let choice = mix(u64::from(slot) + 77, self.versions[&slot]);
        let time = self.time(choice);
        if time.is_never() {
            return Solo::NEVER;
        }
        let kind = [Kind::MotionChange, Kind::Impact][(choice >> 20) as usize % 2];
        Solo { time, kind, tag: (choice >> 30) as u32 % 100 }
    }
}

impl EventTimes for Made {
    fn pair(&self, a: Slot, b: Slot) -> Time {
        self.asked.borrow_mut().push((a.min(b), a.max(b)));
        self.pair_of(a, b)
    }

    fn solo(&self, slot: Slot) -> Solo {
        self.solo_of(slot)
    }

    fn candidates(&self, slot: Slot, words: &mut [u64]) {
        words.fill(0);
        for &other in self.versions.keys().filter(|&&other| other != slot) {
            if self.generous || !self.pair_of(slot, other).is_never() {
                words[other as usize / 64] |= 1 << (other % 64);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert,
    Remove(u32),
    Change(Vec<u32>),
    /// Removed and inserted again in the same slot before the refresh.
    Replace(u32),
}

fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Insert),
        1 => any::<u32>().prop_map(Step::Remove),
        5 => prop::collection::vec(any::<u32>(), 1..6).prop_map(Step::Change),
        1 => any::<u32>().prop_map(Step::Replace),
    ];
    prop::collection::vec(step, 1..count)
}

struct Model {
    table: PairTable,
    made: Made,
    serials: BTreeMap<Slot, u64>,
    next_serial: u64,
}

impl Model {
    fn new(discs: usize, apart: u64, times: u64, generous: bool) -> Self {
        let made = Made { versions: BTreeMap::new(), apart, times, generous, asked: RefCell::default() };
        let mut model = Model { table: PairTable::default(), made, serials: BTreeMap::new(), next_serial: 0 };
        let slots: Vec<Slot> = (0..discs).map(|_| model.insert()).collect();
        model.refresh(&slots);
        model
    }

    fn insert(&mut self) -> Slot {
        // The lowest free slot; serials only grow.
        let slot = (0..).find(|slot| !self.serials.contains_key(slot)).unwrap();
        self.serials.insert(slot, self.next_serial);
        self.table.insert(slot, self.next_serial);
        self.made.versions.insert(slot, mix(self.next_serial, 5));
        self.next_serial += 1;
        slot
    }

    fn remove(&mut self, slot: Slot) {
        self.serials.remove(&slot);
        self.made.versions.remove(&slot);
        self.table.remove(slot);
    }

    fn choose(&self, choice: u32) -> Option<Slot> {
        let n = self.serials.len();
        (n > 0).then(|| *self.serials.keys().nth(choice as usize % n).unwrap())
    }

    /// Refreshes, and checks that every pair was decided once, with as many roots as were asked for.
    fn refresh(&mut self, changed: &[Slot]) {
        self.made.asked.borrow_mut().clear();
        let before = self.table.counters();
        self.table.update(changed, &self.made);
        let after = self.table.counters();
        let (n, k) = (self.serials.len() as u64, changed.len() as u64);
        assert_eq!(
            after.pair_times - before.pair_times,
            (k * n).saturating_sub(k) - k * k.saturating_sub(1) / 2
        );
        assert_eq!(after.solo_times - before.solo_times, k);
        let mut asked = self.made.asked.borrow().clone();
        assert_eq!(after.roots - before.roots, asked.len() as u64);
        asked.sort_unstable();
        let all = asked.len();
        asked.dedup();
        assert_eq!(asked.len(), all, "a pair was computed twice");
    }

    fn expected(&self) -> Option<Scheduled> {
        let mut due: Vec<(EventKey, Scheduled)> = Vec::new();
        for (&b, &serial_b) in &self.serials {
            let solo = self.made.solo_of(b);
            if !solo.time.is_never() {
                let event = Scheduled { time: solo.time, kind: solo.kind, a: b, b, tag: solo.tag };
                due.push((EventKey::new(solo.time, solo.kind, serial_b, serial_b), event));
            }
            for (&a, &serial_a) in self.serials.range(..b) {
                let time = self.made.pair_of(a, b);
                if !time.is_never() {
                    let event = Scheduled { time, kind: Kind::Impact, a, b, tag: 0 };
                    due.push((EventKey::new(time, Kind::Impact, serial_a, serial_b), event));
                }
            }
        }
        due.into_iter().min_by_key(|(key, _)| *key).map(|(_, event)| event)
    }

    fn check(&mut self) {
        assert_eq!(self.table.first(), self.expected());
        let slots = self.serials.keys().max().map_or(0, |&slot| slot + 1);
        for a in 0..slots {
            for b in 0..=a {
                let live = |slot: Slot| self.serials.contains_key(&slot);
                let expected = match (live(a) && live(b), a == b) {
                    (false, _) => Time::NEVER,
                    (true, true) => self.made.solo_of(a).time,
                    (true, false) => self.made.pair_of(a, b),
                };
                assert_eq!(self.table.entry(a, b), expected, "entry ({a}, {b})");
                assert_eq!(self.table.entry(b, a), expected, "entry ({b}, {a})");
            }
        }
        assert_eq!(self.table.entry(slots + 1000, 0), Time::NEVER);
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Insert => {
                let slot = self.insert();
                self.refresh(&[slot]);
            }
            Step::Remove(choice) => {
                if let Some(slot) = self.choose(*choice) {
                    self.remove(slot);
                }
            }
            Step::Replace(choice) => {
                if let Some(slot) = self.choose(*choice) {
                    self.remove(slot);
                    let again = self.insert();
                    self.refresh(&[again]);
                }
            }
            Step::Change(choices) => {
                let mut changed: Vec<Slot> = Vec::new();
                for &choice in choices {
                    if let Some(slot) = self.choose(choice)
                        && !changed.contains(&slot)
                    {
                        changed.push(slot);
                    }
                }
                for slot in &changed {
                    *self.made.versions.get_mut(slot).unwrap() += 1;
                }
                self.refresh(&changed);
            }
        }
        self.check();
    }
}

/// The same cases in every run; `CAROM_CASES` makes a campaign of that many times as many, all of them
/// others.
fn config(cases: u32) -> ProptestConfig {
    let campaign = std::env::var("CAROM_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    ProptestConfig {
        cases: cases * campaign.unwrap_or(1),
        rng_seed: if campaign.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn sequences_against_the_model(
        discs in 0..20_usize,
        apart in prop::sample::select(vec![0, 4, 12, 15, 16_u64]),
        times in prop::sample::select(vec![1, 2, 5, 1000, 1 << 40_u64]),
        generous in any::<bool>(),
        steps in steps(60),
    ) {
        let mut model = Model::new(discs, apart, times, generous);
        model.check();
        for step in &steps {
            model.step(step);
            model.table.check(&model.made);
        }
    }
}

proptest! {
    #![proptest_config(config(6))]

    /// Around the seams of the bit matrix (64 slots a word, and where its rows are made longer).
    #[test]
    fn at_the_seams_of_the_words(
        discs in prop::sample::select(vec![62, 63, 64, 127, 128, 129, 255, 256_usize]),
        apart in prop::sample::select(vec![4, 15_u64]),
        times in prop::sample::select(vec![3, 1 << 40_u64]),
        steps in steps(20),
    ) {
        let mut model = Model::new(discs, apart, times, false);
        model.table.check(&model.made);
        for step in &steps {
            model.step(step);
        }
        model.table.check(&model.made);
    }
}

/// N(N + 1)/2 entries: pairs and the diagonal.
#[test]
fn the_number_of_entries() {
    for n in [0, 1, 2, 7, 30, 65_usize] {
        let model = Model::new(n, 4, 1000, false);
        assert_eq!((model.table.len(), model.table.is_empty()), (n * (n + 1) / 2, n == 0));
    }
}

/// All at one moment: kind first, then the smaller serial, then the larger; not the slots, which are used
/// again.
#[test]
fn ties_go_by_serial_not_by_slot() {
    let mut model = Model::new(6, 0, 1, false);
    for _ in 0..40 {
        // The oldest goes, the newest takes its slot: serials and slots are soon in different orders.
        let (&slot, _) = model.serials.iter().min_by_key(|(_, serial)| **serial).unwrap();
        model.remove(slot);
        model.check();
        let slot = model.insert();
        model.refresh(&[slot]);
        model.check();
    }
}

/// Pairs with times that are written down; nothing else happens.
#[derive(Default)]
struct Written(BTreeMap<(Slot, Slot), Time>);

impl Written {
    fn set(&mut self, a: Slot, b: Slot, secs: f64) {
        self.0.insert((a, b), Clock::new(1.0).unwrap().at(secs));
    }
}

impl EventTimes for Written {
    fn pair(&self, a: Slot, b: Slot) -> Time {
        self.0.get(&(a.min(b), a.max(b))).copied().unwrap_or(Time::NEVER)
    }

    fn solo(&self, _: Slot) -> Solo {
        Solo::NEVER
    }

    fn candidates(&self, slot: Slot, words: &mut [u64]) {
        words.fill(0);
        for &(a, b) in self.0.keys().filter(|&&(a, b)| a == slot || b == slot) {
            words[0] |= 1 << if a == slot { b } else { a };
        }
    }
}

/// A row is searched only when its earliest entry is gone, and not if it was computed again after that; its
/// key in the queue is changed when it was computed or searched, or has got an earlier entry.
#[test]
fn rows_are_searched_only_for_what_is_gone() {
    let (mut table, mut written) = (PairTable::default(), Written::default());
    (0..4).for_each(|slot| table.insert(slot, u64::from(slot)));
    for (a, b, secs) in [(0, 3, 2.0), (1, 3, 3.0), (2, 3, 4.0)] {
        written.set(a, b, secs);
    }
    table.update(&[0, 1, 2, 3], &written);
    let work = |table: &mut PairTable, written: &Written, changed: &[Slot]| {
        let before = table.counters();
        table.update(changed, written);
        table.check(written);
        let after = table.counters();
        (after.row_searches - before.row_searches, after.queue_operations - before.queue_operations)
    };
    // The earliest becomes earlier: nothing to search, but another key for both. Another one later: only
    // its own row.
    written.set(0, 3, 1.0);
    assert_eq!(work(&mut table, &written, &[0]), (0, 2));
    written.set(1, 3, 5.0);
    assert_eq!(work(&mut table, &written, &[1]), (0, 1));
    // The same time again is not gone.
    assert_eq!(work(&mut table, &written, &[0]), (0, 1));
    // The earliest becomes later, or never.
    written.set(0, 3, 9.0);
    assert_eq!(work(&mut table, &written, &[0]), (1, 2));
    written.0.remove(&(2, 3));
    assert_eq!(work(&mut table, &written, &[2]), (1, 2));
    // The two earliest in one go: one search.
    written.set(1, 3, 20.0);
    written.set(0, 3, 19.0);
    assert_eq!(work(&mut table, &written, &[1, 0]), (1, 3));
    // Its own disc changes after the other: its row was computed again.
    written.set(0, 3, 30.0);
    assert_eq!(work(&mut table, &written, &[0, 3]), (0, 2));
    assert_eq!(table.first().map(|event| event.time), Some(Clock::new(1.0).unwrap().at(20.0)));
}

/// The largest table takes two gigabytes: N(N + 1)/2 entries of 16 bytes.
#[test]
fn the_capacity_is_two_gigabytes() {
    let entries = PairTable::CAPACITY * (PairTable::CAPACITY + 1) / 2;
    let bytes = (entries * size_of::<Time>()) as f64;
    assert!((bytes / 2f64.powi(31) - 1.0).abs() < 1e-3, "{bytes}");
}
