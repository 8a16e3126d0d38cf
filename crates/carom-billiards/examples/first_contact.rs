//! What shots meet first, and how they end: an oracle for what other builds of the engine say.
//!
//! Reads the text of a scene from each line of the input, in JSON, and prints a line of JSON: seconds until
//! the struck ball meets another one (`null` if it meets none), and the hash of all positions and velocities
//! once all balls rest. Numbers have all their digits. `tools/demo` compares the viewer of its page in a
//! browser with this.

use carom_billiards::Scene;
use carom_scene::RunHash;
use std::io::{BufRead as _, stdin};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in stdin().lock().lines() {
        let (game, recording) = Scene::from_json(&text?, "input")?.record()?;
        let first = recording.outcome.first_hit_at.map_or("null".to_owned(), |time| format!("{time:?}"));
        let mut hash = RunHash::new();
        hash.states(game.world());
        println!("{{\"first\": {first}, \"hash\": \"{:016x}\"}}", hash.value());
    }
    Ok(())
}
