use crate::{app, disc, frame};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom::{Commands as Orders, Disc as Body, Encounter, Forces, Judged, Settings, Smooth, Verdict, World};
use carom_bevy::{
    Captured, CaromPlugin, Entered, Happened, Held, Impacted, Inserted, Left, LetGo, Overran, Physics,
    Position, Region, Removed, Restitution, TimerEnded, UserData, Wall,
};

/// Messages that have been written since the last call.
fn drain<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

#[derive(Resource, Default)]
struct Log(Vec<(Entity, f64, &'static str)>);

/// Two discs of mass 1 and 3 at 2 units a second, 1 apart: they meet at 0.5 s, and the impulse is
/// 2 μ v = 2 · ¾ · 2 = 3, with the reduced mass μ.
#[test]
fn an_impact_has_its_time_impulse_point_and_normal() {
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Log>();
    let note = |hit: On<Impacted>, mut log: ResMut<Log>| {
        log.0.push((hit.entity, hit.normal.x, "impact"));
    };
    let a = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [2.0, 0.0])).observe(note).id();
    let heavy = (disc(2.0, 0.0, 0.5, [0.0, 0.0]), carom_bevy::Mass(3.0));
    let b = app.world_mut().spawn(heavy).observe(note).id();
    frame(&mut app, 250_000);
    assert_eq!(drain::<Impacted>(&mut app), []);
    frame(&mut app, 250_000);
    frame(&mut app, 250_000);
    let [hit] = drain::<Impacted>(&mut app)[..] else { panic!("they meet once") };
    assert_eq!((hit.entity, hit.other, hit.time), (a, Some(b), 0.5));
    assert_eq!((hit.impulse, hit.approach_speed), (3.0, 2.0));
    assert_eq!((hit.point, hit.normal), (DVec2::new(1.5, 0.0), DVec2::X));
    assert_eq!((hit.before[0].x, hit.after[0].x, hit.after[1].x), (2.0, -1.0, 1.0));
    let swapped = hit.swapped().expect("both have entities");
    assert_eq!((swapped.entity, swapped.normal, swapped.after[1]), (b, -DVec2::X, hit.after[0]));
    // Observers of each see the normal that leads away from it.
    assert_eq!(app.world().resource::<Log>().0, [(a, 1.0, "impact"), (b, -1.0, "impact")]);
}

#[test]
fn an_observed_wall_is_told_of_its_hits() {
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Log>();
    let wall = Wall::from(carom::Wall::half_plane([3.0, 0.0], [-1.0, 0.0]));
    let note = |hit: On<Impacted>, mut log: ResMut<Log>| log.0.push((hit.entity, hit.time, "wall"));
    let wall = app.world_mut().spawn(wall).observe(note).id();
    app.world_mut().spawn(disc(0.5, 0.0, 0.5, [16.0, 0.0]));
    frame(&mut app, 250_000);
    assert_eq!(app.world().resource::<Log>().0, [(wall, 0.125, "wall")]);
}

/// However fast it is: 2000 units a second through a region half a unit wide.
#[test]
fn crossings_are_told_to_disc_and_region_at_their_times() {
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Log>();
    let goal = Region::from(carom::Region::rectangle([10.0, -2.0], [10.5, 2.0]));
    let note = |crossing: On<Entered>, mut log: ResMut<Log>| log.0.push((crossing.disc, crossing.time, "in"));
    let goal = app.world_mut().spawn(goal).observe(note).id();
    let puck = app.world_mut().spawn(disc(0.0, 0.0, 0.25, [2000.0, 0.0])).id();
    frame(&mut app, 16_667);
    let ([entered], [left]) = (&drain::<Entered>(&mut app)[..], &drain::<Left>(&mut app)[..]) else {
        panic!()
    };
    assert_eq!((entered.disc, entered.region, entered.time), (puck, goal, 0.005));
    assert_eq!((left.disc, left.region, left.time), (puck, goal, 0.00525));
    assert_eq!(app.world().resource::<Log>().0, [(puck, 0.005, "in")]);
}

/// A fall by 4 at 2 units/s² takes 2 s; at 3 s the centre is past the end of the wall.
#[test]
fn held_and_let_go() {
    let forces = Forces::new().with_gravity([0.0, -2.0]).unwrap();
    let mut app = app(CaromPlugin::new(World::with_physics(forces, Settings::default()).unwrap()));
    let floor = Wall::from(carom::Wall::segment([-1.0, 0.0], [6.0, 0.0]));
    let floor = app.world_mut().spawn((floor, Restitution(0.0))).id();
    let ball = app.world_mut().spawn((disc(0.0, 4.5, 0.5, [2.0, 0.0]), Restitution(0.0))).id();
    let (mut held, mut gone) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        frame(&mut app, 200_000);
        held.extend(drain::<Held>(&mut app));
        gone.extend(drain::<LetGo>(&mut app));
    }
    let ([held], [gone]) = (&held[..], &gone[..]) else { panic!("{held:?} {gone:?}") };
    assert_eq!((held.entity, held.other, held.normal), (ball, Some(floor), -DVec2::Y));
    assert!((held.time - 2.0).abs() < 1e-12 && (gone.time - 3.0).abs() < 1e-12);
}

const BRICK: u64 = 1;
const POCKET: u64 = 2;
const SEED: u64 = 3;

fn judge(met: &Encounter<'_>, orders: &mut Orders) -> Verdict {
    let is = |kind: u64| move |party: &carom::Party<'_>| party.user_data == kind;
    if let Some([brick, _]) = met.pair(is(BRICK), |_| true) {
        return Verdict::BounceAndRemove(brick.which);
    }
    if let Some([_, ball]) = met.pair(is(POCKET), |_| true) {
        return Verdict::Capture(ball.which);
    }
    if let Some([_, _]) = met.pair(is(SEED), |_| true) {
        orders.insert(Body::new([50.0, 50.0], 1.0).with_velocity([1.0, 0.0]).with_user_data(8));
    }
    Verdict::Bounce
}

type Rules = Judged<Smooth, fn(&Encounter<'_>, &mut Orders) -> Verdict>;

fn judged() -> App {
    let physics: Rules = Judged::new(Smooth, judge as fn(&Encounter<'_>, &mut Orders) -> Verdict);
    app(CaromPlugin::new(World::with_physics(physics, Settings::default()).unwrap()))
}

/// A brick of a disc and one of a wall: both go with their entities, and observers see their components.
#[test]
fn what_a_verdict_removes_loses_its_entity_after_its_observers() {
    #[derive(Component)]
    struct Worth(f64);
    let mut app = judged();
    app.init_resource::<Log>();
    let note = |gone: On<Removed>, worth: Query<&Worth>, mut log: ResMut<Log>| {
        log.0.push((gone.entity, worth.get(gone.entity).map_or(0.0, |worth| worth.0), "gone"));
    };
    // Of infinite mass, so that the ball comes back.
    let fixed = carom_bevy::Mass(f64::INFINITY);
    let brick = (disc(3.0, 0.0, 0.5, [0.0, 0.0]), fixed, UserData(BRICK), Worth(10.0));
    let brick = app.world_mut().spawn(brick).observe(note).id();
    let wall = (Wall::from(carom::Wall::segment([-2.0, -1.0], [-2.0, 1.0])), UserData(BRICK), Worth(20.0));
    let wall = app.world_mut().spawn(wall).observe(note).id();
    let ball = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [10.0, 0.0])).id();
    for _ in 0..4 {
        frame(&mut app, 200_000);
    }
    assert_eq!(app.world().resource::<Log>().0, [(brick, 10.0, "gone"), (wall, 20.0, "gone")]);
    assert!(app.world().get_entity(brick).is_err() && app.world().get_entity(wall).is_err());
    assert!(app.world().get_entity(ball).is_ok());
    let physics = app.world().resource::<Physics<Rules>>();
    assert_eq!((physics.world().len(), physics.world().walls().count(), physics.discs().count()), (1, 0, 1));
}

#[test]
fn a_captured_disc_keeps_its_entity_and_can_be_put_back() {
    let mut app = judged();
    app.world_mut().spawn((disc(3.0, 0.0, 0.5, [0.0, 0.0]), UserData(POCKET)));
    let ball = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [10.0, 0.0])).id();
    frame(&mut app, 250_000);
    let [captured] = drain::<Captured>(&mut app)[..] else { panic!() };
    assert_eq!((captured.entity, captured.time), (ball, 0.2));
    app.world_mut().get_mut::<Position>(ball).unwrap().0 = DVec2::new(-5.0, 0.0);
    frame(&mut app, 1000);
    assert!(app.world().resource::<Physics<Rules>>().disc(ball).unwrap().is_enabled());
}

#[test]
fn what_a_command_inserts_gets_an_entity() {
    let mut app = judged();
    app.world_mut().spawn((disc(3.0, 0.0, 0.5, [0.0, 0.0]), UserData(SEED)));
    app.world_mut().spawn(disc(0.0, 0.0, 0.5, [10.0, 0.0]));
    frame(&mut app, 250_000);
    let [inserted] = drain::<Inserted>(&mut app)[..] else { panic!() };
    assert_eq!(inserted.time, 0.2);
    let at = app.world().get::<Position>(inserted.entity).unwrap().0;
    assert!((at - DVec2::new(50.05, 50.0)).length() < 1e-14, "{at}");
    assert_eq!(app.world().get::<UserData>(inserted.entity), Some(&UserData(8)));
}

#[test]
fn timers_and_all_else_are_told() {
    let mut app = app(CaromPlugin::default());
    let arm = Wall::from(carom::Wall::arm([0.0, 0.0], 2.0, 0.2, -0.5));
    let arm = app.world_mut().spawn(arm).id();
    let mut physics = app.world_mut().resource_mut::<Physics>();
    physics.world_mut().set_timer(0.01, 7).unwrap();
    let wall = physics.wall_id(arm).unwrap();
    physics.world_mut().turn_arm(wall, 0.5, 20.0).unwrap();
    frame(&mut app, 100_000);
    let [timer] = drain::<TimerEnded>(&mut app)[..] else { panic!() };
    assert_eq!((timer.time, timer.note), (0.01, 7));
    let [Happened(turned)] = drain::<Happened>(&mut app)[..] else { panic!() };
    assert!(matches!(turned, carom::Event::Turned { wall: of, .. } if of == wall));
}

/// Removed past the plugin's back: the entity goes all the same.
#[test]
fn a_disc_that_is_taken_out_of_the_world_takes_its_entity_with_it() {
    let mut app = app(CaromPlugin::default());
    let entity = app.world_mut().spawn(disc(0.0, 0.0, 0.5, [0.0, 0.0])).id();
    let mut physics = app.world_mut().resource_mut::<Physics>();
    let id = physics.disc_id(entity).unwrap();
    physics.world_mut().remove(id).unwrap();
    frame(&mut app, 1000);
    assert_eq!(drain::<Removed>(&mut app).len(), 1);
    assert!(app.world().get_entity(entity).is_err());
}

/// One event a step where two are due: the step says where it got to, and the next goes on.
#[test]
fn a_step_that_is_over_budget_says_so() {
    let world = World::with_settings(Settings::default().with_budget(1)).unwrap();
    let mut app = app(CaromPlugin::new(world));
    app.world_mut().spawn(Wall::from(carom::Wall::container([0.0, 0.0], [4.0, 4.0])));
    let entity = app.world_mut().spawn(disc(2.0, 2.0, 0.5, [1000.0, 0.0])).id();
    frame(&mut app, 10_000);
    let [overran] = drain::<Overran>(&mut app)[..] else { panic!() };
    assert_eq!((overran.asked, overran.time), (0.01, 0.0015));
    assert_eq!(app.world().get::<Position>(entity).unwrap().0.x, 3.5);
}
