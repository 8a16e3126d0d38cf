use carom_engine::StopReason;
use carom_scene::Scene;

/// Larger scenes are read and checked, not built: it would take the time of the campaign.
const MOST_DISCS: u64 = 64;
const MOST_WALLS: usize = 64;

/// Any text as a scene file. What is read writes back to the same scene, in both syntaxes; what is built
/// runs, keeps its invariants and gains no energy.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = core::str::from_utf8(bytes) else { return };
    let read = if text.trim_start().starts_with('{') {
        Scene::from_json(text, "any")
    } else {
        Scene::from_toml(text, "any")
    };
    let scene = match read {
        Ok(scene) => scene,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n') && line.len() < 10_000, "{line:?}");
            return;
        }
    };
    // A scene that is not allowed may not be written either; one that is must survive.
    if scene.check().is_ok() {
        let (toml, json) = (scene.to_toml().unwrap(), scene.to_json().unwrap());
        let shown = format!("{scene:?}");
        assert_eq!(format!("{:?}", Scene::from_toml(&toml, "any").unwrap()), shown);
        assert_eq!(format!("{:?}", Scene::from_json(&json, "any").unwrap()), shown);
    }
    let racks = scene.racks.iter().map(carom_scene::Rack::count);
    let gases = scene.gases.iter().map(|gas| gas.count);
    let count = racks.chain(gases).fold(scene.discs.len() as u64, u64::saturating_add);
    if count > MOST_DISCS || scene.walls.len() > MOST_WALLS {
        return;
    }
    let Ok(built) = scene.build() else { return };
    let mut world = built.world;
    world.assert_well_formed();
    world.set_budget(100);
    let energy = world.kinetic_energy();
    let rising =
        world.discs().any(|(_, disc)| disc.mass == f64::INFINITY && disc.velocity.length_squared() > 0.0);
    let end = world.advance_to(scene.until).map(|advance| advance.end);
    assert!(end.is_ok(), "{end:?}");
    if !matches!(end, Ok(StopReason::Crushed { .. })) {
        world.assert_well_formed();
    }
    let after = world.kinetic_energy();
    // Each of at most 100 events rounds a few times, relative to the energy of those who take part.
    assert!(rising || after <= energy * (1.0 + 1e-12), "energy rose from {energy:e} to {after:e}");
}
