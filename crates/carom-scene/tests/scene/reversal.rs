//! The elastic named scenes, run, turned round and run back: they return as exactly as their chaos allows.
//!
//! As in `tests/accuracy/reversal.rs`, where the bound is derived: with M impacts on the way out
//! the return error is at most 2 M · 7 times what an ulp at the start has become on the way, in the same
//! scene.

use carom_engine::{DVec2, DiscId, StopReason, World};
use carom_scene::Scene;
use carom_testkit::rng::Rng;

/// Every coordinate off by an ulp of it, either way.
fn perturb(world: &mut World, rng: &mut Rng) {
    let ids: Vec<DiscId> = world.ids().collect();
    for id in ids {
        let mut off = |x: f64| {
            let bits = x.to_bits();
            f64::from_bits(if rng.chance(50) || x == 0.0 { bits + 1 } else { bits - 1 })
        };
        let p = world.get(id).unwrap().position();
        world.set_position(id, DVec2::new(off(p.x), off(p.y))).unwrap();
    }
}

/// The largest distance between a disc in one world and in the other.
fn deviation(a: &World, b: &World) -> f64 {
    a.discs().zip(b.discs()).map(|((_, p), (_, q))| p.position.distance(q.position)).fold(0.0, f64::max)
}

fn advance(world: &mut World, time: f64) -> u64 {
    let advance = world.advance_to(time).unwrap();
    assert_eq!(advance.end, StopReason::Reached);
    advance.events
}

#[test]
fn elastic_scenes_return() {
    let mut returned = 0;
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        if scene.has_forces() || scene.has_verdicts() {
            continue;
        }
        let start = scene.build().unwrap().world;
        let elastic = start.discs().all(|(_, disc)| disc.restitution == 1.0)
            && start.walls().all(|(_, wall)| wall.restitution == 1.0);
        if !elastic {
            continue;
        }
        returned += 1;
        let mut world = start.clone();
        let mut rng = Rng::new(1);
        let mut others: Vec<World> = (0..4)
            .map(|_| {
                let mut other = start.clone();
                perturb(&mut other, &mut rng);
                other
            })
            .collect();
        let from = world.now().as_secs();
        let mut largest = others.iter().map(|other| deviation(&start, other)).fold(0.0, f64::max);
        let (mut out, mut time) = (0, from);
        // A deviation of 10⁻⁸ is still small; later it is not.
        for step in 1..=256 {
            if largest > 1e-8 {
                break;
            }
            time = from + (scene.until - from) * f64::from(step) / 256.0;
            out += advance(&mut world, time);
            for other in &mut others {
                advance(other, time);
                largest = largest.max(deviation(&world, other));
            }
        }
        let ids: Vec<DiscId> = world.ids().collect();
        for id in ids {
            let v = world.get(id).unwrap().velocity();
            world.set_velocity(id, -v).unwrap();
        }
        let back = advance(&mut world, time + (time - from));
        let error = deviation(&world, &start);
        println!(
            "{name:16} {out:5} impacts in {:7.3} s; an ulp has become {largest:.1e}, returned to \
             {error:.1e}, ratio {:.3}",
            time - from,
            error / largest
        );
        assert_eq!(out, back, "{name}: another way back");
        assert!(error <= 14.0 * out as f64 * largest, "{name}: {error}");
    }
    assert!(returned >= 8, "{returned} elastic scenes");
}
