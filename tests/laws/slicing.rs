//! State changes only at events. That the bits do not depend on how time is cut into calls, random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::{state_bits, time_bits};
use carom_engine::{DVec2, Disc, DiscId, Time, Wall, World};

fn room() -> (World, [DiscId; 3]) {
    let mut world = World::new();
    world.add_wall(Wall::container(DVec2::splat(-8.0), DVec2::splat(8.0))).unwrap();
    let ids = [(-4.0, 0.7), (1.0, -0.3), (6.0, 1.1)].map(|(x, v)| {
        let velocity = DVec2::new(3.0 * v, 0.4 * x);
        world.insert(Disc::new(DVec2::new(x, 0.3 * x), 0.5).with_velocity(velocity)).unwrap()
    });
    (world, ids)
}

/// The end of a frame and a query rewrite no state: `state_time` stays that of the last event of the disc
/// itself.
#[test]
fn frames_and_queries_rewrite_nothing() {
    let (mut world, ids) = room();
    let mut last: [Time; 3] = ids.map(|id| world.get(id).unwrap().state_time());
    let (mut frames_without, mut impacts) = (0, 0);
    for frame in 1..6000 {
        world.advance_to(f64::from(frame) / 60.0).unwrap();
        let _ = (world.next_event(), world.kinetic_energy(), world.discs().count());
        for event in world.events() {
            let impact = event.impact().unwrap();
            impacts += 1;
            for (k, id) in ids.iter().enumerate() {
                if impact.a == *id || impact.b == carom_engine::Partner::Disc(*id) {
                    last[k] = impact.time;
                }
            }
        }
        frames_without += u32::from(world.events().is_empty());
        for (k, id) in ids.iter().enumerate() {
            assert_eq!(
                time_bits(world.get(*id).unwrap().state_time()),
                time_bits(last[k]),
                "frame {frame}, disc {k}"
            );
        }
    }
    assert!(frames_without > 1000 && impacts > 20, "{frames_without} quiet frames, {impacts} impacts");
}

/// Which edits rewrite the stored state at the present time, and which must leave the path and its bits
/// alone.
#[test]
fn only_edits_of_the_path_rewrite_it() {
    type Edit = fn(&mut World, DiscId);
    let rewriting: [(&str, Edit); 6] = [
        ("position", |world, id| world.set_position(id, DVec2::new(0.0, 7.0)).unwrap()),
        ("velocity", |world, id| world.set_velocity(id, DVec2::new(1.0, 2.0)).unwrap()),
        ("radius", |world, id| world.set_radius(id, 0.25).unwrap()),
        ("extra", |world, id| world.set_extra(id, ()).unwrap()),
        ("mass to 0", |world, id| world.set_mass(id, 0.0).unwrap()),
        ("mass to infinity", |world, id| world.set_mass(id, f64::INFINITY).unwrap()),
    ];
    let keeping: [(&str, Edit); 5] = [
        ("mass", |world, id| world.set_mass(id, 7.5).unwrap()),
        ("restitution", |world, id| world.set_restitution(id, 0.3).unwrap()),
        ("user data", |world, id| world.set_user_data(id, 77).unwrap()),
        ("refused velocity", |world, id| assert!(world.set_velocity(id, DVec2::NAN).is_err())),
        ("refused position", |world, id| assert!(world.set_position(id, DVec2::splat(7.9)).is_err())),
    ];
    for (rewrites, edits) in [(true, &rewriting[..]), (false, &keeping[..])] {
        for (name, edit) in edits {
            let (mut world, ids) = room();
            world.advance(0.77).unwrap();
            let before = world.get(ids[1]).unwrap().state_time();
            assert!(before < world.now());
            edit(&mut world, ids[1]);
            let expected = if rewrites { world.now() } else { before };
            assert_eq!(world.get(ids[1]).unwrap().state_time(), expected, "{name}");
            for other in [ids[0], ids[2]] {
                assert!(world.get(other).unwrap().state_time() < world.now(), "{name} rewrote another disc");
            }
            world.assert_well_formed();
        }
    }
}

/// Edits that do not touch the path may not change a bit of it: user data and restitution of a disc that
/// never meets anyone, and mass among walls only.
#[test]
fn edits_beside_the_path_leave_its_bits() {
    let make = |edited: bool| {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::splat(-3.0), DVec2::splat(3.0))).unwrap();
        let ball = Disc::new(DVec2::new(0.1, 0.2), 0.3).with_velocity(DVec2::new(1.7, 2.3));
        let id = world.insert(ball).unwrap();
        for step in 1..100 {
            world.advance_to(f64::from(step) * 0.37).unwrap();
            if edited {
                world.set_mass(id, 1.0 + f64::from(step)).unwrap();
                world.set_user_data(id, step as u64).unwrap();
            }
        }
        world.set_mass(id, 1.0).unwrap();
        world.set_user_data(id, 0).unwrap();
        state_bits(&world)
    };
    assert_eq!(make(false), make(true));
}
