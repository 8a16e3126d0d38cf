//! Discs that just fit a room of any form: nothing can move, and time goes on.

use crate::common::at as v;
use crate::common::record::deepest_overlap;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    DVec2, Disc, Event, Forces, Partner, Rest, Settings, Simultaneous, StopReason, Wall, World,
};
use core::f64::consts::{PI, TAU};

/// `n` equal discs around the inside of the circle of radius 1, one in their middle if there is room.
fn ring(n: usize) -> Vec<(DVec2, f64)> {
    let sine = (PI / n as f64).sin();
    let r = if n == 1 { 1.0 } else { sine / (1.0 + sine) };
    let place = |k: usize| DVec2::from_angle(k as f64 * TAU / n as f64) * (1.0 - r);
    let middle = (n >= 6).then_some((DVec2::ZERO, 1.0 - 2.0 * r));
    (0..n).map(|k| (place(k), r)).chain(middle).collect()
}

/// One to seven discs in the smallest circle that holds them stop in at most 5000 events, at any restitution:
/// after 1024 impacts in a row before which no disc has moved, impacts have no restitution, and after 64 more
/// the discs stand still. Whatever changes a velocity is an event, and the ledger has all energy.
#[test]
fn what_fits_a_round_room_comes_to_rest() {
    let mut rng = Rng::new(3);
    for n in [1, 2, 3, 4, 6] {
        for e in [1.0, 0.5, 0.0] {
            for simultaneous in [Simultaneous::Together, Simultaneous::OneByOne] {
                let what = format!("{n} discs, e = {e}, {simultaneous:?}");
                let settings = Settings::default().with_simultaneous(simultaneous);
                let mut world = World::with_settings(settings.with_budget(5000)).unwrap();
                world.add_wall(Wall::circle(DVec2::ZERO, 1.0).with_restitution(e)).unwrap();
                let mut velocities = Vec::new();
                for (place, radius) in ring(n) {
                    let disc = Disc::new(place, radius).with_velocity(rng.vector(1.0)).with_restitution(e);
                    velocities.push((world.insert(disc.with_overlap()).unwrap(), disc.velocity));
                }
                let energy = world.kinetic_energy();
                let end = world.advance(1.0).unwrap();
                assert_eq!(end.end, StopReason::Reached, "{what}: {end:?}");
                for event in world.events() {
                    let Event::Impact(impact) = event else { continue };
                    let with = if let Partner::Disc(b) = impact.b { Some(b) } else { None };
                    for (k, id) in [(0, Some(impact.a)), (1, with)] {
                        let Some(known) = velocities.iter_mut().find(|(other, _)| Some(*other) == id) else {
                            continue;
                        };
                        // A chord along the wall turns it by up to this.
                        let turned = known.1 - impact.before[k];
                        let is_known =
                            known.1 == impact.after[k] || turned.length() <= 3e-3 * known.1.length();
                        assert!(is_known, "{what}: {known:?} {impact:?}");
                        known.1 = impact.after[k];
                    }
                }
                let is_slow = |velocity: DVec2| velocity.length() <= 1e-10;
                assert!(velocities.iter().all(|&(_, velocity)| is_slow(velocity)), "{what}: {velocities:?}");
                assert!(world.discs().all(|(_, disc)| is_slow(disc.velocity)), "{what}");
                let book = world.counters().ledger;
                let lost = book.collapse + book.restitution + book.slides;
                assert!((lost - energy).abs() <= 1e-9 * energy, "{what}: {energy} {book:?}");
            }
        }
    }
}

/// The walls of a room, and discs that just fit it.
type Tight = (Vec<Wall>, Vec<(DVec2, f64)>);

/// A room of some form whose half width or radius is 1.
fn tight(rng: &mut Rng) -> Tight {
    let around =
        |n: usize, turned: f64| move |k: usize| DVec2::from_angle((k as f64 + turned) * TAU / n as f64);
    let arcs = |from: f64, m: usize| {
        (0..m).map(move |k| Wall::arc(DVec2::ZERO, 1.0, from + k as f64 * TAU / m as f64, TAU / m as f64))
    };
    match rng.below(7) {
        0 => (vec![Wall::circle(DVec2::ZERO, 1.0)], ring(1 + rng.below(6))),
        1 => (arcs(rng.range(0.0, TAU), 1 + rng.below(4)).collect(), ring(1 + rng.below(6))),
        2 => {
            let n = 2 + rng.below(5);
            let half = n as f64 - 1.0;
            let lines = [-1.0, 1.0].map(|y| Wall::segment(v(half * y, y), v(-half * y, y)));
            let ends = [-1.0, 1.0].map(|x| Wall::arc(v(half * x, 0.0), 1.0, -x * PI / 2.0, PI));
            let discs = (0..n).map(|k| (v(2.0 * k as f64 - half, 0.0), 1.0)).collect();
            (lines.into_iter().chain(ends).collect(), discs)
        }
        3 => {
            let (columns, rows) = (1 + rng.below(4), 1 + rng.below(4));
            let place = |k: usize| v((2 * (k % columns) + 1) as f64, (2 * (k / columns) + 1) as f64);
            let size = v(2.0 * columns as f64, 2.0 * rows as f64);
            let discs = (0..columns * rows).map(|k| (place(k), 1.0)).collect();
            (vec![Wall::container(DVec2::ZERO, size)], discs)
        }
        4 => {
            let n = 3 + rng.below(6);
            let reach = 1.0 / (PI / n as f64).cos();
            let (corner, middle) = (around(n, 0.0), around(n, 0.5));
            let side = |k| Wall::segment(corner(k) * reach, corner(k + 1) * reach);
            let plane = |k| Wall::half_plane(middle(k), -middle(k));
            let planes = rng.chance(50);
            ((0..n).map(|k| if planes { plane(k) } else { side(k) }).collect(), vec![(DVec2::ZERO, 1.0)])
        }
        5 => {
            let (n, height) = (1 + rng.below(4), 3.0_f64.sqrt());
            let row =
                |i: usize| (0..=i).map(move |j| (v((2 * j) as f64 - i as f64, -height * i as f64), 1.0));
            let sides = [1.0, -1.0].map(|s| v(s * height / 2.0, 0.5)).map(|m| Wall::half_plane(m, -m));
            let floor = Wall::half_plane(v(0.0, -height * (n - 1) as f64 - 1.0), DVec2::Y);
            (sides.into_iter().chain([floor]).collect(), (0..n).flat_map(row).collect())
        }
        _ => {
            let n = 3 + rng.below(4);
            let (lip, reach) = (around(n, 0.0), 1.0 + rng.range(0.1, 0.9) * (PI / n as f64).sin());
            let points = rng.chance(50);
            let post = |k| Wall::disc(lip(k) * reach, reach - 1.0);
            let end = |k| Wall::segment(lip(k), lip(k) * 3.0);
            ((0..n).map(|k| if points { end(k) } else { post(k) }).collect(), vec![(DVec2::ZERO, 1.0)])
        }
    }
}

/// Rooms of circles, arcs, joints, planes, posts and lips, that discs fit to a few ulp: a second of them is
/// at most 20,000 events, whatever the restitution. In case 382 a ring of four went around so slowly that
/// its impacts were not within the contact time, each disc by some 10⁻¹² before the next. In case 567
/// impacts one by one ended rows of each other, as one of the two had not been hit within that time.
#[test]
fn time_goes_on_in_rooms_that_just_fit() {
    for case in (0..cases(100)).chain([382, 567]) {
        let rng = &mut Rng::new(1000 + case);
        let (walls, discs) = tight(rng);
        let simultaneous =
            rng.pick(&[Simultaneous::Together, Simultaneous::Together, Simultaneous::OneByOne]);
        let settings = Settings::default().with_simultaneous(simultaneous).with_record_events(false);
        let mut world = World::with_settings(settings.with_budget(20_000)).unwrap();
        let [of_walls, of_discs] = [0, 1].map(|_| rng.pick(&[0.0, 0.3, 0.9, 1.0, 1.0]));
        let speed = 10.0_f64.powf(rng.range(-4.0, 2.0));
        for wall in walls {
            world.add_wall(wall.with_restitution(of_walls)).unwrap();
        }
        for (place, radius) in discs {
            let radius = radius * (1.0 + rng.pick(&[0.0, 0.0, 1.0, -1.0, -4.0, 3.0]) * f64::EPSILON);
            let velocity = if rng.chance(20) { DVec2::ZERO } else { rng.vector(speed) };
            let disc = Disc::new(place, radius).with_velocity(velocity).with_restitution(of_discs);
            world.insert(disc.with_overlap()).unwrap();
        }
        let end = world.advance(1.0).unwrap();
        assert_eq!(end.end, StopReason::Reached, "case {case}: {end:?}");
        assert!(deepest_overlap(&world) < 1e-9, "case {case}: {}", deepest_overlap(&world));
        world.assert_well_formed();
    }
}

/// Five discs that fall into a box as wide as three of them, far from the origin: a disc may be wedged
/// between two others to the rounding of its coordinates, where forces are up to 10⁷ times its weight. A
/// second takes at most 20,000 events, at any restitution, and no disc enters another.
#[test]
fn what_fits_exactly_far_from_the_origin_comes_to_rest() {
    // Before: pieces of 10⁻⁶ s, as rounding of places was taken for gaps, softness for the give of a wedge,
    // and a large force for a long way.
    let fixed = [(13, 1e3, 0.8), (2, 1e3, 0.8), (16, 1e4, 0.0), (14, 1e4, 0.8)];
    let random = (0..cases(3)).map(|case| {
        let mut rng = Rng::new(10_000 + case);
        (case, rng.pick(&[1e2, 1e3, 1e4, 1e5, 1e6]), rng.pick(&[0.0, 0.3, 0.8, 0.9]))
    });
    for (seed, offset, e) in fixed.into_iter().chain(random) {
        for (rest, gap) in [(Rest::default(), 4e-6), (Rest::strict(), 1e-8)] {
            let what = format!("seed {seed}, offset {offset}, e = {e}, {rest:?}");
            let mut rng = Rng::new(seed);
            let settings = Settings::default().with_rest(Some(rest)).with_record_events(false);
            let gravity = Forces::new().with_gravity([0.0, -10.0]).unwrap();
            let mut world = World::with_physics(gravity, settings.with_budget(20_000)).unwrap();
            let corner = v(offset, offset * 0.7);
            let room = Wall::container(corner, corner + v(1.8, 10.0));
            world.add_wall(room.with_restitution(e)).unwrap();
            while world.len() < 5 {
                let place = corner + v(rng.range(0.3, 1.5), rng.range(0.3, 6.0));
                let disc = Disc::new(place, 0.3).with_velocity(rng.vector(1.0)).with_restitution(e);
                _ = world.insert(disc);
            }
            for _ in 0..5 {
                let end = world.advance(1.0).unwrap();
                assert_eq!(end.end, StopReason::Reached, "{what}: {end:?}");
            }
            let deepest = deepest_overlap(&world);
            assert!(deepest < gap, "{what}: {deepest}");
            world.assert_well_formed();
        }
    }
}
