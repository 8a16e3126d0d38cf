use crate::physics::Physics;
use bevy_app::prelude::*;
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::prelude::*;
use carom::Smooth;
use core::marker::PhantomData;
use core::time::Duration;

/// Measures the world in each frame, by [`bevy_diagnostic`]: how many events it had, how long the engine took
/// for them, and its energy. Any plugin that shows diagnostics shows these. Feature `diagnostics`.
pub struct CaromDiagnosticsPlugin<P: carom::Physics + 'static = Smooth>(PhantomData<fn() -> P>);

impl<P: carom::Physics + 'static> Default for CaromDiagnosticsPlugin<P> {
    fn default() -> Self {
        CaromDiagnosticsPlugin(PhantomData)
    }
}

impl CaromDiagnosticsPlugin {
    /// How many events were resolved in a frame: groups of impacts, and changes of motion.
    pub const EVENTS: DiagnosticPath = DiagnosticPath::const_new("carom/events");

    /// How long the engine took to go on, in milliseconds of the processor's clock. Components and messages
    /// are not in it.
    pub const TIME: DiagnosticPath = DiagnosticPath::const_new("carom/time");

    /// Kinetic and potential energy of the discs of finite mass: see [`carom::World::energy`]. It is O(n), so
    /// whoever has a large world may switch it off by
    /// [`Diagnostic::is_enabled`](bevy_diagnostic::Diagnostic::is_enabled).
    pub const ENERGY: DiagnosticPath = DiagnosticPath::const_new("carom/energy");
}

impl<P: carom::Physics + 'static> Plugin for CaromDiagnosticsPlugin<P> {
    fn build(&self, app: &mut App) {
        app.register_diagnostic(Diagnostic::new(CaromDiagnosticsPlugin::EVENTS))
            .register_diagnostic(Diagnostic::new(CaromDiagnosticsPlugin::TIME).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(CaromDiagnosticsPlugin::ENERGY))
            .add_systems(Last, measure::<P>);
    }
}

fn measure<P: carom::Physics + 'static>(
    physics: Res<Physics<P>>,
    mut diagnostics: Diagnostics,
    mut before: Local<(u64, Duration)>,
) {
    let (events, spent) = (physics.world.counters().events, physics.spent);
    // Less than before after a rollback.
    let more = events.saturating_sub(before.0);
    diagnostics.add_measurement(&CaromDiagnosticsPlugin::EVENTS, || more as f64);
    let time = spent.saturating_sub(before.1);
    diagnostics.add_measurement(&CaromDiagnosticsPlugin::TIME, || 1000.0 * time.as_secs_f64());
    diagnostics.add_measurement(&CaromDiagnosticsPlugin::ENERGY, || physics.world.energy());
    *before = (events, spent);
}
