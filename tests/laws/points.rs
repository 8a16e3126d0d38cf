//! Points at joints of walls, where no radius says on which side of a wall they are, and slides over joints.

use crate::common::by::By;
use crate::common::rescan;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Forces, Physics, Settings, Smooth, StopReason, Wall, World};
use carom_testkit::at as v;
use core::f64::consts::{FRAC_PI_3, TAU};

/// Points meet walls, and pass through each other: where two come to one place of a wall at one instant, too.
#[test]
fn points_that_come_to_one_place_of_a_wall_pass_through_each_other() {
    for by in [By::Table, By::Grid] {
        let mut w = by.world(Settings::default());
        w.add_wall(Wall::half_plane(v(0., 0.), v(0., 1.))).unwrap();
        let ids = [-1.0, 1.0]
            .map(|x| w.insert(Disc::new(v(x, 1.), 0.0).with_velocity(v(-x, -1.)).with_overlap()).unwrap());
        w.advance(3.0).unwrap();
        assert_eq!(ids.map(|id| w.get(id).unwrap().position()), [v(2., 2.), v(-2., 2.)], "{by:?}");
        assert_eq!((w.counters().disc_impacts, w.counters().wall_impacts), (0, 2), "{by:?}");
    }
}

/// Points that are put on an edge of a regular polygon, to the rounding of their place, and run along it stay
/// in the polygon. (Seen: 115 of 3000 left through the next corner.)
#[test]
fn a_point_on_an_edge_stays_in_its_polygon() {
    let rng = &mut Rng::new(1);
    for _ in 0..cases(2000) {
        let (n, turn, size) = (3 + rng.below(7), rng.range(0.0, TAU), rng.pick(&[1.0, 0.3, 100.0]));
        let corner = |k: usize| DVec2::from_angle(turn + TAU * k as f64 / n as f64) * size;
        let corners: Vec<DVec2> = (0..n).map(corner).collect();
        let mut w = World::new();
        if rng.chance(50) {
            w.add_wall(Wall::polygon(&corners)).unwrap();
        } else {
            for k in rng.permutation(n) {
                w.add_wall(Wall::segment(corners[k], corners[(k + 1) % n])).unwrap();
            }
        }
        let along = corners[1] - corners[0];
        let at = corners[0] + along * rng.range(0.05, 0.95);
        let e = rng.pick(&[0.0, 0.5, 1.0]);
        let disc = Disc::new(at, 0.0).with_velocity(along.normalize() * size).with_restitution(e);
        let id = w.insert(disc).unwrap();
        for _ in 0..10 {
            assert_eq!(w.advance(1.0).unwrap().end, StopReason::Reached);
            let at = w.get(id).unwrap().position();
            let outside = (0..n).map(|k| {
                let along = (corners[(k + 1) % n] - corners[k]).normalize();
                -along.perp_dot(at - corners[k])
            });
            let most = outside.fold(f64::NEG_INFINITY, f64::max);
            assert!(most <= 64.0 * f64::EPSILON * size, "{most:e} {disc:?} {corners:?}");
        }
    }
}

/// Discs and points that land in an oval of four arcs, of two radii and with common tangents, slide from one
/// to the other. (Seen: impacts without end at one joint.)
#[test]
fn a_slide_goes_on_along_an_arc_of_another_radius() {
    for r in [0.0, 0.125, 0.25] {
        let mut w = World::new();
        // The tangents at 60° are common to the circles about (±1, 0) and (0, ±√3).
        let high = 3.0_f64.sqrt();
        for (center, radius, start) in [
            (v(1., 0.), 0.5, -FRAC_PI_3),
            (v(0., -high), 2.5, FRAC_PI_3),
            (v(-1., 0.), 0.5, 2.0 * FRAC_PI_3),
            (v(0., high), 2.5, 4.0 * FRAC_PI_3),
        ] {
            let sweep = if radius == 0.5 { 2.0 * FRAC_PI_3 } else { FRAC_PI_3 };
            w.add_wall(Wall::arc(center, radius, start, sweep)).unwrap();
        }
        let disc = Disc::new(v(0., 0.), r).with_velocity(v(1.3, 0.2)).with_restitution(0.);
        let id = w.insert(disc).unwrap();
        for _ in 0..100 {
            assert_eq!(w.advance(0.3).unwrap().end, StopReason::Reached);
            let at = w.get(id).unwrap().position().abs();
            let is_at_end = (at - v(1., 0.)).y <= 3.0_f64.sqrt() * (at - v(1., 0.)).x;
            let outside =
                if is_at_end { (at - v(1., 0.)).length() - 0.5 } else { (at - v(0., -high)).length() - 2.5 };
            assert!(outside + r <= 1e-14, "{r} {outside:e}");
        }
        // The landing, and no more than one of approach 0 a joint: 28 on the shortest way round, in 30 s.
        assert!(w.counters().wall_impacts <= 29, "{r}");
        assert!(w.counters().slides > 1000);
    }
}

/// A point that has met a wall runs on past its end, where another wall turns away from it. (Seen: it passed
/// the joint at 5 ulp, less than the error of a contact's place and more than what was taken for passing it,
/// and hit the back of the other wall.)
#[test]
fn a_point_passes_a_reflex_corner_beside_the_wall_that_it_has_met() {
    let corner = v(4.888492474661503, -3.375308344722946);
    let mut w = World::new();
    w.add_wall(Wall::segment(corner, v(5.028118269970891, -3.460279111526325))).unwrap();
    w.add_wall(Wall::segment(corner, v(4.789820827822815, -3.5374477213890283))).unwrap();
    let at = v(4.839156651242096, -3.456378033055948);
    let velocity = v(0.4366847567350905, 0.7175698037370405);
    let id = w.insert(Disc::new(at, 0.0).with_velocity(velocity)).unwrap();
    w.advance(0.5).unwrap();
    assert_eq!(w.counters().wall_impacts, 1);
    assert!((w.get(id).unwrap().position() - (at + velocity * 0.5)).length() < 1e-11);
}

/// A point that runs along a divided floor is still on its side of it when a disc hits it on another part
/// than that on which it landed.
#[test]
fn a_point_keeps_its_side_of_a_divided_floor() {
    let rng = &mut Rng::new(7);
    let mut met = 0;
    for _ in 0..cases(300) {
        let along = if rng.chance(50) { DVec2::X } else { DVec2::from_angle(rng.range(0.0, TAU)) };
        let mut w = World::new();
        let place = |x: f64, y: f64| along * x + along.perp() * y;
        for k in 0..4 {
            let (a, b) = (place(f64::from(k), 0.0), place(f64::from(k + 1), 0.0));
            w.add_wall(if rng.chance(50) { Wall::segment(a, b) } else { Wall::one_sided_segment(a, b) })
                .unwrap();
        }
        let point = Disc::new(place(rng.range(0.1, 0.9), rng.range(0.0, 0.1)), 0.0).with_restitution(0.0);
        let point = w.insert(point.with_velocity(place(1.0, -1.0))).unwrap();
        let disc =
            Disc::new(place(rng.range(1.2, 3.0), 0.3), 0.1).with_restitution(rng.pick(&[0.0, 0.5, 1.0]));
        let disc = w.insert(disc.with_velocity(place(rng.range(-0.5, 0.5), rng.range(-1.0, -0.1)))).unwrap();
        while w.now().as_secs() < 2.5 {
            assert_eq!(w.advance(0.1).unwrap().end, StopReason::Reached);
            for (id, r) in [(point, 0.0), (disc, 0.1)] {
                let at = w.get(id).unwrap().position();
                let is_over = (0.0..4.0).contains(&at.dot(along));
                assert!(!is_over || at.dot(along.perp()) > r - 1e-13, "{at} {r}");
            }
        }
        met += w.counters().disc_impacts;
    }
    assert!(met > 50, "{met}");
}

/// A point that runs along one side of a sharp wedge towards its tip, and is sent away from there, meets
/// nothing of the wedge, whoever schedules. (Seen: by the grid it hit the other side at once, far away from
/// it. The table looks for walls along the path, and had no such impact.)
#[test]
fn a_point_that_leaves_a_wall_before_its_end_does_not_hit_what_joins_it_there() {
    fn leave<P: Physics>(physics: P, by: By) {
        let mut w = World::with_physics(physics, by.settings(Settings::default())).unwrap();
        w.add_wall(Wall::segment(v(4., 0.), v(4., 16.))).unwrap();
        w.add_wall(Wall::segment(v(0., 0.), v(0., 2.)).with_restitution(0.)).unwrap();
        w.add_wall(Wall::segment(v(0., 0.), v(-2., 0.25))).unwrap();
        let id = w.insert(Disc::new(v(0.5, 1.), 0.).with_velocity(v(-0.5, -0.5))).unwrap();
        w.advance(1.).unwrap();
        let of = w.get(id).unwrap();
        assert_eq!((of.position(), of.velocity()), (v(0., 0.5), v(0., -0.5)));
        w.set_velocity(id, v(1., 2.)).unwrap();
        rescan::check(&mut w);
        assert_eq!(w.next_event().map(|next| next.time.as_secs()), Some(5.), "{by:?}");
    }
    for by in [By::Table, By::Grid] {
        leave(Forces::new(), by);
        leave(Smooth, by);
    }
}

/// A point that is held to one side of a wedge, and turns back before its tip, meets nothing on its way.
#[test]
fn a_point_that_turns_back_before_the_end_of_a_wall_does_not_hit_what_joins_it_there() {
    for by in [By::Table, By::Grid] {
        let forces = Forces::new().with_gravity(v(-1., 1.)).unwrap();
        let mut w = World::with_physics(forces, by.settings(Settings::default())).unwrap();
        w.add_wall(Wall::segment(v(0., 0.), v(0., 2.)).with_restitution(0.)).unwrap();
        w.add_wall(Wall::segment(v(0., 0.), v(-2., 1.)).with_restitution(0.)).unwrap();
        let id = w.insert(Disc::new(v(0.5, 1.5), 0.).with_velocity(v(0., -1.5))).unwrap();
        w.advance(1.).unwrap();
        let of = w.get(id).unwrap();
        assert_eq!((of.position(), of.velocity()), (v(0., 0.5), v(0., -0.5)));
        assert_eq!(w.held_to(id).count(), 1);
        w.advance(2.).unwrap();
        assert_eq!(w.events(), [], "{by:?}");
        assert_eq!(w.get(id).map(|of| of.position()), Some(v(0., 1.5)));
    }
}
