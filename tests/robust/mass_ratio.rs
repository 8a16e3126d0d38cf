//! Light discs between walls and heavy ones.

use carom_engine::{DVec2, Disc, StopReason, Wall, World};

/// How deep a disc of mass 1 comes to overlap a light one that it drives into a corner, at worst, from 200
/// directions. The light one bounces between the two ever faster, is joined with the corner, and stops the
/// heavy one.
fn deepest(light: f64) -> f64 {
    let mut deepest = 0.0_f64;
    for k in 0..200 {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(32.0))).unwrap();
        let corner = Disc::new(DVec2::splat(1.0), 1.0).with_mass(light).with_restitution(0.6);
        let a = world.insert(corner).unwrap();
        let from = DVec2::from_angle(0.05 + 1.45 * f64::from(k) / 200.0);
        let heavy = Disc::new(DVec2::splat(1.0) + from * 3.0, 0.5).with_restitution(0.9);
        let b = world.insert(heavy.with_velocity(from * -8.0)).unwrap();
        assert_eq!(world.advance(1.0).unwrap().end, StopReason::Reached);
        let distance = world.get(a).unwrap().position().distance(world.get(b).unwrap().position());
        deepest = deepest.max(1.5 - distance);
    }
    deepest
}

/// Up to a ratio of 10¹² no disc overlaps by more than touching: 4 ulp of coordinates around 4, as many of
/// the path.
#[test]
fn a_light_disc_in_a_corner_holds_a_heavy_one() {
    for light in [1.0, 1e-4, 1e-8, 1e-12] {
        assert!(deepest(light) <= 16.0 * f64::EPSILON * 4.0, "{light:e}: {:e}", deepest(light));
    }
}
