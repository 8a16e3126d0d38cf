//! The worlds that are measured.

use carom::{Disc, SchedulerKind, Settings, Wall, World};
use carom_scene::{Gas, Order, Placement, Radii, Region, Scene};
use std::error::Error;

const SEED: u64 = 1;

/// Equal elastic discs of mass 1 in a square, at temperature 1 and without momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crowd {
    pub(crate) discs: u32,
    pub(crate) packing: f64,
    /// Otherwise it has walls.
    is_periodic: bool,
}

impl Crowd {
    /// In a periodic square.
    pub(crate) fn periodic(discs: u32, packing: f64) -> Self {
        Crowd { discs, packing, is_periodic: true }
    }

    /// In a square with four walls.
    pub(crate) fn walled(discs: u32, packing: f64) -> Self {
        Crowd { discs, packing, is_periodic: false }
    }

    /// Its start: a triangular lattice, or a square one between walls; numbered along a Hilbert curve.
    pub(crate) fn world(&self, scheduler: SchedulerKind) -> Result<World, Box<dyn Error>> {
        let mut scene = Scene::new("many");
        scene.gases.push(Gas {
            placement: if self.is_periodic { Placement::Hexagonal } else { Placement::Square },
            temperature: Some(1.0),
            zero_momentum: true,
            order: Some(Order::Curve),
            ..Gas::packed(self.discs.into(), Radii::Same(0.5), self.packing, SEED)
        });
        scene.periodic.gas = self.is_periodic.then_some(0);
        let start = scene.expand()?;
        let mut world = World::with_settings(
            Settings::default()
                .with_period(start.periods)
                .with_budget(u64::MAX)
                .with_record_events(false)
                .with_scheduler(scheduler),
        )?;
        if let (false, Some(&Region::Rectangle { min, max })) = (self.is_periodic, start.regions.first()) {
            world.add_wall(Wall::container(min, max))?;
        }
        world.reserve(start.discs.len());
        for disc in start.discs {
            world.insert(Disc::new(disc.position, disc.radius).with_velocity(disc.velocity))?;
        }
        Ok(world)
    }
}
