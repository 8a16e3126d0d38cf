//! What is out of range is refused at every door, with field and value, and nothing is changed. The last
//! number that is taken and the first that is refused are neighbouring doubles.

use super::ranges::{check, two};
use carom_engine::limits::{MAX_LENGTH, MAX_MASS, MAX_SPEED, MIN_LENGTH, MIN_MASS};
use carom_engine::math::Shown;
use carom_engine::{
    Collapse, Command, DVec2, Disc, DiscId, Error, Settings, StopReason, Time, Wall, WallId, World,
};
use carom_testkit::at;
use core::f64::consts::TAU;

const NAN: f64 = f64::NAN;
const INFINITE: f64 = f64::INFINITY;
const TINIEST: f64 = f64::from_bits(1);

/// What is named when a number is refused, numbers that are taken, and a call with a number.
type Door<'a> = (&'a str, &'a [f64], &'a dyn Fn(&mut World, f64) -> Result<(), Error>);

/// The disc that calls edit.
fn id(world: &World) -> DiscId {
    world.ids().next().unwrap()
}

fn insert(world: &mut World, disc: Disc) -> Result<(), Error> {
    world.insert(disc.with_overlap()).map(drop)
}

fn wall(world: &World) -> WallId {
    world.walls().next().unwrap().0
}

/// A wall that collides with nothing.
fn add(world: &mut World, wall: Wall) -> Result<(), Error> {
    world.add_wall(wall.with_groups(0, 0)).map(drop)
}

/// A world that has room for discs of any size.
fn roomy() -> World {
    let mut world = World::new();
    add(&mut world, Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
    world.insert(Disc::new(DVec2::ZERO, 1.0)).unwrap();
    world
}

/// A world in which much happens.
fn busy() -> World {
    let mut world = World::new();
    world.add_wall(Wall::container([-9.0, -9.0], [9.0, 9.0])).unwrap();
    world.insert(Disc::new([1.0, 2.0], 0.5).with_velocity([1.3, 0.4])).unwrap();
    world.insert(Disc::new([-3.0, 2.0], 0.7)).unwrap();
    world.advance(0.3).unwrap();
    world
}

/// Knocks at doors that refuse the same; `axis` is what stands behind their names.
fn knock(axis: &str, bad: &[f64], doors: &[Door]) {
    for (name, good, door) in doors {
        let name = format!("{name}{axis}");
        for &x in *good {
            let mut world = roomy();
            door(&mut world, x).unwrap_or_else(|error| panic!("{name} = {x:e}: {error}"));
            check(&mut world);
        }
        for &x in bad {
            let mut world = busy();
            let before = world.clone();
            let error = door(&mut world, x).expect_err(&format!("{name} = {x:e}"));
            let text = error.to_string();
            let (Error::OutOfRange { value, .. } | Error::Inconsistent { value, .. }) = error else {
                panic!("{name} = {x:e}: {error:?}");
            };
            assert!(value.to_bits() == x.to_bits(), "{name} = {x:e}: {error:?}");
            let says_what = text.contains(&name) && text.contains(&Shown(x).to_string()) && text.len() < 150;
            assert!(says_what && (text.contains("allowed") || text.contains(": ")), "{name} = {x:e}: {text}");
            assert_eq!(world.diff(&before), None, "{name} = {x:e}");
        }
    }
}

#[test]
fn places_and_velocities() {
    let disc = Disc::new(DVec2::ZERO, 1.0);
    let (most, fastest) = ([MAX_LENGTH, -MAX_LENGTH], [MAX_SPEED, -MAX_SPEED]);
    // The same number is the first that is refused of both.
    let bad =
        [MAX_LENGTH.next_up(), -MAX_SPEED.next_up(), 1.1e15, -1.1e15, f64::MAX, NAN, INFINITE, -INFINITE];
    for (axis, of) in [(".x", (|x| at(x, 0.0)) as fn(f64) -> DVec2), (".y", |y| at(0.0, y))] {
        knock(
            axis,
            &bad,
            &[
                ("position", &most, &|w, x| insert(w, disc.with_position(of(x)))),
                ("position", &most, &|w, x| w.set_position(id(w), of(x))),
                ("velocity", &fastest, &|w, x| insert(w, disc.with_velocity(of(x)))),
                ("velocity", &fastest, &|w, x| w.set_velocity(id(w), of(x))),
                ("point", &most, &|w, x| add(w, Wall::half_plane(of(x), DVec2::X))),
                ("normal", &[], &|w, x| add(w, Wall::half_plane(DVec2::ZERO, of(x)))),
                ("a", &[], &|w, x| add(w, Wall::segment(of(x), DVec2::X))),
                ("b", &[], &|w, x| add(w, Wall::segment(DVec2::X, of(x)))),
                ("a", &[], &|w, x| add(w, Wall::one_sided_segment(of(x), DVec2::X))),
                ("b", &[], &|w, x| add(w, Wall::one_sided_segment(DVec2::X, of(x)))),
                ("center", &[], &|w, x| add(w, Wall::disc(of(x), 1.0))),
                ("center", &[], &|w, x| add(w, Wall::circle(of(x), 1.0))),
                ("center", &[], &|w, x| add(w, Wall::arc(of(x), 1.0, 0.0, 1.0))),
                ("points", &[], &|w, x| add(w, Wall::polyline(&[DVec2::X, DVec2::Y, of(x)]))),
                ("points", &[], &|w, x| add(w, Wall::polygon(&[of(x), DVec2::X, DVec2::Y]))),
                ("min", &[], &|w, x| add(w, Wall::container(of(x), DVec2::splat(20.0)))),
                ("max", &[], &|w, x| add(w, Wall::container(DVec2::splat(-20.0), of(x)))),
                ("points", &[], &|w, x| add(w, Wall::rectangle(of(x), DVec2::splat(20.0)))),
                ("center", &[], &|w, x| add(w, Wall::stadium(of(x), 1.0, 1.0))),
            ],
        );
    }
}

#[test]
fn lengths_and_angles() {
    let (short, long, o) = (MIN_LENGTH.next_down(), MAX_LENGTH.next_up(), DVec2::ZERO);
    let edges = [MIN_LENGTH, MAX_LENGTH];
    knock(
        "",
        &[NAN, INFINITE, -INFINITE, -1.0, -0.1, 1e-16, 1.1e15, short, long],
        &[
            ("radius", &edges, &|w, x| insert(w, Disc::new(o, x))),
            ("radius", &edges, &|w, x| w.set_radius(id(w), x)),
            ("radius", &edges, &|w, x| add(w, Wall::disc(o, x))),
            ("radius", &edges, &|w, x| add(w, Wall::circle(o, x))),
            ("radius", &[], &|w, x| add(w, Wall::arc(o, x, 0.0, 1.0))),
            ("radius", &[], &|w, x| add(w, Wall::stadium(o, 1.0, x))),
            ("half_length", &[], &|w, x| add(w, Wall::stadium(o, x, 1.0))),
        ],
    );
    knock(
        "",
        &[short],
        &[
            ("length of the segment", &edges, &|w, x| add(w, Wall::segment(o, at(x, 0.0)))),
            ("max.x - min.x", &edges, &|w, x| add(w, Wall::container(o, at(x, 1.0)))),
            ("max.y - min.y", &[], &|w, x| add(w, Wall::container(o, at(1.0, x)))),
            ("length of the normal", &[], &|w, x| add(w, Wall::half_plane(o, at(0.0, x)))),
        ],
    );
    // Two coordinates that are allowed, and a length between them that is not.
    let segment = Wall::segment(at(-MAX_LENGTH, 0.0), at(0.125_f64.next_up(), 0.0));
    knock("", &[long], &[("length of the segment", &[], &|w, _| add(w, segment.clone()))]);
    let arc = |start, sweep| Wall::arc(at(5.0, 5.0), 0.1, start, sweep);
    let bad = [NAN, INFINITE, -INFINITE, 1e7, -1e7, 1e6_f64.next_up(), -(1e6_f64.next_up())];
    knock("", &bad, &[("start", &[1e6, -1e6], &|w, x| add(w, arc(x, 1.0)))]);
    let bad = [NAN, INFINITE, -INFINITE, 0.0, -1.0, 6.3, 1e300, TAU.next_up()];
    knock("", &bad, &[("sweep", &[TAU], &|w, x| add(w, arc(0.0, x)))]);
}

#[test]
fn masses_and_restitutions() {
    let disc = Disc::new(DVec2::ZERO, 1.0);
    let (light, heavy) = (MIN_MASS.next_down(), MAX_MASS.next_up());
    knock(
        "",
        &[NAN, -INFINITE, -1.0, -1e-300, -TINIEST, 9e-51, 1.1e50, f64::MAX, light, heavy],
        &[
            ("mass", &[0.0, MIN_MASS, MAX_MASS], &|w, x| insert(w, disc.with_mass(x))),
            ("mass", &[0.0, MIN_MASS, MAX_MASS], &|w, x| w.set_mass(id(w), x)),
        ],
    );
    let post = Wall::disc(DVec2::ZERO, 0.1);
    knock(
        "",
        &[NAN, INFINITE, -INFINITE, -1e-300, -TINIEST, 1.0_f64.next_up(), 2.0],
        &[
            ("restitution", &[0.0, 1.0], &|w, x| insert(w, disc.with_restitution(x))),
            ("restitution", &[0.0, 1.0], &|w, x| w.set_restitution(id(w), x)),
            ("restitution", &[0.0, 1.0], &|w, x| w.set_wall_restitution(wall(w), x)),
            ("restitution", &[0.0, 1.0], &|w, x| add(w, post.clone().with_restitution(x))),
        ],
    );
}

#[test]
fn times_and_settings() {
    let horizon = two(51) / 1024.0;
    let reached = |advance: carom_engine::Advance| assert_eq!(advance.end, StopReason::Reached);
    knock(
        "",
        &[NAN, INFINITE, -INFINITE, -1e-300, -TINIEST, -1.0, f64::MAX, 3e12, horizon],
        &[
            ("dt", &[0.0], &|w, x| w.advance(x).map(reached)),
            ("dt", &[0.0], &|w, x| w.advance_with(x, &mut |_: &_| {}).map(reached)),
        ],
    );
    knock(
        "",
        &[NAN, INFINITE, -INFINITE, -1.0, 0.0, 0.29, f64::MAX, 3e12, horizon],
        &[
            ("time", &[horizon.next_down()], &|w, x| w.advance_to(x).map(reached)),
            ("time", &[horizon.next_down()], &|w, x| w.advance_to_with(x, &mut |_: &_| {}).map(reached)),
        ],
    );
    for time in [Time::NEVER, Time::ZERO] {
        knock("", &[time.as_secs()], &[("time", &[], &|w, _| w.advance_to(time).map(reached))]);
    }
    let with = |settings| World::with_settings(settings).map(drop);
    let bad = [NAN, INFINITE, -INFINITE, -1e-300, -TINIEST, -1.0, 3e12, f64::MAX, horizon];
    knock("", &bad, &[("start", &[horizon.next_down()], &|_, x| with(Settings::default().with_start(x)))]);
    let bad = [NAN, INFINITE, -INFINITE, 0.0, -1.0, 3.0, 0.1, two(61), two(-61), TINIEST];
    let bad = [&bad[..], &[two(60).next_up(), two(-60).next_down(), 1.0_f64.next_up()]].concat();
    let good = [two(60), two(-60), 1.0];
    knock("", &bad, &[("epoch", &good, &|_, x| with(Settings::default().with_epoch(x)))]);
    let row = |contact_time, impacts: f64| Some(Collapse::new(contact_time, impacts as u32));
    for (name, bad, good, rule) in [
        ("contact_time", &[-1.0, NAN, INFINITE][..], 0.0, &(|x| row(x, 32.0)) as &dyn Fn(f64) -> _),
        ("impacts", &[0.0], 1.0, &|x| row(1e-9, x)),
    ] {
        let with = |x| with(Settings::default().with_collapse(rule(x)));
        knock("", bad, &[(name, &[good], &|_, x| with(x)), (name, &[good], &|w, x| w.set_collapse(rule(x)))]);
    }
}

/// A command is kept until its time, and saved with the world: no number is kept that no world takes.
#[test]
fn numbers_of_timed_commands() {
    use Command as C;
    let keep = |w: &mut World, command| w.command_at(w.now(), command).map(drop);
    let disc = Disc::new(DVec2::ZERO, 1.0).with_overlap();
    let (most, fastest, turned) = ([MAX_LENGTH, -MAX_LENGTH], [MAX_SPEED, -MAX_SPEED], [1e6, -1e6]);
    let bad = [NAN, INFINITE, -INFINITE];
    for (axis, of) in [(".x", (|x| at(x, 0.0)) as fn(f64) -> DVec2), (".y", |y| at(0.0, y))] {
        let doors: [Door; 7] = [
            ("position", &most, &|w, x| keep(w, C::Insert(disc.with_position(of(x))))),
            ("velocity", &fastest, &|w, x| keep(w, C::Insert(disc.with_velocity(of(x))))),
            ("velocity", &fastest, &|w, x| keep(w, C::SetVelocity(id(w), of(x)))),
            ("position", &most, &|w, x| keep(w, C::SetPosition(id(w), of(x)))),
            ("impulse", &fastest, &|w, x| keep(w, C::ApplyImpulse(id(w), of(x)))),
            ("target", &most, &|w, x| keep(w, C::MoveTo(id(w), of(x), 1.0))),
            ("offset", &most, &|w, x| keep(w, C::MoveWall(wall(w), of(x), 1.0))),
        ];
        knock(axis, &bad, &doors);
    }
    let doors: [Door; 7] = [
        ("radius", &[1.0], &|w, x| keep(w, C::Insert(Disc::new(DVec2::ZERO, x)))),
        ("restitution", &[0.0], &|w, x| keep(w, C::Insert(disc.with_restitution(x)))),
        ("dt", &[0.0], &|w, x| keep(w, C::MoveTo(id(w), DVec2::ZERO, x))),
        ("dt", &[0.0], &|w, x| keep(w, C::MoveWall(wall(w), DVec2::ZERO, x))),
        ("dt", &[0.0], &|w, x| keep(w, C::SetTimer(x, 0))),
        ("angle", &turned, &|w, x| keep(w, C::TurnArm(wall(w), x, 1.0))),
        ("rate", &[MAX_SPEED], &|w, x| keep(w, C::TurnArm(wall(w), 1.0, x))),
    ];
    knock("", &bad, &doors);
}
