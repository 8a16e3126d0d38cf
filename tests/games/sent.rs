//! What is asked for means what it says: moves in seconds and until a time, who takes whom off the plane,
//! what a judge sees of walls, and walls that are bars.

use carom_engine::{
    Command, Commands, DVec2, Disc, Encounter, Event, Forecast, ForecastOptions, Judged, Partner, Settings,
    Smooth, StopReason, Verdict, Wall, WallShape, Which, World,
};
use std::sync::{Arc, Mutex};

/// A move within some seconds is the move until that time, whatever the age and the scale of time.
#[test]
fn moves_take_seconds_or_a_time() {
    let made = |is_until: bool| {
        let mut world = World::new();
        let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
        let lift = world.add_wall(Wall::segment([4.0, -3.0], [6.0, -3.0])).unwrap();
        world.insert(Disc::new([5.0, 0.0], 0.5).with_velocity([0.0, -0.5])).unwrap();
        world.set_time_scale(0.5).unwrap();
        world.advance_to(1e6 + 0.1).unwrap();
        let until = world.after(0.3).unwrap();
        let arrivals = if is_until {
            [world.move_to_until(mallet, [1.0, 2.0], until), world.move_wall_until(lift, [0.0, 1.0], until)]
        } else {
            [world.move_to(mallet, [1.0, 2.0], 0.3), world.move_wall(lift, [0.0, 1.0], 0.3)]
        };
        assert_eq!(arrivals.map(Result::unwrap), [until; 2]);
        world.advance(1.0).unwrap();
        world.checksum()
    };
    assert_eq!(made(true), made(false));
    let mut world = World::new();
    let mallet = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        world.move_to(mallet, [1.0, 0.0], seconds).unwrap_err();
    }
}

/// A ball at speed 1 that is 4 away hits at 4 s.
#[test]
fn an_event_is_sought_for_seconds_or_until_a_time() {
    let mut world = World::new();
    world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    world.insert(Disc::new([5.0, 0.0], 0.5)).unwrap();
    let is_impact = |event: &Event| event.impact().is_some();
    let early = world.advance_to_event(3.0, is_impact).unwrap();
    assert_eq!((early.end, early.time.as_secs()), (StopReason::Reached, 3.0));
    let hit = world.advance_to_event(60.0, is_impact).unwrap();
    assert_eq!((hit.end, hit.time.as_secs(), world.events().len()), (StopReason::Stopped, 4.0, 1));
    world.advance_to_event(1.0, is_impact).unwrap_err();
}

/// An impact of equal masses, one of twice the mass, and one between larger discs: of a commanded radius the
/// gap of 3 closes after 3 − 1, of a commanded mass 3 against 1 at speed 2 leaves 1 and 3, and of a commanded
/// restitution 0 both go on at the common speed.
#[test]
fn radius_mass_and_restitution_are_commands() {
    let played = |command: fn(carom_engine::DiscId) -> Command| {
        let mut world = World::new();
        let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0])).unwrap();
        let b = world.insert(Disc::new([5.0, 0.0], 0.5)).unwrap();
        world.command_at(1.0, command(a)).unwrap();
        world.advance_to_event(9.0, |event| event.impact().is_some()).unwrap();
        let x = |id| world.get(id).unwrap().velocity().x;
        (world.now().as_secs(), x(a), x(b))
    };
    assert_eq!(played(|a| Command::SetRadius(a, 1.5)), (1.5, 0.0, 2.0));
    assert_eq!(played(|a| Command::SetMass(a, 3.0)), (2.0, 1.0, 3.0));
    assert_eq!(played(|a| Command::SetRestitution(a, 0.0)), (2.0, 1.0, 1.0));
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    for command in [Command::SetRadius(a, -1.0), Command::SetMass(a, -1.0), Command::SetRestitution(a, 2.0)] {
        world.command_at(1.0, command).unwrap_err();
    }
}

/// A ball is captured by a pocket, a brick is removed by the ball, and a command removes on its own.
#[test]
fn who_goes_says_by_whom() {
    const POCKET: u64 = 7;
    const BRICK: u64 = 8;
    let rules = |met: &Encounter<'_>, commands: &mut Commands| match met.b.user_data {
        POCKET => Verdict::Capture(Which::First),
        BRICK => {
            commands.set_velocity(met.a.disc().unwrap(), [0.0, -1.0]);
            Verdict::Remove(Which::Second)
        }
        _ => Verdict::Bounce,
    };
    let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default()).unwrap();
    let ball = Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_user_data(3);
    let ball = world.insert(ball).unwrap();
    let brick = world.insert(Disc::new([3.0, 0.0], 0.5).with_user_data(BRICK)).unwrap();
    let pocket = world.add_wall(Wall::disc([2.0, -4.0], 1.0).with_user_data(POCKET)).unwrap();
    let other = world.insert(Disc::new([20.0, 0.0], 0.5)).unwrap();
    world.command_at(8.0, Command::Remove(other)).unwrap();
    world.advance(9.0).unwrap();
    let gone = |event: &Event| match *event {
        Event::Captured(gone) | Event::Removed(gone) => Some((gone.disc, gone.by, gone.by_user_data)),
        _ => None,
    };
    let gone: Vec<_> = world.events().iter().filter_map(gone).collect();
    let pocket = Partner::Wall { wall: pocket, part: 0 };
    assert_eq!(gone, [(brick, Some(Partner::Disc(ball)), 3), (ball, Some(pocket), POCKET), (other, None, 0)]);
}

/// A judge sees walls where they are: one that drifts, an arm that drifts, and one that turns.
#[test]
fn judges_see_where_walls_are() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = seen.clone();
    let rules = move |met: &Encounter<'_>, _: &mut Commands| {
        assert_eq!(met.a.middle(), met.a.position);
        assert_eq!(met.a.wall_shape(), None);
        let shape = met.b.wall_shape().unwrap().into_owned();
        record.lock().unwrap().push((met.b.user_data, met.b.middle(), shape));
        Verdict::Bounce
    };
    let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default()).unwrap();
    let walls = [
        Wall::capsule([-1.0, 0.0], [1.0, 0.0], 0.25),
        Wall::arm([9.0, 0.0], 2.0, 0.25, 0.0).with_user_data(1),
        Wall::arm([20.0, 0.0], 2.0, 0.0, -0.5).with_user_data(2),
    ];
    let [bar, arm, flipper] = walls.map(|wall| world.add_wall(wall).unwrap());
    for [x, y] in [[0.0, 2.75], [10.0, 2.75], [21.0, 1.25]] {
        world.insert(Disc::new([x, y], 0.5)).unwrap();
    }
    world.move_wall(bar, [0.0, 4.0], 4.0).unwrap();
    world.move_wall(arm, [0.0, 4.0], 4.0).unwrap();
    world.turn_arm(flipper, 2.5, 0.5).unwrap();
    world.advance(6.0).unwrap();
    let seen = seen.lock().unwrap();
    let [bar, arm, flipper] = [0, 1, 2].map(|note| seen.iter().find(|seen| seen.0 == note).unwrap());
    assert_eq!(
        (bar.1, &bar.2),
        (
            DVec2::new(0.0, 2.0),
            &WallShape::Capsule { a: DVec2::new(-1.0, 2.0), b: DVec2::new(1.0, 2.0), radius: 0.25 }
        )
    );
    assert_eq!(arm.1, DVec2::new(10.0, 2.0));
    // The centre of the ball is half a unit from the line of the arm, and so is the middle of that on it.
    let WallShape::Arm { pivot, angle, .. } = flipper.2 else { panic!("it is an arm") };
    let line = DVec2::from_angle(angle);
    assert!((line.perp_dot(DVec2::new(21.0, 1.25) - pivot) - 0.5).abs() < 1e-12, "{angle}");
    assert!((flipper.1 - pivot - line).length() < 1e-15);
}

/// A capsule is its two sides, half a thickness from its axis, and two ends that are discs: times and
/// velocities are those of the parts. Without thickness it is a segment.
#[test]
fn a_capsule_is_two_sides_and_two_ends() {
    let ends = [DVec2::new(-1.0, 1.0), DVec2::new(2.0, 5.0)];
    let across = DVec2::new(-0.8, 0.6) * 0.25;
    let run = |walls: &[Wall]| {
        let mut world = World::new();
        for wall in walls {
            world.add_wall(wall.clone()).unwrap();
        }
        for k in 0..24 {
            let way = DVec2::from_angle(0.2618 * f64::from(k) + 0.01);
            let from = DVec2::new(0.5, 3.0) - way * (12.0 + f64::from(k)) + way.perp() * 0.9;
            let disc = Disc::new(from, 0.125).with_velocity(way).with_groups(1, 2);
            world.insert(disc).unwrap();
        }
        world.advance(60.0).unwrap();
        let impacts = world.events().iter().filter_map(Event::impact);
        impacts.map(|hit| (hit.a.slot(), hit.time.as_secs(), hit.after[0], hit.point)).collect::<Vec<_>>()
    };
    let grouped = |wall: Wall| wall.with_groups(2, 1);
    let whole = run(&[grouped(Wall::capsule(ends[0], ends[1], 0.25))]);
    let sides = [across, -across].map(|side| Wall::segment(ends[0] + side, ends[1] + side));
    let parts: Vec<Wall> =
        ends.map(|end| Wall::disc(end, 0.25)).into_iter().chain(sides).map(grouped).collect();
    let parts = run(&parts);
    assert!(whole.len() > 15 && whole.len() == parts.len(), "{} and {}", whole.len(), parts.len());
    for (one, other) in whole.iter().zip(&parts) {
        assert_eq!(one.0, other.0);
        assert!((one.1 - other.1).abs() < 1e-12 && (one.2 - other.2).length() < 1e-12, "{one:?} {other:?}");
        assert!((one.3 - other.3).length() < 1e-12);
    }
    let thin = |wall: Wall| run(&[grouped(wall)]);
    let [thinnest, segment] =
        [Wall::capsule(ends[0], ends[1], 0.0), Wall::segment(ends[0], ends[1])].map(thin);
    assert_eq!(thinnest, segment);
}

/// The normal of a meeting points from the disc of the path to what it meets, as that of the impact of the
/// disc `a` does.
#[test]
fn normals_of_meetings_are_those_of_impacts() {
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let b = world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
    let mut forecast = Forecast::new();
    let mut normal = |world: &World, id| {
        let path = forecast.path(world, id, &ForecastOptions::new(3.0)).unwrap();
        path.iter().find_map(|piece| piece.met).unwrap().normal
    };
    assert_eq!([normal(&world, a), normal(&world, b)], [DVec2::X, DVec2::NEG_X]);
    world.advance(3.0).unwrap();
    assert_eq!(world.events()[0].impact().unwrap().normal, DVec2::X);
}
