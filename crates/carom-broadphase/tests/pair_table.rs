//! The pair table against a plain model: all times in a map, and the smallest key by scanning.

use carom_broadphase::{EventKey, EventTimes, Kind, PairTable, RowLanes, Scheduled, Slot, Solo};
use carom_math::{Clock, Time};
use carom_testkit::property::config;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Times that are made up: a pure function of the versions of the slots, as a physics' are of its states.
#[derive(Debug)]
struct Made {
    clock: Clock,
    /// What state a slot has, and when that was written.
    versions: BTreeMap<Slot, (u64, Time)>,
    /// How often what a slot does on its own has become another thing, beside its states.
    walls: BTreeMap<Slot, u64>,
    /// How many of 16 pairs never meet.
    apart: u64,
    /// How many different times there are: few make ties.
    times: u64,
    asked: RefCell<Vec<(Slot, Slot)>>,
}

fn mix(a: u64, b: u64) -> u64 {
    let z = (a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 32)
}

impl Made {
    /// Seconds from a state; some differ by so little that the clock cannot tell, and some are beyond it.
    fn seconds_of(&self, choice: u64) -> f64 {
        if choice % 16 < self.apart {
            return f64::INFINITY;
        }
        let count = ((choice >> 8) % self.times) as f64;
        match choice >> 4 & 15 {
            0 => 1e300,
            1..6 => count + 1e15,
            6..10 => count * 1e-18,
            _ => count,
        }
    }

    fn pair_of(&self, a: Slot, b: Slot) -> Time {
        let later = self.versions[&a].1.latest(self.versions[&b].1);
        self.clock.after(later, self.seconds_between(a, b))
    }

    fn seconds_between(&self, a: Slot, b: Slot) -> f64 {
        let version = |slot: Slot| mix(u64::from(slot) + 1, self.versions[&slot].0);
        self.seconds_of(mix(version(a.min(b)), version(a.max(b))))
    }

    /// Gives a slot another state, written then.
    fn write(&mut self, slot: Slot, then: Time) {
        let (version, since) = self.versions.get_mut(&slot).unwrap();
        (*version, *since) = (*version + 1, then);
    }
}

impl EventTimes for Made {
    fn seconds(&self, a: Slot, b: Slot) -> f64 {
        self.asked.borrow_mut().push((a.min(b), a.max(b)));
        self.seconds_between(a, b)
    }

    fn state_time(&self, slot: Slot) -> Time {
        self.versions[&slot].1
    }

    fn after(&self, slot: Slot, dt: f64) -> Time {
        self.clock.after(self.versions[&slot].1, dt)
    }

    fn resolution(&self) -> f64 {
        self.clock.epoch() * 2f64.powi(-51)
    }

    fn solo(&self, slot: Slot) -> Solo {
        let (version, since) = self.versions[&slot];
        let walls = self.walls.get(&slot).copied().unwrap_or(0);
        let choice = mix(u64::from(slot) + 77, mix(version, walls));
        let time = self.clock.after(since, self.seconds_of(choice));
        if time.is_never() {
            return Solo::NEVER;
        }
        let kind = [Kind::MotionChange, Kind::Impact][(choice >> 20) as usize % 2];
        Solo { time, kind, tag: (choice >> 30) as u32 % 100 }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert,
    Remove(u32),
    Change(Vec<u32>),
    /// Their rules change, not their states, which stay as old as they are; of some at once with states.
    ChangeRules(Vec<u32>, bool),
    /// What some do on their own.
    ChangeSolos(Vec<u32>),
    /// One is written, and its row filled by the caller as far as the second number tells; of what is later
    /// some is there.
    Fill(u32, u32),
    /// This many thousandths of a second pass.
    Wait(u32),
    /// All states are written anew, earlier than some were.
    Reset,
    /// Removed and inserted again in the same slot before the refresh.
    Replace(u32),
    /// Overwrites another table, which has been written in, and goes on with that one.
    Clone,
}

fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Insert),
        1 => any::<u32>().prop_map(Step::Remove),
        5 => prop::collection::vec(any::<u32>(), 1..6).prop_map(Step::Change),
        2 => (prop::collection::vec(any::<u32>(), 1..5), any::<bool>())
            .prop_map(|(choices, mixed)| Step::ChangeRules(choices, mixed)),
        2 => prop::collection::vec(any::<u32>(), 1..9).prop_map(Step::ChangeSolos),
        4 => (any::<u32>(), any::<u32>()).prop_map(|(choice, known)| Step::Fill(choice, known)),
        3 => (0..2000_u32).prop_map(Step::Wait),
        1 => Just(Step::Reset),
        1 => any::<u32>().prop_map(Step::Replace),
        2 => Just(Step::Clone),
    ];
    prop::collection::vec(step, 1..count)
}

struct Model {
    table: PairTable,
    /// What was cloned.
    other: PairTable,
    made: Made,
    serials: BTreeMap<Slot, u64>,
    next_serial: u64,
    now: Time,
    /// Whether it was never put back, nor cloned.
    is_steady: bool,
}

impl Model {
    fn new(discs: usize, apart: u64, times: u64) -> Self {
        let clock = Clock::new(1.0).unwrap();
        let (versions, walls, asked) = (BTreeMap::new(), BTreeMap::new(), RefCell::default());
        let made = Made { clock, versions, walls, apart, times, asked };
        let ([table, other], serials) = (<[PairTable; 2]>::default(), BTreeMap::new());
        let mut model =
            Model { table, other, made, serials, next_serial: 0, now: clock.at(3.0), is_steady: true };
        let slots: Vec<Slot> = (0..discs).map(|_| model.insert()).collect();
        model.refresh(&slots);
        model
    }

    fn insert(&mut self) -> Slot {
        // The lowest free slot; serials only grow.
        let slot = (0..).find(|slot| !self.serials.contains_key(slot)).unwrap();
        self.serials.insert(slot, self.next_serial);
        self.table.insert(slot, self.next_serial);
        self.made.versions.insert(slot, (mix(self.next_serial, 5), self.now));
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

    fn chosen(&self, choices: &[u32]) -> Vec<Slot> {
        let mut chosen: Vec<Slot> = choices.iter().filter_map(|&choice| self.choose(choice)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Refreshes, and checks what that is counted as; and, if all states are of the present, that every pair
    /// was decided once.
    fn refresh(&mut self, changed: &[Slot]) {
        self.made.asked.borrow_mut().clear();
        let before = self.table.counters();
        self.table.update(changed, &self.made);
        let after = self.table.counters();
        let (n, k) = (self.serials.len() as u64, changed.len() as u64);
        let pairs = (k * n).saturating_sub(k) - k * k.saturating_sub(1) / 2;
        assert_eq!(after.pair_times - before.pair_times, pairs);
        assert_eq!(after.solo_times - before.solo_times, k);
        let mut asked = self.made.asked.borrow().clone();
        if self.is_steady && changed.iter().all(|slot| self.made.versions[slot].1 == self.now) {
            assert_eq!(asked.len() as u64, pairs);
            asked.sort_unstable();
            asked.dedup();
            assert_eq!(asked.len() as u64, pairs, "a pair was computed twice");
        }
    }

    /// Writes a state, and its row as far as it is to be known.
    fn fill(&mut self, slot: Slot, known: u32) {
        let known = [1e-18, 2e-18, 1.0, 3.0, 1e15, f64::INFINITY][known as usize % 6];
        self.made.write(slot, self.now);
        let [row] = self.table.rows_of([slot]).unwrap();
        row.fill(RowLanes::INFINITE);
        for &other in self.serials.keys().filter(|&&other| other != slot) {
            let seconds = self.made.seconds_between(slot, other);
            if seconds <= known || mix(u64::from(other), u64::from(slot)).is_multiple_of(3) {
                row[other as usize / RowLanes::WIDTH].0[other as usize % RowLanes::WIDTH] = seconds;
            }
        }
        let least = RowLanes::least(row, self.made.resolution());
        self.table.take_in([slot], self.now, &[(self.made.solo(slot), least)], known, &self.made);
    }

    fn expected(&self) -> Option<Scheduled> {
        let mut due: Vec<(EventKey, Scheduled)> = Vec::new();
        for (&b, &serial_b) in &self.serials {
            let solo = self.made.solo(b);
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
        assert_eq!(self.table.first(&self.made), self.expected());
        let slots = self.serials.keys().max().map_or(0, |&slot| slot + 1);
        for a in 0..slots {
            for b in 0..=a {
                let live = |slot: Slot| self.serials.contains_key(&slot);
                let expected = match (live(a) && live(b), a == b) {
                    (false, _) => Time::NEVER,
                    (true, true) => self.made.solo(a).time,
                    (true, false) => self.made.pair_of(a, b),
                };
                assert_eq!(self.table.entry(a, b, &self.made), expected, "entry ({a}, {b})");
                assert_eq!(self.table.entry(b, a, &self.made), expected, "entry ({b}, {a})");
            }
        }
        assert_eq!(self.table.entry(slots + 1000, 0, &self.made), Time::NEVER);
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
                let changed = self.chosen(choices);
                changed.iter().for_each(|&slot| self.made.write(slot, self.now));
                self.refresh(&changed);
            }
            Step::ChangeRules(choices, mixed) => {
                let changed = self.chosen(choices);
                for (k, &slot) in changed.iter().enumerate() {
                    let since = self.made.state_time(slot);
                    self.made.write(slot, if *mixed && k % 2 == 1 { self.now } else { since });
                }
                self.refresh(&changed);
            }
            Step::ChangeSolos(choices) => {
                let changed = self.chosen(choices);
                for &slot in &changed {
                    *self.made.walls.entry(slot).or_default() += 1;
                }
                self.made.asked.borrow_mut().clear();
                let before = self.table.counters();
                self.table.refresh_solos(&changed, &self.made);
                let after = self.table.counters();
                assert_eq!(after.pair_times, before.pair_times);
                assert_eq!(after.solo_times - before.solo_times, changed.len() as u64);
                // Rows that are there in part may have to be filled.
                assert!(!self.is_steady || self.made.asked.borrow().is_empty(), "no pair has changed");
            }
            Step::Fill(choice, known) => {
                if let Some(slot) = self.choose(*choice) {
                    self.fill(slot, *known);
                }
            }
            Step::Wait(thousandths) => {
                self.now = self.made.clock.after(self.now, f64::from(*thousandths) * 1e-3);
            }
            Step::Clone => {
                let former = core::mem::replace(&mut self.table, core::mem::take(&mut self.other));
                self.table.clone_from(&former);
                self.other = former;
                // Rows that were left out are filled again.
                self.is_steady = false;
            }
            Step::Reset => {
                let all: Vec<Slot> = self.serials.keys().copied().collect();
                for (k, &slot) in all.iter().enumerate() {
                    self.made.write(slot, self.made.clock.at((k % 3) as f64));
                }
                (self.now, self.is_steady) = (self.made.clock.at(2.0), false);
                self.refresh(&all);
            }
        }
        self.check();
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn sequences_against_the_model(
        discs in 0..20_usize,
        apart in prop::sample::select(vec![0, 4, 12, 15, 16_u64]),
        times in prop::sample::select(vec![1, 2, 5, 1000, 1 << 40_u64]),
        steps in steps(60),
    ) {
        let mut model = Model::new(discs, apart, times);
        model.check();
        for step in &steps {
            model.step(step);
            model.table.check(&model.made);
        }
    }
}

proptest! {
    #![proptest_config(config(6))]

    /// Where rows become longer: after each eight slots, and where they are moved.
    #[test]
    fn at_the_seams_of_the_lanes(
        discs in prop::sample::select(vec![7, 8, 15, 16, 63, 64, 127, 128, 129, 256_usize]),
        apart in prop::sample::select(vec![4, 15_u64]),
        times in prop::sample::select(vec![3, 1 << 40_u64]),
        steps in steps(20),
    ) {
        let mut model = Model::new(discs, apart, times);
        model.table.check(&model.made);
        for step in &steps {
            model.step(step);
        }
        model.table.check(&model.made);
    }
}

/// All at one moment: kind first, then the smaller serial, then the larger; not the slots, which are used
/// again.
#[test]
fn ties_go_by_serial_not_by_slot() {
    let mut model = Model::new(6, 0, 1);
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

/// Pairs with times that are written down, all of states of one moment; nothing else happens.
struct Written {
    pairs: BTreeMap<(Slot, Slot), f64>,
    since: Time,
}

impl EventTimes for Written {
    fn seconds(&self, a: Slot, b: Slot) -> f64 {
        self.pairs.get(&(a.min(b), a.max(b))).copied().unwrap_or(f64::INFINITY)
    }

    fn state_time(&self, _: Slot) -> Time {
        self.since
    }

    fn after(&self, _: Slot, dt: f64) -> Time {
        Clock::new(1.0).unwrap().after(self.since, dt)
    }

    fn resolution(&self) -> f64 {
        2f64.powi(-51)
    }

    fn solo(&self, _: Slot) -> Solo {
        Solo::NEVER
    }
}

/// A row is searched only when it is next by an entry that is gone, without a root: not if what is gone is
/// later than others, nor if the row was computed again.
#[test]
fn rows_are_searched_only_for_what_is_gone() {
    let mut written = Written { pairs: BTreeMap::new(), since: Time::ZERO };
    let mut table = PairTable::default();
    (0..4).for_each(|slot| table.insert(slot, u64::from(slot)));
    written.pairs = [((0, 3), 2.0), ((1, 3), 3.0), ((2, 3), 4.0), ((0, 1), 9.0)].into();
    table.update(&[0, 1, 2, 3], &written);
    let work = |table: &mut PairTable, written: &Written, changed: &[Slot]| {
        let before = table.counters().row_searches;
        table.update(changed, written);
        let first = table.first(written).unwrap();
        table.check(written);
        (table.counters().row_searches - before, first.time.as_secs(), [first.a, first.b])
    };
    // All pairs of 3 stand in its row, whose earliest entry is gone.
    written.pairs.insert((0, 3), 5.0);
    assert_eq!(work(&mut table, &written, &[0]), (1, 3.0, [1, 3]));
    // What is gone is not the earliest.
    written.pairs.insert((2, 3), 3.5);
    assert_eq!(work(&mut table, &written, &[2]), (0, 3.0, [1, 3]));
    // It is gone, and something else is earlier.
    written.pairs.insert((0, 1), 1.0);
    assert_eq!(work(&mut table, &written, &[1]), (0, 1.0, [0, 1]));
    // That is gone; then the one before.
    written.pairs.extend([((0, 1), 20.0), ((1, 3), 30.0)]);
    assert_eq!(work(&mut table, &written, &[0, 1]), (1, 3.5, [2, 3]));
    // Computed again.
    assert_eq!(work(&mut table, &written, &[0, 1, 2, 3]), (0, 3.5, [2, 3]));
}

/// Meetings that differ by less than the clock can tell are one time, and go by serial numbers, whatever the
/// number of seconds says: within a row, between rows, and against the diagonal.
#[test]
fn seconds_that_round_to_one_time_tie() {
    let mut table = PairTable::default();
    // The slots in another order than the serial numbers.
    for (slot, serial) in [(0, 7), (1, 5), (2, 3), (3, 1)] {
        table.insert(slot, serial);
    }
    let (since, dt) = (Clock::new(1.0).unwrap().at(0.5), 2f64.powi(-10));
    let more = dt + 2f64.powi(-62);
    let pairs = [((0, 1), dt), ((0, 3), more), ((1, 2), dt), ((2, 3), more)].into();
    let written = Written { pairs, since };
    assert!(more > dt && written.after(0, more) == written.after(0, dt));
    table.update(&[0, 1, 2, 3], &written);
    table.check(&written);
    let first = table.first(&written).unwrap();
    // Serial numbers 1 and 3.
    assert_eq!((first.time, [first.a, first.b]), (written.after(0, dt), [2, 3]));
}

/// The largest table takes two gigabytes: N² places of 8 bytes.
#[test]
fn the_capacity_is_two_gigabytes() {
    assert_eq!(PairTable::CAPACITY * PairTable::CAPACITY * size_of::<f64>(), 1 << 31);
}
