//! From a disc back to the entry of the scene that it comes from.

use crate::model::Scene;
use crate::place::FieldPath;

/// For each disc of a scene, in file order, the entry that it comes from: `discs[3]`, `racks[0]`, `gases[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origins {
    /// The discs that are entries of their own.
    single: usize,
    /// The other entries, each with the number of discs up to its end.
    entries: Vec<(usize, FieldPath)>,
}

impl Origins {
    pub(crate) fn of(scene: &Scene) -> Self {
        let single = scene.discs.len();
        let mut end = single;
        let racks = scene.racks.iter().map(|rack| rack.count());
        let racks = racks.enumerate().map(|(index, count)| (count, FieldPath::of("racks", index)));
        let gases = scene.gases.iter().map(|gas| gas.count).enumerate();
        let gases = gases.map(|(index, count)| (count, FieldPath::of("gases", index)));
        let entries = racks
            .chain(gases)
            .map(|(count, path)| {
                end += count as usize;
                (end, path)
            })
            .collect();
        Self { single, entries }
    }

    /// The entry that the disc with this index comes from; the scene as a whole if there is no such disc.
    /// `O(log entries)`.
    #[must_use]
    pub fn entry(&self, disc: usize) -> FieldPath {
        if disc < self.single {
            return FieldPath::of("discs", disc);
        }
        let after = self.entries.partition_point(|(end, _)| *end <= disc);
        self.entries.get(after).map_or_else(FieldPath::root, |(_, path)| path.clone())
    }

    /// How many discs, the first ones, are entries of their own.
    pub(crate) fn single(&self) -> usize {
        self.single
    }

    /// The number of discs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.last().map_or(self.single, |(end, _)| *end)
    }

    /// Whether there are no discs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
