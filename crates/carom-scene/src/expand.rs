//! From a scene to a flat list of discs.

use crate::error::SceneError;
use crate::generate::Steps;
use crate::model::{Region, Scene, SceneDisc};
use crate::origins::Origins;
use crate::place::FieldPath;
use std::ops::ControlFlow;

/// The discs of a scene in file order: first `discs`, then `racks`, then `gases`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expanded {
    /// The discs. The index here is the number that event files and pictures use.
    pub discs: Vec<SceneDisc>,
    /// The entries of the scene that the discs come from.
    pub origins: Origins,
    /// The regions of the gases, those that follow from a packing fraction included.
    pub regions: Vec<Region>,
    /// The lengths along x and y after which the plane repeats itself.
    pub periods: [Option<f64>; 2],
}

impl Scene {
    /// The discs of the scene, one by one: racks set up, gases placed. The same bits on every machine.
    ///
    /// # Errors
    /// A value is not allowed ([`Scene::check`]), or a gas does not fit into its region.
    pub fn expand(&self) -> Result<Expanded, SceneError> {
        self.check()?;
        self.expand_with(&mut Steps::new(self.count_discs()?, &mut |_| ControlFlow::Continue(())))
    }

    /// The same for a scene that has been checked, with a step for each disc.
    pub(crate) fn expand_with(&self, steps: &mut Steps<'_>) -> Result<Expanded, SceneError> {
        let mut discs = Vec::with_capacity(self.count_discs()? as usize);
        discs.extend(self.discs.iter().cloned());
        for rack in &self.racks {
            discs.extend(rack.balls());
        }
        let periods = self.periods()?;
        let mut regions = Vec::with_capacity(self.gases.len());
        for (index, gas) in self.gases.iter().enumerate() {
            let placed = gas.discs(&discs, periods, &FieldPath::of("gases", index), steps)?;
            discs.extend(placed.discs);
            steps.go_to(discs.len() as u64);
            regions.push(placed.region);
        }
        Ok(Expanded { discs, origins: Origins::of(self), regions, periods })
    }
}
