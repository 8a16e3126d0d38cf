//! The named scenes, saved and loaded halfway.

use carom_engine::{Event, World};
use carom_scene::Scene;

/// A scene that is saved in the middle of its run, in a text and a binary format, ends as it always does: the
/// rest has the same events, and the end the same bytes. That the run as a whole has the bits that it should
/// have, `golden.hashes` says.
#[test]
fn the_named_scenes_go_on_from_snapshots() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        let mut world = scene.build().unwrap().world;
        let half = 0.5 * (world.now().as_secs() + scene.until);
        world.advance_to_with(half, &mut |_: &Event| {}).unwrap();
        let text: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
        let binary: World = postcard::from_bytes(&postcard::to_stdvec(&world).unwrap()).unwrap();
        let ends = [world, text, binary].map(|mut world| {
            let mut events: Vec<Event> = Vec::new();
            let advance = world.advance_to_with(scene.until, &mut events).unwrap();
            (advance, events, postcard::to_stdvec(&world).unwrap())
        });
        assert!(ends[0] == ends[1], "{name}, as text");
        assert!(ends[0] == ends[2], "{name}, as bytes");
    }
}
