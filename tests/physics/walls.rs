//! Walls of every form: nothing gets through, nothing is lost, and what happens is what geometry says.

use carom_engine::{DVec2, Disc, DiscId, Event, Impact, Partner, Settings, StopReason, Wall, World};
use core::f64::consts::{PI, TAU};

use crate::common::regions::wall_gap;
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

/// The first impact of a disc with a wall, and the disc after it.
fn first_hit(wall: Wall, disc: Disc) -> (Impact, Disc) {
    let mut world = world_with([wall]);
    let id = world.insert(disc).unwrap();
    world.step_event();
    (impacts(&world)[0], world.get(id).unwrap().to_disc())
}

/// The name of a room, its walls, around where discs start and how far from there, and whether a place is on
/// their side of those walls that are lines.
type Room = (&'static str, Vec<Wall>, DVec2, f64, fn(DVec2) -> bool);

const SLANTED: [DVec2; 4] =
    [DVec2::new(0.3, -2.0), DVec2::new(4.1, 1.7), DVec2::new(-1.2, 2.6), DVec2::new(-4.4, -0.9)];
const TRIANGLE: [DVec2; 3] = [DVec2::new(-1.5, -1.0), DVec2::new(1.0, -2.0), DVec2::new(2.0, 1.5)];

/// Whether a place is inside of a convex polygon.
fn is_within(corners: &[DVec2], p: DVec2) -> bool {
    let mut sides = (0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]]);
    sides.all(|[a, b]| (b - a).perp_dot(p - a) > 0.0)
}

/// The distance from the axis of a stadium of half length 2 about the origin.
fn from_axis(p: DVec2) -> f64 {
    at((p.x.abs() - 2.0).max(0.0), p.y).length()
}

fn rooms() -> [Room; 13] {
    let (low, high, far) = (at(-5.0, -3.0), at(5.0, 3.0), at(-3.5, 3.5));
    let (origin, middle, within) = (DVec2::ZERO, at(1.0, -0.5), at(0.2, 0.1));
    let around = || Wall::container(at(-5.0, -5.0), at(5.0, 5.0));
    let half_plane = |k| {
        let normal = DVec2::from_angle(0.4 + PI / 2.0 * f64::from(k));
        Wall::half_plane(-normal * 3.0, normal)
    };
    let half_planes = (0..4).map(half_plane).collect();
    let one_sided = (0..4).map(|k| Wall::one_sided_segment(SLANTED[k], SLANTED[(k + 1) % 4])).collect();
    let sinai = vec![Wall::container(at(-3.0, -3.0), at(3.0, 3.0)), Wall::disc(at(0.1, 0.0), 1.0)];
    let thin = [Wall::segment(at(-2.0, -1.0), at(2.0, 1.3)), Wall::segment(at(-1.0, 3.0), at(0.0, 0.7))];
    let open_arc = vec![around(), Wall::arc(at(0.3, 0.2), 2.0, 0.5, 4.6)];
    [
        ("container", vec![Wall::container(low, high)], origin, 2.0, |_| true),
        ("rectangle from inside", vec![Wall::rectangle(low, high)], origin, 2.0, |p| {
            p.x.abs() < 5.0 && p.y.abs() < 3.0
        }),
        ("four half-planes, turned", half_planes, origin, 1.5, |_| true),
        ("polygon from inside", vec![Wall::polygon(&SLANTED)], origin, 0.5, |p| is_within(&SLANTED, p)),
        ("one-sided segments, from inside", one_sided, origin, 0.5, |p| is_within(&SLANTED, p)),
        ("circle", vec![Wall::circle(middle, 3.0)], middle, 1.5, |_| true),
        ("whole arc from inside", vec![Wall::arc(middle, 3.0, 0.7, TAU)], middle, 1.5, |p| {
            p.distance(at(1.0, -0.5)) < 3.0
        }),
        ("stadium from inside", vec![Wall::stadium(within, 2.0, 1.5)], within, 0.8, |p| {
            from_axis(p - at(0.2, 0.1)) < 1.5
        }),
        ("fixed disc (Sinai)", sinai, at(-2.0, 2.0), 0.5, |_| true),
        ("stadium from outside", vec![around(), Wall::stadium(origin, 2.0, 1.0)], far, 0.5, |p| {
            from_axis(p) > 1.0
        }),
        ("polygon from outside", vec![around(), Wall::polygon(&TRIANGLE)], far, 0.5, |p| {
            !is_within(&TRIANGLE, p)
        }),
        ("segments, thin as they are", [vec![around()], thin.to_vec()].concat(), far, 0.5, |_| true),
        ("an open arc, from everywhere", open_arc, far, 0.5, |_| true),
    ]
}

/// Long flights of discs and points, alone in each room and with others: on the right side of every wall
/// whenever looked at, at every impact too; at the same speed; and no wall hit twice at one instant.
#[test]
fn nobody_gets_through() {
    for (name, walls, middle, spread, is_within) in rooms() {
        let clearance = |p: DVec2| {
            let gap = walls.iter().map(|wall| wall_gap(&wall.shape, p)).fold(f64::INFINITY, f64::min);
            if is_within(p) { gap } else { -gap.abs() }
        };
        let (mut deepest, mut bounces) = (0.0_f64, 0);
        for (seed, radius) in [(1, 0.0), (2, 0.0), (3, 0.05), (4, 0.3), (5, 0.3), (6, 1e-9)] {
            let mut rng = Rng::new(seed);
            let mut world = world_with(walls.iter().cloned());
            let start = middle + rng.vector(spread);
            let velocity = rng.vector(2.0);
            let id = world.insert(Disc::new(start, radius).with_velocity(velocity)).unwrap();
            let mut last: Option<Impact> = None;
            for _ in 0..4000 {
                let end = world.step_event();
                assert_eq!(end.events, 1, "{name}: lost at {:?}", world.get(id));
                let now = impacts(&world);
                if let (Some(before), [one]) = (last, &now[..]) {
                    let again = before.b == one.b && before.time == one.time;
                    assert!(!again, "{name}: {before:?} found itself again");
                }
                last = now.last().copied();
                bounces += now.len();
                deepest = deepest.max(radius - clearance(world.get(id).unwrap().position()));
                world.advance(0.01).unwrap();
                deepest = deepest.max(radius - clearance(world.get(id).unwrap().position()));
            }
            // Half an ulp or so an impact, with no preferred direction.
            let speed = world.get(id).unwrap().velocity().length() / velocity.length();
            assert!((speed - 1.0).abs() < 1e-12, "{name}: speed times {speed}");
            world.assert_well_formed();
        }
        println!("{name}: {bounces} bounces, at most {deepest:e} past a wall");
        // Coordinates are below 8, an ulp 9·10⁻¹⁶; a path across the room and its contact are rounded a few
        // times, and this test's own distance, too.
        assert!(deepest < 2e-14, "{name}: {deepest:e} past a wall");
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
            let p = at(turn.x, -turn.y).rotate(world.get(id).unwrap().position() - offset);
            // Coordinates up to 150: a few ulp of these.
            assert!(p.x.abs() < 1.0 + 1e-12 && p.y.abs() < 0.1 + 1e-12, "case {case}: out at {p}");
        }
        assert!(world.counters().wall_impacts >= 5000);
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
        let (impact, hit) = first_hit(arc.clone(), Disc::new(start, 0.25).with_velocity(velocity));
        assert!((hit.position - contact).length() < 1e-14, "{start}: {hit:?} is not at {contact}");
        assert!(matches!(impact.b, Partner::Wall { part: is, .. } if is == part), "{start}: {impact:?}");
        let normal = impact.normal;
        let mirrored = velocity - 2.0 * velocity.dot(normal) * normal;
        assert!((hit.velocity - mirrored).length() < 1e-15);
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
        let disc = Disc::new(start, r).with_velocity(direction);
        let (impact, hit) = first_hit(Wall::stadium(DVec2::ZERO, a, big), disc);
        assert!((hit.position - contact).length() < 1e-14, "{start} {direction}");
        assert!(matches!(impact.b, Partner::Wall { part: is, .. } if is == part), "{impact:?}");
        // All of these come back on themselves.
        assert!((hit.velocity + direction).length() < 1e-14);
    }
}

#[test]
fn ends_are_hit_as_points() {
    // Along the line of a segment, onto its end, and past it at a height h: normal (√(r² − h²), h)/r.
    for h in [0.0, 0.1, 0.2, 0.299] {
        for wall in [Wall::segment(at(0.0, 0.0), at(1.0, 0.0)), Wall::polyline(&[at(0.0, 0.0), at(1.0, 0.0)])]
        {
            let (impact, hit) = first_hit(wall, Disc::new(at(-3.0, -h), 0.3).with_velocity(DVec2::X));
            assert!(matches!(impact.b, Partner::Wall { part: 1, .. }), "{impact:?}");
            let normal = at((0.09_f64 - h * h).sqrt(), h) / 0.3;
            // Grazing costs digits: h/r up to 0.9967, an error of the height shows 1/√(1 − (h/r)²) = 12
            // times.
            assert!((impact.normal - normal).length() < 1e-14, "{h}: {:?}", impact.normal);
            let expected = DVec2::X - 2.0 * normal.x * normal;
            assert!((hit.velocity - expected).length() < 4e-14);
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
    let hit = world.get(id).unwrap();
    assert_eq!((hit.position(), hit.velocity()), (at(0.0, 0.5), at(0.0, 1.0)));
    // From inside the same angle, the legs are hit, both, and not the vertex: back again.
    let id: DiscId = world.insert(Disc::new(at(0.0, -3.0), 0.5).with_velocity(at(0.0, 1.0))).unwrap();
    world.step_event();
    assert_eq!(impacts(&world).len(), 2, "{:?}", world.events());
    assert!((world.get(id).unwrap().velocity() - at(0.0, -1.0)).length() < 1e-15);
}
