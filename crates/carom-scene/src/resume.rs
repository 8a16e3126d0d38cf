//! From a world that ran, and was saved, back to what a scene builds.

use crate::build::Built;
use crate::error::SceneError;
use crate::model::{Scene, SceneDisc};
use crate::origins::Origins;
use crate::physics::{self, ScenePhysics};
use carom_engine::World;
use carom_engine::math::Shown;

impl Scene {
    /// Puts a world that [`Scene::build`] made of this scene, and that has run since, together with what is
    /// needed to speak of its discs and walls in the terms of the file. `O(N)`; gases are not placed again.
    ///
    /// # Errors
    /// A value of the scene is not allowed, it has forces and the physics has none, or the world has other
    /// periods, or not exactly the discs and walls of the scene, numbered in their user data.
    pub fn resume<P: ScenePhysics>(&self, world: World<P>) -> Result<Built<P>, SceneError> {
        self.check()?;
        physics::of_scene::<P>(self)?;
        let (own, worlds) = (self.periods()?, [world.periods().x(), world.periods().y()]);
        if own != worlds {
            let words = |periods: [Option<f64>; 2]| {
                periods
                    .map(|period| period.map_or_else(|| "none".to_owned(), |p| Shown(p).to_string()))
                    .join(" and ")
            };
            let why = format!("its periods are {}, those of the scene {}", words(worlds), words(own));
            return Err(SceneError::OtherWorld { why });
        }
        let discs = world.discs().map(|(id, disc)| (disc.user_data, id));
        let discs = in_file_order(discs, self.count_discs()?, "discs")?;
        let walls = world.walls().map(|(id, wall)| (wall.user_data, id));
        let walls = in_file_order(walls, self.walls.len() as u64, "walls")?;
        let mut looks = Vec::with_capacity(discs.len());
        looks.extend(self.discs.iter().map(SceneDisc::look));
        for rack in &self.racks {
            looks.extend(rack.balls().iter().map(SceneDisc::look));
        }
        for gas in &self.gases {
            looks.resize(looks.len() + gas.count as usize, gas.look());
        }
        let origins = Origins::of(self);
        Ok(Built { world, discs, walls, moved: Vec::new(), parted: None, grown: None, looks, origins })
    }
}

/// Handles by the numbers that go with them, each from 0 to `count` once.
fn in_file_order<T>(
    numbered: impl Iterator<Item = (u64, T)>,
    count: u64,
    what: &str,
) -> Result<Vec<T>, SceneError> {
    let mut all: Vec<(u64, T)> = numbered.collect();
    all.sort_by_key(|(number, _)| *number);
    if all.len() as u64 != count {
        let why = format!("it has {} {what}, the scene has {count}", all.len());
        return Err(SceneError::OtherWorld { why });
    }
    if let Some(wrong) = all.iter().zip(0..).position(|((number, _), index)| *number != index) {
        let why = format!("none of its {what} has the number {wrong}");
        return Err(SceneError::OtherWorld { why });
    }
    Ok(all.into_iter().map(|(_, id)| id).collect())
}
