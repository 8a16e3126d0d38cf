//! The gas in Carom.

use crate::run::Gas;
use crate::scene::{FRAMES_PER_SECOND, RADIUS, Scene, State};
use carom::{DVec2, Disc, Event, Partner, Wall, World};

pub(crate) struct CaromGas {
    world: World,
    size: [f64; 2],
    per_frame: usize,
    advanced: usize,
    collisions: u64,
}

impl CaromGas {
    /// That is advanced this many times a frame.
    pub(crate) fn new(scene: &Scene, per_frame: usize) -> CaromGas {
        let mut world = World::new();
        let walls = Wall::container(DVec2::ZERO, scene.size);
        world.add_wall(walls).expect("the box is a container");
        for state in &scene.states {
            let disc = Disc::new(state.position, RADIUS).with_velocity(state.velocity);
            world.insert(disc).expect("discs of the scene are apart");
        }
        CaromGas { world, size: scene.size, per_frame, advanced: 0, collisions: 0 }
    }
}

impl Gas for CaromGas {
    fn frame(&mut self) {
        let collisions = &mut self.collisions;
        let mut count = |event: &Event| {
            let met = event.impact().map(|impact| impact.b);
            *collisions += u64::from(matches!(met, Some(Partner::Disc(_))));
        };
        for _ in 0..self.per_frame {
            self.advanced += 1;
            let until = self.advanced as f64 / (self.per_frame * FRAMES_PER_SECOND) as f64;
            let end = self.world.advance_to_with(until, &mut count).expect("the time is ahead");
            assert_eq!(end.end, carom::StopReason::Reached);
        }
    }

    fn collisions(&self) -> u64 {
        self.collisions
    }

    fn states(&mut self, into: &mut Vec<State>) {
        into.clear();
        let state = |disc: Disc| State { position: disc.position.into(), velocity: disc.velocity.into() };
        into.extend(self.world.discs().map(|(_, disc)| state(disc)));
    }

    fn size(&self) -> [f64; 2] {
        self.size
    }
}
