//! Handles and edits: against a plain map, for random sequences of calls. That refused calls change nothing,
//! random games show too (`crates/carom-fuzz/tests/games.rs`); what is out of range, `robust/refused.rs`.

use crate::common::grammar;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Error, Forces, Physics, Settings, Wall, WallId, World};
use std::collections::{BTreeMap, HashMap, HashSet};

fn random_disc(rng: &mut Rng) -> Disc {
    let disc = Disc::new(rng.vector(6.0), rng.range(0.0, 0.8))
        .with_velocity(rng.vector(2.0))
        .with_mass(rng.pick(&[1.0, 1.0, 2.5, 0.0, f64::INFINITY]))
        .with_restitution(rng.pick(&[1.0, 0.5, 0.0]))
        .with_user_data(rng.bits());
    if rng.chance(10) { disc.with_overlap() } else { disc }
}

/// Edits a disc; returns what it is then.
fn edit_disc(rng: &mut Rng, world: &mut World, id: DiscId) -> Disc {
    let mut disc = world.get(id).unwrap().to_disc();
    let before = disc;
    let result = match rng.below(6) {
        0 => {
            disc.position = rng.vector(6.0);
            world.set_position(id, disc.position)
        }
        1 => {
            disc.velocity = rng.vector(2.0);
            world.set_velocity(id, disc.velocity)
        }
        2 => {
            disc.radius = rng.range(0.0, 1.0);
            world.set_radius(id, disc.radius)
        }
        3 => {
            disc.mass = rng.pick(&[1.0, 0.5, 0.0, f64::INFINITY, 1e50]);
            world.set_mass(id, disc.mass)
        }
        4 => {
            disc.restitution = rng.unit();
            world.set_restitution(id, disc.restitution)
        }
        _ => {
            disc.user_data = rng.bits();
            world.set_user_data(id, disc.user_data)
        }
    };
    if result.is_ok() { disc } else { before }
}

/// A random sequence of calls, with a map beside it. Live handles read what was written, dead ones are errors
/// for every call, handles are never given twice, and the books agree after each call.
#[test]
fn sequences_of_calls_against_a_map() {
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed);
        let mut world = World::with_settings(Settings::default().with_budget(300)).unwrap();
        let (mut live, mut walls) = (BTreeMap::<DiscId, Disc>::new(), HashMap::<WallId, Wall>::new());
        let (mut dead, mut dead_walls, mut given) = (Vec::new(), Vec::new(), HashSet::new());
        for step in 0..120 {
            let what = format!("seed {seed}, step {step}");
            let id = (!live.is_empty()).then(|| *live.keys().nth(rng.below(live.len())).unwrap());
            match (rng.below(13), id) {
                (0..3, _) | (_, None) => {
                    let disc = random_disc(&mut rng);
                    if let Ok(id) = world.insert(disc) {
                        assert!(given.insert(id), "{what}: {id:?} was given before");
                        // Nothing has happened yet: it is read as it was written.
                        assert_eq!(world.get(id).unwrap().to_disc(), disc, "{what}");
                        live.insert(id, disc);
                    }
                }
                (3, Some(id)) => {
                    let known = world.get(id).unwrap().to_disc();
                    assert_eq!(world.remove(id), Ok(known), "{what}");
                    live.remove(&id);
                    dead.push(id);
                }
                (4..10, Some(id)) => {
                    let disc = edit_disc(&mut rng, &mut world, id);
                    assert_eq!(world.get(id).unwrap().to_disc(), disc, "{what}");
                    live.insert(id, disc);
                }
                (10, _) => {
                    let wall = grammar::wall(&mut rng, 6.0);
                    if let Ok(id) = world.add_wall(wall.clone()) {
                        assert!(walls.insert(id, wall).is_none(), "{what}");
                    }
                }
                (11, _) => {
                    if let Some(&id) = walls.keys().min() {
                        assert_eq!(world.remove_wall(id), Ok(walls.remove(&id).unwrap()), "{what}");
                        dead_walls.push(id);
                    }
                }
                _ => _ = world.advance(rng.range(0.0, 0.3)).unwrap(),
            }
            world.assert_well_formed();
            assert_eq!(world.len(), live.len(), "{what}");
            for ((id, disc), (live_id, known)) in world.discs().zip(&live) {
                assert!(id == *live_id && world.contains(id), "{what}: {id:?}");
                let named =
                    |disc: &Disc| (disc.radius, disc.mass, disc.restitution, disc.user_data, disc.overlap);
                assert_eq!(named(&disc), named(known), "{what}, {id:?}");
            }
            assert_eq!(world.walls().map(|(id, wall)| (id, wall.clone())).collect::<HashMap<_, _>>(), walls);
        }
        assert_dead(&mut world, &dead, &dead_walls);
    }
}

/// Every call with a dead handle says so, and changes nothing.
fn assert_dead(world: &mut World, dead: &[DiscId], dead_walls: &[WallId]) {
    let before = world.clone();
    for &id in dead {
        let gone = Error::NoSuchDisc(id);
        assert!(!world.contains(id) && world.get(id).is_none());
        assert_eq!(world.remove(id), Err(gone));
        for result in [
            world.set_position(id, DVec2::ZERO),
            world.set_velocity(id, DVec2::ZERO),
            world.set_radius(id, 1.0),
            world.set_mass(id, 1.0),
            world.set_restitution(id, 1.0),
            world.set_user_data(id, 1),
            world.set_extra(id, ()),
        ] {
            assert_eq!(result, Err(gone));
        }
    }
    for &id in dead_walls {
        let gone = Error::NoSuchWall(id);
        assert_eq!(world.get_wall(id), None);
        assert_eq!(world.remove_wall(id), Err(gone));
        assert_eq!(world.set_wall_restitution(id, 1.0), Err(gone));
    }
    assert_eq!(world.diff(&before), None);
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
        (Wall::polyline(&vec![at; 2_097_153]), "4194306 parts, and 4194304 are the most"),
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
        let text = world.add_wall(wall).expect_err(field).to_string();
        assert!(text.contains(field), "{field}: {text}");
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

/// In one pass the velocities are those of one disc after the other, to the bit: where all fly straight,
/// where all slow down, where one is sent somewhere and has arrived, and where discs fall.
#[test]
fn velocities_read_together_are_those_of_each_disc() {
    fn check<P: Physics<Body: Default, Extra: Default>>(mut world: World<P>, sent: bool) {
        for k in 0..4 {
            let disc = Disc::new([f64::from(k) * 3.0, 1.0], 1.0).with_velocity([1.0 - f64::from(k), 0.25]);
            world.insert(disc).unwrap();
        }
        let first = world.ids().next().unwrap();
        world.remove(first).unwrap();
        if sent {
            let lift = world.insert(Disc::new([-9.0, 1.0], 1.0).kinematic()).unwrap();
            world.move_to(lift, [-7.0, 1.0], 0.5).unwrap();
        }
        for time in [0.0, 0.3, 0.5, 4.0] {
            world.advance_to(time).unwrap();
            let mut velocities = vec![DVec2::NAN; world.len()];
            world.read_velocities(&mut velocities).unwrap();
            let bits = |velocity: DVec2| velocity.to_array().map(f64::to_bits);
            let each = world.discs().map(|(_, disc)| bits(disc.velocity));
            assert!(each.eq(velocities.iter().map(|&velocity| bits(velocity))), "at {time}");
        }
        let mut velocities = [DVec2::NAN];
        let refused = Err(Error::WrongLength { given: 1, discs: world.len() });
        assert_eq!(world.read_velocities(&mut velocities), refused);
        assert!(velocities[0].is_nan());
    }
    check(World::new(), false);
    check(World::new(), true);
    check(World::with_settings(Settings::default().with_drag(0.5)).unwrap(), false);
    let forces = Forces::new().with_gravity([0.5, -9.0]).unwrap();
    check(World::with_physics(forces, Settings::default()).unwrap(), true);
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
