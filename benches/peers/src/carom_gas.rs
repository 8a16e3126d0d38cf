//! The gas in Carom.

use crate::run::Gas;
use crate::scene::{FRAMES_PER_SECOND, RADIUS, Scene, State};
use carom::{DVec2, Disc, Event, Partner, Wall, World};

pub(crate) struct CaromGas {
    world: World,
    side: f64,
    frames: usize,
    collisions: u64,
}

impl CaromGas {
    pub(crate) fn new(scene: &Scene) -> CaromGas {
        let mut world = World::new();
        let square = Wall::container(DVec2::ZERO, DVec2::splat(scene.side));
        world.add_wall(square).expect("the box is a container");
        for state in &scene.states {
            let disc = Disc::new(state.position, RADIUS).with_velocity(state.velocity);
            world.insert(disc).expect("discs of the scene are apart");
        }
        CaromGas { world, side: scene.side, frames: 0, collisions: 0 }
    }
}

impl Gas for CaromGas {
    fn frame(&mut self) {
        self.frames += 1;
        let until = self.frames as f64 / FRAMES_PER_SECOND as f64;
        let collisions = &mut self.collisions;
        let mut count = |event: &Event| {
            let met = event.impact().map(|impact| impact.b);
            *collisions += u64::from(matches!(met, Some(Partner::Disc(_))));
        };
        let end = self.world.advance_to_with(until, &mut count).expect("the time is ahead");
        assert_eq!(end.end, carom::StopReason::Reached);
    }

    fn collisions(&self) -> u64 {
        self.collisions
    }

    fn states(&self, into: &mut Vec<State>) {
        into.clear();
        let state = |disc: Disc| State { position: disc.position.into(), velocity: disc.velocity.into() };
        into.extend(self.world.discs().map(|(_, disc)| state(disc)));
    }

    fn side(&self) -> f64 {
        self.side
    }
}
