use crate::{app, disc, frame};
use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec3};
use bevy_transform::components::Transform;
use carom::{DiscForces, Forces, Partner, Rough, Roughness, Settings, Smooth, Spin, World};
use carom_bevy::{
    Body, CaromPlugin, Disc, Extra, Kinematic, Mass, MoveTo, Physics, Position, Refused, Region, Restitution,
    Rules, UserData, Velocity, Wall,
};

#[test]
fn a_disc_is_what_its_components_say_and_goes_with_its_entity() {
    let mut app = app(CaromPlugin::default());
    let rules = carom::Rules::new().with_team(7);
    let more = (Mass(2.0), Restitution(0.5), Rules(rules), UserData(9));
    let entity = app.world_mut().spawn((disc(0.1, 0.2, 0.5, [3.0, -1.0]), more)).id();
    let physics = app.world().resource::<Physics>();
    let id = physics.disc_id(entity).expect("there is room");
    let expected = carom::Disc::new([0.1, 0.2], 0.5).with_velocity([3.0, -1.0]).with_mass(2.0);
    let expected = expected.with_restitution(0.5).with_rules(rules).with_user_data(9);
    assert_eq!(physics.disc(entity).map(|disc| disc.to_disc()), Some(expected));
    assert_eq!(physics.entity(Partner::Disc(id)), Some(entity));
    app.world_mut().despawn(entity);
    let physics = app.world().resource::<Physics>();
    assert!(physics.world().is_empty() && physics.disc_id(entity).is_none());
}

/// Without a [`Position`] it is the transform that counts, in the 24 bits that it has.
#[test]
fn a_transform_is_a_place() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn((Disc::new(0.5), Transform::from_xyz(0.1, 0.2, 5.0))).id();
    let place = |app: &bevy_app::App| app.world().resource::<Physics>().disc(entity).unwrap().position();
    assert_eq!(place(&app).to_array(), [f64::from(0.1_f32), f64::from(0.2_f32)]);
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::new(4.0, 3.0, 5.0);
    frame(&mut app, 1000);
    assert_eq!(place(&app).to_array(), [4.0, 3.0]);
    assert_eq!(app.world().get::<Transform>(entity).unwrap().translation.z, 5.0);
}

/// The default transform of a disc that is spawned with a position is no place that somebody has written.
#[test]
fn a_position_alone_is_a_place() {
    let mut app = app(CaromPlugin::default());
    let at = Position(DVec2::new(0.1, 7.0));
    let entity = app.world_mut().spawn((Disc::new(0.5), at)).id();
    assert_eq!(app.world().get::<Transform>(entity).unwrap().translation, Vec3::new(0.1, 7.0, 0.0));
    frame(&mut app, 1000);
    assert_eq!(app.world().get::<Position>(entity), Some(&at));
}

#[test]
fn what_is_written_to_components_goes_to_the_world() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn((disc(0.0, 0.0, 0.5, [1.0, 0.0]), UserData(1))).id();
    let rules = Rules(carom::Rules::new().with_team(3));
    let mut written = app.world_mut().entity_mut(entity);
    written.insert((Disc::new(0.25).with_overlap(), Mass(4.0), Restitution(0.25), rules, UserData(5)));
    written.insert((Velocity(DVec2::new(0.0, 2.0)), Position(DVec2::new(1.0, 1.0))));
    frame(&mut app, 500_000);
    let now = app.world().resource::<Physics>().disc(entity).expect("it is there").to_disc();
    let expected = carom::Disc::new([1.0, 2.0], 0.25).with_velocity([0.0, 2.0]).with_mass(4.0).with_overlap();
    let expected = expected.with_position(now.position).with_restitution(0.25);
    assert_eq!(now, expected.with_rules(rules.0).with_user_data(5));
    // A frame is at most 250 ms of virtual time.
    assert_eq!(now.position.to_array(), [1.0, 1.5]);
}

/// The state of a disc is rewritten by edits alone: if the engine's own writes were taken for edits, the time
/// of the stored state would follow the frames.
#[test]
fn what_the_engine_writes_is_not_an_edit() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [0.1, 0.3])).id();
    let edits = app.world().resource::<Physics>().world().edits();
    for _ in 0..50 {
        frame(&mut app, 7_000);
    }
    let physics = app.world().resource::<Physics>();
    assert_eq!(physics.world().edits(), edits);
    assert_eq!(physics.disc(entity).unwrap().state_time().as_secs(), 0.0);
}

/// A system that looks for changed velocities sees those of impacts, and no others.
#[test]
fn change_detection_of_others_sees_what_changed() {
    #[derive(Resource, Default)]
    struct Seen(u32);
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Seen>();
    app.world_mut().spawn(disc(0.0, 0.0, 0.5, [1.0, 0.0]));
    app.world_mut().spawn(disc(1.2, 0.0, 0.5, [0.0, 0.0]));
    app.add_systems(bevy_app::Update, |changed: Query<(), Changed<Velocity>>, mut seen: ResMut<Seen>| {
        seen.0 += changed.iter().count() as u32;
    });
    frame(&mut app, 10_000);
    // They are new.
    assert_eq!(app.world().resource::<Seen>().0, 2);
    for _ in 0..30 {
        frame(&mut app, 10_000);
    }
    // One impact, at 0.2 s.
    assert_eq!(app.world().resource::<Seen>().0, 4);
}

#[test]
fn a_kinematic_disc_is_sent_and_arrives_to_the_bit() {
    let mut app = app(CaromPlugin::default());
    let mallet = app.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), Kinematic::default())).id();
    let puck = app.world_mut().spawn(disc(2.0, 0.0, 0.5, [0.0, 0.0])).id();
    let target = DVec2::new(1.3, 0.1);
    app.world_mut().entity_mut(mallet).insert(MoveTo { target, seconds: 0.1 });
    frame(&mut app, 200_000);
    let world = app.world();
    assert_eq!(world.get::<Position>(mallet).unwrap().0, target);
    assert_eq!(world.get::<Mass>(mallet), Some(&Mass(f64::INFINITY)));
    assert!(world.get::<Velocity>(puck).unwrap().0.x > 20.0);
}

#[test]
fn a_wall_moves_and_its_transform_says_how_far() {
    let mut app = app(CaromPlugin::default());
    let wall = Wall::from(carom::Wall::segment([0.0, 0.0], [4.0, 0.0]));
    let wall = app.world_mut().spawn((wall, Transform::default())).id();
    app.world_mut().entity_mut(wall).insert(MoveTo { target: DVec2::new(0.0, 1.0), seconds: 0.2 });
    frame(&mut app, 100_000);
    assert_eq!(app.world().get::<Transform>(wall).unwrap().translation.y, 0.5);
    frame(&mut app, 200_000);
    assert_eq!(app.world().get::<Transform>(wall).unwrap().translation.y, 1.0);
}

#[test]
fn a_wall_is_replaced_edited_and_removed() {
    let mut app = app(CaromPlugin::default());
    let wall = app.world_mut().spawn(Wall::from(carom::Wall::segment([0.0, 0.0], [4.0, 0.0]))).id();
    let other = carom::Wall::segment([0.0, 1.0], [4.0, 1.0]);
    app.world_mut().entity_mut(wall).insert((Wall::from(other.clone()), Restitution(0.5)));
    frame(&mut app, 1000);
    let physics = app.world().resource::<Physics>();
    let walls: Vec<_> = physics.world().walls().map(|(_, wall)| wall.clone()).collect();
    assert_eq!(walls, [other.with_restitution(0.5)]);
    app.world_mut().despawn(wall);
    assert_eq!(app.world().resource::<Physics>().world().walls().count(), 0);
}

#[test]
fn a_region_on_a_disc_is_carried_by_it() {
    let mut app = app(CaromPlugin::default());
    let near = Region::from(carom::Region::disc([0.0, 0.0], 2.0));
    let ship = app.world_mut().spawn((near, disc(0.0, 0.0, 0.5, [1.0, 0.0]))).id();
    let physics = app.world().resource::<Physics>();
    let region = physics.region_id(ship).expect("it came with the disc");
    assert_eq!(physics.world().region(region).unwrap().carrier, physics.disc_id(ship));
    let larger = Region::from(carom::Region::disc([0.0, 0.0], 3.0));
    app.world_mut().entity_mut(ship).insert(larger);
    frame(&mut app, 1000);
    let physics = app.world().resource::<Physics>();
    assert_eq!(physics.world().region(region).unwrap().shape, larger.0.shape);
    app.world_mut().despawn(ship);
    assert_eq!(app.world().resource::<Physics>().world().regions().count(), 0);
}

/// What a physics knows beside: under gravity g a disc falls g t²/2, and one that turns shows its angle.
#[test]
fn the_physics_is_a_parameter() {
    let forces = Forces::new().with_gravity([0.0, -8.0]).unwrap();
    let mut falling = app(CaromPlugin::new(World::with_physics(forces, Settings::default()).unwrap()));
    let free = DiscForces::default();
    let entity = falling.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), Body(free))).id();
    frame(&mut falling, 250_000);
    assert_eq!(falling.world().get::<Position>(entity).unwrap().0.y, -0.25);

    let rough = Rough::new(Smooth, Roughness::new(0.5, 0.0).unwrap());
    let mut turning = app(CaromPlugin::new(World::with_physics(rough, Settings::default()).unwrap()));
    let spin = Extra(Spin::new(2.0));
    let entity = turning.world_mut().spawn((disc(0.0, 0.0, 0.5, [0.0, 0.0]), spin)).id();
    frame(&mut turning, 250_000);
    let (_, angle) = turning.world().get::<Transform>(entity).unwrap().rotation.to_axis_angle();
    assert!((angle - 0.5).abs() < 1e-6, "{angle}");
    assert_eq!(turning.world().resource::<Messages<Refused>>().len(), 0);
}

#[test]
fn discs_of_a_world_that_is_there_already_get_entities() {
    let mut world = World::new();
    let id = world.insert(carom::Disc::new([1.0, 2.0], 0.5).with_velocity([3.0, 0.0])).unwrap();
    let mut app = app(CaromPlugin::new(world));
    let entity = app.world().resource::<Physics>().entity(Partner::Disc(id)).expect("it has one");
    frame(&mut app, 100_000);
    assert_eq!(app.world().get::<Transform>(entity).unwrap().translation.x, 1.3);
}

/// Each component is marked as changed if it differs, and in the rows where it does, in all tables.
#[test]
fn only_what_moves_is_marked_as_changed() {
    #[derive(Resource, Default)]
    struct Seen([usize; 3]);
    #[derive(Component)]
    struct Own;
    type Moved<T> = (With<Disc>, Changed<T>);
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Seen>();
    let look = |moved: Query<(), Moved<Transform>>,
                places: Query<(), Moved<Position>>,
                speeds: Query<(), Moved<Velocity>>,
                mut seen: ResMut<Seen>| {
        seen.0 = [moved.iter().count(), places.iter().count(), speeds.iter().count()];
    };
    app.add_systems(bevy_app::Update, look);
    let discs: Vec<Entity> = (0..6)
        .map(|k| {
            let y = 2.0 * f64::from(k);
            app.world_mut().spawn(disc(0.0, y, 0.5, [f64::from(k % 2), 0.0])).id()
        })
        .collect();
    let seen = |app: &bevy_app::App| app.world().resource::<Seen>().0;
    frame(&mut app, 10_000);
    frame(&mut app, 10_000);
    assert_eq!(seen(&app), [3, 3, 0]);
    // To another table, in the middle of that in which they were; and one that hits another.
    app.world_mut().entity_mut(discs[1]).insert(Own);
    app.world_mut().despawn(discs[3]);
    app.world_mut().spawn((disc(1.2, 10.0, 0.5, [0.0, 0.0]), Own));
    frame(&mut app, 250_000);
    assert_eq!(seen(&app), [3, 3, 2]);
    for (k, entity) in discs.into_iter().enumerate().filter(|&(k, _)| k != 3) {
        let physics = app.world().resource::<Physics>();
        let (now, entity) = (physics.disc(entity).unwrap().to_disc(), app.world().entity(entity));
        assert_eq!(now.position.y, 2.0 * k as f64);
        assert_eq!(entity.get::<Position>().unwrap().0.to_array(), now.position.to_array());
        assert_eq!(entity.get::<Velocity>().unwrap().0.to_array(), now.velocity.to_array());
        let shown = entity.get::<Transform>().unwrap().translation;
        assert_eq!([shown.x, shown.y], now.position.to_array().map(|at| at as f32));
    }
}
