//! The plugin, headless: time passes as the tests say.

mod agreement;
mod components;
mod damping;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod examples;
#[path = "../../examples/film/mod.rs"]
mod film;
mod frames;
#[cfg(feature = "gizmos")]
mod gizmos;
mod messages;
mod peers;
#[cfg(feature = "picking")]
mod picking;
mod queries;
mod refusals;
#[cfg(feature = "serialize")]
mod serialize;

pub(crate) use film::frame;

use bevy_app::prelude::*;
use bevy_math::DVec2;
use bevy_transform::components::Transform;
use carom_bevy::{CaromPlugin, Disc, Position, Velocity};

/// An app with the plugin; the test sets how its time advances.
pub fn app<P: carom::Physics + 'static>(plugin: CaromPlugin<P>) -> App {
    let mut app = film::headless();
    app.add_plugins(plugin);
    app.finish();
    app.cleanup();
    // The first frame has no length.
    app.update();
    app
}

/// A disc at an exact place.
pub fn disc(x: f64, y: f64, radius: f64, velocity: [f64; 2]) -> (Disc, Transform, Position, Velocity) {
    let at = DVec2::new(x, y);
    let transform = Transform::from_translation(at.as_vec2().extend(0.0));
    (Disc::new(radius), transform, Position(at), Velocity(DVec2::from_array(velocity)))
}

/// Numbers that look random: a linear congruential generator, as in Knuth, volume 2, section 3.3.4, line 26.
pub struct Random(pub u64);

impl Random {
    /// A whole number from 0 to below this.
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// From `low` to `high`, in 1000 steps.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1000) as f64 / 1000.0
    }
}
