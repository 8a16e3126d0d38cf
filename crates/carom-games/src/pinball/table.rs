//! What stands on the table. The field is 10 wide and the lane at its right 1; a ball is 0.54 thick.

use carom::math::elementary::unit_vector;
use carom::{DVec2, Wall, WallShape};

/// User data of walls: what the rules do with them.
pub(super) const PLAIN: u64 = 0;
pub(super) const BUMPER: u64 = 1;
pub(super) const SLING: u64 = 2;
/// And those after it.
pub(super) const TARGET: u64 = 3;

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
pub(super) const PIVOT: DVec2 = DVec2::new(2.6, 3.2);
/// Distances from the pivot, and radii, of the discs that a flipper is made of.
pub(super) const FLIPPER: [(f64, f64); 8] = [
    (0.0, 0.34),
    (0.27, 0.325),
    (0.54, 0.31),
    (0.81, 0.295),
    (1.08, 0.28),
    (1.35, 0.265),
    (1.62, 0.25),
    (1.86, 0.235),
];
/// Angles of a flipper below and above the horizontal.
const ANGLES: [f64; 2] = [-0.5, 0.5];

/// Where a disc of a flipper is, `side` −1 or 1, at rest or pressed.
pub(super) fn flipper_place(side: f64, distance: f64, is_up: bool) -> DVec2 {
    let direction = unit_vector(ANGLES[usize::from(is_up)]);
    let towards_middle = DVec2::new(-side * direction.x, direction.y);
    DVec2::new(side * PIVOT.x, PIVOT.y) + towards_middle * distance
}
