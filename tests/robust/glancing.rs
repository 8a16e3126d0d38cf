//! Discs that fly along a straight wall's extension towards its end.

use carom_engine::{DVec2, Disc, UpcomingKind, Wall, World};

/// A disc overlaps the extension of a segment and flies towards its end, parallel to it up to rounding. It
/// meets the end, where that is, and not before. The ends of the stretch are generous by the error of a
/// crossing, which is large at a glancing angle; but who is past the line from the start crosses nothing.
/// (Seen: an impact at time 0, three lengths before the wall, for 226 of the 1000 directions.)
#[test]
fn a_wall_is_not_met_before_its_end_is_reached() {
    for k in 0..1000 {
        let along = DVec2::from_angle(0.001 + f64::from(k) * 0.0061);
        let end = DVec2::new(1.0, 1.0);
        let mut world = World::new();
        world.add_wall(Wall::segment(end, end + along * 5.0)).unwrap();
        let disc = Disc::new(end - along * 3.0 + along.perp() * 0.5, 1.0).with_velocity(along * 2.0);
        world.insert(disc).unwrap();
        let next = world.next_event().unwrap();
        assert!(matches!(next.kind, UpcomingKind::Wall(_, _, 1)), "{k}: {next:?}");
        // When (3 − 2t)² + ½² = 1, to the rounding of coordinates around 3 over a speed of 2 · sin 60°.
        let honest = (3.0 - 0.75_f64.sqrt()) / 2.0;
        assert!((next.time.as_secs() - honest).abs() < 1e-14, "{k}: {next:?}");
    }
}
