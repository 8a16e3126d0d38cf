//! The named scenes, and what seeds mean.

use carom_scene::{Generator, Random, Scene, SceneDisc};
use glam::DVec2;

fn discs(name: &str) -> Vec<SceneDisc> {
    Scene::named(name).unwrap().expand().unwrap().discs
}

/// The gap between two discs in units of the last place of their coordinates.
fn gap_in_ulps(a: &SceneDisc, b: &SceneDisc) -> f64 {
    let largest = a.position.abs().max(b.position.abs()).max_element();
    ((b.position - a.position).length() - (a.radius + b.radius)) / (largest.next_up() - largest)
}

#[test]
fn every_named_scene_is_what_it_says() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        assert_eq!(scene.name, name);
        assert!(!scene.title.is_empty() && scene.description.ends_with('.'), "{name}");
        let expanded = scene.expand().unwrap();
        assert_eq!(expanded.discs.len(), expanded.origins.len());
        let discs = &expanded.discs;
        for (i, a) in discs.iter().enumerate() {
            for b in &discs[i + 1..] {
                let may_overlap = (a.allow_overlap && b.allow_overlap) || !a.rules.collides_with(&b.rules);
                assert!(gap_in_ulps(a, b) >= -4.0 || may_overlap, "{name}");
            }
        }
        let is_moving = scene.gravity != DVec2::ZERO
            || !scene.commands.is_empty()
            || discs.iter().any(|disc| disc.velocity != DVec2::ZERO);
        assert!(is_moving, "{name}: nothing moves");
    }
}

#[test]
fn the_tables_have_as_many_balls_as_they_should() {
    for (name, count) in
        [("nine-ball-discs", 10), ("eight-ball-discs", 16), ("snooker-discs", 22), ("three-ball-carom", 3)]
    {
        assert_eq!(discs(name).len(), count, "{name}");
    }
}

#[test]
fn boxes_have_their_packing_and_no_momentum() {
    for (name, count) in [("box-16", 16), ("box-100", 100), ("box-1000", 1000), ("unequal-100", 100)] {
        let scene = Scene::named(name).unwrap();
        let discs = scene.expand().unwrap().discs;
        assert_eq!(discs.len(), count);
        let covered: f64 = discs.iter().map(|disc| std::f64::consts::PI * disc.radius.powi(2)).sum();
        let packing = covered / scene.expand().unwrap().regions[0].area();
        // Equal discs: to the six decimals of the side. Unequal: 100 radii drawn, the area of one with a
        // relative deviation of 0.67, so 0.3 · 0.067 · 3.
        let within = if name == "unequal-100" { 0.06 } else { 1e-6 };
        assert!((packing - 0.3).abs() < within, "{name}: {packing}");
        let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
        assert!(momentum.length() < count as f64 * f64::EPSILON * 2.0, "{name}: {momentum}");
    }
}

/// Bits that must never change: computed once with a program of its own from the formulas in the
/// documentation.
#[test]
fn a_seed_means_the_same_for_ever() {
    let mut random = Random::new(Generator::ChaCha8, 9);
    let uniform: Vec<f64> = (0..3).map(|_| random.uniform()).collect();
    assert_eq!(uniform, GOLDEN_UNIFORM);
    let gas = &discs("box-16")[15];
    assert_eq!([gas.position.x, gas.position.y], GOLDEN_POSITION);
    // Sine, cosine and logarithm of another library may differ in the last place; ours is pinned.
    assert_eq!([gas.velocity.x, gas.velocity.y], GOLDEN_VELOCITY);
    let order: Vec<String> = {
        let mut balls = discs("nine-ball-discs").split_off(1);
        balls.sort_by(|a, b| {
            a.position.x.total_cmp(&b.position.x).then(a.position.y.total_cmp(&b.position.y))
        });
        balls.into_iter().filter_map(|ball| ball.label).collect()
    };
    assert_eq!(order.concat(), GOLDEN_ORDER);
}

/// A hash of every position and velocity of every named scene. What changes it changes what scenes mean, and
/// belongs into the changelog.
#[test]
fn the_named_scenes_stay_what_they_are() {
    let hashes: Vec<String> = Scene::names()
        .map(|name| {
            let mut hash = 0xcbf2_9ce4_8422_2325_u64;
            for disc in discs(name) {
                for number in [
                    disc.position.x, disc.position.y, disc.velocity.x, disc.velocity.y, disc.radius,
                    disc.mass,
                ] {
                    for byte in number.to_bits().to_le_bytes() {
                        // FNV-1a
                        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                    }
                }
            }
            format!("{name} {hash:016x}")
        })
        .collect();
    let (got, want) = (hashes.join("\n"), include_str!("../named-scenes.hashes"));
    assert!(got == want.trim(), "the scenes are now\n{got}\nand were\n{want}");
}

const GOLDEN_UNIFORM: [f64; 3] = [0.4473112104837619, 0.5924096584796409, 0.2061770649267335];
const GOLDEN_POSITION: [f64; 2] = [-3.310539817062397, 5.436246630319139];
const GOLDEN_VELOCITY: [f64; 2] = [0.5278308030363307, 0.09749237025520113];
const GOLDEN_ORDER: &str = "167492385";
