//! Small and fast: a disc of 1 mm at 100 m/s covers 1.7 m in a frame, 1700 times its size, and meets what is
//! in its way whatever the frame. The oracle is the distance at which its straight path passes.

use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, DiscId, Event, Partner, Wall, World};
use core::f64::consts::TAU;

/// Radius of everything.
const SMALL: f64 = 0.0005;
const SPEED: f64 = 100.0;
const FRAME: f64 = 1.0 / 60.0;

/// What a path aims at.
#[derive(Clone, Copy, Debug)]
enum Target {
    Disc,
    Kinematic,
    Wall,
    /// A wall that moves: a bar without thickness, and a round one.
    MovingWall,
    MovingPost,
}

/// A world with a target that is at a place on the path at a time within the frame, and whether the two meet.
fn aimed(rng: &mut Rng, target: Target) -> (World, DiscId, bool) {
    let (angle, course) = (rng.range(0.0, TAU), rng.range(0.0, TAU));
    let [ahead, heading] = [angle, course].map(DVec2::from_angle);
    let start = rng.vector(1.0);
    let time = FRAME * rng.range(0.05, 0.95);
    // Half of them graze, by 10⁻⁹ of the reach or more to either side: rounding of places decides less.
    let aside = match rng.below(4) {
        0 => 0.0,
        1 => rng.range(-4.0, 4.0) * SMALL,
        _ => 2.0 * SMALL * (1.0 + [1.0, -1.0][rng.below(2)] * 10_f64.powf(rng.range(-9.0, -1.0))),
    };
    let mut world = World::new();
    let velocity = ahead * SPEED;
    let bullet = world.insert(Disc::new(start, SMALL).with_velocity(velocity)).unwrap();
    let is_met = match target {
        Target::Wall | Target::MovingWall => {
            let is_moving = matches!(target, Target::MovingWall);
            let other = if is_moving { heading * (rng.unit() * SPEED) } else { DVec2::ZERO };
            let relative = velocity - other;
            let ahead = relative / relative.length();
            // Across the path, with its end so far from it.
            let (sin, cos) = rng.range(1.0, 2.0).sin_cos();
            let across = ahead * cos + ahead.perp() * sin;
            let out = if ahead.perp_dot(across) > 0.0 { ahead.perp() } else { -ahead.perp() };
            let end = start + velocity * time + out * (0.5 * aside) - other * time;
            let wall = world.add_wall(Wall::segment(end, end + across * 3.0)).unwrap();
            if is_moving {
                world.move_wall_until(wall, other * FRAME, FRAME).unwrap();
            }
            // It meets the end with its edge, and all beyond.
            0.5 * aside < SMALL
        }
        Target::Disc | Target::Kinematic | Target::MovingPost => {
            let other = heading * (rng.unit() * SPEED);
            let relative = velocity - other;
            let out = relative.perp() / relative.length();
            let place = start + velocity * time + out * aside - other * time;
            if (place - start).length() < 3.0 * SMALL {
                return aimed(rng, target);
            }
            let disc = Disc::new(place, SMALL).with_velocity(other);
            match target {
                Target::MovingPost => {
                    let post = world.add_wall(Wall::disc(place, SMALL)).unwrap();
                    world.move_wall_until(post, other * FRAME, FRAME).unwrap();
                }
                Target::Kinematic => _ = world.insert(disc.kinematic()).unwrap(),
                _ => _ = world.insert(disc).unwrap(),
            }
            // They approach first, where they are not past each other before the frame begins.
            (place - start).dot(relative) > 0.0 && aside.abs() < 2.0 * SMALL
        }
    };
    (world, bullet, is_met)
}

#[test]
fn what_is_small_and_fast_passes_nothing() {
    let rng = &mut Rng::new(41);
    let walls = [Target::Wall, Target::MovingWall, Target::MovingPost];
    for target in [Target::Disc, Target::Kinematic].into_iter().chain(walls) {
        let mut met = 0;
        for case in 0..5000 {
            let (mut world, bullet, is_met) = aimed(rng, target);
            world.advance(FRAME).unwrap();
            let hits = world.events().iter().filter_map(Event::impact);
            let first = hits.clone().next().map(|hit| (hit.a == bullet, hit.b));
            assert_eq!(first.is_some(), is_met, "{target:?} {case}");
            let is_right = match (target, first) {
                (Target::Wall | Target::MovingWall | Target::MovingPost, Some((is_own, with))) => {
                    is_own && matches!(with, Partner::Wall { .. })
                }
                (_, Some((is_own, with))) => is_own && matches!(with, Partner::Disc(_)),
                (_, None) => true,
            };
            assert!(is_right, "{target:?} {case}: {first:?}");
            met += u32::from(is_met);
        }
        assert!((1000..4000).contains(&met), "{met} of them meet");
    }
}
