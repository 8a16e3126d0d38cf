use crate::simd::{F64x4, Kernel, LANES, Lanes, Simd, WIDTH, place};
use crate::walk::fields;
use crate::{Rules, Sensor};
use carom_broadphase::Slot;

/// The rules of discs, two words each, eight discs side by side; nothing unless some disc has other rules
/// than the default.
///
/// The class of a disc's mass, which is a rule as well, is in its record, as every pair time needs it.
#[derive(Debug, Default)]
pub(crate) struct DiscRules {
    /// Those in force.
    lanes: Vec<RuleLanes>,
    /// Those that were set and are not in force before the schedule is brought up to date: of the discs that
    /// are flagged so.
    latest: Vec<RuleLanes>,
    /// The discs that are, or were, flagged so.
    edited: Vec<Slot>,
}

carom_broadphase::clone_fields!(DiscRules: lanes, latest, edited);

/// What a disc sees that is a sensor; the rules by which it collides are those of nothing then.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct SensorRules {
    pub(crate) sensor: Sensor,
    pub(crate) rules: Rules,
}

fields!(SensorRules: sensor, rules);

impl SensorRules {
    pub(crate) fn of(sensor: Sensor, rules: Rules) -> Self {
        if sensor == Sensor::No { SensorRules::default() } else { SensorRules { sensor, rules } }
    }
}

/// The rules of eight discs. The words are stored as numbers, as vectors load them; only their bits mean
/// something.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct RuleLanes {
    /// Membership in the lower half, mask in the upper.
    groups: Lanes,
    /// Team in the lower half, flags in the upper.
    teams: Lanes,
}

/// The flag of a disc with rules that are not in force yet.
const EDITED: u64 = 1 << 32;
const LOW: u64 = u32::MAX as u64;
const HIGH: u64 = !LOW;

/// The two words of a disc.
fn words(rules: &Rules) -> [f64; 2] {
    let Rules { membership, mask, team } = *rules;
    [u64::from(membership) | u64::from(mask) << 32, u64::from(team)].map(f64::from_bits)
}

impl RuleLanes {
    const DEFAULT: RuleLanes = RuleLanes { groups: [f64::from_bits(u64::MAX); LANES], teams: [0.0; LANES] };

    #[inline(always)]
    fn get(&self, lane: usize) -> Rules {
        let (groups, team) = (self.groups[lane].to_bits(), self.teams[lane].to_bits());
        Rules { membership: groups as u32, mask: (groups >> 32) as u32, team: team as u32 }
    }

    /// Sets the rules of a disc, without flags.
    fn set(&mut self, lane: usize, rules: &Rules) {
        [self.groups[lane], self.teams[lane]] = words(rules);
    }

    fn is_edited(&self, lane: usize) -> bool {
        self.teams[lane].to_bits() & EDITED != 0
    }
}

/// The lanes of a slot, which there are from then on.
fn lanes_of(all: &mut Vec<RuleLanes>, slot: Slot) -> &mut RuleLanes {
    let (block, _) = place(slot);
    if block >= all.len() {
        all.resize(block + 1, RuleLanes::DEFAULT);
    }
    &mut all[block]
}

impl DiscRules {
    /// Whether there are discs with other rules than the default, or were.
    #[inline(always)]
    pub(crate) fn is_used(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// The rules in force.
    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> Rules {
        let (block, lane) = place(slot);
        self.lanes.get(block).map_or(Rules::new(), |lanes| lanes.get(lane))
    }

    /// The rules as they were set last.
    pub(crate) fn latest(&self, slot: Slot) -> Rules {
        let (block, lane) = place(slot);
        let is_edited = self.lanes.get(block).is_some_and(|lanes| lanes.is_edited(lane));
        if is_edited { self.latest[block].get(lane) } else { self.get(slot) }
    }

    /// Sets rules that are in force at once.
    pub(crate) fn set(&mut self, slot: Slot, rules: Rules) {
        let (block, lane) = place(slot);
        if block < self.lanes.len() || !rules.is_default() {
            lanes_of(&mut self.lanes, slot).set(lane, &rules);
        }
    }

    /// Sets rules that come into force when the schedule is brought up to date.
    pub(crate) fn edit(&mut self, slot: Slot, rules: Rules) {
        let before = self.get(slot);
        self.set(slot, before);
        if rules == before {
            return;
        }
        let (_, lane) = place(slot);
        let teams = &mut lanes_of(&mut self.lanes, slot).teams[lane];
        *teams = f64::from_bits(teams.to_bits() | EDITED);
        lanes_of(&mut self.latest, slot).set(lane, &rules);
        self.edited.push(slot);
    }

    /// Whether there may be rules that are not in force yet.
    #[inline(always)]
    pub(crate) fn has_edited(&self) -> bool {
        !self.edited.is_empty()
    }

    /// The first disc with rules that are not in force yet, and these. It is to be given them, and is not
    /// named again.
    pub(crate) fn take_edited(&mut self) -> Option<(Slot, Rules)> {
        if !self.edited.is_sorted_by(|a, b| a > b) {
            self.edited.sort_unstable_by(|a, b| b.cmp(a));
            self.edited.dedup();
        }
        while let Some(slot) = self.edited.pop() {
            let rules = self.latest(slot);
            if rules != self.get(slot) {
                return Some((slot, rules));
            }
        }
        None
    }

    /// Whether two discs collide by their rules.
    #[inline(always)]
    pub(crate) fn collide(&self, a: Slot, b: Slot) -> bool {
        !self.is_used() || self.get(a).collides_with(&self.get(b))
    }

    /// Takes the marks of the discs away that do not collide with one by their rules; bit `k % 64` of
    /// `words[k / 64]` marks slot `k`.
    #[cold]
    pub(crate) fn leave_out(&self, slot: Slot, marks: &mut [u64], simd: Simd) {
        simd.run(Accepting { lanes: &self.lanes, own: self.get(slot), marks });
    }

    /// The bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        (self.lanes.capacity() + self.latest.capacity()) * size_of::<RuleLanes>()
            + self.edited.capacity() * size_of::<Slot>()
    }
}

struct Accepting<'a> {
    lanes: &'a [RuleLanes],
    own: Rules,
    marks: &'a mut [u64],
}

impl Kernel for Accepting<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: F64x4>(self) {
        // Turned, so that each half meets the one that it accepts.
        let turned = Rules { membership: self.own.mask, mask: self.own.membership, team: self.own.team };
        let [groups, team] = words(&turned);
        // That of no team is no lane's.
        let team = if turned.team == 0 { f64::from_bits(HIGH) } else { team };
        for (w, marks) in self.marks.iter_mut().enumerate() {
            let mut refused = 0;
            for k in 0..64 / LANES {
                let lanes = match self.lanes.get(w * (64 / LANES) + k) {
                    Some(lanes) => lanes,
                    None => &RuleLanes::DEFAULT,
                };
                let (low, high) =
                    (refused_of::<V>(lanes, 0, groups, team), refused_of::<V>(lanes, 1, groups, team));
                refused |= u64::from(low | high << WIDTH) << (k * LANES);
            }
            *marks &= !refused;
        }
    }
}

/// A bit for each of the four discs of a half of the lanes that do not collide.
#[inline(always)]
fn refused_of<V: F64x4>(lanes: &RuleLanes, half: usize, groups: f64, team: f64) -> u32 {
    let zero = V::splat(0.0);
    let (low, high) = (V::splat(f64::from_bits(LOW)), V::splat(f64::from_bits(HIGH)));
    let accepted = V::load(&lanes.groups.as_chunks().0[half]).and(V::splat(groups));
    let teams = V::load(&lanes.teams.as_chunks().0[half]).and(low);
    let is_refused = accepted.and(low).same_bits(zero).or(accepted.and(high).same_bits(zero));
    is_refused.or(teams.same_bits(V::splat(team))).mask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    #[test]
    fn defaults_take_no_memory() {
        let mut rules = DiscRules::default();
        rules.set(1_000_000, Rules::new());
        assert!(!rules.is_used() && rules.bytes() == 0);
        rules.set(3, Rules::new().with_team(1));
        assert!(rules.is_used() && rules.get(3).team == 1 && rules.get(1_000_000) == Rules::new());
    }

    #[test]
    fn rules_are_in_force_when_they_are_set_not_when_they_are_edited() {
        let (mut rules, mute) = (DiscRules::default(), Rules::new().with_mask(0));
        rules.edit(5, mute);
        assert_eq!((rules.get(5), rules.latest(5)), (Rules::new(), mute));
        rules.edit(5, Rules::new());
        assert_eq!((rules.latest(5), rules.take_edited()), (Rules::new(), None));
        for slot in [5, 2, 9, 5, 7] {
            rules.edit(slot, mute.with_team(slot));
        }
        // As when the disc goes and another one comes.
        rules.set(7, mute);
        assert_eq!(rules.latest(7), mute);
        let in_order: Vec<Slot> = core::iter::from_fn(|| {
            let (slot, edited) = rules.take_edited()?;
            assert_eq!(edited, mute.with_team(slot));
            rules.set(slot, edited);
            Some(slot)
        })
        .collect();
        assert_eq!((in_order, rules.has_edited()), (vec![2, 5, 9], false));
    }

    /// All kinds of vector agree with the definition, also for slots that there is no memory for.
    #[test]
    fn lanes_agree_with_pairs() {
        let mut rng = Rng::new(3);
        for simd in Simd::available() {
            for _ in 0..200 {
                let mut rules = DiscRules::default();
                for slot in 0..rng.below(130) as Slot {
                    let (groups, team) = (rng.bits() as u32 & 0x8000_0003, rng.below(3) as u32);
                    let mask = rng.bits() as u32 & 0x8000_0003;
                    rules.set(slot, Rules { membership: groups, mask, team });
                }
                let own = rng.below(192) as Slot;
                let mut marks = [u64::MAX; 3];
                rules.leave_out(own, &mut marks, simd);
                for slot in 0..192 {
                    let is_marked = marks[slot as usize / 64] >> (slot % 64) & 1 == 1;
                    assert_eq!(is_marked, rules.collide(own, slot), "{simd:?} {own} {slot}");
                }
            }
        }
    }
}
