//! One world of each kind, in the middle of what is special to it. The first two discs and the first and last
//! walls are those that are edited.

use carom_engine::{
    Command, DVec2, Disc, DiscForces, DiscId, Event, Forces, Overlap, Physics, Region, Rough, Roughness,
    Rules, Settings, Smooth, Spin, Wall, World,
};
use carom_testkit::at;

/// A world with the name of its kind.
pub(super) type Kind<P> = (&'static str, fn() -> World<P>);

const INFINITE: f64 = f64::INFINITY;

const GONE: usize = 2064;

pub(super) const SMOOTH: [Kind<Smooth>; 19] = [
    ("few discs in a box", || gas(Smooth, Settings::default())),
    ("periodic", || {
        let mut world =
            World::with_settings(Settings::default().with_period([Some(6.0), Some(5.5)])).unwrap();
        scatter(&mut world);
        after(world, 0.5)
    }),
    ("drag", || gas(Smooth, Settings::default().with_drag(0.5))),
    ("growth", || {
        let mut world = gas(Smooth, Settings::default());
        world.set_growth(0.03125).unwrap();
        after(world, 0.25)
    }),
    ("all classes of mass", || {
        let mut world = gas(Smooth, Settings::default());
        let ids: Vec<DiscId> = world.ids().collect();
        for (id, mass) in ids.into_iter().zip([1.0, 0.0, INFINITE, 0.0, 3.0]) {
            world.set_mass(id, mass).unwrap();
        }
        after(world, 0.25)
    }),
    ("slides in a round room", slides),
    ("points on a wedge", points),
    ("a row that touches", row),
    ("overlaps", overlaps),
    ("a puck that is crushed", || {
        let mut world = closing();
        while !world.events().iter().any(|event| matches!(event, Event::Crushed { .. })) {
            assert_eq!(world.step_event().events, 1);
        }
        world
    }),
    ("a chain that closes", || {
        let mut world = closing();
        (0..4).for_each(|_| _ = world.step_event());
        world
    }),
    ("passing", passing),
    ("an arm that turns", || with_arm(Smooth)),
    ("a wall that moves", || with_lift(Smooth)),
    ("regions", regions),
    ("discs that meet few", rules),
    ("off the plane", || {
        let mut world = gas(Smooth, Settings::default());
        let first = world.ids().next().unwrap();
        world.set_enabled(first, false).unwrap();
        after(world, 0.5)
    }),
    ("timers", timers),
    ("points, and walls that are gone", || {
        let mut world = points();
        // About as many as are kept (`walls/store.rs`), so that edits have the facets of others renumbered.
        for _ in 0..GONE {
            let post = world.add_wall(Wall::disc([2.5, 2.0], 0.25)).unwrap();
            world.remove_wall(post).unwrap();
        }
        world
    }),
];

pub(super) const FORCES: [Kind<Forces>; 6] = [
    ("falling", || gas(pull(), Settings::default())),
    ("a heap", || heap(pull())),
    ("a heap on a lift", || after(with_lift(pull()), 0.25)),
    ("on an arm", || with_arm(pull())),
    ("sliding to a stop", || {
        let mut world: World<Forces> =
            World::with_physics(Forces::new().with_weight(4.0).unwrap(), Settings::default()).unwrap();
        world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0])).unwrap();
        for (x, friction) in [(-1.5, 0.125), (0.0, 0.25), (1.5, 0.5)] {
            let body = DiscForces { friction, ..DiscForces::default() };
            let disc = Disc::new(at(x, 0.5 * x), 0.5).with_velocity(at(3.0 - x, 1.0));
            world.insert(disc.with_body(body)).unwrap();
        }
        after(world, 0.25)
    }),
    ("a heap with a mover", || {
        let mut world = heap(pull());
        let mover = world.insert(Disc::new(at(-2.5, 2.5), 0.25).kinematic()).unwrap();
        world.move_to_until(mover, at(2.5, -2.0), world.after(2.0).unwrap()).unwrap();
        after(world, 0.5)
    }),
];

pub(super) const ROUGH: [Kind<Rough<Forces>>; 2] = [
    ("rough discs", || {
        let mut world = gas(rough(), Settings::default());
        let ids: Vec<DiscId> = world.ids().collect();
        for (id, spin) in ids.into_iter().zip([4.0, -2.0, 1.0]) {
            world.set_extra(id, Spin::new(spin)).unwrap();
        }
        after(world, 0.5)
    }),
    ("a rough heap", || heap(rough())),
];

fn pull() -> Forces {
    Forces::new().with_gravity([0.0, -2.0]).unwrap()
}

fn rough() -> Rough<Forces> {
    Rough::new(pull(), Roughness::new(0.5, 0.5).unwrap())
}

fn after<P: Physics>(mut world: World<P>, seconds: f64) -> World<P> {
    world.advance(seconds).unwrap();
    world
}

fn scatter<P: Physics>(world: &mut World<P>) {
    for (place, velocity) in
        [([-2.0, -2.0], [1.0, 0.5]), ([0.25, -1.75], [-1.0, 0.75]), ([2.0, 0.0], [-2.0, -0.25])]
            .into_iter()
            .chain([([-1.5, 0.5], [0.5, -1.5]), ([0.5, 1.75], [1.25, -0.5])])
    {
        world.insert(Disc::new(place, 0.5).with_velocity(velocity)).unwrap();
    }
}

fn gas<P: Physics>(physics: P, settings: Settings) -> World<P> {
    let mut world = World::with_physics(physics, settings).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0]).with_restitution(0.9)).unwrap();
    scatter(&mut world);
    after(world, 0.75)
}

fn heap<P: Physics>(physics: P) -> World<P> {
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 9.0]).with_restitution(0.0)).unwrap();
    for (k, place) in [[0.0, -2.5], [0.0, -1.5], [0.75, -2.25], [-1.0, -2.5], [0.5, 0.0]].iter().enumerate() {
        let disc = Disc::new(*place, if k == 2 { 0.25 } else { 0.5 }).with_restitution(0.0);
        world.insert(disc).unwrap();
    }
    world.add_wall(Wall::disc([-2.0, -1.5], 0.25)).unwrap();
    after(world, 4.0)
}

fn slides() -> World {
    let mut world = World::new();
    world.add_wall(Wall::circle([0.0, 0.0], 3.0)).unwrap();
    world.insert(Disc::new([2.5, 0.0], 0.5).with_velocity([0.0, 1.0])).unwrap();
    world.insert(Disc::new([-2.75, 0.0], 0.25).with_velocity([0.0, -1.0])).unwrap();
    world.insert(Disc::new([0.0, 0.5], 0.5).with_velocity([0.25, 0.5])).unwrap();
    world.add_wall(Wall::disc([0.0, -1.0], 0.25)).unwrap();
    after(world, 0.5)
}

/// Points run along the sides of a wedge, over its tip, and past its end.
fn points() -> World {
    let mut world = World::new();
    world.add_wall(Wall::polyline(&[[-2.0, 1.0], [0.0, 0.0], [2.0, 0.0], [3.0, 0.0]])).unwrap();
    for (place, velocity) in
        [([1.0, 1.0], [0.5, -2.0]), ([-1.0, 0.5], [1.0, -0.5]), ([0.0, 2.0], [0.0, -1.0])]
    {
        world.insert(Disc::new(place, 0.0).with_velocity(velocity).with_restitution(0.0)).unwrap();
    }
    world.add_wall(Wall::container([-3.0, -2.0], [3.5, 3.0])).unwrap();
    after(world, 1.0)
}

fn row() -> World {
    let mut world = World::new();
    world.add_wall(Wall::half_plane([3.0, 0.0], DVec2::NEG_X)).unwrap();
    for x in [2.5, 1.5, 0.5] {
        world.insert(Disc::new([x, 0.0], 0.5)).unwrap();
    }
    world.insert(Disc::new([-2.0, 0.0], 0.5).with_velocity([2.0, 0.0])).unwrap();
    world.add_wall(Wall::segment([-2.5, -2.0], [-2.5, 2.0])).unwrap();
    after(world, 1.0)
}

fn overlaps() -> World {
    let mut world = World::new();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0])).unwrap();
    for (place, velocity) in [([0.0, 0.0], [1.0, 0.0]), ([0.5, 0.25], [1.5, 0.0]), ([2.75, 0.0], [-0.5, 0.0])]
    {
        world.insert(Disc::new(place, 0.5).with_velocity(velocity).with_overlap()).unwrap();
    }
    after(world, 0.125)
}

/// A puck between a wall and a mover that comes nearer.
fn closing() -> World {
    let mut world = World::new();
    world.add_wall(Wall::segment([2.0, -1.5], [2.0, 1.5]).with_restitution(0.5)).unwrap();
    for (x, e) in [(1.25, 0.5), (0.0, 0.25)] {
        world.insert(Disc::new([x, 0.0], 0.5).with_restitution(e)).unwrap();
    }
    let mover = world.insert(Disc::new([-1.5, 0.0], 0.5).kinematic()).unwrap();
    world.insert(Disc::new([0.5, 2.5], 0.5).with_velocity([0.25, -1.0])).unwrap();
    world.move_to_until(mover, [1.0, 0.0], 2.0).unwrap();
    world
}

/// Two discs pass through each other until they part, one through a door that has closed, and a pair always.
fn passing() -> World {
    let mut world = World::new();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0])).unwrap();
    let ids = [([-1.0, 0.0], [1.0, 0.0]), ([-0.5, 0.25], [0.5, 0.25]), ([1.5, 0.0], [-0.25, 0.5])]
        .map(|(place, velocity)| Disc::new(place, 0.5).with_velocity(velocity).with_overlap())
        .map(|disc| world.insert(disc).unwrap());
    world.exclude(ids[0], ids[1]).unwrap();
    world.exclude(ids[0], ids[2]).unwrap();
    let door = world.add_wall(Wall::segment([-0.75, -2.0], [-0.75, 2.0]).with_groups(1, 0)).unwrap();
    world.advance(0.125).unwrap();
    world.include(ids[0], ids[1]).unwrap();
    world.set_wall_rules(door, Rules::new()).unwrap();
    after(world, 0.125)
}

fn with_arm<P: Physics>(physics: P) -> World<P> {
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0]).with_restitution(0.5)).unwrap();
    let arm = world.add_wall(Wall::arm([-1.5, -1.0], 2.5, 0.25, 0.0).with_restitution(0.5)).unwrap();
    for (place, velocity) in
        [([0.5, -0.25], [0.0, -0.5]), ([-0.75, 0.0], [0.0, -0.5]), ([0.5, 2.0], [0.5, -1.0])]
    {
        world.insert(Disc::new(place, 0.5).with_velocity(velocity)).unwrap();
    }
    let mut world = after(world, 1.0);
    world.turn_arm(arm, 0.75, 1.5).unwrap();
    after(world, 0.25)
}

fn with_lift<P: Physics>(physics: P) -> World<P> {
    let mut world = World::with_physics(physics, Settings::default()).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 6.0])).unwrap();
    for (place, velocity) in
        [([0.0, -1.0], [0.0, 0.0]), ([0.75, 0.0], [0.0, -1.0]), ([-1.0, 0.5], [0.5, -0.5])]
    {
        world.insert(Disc::new(place, 0.5).with_velocity(velocity).with_restitution(0.0)).unwrap();
    }
    let lift = world.add_wall(Wall::segment([-2.0, -2.0], [2.0, -2.0]).with_restitution(0.0)).unwrap();
    let mut world = after(world, 2.0);
    world.move_wall_until(lift, [0.25, 1.0], world.after(2.0).unwrap()).unwrap();
    after(world, 0.25)
}

fn regions() -> World {
    let mut world = gas(Smooth, Settings::default());
    let ids: Vec<DiscId> = world.ids().collect();
    world.add_region(Region::disc([0.0, 0.0], 1.5)).unwrap();
    world.add_region(Region::disc([0.25, 0.0], 1.0).carried_by(ids[0]).by_edge()).unwrap();
    world.add_sensor_wall(Wall::segment([1.0, -2.0], [1.5, 2.0])).unwrap();
    world.insert(Disc::new([-1.0, -1.0], 0.75).with_velocity([0.25, 0.0]).with_sensor()).unwrap();
    after(world, 0.25)
}

/// The first disc meets nothing, and lies over another one; the second is in a team.
fn rules() -> World {
    let mut world = regions();
    let ids: Vec<DiscId> = world.ids().collect();
    world.add_region(Region::disc([2.0, 0.5], 1.0).with_rules(Rules::new().with_team(1))).unwrap();
    world.set_rules(ids[0], Rules::new().with_mask(0)).unwrap();
    world.set_rules(ids[1], Rules::new().with_team(1)).unwrap();
    let other = world.get(ids[2]).unwrap().position();
    world.set_overlap(ids[0], Overlap::Allow).unwrap();
    world.advance(0.0).unwrap();
    world.set_position(ids[0], other + at(0.25, -0.5)).unwrap();
    after(world, 0.125)
}

fn timers() -> World {
    let mut world = gas(Smooth, Settings::default());
    let ids: Vec<DiscId> = world.ids().collect();
    world.set_timer(0.5, 1).unwrap();
    let wall = world.walls().map(|(id, _)| id).next().unwrap();
    for (seconds, command) in [
        (0.25, Command::SetVelocity(ids[0], at(1.0, -1.0))),
        (0.5, Command::Remove(ids[2])),
        (0.75, Command::SetWallRules(wall, Rules::new().with_mask(0))),
        (0.875, Command::SetPosition(ids[1], DVec2::ZERO)),
    ] {
        world.command_at(world.after(seconds).unwrap(), command).unwrap();
    }
    world
}
