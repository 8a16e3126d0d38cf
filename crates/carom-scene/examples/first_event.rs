//! What happens first in scenes, and how they end: an oracle for what other builds of the engine say.
//!
//! Reads the text of a scene from each line of the input, in JSON, and prints a line of JSON: seconds until
//! the first event (`null` if there is none), and the hash of all positions and velocities at the end of the
//! scene. Numbers have all their digits. `tools/demo` compares the figures of its page in a browser with
//! this.

use carom_scene::{RunHash, Scene, SceneError, ScenePhysics, in_physics};
use std::io::{BufRead as _, stdin};

fn line<P: ScenePhysics>(scene: &Scene) -> Result<String, SceneError> {
    let mut world = scene.build_as::<P>()?.world;
    let first = world.next_event().map_or("null".to_owned(), |next| format!("{:?}", next.time.as_secs()));
    let ended =
        world.advance_to(scene.until).map_or("refused".to_owned(), |advance| format!("{:?}", advance.end));
    let mut hash = RunHash::new();
    hash.states(&world);
    Ok(format!("{{\"first\": {first}, \"hash\": \"{:016x}\", \"end\": \"{ended}\"}}", hash.value()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in stdin().lock().lines() {
        let scene = Scene::from_json(&text?, "input")?;
        println!("{}", in_physics!(scene, P => line::<P>(&scene)?));
    }
    Ok(())
}
