//! Handles and edits: against a plain map, for random sequences of calls; and refused calls change nothing.

use crate::common::grammar;
use crate::common::record::{event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, StopReason, Wall, WallId, World};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Events and states from here on: equal for worlds that are equal, different for all that differ in anything
/// that matters.
fn future(world: &World) -> (Vec<Vec<u64>>, Vec<u64>, String) {
    let mut world = world.clone();
    let mut events = Vec::new();
    let end = world.now().as_secs() + 1.5;
    let next = format!("{:?}", world.next_event());
    // Discs that allow overlap may rattle without end.
    for _ in 0..200 {
        if world.now().as_secs() >= end {
            break;
        }
        let step = world.step_event();
        events.extend(world.events().iter().map(event_bits));
        if step.events == 0 {
            break;
        }
    }
    let inserted = world.insert(Disc::new(DVec2::new(1e6, 1e6), 1.0).with_overlap()).unwrap();
    (events, state_bits(&world), format!("{next} {inserted:?} {:?}", world.walls().collect::<Vec<_>>()))
}

/// A random sequence of insert, remove, edit, advance and clone, with a map beside it. Live handles read what
/// was written, dead ones are errors for every call, handles are never given twice, and the books agree after
/// each call.
#[test]
fn sequences_of_calls_against_a_map() {
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed);
        let mut world = World::with_settings(Settings::default().with_budget(300)).unwrap();
        let mut live: BTreeMap<DiscId, Disc> = BTreeMap::new();
        let mut dead: Vec<DiscId> = Vec::new();
        let mut walls: HashMap<WallId, Wall> = HashMap::new();
        let mut dead_walls: Vec<WallId> = Vec::new();
        let mut given = HashSet::new();
        for step in 0..120 {
            let before = (state_bits(&world), world.counters());
            let id = (!live.is_empty()).then(|| *live.keys().nth(rng.below(live.len())).unwrap());
            let result: Result<(), Error> = match (rng.below(14), id) {
                (0..3, _) | (_, None) => {
                    let disc = Disc::new(rng.vector(6.0), rng.range(0.0, 0.8))
                        .with_velocity(rng.vector(2.0))
                        .with_mass(rng.pick(&[1.0, 1.0, 2.5, 0.0, f64::INFINITY]))
                        .with_restitution(rng.pick(&[1.0, 0.5, 0.0]))
                        .with_user_data(rng.bits());
                    let disc = if rng.chance(10) { disc.with_overlap() } else { disc };
                    world.insert(disc).map(|id| {
                        assert!(given.insert(id), "{id:?} was given before");
                        // Nothing has happened yet: it is read as it was written.
                        assert_eq!(world.get(id).unwrap().to_disc(), disc);
                        live.insert(id, disc);
                    })
                }
                (3, Some(id)) => {
                    let known = world.get(id).unwrap().to_disc();
                    assert_eq!(world.remove(id), Ok(known));
                    live.remove(&id);
                    dead.push(id);
                    Ok(())
                }
                (4, Some(id)) => {
                    let to = rng.vector(6.0);
                    world.set_position(id, to).inspect(|()| assert_eq!(world.get(id).unwrap().position(), to))
                }
                (5 | 6, Some(id)) => {
                    let (to, at) = (rng.vector(2.0), world.get(id).unwrap().position());
                    world.set_velocity(id, to).unwrap();
                    let disc = world.get(id).unwrap();
                    assert_eq!((disc.velocity(), disc.position()), (to, at));
                    Ok(())
                }
                (7, Some(id)) => {
                    let to = rng.range(0.0, 1.0);
                    world.set_radius(id, to).map(|()| live.get_mut(&id).unwrap().radius = to)
                }
                (8, Some(id)) => {
                    let to = rng.pick(&[1.0, 0.5, 0.0, f64::INFINITY, 1e50]);
                    live.get_mut(&id).unwrap().mass = to;
                    world.set_mass(id, to)
                }
                (9, Some(id)) => {
                    let (e, note) = (rng.unit(), rng.bits());
                    let known = live.get_mut(&id).unwrap();
                    (known.restitution, known.user_data) = (e, note);
                    world.set_restitution(id, e).and_then(|()| world.set_user_data(id, note))
                }
                (10, _) => {
                    let wall = grammar::wall(&mut rng, 6.0);
                    world.add_wall(wall.clone()).map(|id| {
                        assert_eq!(world.get_wall(id), Some(&wall));
                        assert!(walls.insert(id, wall).is_none());
                    })
                }
                (11, _) => {
                    if let Some(&id) = walls.keys().min() {
                        assert_eq!(world.remove_wall(id), Ok(walls.remove(&id).unwrap()));
                        dead_walls.push(id);
                    }
                    Ok(())
                }
                (12, _) => {
                    let mut twin = world.clone();
                    let dt = rng.range(0.0, 0.3);
                    let advance = world.advance(dt).unwrap();
                    assert_eq!(twin.advance(dt), Ok(advance));
                    assert_eq!(state_bits(&twin), state_bits(&world));
                    assert!(advance.end != StopReason::Reached || world.now() >= advance.time);
                    Ok(())
                }
                // The clone goes on instead of the original.
                _ => {
                    world = world.clone();
                    Ok(())
                }
            };
            if let Err(error) = result {
                assert_eq!(
                    (state_bits(&world), world.counters()),
                    before,
                    "seed {seed}, step {step}: {error}"
                );
            }
            world.assert_well_formed();
            assert_eq!(world.len(), live.len());
            assert!(world.ids().eq(live.keys().copied()));
            for (id, known) in &live {
                let disc = world.get(*id).unwrap().to_disc();
                let named =
                    |disc: &Disc| (disc.radius, disc.mass, disc.restitution, disc.user_data, disc.overlap);
                assert_eq!(named(&disc), named(known), "seed {seed}, step {step}, {id:?}");
                assert!(world.contains(*id));
            }
            assert_eq!(world.walls().map(|(id, wall)| (id, wall.clone())).collect::<HashMap<_, _>>(), walls);
        }
        assert_dead(&mut world, &dead, &dead_walls);
    }
}

/// Every call with a dead handle says so, and changes nothing.
fn assert_dead(world: &mut World, dead: &[DiscId], dead_walls: &[WallId]) {
    let before = future(world);
    for &id in dead {
        let gone = Error::NoSuchDisc(id);
        assert!(!world.contains(id));
        assert!(world.get(id).is_none());
        assert_eq!(world.remove(id), Err(gone));
        assert_eq!(world.set_position(id, DVec2::ZERO), Err(gone));
        assert_eq!(world.set_velocity(id, DVec2::ZERO), Err(gone));
        assert_eq!(world.set_radius(id, 1.0), Err(gone));
        assert_eq!(world.set_mass(id, 1.0), Err(gone));
        assert_eq!(world.set_restitution(id, 1.0), Err(gone));
        assert_eq!(world.set_user_data(id, 1), Err(gone));
        assert_eq!(world.set_extra(id, ()), Err(gone));
    }
    for &id in dead_walls {
        let gone = Error::NoSuchWall(id);
        assert_eq!(world.get_wall(id), None);
        assert_eq!(world.remove_wall(id), Err(gone));
        assert_eq!(world.set_wall_restitution(id, 1.0), Err(gone));
    }
    assert_eq!(future(world), before);
}

/// A slot is used again, its handle is not; what met the old disc knows nothing of the new one in its place.
#[test]
fn a_slot_used_again_is_another_disc() {
    let mut world = World::new();
    let a = world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::X)).unwrap();
    let b = world.insert(Disc::new(DVec2::new(2.0, 0.0), 0.5)).unwrap();
    world.step_event();
    // Touching, just met. The new disc in the slot of `b` stands where that one stood, and moves towards `a`.
    assert_eq!(world.get(a).unwrap().velocity(), DVec2::ZERO);
    world.remove(b).unwrap();
    let c = world.insert(Disc::new(DVec2::new(2.0, 0.0), 0.5).with_velocity(DVec2::NEG_X)).unwrap();
    assert_eq!((c.slot(), c.generation()), (b.slot(), b.generation() + 1));
    assert_eq!(world.step_event().events, 1, "they have not met");
    assert_eq!(world.get(a).unwrap().velocity(), DVec2::NEG_X);
    assert!(world.get(b).is_none());
}

/// A velocity edit after an impact lets the same two meet again.
#[test]
fn an_edit_forgets_who_was_met() {
    let mut world = World::new();
    let a = world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::X)).unwrap();
    let b = world.insert(Disc::new(DVec2::new(2.0, 0.0), 0.5)).unwrap();
    world.step_event();
    world.set_velocity(b, DVec2::NEG_X).unwrap();
    assert_eq!(world.step_event().events, 1);
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity()), [DVec2::NEG_X, DVec2::ZERO]);
}

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// A message names field and value, whatever the variant.
fn assert_names(error: Error, field: &str, value: f64) {
    let text = error.to_string();
    assert!(text.contains(field) && text.contains(&value.to_string()), "{text:?} for {field} = {value}");
    assert!(text.contains("allowed") || text.contains(": "), "{text:?} does not say what is allowed");
}

/// Bad input at every public door: a typed error that names field and value, no panic, and a world as it was.
#[test]
fn nothing_bad_enters() {
    let mut world = World::new();
    let wall = world.add_wall(Wall::container(DVec2::splat(-9.0), DVec2::splat(9.0))).unwrap();
    let id = world.insert(Disc::new(DVec2::new(1.0, 2.0), 0.5).with_velocity(DVec2::new(1.3, 0.4))).unwrap();
    world.insert(Disc::new(DVec2::new(-3.0, 2.0), 0.7)).unwrap();
    world.advance(0.3).unwrap();
    let before = future(&world);
    let disc = Disc::new(DVec2::new(5.0, 5.0), 0.5);
    let beyond = 1.1e15;
    for bad in BAD.into_iter().chain([beyond, -beyond, f64::MAX]) {
        for (at, axis) in [(DVec2::new(bad, 0.0), "x"), (DVec2::new(0.0, bad), "y")] {
            let field = |name: &str| format!("{name}.{axis}");
            assert_names(world.insert(disc.with_position(at)).unwrap_err(), &field("position"), bad);
            assert_names(world.insert(disc.with_velocity(at)).unwrap_err(), &field("velocity"), bad);
            assert_names(world.set_position(id, at).unwrap_err(), &field("position"), bad);
            assert_names(world.set_velocity(id, at).unwrap_err(), &field("velocity"), bad);
            let mut refused = |wall: Wall, name: &str| {
                assert_names(world.add_wall(wall).unwrap_err(), &field(name), bad);
            };
            refused(Wall::half_plane(at, DVec2::X), "point");
            refused(Wall::half_plane(DVec2::ZERO, at), "normal");
            refused(Wall::segment(at, DVec2::X), "a");
            refused(Wall::segment(DVec2::X, at), "b");
            refused(Wall::one_sided_segment(at, DVec2::X), "a");
            refused(Wall::one_sided_segment(DVec2::X, at), "b");
            refused(Wall::disc(at, 1.0), "center");
            refused(Wall::circle(at, 1.0), "center");
            refused(Wall::arc(at, 1.0, 0.0, 1.0), "center");
            refused(Wall::polyline(&[DVec2::X, DVec2::Y, at]), "points");
            refused(Wall::polygon(&[at, DVec2::X, DVec2::Y]), "points");
            refused(Wall::container(at, DVec2::splat(20.0)), "min");
            refused(Wall::container(DVec2::splat(-20.0), at), "max");
            refused(Wall::rectangle(at, DVec2::splat(20.0)), "points");
            refused(Wall::stadium(at, 1.0, 1.0), "center");
        }
    }
    for bad in BAD.into_iter().chain([-1.0, -0.1, 1e-16, beyond]) {
        assert_names(world.insert(disc.with_radius(bad)).unwrap_err(), "radius", bad);
        assert_names(world.set_radius(id, bad).unwrap_err(), "radius", bad);
        assert_names(world.add_wall(Wall::disc(DVec2::ZERO, bad)).unwrap_err(), "radius", bad);
        assert_names(world.add_wall(Wall::circle(DVec2::ZERO, bad)).unwrap_err(), "radius", bad);
        assert_names(world.add_wall(Wall::arc(DVec2::ZERO, bad, 0.0, 1.0)).unwrap_err(), "radius", bad);
        assert_names(world.add_wall(Wall::stadium(DVec2::ZERO, 1.0, bad)).unwrap_err(), "radius", bad);
        assert_names(world.add_wall(Wall::stadium(DVec2::ZERO, bad, 1.0)).unwrap_err(), "half_length", bad);
    }
    for bad in [f64::NAN, f64::NEG_INFINITY, -1.0, -1e-300, 9e-51, 1.1e50, f64::MAX] {
        assert_names(world.insert(disc.with_mass(bad)).unwrap_err(), "mass", bad);
        assert_names(world.set_mass(id, bad).unwrap_err(), "mass", bad);
    }
    for bad in BAD.into_iter().chain([-1e-300, 1.0 + f64::EPSILON, 2.0]) {
        assert_names(world.insert(disc.with_restitution(bad)).unwrap_err(), "restitution", bad);
        assert_names(world.set_restitution(id, bad).unwrap_err(), "restitution", bad);
        assert_names(world.set_wall_restitution(wall, bad).unwrap_err(), "restitution", bad);
        let wall = Wall::disc(DVec2::ZERO, 0.1).with_restitution(bad);
        assert_names(world.add_wall(wall).unwrap_err(), "restitution", bad);
    }
    for bad in BAD.into_iter().chain([-1e-300, -1.0, f64::MAX, 3e12]) {
        assert_names(world.advance(bad).unwrap_err(), "dt", bad);
        assert_names(world.advance_with(bad, &mut |_: &_| {}).unwrap_err(), "dt", bad);
    }
    for bad in BAD.into_iter().chain([-1.0, 0.0, 0.29, f64::MAX, 3e12]) {
        assert_names(world.advance_to(bad).unwrap_err(), "time", bad);
        assert_names(world.advance_to_with(bad, &mut |_: &_| {}).unwrap_err(), "time", bad);
    }
    for bad in [carom_engine::Time::NEVER, carom_engine::Time::ZERO] {
        assert_names(world.advance_to(bad).unwrap_err(), "time", bad.as_secs());
    }
    let angle = |start, sweep| Wall::arc(DVec2::new(5.0, 5.0), 0.1, start, sweep);
    for bad in BAD.into_iter().chain([1e7, -1e7]) {
        assert_names(world.add_wall(angle(bad, 1.0)).unwrap_err(), "start", bad);
    }
    for bad in BAD.into_iter().chain([0.0, -1.0, 6.3, 1e300]) {
        assert_names(world.add_wall(angle(0.0, bad)).unwrap_err(), "sweep", bad);
    }
    assert_eq!(future(&world), before);
}

/// Shapes that have no extent, or too few points.
#[test]
fn degenerate_walls_are_refused() {
    let mut world = World::new();
    let at = DVec2::new(3.0, 4.0);
    let barely = at + DVec2::new(1e-15, 0.0);
    for (wall, field) in [
        (Wall::half_plane(at, DVec2::ZERO), "normal"),
        (Wall::segment(at, at), "length of the segment"),
        (Wall::segment(at, barely), "length of the segment"),
        (Wall::one_sided_segment(at, at), "length of the segment"),
        (Wall::polyline(&[DVec2::ZERO; 0]), "number of points"),
        (Wall::polyline(&[at]), "number of points"),
        (Wall::polygon(&[at, DVec2::ZERO]), "number of points"),
        (Wall::polyline(&[at, at]), "length of the segment"),
        (Wall::polyline(&[DVec2::ZERO, at, at]), "length of the segment"),
        (Wall::polygon(&[DVec2::ZERO, at, DVec2::ZERO]), "length of the segment"),
        (Wall::container(at, at), "max.x - min.x"),
        (Wall::container(at, DVec2::new(5.0, 4.0)), "max.y - min.y"),
        (Wall::container(at, DVec2::ZERO), "max.x - min.x"),
        (Wall::rectangle(at, at), "length of the segment"),
        (Wall::circle(at, 0.0), "radius"),
        (Wall::arc(at, 0.0, 0.0, 1.0), "radius"),
        (Wall::arc(at, 1e-10, 0.0, 1e-10), "length of the arc"),
        (Wall::stadium(at, 0.0, 1.0), "half_length"),
        // Far out, where neighbouring doubles are further apart than the straights are long.
        (Wall::stadium(DVec2::new(1e15, 0.0), 1e-3, 1e-3), "length of the segment"),
    ] {
        let text = world.add_wall(wall.clone()).expect_err(&format!("{wall:?}")).to_string();
        assert!(text.contains(field), "{wall:?}: {text}");
    }
    assert_eq!(world.walls().count(), 0);
    // The smallest that are allowed.
    for wall in [
        Wall::disc(at, 0.0),
        Wall::segment(DVec2::ZERO, DVec2::new(1e-15, 0.0)),
        Wall::half_plane(at, DVec2::new(1e-15, 0.0)),
        Wall::arc(at, 1.0, 0.0, core::f64::consts::TAU),
        Wall::polygon(&[DVec2::ZERO, DVec2::X, DVec2::Y]),
    ] {
        world.add_wall(wall).unwrap();
    }
}

/// Settings out of range.
#[test]
fn bad_settings_are_refused() {
    for epoch in BAD.into_iter().chain([0.0, -1.0, 3.0, 0.1, 2.0_f64.powi(61), 2.0_f64.powi(-61), 5e-324]) {
        let error = World::with_settings(Settings::default().with_epoch(epoch)).unwrap_err();
        assert_names(error, "epoch", epoch);
    }
    for start in BAD.into_iter().chain([-1e-300, -1.0, 3e12, f64::MAX]) {
        let error = World::with_settings(Settings::default().with_start(start)).unwrap_err();
        assert_names(error, "start", start);
    }
}

/// At the end of the clock: refused beyond it, sound before it.
#[test]
fn the_clock_ends() {
    let horizon = 2.0_f64.powi(51) / 1024.0;
    let start = horizon - 3.0;
    let mut world = World::with_settings(Settings::default().with_start(start)).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(4.0))).unwrap();
    let id = world.insert(Disc::new(DVec2::splat(2.0), 0.5).with_velocity(DVec2::new(1.5, 0.01))).unwrap();
    assert!(world.advance_to(horizon).is_err() && world.advance(3.0).is_err());
    assert_eq!(world.advance(2.5).unwrap().events, 1);
    assert_eq!(world.get(id).unwrap().velocity().x, -1.5);
    // The next impact is beyond the end.
    assert_eq!(world.next_event(), None);
    assert!(world.advance(1.0).is_err());
    assert_eq!(world.advance(0.25).unwrap().end, StopReason::Reached);
    world.assert_well_formed();
}

/// A slice of another length is refused, and nothing is written.
#[test]
fn reading_positions_needs_room() {
    let mut world = World::new();
    for k in 0..3 {
        world.insert(Disc::new(DVec2::new(f64::from(k) * 3.0, 1.0), 1.0)).unwrap();
    }
    for given in [0, 2, 4] {
        let mut places = vec![DVec2::NAN; given];
        assert_eq!(world.read_positions(&mut places), Err(Error::WrongLength { given, discs: 3 }));
        assert!(places.iter().all(|place| place.is_nan()));
    }
    let mut places = [DVec2::NAN; 3];
    world.read_positions(&mut places).unwrap();
    assert_eq!(places, [DVec2::new(0.0, 1.0), DVec2::new(3.0, 1.0), DVec2::new(6.0, 1.0)]);
}

/// Overlap is refused with whom and how deep, for every kind of edit; touching is not an overlap.
#[test]
fn overlaps_are_refused_with_their_depth() {
    let mut world = World::new();
    let wall = world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
    let a = world.insert(Disc::new(DVec2::new(0.0, 1.0), 1.0)).unwrap();
    let b = world.insert(Disc::new(DVec2::new(2.0, 1.0), 1.0)).unwrap();
    let before = future(&world);
    let deep = |result: Result<(), Error>, other: DiscId| {
        assert_eq!(result, Err(Error::OverlapsDisc { other, depth: 0.5 }));
    };
    deep(world.insert(Disc::new(DVec2::new(-1.5, 1.0), 1.0)).map(|_| ()), a);
    deep(world.set_position(b, DVec2::new(1.5, 1.0)), a);
    let behind = Error::OverlapsWall { wall, part: 0, depth: 0.25 };
    assert_eq!(world.set_position(a, DVec2::new(-7.0, 0.75)), Err(behind));
    assert_eq!(world.set_radius(a, 1.25).unwrap_err().to_string().split(' ').next(), Some("the"));
    let on_a = Wall::disc(DVec2::new(0.0, 2.5), 1.0);
    assert_eq!(world.add_wall(on_a), Err(Error::WallOverlapsDisc { disc: a, depth: 0.5 }));
    assert_eq!(future(&world), before);
    world.insert(Disc::new(DVec2::new(-2.0, 1.0), 1.0)).unwrap();
    world.insert(Disc::new(DVec2::new(-1.5, 1.0), 1.0).with_overlap()).unwrap();
}
