use crate::physics::Physics;
use bevy_app::prelude::*;
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_picking::PickingSystems;
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use carom::{QueryFilter, Smooth};
use core::marker::PhantomData;

/// Tells [`bevy_picking`] which discs are under a pointer, so that observers of `Pointer<Press>` or
/// `Pointer<Drag>` work on their entities. The plane of the discs is that of z = 0. Bevy's own plugins for
/// picking are to be there too. Feature `picking`.
pub struct CaromPickingPlugin<P: carom::Physics + 'static = Smooth>(PhantomData<fn() -> P>);

impl<P: carom::Physics + 'static> Default for CaromPickingPlugin<P> {
    fn default() -> Self {
        CaromPickingPlugin(PhantomData)
    }
}

impl<P: carom::Physics + 'static> Plugin for CaromPickingPlugin<P> {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, pick::<P>.in_set(PickingSystems::Backend));
    }
}

fn pick<P: carom::Physics + 'static>(
    rays: Res<RayMap>,
    cameras: Query<&Camera>,
    physics: Res<Physics<P>>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, ray) in rays.iter() {
        // Where it goes through the plane; a ray along the plane does not.
        let depth = -ray.origin.z / ray.direction.z;
        let at = ray.origin + *ray.direction * depth;
        let Some(camera) = cameras.get(id.camera).ok().filter(|_| depth >= 0.0 && at.is_finite()) else {
            continue;
        };
        let center = at.truncate().as_dvec2();
        let Ok(under) = physics.overlap_disc(center, 0.0, &QueryFilter::new().only_discs()) else { continue };
        let hit = || HitData::new(id.camera, depth, Some(at), Some(Vec3::Z));
        let picks: Vec<_> = under.into_iter().map(|entity| (entity, hit())).collect();
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}
