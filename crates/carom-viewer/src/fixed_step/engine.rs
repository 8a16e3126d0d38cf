use super::passing::passes;
use super::walls::{colliders, vector};
use carom_engine::{CombineRule, DVec2, Rules};
use carom_scene::{Scene, SceneDisc, SceneShape};
use rapier2d_f64::prelude::{
    ActiveEvents, CoefficientCombineRule, ColliderBuilder, ColliderSet, CollisionEvent, ContactPair,
    EventHandler, PhysicsWorld, Real, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, SoftBodySet,
    SoftBodyTearEvent,
};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// The most discs: all pairs are looked at after each step.
const MANY: usize = 300;
/// What a wall has in place of the number of a disc.
const WALL: u128 = u128::MAX;

/// A scene in rapier2d, in double precision: steps of a fixed length, with continuous collision detection
/// for every disc.
///
/// Restitutions combine as they do in the scene, there is no friction between discs, nothing turns and
/// nothing falls asleep; its unit of length is the mean diameter. All other parameters are rapier's own.
pub struct FixedStep {
    world: PhysicsWorld,
    discs: Vec<(RigidBodyHandle, SceneDisc)>,
    dt: f64,
    start: f64,
    steps: u64,
    before: Vec<DVec2>,
    after: Vec<DVec2>,
    started: Started,
    impacts: u64,
    passed: BTreeSet<(usize, usize)>,
}

impl FixedStep {
    /// The discs and walls of a scene, at a time in seconds, in steps of `dt` seconds.
    ///
    /// # Errors
    /// What of the scene has no counterpart in rapier2d.
    pub fn new(scene: &Scene, start: f64, dt: f64) -> Result<Self, String> {
        check(scene)?;
        let mut world = PhysicsWorld::new();
        world.gravity = vector(scene.gravity);
        world.integration_parameters.dt = dt;
        let diameters: f64 = scene.discs.iter().map(|disc| 2.0 * disc.radius).sum();
        world.integration_parameters.length_unit = diameters / scene.discs.len().max(1) as f64;
        for wall in &scene.walls {
            let SceneShape::Given(shape) = &wall.shape else { continue };
            for collider in colliders(shape)? {
                let collider = material(collider, scene, wall.restitution).user_data(WALL);
                world.insert_collider(collider, None);
            }
        }
        let discs: Vec<_> = scene
            .discs
            .iter()
            .enumerate()
            .map(|(number, disc)| (insert(&mut world, scene, number, disc), disc.clone()))
            .collect();
        let places: Vec<DVec2> = scene.discs.iter().map(|disc| disc.position).collect();
        Ok(FixedStep {
            world,
            discs,
            dt,
            start,
            steps: 0,
            before: places.clone(),
            after: places,
            started: Started::default(),
            impacts: 0,
            passed: BTreeSet::new(),
        })
    }

    /// The length of a step, in seconds.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The time at which it began.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The time of its last step.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.start + self.steps as f64 * self.dt
    }

    /// The time of the step before that.
    #[must_use]
    pub fn time_before(&self) -> f64 {
        self.start + self.steps.saturating_sub(1) as f64 * self.dt
    }

    /// Goes to the first step that is not before a time, in at most this many steps; says whether it got
    /// there. A step costs `O(N²)` for N discs.
    pub fn advance_to(&mut self, time: f64, most: u64) -> bool {
        for _ in 0..most {
            if self.time() >= time {
                return true;
            }
            self.step();
        }
        self.time() >= time
    }

    fn step(&mut self) {
        self.world.step_with_events(&(), &self.started);
        self.steps += 1;
        std::mem::swap(&mut self.before, &mut self.after);
        let bodies = &self.world.bodies;
        self.after.clear();
        self.after.extend(self.discs.iter().map(|(handle, disc)| {
            let body = bodies.get(*handle);
            body.map_or(disc.position, |body| DVec2::new(body.translation().x, body.translation().y))
        }));
        let started = self.started.take();
        self.impacts += started.len() as u64;
        self.look_for_passing(&started);
    }

    /// Notes the pairs that have passed through each other in the last step.
    fn look_for_passing(&mut self, met: &[(u128, u128)]) {
        for (j, (_, b)) in self.discs.iter().enumerate() {
            for (i, (_, a)) in self.discs.iter().enumerate().take(j) {
                let [from, to] = [&self.before, &self.after].map(|places| places[j] - places[i]);
                let is_met = || {
                    let pair = (i as u128, j as u128);
                    met.iter().any(|&(x, y)| (x.min(y), x.max(y)) == pair)
                };
                if passes(from, to, a.radius + b.radius) && !is_met() {
                    self.passed.insert((i, j));
                }
            }
        }
    }

    /// Where a disc is at a time between the last two steps: on the straight line between its places then.
    #[must_use]
    pub fn place(&self, number: usize, time: f64) -> Option<DVec2> {
        let (before, after) = (self.before.get(number)?, self.after.get(number)?);
        let part = ((time - self.time_before()) / self.dt).clamp(0.0, 1.0);
        Some(if self.steps == 0 { *after } else { before.lerp(*after, part) })
    }

    /// How many contacts of two discs, or of a disc and a wall, have begun.
    #[must_use]
    pub fn impacts(&self) -> u64 {
        self.impacts
    }

    /// The pairs of discs that were apart before a step and after it, that overlapped between if both
    /// moved straight, and of which no contact began.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.passed.len()
    }

    /// The depth of the deepest overlap of two discs, and 0 if there is none.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let mut most = 0.0_f64;
        for (j, (_, b)) in self.discs.iter().enumerate() {
            for (i, (_, a)) in self.discs.iter().enumerate().take(j) {
                most = most.max(a.radius + b.radius - self.after[i].distance(self.after[j]));
            }
        }
        most
    }

    /// Kinetic and potential energy of the discs of finite mass, as of its last step.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let gravity = DVec2::new(self.world.gravity.x, self.world.gravity.y);
        let finite = self.discs.iter().zip(&self.after).filter(|((_, disc), _)| disc.mass.is_finite());
        let energy = finite.filter_map(|((handle, disc), place)| {
            let v = self.world.bodies.get(*handle)?.linvel();
            let force = gravity * disc.gravity_scale + disc.acceleration;
            Some(disc.mass * (0.5 * (v.x * v.x + v.y * v.y) - force.dot(*place)))
        });
        energy.sum()
    }
}

/// What has no counterpart in rapier.
fn check(scene: &Scene) -> Result<(), String> {
    let is_periodic = scene.periodic.x.is_some() || scene.periodic.y.is_some();
    let discs = &scene.discs;
    let usual = Rules::new();
    let says = if discs.len() > MANY {
        "it is compared for up to 300 discs"
    } else if is_periodic {
        "rapier2d has no planes that repeat themselves"
    } else if scene.is_rough() {
        "how surfaces rub is not carried over"
    } else if discs.iter().any(|disc| disc.mass == 0.0 || disc.radius == 0.0) {
        "rapier2d has no discs without mass or radius"
    } else if discs.iter().any(|disc| disc.friction > 0.0) {
        "rapier2d has no sliding friction with a table"
    } else if discs.iter().any(|disc| disc.speed_limit.is_some()) {
        "rapier2d has no limit of the speed of a disc"
    } else if discs.iter().any(|disc| disc.rules != usual)
        || scene.walls.iter().any(|wall| wall.rules != usual)
    {
        "rules of what collides with what are not carried over"
    } else {
        return Ok(());
    };
    Err(says.to_owned())
}

fn insert(world: &mut PhysicsWorld, scene: &Scene, number: usize, disc: &SceneDisc) -> RigidBodyHandle {
    let body = if disc.mass.is_finite() {
        RigidBodyBuilder::dynamic()
    } else {
        RigidBodyBuilder::kinematic_velocity_based()
    };
    let body = body
        .translation(vector(disc.position))
        .linvel(vector(disc.velocity))
        .gravity_scale(disc.gravity_scale)
        .linear_damping(scene.settings.drag)
        .angular_damping(0.0)
        .lock_rotations()
        .can_sleep(false)
        .ccd_enabled(true);
    let ball = material(ColliderBuilder::ball(disc.radius), scene, disc.restitution)
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .user_data(number as u128);
    let ball = if disc.mass.is_finite() { ball.mass(disc.mass) } else { ball };
    let (handle, _) = world.insert(body, ball);
    if let Some(body) = world.bodies.get_mut(handle)
        && disc.mass.is_finite()
    {
        body.add_force(vector(disc.acceleration * disc.mass), true);
    }
    handle
}

fn material(collider: ColliderBuilder, scene: &Scene, restitution: f64) -> ColliderBuilder {
    let rule = match scene.settings.restitution {
        CombineRule::Minimum => CoefficientCombineRule::Min,
        CombineRule::Maximum => CoefficientCombineRule::Max,
        CombineRule::Average => CoefficientCombineRule::Average,
        CombineRule::Product => CoefficientCombineRule::Multiply,
        _ => CoefficientCombineRule::GeometricMean,
    };
    collider
        .restitution(restitution)
        .restitution_combine_rule(rule)
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min)
}

/// The pairs of which a contact has begun.
#[derive(Default)]
struct Started(Mutex<Vec<(u128, u128)>>);

impl Started {
    fn take(&self) -> Vec<(u128, u128)> {
        self.0.lock().map(|mut pairs| std::mem::take(&mut *pairs)).unwrap_or_default()
    }
}

impl EventHandler for Started {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        let [a, b] = [event.collider1(), event.collider2()].map(|handle| colliders.get(handle));
        if let (true, Some(a), Some(b), Ok(mut pairs)) = (event.started(), a, b, self.0.lock()) {
            pairs.push((a.user_data, b.user_data));
        }
    }

    fn handle_contact_force_event(
        &self,
        _: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: Real,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
