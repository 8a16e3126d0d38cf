//! A piston that presses a row to a wall: what leaves the row, and what only rounding would let leave it.

use carom_engine::{DVec2, Disc, DiscId, Event, Wall, World};

/// How fast the piston is.
const SPEED: f64 = 3.0;

/// Two discs of radius ½, the second one `off` their line, between a wall at `at` and a piston that has just
/// come to them. Nothing gives back energy.
fn pressed(at: DVec2, off: f64) -> (World, [DiscId; 2]) {
    let mut world = World::new();
    let plastic = |wall: Wall| wall.with_restitution(0.0);
    world.add_wall(plastic(Wall::half_plane(at, [1.0, 0.0]))).unwrap();
    let apart = DVec2::new((1.0 - off * off).sqrt(), off);
    let first = at + DVec2::new(0.5, 0.0);
    let discs = [first, first + apart].map(|at| {
        let disc = Disc::new(at, 0.5).with_restitution(0.0);
        world.insert(disc).unwrap()
    });
    let face = first.x + apart.x + 0.5;
    let piston = Wall::half_plane([face + 0.375, at.y], [-1.0, 0.0]);
    let piston = world.add_wall(plastic(piston)).unwrap();
    world.move_wall_until(piston, [-1.0, 0.0], 1.0 / SPEED).unwrap();
    world.advance(0.375 / SPEED + 1e-7).unwrap();
    (world, discs)
}

/// With the angle δ between the row and the way of the piston, discs of equal mass part across it at
/// `u/(2 tan δ)`: both keep to what presses on them, and nothing else is pushed across.
#[test]
fn a_bent_row_leaves_as_fast_as_its_angle_says() {
    for angle in [1e-1_f64, 1e-3, 1e-6] {
        let (world, discs) = pressed(DVec2::ZERO, angle.sin());
        let expected = SPEED / (2.0 * angle.tan());
        let across = discs.map(|disc| world.get(disc).unwrap().velocity().y);
        for (across, expected) in across.into_iter().zip([-expected, expected]) {
            let off = (across / expected - 1.0).abs();
            assert!(off < 1e-9 + 4.0 * f64::EPSILON / angle, "{angle}: {across} {expected}");
        }
    }
}

/// Places are known to some ulp, and so is the line of the row: discs of a heap a thousand from the origin
/// left theirs at 10¹² m/s. The piston stops.
#[test]
fn a_row_that_is_straight_to_rounding_stops_the_piston() {
    for magnitude in [1.0, 1e3, 1e6] {
        let ulp = f64::EPSILON * magnitude;
        for off in -8..=8 {
            let (world, discs) = pressed(DVec2::splat(magnitude), f64::from(off) * ulp);
            let is_blocked = |event: &&Event| matches!(event, Event::WallBlocked { .. });
            assert_eq!(world.events().iter().filter(is_blocked).count(), 1, "{magnitude}, {off} ulp");
            let speeds = discs.map(|disc| world.get(disc).unwrap().velocity().length());
            assert_eq!(speeds, [0.0; 2], "{magnitude}, {off} ulp");
        }
    }
}

/// With nothing that closes in there is nothing to escape from: discs as small as the rounding of their
/// places, in a row that touches, pass a blow on as large ones do.
#[test]
fn the_least_discs_pass_a_blow_on() {
    let blow = |magnitude: f64, radius: f64| {
        let mut world = World::new();
        let row: Vec<DiscId> = (0..3)
            .map(|k| {
                let at = DVec2::new(magnitude + 2.0 * radius * f64::from(k), magnitude);
                world.insert(Disc::new(at, radius).with_overlap()).unwrap()
            })
            .collect();
        world.set_velocity(row[0], [1.0, 0.0]).unwrap();
        world.advance(1e-3).unwrap();
        row.iter().map(|disc| world.get(*disc).unwrap().velocity()).collect::<Vec<_>>()
    };
    let expected = [DVec2::ZERO, DVec2::ZERO, DVec2::X];
    // Powers of two, so that places are exact.
    for (magnitude, radius) in [(0.0, 0.5), (f64::from(1 << 20), 1.0 / f64::from(1 << 29))] {
        assert_eq!(blow(magnitude, radius), expected, "{magnitude}");
    }
}
