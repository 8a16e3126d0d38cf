//! Impacts of one instant that share discs: the closed forms of the rule, and its laws on random clusters.

use carom_engine::Simultaneous::{self, OneByOne, Together};
use carom_engine::{DVec2, Disc, DiscId, Settings, StopReason, Wall, World};

use crate::common::rng::Rng;
use carom_testkit::at;

const EPS: f64 = f64::EPSILON;

fn world(simultaneous: Simultaneous) -> World {
    World::with_settings(Settings::default().with_simultaneous(simultaneous).with_budget(10_000)).unwrap()
}

fn speeds(world: &World, ids: &[DiscId]) -> Vec<f64> {
    ids.iter().map(|&id| world.get(id).unwrap().velocity().x).collect()
}

/// Three discs of radius ½ in a touching row, with these masses, velocities along it and restitution.
fn row(rule: Simultaneous, masses: [f64; 3], velocities: [f64; 3], e: f64) -> (World, [DiscId; 3]) {
    let mut world = world(rule);
    let ids = [0, 1, 2].map(|k| {
        let disc =
            Disc::new(at(k as f64, 0.0), 0.5).with_mass(masses[k]).with_velocity(at(velocities[k], 0.0));
        world.insert(disc.with_restitution(e)).unwrap()
    });
    (world, ids)
}

/// Together, passes by hand: (1, 0, 0) with e: the first contact alone, then the second, then the first again
/// and so on, each an impact of equal masses. After the first ((1−e)/2, (1+e)/2, 0), after the second the
/// middle one has (1−e²)/4, less than the one behind it unless e = 1, so the first contact closes again.
///
/// One by one it is in the order of events, the smaller identities first.
#[test]
fn three_in_a_row() {
    let (infinite, ones) = (f64::INFINITY, [1.0; 3]);
    for (rule, masses, before, e, after, slack) in [
        // The blow goes through.
        (Together, ones, [1.0, 0.0, 0.0], 1.0, [0.0, 0.0, 1.0], 0.0),
        (OneByOne, ones, [1.0, 0.0, 0.0], 1.0, [0.0, 0.0, 1.0], 0.0),
        // After the second pass (0.4, 0.24, 0.36), after the third (0.304, 0.336, 0.36), which parts.
        (Together, ones, [1.0, 0.0, 0.0], 0.2, [0.304, 0.336, 0.36], EPS),
        // From both sides at once: one pass of two contacts, λ each 1; the outer ones come back, the middle
        // one rests, whatever its mass.
        (Together, ones, [1.0, 0.0, -1.0], 1.0, [-1.0, 0.0, 1.0], 0.0),
        (Together, [1.0, 3.0, 1.0], [1.0, 0.0, -1.0], 1.0, [-1.0, 0.0, 1.0], 0.0),
        // The same at e: −e, 0, e.
        (Together, ones, [1.0, 0.0, -1.0], 0.25, [-0.25, 0.0, 0.25], 0.0),
        // 1 onto 3 at rest: (−½, ½). 3 at ½ onto 1 at −1: c = ⅛, so (−¼, 1¼). The first goes at −½, the
        // middle at −¼: they part.
        (OneByOne, [1.0, 3.0, 1.0], [1.0, 0.0, -1.0], 1.0, [-0.5, -0.25, 1.25], 0.0),
        // Only one contact closes at a time: m, 2m, 4m give 2/3 of the speed each time, 4/9 in the end.
        (Together, [1.0, 2.0, 4.0], [1.0, 0.0, 0.0], 1.0, [-1.0 / 3.0, -2.0 / 9.0, 4.0 / 9.0], EPS),
        // Against an infinite mass: the blow comes back.
        (Together, [1.0, 1.0, infinite], [1.0, 0.0, 0.0], 1.0, [-1.0, 0.0, 0.0], 0.0),
        // An infinite mass: each pass gives twice its speed to the first, which passes it on; in the end all
        // go at least as fast as it: 2, 2 and the last one.
        (Together, [infinite, 1.0, 1.0], [1.0, 0.0, 0.0], 1.0, [1.0, 2.0, 2.0], 0.0),
        // A tracer at the end: not felt, it leaves at twice the speed of the one that hits it.
        (Together, [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], 1.0, [0.0, 1.0, 2.0], 0.0),
    ] {
        let (mut w, ids) = row(rule, masses, before, e);
        let what = format!("{rule:?} {masses:?} {before:?} e {e}");
        assert_eq!(w.advance(0.0).unwrap().events, if rule == Together { 1 } else { 2 }, "{what}");
        for (is, should) in speeds(&w, &ids).iter().zip(after) {
            assert!((is - should).abs() <= slack, "{what}: {is} {should}");
        }
    }
    // A tracer hit from both sides by what does not give way has nowhere to go: they pass over it.
    let (mut w, ids) = row(Together, [infinite, 0.0, infinite], [1.0, 0.0, -1.0], 1.0);
    for seconds in [0.0, 9.0] {
        assert_eq!(w.advance(seconds).unwrap().end, StopReason::Reached);
        assert_eq!(speeds(&w, &ids), [1.0, 0.0, -1.0]);
    }
}

/// A disc that flies in a direction from this far onto two that touch, symmetrically: how many events that
/// are, and the velocities of the three.
fn onto_two(rule: Simultaneous, turn: DVec2, from: f64) -> (u64, [DVec2; 3]) {
    let mut w = world(rule);
    let striker = Disc::new(turn.rotate(at(-from, 0.0)), 0.5).with_velocity(turn);
    let [up, down] = [0.5, -0.5].map(|y| Disc::new(turn.rotate(at(0.0, y)), 0.5));
    let ids = [striker, up, down].map(|disc| w.insert(disc).unwrap());
    let events = w.advance(4.0).unwrap().events;
    (events, ids.map(|id| w.get(id).unwrap().velocity()))
}

/// With impulses j along the lines of centres at ±30°, equal masses: v = 1 − √3 j, u = j; restitution 1 along
/// each line: u − (√3/2) v = √3/2, so j = 2√3/5, and v = −1/5.
#[test]
fn one_onto_two() {
    let root = 3.0_f64.sqrt();
    let (events, [v, u, w]) = onto_two(Together, DVec2::X, 3.0);
    assert!(events == 1 && (v.x + 0.2).abs() < 1e-15 && v.y == 0.0, "{v}");
    assert!([u, w].into_iter().all(|u| (u.length() - 0.4 * root).abs() < 1e-15), "{u} {w}");
    // The mirror image, to the last bit.
    assert_eq!(u, at(w.x, -w.y));
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        // Turned, the two contacts need not come at the same bits of time; touching they are one group.
        let turn = DVec2::from_angle(rng.range(0.0, 7.0));
        let (events, [v, u, w]) = onto_two(Together, turn, root / 2.0);
        assert!(events == 1 && (v + turn * 0.2).length() < 4e-15, "{turn}: {v}");
        for (is, y) in [(u, 0.5), (w, -0.5)] {
            let expected = turn.rotate(at(root / 2.0, y)) * (0.4 * root);
            assert!((is - expected).length() < 4e-15, "{turn}: {is}");
        }
    }
    // One by one: the first is hit at 30°: it takes √3/2 along its line, the striker keeps (¼, ∓√3/4).
    // Against the second, at −30°, it then moves at √3/8 − (−√3/8) … = √3/4 along the line.
    let (_, found) = onto_two(OneByOne, DVec2::X, 3.0);
    let (n_up, n_down) = (at(root, 1.0) / 2.0, at(root, -1.0) / 2.0);
    let first = n_up * n_up.x;
    let rest = DVec2::X - first;
    let second = n_down * rest.dot(n_down);
    for (is, expected) in found.into_iter().zip([rest - second, first, second]) {
        assert!((is - expected).length() < 1e-14, "{is}");
    }
}

/// Four converge on a fifth: at e it stays where it is, to the last bit, and they go back at e times their
/// speed.
#[test]
fn four_onto_one() {
    for (radius, distance) in [(0.5, 3.0), (0.3, 7.7), (1e-3, 0.93), (1e-3, 7.3e3)] {
        for e in [1.0, 0.5, 0.0] {
            for diagonal in [false, true] {
                let mut w = world(Together);
                let disc = |p| Disc::new(p, radius).with_restitution(e);
                let middle = w.insert(disc(DVec2::ZERO)).unwrap();
                let from = if diagonal { at(1.0, 1.0) } else { at(1.0, 0.0) };
                let starts = [from, from.perp(), -from, -from.perp()];
                let ids = starts.map(|d| w.insert(disc(d * distance).with_velocity(-d)).unwrap());
                let end = w.advance(distance).unwrap();
                assert_eq!(end.events, 1, "radius {radius}, distance {distance}, e {e}: {:?}", w.events());
                assert_eq!(w.events().len(), 4);
                assert_eq!(w.get(middle).unwrap().velocity(), DVec2::ZERO);
                for (id, d) in ids.into_iter().zip(starts) {
                    assert!((w.get(id).unwrap().velocity() - d * e).length() <= 2.0 * EPS);
                }
            }
        }
    }
}

/// Cradles struck by 1 … 4 from one side and by others from the other side at the same moment: what comes in
/// on one side goes out on the other with the same speed, and the rest stay at exactly 0. Conservation of
/// momentum and energy alone would allow more; that the blow passes through one by one is the rule of the
/// passes. Discs are matched by their places alone.
#[test]
fn newtons_cradles() {
    let counts = (1..=8)
        .flat_map(|resting| (0..=4).flat_map(move |left| (0..=3).map(move |right| (resting, left, right))));
    for (resting, left, right) in counts.filter(|(_, left, right)| left + right > 0) {
        // The last radius and speed are not exact in binary.
        for (radius, speed) in [(0.5, 1.0), (0.25, 3.0), (0.028575, 7.3)] {
            for rule in [Together, OneByOne] {
                let mut w = world(rule);
                let n = left + resting + right;
                let insert = |i| {
                    let side = f64::from(i32::from(i >= left + resting) - i32::from(i < left));
                    let disc = Disc::new(at((2.0 * f64::from(i) + 4.0 * side) * radius, 0.0), radius);
                    w.insert(disc.with_velocity(at(-speed * side, 0.0))).unwrap()
                };
                let ids: Vec<_> = (0..n).map(insert).collect();
                assert_eq!(w.advance(10.0 * radius / speed).unwrap().end, StopReason::Reached);
                // The left-movers end on the left, as many as came from the right.
                let side = |i| i32::from(i >= n - left) - i32::from(i < right);
                let expected: Vec<_> = (0..n).map(|i| speed * f64::from(side(i))).collect();
                assert_eq!(speeds(&w, &ids), expected, "{left} | {resting} | {right}, {radius}, {rule:?}");
            }
        }
    }
}

/// Discs of random sizes grown from one another so that each touches at least one, with random velocities,
/// masses over some decades and restitutions.
fn cluster(rng: &mut Rng) -> Vec<Disc> {
    let n = 2 + rng.below(7);
    let decades = rng.pick(&[0.0, 1.0, 6.0]);
    let e_low = rng.pick(&[0.0, 0.5, 1.0]);
    let mut discs: Vec<Disc> = Vec::new();
    while discs.len() < n {
        let radius = rng.range(0.3, 1.0);
        let disc = match discs.len() {
            0 => Disc::new(rng.vector(2.0), radius),
            len => {
                let to = discs[rng.below(len)];
                let mut direction = DVec2::from_angle(rng.range(0.0, 7.0));
                // Often on a triangle or a row, so that contacts close in rings and lines.
                if rng.chance(50) {
                    direction = DVec2::from_angle(core::f64::consts::PI / 3.0 * rng.below(6) as f64);
                }
                let radius = if rng.chance(50) { to.radius } else { radius };
                Disc::new(to.position + direction * (to.radius + radius), radius)
            }
        };
        if discs
            .iter()
            .all(|other| other.position.distance(disc.position) > other.radius + disc.radius - 1e-15)
        {
            let mass = 10.0_f64.powf(rng.range(-decades, decades));
            discs.push(
                disc.with_mass(mass).with_velocity(rng.vector(1.0)).with_restitution(rng.range(e_low, 1.0)),
            );
        }
    }
    discs
}

/// In 10⁴ random touching clusters: energy never rises, momentum holds, and where discs touch none
/// approaches any more.
#[test]
fn random_clusters() {
    let mut rng = Rng::new(2);
    let (mut groups, mut rises, mut worst_approach) = (0, f64::NEG_INFINITY, 0.0_f64);
    let (mut joined, mut joined_elastic) = (0, 0);
    for case in 0..10_000 {
        let discs = cluster(&mut rng);
        let mut w = world(Together);
        let ids: Vec<DiscId> = discs.iter().map(|disc| w.insert(*disc).unwrap()).collect();
        let (energy, momentum) = (w.kinetic_energy(), w.momentum());
        let largest_mass = discs.iter().map(|disc| disc.mass).fold(0.0, f64::max);
        // One group at a time.
        if w.next_event().is_none_or(|next| next.time.as_secs() > 0.0) || w.step_event().events == 0 {
            continue;
        }
        groups += w.counters().groups;
        joined += usize::from(w.counters().ledger.collapse > 0.0);
        let elastic = discs.iter().all(|disc| disc.restitution == 1.0);
        if elastic && w.counters().ledger.collapse > 0.0 {
            // A light disc between heavy ones takes up to (π/2) √ratio passes (as in Galperin's billiard):
            // below a ratio of 10⁴ that is 157, short of the 256 after which a group is joined.
            let lightest = discs.iter().map(|disc| disc.mass).fold(f64::INFINITY, f64::min);
            assert!(largest_mass / lightest > 1e4, "case {case}: joined, though of like masses");
            joined_elastic += 1;
        }
        let scale = discs.iter().map(|disc| disc.velocity.length()).fold(0.0, f64::max);
        let fastest = ids.iter().map(|&id| w.get(id).unwrap().velocity().length()).fold(scale, f64::max);
        // The velocities are rounded once, at the end: half an ulp of each component of each disc.
        rises = f64::max(rises, w.kinetic_energy() / energy - 1.0);
        let change = (w.momentum() - momentum).length();
        assert!(change <= 16.0 * EPS * largest_mass * fastest, "case {case}: momentum off by {change:e}");
        for impact in w.events().iter().map(|event| *event.impact().unwrap()) {
            let approach = (impact.after[0] - impact.after[1]).dot(impact.normal);
            worst_approach = worst_approach.max(approach / (EPS * fastest));
            assert!(impact.impulse > 0.0);
        }
    }
    println!("{groups} groups, energy rises by at most {rises:e}, approach of {worst_approach} ulp");
    println!("{joined} joined, {joined_elastic} of them elastic");
    assert!(groups > 3000, "{groups} groups");
    // The rounding of up to 8 velocities: 8 · 2 · ½ ulp.
    assert!(rises <= 8.0 * EPS, "energy rises by {rises:e}");
    // Two velocities of two components, half an ulp each, and the rounding of the product here.
    assert!(worst_approach <= 4.0, "{worst_approach} ulp");
}

/// The same with walls: a disc in a corner hit by others, rows along walls. Energy never rises.
#[test]
fn clusters_in_corners() {
    let mut rng = Rng::new(3);
    let (mut groups, mut wall_contacts) = (0, 0);
    for case in 0..3000 {
        let mut w = world(Together);
        let e = rng.pick(&[1.0, 0.7, 0.0]);
        w.add_wall(Wall::container(DVec2::ZERO, at(10.0, 10.0)).with_restitution(e)).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let disc = Disc::new(at(0.5 + f64::from(i), 0.5 + f64::from(j)), 0.5);
                let velocity = if i + j == 0 || rng.chance(40) { rng.vector(1.0) } else { DVec2::ZERO };
                let mass = rng.pick(&[1.0, 1.0, 5.0, 0.01]);
                w.insert(disc.with_mass(mass).with_velocity(velocity).with_restitution(e)).unwrap();
            }
        }
        let mut energy = w.kinetic_energy();
        for _ in 0..4 {
            w.step_event();
            let now = w.kinetic_energy();
            assert!(now <= energy * (1.0 + 16.0 * EPS), "case {case}: {energy} {now}");
            energy = now;
            for (_, disc) in w.discs() {
                let low = disc.position.min_element() - disc.radius;
                assert!(low > -1e-14, "case {case}");
            }
        }
        groups += w.counters().groups;
        wall_contacts += w.counters().wall_impacts;
    }
    println!("{groups} groups, {wall_contacts} contacts with walls");
    assert!(groups > 3000 && wall_contacts > 3000);
    // A disc in a corner that is hit along the diagonal sends the other one straight back: by the walls' two
    // contacts it is as good as infinite in that direction.
    let mut w = world(Together);
    w.add_wall(Wall::container(DVec2::ZERO, at(10.0, 10.0))).unwrap();
    let corner = w.insert(Disc::new(at(0.5, 0.5), 0.5)).unwrap();
    let striker = w.insert(Disc::new(at(3.0, 3.0), 0.5).with_velocity(at(-1.0, -1.0))).unwrap();
    w.advance(3.0).unwrap();
    assert_eq!(w.get(corner).unwrap().velocity(), DVec2::ZERO);
    assert!((w.get(striker).unwrap().velocity() - at(1.0, 1.0)).length() < 4.0 * EPS);
}

/// The discs of a touching hexagonal patch nearest to its middle.
fn patch(n: usize) -> Vec<DVec2> {
    let rows = -20..=20;
    let columns = rows.clone();
    let place = |i: i32, j: i32| at(f64::from(j) + 0.5 * f64::from(i & 1), f64::from(i) * 0.75_f64.sqrt());
    let mut places: Vec<DVec2> =
        rows.flat_map(|i| columns.clone().map(move |j| (i, j))).map(|(i, j)| place(i, j)).collect();
    places.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    places.truncate(n);
    places
}

/// A plastic blow to a thousand touching discs, most of whose contacts are redundant: nothing approaches
/// after it, and those nearest to the blow move on faster than those behind. One common velocity, which
/// would be the last resort, has 1/1001 of the energy.
#[test]
fn a_plastic_blow_to_a_large_patch() {
    for turn in [0.0, 0.4] {
        let turn = DVec2::from_angle(turn);
        let mut w = world(Together);
        for place in patch(1000) {
            w.insert(Disc::new(turn.rotate(place), 0.5).with_restitution(0.0)).unwrap();
        }
        let striker = Disc::new(turn.rotate(at(20.0, 0.1)), 0.5).with_restitution(0.0);
        w.insert(striker.with_velocity(turn * -3.0)).unwrap();
        assert_eq!(w.step_event().events, 1);
        assert!(w.events().len() > 2000, "{} contacts", w.events().len());
        let fraction = w.kinetic_energy() / 4.5;
        assert!(fraction > 0.1, "turned by {turn}: {fraction} of the energy");
        assert!(w.counters().ledger.collapse < 0.02 * 4.5, "{}", w.counters().ledger.collapse);
        assert!((w.momentum() - turn * -3.0).length() <= 64.0 * EPS, "{}", w.momentum());
        for impact in w.events().iter().map(|event| *event.impact().unwrap()) {
            let approach = (impact.after[0] - impact.after[1]).dot(impact.normal);
            // Contacts that depend on each other contradict each other by the rounding of their normals.
            assert!(approach <= 16.0 * EPS, "turned by {turn}: approach of {approach:e}");
        }
    }
}
