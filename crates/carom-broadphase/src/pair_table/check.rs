use super::PairTable;
use crate::{EventTimes, RowLanes, Slot, Solo};
use carom_math::Time;

impl PairTable {
    /// [`Scheduler::assert_well_formed`](crate::Scheduler::assert_well_formed), against event times.
    ///
    /// # Panics
    /// With a description, if something is wrong. For tests: O(N²).
    pub fn check<P: EventTimes>(&self, predictor: &P) {
        let n = self.rows.len();
        assert_eq!(self.seconds.len(), n * self.stride, "places");
        assert_eq!(self.width(), n.div_ceil(RowLanes::WIDTH), "width");
        assert_eq!(self.rows.iter().filter(|row| row.live).count(), self.live, "number of discs");
        for (i, row) in (0..).zip(&self.rows) {
            assert_eq!(row.live, self.write_of(i) < f64::INFINITY, "number of the write of {i}");
            let solo = if row.live { predictor.solo(i) } else { Solo::NEVER };
            assert_eq!(row.solo.time, solo.time, "solo {i}");
            if !solo.time.is_never() {
                assert_eq!(row.solo, solo, "solo {i}");
            }
            for k in 0..i {
                let both = row.live && self.rows[k as usize].live;
                let expected = if both { predictor.pair(i, k) } else { Time::NEVER };
                assert_eq!(self.entry(i, k, predictor), expected, "pair ({i}, {k})");
            }
            self.check_first(i, predictor);
        }
    }

    /// The earliest entry of a row is right, or it is stale and too early.
    fn check_first<P: EventTimes>(&self, i: Slot, predictor: &P) {
        let row = &self.rows[i as usize];
        assert_eq!(RowLanes::of(&self.firsts, i), row.first.as_secs(), "queue of row {i}");
        if !row.live {
            assert!(row.first.is_never(), "earliest of row {i}, which is free");
            return;
        }
        let others = (0..self.rows.len() as Slot).filter(|&k| k != i && self.is_newer(i, k));
        let entries = others.map(|k| self.entry(i, k, predictor)).chain([row.solo.time]);
        let earliest = entries.min().unwrap_or(Time::NEVER);
        if self.is_stale(i) {
            assert!(row.first <= earliest, "earliest of row {i}, which is stale");
            return;
        }
        assert_eq!(row.first, earliest, "earliest of row {i}");
        assert_eq!(self.entry(i, row.column, predictor), earliest, "column of row {i}");
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::Kind;
    use carom_math::Clock;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::string::String;

    /// Slots 0 and 1 meet after 3 s, 0 and 2 after 2 s, the others never; 1 does something on its own after
    /// 5 s.
    struct Three;

    fn secs(secs: f64) -> Time {
        Clock::new(1.0).unwrap().at(secs)
    }

    impl EventTimes for Three {
        fn seconds(&self, a: Slot, b: Slot) -> f64 {
            match (a.min(b), a.max(b)) {
                (0, 1) => 3.0,
                (0, 2) => 2.0,
                _ => f64::INFINITY,
            }
        }

        fn state_time(&self, _: Slot) -> Time {
            Time::ZERO
        }

        fn after(&self, _: Slot, dt: f64) -> Time {
            secs(dt)
        }

        fn resolution(&self) -> f64 {
            0.0
        }

        fn solo(&self, slot: Slot) -> Solo {
            if slot == 1 { Solo { time: secs(5.0), kind: Kind::Impact, tag: 7 } } else { Solo::NEVER }
        }
    }

    type Damage = fn(&mut PairTable);

    /// What the check says of a table that was sound before `damage`; nothing if it does not mind.
    fn complaint(damage: impl FnOnce(&mut PairTable)) -> Option<String> {
        let mut table = PairTable::default();
        for slot in 0..4 {
            table.insert(slot, u64::from(slot));
        }
        table.update(&[0, 1, 2], &Three);
        table.remove(3);
        damage(&mut table);
        let panic = catch_unwind(AssertUnwindSafe(|| table.check(&Three))).err()?;
        Some(match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(other) => other.downcast_ref::<&str>().map_or_else(String::new, |&text| text.into()),
        })
    }

    /// Every invariant, broken by itself, is named by the check that all other tests rely on.
    #[test]
    fn the_check_finds_every_kind_of_damage() {
        assert_eq!(complaint(|_| ()), None);
        let damages: [(&str, Damage); 13] = [
            ("places", |t| t.seconds.push(RowLanes::INFINITE)),
            ("width", |t| t.written.push(RowLanes::INFINITE)),
            ("number of discs", |t| t.live += 1),
            ("number of the write of 1", |t| t.written[0].0[1] = f64::INFINITY),
            ("number of the write of 3", |t| t.written[0].0[3] = 9.0),
            ("pair (1, 0)", |t| t.seconds[1].0[0] = 3.5),
            ("pair (2, 0)", |t| t.seconds[2].0[0] = f64::INFINITY),
            ("solo 1", |t| t.rows[1].solo.time = secs(4.0)),
            ("solo 1", |t| t.rows[1].solo.tag = 8),
            ("solo 1", |t| t.rows[1].solo.kind = Kind::MotionChange),
            ("queue of row 2", |t| t.firsts[0].0[2] = 7.0),
            ("column of row 2", |t| t.rows[2].column = 1),
            ("earliest of row 1", |t| {
                t.rows[1].first = secs(5.0);
                t.firsts[0].0[1] = 5.0;
            }),
        ];
        for (named, damage) in damages {
            let said = complaint(damage).unwrap_or_default();
            assert!(said.contains(named), "instead of {named:?}: {said:?}");
        }
    }
}
