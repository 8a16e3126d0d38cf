//! Scenes to keep, and links to share them.

use super::link::{self, PREFIX, Promise};
use super::{SeenDisc, Session, samples};
use crate::base64::encoded;
use carom_engine::{Overlap, WallShape};
use carom_scene::{Overlaps, Periodic, Scene, SceneDisc, SceneWall};

impl Session {
    /// The world at the present time as a scene, with every digit.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let world = self.world();
        let mut scene = Scene::new(&self.name);
        // What has come to rest overlaps by rounding.
        scene.overlaps = Overlaps::Allow;
        scene.gravity = world.forces().gravity();
        scene.weight = world.forces().weight();
        let settings = world.settings();
        scene.settings.drag = settings.drag;
        scene.settings.growth_rate = world.growth();
        scene.settings.restitution = settings.restitution;
        scene.settings.simultaneous = settings.simultaneous;
        scene.settings.crush = settings.crush;
        let [x, y] = settings.period;
        scene.periodic = Periodic { x, y, ..Periodic::default() };
        scene.discs = world
            .discs()
            .map(|disc| {
                let look = self.look(disc.id()).cloned().unwrap_or_default();
                SceneDisc { label: look.label, colour: look.colour, stripe: look.stripe, ..saved(&disc) }
            })
            .collect();
        scene.walls = world
            .walls()
            .map(|(id, wall)| {
                let shape: WallShape =
                    world.wall_shape(id).map_or_else(|| wall.shape.clone(), |shape| shape.into_owned());
                SceneWall { restitution: wall.restitution, rules: wall.rules, ..SceneWall::new(shape) }
            })
            .collect();
        scene
    }

    /// The world at the present time as text, for a file; the reason if it is none.
    ///
    /// # Errors
    /// If the world is larger than a scene may be.
    pub fn saved(&self) -> Result<String, String> {
        self.scene().to_json().map_err(|error| error.to_string())
    }

    /// The world at the present time as what follows the `#` of a link. [`Session::open`] takes it, and
    /// the world that it opens goes on with the same bits as one that was built of the same scene. It ends
    /// with the hash of its result, by which who opens it knows that: see [`Session::promise`].
    ///
    /// # Errors
    /// If the world is larger than a scene may be.
    pub fn share(&self) -> Result<String, String> {
        let text = self.saved()?;
        let result = link::result(samples::open(&text)?.world);
        Ok(format!("{PREFIX}{}.{result:016x}", encoded(text.as_bytes())))
    }

    /// What the link that was opened tells of its result, and what it is here.
    #[must_use]
    pub fn promise(&self) -> Option<Promise> {
        self.promise
    }

    /// A hash of the time, and of position and velocity of each disc then: FNV-1a, 64 bits.
    #[must_use]
    pub fn hash(&self) -> u64 {
        link::hash(self.world())
    }
}

fn saved(disc: &SeenDisc) -> SceneDisc {
    let body = disc.body();
    SceneDisc {
        velocity: disc.velocity(),
        mass: disc.mass(),
        restitution: disc.restitution(),
        rules: disc.rules(),
        acceleration: body.acceleration,
        gravity_scale: body.gravity_scale,
        friction: body.friction,
        allow_overlap: disc.overlap() == Overlap::Allow,
        ..SceneDisc::new(disc.position(), disc.radius())
    }
}
