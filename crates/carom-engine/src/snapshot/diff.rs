use super::SnapshotOf;
use crate::Physics;
use crate::store::Store;
use crate::walk::{Fields, Place, Spot, StoredValue, Walk, mixed};
use core::fmt;

/// The first part in which two worlds differ: see [`World::diff`](crate::World::diff).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Where it is, in the first world.
    pub place: Place,
    /// What it is, mostly as in a snapshot: `velocity.x`, `contacts.passing[2].since`.
    pub field: String,
    /// What it is in the first world, and in the second.
    pub values: [StoredValue; 2],
}

/// `disc 3: velocity.x is 1 (0x3ff0000000000000) vs 1.0000000000000002 (0x3ff0000000000001)`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { place, field, values: [one, other] } = self;
        write!(f, "{place}: {field} is {one} vs {other}")
    }
}

/// The hash of what differences are sought in.
pub(crate) fn checksum<P: Physics + Fields>(store: &Store<P>) -> u64 {
    let mut hash = 0;
    SnapshotOf::<P>::of(store).show(&mut |_, value| hash = value.words().into_iter().fold(hash, mixed));
    hash
}

/// The first difference between what is stored in two worlds.
pub(crate) fn difference<P: Physics + Fields>(one: &Store<P>, other: &Store<P>) -> Option<Difference> {
    let [one, other] = [one, other].map(SnapshotOf::<P>::of);
    let (mine, theirs) = (one.words(), other.words());
    let at = (0..mine.len().max(theirs.len())).find(|&k| mine.get(k) != theirs.get(k))?;
    let nothing = || (Place::World, String::new(), StoredValue::Name("nothing"));
    let (place, field, value) = one.word(at).unwrap_or_else(nothing);
    let (.., of_other) = other.word(at).unwrap_or_else(nothing);
    Some(Difference { place, field, values: [value, of_other] })
}

impl<P: Physics + Fields> SnapshotOf<P> {
    fn show(&self, visit: &mut dyn FnMut(&Spot, StoredValue)) {
        let mut walk = Walk::new(visit);
        walk.field("physics", &self.physics);
        self.walk(&mut walk);
    }

    /// What all words are, in order.
    fn words(&self) -> Vec<[u64; 2]> {
        let mut words = Vec::new();
        self.show(&mut |_, value| words.push(value.words()));
        words
    }

    /// Where a word is, and what, by its number.
    fn word(&self, number: usize) -> Option<(Place, String, StoredValue)> {
        let (mut visited, mut found) = (0, None);
        self.show(&mut |spot, value| {
            if visited == number {
                found = Some((spot.place, spot.field(), value));
            }
            visited += 1;
        });
        found
    }
}
