use super::Bounds;
use super::discs::MAX_STORED_SPEED;
use super::error::SnapshotError;
use crate::state::contacts::{Blocked, ContactRecords, Held, HeldTo, Passing, PassingWall, Slide};
use crate::{DiscId, Partner};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use carom_math::{DVec2, Time};

/// What of the future does not follow from states and rules: see [`ContactRecords`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContactsRecord {
    /// Discs that slide, by slot.
    held: Vec<HeldRecord>,
    /// What discs are held to, by slot.
    holds: Vec<HoldRecord>,
    blocked: Vec<BlockedRecord>,
    passing: Vec<PassingRecord>,
    passing_walls: Vec<PassingWallRecord>,
    /// Pairs that do not collide, the lower slot first, in ascending order.
    excluded: Vec<[Slot; 2]>,
}

/// The held contact of a disc that slides along a curved wall: see [`Slide`].
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct HeldRecord {
    disc: Slot,
    facet: u32,
    turns_left: bool,
    at_end: bool,
    speed: f64,
    /// When the chord ends.
    until: Time,
}

/// One side of a held contact: see [`Holds`](crate::state::contacts::Holds).
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum HoldRecord {
    Disc { disc: Slot, to: Slot, presses: bool },
    Facet { disc: Slot, facet: u32, front: bool, presses: bool },
}

/// A body that has given way: see [`Blocked`]. When it goes on follows from the rest.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockedRecord {
    body: Slot,
    wanted: DVec2,
    given: DVec2,
    on: DiscId,
    against: Partner,
    since: Time,
    is_over: bool,
    is_free: bool,
    links: Vec<[Slot; 2]>,
    between: Vec<Slot>,
    jaws: Vec<(Slot, DVec2)>,
}

/// Discs that pass through each other: see [`Passing`]. When they have parted follows from their states.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PassingRecord {
    disc: Slot,
    through: Slot,
    since: Time,
    /// Whether it is by a verdict.
    judged: bool,
}

/// A disc that passes through a wall: see [`PassingWall`]. When it has parted follows from its state.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PassingWallRecord {
    disc: Slot,
    wall: u32,
    since: Time,
}

impl ContactsRecord {
    /// `numbers` are those that the facets have in the snapshot.
    pub(super) fn of(contacts: &ContactRecords, numbers: &[Option<u32>]) -> Self {
        // Named one by one, so that a new kind does not compile until it is decided where it belongs.
        let ContactRecords { held, holds, blocked, passing, passing_walls, excluded, scratch: _ } = contacts;
        ContactsRecord {
            held: held.iter().filter_map(|(slot, slide)| HeldRecord::of(slot, slide, numbers)).collect(),
            holds: holds.iter().filter_map(|(slot, held)| HoldRecord::of(slot, held, numbers)).collect(),
            blocked: blocked.iter().map(BlockedRecord::of).collect(),
            passing: passing.iter().map(PassingRecord::of).collect(),
            passing_walls: passing_walls.iter().map(PassingWallRecord::of).collect(),
            excluded: excluded.iter().collect(),
        }
    }

    /// `slots` are those of the discs, `walls` those of the walls, in order.
    pub(super) fn check(&self, slots: &[Slot], walls: &[u32], bounds: &Bounds) -> Result<(), SnapshotError> {
        let is_live = |slot: Slot| slots.binary_search(&slot).is_ok();
        let inside = |list: &'static str, k: usize| {
            move |error: SnapshotError| error.inside(&format!("contacts.{list}[{k}]"))
        };
        for (k, record) in self.held.iter().enumerate() {
            record.check(&is_live, bounds).map_err(inside("held", k))?;
        }
        for (k, record) in self.holds.iter().enumerate() {
            record.check(&self.holds, &is_live, bounds).map_err(inside("holds", k))?;
        }
        for (k, record) in self.blocked.iter().enumerate() {
            record.check(&is_live, bounds).map_err(inside("blocked", k))?;
        }
        for (k, record) in self.passing.iter().enumerate() {
            record.check(&is_live, bounds).map_err(inside("passing", k))?;
        }
        for (k, record) in self.passing_walls.iter().enumerate() {
            record.check(&is_live, walls, bounds).map_err(inside("passing_walls", k))?;
        }
        for (k, pair) in self.excluded.iter().enumerate() {
            are_live("pair", pair.iter().copied(), &is_live).map_err(inside("excluded", k))?;
            if pair[0] >= pair[1] {
                let refused =
                    SnapshotError::refused("pair", format!("{pair:?}"), "two slots in ascending order");
                return Err(inside("excluded", k)(refused));
            }
        }
        if !self.held.is_sorted_by(|a, b| a.disc < b.disc) {
            return Err(SnapshotError::refused("contacts.held", "discs in another order", "ascending slots"));
        }
        Ok(())
    }

    /// The records, which have been checked.
    pub(super) fn restored(self, bounds: &Bounds) -> ContactRecords {
        let mut contacts = ContactRecords::default();
        for record in &self.held {
            let &HeldRecord { disc, facet, turns_left, at_end, speed, until } = record;
            // The same time, with the sign of a zero put right.
            let until = bounds.clock.from_parts(until.epoch_start(), until.offset()).unwrap_or(until);
            contacts.held.set(disc, Slide { facet, turns_left, at_end, speed, until });
        }
        for record in &self.holds {
            let (slot, held) = record.held();
            contacts.holds.add(slot, held);
        }
        contacts.blocked = self.blocked.into_iter().map(BlockedRecord::blocked).collect();
        contacts.passing = self.passing.into_iter().map(PassingRecord::passing).collect();
        contacts.passing_walls = self.passing_walls.into_iter().map(PassingWallRecord::passing).collect();
        for [a, b] in self.excluded {
            contacts.excluded.insert(a, b);
        }
        contacts
    }
}

impl HeldRecord {
    fn of(disc: Slot, slide: &Slide, numbers: &[Option<u32>]) -> Option<Self> {
        let Slide { facet, turns_left, at_end, speed, until } = *slide;
        let facet = numbers[facet as usize]?;
        Some(HeldRecord { disc, facet, turns_left, at_end, speed, until })
    }

    /// Checks that a disc slides along a facet, at a speed, until a time that is not past.
    fn check(&self, is_live: &impl Fn(Slot) -> bool, bounds: &Bounds) -> Result<(), SnapshotError> {
        let &HeldRecord { disc, facet, speed, until, .. } = self;
        are_live("disc", [disc].into_iter(), is_live)?;
        if facet >= bounds.facets {
            let allowed = format!("a facet below {}", bounds.facets);
            return Err(SnapshotError::refused("facet", facet, allowed));
        }
        if !(speed > 0.0 && speed <= MAX_STORED_SPEED) {
            let allowed = format!("a number above 0, at most {MAX_STORED_SPEED:e}");
            return Err(SnapshotError::refused("speed", speed, allowed));
        }
        let known = bounds.clock.from_parts(until.epoch_start(), until.offset());
        if known.is_none_or(|until| until < bounds.now || until.is_never()) {
            let allowed = format!("a time of this clock, at least now, {}", super::shown(bounds.now));
            return Err(SnapshotError::refused("until", super::shown(until), allowed));
        }
        Ok(())
    }
}

impl HoldRecord {
    fn of(disc: Slot, held: Held, numbers: &[Option<u32>]) -> Option<Self> {
        let presses = held.presses;
        Some(match held.to {
            HeldTo::Disc(to) => HoldRecord::Disc { disc, to, presses },
            HeldTo::Facet(facet, side) => {
                let (facet, front) = (numbers[facet as usize]?, side == Side::Front);
                HoldRecord::Facet { disc, facet, front, presses }
            }
        })
    }

    fn held(&self) -> (Slot, Held) {
        match *self {
            HoldRecord::Disc { disc, to, presses } => (disc, Held { to: HeldTo::Disc(to), presses }),
            HoldRecord::Facet { disc, facet, front, presses } => {
                let side = if front { Side::Front } else { Side::Back };
                (disc, Held { to: HeldTo::Facet(facet, side), presses })
            }
        }
    }

    /// Checks that there are those that it names, and that a pair is noted with both.
    fn check(
        &self,
        all: &[HoldRecord],
        is_live: &impl Fn(Slot) -> bool,
        bounds: &Bounds,
    ) -> Result<(), SnapshotError> {
        match *self {
            HoldRecord::Disc { disc, to, presses } => {
                are_live("disc", [disc, to].into_iter(), is_live)?;
                let is_other =
                    |other: &HoldRecord| other.held() == (to, Held { to: HeldTo::Disc(disc), presses });
                if disc == to || !all.iter().any(is_other) {
                    return Err(SnapshotError::refused("to", to, "a disc that is held to this one"));
                }
            }
            HoldRecord::Facet { disc, facet, .. } => {
                are_live("disc", [disc].into_iter(), is_live)?;
                if facet >= bounds.facets {
                    let allowed = format!("a facet below {}", bounds.facets);
                    return Err(SnapshotError::refused("facet", facet, allowed));
                }
            }
        }
        Ok(())
    }
}

impl BlockedRecord {
    fn of(record: &Blocked) -> Self {
        let Blocked {
            body,
            wanted,
            given,
            on,
            against,
            since,
            is_over,
            is_free,
            links,
            between,
            jaws,
            end: _,
        } = record.clone();
        BlockedRecord { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws }
    }

    fn check(&self, is_live: &impl Fn(Slot) -> bool, bounds: &Bounds) -> Result<(), SnapshotError> {
        are_live("body", [self.body].into_iter(), is_live)?;
        are_live("links", self.links.iter().flatten().copied(), is_live)?;
        are_live("between", self.between.iter().copied(), is_live)?;
        are_live("jaws", self.jaws.iter().map(|&(slot, _)| slot), is_live)?;
        are_finite("wanted", &[self.wanted])?;
        are_finite("given", &[self.given])?;
        let velocities: Vec<DVec2> = self.jaws.iter().map(|&(_, velocity)| velocity).collect();
        are_finite("jaws", &velocities)?;
        if !self.between.is_sorted_by(|a, b| a < b) {
            return Err(SnapshotError::refused("between", "slots in another order", "ascending slots"));
        }
        bounds.past("since", self.since).map(|_| ())
    }

    fn blocked(self) -> Blocked {
        let Self { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws } = self;
        let end = Time::NEVER;
        Blocked { body, wanted, given, on, against, since, is_over, is_free, links, between, jaws, end }
    }
}

impl PassingRecord {
    fn of(record: &Passing) -> Self {
        let Passing { disc, through, since, end: _, is_judged } = *record;
        PassingRecord { disc, through, since, judged: is_judged }
    }

    fn check(&self, is_live: &impl Fn(Slot) -> bool, bounds: &Bounds) -> Result<(), SnapshotError> {
        are_live("disc", [self.disc].into_iter(), is_live)?;
        are_live("through", [self.through].into_iter(), is_live)?;
        bounds.past("since", self.since).map(|_| ())
    }

    fn passing(self) -> Passing {
        let PassingRecord { disc, through, since, judged } = self;
        Passing { disc, through, since, end: Time::NEVER, is_judged: judged }
    }
}

impl PassingWallRecord {
    fn of(record: &PassingWall) -> Self {
        let PassingWall { disc, wall, since, end: _ } = *record;
        PassingWallRecord { disc, wall, since }
    }

    fn check(
        &self,
        is_live: &impl Fn(Slot) -> bool,
        walls: &[u32],
        bounds: &Bounds,
    ) -> Result<(), SnapshotError> {
        are_live("disc", [self.disc].into_iter(), is_live)?;
        if walls.binary_search(&self.wall).is_err() {
            return Err(SnapshotError::refused("wall", self.wall, "the slot of a wall"));
        }
        bounds.past("since", self.since).map(|_| ())
    }

    fn passing(self) -> PassingWall {
        let PassingWallRecord { disc, wall, since } = self;
        PassingWall { disc, wall, since, end: Time::NEVER }
    }
}

pub(super) fn are_live(
    field: &str,
    mut slots: impl Iterator<Item = Slot>,
    is_live: &impl Fn(Slot) -> bool,
) -> Result<(), SnapshotError> {
    match slots.find(|&slot| !is_live(slot)) {
        Some(slot) => Err(SnapshotError::refused(field, slot, "the slot of a disc")),
        None => Ok(()),
    }
}

pub(super) fn are_finite(field: &str, vectors: &[DVec2]) -> Result<(), SnapshotError> {
    match vectors.iter().find(|v| !v.is_finite()) {
        Some(v) => Err(SnapshotError::refused(field, v, "finite numbers")),
        None => Ok(()),
    }
}
