use super::prelude::*;
use crate::rapier_gas::Ccd;
use crate::run::Gas;
use crate::scene::{FRAMES_PER_SECOND, RADIUS, Scene, State};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct RapierGas {
    world: PhysicsWorld,
    discs: Vec<RigidBodyHandle>,
    per_frame: usize,
    size: [f64; 2],
    started: Started,
}

impl RapierGas {
    /// With this many steps per frame.
    pub(crate) fn new(scene: &Scene, per_frame: usize, ccd: Ccd) -> RapierGas {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        world.integration_parameters.dt = 1.0 / (per_frame * FRAMES_PER_SECOND) as Real;
        if ccd == Ccd::Off {
            world.integration_parameters.max_ccd_substeps = 0;
        }
        let soft = if ccd == Ccd::Soft { 2.0 * RADIUS } else { 0.0 };
        let elastic = |collider: ColliderBuilder| {
            collider
                .restitution(1.0)
                .friction(0.0)
                .restitution_combine_rule(CoefficientCombineRule::Max)
                .friction_combine_rule(CoefficientCombineRule::Min)
        };
        for [place, [width, height]] in scene.walls() {
            let (width, height, place) = (width as Real, height as Real, vector(place));
            world.insert_collider(elastic(ColliderBuilder::cuboid(width, height)).translation(place), None);
        }
        let discs = scene
            .states
            .iter()
            .map(|state| {
                let body = RigidBodyBuilder::dynamic()
                    .translation(vector(state.position))
                    .linvel(vector(state.velocity))
                    .linear_damping(0.0)
                    .angular_damping(0.0)
                    .can_sleep(false)
                    .ccd_enabled(ccd == Ccd::Bullets)
                    .soft_ccd_prediction(soft as Real);
                let ball = elastic(ColliderBuilder::ball(RADIUS as Real))
                    .active_events(ActiveEvents::COLLISION_EVENTS);
                world.insert(body, ball).0
            })
            .collect();
        RapierGas { world, discs, per_frame, size: scene.size, started: Started::default() }
    }
}

impl Gas for RapierGas {
    fn frame(&mut self) {
        for _ in 0..self.per_frame {
            self.world.step_with_events(&(), &self.started);
        }
    }

    fn collisions(&self) -> u64 {
        self.started.0.load(Ordering::Relaxed)
    }

    fn states(&mut self, into: &mut Vec<State>) {
        into.clear();
        into.extend(self.discs.iter().map(|&disc| {
            let body = &self.world.bodies[disc];
            State { position: array(body.translation()), velocity: array(body.linvel()) }
        }));
    }

    fn size(&self) -> [f64; 2] {
        self.size
    }
}

fn vector([x, y]: [f64; 2]) -> Vector {
    Vector::new(x as Real, y as Real)
}

fn array(v: Vector) -> [f64; 2] {
    [v.x.into(), v.y.into()]
}

/// Contacts of two discs that have started.
#[derive(Default)]
struct Started(AtomicU64);

impl EventHandler for Started {
    fn handle_collision_event(
        &self,
        _bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _contact_pair: Option<&ContactPair>,
    ) {
        let is_disc = |handle| colliders.get(handle).is_some_and(|c: &Collider| c.parent().is_some());
        if event.started() && is_disc(event.collider1()) && is_disc(event.collider2()) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn handle_contact_force_event(
        &self,
        _dt: Real,
        _bodies: &RigidBodySet,
        _colliders: &ColliderSet,
        _contact_pair: &ContactPair,
        _total_force_magnitude: Real,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _soft_bodies: &SoftBodySet, _event: &SoftBodyTearEvent) {}
}
