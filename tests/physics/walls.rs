//! Walls of every form: nothing gets through, nothing is lost, and what happens is what geometry says.

use carom_engine::{DVec2, Disc, DiscId, Event, Impact, Partner, Settings, StopReason, Wall, World};
use core::f64::consts::{PI, TAU};

use crate::common::rng::Rng;
use carom_testkit::at;

fn world_with(walls: impl IntoIterator<Item = Wall>) -> World {
    let mut world = World::with_settings(Settings::default().with_budget(1_000_000)).unwrap();
    for wall in walls {
        world.add_wall(wall).unwrap();
    }
    world
}

fn impacts(world: &World) -> Vec<Impact> {
    world.events().iter().map(|event: &Event| *event.impact().unwrap()).collect()
}

/// What a disc at `p` must keep: a distance from the wall that stays non-negative on its own side.
type Clearance = Box<dyn Fn(DVec2, f64) -> f64>;

struct Room {
    name: &'static str,
    walls: Vec<Wall>,
    /// Where to start.
    start: fn(&mut Rng) -> DVec2,
    clearance: Clearance,
}

fn rooms() -> Vec<Room> {
    let to_segment = |p: DVec2, a: DVec2, b: DVec2| {
        let along = (b - a).normalize();
        let s = (p - a).dot(along).clamp(0.0, a.distance(b));
        p.distance(a + along * s)
    };
    let inside_box = |p: DVec2, r: f64| {
        let low = p - at(-5.0, -3.0);
        let high = at(5.0, 3.0) - p;
        low.min_element().min(high.min_element()) - r
    };
    let slanted = [at(0.3, -2.0), at(4.1, 1.7), at(-1.2, 2.6), at(-4.4, -0.9)];
    let inside_slanted = move |p: DVec2, r: f64| {
        let height = |i: usize| {
            let (a, b) = (slanted[i], slanted[(i + 1) % 4]);
            (b - a).perp_dot(p - a) / a.distance(b) - r
        };
        (0..4).map(height).fold(f64::INFINITY, f64::min)
    };
    vec![
        Room {
            name: "container",
            walls: vec![Wall::container(at(-5.0, -3.0), at(5.0, 3.0))],
            start: |rng| rng.vector(2.0),
            clearance: Box::new(inside_box),
        },
        Room {
            name: "rectangle from inside",
            walls: vec![Wall::rectangle(at(-5.0, -3.0), at(5.0, 3.0))],
            start: |rng| rng.vector(2.0),
            clearance: Box::new(inside_box),
        },
        Room {
            name: "four half-planes, turned",
            walls: (0..4)
                .map(|k| {
                    let normal = DVec2::from_angle(0.4 + PI / 2.0 * f64::from(k));
                    Wall::half_plane(-normal * 3.0, normal)
                })
                .collect(),
            start: |rng| rng.vector(1.5),
            clearance: Box::new(|p, r| {
                let turned = DVec2::from_angle(-0.4).rotate(p).abs();
                3.0 - turned.max_element() - r
            }),
        },
        Room {
            name: "polygon from inside",
            walls: vec![Wall::polygon(&slanted)],
            start: |rng| rng.vector(0.5),
            clearance: Box::new(inside_slanted),
        },
        Room {
            name: "one-sided segments, from inside",
            walls: (0..4).map(|i| Wall::one_sided_segment(slanted[i], slanted[(i + 1) % 4])).collect(),
            start: |rng| rng.vector(0.5),
            clearance: Box::new(inside_slanted),
        },
        Room {
            name: "circle",
            walls: vec![Wall::circle(at(1.0, -0.5), 3.0)],
            start: |rng| at(1.0, -0.5) + rng.vector(1.5),
            clearance: Box::new(|p, r| 3.0 - r - p.distance(at(1.0, -0.5))),
        },
        Room {
            name: "whole arc from inside",
            walls: vec![Wall::arc(at(1.0, -0.5), 3.0, 0.7, TAU)],
            start: |rng| at(1.0, -0.5) + rng.vector(1.5),
            clearance: Box::new(|p, r| 3.0 - r - p.distance(at(1.0, -0.5))),
        },
        Room {
            name: "stadium from inside",
            walls: vec![Wall::stadium(at(0.2, 0.1), 2.0, 1.5)],
            start: |rng| at(0.2, 0.1) + rng.vector(0.8),
            clearance: Box::new(move |p, r| 1.5 - r - to_segment(p, at(-1.8, 0.1), at(2.2, 0.1))),
        },
        Room {
            name: "fixed disc (Sinai)",
            walls: vec![Wall::container(at(-3.0, -3.0), at(3.0, 3.0)), Wall::disc(at(0.1, 0.0), 1.0)],
            start: |rng| at(-2.0, 2.0) + rng.vector(0.5),
            clearance: Box::new(|p, r| {
                (p.distance(at(0.1, 0.0)) - 1.0 - r).min(3.0 - p.abs().max_element() - r)
            }),
        },
        Room {
            name: "stadium from outside",
            walls: vec![Wall::container(at(-5.0, -5.0), at(5.0, 5.0)), Wall::stadium(at(0.0, 0.0), 2.0, 1.0)],
            start: |rng| at(-3.5, 3.5) + rng.vector(0.5),
            clearance: Box::new(move |p, r| {
                (to_segment(p, at(-2.0, 0.0), at(2.0, 0.0)) - 1.0 - r).min(5.0 - p.abs().max_element() - r)
            }),
        },
        Room {
            name: "polygon from outside",
            walls: vec![
                Wall::container(at(-5.0, -5.0), at(5.0, 5.0)),
                Wall::polygon(&[at(-1.5, -1.0), at(1.0, -2.0), at(2.0, 1.5)]),
            ],
            start: |rng| at(-3.5, 3.5) + rng.vector(0.5),
            clearance: Box::new(move |p, r| {
                let corners = [at(-1.5, -1.0), at(1.0, -2.0), at(2.0, 1.5)];
                let near = (0..3).map(|i| to_segment(p, corners[i], corners[(i + 1) % 3]));
                let distance = near.fold(f64::INFINITY, f64::min);
                let inside =
                    (0..3).all(|i| (corners[(i + 1) % 3] - corners[i]).perp_dot(p - corners[i]) > 0.0);
                let outside = if inside { -distance - r } else { distance - r };
                outside.min(5.0 - p.abs().max_element() - r)
            }),
        },
        Room {
            name: "segments, thin as they are",
            walls: vec![
                Wall::container(at(-5.0, -5.0), at(5.0, 5.0)),
                Wall::segment(at(-2.0, -1.0), at(2.0, 1.3)),
                Wall::segment(at(-1.0, 3.0), at(0.0, 0.7)),
            ],
            start: |rng| at(-3.5, 3.5) + rng.vector(0.5),
            clearance: Box::new(move |p, r| {
                let a = to_segment(p, at(-2.0, -1.0), at(2.0, 1.3));
                let b = to_segment(p, at(-1.0, 3.0), at(0.0, 0.7));
                (a - r).min(b - r).min(5.0 - p.abs().max_element() - r)
            }),
        },
        Room {
            name: "an open arc, from everywhere",
            walls: vec![
                Wall::container(at(-5.0, -5.0), at(5.0, 5.0)),
                Wall::arc(at(0.3, 0.2), 2.0, 0.5, 4.6),
            ],
            start: |rng| at(-3.5, 3.5) + rng.vector(0.5),
            clearance: Box::new(|p, r| {
                let d = p - at(0.3, 0.2);
                let angle = (d.to_angle() - 0.5).rem_euclid(TAU);
                let ends = [0.5, 5.1].map(|end| d.distance(DVec2::from_angle(end) * 2.0));
                let nearest = if angle <= 4.6 { (d.length() - 2.0).abs() } else { ends[0].min(ends[1]) };
                (nearest - r).min(5.0 - p.abs().max_element() - r)
            }),
        },
    ]
}

/// Long flights of discs and points, alone in each room and with others: on the right side of every wall
/// whenever looked at, at every impact too; at the same speed; and no wall hit twice at one instant.
#[test]
fn nobody_gets_through() {
    for room in rooms() {
        let (mut deepest, mut bounces) = (0.0_f64, 0);
        for (seed, radius) in [(1, 0.0), (2, 0.0), (3, 0.05), (4, 0.3), (5, 0.3), (6, 1e-9)] {
            let mut rng = Rng::new(seed);
            let mut world = world_with(room.walls.iter().cloned());
            let start = (room.start)(&mut rng);
            let velocity = rng.vector(2.0);
            let id = world.insert(Disc::new(start, radius).with_velocity(velocity)).unwrap();
            let mut last: Option<Impact> = None;
            for _ in 0..4000 {
                let end = world.step_event();
                assert_eq!(end.events, 1, "{}: lost at {:?}", room.name, world.get(id));
                let now = impacts(&world);
                if let (Some(before), [one]) = (last, &now[..]) {
                    let again = before.b == one.b && before.time == one.time;
                    assert!(!again, "{}: {before:?} found itself again", room.name);
                }
                last = now.last().copied();
                bounces += now.len();
                deepest = deepest.max(-(room.clearance)(world.get(id).unwrap().position(), radius));
                world.advance(0.01).unwrap();
                deepest = deepest.max(-(room.clearance)(world.get(id).unwrap().position(), radius));
            }
            // Half an ulp or so an impact, with no preferred direction.
            let speed = world.get(id).unwrap().velocity().length() / velocity.length();
            assert!((speed - 1.0).abs() < 1e-12, "{}: speed times {speed}", room.name);
            world.assert_well_formed();
        }
        println!("{}: {bounces} bounces, at most {deepest:e} past a wall", room.name);
        // Coordinates are below 8, an ulp 9·10⁻¹⁶; a path across the room and its contact are rounded a few
        // times, and this test's own distance, too.
        assert!(deepest < 2e-14, "{}: {deepest:e} past a wall", room.name);
    }
}

/// Points on two-sided walls, from which they cannot be told apart by their coordinates: the side never
/// changes.
#[test]
fn points_between_segments_stay_on_their_side() {
    let mut rng = Rng::new(7);
    for case in 0..20 {
        let turn = DVec2::from_angle(if case == 0 { 0.0 } else { rng.range(0.0, 7.0) });
        let offset = if case == 0 { DVec2::ZERO } else { rng.vector(100.0) };
        let place = |x, y| offset + turn.rotate(at(x, y));
        let mut world = world_with([
            Wall::segment(place(-1.0, -0.1), place(1.0, -0.1)),
            Wall::segment(place(-1.0, 0.1), place(1.0, 0.1)),
            Wall::segment(place(-1.0, -0.1), place(-1.0, 0.1)),
            Wall::segment(place(1.0, -0.1), place(1.0, 0.1)),
        ]);
        let velocity = turn.rotate(at(rng.range(-0.3, 0.3), 1.0));
        let id = world.insert(Disc::new(place(0.2, 0.03), 0.0).with_velocity(velocity)).unwrap();
        for _ in 0..50 {
            assert_eq!(world.advance(20.0).unwrap().end, StopReason::Reached);
            let p = turn.conjugate_rotate(world.get(id).unwrap().position() - offset);
            // Coordinates up to 150: a few ulp of these.
            assert!(p.x.abs() < 1.0 + 1e-12 && p.y.abs() < 0.1 + 1e-12, "case {case}: out at {p}");
        }
        assert!(world.counters().wall_impacts >= 5000);
    }
}

trait Turned {
    fn conjugate_rotate(self, p: DVec2) -> DVec2;
}

impl Turned for DVec2 {
    fn conjugate_rotate(self, p: DVec2) -> DVec2 {
        at(self.x, -self.y).rotate(p)
    }
}

/// A point is placed, at its first impact, an ulp before or behind the wall; the side it came from counts,
/// also when an edit rewrites its state at that very moment.
#[test]
fn a_point_bounces_back_from_where_it_came() {
    let mut rng = Rng::new(8);
    for case in 0..20_000 {
        let (wall, clear): (Wall, fn(DVec2) -> bool) = match case % 3 {
            0 => (Wall::segment(at(0.1, -0.1), at(0.1, 0.1)), |p| p.x < 0.1),
            1 => (Wall::one_sided_segment(at(0.1, -0.1), at(0.1, 0.1)), |p| p.x < 0.1),
            _ => (Wall::arc(at(0.3, 0.0), 0.2, PI - 1.0, 2.0), |p| p.distance(at(0.3, 0.0)) > 0.2),
        };
        let mut world = world_with([wall]);
        let start = at(rng.range(-20.0, -0.5), rng.range(-0.05, 0.05));
        let velocity = at(rng.range(0.5, 3.0), 0.0);
        let id = world.insert(Disc::new(start, 0.0).with_velocity(velocity)).unwrap();
        assert_eq!(world.step_event().events, 1);
        let bounced = world.get(id).unwrap().velocity();
        assert!(bounced.x < 0.0, "case {case}: from {start} with {velocity} to {bounced}");
        if case % 2 == 0 {
            world.set_velocity(id, bounced).unwrap();
        }
        let end = world.advance(0.3).unwrap();
        assert_eq!((end.events, end.end), (0, StopReason::Reached));
        assert!(clear(world.get(id).unwrap().position()), "case {case}: behind the wall");
    }
}

#[test]
fn reflection_inside_a_circle() {
    // A chord at the angle α from the tangent bounces with the same α for ever, and its contact moves on by
    // 2α.
    for (alpha, radius) in [(1.0_f64, 0.0), (0.3, 0.25), (0.01, 0.5), (1.5, 0.0)] {
        let room = 2.0 - radius;
        let mut world = world_with([Wall::circle(DVec2::ZERO, 2.0)]);
        let direction = DVec2::from_angle(PI / 2.0 + alpha);
        let start = at(room, 0.0) + direction * (room * alpha.sin());
        world.insert(Disc::new(start, radius).with_velocity(direction)).unwrap();
        for k in 1..=50 {
            world.step_event();
            let impact = impacts(&world)[0];
            let angle = 2.0 * alpha * f64::from(k);
            // The angle of incidence is kept to an ulp an impact, so the place drifts as k², over sin α.
            let bound = 8.0 * f64::EPSILON * f64::from(k * k + 10) / alpha.sin();
            let error = (impact.normal - DVec2::from_angle(angle)).length();
            assert!(error < bound, "α {alpha}, bounce {k}: {error:e} of {bound:e}");
            assert!((impact.approach_speed - alpha.sin()).abs() < bound);
        }
    }
}

#[test]
fn arcs_are_hit_from_both_sides_and_left_open() {
    // An arc from −60° to 60°, radius 2; a disc of radius 0.25.
    let arc = Wall::arc(DVec2::ZERO, 2.0, -PI / 3.0, TAU / 3.0);
    // From outside, along the axis: at x = 2.25. From inside at 1.75. Through the opening, from the left: at
    // 1.75.
    for (start, velocity, contact, part) in [
        (at(5.0, 0.0), at(-1.0, 0.0), at(2.25, 0.0), 0),
        (at(0.0, 0.0), at(1.0, 0.0), at(1.75, 0.0), 0),
        (at(-5.0, 0.0), at(1.0, 0.0), at(1.75, 0.0), 0),
        // Past the circle's top, where the arc is not, and then into it from inside: y = 1, x² + 1 = 1.75².
        (at(-5.0, 1.0), at(1.0, 0.0), at((1.75_f64 * 1.75 - 1.0).sqrt(), 1.0), 0),
        // Its end (1, √3), as a point, from the left at the same height: 0.25 before it.
        (at(-5.0, 3.0_f64.sqrt()), at(1.0, 0.0), at(0.75, 3.0_f64.sqrt()), 2),
        (at(1.0, -5.0), at(0.0, 1.0), at(1.0, -(3.0_f64.sqrt() + 0.25)), 1),
    ] {
        let mut world = world_with([arc.clone()]);
        let id = world.insert(Disc::new(start, 0.25).with_velocity(velocity)).unwrap();
        world.step_event();
        let impact = impacts(&world)[0];
        let place = world.get(id).unwrap().position();
        assert!((place - contact).length() < 1e-14, "{start}: {place} is not {contact}");
        assert!(matches!(impact.b, Partner::Wall { part: is, .. } if is == part), "{start}: {impact:?}");
        let normal = impact.normal;
        let mirrored = velocity - 2.0 * velocity.dot(normal) * normal;
        assert!((world.get(id).unwrap().velocity() - mirrored).length() < 1e-15);
    }
    // Through the opening and out again: nothing.
    let mut world = world_with([arc]);
    world.insert(Disc::new(at(-0.5, 5.0), 0.25).with_velocity(at(0.0, -1.0))).unwrap();
    assert_eq!(world.next_event(), None);
}

#[test]
fn stadium_chord() {
    // From the middle, straight up: the top at y = R − r. Along the axis: the cap at x = a + R − r. Then a
    // chord at 45° from the middle of the right cap's circle: a distance R − r away.
    let (a, big, r) = (2.0, 1.5, 0.25);
    let half = 0.5_f64.sqrt();
    for (start, direction, contact, part) in [
        (at(0.0, 0.0), at(0.0, 1.0), at(0.0, big - r), 2),
        (at(0.0, 0.0), at(1.0, 0.0), at(a + big - r, 0.0), 1),
        (at(0.0, 0.0), at(-1.0, 0.0), at(-(a + big - r), 0.0), 3),
        (at(a, 0.0), at(half, half), at(a + half * (big - r), half * (big - r)), 1),
        (at(0.0, 5.0), at(0.0, -1.0), at(0.0, big + r), 2),
        (at(5.0, 0.0), at(-1.0, 0.0), at(a + big + r, 0.0), 1),
    ] {
        let mut world = world_with([Wall::stadium(DVec2::ZERO, a, big)]);
        let id = world.insert(Disc::new(start, r).with_velocity(direction)).unwrap();
        world.step_event();
        let impact = impacts(&world)[0];
        assert!((world.get(id).unwrap().position() - contact).length() < 1e-14, "{start} {direction}");
        assert!(matches!(impact.b, Partner::Wall { part: is, .. } if is == part), "{impact:?}");
        // All of these come back on themselves.
        assert!((world.get(id).unwrap().velocity() + direction).length() < 1e-14);
    }
}

#[test]
fn ends_are_hit_as_points() {
    // Along the line of a segment, onto its end, and past it at a height h: normal (√(r² − h²), h)/r.
    for h in [0.0, 0.1, 0.2, 0.299] {
        for wall in [Wall::segment(at(0.0, 0.0), at(1.0, 0.0)), Wall::polyline(&[at(0.0, 0.0), at(1.0, 0.0)])]
        {
            let mut world = world_with([wall]);
            let id = world.insert(Disc::new(at(-3.0, -h), 0.3).with_velocity(DVec2::X)).unwrap();
            world.step_event();
            let impact = impacts(&world)[0];
            assert!(matches!(impact.b, Partner::Wall { part: 1, .. }), "{impact:?}");
            let normal = at((0.09_f64 - h * h).sqrt(), h) / 0.3;
            // Grazing costs digits: h/r up to 0.9967, an error of the height shows 1/√(1 − (h/r)²) = 12
            // times.
            assert!((impact.normal - normal).length() < 1e-14, "{h}: {:?}", impact.normal);
            let expected = DVec2::X - 2.0 * normal.x * normal;
            assert!((world.get(id).unwrap().velocity() - expected).length() < 4e-14);
        }
    }
}

#[test]
fn one_sided_from_behind() {
    // Looking from a to b its left is y > 0: from there it stops, from below everything passes, its ends too.
    for (x, from_above, hits) in [
        (0.5, true, true),
        (0.5, false, false),
        (-0.2, true, true),
        (-0.2, false, false),
        (-0.4, true, false),
    ] {
        let mut world = world_with([Wall::one_sided_segment(at(0.0, 0.0), at(1.0, 0.0))]);
        let side = if from_above { 1.0 } else { -1.0 };
        world.insert(Disc::new(at(x, 2.0 * side), 0.3).with_velocity(at(0.0, -side))).unwrap();
        assert_eq!(world.next_event().is_some(), hits, "{x} {from_above}");
    }
}

#[test]
fn a_corner_is_two_contacts_and_sends_back() {
    for (r, speed) in [(0.5, at(-1.0, -1.0)), (0.3, at(-0.7, -0.7)), (0.0, at(-1.0, -1.0))] {
        for wall in [
            Wall::container(DVec2::ZERO, at(8.0, 8.0)),
            Wall::rectangle(DVec2::ZERO, at(8.0, 8.0)),
            Wall::polyline(&[at(0.0, 8.0), DVec2::ZERO, at(8.0, 0.0)]),
        ] {
            let mut world = world_with([wall]);
            // Symmetric about the diagonal, so both contacts come at the same bits of time.
            let id = world.insert(Disc::new(DVec2::splat(r + 2.0), r).with_velocity(speed)).unwrap();
            assert_eq!(world.step_event().events, 1);
            let hits = impacts(&world);
            assert_eq!(hits.len(), 2, "{hits:?}");
            assert_eq!((hits[0].group, hits[0].time), (hits[1].group, hits[1].time));
            assert_eq!(world.get(id).unwrap().velocity(), -speed);
            // Not again, and back the way it came.
            assert_eq!(world.advance(1.0).unwrap().events, 0);
        }
    }
}

#[test]
fn a_shared_vertex_is_one_contact() {
    // A straight wall in two pieces, hit exactly where they join: one impact, as by one wall.
    for r in [0.0, 0.3] {
        let mut world = world_with([Wall::polyline(&[at(-4.0, 0.0), DVec2::ZERO, at(4.0, 0.0)])]);
        let id = world.insert(Disc::new(at(-1.0, 1.0 + r), r).with_velocity(at(1.0, -1.0))).unwrap();
        assert_eq!(world.step_event().events, 1);
        assert_eq!(impacts(&world).len(), 1, "{:?}", world.events());
        assert_eq!(world.get(id).unwrap().velocity(), at(1.0, 1.0));
        assert_eq!(world.next_event(), None);
    }
    // A convex one, from outside, is hit as a point: along the bisector, straight back.
    let mut world = world_with([Wall::polyline(&[at(-1.0, -1.0), DVec2::ZERO, at(1.0, -1.0)])]);
    let id = world.insert(Disc::new(at(0.0, 3.0), 0.5).with_velocity(at(0.0, -1.0))).unwrap();
    world.step_event();
    assert!(matches!(impacts(&world)[..], [Impact { b: Partner::Wall { part: 3, .. }, .. }]));
    assert_eq!(
        (world.get(id).unwrap().position(), world.get(id).unwrap().velocity()),
        (at(0.0, 0.5), at(0.0, 1.0))
    );
    // From inside the same angle, the legs are hit, both, and not the vertex: back again.
    let id: DiscId = world.insert(Disc::new(at(0.0, -3.0), 0.5).with_velocity(at(0.0, 1.0))).unwrap();
    world.step_event();
    assert_eq!(impacts(&world).len(), 2, "{:?}", world.events());
    assert!((world.get(id).unwrap().velocity() - at(0.0, -1.0)).length() < 1e-15);
}
