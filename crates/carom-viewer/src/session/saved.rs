//! Scenes to keep, and links to share.

use super::{SeenDisc, Session};
use crate::base64::encoded;
use carom_engine::{Overlap, Time, WallShape};
use carom_scene::{Overlaps, Periodic, Scene, SceneDisc, SceneWall};

/// What a link begins with: the version of its form.
pub(super) const PREFIX: &str = "c1.";

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
    /// the world that it opens goes on with the same bits as one that was built of the same scene.
    ///
    /// # Errors
    /// If the world is larger than a scene may be.
    pub fn share(&self) -> Result<String, String> {
        Ok(format!("{PREFIX}{}", encoded(self.saved()?.as_bytes())))
    }

    /// A hash of the time, and of position and velocity of each disc then: FNV-1a, 64 bits.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |bits: u64| {
            for byte in bits.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        let world = self.world();
        let now: Time = world.now();
        take(now.epoch_start().to_bits());
        take(now.offset().to_bits());
        for disc in world.discs() {
            let (position, velocity) = (disc.position(), disc.velocity());
            [position.x, position.y, velocity.x, velocity.y]
                .map(f64::to_bits)
                .into_iter()
                .for_each(&mut take);
        }
        hash
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
