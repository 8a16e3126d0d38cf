use crate::{app, disc, frame};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec3};
use bevy_transform::components::Transform;
use carom::Error;
use carom_bevy::{
    CaromPlugin, Disc, Mass, MoveTo, Physics, Position, Reason, Refused, Restitution, Velocity, Wall,
};

fn refused(app: &mut App) -> Vec<Refused> {
    app.world_mut().resource_mut::<Messages<Refused>>().drain().collect()
}

#[test]
fn a_spawn_without_room_is_a_message_and_comes_when_there_is() {
    let mut app = app(CaromPlugin::default());
    let there = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [0.0, 0.0])).id();
    let late = app.world_mut().spawn(disc(0.5, 0.0, 0.5, [0.0, 0.0])).id();
    let [refused] = &refused(&mut app)[..] else { panic!("one is refused") };
    assert_eq!((refused.entity, refused.other), (late, Some(there)));
    let Reason::World(Error::OverlapsDisc { depth, .. }) = refused.reason else { panic!("{refused:?}") };
    assert_eq!(depth, 0.5);
    assert!(app.world().resource::<Physics>().disc(late).is_none());
    app.world_mut().get_mut::<Position>(late).unwrap().0.x = 2.0;
    frame(&mut app, 1000);
    assert!(app.world().resource::<Physics>().disc(late).is_some());
}

#[test]
fn observers_of_the_entity_are_told() {
    #[derive(Resource, Default)]
    struct Told(Vec<Entity>);
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Told>();
    app.add_observer(|refused: On<Refused>, mut told: ResMut<Told>| told.0.push(refused.entity));
    let entity = app.world_mut().spawn(disc(0.0, 0.0, -1.0, [0.0, 0.0])).id();
    app.world_mut().flush();
    assert_eq!(app.world().resource::<Told>().0, [entity]);
}

/// What is refused leaves the world as it was, and the components are put back.
#[test]
fn a_refused_write_is_put_back() {
    let mut app = app(CaromPlugin::default());
    app.world_mut().spawn(disc(5.0, 0.0, 0.5, [0.0, 0.0]));
    let entity = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [1.0, 0.0])).id();
    let before = app.world().resource::<Physics>().checksum();
    let mut written = app.world_mut().entity_mut(entity);
    written.insert((Position(DVec2::new(4.5, 0.0)), Velocity(DVec2::NAN), Mass(-1.0), Restitution(2.0)));
    written.insert(Disc::new(100.0));
    frame(&mut app, 0);
    assert_eq!(app.world().resource::<Physics>().checksum(), before);
    let fields: Vec<_> = refused(&mut app).into_iter().map(|refused| refused.reason.to_string()).collect();
    assert_eq!(fields.len(), 5, "{fields:?}");
    let world = app.world();
    assert_eq!(world.get::<Position>(entity), Some(&Position(DVec2::ZERO)));
    assert_eq!(world.get::<Velocity>(entity), Some(&Velocity(DVec2::X)));
    assert_eq!(
        (world.get::<Mass>(entity), world.get::<Disc>(entity)),
        (Some(&Mass(1.0)), Some(&Disc::new(0.5)))
    );
    assert_eq!(world.get::<Restitution>(entity), Some(&Restitution(1.0)));
}

#[test]
fn a_scale_is_refused_with_a_sentence() {
    let mut app = app(CaromPlugin::default());
    let scaled = Transform::from_scale(Vec3::splat(2.0));
    let entity = app.world_mut().spawn((Disc::new(0.5), scaled)).id();
    let reasons = refused(&mut app);
    assert_eq!(reasons[0].reason, Reason::Scaled(Vec3::splat(2.0)));
    assert!(reasons[0].reason.to_string().contains("allowed is 1"));
    assert!(app.world().resource::<Physics>().disc(entity).is_none());
    // Written later it is put back.
    app.world_mut().entity_mut(entity).insert(Transform::IDENTITY);
    frame(&mut app, 1000);
    assert!(app.world().resource::<Physics>().disc(entity).is_some());
    app.world_mut().get_mut::<Transform>(entity).unwrap().scale.x = 3.0;
    frame(&mut app, 1000);
    assert_eq!(refused(&mut app).len(), 1);
    assert_eq!(app.world().get::<Transform>(entity).unwrap().scale, Vec3::ONE);
}

#[test]
fn below_a_parent_that_is_moved_there_is_no_disc() {
    let mut app = app(CaromPlugin::default());
    let level = app.world_mut().spawn(Transform::IDENTITY).id();
    let entity = app.world_mut().spawn((disc(0.0, 0.0, 0.5, [1.0, 0.0]), ChildOf(level))).id();
    frame(&mut app, 10_000);
    assert!(app.world().resource::<Physics>().disc(entity).is_some() && refused(&mut app).is_empty());
    app.world_mut().get_mut::<Transform>(level).unwrap().translation.x = 1.0;
    frame(&mut app, 10_000);
    assert_eq!(refused(&mut app)[0].reason, Reason::Below(level));
    assert!(app.world().resource::<Physics>().world().is_empty());
    let late = app.world_mut().spawn((ChildOf(level), disc(3.0, 0.0, 0.5, [1.0, 0.0]))).id();
    assert_eq!(refused(&mut app)[0].reason, Reason::Below(level));
    app.world_mut().entity_mut(late).remove::<ChildOf>();
    app.world_mut().get_mut::<Position>(late).unwrap().set_changed();
    frame(&mut app, 10_000);
    assert!(app.world().resource::<Physics>().disc(late).is_some());
}

#[test]
fn walls_without_room_or_with_a_place_are_refused() {
    let mut app = app(CaromPlugin::default());
    let there = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [0.0, 0.0])).id();
    let line = |y: f64| Wall::from(carom::Wall::segment([-1.0, y], [1.0, y]));
    let wall = app.world_mut().spawn(line(2.0)).id();
    app.world_mut().entity_mut(wall).insert(line(0.25));
    app.world_mut().flush();
    let reasons = refused(&mut app);
    assert_eq!((reasons[0].entity, reasons[0].other), (wall, Some(there)));
    // The one that was there stays.
    assert_eq!(app.world().get::<Wall>(wall), Some(&line(2.0)));
    assert!(app.world().resource::<Physics>().wall_id(wall).is_some());
    app.world_mut().spawn((line(5.0), Transform::from_xyz(1.0, 0.0, 0.0)));
    assert_eq!(refused(&mut app)[0].reason, Reason::WallIsPlaced(Vec3::X));
}

#[test]
fn only_what_can_be_sent_is_sent() {
    let mut app = app(CaromPlugin::default());
    let go = MoveTo { target: DVec2::X, seconds: 1.0 };
    let entity = app.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), go)).id();
    let reasons = refused(&mut app);
    let id = app.world().resource::<Physics>().disc_id(entity).expect("it is there all the same");
    let reason = Error::CannotMove { disc: id, reason: "it is not kinematic" };
    assert_eq!(reasons[0].reason, Reason::World(reason));
}
