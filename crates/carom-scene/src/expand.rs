//! From a scene to a flat list of discs.

use crate::disc::SceneDisc;
use crate::error::SceneError;
use crate::place::{FieldPath, Place};
use crate::scene::Scene;

/// The most discs that a scene may have, those of racks and gases included: 2²⁰.
pub const MAX_DISCS: u64 = 1 << 20;

/// The discs of a scene in file order: first `discs`, then `racks`, then `gases`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expanded {
    /// The discs. The index here is the number that event files and pictures use.
    pub discs: Vec<SceneDisc>,
    /// For each disc the entry of the scene that it comes from: `discs[3]`, `racks[0]`, `gases[1]`.
    pub origins: Vec<FieldPath>,
}

impl Scene {
    /// The discs of the scene, one by one: racks set up, gases placed. The same bits on every machine.
    ///
    /// # Errors
    /// A value is not allowed ([`Scene::check`]), or a gas does not fit into its region.
    pub fn expand(&self) -> Result<Expanded, SceneError> {
        self.check()?;
        let mut discs = Vec::with_capacity(count(self)? as usize);
        let mut origins = Vec::with_capacity(discs.capacity());
        discs.extend(self.discs.iter().cloned());
        origins.extend((0..self.discs.len()).map(|index| FieldPath::of("discs", index)));
        for (index, rack) in self.racks.iter().enumerate() {
            discs.extend(rack.balls());
            origins.resize(discs.len(), FieldPath::of("racks", index));
        }
        for (index, gas) in self.gases.iter().enumerate() {
            let path = FieldPath::of("gases", index);
            let more = gas.discs(&discs, &path)?;
            discs.extend(more);
            origins.resize(discs.len(), path);
        }
        Ok(Expanded { discs, origins })
    }
}

/// The number of discs, without making them.
pub(crate) fn count(scene: &Scene) -> Result<u64, SceneError> {
    let mut count = 0_u64;
    let mut add = |more: u64, field: FieldPath| {
        count = count.saturating_add(more);
        if count > MAX_DISCS {
            return Err(SceneError::TooManyDiscs { place: Place::field(field), count, limit: MAX_DISCS });
        }
        Ok(())
    };
    add(scene.discs.len() as u64, FieldPath::root().field("discs"))?;
    for (index, rack) in scene.racks.iter().enumerate() {
        add(rack.count(), FieldPath::of("racks", index))?;
    }
    for (index, gas) in scene.gases.iter().enumerate() {
        add(gas.count, FieldPath::of("gases", index))?;
    }
    Ok(count)
}
