use crate::disc;
use bevy_app::PostUpdate;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_gizmos::prelude::*;
use carom::{DVec2, DebugDraw, DebugView, Mark};
use carom_bevy::{CaromGizmosPlugin, CaromPlugin, GizmoView, Pen};

/// A circle is where its disc is and as large, a wall is a line, and a point has its middle where it is.
#[test]
fn what_is_drawn_is_where_it_is() {
    let mut world = carom::World::new();
    world.insert(carom::Disc::new([3.0, 4.0], 2.0).with_velocity([1.0, 0.0])).unwrap();
    world.add_wall(carom::Wall::segment([0.0, 0.0], [8.0, 1.0])).unwrap();
    let mut buffer: GizmoBuffer<DefaultGizmoConfigGroup, ()> = GizmoBuffer::default();
    world.debug_draw(&DebugView::nothing().with_discs(true), &mut Pen(&mut buffer));
    assert!(buffer.list_positions.is_empty() && buffer.strip_positions.len() > 20);
    for place in buffer.strip_positions.iter().filter(|place| place.is_finite()) {
        let off = DVec2::new(place.x.into(), place.y.into()).distance(DVec2::new(3.0, 4.0)) - 2.0;
        assert!(off.abs() < 1e-6 && place.z == 0.0, "{place}");
    }
    buffer.clear();
    world.debug_draw(&DebugView::nothing().with_walls(true), &mut Pen(&mut buffer));
    assert_eq!(
        buffer.list_positions.iter().map(|place| place.to_array()).collect::<Vec<_>>(),
        [[0.0, 0.0, 0.0], [8.0, 1.0, 0.0]]
    );
    buffer.clear();
    Pen(&mut buffer).point(DVec2::new(1.0, 2.0), Mark::Contact);
    let middle = buffer.list_positions.iter().sum::<bevy_math::Vec3>() / buffer.list_positions.len() as f32;
    assert!((middle.x, middle.y) == (1.0, 2.0), "{middle}");
}

/// The plugin's system has all that it asks for, without a window or a renderer: it would panic otherwise.
#[test]
fn the_plugin_draws_without_a_renderer() {
    let mut app = crate::film::headless();
    app.add_plugins((CaromPlugin::default(), CaromGizmosPlugin::<carom::Smooth>::default()));
    app.insert_resource(GizmoView(DebugView::nothing().with_discs(true)));
    app.finish();
    app.cleanup();
    app.world_mut().spawn(disc(0.0, 0.0, 0.5, [1.0, 0.0]));
    app.world_mut().run_schedule(PostUpdate);
}
