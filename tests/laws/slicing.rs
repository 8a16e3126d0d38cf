//! State changes only at events. That the bits do not depend on how time is cut into calls, random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::time_bits;
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
            let path = |world: &World| {
                let disc = world.get(ids[1]).unwrap();
                (disc.state_time(), disc.position(), disc.velocity())
            };
            let before = path(&world);
            assert!(before.0 < world.now());
            edit(&mut world, ids[1]);
            let after = path(&world);
            assert!(if rewrites { after.0 == world.now() } else { after == before }, "{name}: {after:?}");
            for other in [ids[0], ids[2]] {
                assert!(world.get(other).unwrap().state_time() < world.now(), "{name} rewrote another disc");
            }
            world.assert_well_formed();
        }
    }
}
