//! Every kind of edit, each of parts that a world may have.

use super::Parts;
use carom_engine::{
    Command, DVec2, Disc, DiscId, Error, Overlap, Region, Rules, SchedulerKind, SimdLevel, Wall, World,
};
use carom_testkit::at;
use carom_testkit::grammar::{Draw, Played};
use carom_testkit::rng::Rng;

/// What came of an edit; nothing if the world has no such part.
pub(super) type Done = Option<Result<(), Error>>;

/// An edit with its name.
pub(super) type Edit<P> = (&'static str, fn(&mut World<P>, &Parts) -> Done);

/// All kinds of edits. The calls that only look, and `reserve` and `set_scheduler`, which change nothing, are
/// those of a world that is looked at.
pub(super) fn all<P: Played>() -> Vec<Edit<P>> {
    [motion(), properties(), relations(), walls(), moving_walls(), regions(), timers(), whole()].concat()
}

/// A random value of a physics, the same in each call.
fn drawn<P: Played, T>(seed: u64, value: impl FnOnce(&mut Draw<'_>) -> T) -> T {
    value(&mut Draw { choices: &mut Rng::new(seed), scale: P::scale() })
}

fn none() -> Rules {
    Rules::new().with_mask(0)
}

/// Where a disc is, and at what velocity.
fn seen<P: Played>(world: &World<P>, id: DiscId) -> Option<[DVec2; 2]> {
    world.get(id).map(|disc| [disc.position(), disc.velocity()])
}

fn motion<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("insert at a disc", |world, parts| {
            let [place, _] = seen(world, parts.a)?;
            let disc = Disc::new(place + at(0.3, 0.6), 0.25).with_velocity([-1.0, -2.0]);
            Some(world.insert(disc.with_overlap()).map(drop))
        }),
        ("insert a sensor", |world, _| {
            let disc = Disc::new(at(0.5, 1.0), 0.75).with_velocity([0.5, 0.25]);
            Some(world.insert(disc.with_sensor()).map(drop))
        }),
        ("remove a", |world, parts| Some(world.remove(parts.a).map(drop))),
        ("remove b", |world, parts| Some(world.remove(parts.b?).map(drop))),
        ("move a away", |world, parts| Some(world.set_position(parts.a, at(2.0, 2.75)))),
        ("move a to where it is", |world, parts| {
            let [place, _] = seen(world, parts.a)?;
            Some(world.set_position(parts.a, place))
        }),
        ("move b into a", |world, parts| {
            let (b, [place, _]) = (parts.b?, seen(world, parts.a)?);
            world.set_overlap(b, Overlap::Allow).ok()?;
            Some(world.set_position(b, place + at(0.25, 0.125)))
        }),
        ("a and b change places", |world, parts| {
            let (b, [of_a, _]) = (parts.b?, seen(world, parts.a)?);
            let [of_b, _] = seen(world, b)?;
            Some(world.set_positions(&[(parts.a, of_b), (b, of_a)]))
        }),
        ("velocity of a", |world, parts| Some(world.set_velocity(parts.a, at(-1.5, 0.75)))),
        ("velocity of a as it is", |world, parts| {
            let [_, velocity] = seen(world, parts.a)?;
            Some(world.set_velocity(parts.a, velocity))
        }),
        ("velocities", |world, parts| {
            Some(world.set_velocities(&[(parts.a, DVec2::ZERO), (parts.b?, at(0.5, -2.0))]))
        }),
        ("impulse on b", |world, parts| Some(world.apply_impulse(parts.b?, at(-1.0, 1.0)))),
        ("send the mover", |world, parts| {
            let (mover, by) = (parts.mover?, world.after(0.75).ok()?);
            Some(world.move_to_until(mover, at(1.0, -1.0), by).map(drop))
        }),
    ]
}

fn properties<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("smaller", |world, parts| Some(world.set_radius(parts.a, 0.25))),
        ("a point", |world, parts| Some(world.set_radius(parts.b?, 0.0))),
        ("larger", |world, parts| {
            world.set_overlap(parts.a, Overlap::Allow).ok()?;
            Some(world.set_radius(parts.a, 0.75))
        }),
        ("heavier", |world, parts| Some(world.set_mass(parts.a, 2.5))),
        ("infinite", |world, parts| Some(world.set_mass(parts.a, f64::INFINITY))),
        ("a tracer", |world, parts| Some(world.set_mass(parts.b?, 0.0))),
        ("finite", |world, parts| Some(world.set_mass(parts.b?, 1.0))),
        ("restitution", |world, parts| Some(world.set_restitution(parts.a, 0.25))),
        ("user data", |world, parts| Some(world.set_user_data(parts.a, 77))),
        ("may overlap", |world, parts| Some(world.set_overlap(parts.a, Overlap::Allow))),
        ("body", |world, parts| Some(world.set_body(parts.a, drawn::<P, _>(1, P::body)))),
        ("extra", |world, parts| Some(world.set_extra(parts.a, drawn::<P, _>(2, P::extra)))),
    ]
}

fn relations<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("a meets nothing", |world, parts| Some(world.set_rules(parts.a, none()))),
        ("b meets nothing", |world, parts| Some(world.set_rules(parts.b?, none()))),
        ("a meets all", |world, parts| Some(world.set_rules(parts.a, Rules::new()))),
        ("b meets all", |world, parts| Some(world.set_rules(parts.b?, Rules::new()))),
        ("a is of a team", |world, parts| Some(world.set_rules(parts.a, Rules::new().with_team(1)))),
        ("exclude", |world, parts| Some(world.exclude(parts.a, parts.b?).map(drop))),
        ("include", |world, parts| Some(world.include(parts.a, parts.b?).map(drop))),
        ("a goes off", |world, parts| Some(world.set_enabled(parts.a, false))),
        ("b goes off", |world, parts| Some(world.set_enabled(parts.b?, false))),
        ("a comes back", |world, parts| Some(world.set_enabled(parts.a, true))),
    ]
}

fn walls<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("add a segment", |world, _| Some(world.add_wall(Wall::segment([0.9, -2.9], [1.1, -1.1])).map(drop))),
        ("add a line", |world, _| {
            Some(world.add_wall(Wall::half_plane([-4.5, 0.0], DVec2::X).with_restitution(0.5)).map(drop))
        }),
        ("add a door that is open", |world, parts| {
            let [place, _] = seen(world, parts.a)?;
            let door = Wall::segment(place - at(0.1, 1.0), place + at(0.1, 1.0));
            Some(world.add_wall(door.with_rules(none())).map(drop))
        }),
        ("remove the wall", |world, parts| Some(world.remove_wall(parts.wall?).map(drop))),
        ("remove the last wall", |world, parts| Some(world.remove_wall(parts.last?).map(drop))),
        ("wall's restitution", |world, parts| Some(world.set_wall_restitution(parts.wall?, 0.5))),
        ("wall's user data", |world, parts| Some(world.set_wall_user_data(parts.wall?, 9))),
        ("wall's surface", |world, parts| {
            Some(world.set_wall_surface(parts.wall?, drawn::<P, _>(5, P::surface)))
        }),
        ("the wall meets nothing", |world, parts| Some(world.set_wall_rules(parts.wall?, none()))),
        ("the wall meets all", |world, parts| Some(world.set_wall_rules(parts.wall?, Rules::new()))),
        ("the last wall meets nothing", |world, parts| Some(world.set_wall_rules(parts.last?, none()))),
        ("the last wall meets all", |world, parts| Some(world.set_wall_rules(parts.last?, Rules::new()))),
    ]
}

fn moving_walls<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("move the last wall", |world, parts| {
            let by = world.after(0.5).ok()?;
            Some(world.move_wall_until(parts.last?, at(0.25, 0.375), by).map(drop))
        }),
        ("the last wall moves back", |world, parts| {
            let by = world.after(0.25).ok()?;
            Some(world.move_wall_until(parts.last?, DVec2::ZERO, by).map(drop))
        }),
        ("stop the last wall", |world, parts| {
            let (offset, by) = (world.wall_motion(parts.last?)?.offset, world.after(0.25).ok()?);
            Some(world.move_wall_until(parts.last?, offset, by).map(drop))
        }),
        ("turn the arm", |world, parts| Some(world.turn_arm(parts.arm?, 1.0, 2.0).map(drop))),
        ("turn the arm back", |world, parts| Some(world.turn_arm(parts.arm?, -0.5, 8.0).map(drop))),
    ]
}

fn regions<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("add a region", |world, _| Some(world.add_region(Region::disc([0.5, 0.5], 1.5)).map(drop))),
        ("add a carried region", |world, parts| {
            Some(world.add_region(Region::disc([0.0, 0.25], 1.25).carried_by(parts.a)).map(drop))
        }),
        ("add a sensor wall", |world, _| {
            Some(world.add_sensor_wall(Wall::segment([-0.5, -2.0], [0.25, 2.0])).map(drop))
        }),
        ("make a region of the last wall", |world, parts| {
            Some(world.add_region(Region::wall(parts.last?).by_edge()).map(drop))
        }),
        ("change the region", |world, parts| {
            Some(world.set_region(parts.region?, Region::disc([0.0, -0.5], 1.0)))
        }),
        ("remove the region", |world, parts| Some(world.remove_region(parts.region?).map(drop))),
    ]
}

fn timers<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("set a timer", |world, _| Some(world.set_timer(0.125, 3).map(drop))),
        ("a command", |world, parts| {
            let time = world.after(0.125).ok()?;
            Some(world.command_at(time, Command::SetEnabled(parts.a, false)).map(drop))
        }),
        ("cancel a timer", |world, parts| {
            world.cancel_timer(parts.timer?);
            Some(Ok(()))
        }),
        ("scale of time", |world, _| Some(world.set_time_scale(0.5))),
    ]
}

fn whole<P: Played>() -> Vec<Edit<P>> {
    vec![
        ("growth", |world, _| Some(world.set_growth(0.0625))),
        ("no growth", |world, _| Some(world.set_growth(0.0))),
        ("scale velocities", |world, _| Some(world.scale_velocities(0.75))),
        ("laws", |world, _| Some(world.set_physics(drawn::<P, _>(4, P::laws)))),
        ("push apart", |world, _| Some(world.push_apart().map(drop))),
        ("separate", |world, _| Some(world.separate_overlaps(1.0).map(drop))),
        ("no rule against collapse", |world, _| Some(world.set_collapse(None))),
        ("instructions", |world, _| {
            world.set_instructions(SimdLevel::Portable);
            Some(Ok(()))
        }),
        ("retain", |world, parts| {
            let a = parts.a;
            world.retain(|disc| disc.id() == a || disc.id().slot() % 2 == 1);
            Some(Ok(()))
        }),
        ("clear", |world, _| {
            world.clear();
            Some(Ok(()))
        }),
    ]
}

/// Has another scheduler go on.
pub(super) fn flip<P: Played>(world: &mut World<P>) {
    let is_grid = world.settings().scheduler == SchedulerKind::Grid;
    let other = if is_grid { SchedulerKind::Table } else { SchedulerKind::Grid };
    world.set_scheduler(other).expect("there are few discs");
}
