//! The named scenes, saved and loaded halfway.

use carom_engine::{Event, Forces, Smooth, World};
use carom_scene::{Scene, ScenePhysics};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A scene that is saved in the middle of its run, in a text and a binary format, ends as it always does: the
/// rest has the same events, and the end the same bytes. That the run as a whole has the bits that it should
/// have, `golden.hashes` says.
#[test]
fn the_named_scenes_go_on_from_snapshots() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        if scene.has_forces() {
            goes_on::<Forces>(&scene);
        } else {
            goes_on::<Smooth>(&scene);
        }
    }
}

fn goes_on<P>(scene: &Scene)
where
    P: ScenePhysics<Body: Serialize + DeserializeOwned> + Serialize + DeserializeOwned,
{
    let mut world = scene.build_as::<P>(&mut |_| ()).unwrap().world;
    let half = 0.5 * (world.now().as_secs() + scene.until);
    world.advance_to_with(half, &mut |_: &Event<P::Change>| {}).unwrap();
    let text: World<P> = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    let binary: World<P> = postcard::from_bytes(&postcard::to_stdvec(&world).unwrap()).unwrap();
    let ends = [world, text, binary].map(|mut world| {
        let mut events: Vec<Event<P::Change>> = Vec::new();
        let advance = world.advance_to_with(scene.until, &mut events).unwrap();
        (advance, events, postcard::to_stdvec(&world).unwrap())
    });
    assert!(ends[0] == ends[1], "{}, as text", scene.name);
    assert!(ends[0] == ends[2], "{}, as bytes", scene.name);
}
