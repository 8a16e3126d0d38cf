//! The bits of whole runs: prints `name events hash` for every named scene.
//!
//! `cargo run -p carom-scene --example golden` prints what is in `tests/golden.hashes`, on every machine and
//! however it is built; `tools/same-bits` builds it in many ways and compares. After `--`, `portable` or
//! `avx2` asks for these vector instructions.

use carom_engine::{Event, SimdLevel, StopReason};
use carom_scene::{RunHash, Scene, ScenePhysics, in_physics};

/// A scene's name, the number of its events, and a hash of every event and of every state at the end.
pub(crate) fn line(name: &str, instructions: SimdLevel) -> String {
    let scene = Scene::named(name).unwrap();
    in_physics!(scene, P => line_in::<P>(&scene, instructions))
}

fn line_in<P: ScenePhysics>(scene: &Scene, instructions: SimdLevel) -> String {
    let name = &scene.name;
    let mut world = scene.build_as::<P>().unwrap().world;
    world.set_instructions(instructions);
    let mut hash = RunHash::new();
    let advance = world.advance_to_with(scene.until, &mut |event: &Event<P::Change>| hash.event(event));
    assert_eq!(advance.unwrap().end, StopReason::Reached, "{name}");
    hash.states(&world);
    format!("{name} {} {:016x}", hash.events(), hash.value())
}

/// One line for each named scene.
pub(crate) fn lines(instructions: SimdLevel) -> String {
    let lines: Vec<String> = Scene::names().map(|name| line(name, instructions)).collect();
    lines.join("\n")
}

fn main() -> Result<(), String> {
    let wanted = match std::env::args().nth(1).as_deref() {
        None => SimdLevel::Best,
        Some("portable") => SimdLevel::Portable,
        Some("avx2") => SimdLevel::Avx2,
        Some(other) => return Err(format!("`{other}` is neither portable nor avx2")),
    };
    if wanted != SimdLevel::Best && !SimdLevel::available().contains(&wanted) {
        return Err(format!("{wanted:?} is not available here"));
    }
    println!("{}", lines(wanted));
    Ok(())
}
