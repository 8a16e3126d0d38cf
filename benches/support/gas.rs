//! The named gases, warmed up.

use super::crowd::Crowd;
use carom::{DVec2, SchedulerKind, World};
use carom_scene::Scene;

/// A gas of equal discs in a square, with some collisions per disc behind it.
pub(crate) struct Gas {
    /// Not recording events.
    pub(crate) world: World,
    /// Side of the square, in radii.
    pub(crate) side: f64,
    /// Its lower left corner.
    corner: DVec2,
    radius: f64,
}

/// The named scene, warmed up.
pub(crate) fn warm(scene: &str) -> Gas {
    let built = Scene::named(scene).and_then(|scene| scene.build()).expect("a named scene builds");
    warmed(built.world)
}

/// This many discs at a packing fraction of 0.3, warmed up.
pub(crate) fn warm_of(discs: u32) -> Gas {
    warmed(Crowd::walled(discs, 0.3).world(SchedulerKind::Fastest).expect("it builds"))
}

fn warmed(mut world: World) -> Gas {
    world.set_record_events(false);
    let events = 20 * world.len() as u64;
    run(&mut world, events);
    let (_, wall) = world.walls().next().expect("the gas is in a box");
    let carom::WallShape::Container { min, max } = wall.shape else { panic!("the box is a container") };
    let side = max - min;
    assert!((side.x - side.y).abs() < 1e-9 * side.x, "the bare programs know only squares");
    let radius = world.discs().next().map_or(1.0, |(_, disc)| disc.radius);
    Gas { world, side: side.x / radius, corner: min, radius }
}

/// Runs for exactly this many events.
pub(crate) fn run(world: &mut World, events: u64) {
    world.set_budget(events);
    let end = world.advance(1e9).expect("the time is in range");
    assert_eq!(end.events, events);
}

impl Gas {
    /// Positions from the corner, and velocities, in radii: the bare programs know only unit discs.
    pub(crate) fn states(&self) -> Vec<(DVec2, DVec2)> {
        let state = |disc: carom::Disc| {
            assert_eq!(disc.radius, self.radius, "the bare programs know only equal discs");
            ((disc.position - self.corner) / self.radius, disc.velocity / self.radius)
        };
        self.world.discs().map(|(_, disc)| state(disc)).collect()
    }
}
