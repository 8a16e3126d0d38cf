use crate::physics::Physics;
use bevy_app::prelude::*;
use bevy_color::{Color, Srgba};
use bevy_ecs::prelude::*;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_gizmos::prelude::*;
use bevy_math::{Isometry2d, Vec2};
use bevy_reflect::Reflect;
use carom::{DebugDraw, DebugView, Mark, Smooth};
use core::marker::PhantomData;

/// Draws what a world knows in each frame, by [`bevy_gizmos`]: discs, walls, regions, contacts, velocities.
/// The resource [`GizmoView`] says which. The plugin of `bevy_gizmos`, one of `DefaultPlugins`, is to be
/// there too. Feature `gizmos`.
pub struct CaromGizmosPlugin<P: carom::Physics + 'static = Smooth>(PhantomData<fn() -> P>);

impl<P: carom::Physics + 'static> Default for CaromGizmosPlugin<P> {
    fn default() -> Self {
        CaromGizmosPlugin(PhantomData)
    }
}

impl<P: carom::Physics + 'static> Plugin for CaromGizmosPlugin<P> {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<CaromGizmos>().init_resource::<GizmoView>();
        app.add_systems(PostUpdate, draw::<P>);
    }
}

/// The group of the plugin's gizmos: widths of lines, layers, and whether they are drawn are in its
/// [`GizmoConfig`].
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct CaromGizmos;

/// What [`CaromGizmosPlugin`] draws.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct GizmoView(pub DebugView);

fn draw<P: carom::Physics + 'static>(
    physics: Res<Physics<P>>,
    view: Res<GizmoView>,
    mut gizmos: Gizmos<CaromGizmos>,
) {
    physics.world().debug_draw(&view.0, &mut Pen(&mut gizmos));
}

/// Draws with gizmos what the engine asks for. An aim line is
/// `Pen(&mut gizmos).path(aim.path(ball, &options)?, until)`, with [`DebugDraw`] in scope.
pub struct Pen<'a, C: GizmoConfigGroup, Clear: 'static + Send + Sync>(pub &'a mut GizmoBuffer<C, Clear>);

impl<C: GizmoConfigGroup, Clear: 'static + Send + Sync> DebugDraw for Pen<'_, C, Clear> {
    fn line(&mut self, from: carom::DVec2, to: carom::DVec2, mark: Mark) {
        self.0.line_2d(single(from), single(to), colour(mark));
    }

    fn circle(&mut self, center: carom::DVec2, radius: f64, mark: Mark) {
        self.0.circle_2d(Isometry2d::from_translation(single(center)), radius as f32, colour(mark));
    }

    fn point(&mut self, at: carom::DVec2, mark: Mark) {
        self.0.cross_2d(Isometry2d::from_translation(single(at)), POINT, colour(mark));
    }
}

/// Half of the size of a point, in length units: small beside discs of radius 1.
const POINT: f32 = 0.1;

fn single(place: carom::DVec2) -> Vec2 {
    Vec2::new(place.x as f32, place.y as f32)
}

/// Legible on a dark ground and on a light one.
fn colour(mark: Mark) -> Color {
    let [red, green, blue] = match mark {
        Mark::Disc(_) => [90, 150, 220],
        Mark::Sensor(_) | Mark::Region(_) => [140, 140, 150],
        Mark::Wall(_) => [120, 130, 140],
        Mark::Entered(_) => [220, 160, 60],
        Mark::Velocity(_) => [90, 180, 110],
        Mark::Contact => [220, 80, 70],
        _ => [180, 110, 200],
    };
    Srgba::rgb_u8(red, green, blue).into()
}
