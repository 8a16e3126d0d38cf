//! Which damping goes with what: the table of `docs/embedding.md`.

use crate::{app, disc, frame};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom::{DiscForces, Error, Forces, Settings, World};
use carom_bevy::{
    Body, CaromPlugin, Impacted, Kinematic, MoveTo, Physics, Position, Reason, Refused, Velocity, Wall,
};

fn refused(app: &mut App) -> Vec<Reason> {
    app.world_mut().resource_mut::<Messages<Refused>>().drain().map(|refused| refused.reason).collect()
}

/// A puck that slides with friction, hit by a mallet that is sent on in each frame at 4 units a second. The
/// mallet has an infinite mass, so the puck leaves at v = 8, and stops v²/(2 μ w) = 12.8 further.
#[test]
fn a_puck_slows_by_friction_beside_a_mallet_that_is_sent_in_each_frame() {
    let forces = Forces::new().with_weight(10.0).unwrap();
    let mut app = app(CaromPlugin::new(World::with_physics(forces, Settings::default()).unwrap()));
    let slides = Body(DiscForces { friction: 0.25, ..DiscForces::default() });
    let puck = app.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), slides)).id();
    let mallet = app.world_mut().spawn((disc(-3.0, 0.0, 0.5, [0.0, 0.0]), Kinematic::default())).id();
    let mut hits = Vec::new();
    for k in 1..=500 {
        if k <= 60 {
            let target = DVec2::new(-3.0 + 0.04 * f64::from(k), 0.0);
            app.world_mut().entity_mut(mallet).insert(MoveTo { target, seconds: 0.01 });
        }
        frame(&mut app, 10_000);
        hits.extend(app.world_mut().resource_mut::<Messages<Impacted>>().drain());
        assert_eq!(refused(&mut app), []);
    }
    let [hit] = &hits[..] else { panic!("{hits:?}") };
    assert!((hit.time - 0.5).abs() < 1e-12 && (hit.approach_speed - 4.0).abs() < 1e-12, "{hit:?}");
    let puck = app.world().entity(puck);
    let (at, velocity) = (puck.get::<Position>().unwrap().0, *puck.get::<Velocity>().unwrap());
    assert!((at.x - 12.8).abs() < 1e-10, "{at}");
    assert_eq!(velocity, Velocity(DVec2::ZERO));
}

/// Under drag nothing is sent anywhere: neither a disc nor a wall.
#[test]
fn beside_drag_what_is_sent_is_refused() {
    let world = World::with_settings(Settings::default().with_drag(0.5)).unwrap();
    let mut app = app(CaromPlugin::new(world));
    app.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), Kinematic::default()));
    let reasons = refused(&mut app);
    assert!(matches!(reasons[..], [Reason::World(Error::Inconsistent { field: "drag", .. })]), "{reasons:?}");
    let wall = Wall::from(carom::Wall::segment([5.0, -1.0], [5.0, 1.0]));
    app.world_mut().spawn((wall, MoveTo { target: DVec2::X, seconds: 1.0 }));
    frame(&mut app, 1000);
    let reasons = refused(&mut app);
    assert!(matches!(reasons[..], [.., Reason::World(Error::CannotMoveWall { .. })]), "{reasons:?}");
}

/// Friction of a disc beside gravity is refused, and that of one which gravity does not move is not.
#[test]
fn friction_is_for_discs_that_nothing_else_accelerates() {
    let forces = Forces::new().with_gravity([0.0, -9.0]).unwrap().with_weight(10.0).unwrap();
    let mut app = app(CaromPlugin::new(World::with_physics(forces, Settings::default()).unwrap()));
    let slides = DiscForces { friction: 0.25, ..DiscForces::default() };
    app.world_mut().spawn((disc(0.0, 0.0, 0.5, [1.0, 0.0]), Body(slides)));
    let reasons = refused(&mut app);
    let wrong = "friction";
    assert!(matches!(reasons[..], [Reason::World(Error::Inconsistent { field, .. })] if field == wrong));
    let flat = Body(DiscForces { gravity_scale: 0.0, ..slides });
    let entity = app.world_mut().spawn((disc(3.0, 0.0, 0.5, [1.0, 0.0]), flat)).id();
    assert_eq!(refused(&mut app), []);
    assert!(app.world().resource::<Physics<Forces>>().disc(entity).is_some());
}
