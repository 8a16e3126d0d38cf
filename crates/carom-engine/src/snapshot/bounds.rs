use super::error::{SnapshotError, shown};
use super::{MAX_STORED_LENGTH, MAX_STORED_SPEED, MOST};
use crate::state::growth::Growth;
use crate::walk::{Fields, Kind, StoredValue, Walk};
use carom_broadphase::Slot;
use carom_math::{Clock, Periods, Time};

/// What stored words may be, by what they stand for.
pub(super) struct Bounds {
    pub(super) clock: Clock,
    pub(super) now: Time,
    pub(super) impacts: u64,
    pub(super) next_serial: u64,
    pub(super) facets: u64,
    pub(super) periods: Periods,
    pub(super) growth: Growth,
    /// Slots of the discs, and of the walls, in order.
    pub(super) discs: Vec<Slot>,
    pub(super) walls: Vec<u32>,
}

impl Bounds {
    /// Checks every word of a whole.
    pub(super) fn check(&self, whole: &dyn Fields) -> Result<(), SnapshotError> {
        let mut found = Ok(());
        whole.walk(&mut Walk::new(&mut |spot, value| {
            if found.is_ok()
                && let Some(allowed) = self.allowed_instead(spot.kind, value)
            {
                found = Err(SnapshotError::refused(spot.path(), value, allowed));
            }
        }));
        found
    }

    /// What is allowed in place of a word that is not.
    fn allowed_instead(&self, kind: Kind, value: StoredValue) -> Option<String> {
        let is_known = |time: Time| self.clock.from_parts(time.epoch_start(), time.offset()).is_some();
        let is_in = |slots: &[u32], slot: u64| slots.binary_search_by_key(&slot, |&s| s.into()).is_ok();
        let up_to = |x: f64, most: f64| {
            (!(x.abs() <= most)).then(|| format!("a finite number from {:e} to {most:e}", -most))
        };
        let unless = |is_fine: bool, allowed: &str| (!is_fine).then(|| allowed.to_owned());
        let at_most = |count: u64, most: u64| (count > most).then(|| format!("at most {most}"));
        match (kind, value) {
            (Kind::Any, _) => None,
            (Kind::Zero, value) => unless(value.words() == [0; 2], "0"),
            (Kind::Span, StoredValue::Number(x)) => unless(x >= 0.0, "a number, at least 0"),
            (Kind::Length, StoredValue::Number(x)) => up_to(x, MAX_STORED_LENGTH),
            (Kind::Speed, StoredValue::Number(x)) => up_to(x, MAX_STORED_SPEED),
            (_, StoredValue::Number(x)) => up_to(x, f64::MAX),
            (Kind::Disc, StoredValue::Count(slot)) => unless(is_in(&self.discs, slot), "the slot of a disc"),
            (Kind::Wall, StoredValue::Count(slot)) => unless(is_in(&self.walls, slot), "the slot of a wall"),
            (Kind::Facet, StoredValue::Count(facet)) => {
                (facet >= self.facets).then(|| format!("a facet below {}", self.facets))
            }
            (Kind::Serial, StoredValue::Count(serial)) => (serial >= self.next_serial)
                .then(|| format!("a serial number below next_serial, {}", self.next_serial)),
            (Kind::Impact, StoredValue::Count(count)) => at_most(count, self.impacts),
            (Kind::Tally, StoredValue::Count(count)) => at_most(count, MOST),
            (Kind::Past, StoredValue::Time(time)) => (!is_known(time) || time > self.now)
                .then(|| format!("a time of this clock, at most now, {}", shown(self.now))),
            (Kind::Future, StoredValue::Time(time)) => (!is_known(time) || time < self.now)
                .then(|| format!("a time of this clock, at least now, {}", shown(self.now))),
            _ => None,
        }
    }
}
