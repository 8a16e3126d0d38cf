//! Snapshots as text.

use crate::engine::Engine;
use crate::refused::Refused;
use crate::room::{Held, Room, in_room};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wasm_bindgen::prelude::*;

/// What a snapshot says of its world beside it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved<'a> {
    physics: Kind,
    #[serde(borrow)]
    world: &'a RawValue,
    info: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Smooth,
    Forces,
    Rough,
}

/// What is wrong with a text that is to be a snapshot. What the engine says of a world that contradicts
/// itself is said as it is; what the reader says of fields is of no use to who has not written them.
fn unread(error: &serde_json::Error) -> Refused {
    const OF_THE_READER: [&str; 7] = [
        "missing field", "unknown field", "duplicate field", "unknown variant", "invalid type",
        "invalid length", "invalid value",
    ];
    let said = error.to_string();
    if !error.is_data() || OF_THE_READER.iter().any(|start| said.starts_with(start)) {
        return Refused::text(
            "snapshot",
            "this is no snapshot of a world, or a part of it is missing or changed",
        );
    }
    let end = said.rfind(" at line ").unwrap_or(said.len());
    Refused::text("snapshot", &said[..end])
}

#[wasm_bindgen]
impl Engine {
    /// All of the world as JSON; a loaded one goes on to the last bit as this one does.
    ///
    /// # Errors
    /// The world could not be loaded again, as it is beyond what a snapshot may hold.
    pub fn save(&self) -> Result<String, Refused> {
        let refused = |error: serde_json::Error| Refused::text("snapshot", error);
        let physics = match &self.room {
            Room::Smooth(_) => Kind::Smooth,
            Room::Forces(_) => Kind::Forces,
            Room::Rough(_) => Kind::Rough,
        };
        let world = in_room!(&self.room, held => serde_json::value::to_raw_value(&held.world));
        let world = world.map_err(refused)?;
        let saved = Saved { physics, world: &world, info: self.info.clone() };
        serde_json::to_string(&saved).map_err(refused)
    }

    /// The world of such a text.
    ///
    /// # Errors
    /// It is none, or contradicts itself.
    pub fn load(text: &str) -> Result<Engine, Refused> {
        let refused = |error: serde_json::Error| unread(&error);
        let saved: Saved<'_> = serde_json::from_str(text).map_err(refused)?;
        if !saved.info.is_empty() {
            let is_object =
                serde_json::from_str::<serde_json::Value>(&saved.info).map(|info| info.is_object());
            if !is_object.map_err(refused)? {
                return Err(Refused::value("info", "no object", "what a scene says, as JSON"));
            }
        }
        let world = saved.world.get();
        let room = match saved.physics {
            Kind::Smooth => Room::Smooth(Held::new(serde_json::from_str(world).map_err(refused)?)),
            Kind::Forces => Room::Forces(Held::new(serde_json::from_str(world).map_err(refused)?)),
            Kind::Rough => Room::Rough(Held::new(serde_json::from_str(world).map_err(refused)?)),
        };
        Ok(Engine::of_room(room, saved.info))
    }
}
