//! Scenes to keep, and links to share them.

use super::link::{self, PREFIX};
use super::{SeenDisc, Session, samples};
use crate::link::{MOST_LETTERS, Promise, letters, sealed, size};
use carom_engine::Overlap;
use carom_scene::{MAX_FILE_BYTES, Overlaps, Periodic, Scene, SceneDisc, SceneRoughness, SceneWall};

/// This many discs are written to see how long the text of more of them would be.
const SAMPLE: usize = 1000;

/// What a world is written as.
#[derive(Clone, Copy, Debug)]
enum Form {
    File,
    Link,
}

impl Form {
    fn written(self, scene: &Scene) -> Result<String, String> {
        let json = scene.to_json().map_err(|error| error.to_string())?;
        Ok(match self {
            Form::File => json,
            Form::Link => letters(&json),
        })
    }

    /// The most bytes that can be read again.
    fn most(self) -> usize {
        match self {
            Form::File => MAX_FILE_BYTES as usize,
            Form::Link => MOST_LETTERS,
        }
    }

    fn refusal(self, bytes: usize) -> String {
        let (bytes, most) = (size(bytes), size(self.most()));
        match self {
            Form::File => {
                format!("the world is too large for a file: {bytes}, and a scene has at most {most}")
            }
            Form::Link => {
                format!("the world is too large for a link: {bytes}, and an address has at most {most}")
            }
        }
    }
}

impl Session {
    /// How many events a run has whose result a link tells, from the state in the link on. It has fewer where
    /// no more come, or none in 1000 s.
    pub const PROMISED: u64 = link::RESULT.0;

    /// The world at the present time as a scene, with every digit.
    #[must_use]
    pub fn scene(&self) -> Scene {
        self.scene_of_every(1)
    }

    /// The scene with every n-th of its discs, from the first on.
    fn scene_of_every(&self, n: usize) -> Scene {
        let world = self.world();
        let mut scene = Scene::new(&self.name);
        // What has come to rest overlaps by rounding.
        scene.overlaps = Overlaps::Allow;
        scene.gravity = world.forces().gravity();
        scene.weight = world.forces().weight();
        scene.roughness = world.roughness().map(SceneRoughness::from);
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
            .step_by(n)
            .map(|disc| {
                let look = self.look(disc.id()).cloned().unwrap_or_default();
                SceneDisc { label: look.label, colour: look.colour, stripe: look.stripe, ..saved(&disc) }
            })
            .collect();
        scene.walls = world
            .walls()
            .filter_map(|id| world.wall(id))
            .map(|wall| SceneWall {
                restitution: wall.restitution,
                rules: wall.rules,
                roughness: wall.surface.roughness().map(SceneRoughness::from),
                surface_speed: wall.surface.surface_speed(),
                ..SceneWall::new(wall.shape)
            })
            .collect();
        scene
    }

    /// The world in a form, if that is not too long. One that is by far is refused without being written: of
    /// a million discs that would take many seconds.
    fn written(&self, form: Form) -> Result<String, String> {
        let count = self.world().len();
        if count > SAMPLE {
            let about = self.bytes_about(form)?;
            if about > 2 * form.most() {
                return Err(form.refusal(about));
            }
        }
        let text = form.written(&self.scene())?;
        if text.len() > form.most() { Err(form.refusal(text.len())) } else { Ok(text) }
    }

    /// The bytes of a form, about: of some discs from all parts of the list, in proportion.
    fn bytes_about(&self, form: Form) -> Result<usize, String> {
        let count = self.world().len();
        let every = count.div_ceil(SAMPLE);
        let bytes = |every| form.written(&self.scene_of_every(every)).map(|text| text.len());
        let (of_one, of_some) = (bytes(count)?, bytes(every)?);
        let of_others = of_some.saturating_sub(of_one) as f64 / (count.div_ceil(every) - 1) as f64;
        Ok(of_one + (of_others * (count - 1) as f64) as usize)
    }

    /// The world at the present time as text, for a file; the reason if it is none.
    ///
    /// # Errors
    /// If the world is larger than a scene may be, or than a file of one may be.
    pub fn saved(&self) -> Result<String, String> {
        self.written(Form::File)
    }

    /// The world at the present time as what follows the `#` of a link. [`Session::open`] takes it, and
    /// the world that it opens goes on with the same bits as one that was built of the same scene. It ends
    /// with the hash of its result, by which who opens it knows that: see [`Session::promise`].
    ///
    /// # Errors
    /// If the world is larger than a scene or an address may be.
    pub fn share(&self) -> Result<String, String> {
        let letters = self.written(Form::Link)?;
        let result = link::result(samples::open(&format!("{PREFIX}{letters}"))?.world);
        Ok(sealed(PREFIX, &letters, result))
    }

    /// What the link that was opened tells of its result, and what it is here.
    #[must_use]
    pub fn promise(&self) -> Option<Promise> {
        self.promise
    }

    /// A hash of the time, and of position, velocity and spin of each disc then: FNV-1a, 64 bits.
    #[must_use]
    pub fn hash(&self) -> u64 {
        link::hash(self.world())
    }
}

fn saved(disc: &SeenDisc) -> SceneDisc {
    let (body, whole) = (disc.body(), disc.to_disc());
    SceneDisc {
        velocity: disc.velocity(),
        mass: disc.mass(),
        restitution: disc.restitution(),
        rules: disc.rules(),
        acceleration: body.acceleration,
        gravity_scale: body.gravity_scale,
        friction: body.friction,
        speed_limit: (body.speed_limit < f64::INFINITY).then_some(body.speed_limit),
        roughness: whole.body.roughness.map(SceneRoughness::from),
        inertia: whole.body.inertia,
        angle: whole.extra.angle,
        angular_velocity: whole.extra.angular_velocity,
        allow_overlap: disc.overlap() == Overlap::Allow,
        ..SceneDisc::new(disc.position(), disc.radius())
    }
}
