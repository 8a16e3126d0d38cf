use crate::disc;
use bevy_app::prelude::*;
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;
use bevy_shape::Ray3d;
use carom::Smooth;
use carom_bevy::{CaromPickingPlugin, CaromPlugin};

/// Entities under a ray, and how far along it they are.
fn picked(app: &mut App, camera: Entity, origin: Vec3, direction: Vec3) -> Vec<(Entity, f32)> {
    let ray = Ray3d { origin, direction: Dir3::new(direction).unwrap() };
    let rays = RayMap { map: [(RayId::new(camera, PointerId::Mouse), ray)].into_iter().collect() };
    app.insert_resource(rays);
    app.world_mut().run_schedule(PreUpdate);
    let mut hits = app.world_mut().resource_mut::<Messages<PointerHits>>();
    hits.drain().flat_map(|hits| hits.picks).map(|(entity, hit)| (entity, hit.depth)).collect()
}

/// Discs of radius 1 at (0, 0) and (1, 0): both are under (0.5, 0), one is under (−0.5, 0), and none under
/// (0, 2), from behind the plane, along it, or of a camera that is gone. A ray at 45° from 3 above the plane
/// comes to it 3 further on.
#[test]
fn discs_under_a_pointer_are_picked() {
    let mut app = crate::film::headless();
    app.add_message::<PointerHits>().init_resource::<RayMap>();
    app.add_plugins((CaromPlugin::default(), CaromPickingPlugin::<Smooth>::default()));
    app.finish();
    app.cleanup();
    app.update();
    let camera = app.world_mut().spawn(Camera::default()).id();
    let first = app.world_mut().spawn(disc(0.0, 0.0, 1.0, [0.0; 2])).id();
    let ghost = carom_bevy::Disc::new(1.0).with_overlap();
    let second = app.world_mut().spawn(disc(1.0, 0.0, 1.0, [0.0; 2])).insert(ghost).id();
    crate::frame(&mut app, 20_000);
    let down = Vec3::NEG_Z;
    let both = picked(&mut app, camera, Vec3::new(0.5, 0.0, 10.0), down);
    assert!(both.len() == 2 && [first, second].iter().all(|&disc| both.contains(&(disc, 10.0))), "{both:?}");
    assert_eq!(picked(&mut app, camera, Vec3::new(-0.5, 0.0, 10.0), down), [(first, 10.0)]);
    let slanted = picked(&mut app, camera, Vec3::new(-3.5, 0.0, 3.0), Vec3::new(1.0, 0.0, -1.0));
    assert!(slanted.len() == 1 && slanted[0].0 == first, "{slanted:?}");
    assert!((slanted[0].1 - 18.0_f32.sqrt()).abs() < 1e-5);
    assert!(picked(&mut app, camera, Vec3::new(0.0, 2.0, 10.0), down).is_empty());
    assert!(picked(&mut app, camera, Vec3::new(0.5, 0.0, -10.0), down).is_empty());
    assert!(picked(&mut app, camera, Vec3::new(-5.0, 0.0, 0.0), Vec3::X).is_empty());
    assert!(picked(&mut app, Entity::PLACEHOLDER, Vec3::new(0.5, 0.0, 10.0), down).is_empty());
}
