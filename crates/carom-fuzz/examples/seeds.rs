//! Writes what a campaign starts from into a folder: scenes and snapshots as they should be, for the fuzzer
//! to spoil.
//!
//! `cargo run -p carom-fuzz --example seeds -- fuzz/corpus`. To be run again when one of the formats changes.

use carom_scene::Scene;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder to write to is missing")?;
    let folder = Path::new(&folder);
    for target in ["scene", "snapshot"] {
        fs::create_dir_all(folder.join(target))?;
    }
    for name in Scene::names() {
        let scene = Scene::named(name)?;
        fs::write(folder.join(format!("scene/{name}.toml")), scene.to_toml()?)?;
        if scene.has_forces() || scene.is_rough() {
            continue;
        }
        let mut world = scene.build()?.world;
        if world.len() > 16 {
            continue;
        }
        fs::write(folder.join(format!("scene/{name}.json")), scene.to_json()?)?;
        world.set_budget(20);
        world.advance_to(scene.until)?;
        // A free slot, and marks of edits that are not scheduled yet.
        let last = world.ids().last();
        if let (Some(last), true) = (last, world.len() > 2) {
            world.remove(last)?;
        }
        fs::write(folder.join(format!("snapshot/{name}.json")), serde_json::to_vec(&world)?)?;
        fs::write(folder.join(format!("snapshot/{name}.postcard")), postcard::to_stdvec(&world)?)?;
    }
    Ok(())
}
