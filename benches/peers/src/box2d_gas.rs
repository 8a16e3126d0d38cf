//! The gas in Box2D, through the crate `boxdd`.

use crate::run::Gas;
use crate::scene::{FRAMES_PER_SECOND, RADIUS, Scene, State};
use boxdd::{
    Body, BodyBuilder, BodyId, BodyType, Foundation, Position, Result, ShapeDef, ShapeId, SurfaceMaterial,
    Transform, Vec2, World, WorldBuilder, shapes,
};

/// Parts of a step, as its makers have it.
const SUB_STEPS: i32 = 4;

pub(crate) struct Box2dGas {
    world: World,
    discs: Vec<BodyId>,
    walls: Vec<ShapeId>,
    per_frame: usize,
    size: [f64; 2],
    begun: u64,
}

impl Box2dGas {
    /// With this many steps per frame; as `bullets` discs are swept against each other, too.
    pub(crate) fn new(scene: &Scene, per_frame: usize, bullets: bool) -> Box2dGas {
        Box2dGas::build(scene, per_frame, bullets).expect("the scene is in Box2D's range")
    }

    fn build(scene: &Scene, per_frame: usize, bullets: bool) -> Result<Box2dGas> {
        let foundation = Foundation::initialize_default()?;
        let settings = WorldBuilder::from(foundation.world_def()).gravity([0.0, 0.0]).enable_sleep(false);
        // Every impact is elastic, also a slow one.
        let mut world = foundation.create_world(settings.restitution_threshold(0.0).build()?)?;
        let material = SurfaceMaterial::new().with_friction(0.0)?.with_restitution(1.0)?;
        let elastic = ShapeDef::builder().material(material).enable_contact_events(true).build()?;

        let room = world.create_body(foundation.body_def())?;
        let mut walls = Vec::new();
        for [place, [width, height]] in scene.walls() {
            let place = Transform::from_pos_angle(vector(place), 0.0)?;
            let shape = shapes::offset_box_polygon(width as f32, height as f32, place)?;
            walls.push(world.body(room)?.create_polygon(&elastic, &shape)?);
        }
        let mut discs = Vec::new();
        for state in &scene.states {
            let body = BodyBuilder::from(foundation.body_def())
                .body_type(BodyType::Dynamic)
                .position(Position::from(vector(state.position)))
                .linear_velocity(vector(state.velocity))
                .bullet(bullets);
            let id = world.create_body(body.build()?)?;
            world.body(id)?.create_centered_circle(&elastic, RADIUS as f32)?;
            discs.push(id);
        }
        Ok(Box2dGas { world, discs, walls, per_frame, size: scene.size, begun: 0 })
    }

    fn step(&mut self) -> Result<()> {
        let dt = 1.0 / (self.per_frame * FRAMES_PER_SECOND) as f32;
        let step = self.world.step(dt, SUB_STEPS)?;
        let contacts = step.contact_events()?;
        let of_discs = |shape: &ShapeId| !self.walls.contains(shape);
        let met = contacts.begin().iter().filter(|met| of_discs(&met.shape_a) && of_discs(&met.shape_b));
        self.begun += met.count() as u64;
        Ok(())
    }
}

impl Gas for Box2dGas {
    fn frame(&mut self) {
        for _ in 0..self.per_frame {
            self.step().expect("nothing else holds the world");
        }
    }

    fn collisions(&self) -> u64 {
        self.begun
    }

    fn states(&mut self, into: &mut Vec<State>) {
        into.clear();
        into.extend(self.discs.iter().map(|&disc| {
            let read = |body: Body<'_>| Ok((body.position()?, body.linear_velocity()?));
            let (place, velocity) = self.world.body(disc).and_then(read).expect("no disc is taken away");
            State {
                position: [place.x.into(), place.y.into()],
                velocity: [velocity.x.into(), velocity.y.into()],
            }
        }));
    }

    fn size(&self) -> [f64; 2] {
        self.size
    }
}

fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}
