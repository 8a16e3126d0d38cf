use crate::film::headless;
use crate::{disc, frame};
use bevy_app::App;
use bevy_diagnostic::{DiagnosticPath, DiagnosticsStore};
use carom::{Forces, Settings, World};
use carom_bevy::{CaromDiagnosticsPlugin, CaromPlugin};

fn value(app: &App, path: &DiagnosticPath) -> f64 {
    let diagnostics = app.world().resource::<DiagnosticsStore>();
    diagnostics.get(path).and_then(|of| of.value()).expect("it is measured in each frame")
}

/// Two discs that meet head-on at 0.25 s, and fall by then: ½ m v² of both, and their height.
#[test]
fn events_and_energy_are_measured_in_each_frame() {
    let forces = Forces::new().with_gravity([0.0, -8.0]).unwrap();
    let world = World::with_physics(forces, Settings::default()).unwrap();
    let mut app = headless();
    app.add_plugins((CaromPlugin::new(world), CaromDiagnosticsPlugin::<Forces>::default()));
    app.finish();
    app.cleanup();
    app.update();
    app.world_mut().spawn(disc(0.0, 2.0, 0.5, [1.0, 0.0]));
    app.world_mut().spawn(disc(1.5, 2.0, 0.5, [-1.0, 0.0]));
    for (frames, events) in [(24, 0.0), (2, 1.0), (5, 0.0)] {
        let mut seen = 0.0;
        for _ in 0..frames {
            frame(&mut app, 10_000);
            seen += value(&app, &CaromDiagnosticsPlugin::EVENTS);
            assert!((value(&app, &CaromDiagnosticsPlugin::ENERGY) - 33.0).abs() < 1e-12);
            assert!(value(&app, &CaromDiagnosticsPlugin::TIME) > 0.0);
        }
        assert_eq!(seen, events);
    }
}
