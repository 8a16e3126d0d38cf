//! Whatever a builder accepts works: in every kind of world each setting of a disc or a wall changes what
//! happens, or is refused, or stands below as one without a meaning, with the reason.

use crate::common::record::event_bits;
use crate::common::umpire::{Umpire, refereed};
use carom_engine::{
    DVec2, Disc, Error, Forces, Overlap, Physics, Rules, Sensor, Settings, Smooth, Verdict, Wall, World,
};

/// What happens to the setting of a field: it shows (`+`), it is refused (`!`), or it has no meaning (`.`).
///
/// A sensor collides with nothing, so that neither a finite mass nor a restitution of it means anything, and
/// nothing that it overlaps is refused. Periodic worlds refuse sensors, and worlds with drag
/// kinematic discs. User data is the user's.
const DISCS: &str = "\
field       finite infinite kinematic tracer sensor
position    +      +        +         +      +
velocity    +      +        +         +      +
radius      +      +        +         +      +
mass        +      +        !         +      .
restitution +      +        +         +      .
overlap     +      +        +         +      .
membership  +      +        +         +      +
mask        +      +        +         +      +
team        +      +        +         +      +
sensor      +      +        +         +      +
kinematic   !      +        +         !      !
max_speed   !      !        +         !      !
";

/// Sets a field to something else.
fn set<B, X>(field: &str, disc: &mut Disc<B, X>) {
    match field {
        "position" => disc.position.y += 0.125,
        "velocity" => disc.velocity.y += 0.125,
        "radius" => disc.radius = 0.625,
        "mass" => disc.mass = 3.0,
        "restitution" => disc.restitution = 0.25,
        "membership" => disc.rules = disc.rules.with_membership(4),
        "mask" => disc.rules = disc.rules.with_mask(4),
        "team" => disc.rules = disc.rules.with_team(1),
        "sensor" => disc.sensor = if disc.sensor == Sensor::No { Sensor::Yes } else { Sensor::No },
        "kinematic" => disc.kinematic = !disc.kinematic,
        "max_speed" => disc.max_speed = 0.5,
        "overlap" => {
            disc.position = DVec2::new(3.0, 0.25);
            disc.overlap = Overlap::Allow;
        }
        _ => unreachable!("{field}"),
    }
}

fn disc_of<B: Default, X: Default>(kind: &str) -> Disc<B, X> {
    let disc = Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_restitution(0.75);
    match kind {
        "finite" => disc,
        "infinite" => disc.with_mass(f64::INFINITY),
        "kinematic" => disc.kinematic(),
        "tracer" => disc.with_mass(0.0),
        "sensor" => disc.with_sensor(),
        _ => unreachable!("{kind}"),
    }
}

/// Everything that happens to a disc between two others and two walls, and where all are at the end.
fn bits<P: Physics>(mut world: World<P>, disc: Disc<P::Body, P::Extra>) -> Result<Vec<u64>, Error>
where
    P::Body: Default,
    P::Extra: Default,
    P::Surface: Default,
{
    for (y, up) in [(-4.0, 1.0), (4.0, -1.0)] {
        world.add_wall(Wall::<P::Surface>::new(Wall::<()>::half_plane([0.0, y], [0.0, up]).shape))?;
    }
    let other = |x: f64, vx: f64| Disc::new([x, 0.25], 0.5).with_velocity([vx, 0.125]);
    world.insert(other(3.0, -0.25).with_rules(Rules::new().with_membership(3).with_mask(3).with_team(1)))?;
    world.insert(other(-3.0, 2.0).with_rules(Rules::new().with_membership(3).with_mask(3)))?;
    let own = world.insert(disc)?;
    let mut bits = Vec::new();
    for until in [2.5, 9.0] {
        world.advance_to(until)?;
        bits.extend(world.events().iter().flat_map(event_bits));
        if until < 9.0 && world.get(own).is_some_and(|disc| disc.is_kinematic()) {
            world.move_to_until(own, [1.0, 1.0], 4.0)?;
        }
    }
    for (id, disc) in world.discs() {
        bits.extend([disc.position, disc.velocity].map(|v| [v.x, v.y].map(f64::to_bits)).concat());
        bits.push(u64::from(id.slot()));
    }
    Ok(bits)
}

/// How the setting shows in such a world.
fn shown<P: Physics>(world: &World<P>, kind: &str, field: &str) -> char
where
    P::Body: Default,
    P::Extra: Default,
    P::Surface: Default,
{
    let plain = disc_of(kind);
    let mut other = plain;
    set(field, &mut other);
    if field == "overlap" {
        let mut refused = other;
        refused.overlap = Overlap::Refuse;
        assert!(bits(world.clone(), other).is_ok());
        return if bits(world.clone(), refused).is_err() { '+' } else { '.' };
    }
    match bits(world.clone(), other) {
        Err(Error::Inconsistent { field: named, reason, .. }) => {
            let is_named = named == field || ["kinematic", "sensor"].contains(&field);
            assert!(is_named && reason.len() > 20, "{named}: {reason}");
            '!'
        }
        Err(error) => panic!("{kind}, {field}: {error}"),
        Ok(changed) if changed != bits(world.clone(), plain).unwrap() => '+',
        Ok(_) => '.',
    }
}

/// Compares with the table in one kind of world.
fn check<P: Physics>(name: &str, world: &World<P>)
where
    P::Body: Default,
    P::Extra: Default,
    P::Surface: Default,
{
    let mut lines = DISCS.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let kinds = lines.next().unwrap();
    for line in lines {
        for (kind, expected) in kinds.iter().zip(&line).skip(1) {
            let is_refused = |kind| bits(world.clone(), disc_of(kind)).is_err();
            let expected = match line[0] {
                _ if is_refused(kind) => continue,
                of @ ("sensor" | "kinematic") if is_refused(of) => &"!",
                _ => expected,
            };
            let found = shown(world, kind, line[0]).to_string();
            assert_eq!(found, *expected, "{} of a disc that is {kind}, {name}", line[0]);
        }
    }
}

#[test]
fn settings_of_discs_show_or_are_refused() {
    let plain = World::<Smooth>::new();
    check("in a plain world", &plain);
    let periodic = Settings::default().with_period([Some(20.0), None]);
    check("in a periodic world", &World::with_settings(periodic).unwrap());
    check("under drag", &World::with_settings(Settings::default().with_drag(0.0625)).unwrap());
    check("under gravity", &falling());
    check("by a judge", &refereed(Smooth, Umpire::Always(Verdict::Bounce)));
    let mut grows = plain.clone();
    grows.set_growth(0.015625).unwrap();
    check("while it grows", &grows);
}

fn falling() -> World<Forces> {
    let forces = Forces::new().with_gravity([0.0, -0.125]).unwrap();
    World::with_physics(forces, Settings::default()).unwrap()
}

/// Walls of all shapes, each in the way of a ball that falls from (0, 3); and whether they can be moved.
fn walls() -> [(Wall, bool); 11] {
    let o = DVec2::ZERO;
    [
        (Wall::half_plane(o, DVec2::Y), true),
        (Wall::segment([-2.0, 0.0], [2.0, 0.0]), true),
        (Wall::one_sided_segment([-2.0, 0.0], [2.0, 0.0]), true),
        (Wall::disc([0.25, -1.0], 1.0), true),
        (Wall::circle([0.25, 3.0], 4.0), false),
        (Wall::arc([0.25, 1.0], 2.0, 3.5, 2.5), false),
        (Wall::polyline(&[DVec2::new(-2.0, 0.5), o, DVec2::new(2.0, 0.5)]), true),
        (Wall::rectangle([-2.0, -1.0], [2.0, 0.0]), true),
        (Wall::container([-9.0, -1.0], [9.0, 9.0]), true),
        (Wall::stadium([0.25, 3.0], 1.0, 4.0), false),
        (Wall::arm([-2.0, 0.0], 4.0, 0.125, 0.0), true),
    ]
}

/// What a ball does that falls on a wall, and then on the wall that has moved.
fn seen(wall: Wall) -> Result<String, Error> {
    let mut world: World = World::new();
    let id = world.add_wall(wall)?;
    let ball = Disc::new([0.125, 3.0], 0.25).with_velocity([0.0625, -1.0]);
    world.insert(ball.with_rules(Rules::new().with_membership(3).with_mask(3).with_team(1)))?;
    world.advance(4.5)?;
    let moved = world.move_wall_until(id, [0.0, -0.5], 5.0);
    world.advance(1.0)?;
    let at_end = world.discs().map(|(_, disc)| (disc.position, disc.velocity)).next();
    Ok(format!("{moved:?} {:?} {at_end:?}", world.wall_shape(id)))
}

#[test]
fn settings_of_walls_show_or_are_refused() {
    for (wall, can_move) in walls() {
        let plain = seen(wall.clone()).unwrap();
        let shows = |other: Wall| seen(other).unwrap() != plain;
        assert!(shows(wall.clone().with_restitution(0.5)), "{wall:?}");
        for rules in [Rules::new().with_membership(4), Rules::new().with_mask(4), Rules::new().with_team(1)] {
            assert!(shows(wall.clone().with_rules(rules)), "{wall:?}: {rules:?}");
        }
        // What is hollow does not move, which `move_wall` says.
        assert_eq!(shows(wall.clone().with_max_speed(0.25)), can_move, "{wall:?}");
        assert_eq!(plain.contains("CannotMoveWall"), !can_move, "{plain}");
    }
}
