//! What debug drawing shows, stroke by stroke.

use crate::common::at;
use crate::forces::scene::under;
use carom_engine::{DVec2, DebugDraw, DebugView, Disc, Forecast, ForecastOptions, Mark, Region, Wall, World};

/// Keeps what it is asked to draw.
#[derive(Default)]
struct Strokes {
    lines: Vec<(DVec2, DVec2, Mark)>,
    circles: Vec<(DVec2, f64, Mark)>,
    points: Vec<(DVec2, Mark)>,
}

impl DebugDraw for Strokes {
    fn line(&mut self, from: DVec2, to: DVec2, mark: Mark) {
        self.lines.push((from, to, mark));
    }
    fn circle(&mut self, center: DVec2, radius: f64, mark: Mark) {
        self.circles.push((center, radius, mark));
    }
    fn point(&mut self, at: DVec2, mark: Mark) {
        self.points.push((at, mark));
    }
}

/// Discs that are off the plane are not drawn, sensors as such, and regions by who is in them.
#[test]
fn marks_say_what_there_is() {
    let mut world = World::new();
    let free = world.add_region(Region::disc([9.0, 9.0], 1.0)).unwrap();
    let taken = world.add_region(Region::disc([0.0, 0.0], 2.0)).unwrap();
    let disc = world.insert(Disc::new([0.5, 0.0], 0.25)).unwrap();
    let off = world.insert(Disc::new([4.0, 0.0], 0.25)).unwrap();
    let sensor = world.insert(Disc::new([6.0, 0.0], 0.75).with_sensor()).unwrap();
    world.set_enabled(off, false).unwrap();
    let mut seen = Strokes::default();
    world.debug_draw(&DebugView::nothing().with_discs(true).with_regions(true), &mut seen);
    let expected = [
        (at(9.0, 9.0), 1.0, Mark::Region(free)),
        (at(0.0, 0.0), 2.0, Mark::Entered(taken)),
        (at(0.5, 0.0), 0.25, Mark::Disc(disc)),
        (at(6.0, 0.0), 0.75, Mark::Sensor(sensor)),
    ];
    assert!(expected.iter().all(|stroke| seen.circles.contains(stroke)), "{:?}", seen.circles);
    assert!(seen.circles.iter().all(|(center, ..)| *center != at(4.0, 0.0)));
    assert!(seen.lines.is_empty() && seen.points.is_empty());
}

/// An impact at its point with its normal, and the next one with the disc as it will be: from (0, 0) at speed
/// 2 a disc of radius 1 meets one at 5 after 1.5 s.
#[test]
fn contacts_and_next_impacts_are_where_they_are() {
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 1.0).with_velocity([2.0, 0.0])).unwrap();
    let b = world.insert(Disc::new([5.0, 0.0], 1.0)).unwrap();
    let mut seen = Strokes::default();
    world.debug_draw(&DebugView::nothing().with_next_impacts(1.4), &mut seen);
    assert!(seen.circles.is_empty() && seen.points.is_empty(), "it is too far");
    world.debug_draw(&DebugView::nothing().with_next_impacts(1.6), &mut seen);
    assert_eq!(
        seen.circles,
        [(at(3.0, 0.0), 1.0, Mark::NextImpact(a)), (at(5.0, 0.0), 1.0, Mark::NextImpact(b))]
    );
    world.advance(2.0).unwrap();
    let mut seen = Strokes::default();
    world.debug_draw(&DebugView::nothing().with_contacts(true).with_velocities(0.5), &mut seen);
    assert_eq!(seen.points, [(at(4.0, 0.0), Mark::Contact)]);
    let lines =
        [(at(6.0, 0.0), at(7.0, 0.0), Mark::Velocity(b)), (at(4.0, 0.0), at(5.0, 0.0), Mark::Contact)];
    assert_eq!(seen.lines, lines);
}

/// A path under gravity is drawn along the parabola, and up to the time that is asked for.
#[test]
fn paths_bend_as_discs_do() {
    let mut world = under([0.0, -2.0]);
    world.add_wall(Wall::half_plane([0.0, -100.0], [0.0, 1.0])).unwrap();
    let ball = world.insert(Disc::new([0.0, 0.0], 1.0).with_velocity([1.0, 4.0])).unwrap();
    let mut forecast = Forecast::new();
    forecast.path(&world, ball, &ForecastOptions::new(20.0)).unwrap();
    let mut seen = Strokes::default();
    seen.path(forecast.pieces(), world.clock().at(4.0));
    assert_eq!(seen.lines.len(), 16);
    for pair in seen.lines.windows(2) {
        assert_eq!(pair[0].1, pair[1].0);
    }
    for (_, to, mark) in &seen.lines {
        assert_eq!(*mark, Mark::Path);
        assert!((to.y - (4.0 * to.x - to.x * to.x)).abs() < 1e-12, "{to}");
    }
    assert_eq!(seen.lines[15].1, at(4.0, 0.0));
    assert!(seen.points.is_empty(), "the floor is met later");
}
