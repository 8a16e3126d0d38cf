//! The elastic named scenes, run, turned round and run back: they return as exactly as their chaos allows.
//!
//! As in `carom-engine/tests/accuracy_reversal.rs`, where the bound is derived: with M impacts on the way out
//! the return error is at most 2 M · 7 times what an ulp at the start has become on the way, in the same
//! scene.

use carom_engine::{DVec2, DiscId, StopReason, World};
use carom_scene::Scene;

/// Every other bit of a simple generator: which way a number is off (SplitMix64; Steele, Lea and Flood,
/// OOPSLA 2014).
struct Coin(u64);

impl Coin {
    fn toss(&mut self) -> bool {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z >> 63 == 1
    }
}

/// Every coordinate off by an ulp of it, either way.
fn perturb(world: &mut World, coin: &mut Coin) {
    let ids: Vec<DiscId> = world.ids().collect();
    for id in ids {
        let mut off = |x: f64| {
            let bits = x.to_bits();
            f64::from_bits(if coin.toss() || x == 0.0 { bits + 1 } else { bits - 1 })
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
        let start = scene.build().unwrap().world;
        let elastic = start.discs().all(|(_, disc)| disc.restitution == 1.0)
            && start.walls().all(|(_, wall)| wall.restitution == 1.0);
        if !elastic {
            continue;
        }
        returned += 1;
        let mut world = start.clone();
        let mut coin = Coin(1);
        let mut others: Vec<World> = (0..4)
            .map(|_| {
                let mut other = start.clone();
                perturb(&mut other, &mut coin);
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
            "{name:16} {out:5} impacts in {:7.3} s; an ulp has become {largest:.1e}, returned to {error:.1e}, ratio {:.3}",
            time - from,
            error / largest
        );
        assert_eq!(out, back, "{name}: another way back");
        assert!(error <= 14.0 * out as f64 * largest, "{name}: {error}");
    }
    assert!(returned >= 8, "{returned} elastic scenes");
}
