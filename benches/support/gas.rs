//! The named gases, warmed up.

use carom::{DVec2, World};
use carom_scene::Scene;

/// A gas of unit discs in a square, with some collisions per disc behind it.
pub(crate) struct Gas {
    /// Not recording events.
    pub(crate) world: World,
    /// Side of the square.
    pub(crate) side: f64,
    /// Its lower left corner.
    corner: DVec2,
}

/// The named scene, warmed up.
pub(crate) fn warm(scene: &str) -> Gas {
    let mut built = Scene::named(scene).and_then(|scene| scene.build()).expect("a named scene builds");
    built.world.set_record_events(false);
    let events = 20 * built.world.len() as u64;
    run(&mut built.world, events);
    let (_, wall) = built.world.walls().next().expect("the gas is in a box");
    let carom::WallShape::Container { min, max } = wall.shape else { panic!("the box is a container") };
    let side = max - min;
    assert!((side.x - side.y).abs() < 1e-9 * side.x, "the bare program knows only squares");
    Gas { world: built.world, side: side.x, corner: min }
}

/// Runs for exactly so many events.
pub(crate) fn run(world: &mut World, events: u64) {
    world.set_budget(events);
    let end = world.advance(1e9).expect("the time is in range");
    assert_eq!(end.events, events);
}

impl Gas {
    /// Positions from the corner, and velocities.
    pub(crate) fn states(&self) -> Vec<(DVec2, DVec2)> {
        let state = |disc: carom::Disc| {
            assert_eq!(disc.radius, 1.0, "the bare program knows only unit discs");
            (disc.position - self.corner, disc.velocity)
        };
        self.world.discs().map(|(_, disc)| state(disc)).collect()
    }
}
