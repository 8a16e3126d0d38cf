//! A disc that nothing presses on has the acceleration that its physics says, to the last bit, and no other.

use super::scene::{KINDS, heap, under, world};
use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscForces, Forces, Wall, World};

/// `g · scale + a`, and for an infinite mass `a` alone.
fn free(world: &World<Forces>, disc: &Disc<DiscForces>) -> DVec2 {
    let DiscForces { acceleration, gravity_scale, .. } = disc.body;
    if disc.mass == f64::INFINITY {
        acceleration
    } else {
        world.physics().gravity() * gravity_scale + acceleration
    }
}

/// Checks all discs that are not held; how many these are.
fn check(world: &World<Forces>, what: &str) -> u32 {
    let mut count = 0;
    for (id, disc) in world.discs().filter(|&(id, _)| world.held_to(id).next().is_none()) {
        let found = world.get(id).unwrap().acceleration();
        let expected = free(world, &disc);
        assert!(found == expected, "{what}: {id} has {found} in place of {expected}");
        count += 1;
    }
    count
}

/// One edit, which may be refused, as a place that is taken.
fn edit(world: &mut World<Forces>, rng: &mut Rng) {
    let ids: Vec<_> = world.ids().collect();
    let id = rng.pick(&ids);
    match rng.below(8) {
        0 | 1 if ids.len() > 2 => drop(world.remove(id).unwrap()),
        2 => world.set_velocity(id, rng.vector(3.0)).unwrap(),
        3 => {
            let place = world.get(id).unwrap().position() + rng.vector(1.0);
            _ = world.set_position(id, place);
        }
        4 => {
            let turned = world.physics().with_gravity(rng.vector(2.0)).unwrap();
            world.set_physics(turned).unwrap();
        }
        5 => world.set_mass(id, rng.pick(&[0.2, 1.0, 3.0])).unwrap(),
        6 => {
            let walls: Vec<_> = world.walls().map(|(wall, _)| wall).collect();
            if rng.chance(30) && walls.len() > 1 {
                drop(world.remove_wall(rng.pick(&walls)).unwrap());
            }
        }
        _ => _ = world.set_radius(id, rng.range(0.2, 1.0)),
    }
}

/// After every event, and after edits as soon as the next event is asked for, in small heaps that come to
/// rest, are edited, and come to rest again.
#[test]
fn what_nothing_presses_on_has_its_free_acceleration() {
    let (mut free, mut held) = (0, 0);
    for seed in 0..cases(100) {
        let rng = &mut Rng::new(seed ^ 0xf4ee);
        let n = 2 + rng.below(6);
        let mut world =
            if seed % 4 == 3 { world(seed, KINDS[4], n) } else { heap(seed, n, rng.pick(&[0.0, 0.2, 0.5])) };
        for turn in 0..12 {
            let until = world.now().as_secs() + rng.pick(&[0.1, 1.0, 20.0]);
            for event in 0..300 {
                if world.next_event().is_none_or(|next| next.time.as_secs() > until) {
                    break;
                }
                world.step_event();
                free += check(&world, &format!("seed {seed}, turn {turn}, event {event}"));
            }
            _ = world.advance_to(until.max(world.now().as_secs())).unwrap();
            for _ in 0..1 + rng.below(3) {
                edit(&mut world, rng);
            }
            _ = world.next_event();
            free += check(&world, &format!("seed {seed}, turn {turn}, edited"));
            held += world.ids().filter(|&id| world.held_to(id).next().is_some()).count();
        }
    }
    assert!(free > 10_000 && held > 500, "{free} checks of free discs, {held} held after edits");
}

/// Of two walls in one place one goes while a disc that bounced off both is in flight, and another lies on
/// them: the one in flight comes back to the wall that is left, `2v/g` after it rose from there with speed
/// `v`, and to nothing before.
#[test]
fn a_wall_goes_from_beside_another_in_its_place() {
    for by in [By::Table, By::Grid] {
        let mut world = under([-3.0, 0.0]);
        world.set_scheduler(by.kind()).unwrap();
        let container = |e| Wall::container([-4.0, -4.0], [4.0, 4.0]).with_restitution(e);
        let first = world.add_wall(container(0.75)).unwrap();
        world.add_wall(container(0.5)).unwrap();
        let flying = world.insert(Disc::new([0.0, 0.0], 0.125)).unwrap();
        let lying = world.insert(Disc::new([1.0, 3.0], 0.125).with_restitution(0.0)).unwrap();
        let hit = world.step_event().time.as_secs();
        let rise = world.get(flying).unwrap().velocity().x;
        world.advance(0.3).unwrap();
        assert!(world.held_to(lying).next().is_some());
        world.remove_wall(first).unwrap();
        world.assert_well_formed();
        let mut next = world.next_event().unwrap();
        while next.time == world.now() {
            world.step_event();
            next = world.next_event().unwrap();
        }
        let expected = hit + 2.0 * rise / 3.0;
        assert!((next.time.as_secs() - expected).abs() < 1e-12, "{next:?} in place of {expected}");
    }
}
