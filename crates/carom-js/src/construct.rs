//! Making worlds: from scenes, and as copies.

use crate::body::roughness;
use crate::engine::{Engine, exactly};
use crate::keep::Keep;
use crate::laws::{Laws, RoughRuled, Ruled};
use crate::refused::Refused;
use crate::room::Room;
use carom_engine::Smooth;
use carom_scene::{RunHash, Scene, Source, Syntax};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// The world of a scene: a text in TOML or JSON. It has forces if the scene has any, or if they are asked
    /// for. Its discs rub if those of the scene do, or if the three numbers of a roughness are given, which
    /// is that of all that has none of its own.
    ///
    /// # Errors
    /// The text is no scene, or a number is not allowed; the error says where and what.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, forces: bool, rough: &[f64]) -> Result<Engine, Refused> {
        let is_json = text.trim_start().starts_with('{');
        let syntax = if is_json { Syntax::Json } else { Syntax::Toml };
        let source = Source::new("scene", text, syntax);
        let mut scene = source.scene()?;
        if !rough.is_empty() {
            scene.roughness = Some(roughness("rough", exactly(rough)?)?.into());
        }
        let room = Room::of_scene(&scene, forces).map_err(|error| source.explain(error))?;
        let info = match scene.expand() {
            Ok(expanded) => info(&scene, &expanded.discs)?,
            Err(_) => String::new(),
        };
        Ok(Engine::of_room(room, info))
    }

    /// The same world again, which from now on goes its own way.
    #[must_use]
    pub fn duplicate(&self) -> Engine {
        Engine::of_room(self.room.clone(), self.info.clone())
    }

    /// Makes this world the same as another one, in the memory that it has.
    pub fn assign(&mut self, other: &Engine) {
        match (&mut self.room, &other.room) {
            (Room::Smooth(own), Room::Smooth(other)) => own.world.clone_from(&other.world),
            (Room::Forces(own), Room::Forces(other)) => own.world.clone_from(&other.world),
            (Room::Rough(own), Room::Rough(other)) => own.world.clone_from(&other.world),
            (own, other) => *own = other.clone(),
        }
        self.info.clone_from(&other.info);
        self.events.clear();
    }

    /// What the scene says of names, colours and the part of the plane to show, as JSON.
    #[must_use]
    pub fn info(&self) -> String {
        self.info.clone()
    }

    /// Whether its discs may accelerate.
    #[must_use]
    pub fn has_forces(&self) -> bool {
        !matches!(self.room, Room::Smooth(_))
    }
}

/// What the world of a scene does not know.
fn info(scene: &Scene, discs: &[carom_scene::SceneDisc]) -> Result<String, Refused> {
    let looks: Vec<_> = discs.iter().map(carom_scene::SceneDisc::look).collect();
    let colours: Vec<Option<String>> =
        looks.iter().map(|look| look.colour.as_ref().map(ToString::to_string)).collect();
    let stripes: Vec<bool> = looks.iter().map(|look| look.stripe).collect();
    let labels: Vec<_> = looks.iter().map(|look| &look.label).collect();
    let view = serde_json::json!({
        "name": scene.name,
        "title": scene.title,
        "description": scene.description,
        "until": scene.until,
        "view": scene.view,
        "colours": colours,
        "stripes": stripes,
        "labels": labels,
    });
    Ok(view.to_string())
}

/// The names of the scenes that come with the engine, one a line.
#[wasm_bindgen]
#[must_use]
pub fn scene_names() -> String {
    Scene::names().collect::<Vec<_>>().join("\n")
}

/// The text of a scene that comes with the engine.
///
/// # Errors
/// There is none of this name; the error says which is nearest.
#[wasm_bindgen]
pub fn scene_text(name: &str) -> Result<String, Refused> {
    Ok(Source::named(name)?.text().to_owned())
}

/// Runs a scene that comes with the engine to its end: its name, the number of its events, and the hash of
/// every event and of every state at the end, as in `golden.hashes`.
///
/// # Errors
/// There is none of this name.
#[wasm_bindgen]
pub fn golden_run(name: &str) -> Result<String, Refused> {
    let scene = Scene::named(name)?;
    let hash = if scene.is_rough() {
        run::<RoughRuled>(&scene)?
    } else if scene.has_forces() || scene.has_verdicts() {
        run::<Ruled>(&scene)?
    } else {
        run::<Smooth>(&scene)?
    };
    Ok(format!("{name} {} {:016x}", hash.events(), hash.value()))
}

fn run<P: Laws>(scene: &Scene) -> Result<RunHash, Refused> {
    let mut world = scene.build_as::<P>()?.world;
    let mut keep = Keep::hash();
    world.advance_to_with(scene.until, &mut keep)?;
    let mut hash = keep.into_hash();
    hash.states(&world);
    Ok(hash)
}
