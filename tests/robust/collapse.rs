//! Inelastic collapse: infinitely many impacts in a finite time. With the rule against it `advance` gets past
//! in a few; what is short of a collapse keeps its every impact.

use carom_engine::{Collapse, DVec2, Disc, Event, Settings, Simultaneous, StopReason, Wall, World};
use core::f64::consts::PI;

use crate::common::record::deepest_overlap;
use crate::common::rng::{Rng, cases};
use carom_testkit::at;

const BOTH: [Simultaneous; 2] = [Simultaneous::Together, Simultaneous::OneByOne];
/// More than any of the scenes needs, and little time.
const BUDGET: u64 = 20_000;

fn world(simultaneous: Simultaneous, collapse: Option<Collapse>) -> World {
    World::with_settings(
        Settings::default().with_simultaneous(simultaneous).with_collapse(collapse).with_budget(BUDGET),
    )
    .unwrap()
}

fn on() -> Option<Collapse> {
    Some(Collapse::default())
}

/// Equal discs on the x axis with these gaps between them, all of restitution `e`.
fn line(world: &mut World, gap: f64, speeds: &[f64], e: f64) {
    for (i, &speed) in (0..).zip(speeds) {
        let disc = Disc::new(at(f64::from(i) * (1.0 + gap), 0.0), 0.5);
        world.insert(disc.with_velocity(at(speed, 0.0)).with_restitution(e)).unwrap();
    }
}

fn velocities(world: &World) -> Vec<DVec2> {
    world.discs().map(|(_, disc)| disc.velocity).collect()
}

/// Advances, and checks what always holds: energy does not rise, and what is lost is at least what the rule
/// took.
fn advance(world: &mut World, dt: f64, what: &str) -> StopReason {
    let (energy, taken) = (world.kinetic_energy(), world.counters().ledger.collapse);
    let end = world.advance(dt).unwrap();
    let lost = energy - world.kinetic_energy();
    // Each impact rounds by ulps.
    let rounding = 1e-15 * energy * (end.events as f64 + 10.0);
    let taken = world.counters().ledger.collapse - taken;
    assert!(taken >= -rounding && taken <= lost + rounding, "{what}: took {taken}, lost {lost}");
    end.end
}

/// McNamara and Young, Phys. Fluids A 4 (1992) 496: three equal discs on a line collide infinitely often for
/// e < 7 − 4√3 = 0.0718. Above, for velocities (1, 0, 0): 3 times for e = 0.2, 6 for 0.1, 10 for 0.08.
#[test]
fn three_on_a_line() {
    for simultaneous in BOTH {
        for (e, count) in [(0.2, 3), (0.1, 6), (0.08, 10)] {
            let mut final_velocities = Vec::new();
            for collapse in [on(), None] {
                let mut w = world(simultaneous, collapse);
                line(&mut w, 2.0, &[1.0, 0.0, 0.0], e);
                assert_eq!(advance(&mut w, 1e4, "above"), StopReason::Reached);
                assert_eq!(
                    (w.events().len(), w.counters().made_plastic),
                    (count, 0),
                    "e = {e}, {simultaneous:?}"
                );
                final_velocities.push(velocities(&w));
            }
            assert_eq!(final_velocities[0], final_velocities[1]);
        }
        for e in [0.0717, 0.05, 0.01, 0.0] {
            let mut w = world(simultaneous, on());
            line(&mut w, 2.0, &[1.0, 0.0, 0.0], e);
            assert_eq!(advance(&mut w, 1e4, "below"), StopReason::Reached, "e = {e}, {simultaneous:?}");
            // In a collapse all relative motion is lost: they go on together, each with a third.
            for velocity in velocities(&w) {
                assert!((velocity.x - 1.0 / 3.0).abs() < 1e-12, "e = {e}, {simultaneous:?}: {velocity}");
            }
            assert!((w.momentum() - DVec2::X).length() < 1e-13);
            assert!(deepest_overlap(&w) < 1e-11, "e = {e}: {}", deepest_overlap(&w));
        }
    }
}

/// Columns of N that fall onto a wall collapse for e below tan²(π/4 (1 − 1/N)) (Bernu and Mazighi, J. Phys. A
/// 23 (1990) 5745), and come to rest at it.
#[test]
fn columns_against_a_wall() {
    for simultaneous in BOTH {
        for n in [2, 5, 20] {
            let limit = (PI / 4.0 * (1.0 - 1.0 / f64::from(n))).tan().powi(2);
            for e in [limit * 0.9, limit * 0.5, 0.0] {
                for gap in [0.0, 0.3] {
                    let what = format!("column of {n}, e = {e:.3}, gap {gap}, {simultaneous:?}");
                    let mut w = world(simultaneous, on());
                    w.add_wall(Wall::half_plane(at(-0.5, 0.0), DVec2::X).with_restitution(e)).unwrap();
                    line(&mut w, gap, &vec![-1.0; n as usize], e);
                    for _ in 0..4 {
                        assert_eq!(advance(&mut w, 25.0, &what), StopReason::Reached, "{what}");
                    }
                    for (_, disc) in w.discs() {
                        assert!(disc.position.x > -1e-11, "{what}: in the wall: {disc:?}");
                    }
                    assert!(deepest_overlap(&w) < 1e-10, "{what}: {}", deepest_overlap(&w));
                    // It has collapsed, unless the fall was resolved as one blow, which lets all bounce
                    // alike.
                    let rest = velocities(&w).iter().all(|v| v.length() < 1e-9);
                    assert!(rest || w.counters().made_plastic == 0, "{what}");
                }
            }
        }
    }
}

/// The rule of Luding and McNamara acts from the second impact on and so changes what is no collapse: a
/// touching row hit at e = 0.2 comes out (0, 0.4, 0.6) with theirs (elastic within the contact time), and as
/// one with ours set to act as early, not (0.304, 0.336, 0.36). After 32 in a row it leaves the row alone.
#[test]
fn a_touching_row_is_no_collapse() {
    // One by one, with the gap of a rounding, so that each impact is by itself.
    let (bounced, joined) = ([0.304, 0.336, 0.36], [1.0 / 3.0; 3]);
    let at_once = Some(Collapse::new(1e-9, 1));
    for (collapse, row, joins) in [(on(), bounced, false), (None, bounced, false), (at_once, joined, true)] {
        let mut w = world(Simultaneous::OneByOne, collapse);
        line(&mut w, 1e-13, &[0.0; 3], 0.2);
        let striker = w.ids().next().unwrap();
        w.set_velocity(striker, DVec2::X).unwrap();
        assert_eq!(w.advance(1.0).unwrap().end, StopReason::Reached);
        let velocities = velocities(&w);
        for (velocity, expected) in velocities.iter().zip(row) {
            assert!((velocity.x - expected).abs() < 1e-15, "{velocities:?}");
        }
        assert_eq!(w.counters().made_plastic > 0, joins);
    }
}

/// Fast elastic impacts are none of its business: Galperin's billiard with a mass ratio of 100⁴ has 31415
/// impacts, the densest 10⁻⁸ s apart, and keeps them even for a contact time of a second.
#[test]
fn elastic_impacts_are_never_joined() {
    let long = Some(Collapse::new(1.0, 1));
    let mut w = World::with_settings(Settings::default().with_collapse(long)).unwrap();
    w.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X)).unwrap();
    w.insert(Disc::new(at(1.0, 0.0), 0.25)).unwrap();
    w.insert(Disc::new(at(2.0, 0.0), 0.25).with_mass(1e8).with_velocity(-DVec2::X)).unwrap();
    let end = w.advance(1e3).unwrap();
    assert_eq!((end.end, end.events, w.counters().made_plastic), (StopReason::Reached, 31415, 0));
}

/// A row of impacts ends with a pause or an edit; only what goes on for 32 is joined.
#[test]
fn a_row_ends_with_a_pause() {
    // Between two walls: an impact every 0.25 s and more, slower with each. Edited after every 20 there is no
    // row of 32.
    for (contact_time, rows, impacts, joins) in
        [(1e-3, 1, 40, false), (100.0, 1, 40, true), (100.0, 5, 20, false)]
    {
        let mut w = world(Simultaneous::Together, Some(Collapse::new(contact_time, 32)));
        w.add_wall(Wall::container(at(-1.0, -9.0), at(1.0, 9.0))).unwrap();
        let ball = Disc::new(DVec2::ZERO, 0.75).with_restitution(0.9);
        let id = w.insert(ball).unwrap();
        for _ in 0..rows {
            w.set_velocity(id, at(2.0, 0.1)).unwrap();
            (0..impacts).for_each(|_| _ = w.step_event());
        }
        let (joined, velocity) = (w.counters().made_plastic > 0, w.get(id).unwrap().velocity());
        assert!(joined == joins && (velocity.x == 0.0) == joins, "{rows} rows of {impacts}: {velocity}");
    }
}

/// A granular gas cools into clusters: N = 1000, e = 0.5, packing 0.3, 10³ impacts a disc. `advance` gets
/// there, energy never rises, no discs overlap. Goldhirsch and Zanetti, Phys. Rev. Lett. 70 (1993) 1619.
#[test]
fn a_cooling_gas() {
    let sizes: &[usize] = if cases(1) > 1 { &[200, 1000] } else { &[200] };
    for simultaneous in BOTH {
        for &n in sizes {
            let mut rng = Rng::new(1);
            let settings = Settings::default()
                .with_simultaneous(simultaneous)
                .with_budget(10_000)
                .with_record_events(false);
            let mut w = World::with_settings(settings).unwrap();
            let side = (n as f64 * PI * 0.25 / 0.3).sqrt();
            w.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side)).with_restitution(0.5)).unwrap();
            while w.len() < n {
                let place = at(rng.range(0.5, side - 0.5), rng.range(0.5, side - 0.5));
                let disc = Disc::new(place, 0.5).with_velocity(rng.vector(1.0)).with_restitution(0.5);
                let _ = w.insert(disc);
            }
            while w.counters().disc_impacts < 500 * n as u64 && w.now().as_secs() < 1e6 {
                let before = w.now();
                let end = advance(&mut w, 1e6, "cooling gas");
                assert!(end == StopReason::Reached || w.now() > before, "stands still at {before:?}");
                assert!(matches!(end, StopReason::Reached | StopReason::OutOfBudget), "{end:?}");
            }
            println!("N = {n}, {simultaneous:?}: {:.1} s, {:?}", w.now().as_secs(), w.counters());
            assert!(deepest_overlap(&w) < 1e-10, "{}", deepest_overlap(&w));
            w.assert_well_formed();
        }
    }
}

/// Overlapping discs, elastic or not, with tracers, infinite masses and walls among them, in a world without
/// events yet.
fn overlapping_heap(rng: &mut Rng) -> World {
    let mut w = world(Simultaneous::Together, on());
    if rng.chance(50) {
        w.add_wall(Wall::container(at(-5.0, -5.0), at(5.0, 5.0))).unwrap();
    }
    let masses: &[f64] =
        if rng.chance(50) { &[1.0, 1.0, 1e-3, 5.0] } else { &[1.0, 5.0, 0.0, f64::INFINITY] };
    for _ in 0..2 + rng.below(24) {
        let (radius, spread) = (rng.pick(&[0.0, 0.5, 0.5, 0.01, 1.2]), rng.pick(&[4.0, 1.0]));
        let disc = Disc::new(rng.vector(spread), radius).with_velocity(rng.vector(2.0));
        let e = rng.pick(&[1.0, 1.0, 0.5]);
        w.insert(disc.with_mass(rng.pick(masses)).with_restitution(e).with_overlap()).unwrap();
    }
    w
}

/// In heaps of overlapping discs some part while others approach: at one instant they would meet for ever,
/// those between infinite masses ever faster. The world gets on, or is crushed. In heap 2140 infinite masses
/// gave way in two groups of one instant, and each of the first went on at once, as one of the second had
/// given way.
#[test]
fn overlapping_heaps() {
    let mut rng = Rng::new(11);
    let (mut crushed, mut joined) = (0, 0);
    for case in 0..cases(300).max(2141) {
        let mut w = overlapping_heap(&mut rng);
        if case >= cases(300) && case != 2140 {
            continue;
        }
        for _ in 0..5 {
            let before = w.now();
            let end = w.advance(0.1).unwrap();
            let stands_still = end.end == StopReason::OutOfBudget && w.now() == before;
            assert!(!stands_still, "case {case}: {end:?} {:?}", w.counters());
            assert!(matches!(end.end, StopReason::Reached | StopReason::OutOfBudget), "case {case}: {end:?}");
            crushed += w.events().iter().filter(|event| matches!(event, Event::Crushed { .. })).count();
        }
        joined += u64::from(w.counters().made_plastic > 0);
        w.assert_well_formed();
    }
    println!("{joined} heaps were joined, something crushed {crushed} times");
    // Most end as groups of all that overlap, without the rule.
    assert!(joined >= 3 && crushed >= 100, "{joined} {crushed}");
}
