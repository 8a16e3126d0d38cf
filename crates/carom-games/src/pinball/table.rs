//! What stands on the table. The field is 10 wide and the lane at its right 1; a ball is 0.54 thick.

use super::Side;
pub(super) use crate::rules::{BUMPER, SLING, TARGET};
use carom::{DVec2, Wall, WallShape};

/// User data of a wall that the rules do nothing with.
pub(super) const PLAIN: u64 = 0;

/// Where the ball lies in the lane.
pub(super) const LANE: DVec2 = DVec2::new(5.5, 2.0);
/// Centres and radii of the bumpers.
pub(super) const BUMPERS: [(DVec2, f64); 3] =
    [(DVec2::new(-1.7, 13.6), 0.85), (DVec2::new(1.9, 13.9), 0.85), (DVec2::new(0.2, 11.2), 0.85)];
/// Lower ends of the drop targets, each 0.9 high.
pub(super) const TARGETS: [DVec2; 3] = [DVec2::new(4.5, 8.4), DVec2::new(4.5, 9.5), DVec2::new(4.5, 10.6)];

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A drop target.
pub(super) fn target(k: usize) -> Wall {
    let foot = TARGETS[k];
    Wall::segment(foot, foot + v(0.0, 0.9)).with_restitution(0.5).with_user_data(TARGET + k as u64)
}

/// All that stands there for good.
pub(super) fn walls() -> Vec<Wall> {
    let mut walls = vec![
        // The left side, the round top, and the lane, whose floor is behind the right side.
        Wall::polyline(&[v(-2.75, 3.55), v(-5.0, 5.2), v(-5.0, 15.0)]),
        Wall::arc(v(0.5, 15.0), 5.5, 0.0, std::f64::consts::PI),
        Wall::polyline(&[v(6.0, 15.0), v(6.0, LANE.y - 0.27), v(5.0, LANE.y - 0.27)]),
        Wall::polyline(&[v(5.0, LANE.y - 0.27), v(5.0, 13.2)]),
        Wall::polyline(&[v(2.75, 3.55), v(5.0, 5.2)]),
        // What comes round the top is sent down to the bumpers.
        Wall::segment(v(-1.38, 20.16), v(-0.6, 19.35)),
        // Out of the lane and not back into it.
        Wall::one_sided_segment(v(5.0, 13.2), v(6.0, 14.0)),
        // The left ramp: up through the gate, and out beside the wall.
        Wall::one_sided_segment(v(-5.0, 10.0), v(-4.0, 9.4)),
        Wall::segment(v(-3.9, 10.4), v(-3.9, 14.2)),
    ];
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64| v(side * x, y);
        // A slingshot: the face kicks, the other sides do not.
        let corners = [at(3.7, 8.1), at(3.7, 6.2), at(2.5, 5.3)];
        walls.push(Wall::polyline(&corners));
        walls.push(Wall::segment(corners[2], corners[0]).with_user_data(SLING));
        // Beside the drain.
        walls.push(Wall::segment(at(2.98, -0.8), at(2.98, 3.1)));
    }
    for (center, radius) in BUMPERS {
        walls.push(Wall::disc(center, radius).with_user_data(BUMPER));
    }
    for wall in &mut walls {
        wall.restitution = match (&wall.shape, wall.user_data) {
            // A soft one would flatten the hops of the ball until it slides along the round, on 2244 chords
            // a turn, each of which is an event.
            (WallShape::Arc { .. }, _) => 1.0,
            (_, PLAIN) => 0.45,
            _ => 0.8,
        };
    }
    walls
}

/// Where a flipper turns.
const PIVOT: DVec2 = DVec2::new(2.6, 3.2);
/// Distance of its tip from there, and half its thickness.
const FLIPPER: (f64, f64) = (1.8, 0.3);
/// Angles of a flipper below and above the horizontal.
const ANGLES: [f64; 2] = [-0.5, 0.5];
/// From one to the other.
pub(super) const SWEEP: f64 = 1.0;

/// The left flipper or the right one, at rest.
pub(super) fn flipper(side: Side) -> Wall {
    let ((length, radius), x) = (FLIPPER, if side == Side::Left { -PIVOT.x } else { PIVOT.x });
    Wall::arm([x, PIVOT.y], length, radius, flipper_angle(side, false)).with_restitution(0.5)
}

/// The angle of a flipper at rest or pressed.
pub(super) fn flipper_angle(side: Side, is_up: bool) -> f64 {
    let angle = ANGLES[usize::from(is_up)];
    if side == Side::Left { angle } else { std::f64::consts::PI - angle }
}
