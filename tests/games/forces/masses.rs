//! Tracers and infinite masses among discs that accelerate, on round places: what touches, is tangent, fits a
//! gap exactly or is pinched.

use crate::common::by::By;
use crate::common::record::state_bits;
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscForces, DiscId, Event, Forces, Settings, Wall, World};
use std::collections::HashSet;

/// Half the side of the box.
const HALF: f64 = 4.0;

/// A box of up to fourteen discs on a lattice, some of them tracers and some of infinite mass, which nothing
/// but walls deflects; under gravity, askew, without, or on a ground with friction.
fn lattice(by: By, seed: u64) -> World<Forces> {
    let rng = &mut Rng::new(seed);
    let has_friction = rng.chance(30);
    let pull = if has_friction { DVec2::ZERO } else { rng.pick(&[-DVec2::Y, DVec2::new(1.0, -1.0)]) };
    let e = rng.pick(&[0.0, 0.3, 0.5, 0.8]);
    let forces = Forces::new().with_gravity(pull).unwrap().with_weight(9.81).unwrap();
    let mut world =
        World::with_physics(forces, by.settings(Settings::default().with_budget(50_000))).unwrap();
    let corner = DVec2::splat(HALF);
    world.add_wall(Wall::container(-corner, corner).with_restitution(e)).unwrap();
    if rng.chance(50) {
        world.add_wall(Wall::segment([-2.0, -3.0], [2.0, -3.0]).with_restitution(e)).unwrap();
    }
    for _ in 0..1 + rng.below(14) {
        let place = DVec2::new(rng.below(15) as f64 - 7.0, rng.below(15) as f64 - 7.0) * 0.5;
        let velocity = DVec2::new(rng.below(5) as f64 - 2.0, rng.below(5) as f64 - 2.0);
        let mass = rng.pick(&[1.0, 1.0, 4.0, 0.0, f64::INFINITY]);
        let mut body = DiscForces::default();
        if mass == f64::INFINITY {
            body.gravity_scale = 0.0;
        } else if has_friction {
            body.friction = rng.pick(&[0.0, 0.1, 0.5]);
        }
        let disc = Disc::new(place, rng.pick(&[0.25, 0.5, 0.3, 0.125])).with_velocity(velocity);
        // Those that would overlap are left out.
        _ = world.insert(disc.with_mass(mass).with_restitution(e).with_body(body));
    }
    world
}

/// Advances a frame. Notes the tracers over which something passes.
fn advance(world: &mut World<Forces>, dt: f64, passed: &mut HashSet<DiscId>) {
    let mut note = |event: &Event<_>| {
        if let Event::Crushed { body, .. } = event {
            passed.insert(*body);
        }
    };
    let report = world.advance_with(dt, &mut note).unwrap();
    assert_eq!(report.end, carom_engine::StopReason::Reached);
}

/// The deepest overlap of two discs that collide and of which none passes over the other.
fn deepest(world: &World<Forces>, passed: &HashSet<DiscId>) -> f64 {
    let discs: Vec<_> = world.discs().collect();
    let mut deepest = 0.0_f64;
    for (k, (id, p)) in discs.iter().enumerate() {
        for (other, q) in &discs[..k] {
            let is_inert = p.mass == q.mass && (p.mass == 0.0 || p.mass == f64::INFINITY);
            if !is_inert && !passed.contains(id) && !passed.contains(other) {
                deepest = deepest.max(p.radius + q.radius - (p.position - q.position).length());
            }
        }
    }
    deepest
}

/// Laws 1, 5 and 8: table and grid have the same bits, nothing overlaps by more than what held contacts may,
/// nothing leaves the box, every call ends where it should, and the ledger closes.
#[test]
fn tracers_and_infinite_masses_among_discs_at_rest() {
    let mut held = 0;
    for seed in 0..cases(120) {
        let (mut table, mut grid) = (lattice(By::Table, seed), lattice(By::Grid, seed));
        println!("seed {seed}");
        let (mut passed, mut scale) = (HashSet::new(), 1.0_f64);
        for frame in 0..12 {
            let dt = [0.1, 0.5, 1.0, 1.0 / 60.0][frame % 4];
            advance(&mut table, dt, &mut passed);
            advance(&mut grid, dt, &mut HashSet::new());
            assert!(state_bits(&table) == state_bits(&grid), "seed {seed}, frame {frame}");
            let overlap = deepest(&table, &passed);
            assert!(overlap <= 1e-9, "seed {seed}, frame {frame}: overlap {overlap:e}");
            for (id, disc) in table.discs().filter(|(_, disc)| disc.mass < f64::INFINITY) {
                let outside = disc.position.abs().max_element() + disc.radius - HALF;
                assert!(outside <= 1e-9, "seed {seed}, frame {frame}: {id} is outside by {outside:e}");
            }
            let kinetic = table.kinetic_energy();
            scale = scale.max(kinetic).max(table.ledger().work.abs());
            let off = (table.ledger().total - kinetic).abs();
            assert!(off <= 1e-12 * scale, "seed {seed}, frame {frame}: ledger off by {off:e}");
        }
        held += table.ids().filter(|&id| table.held_to(id).next().is_some()).count();
    }
    assert!(held > 100, "{held} discs at rest");
}

/// Law 8: what an edit at the instant of an event leaves touching is settled among the neighbours that the
/// discs have then.
#[test]
fn schedulers_agree_where_edits_follow_events_at_once() {
    let mut edits = 0;
    for seed in 0..cases(60) {
        let (mut table, mut grid) = (lattice(By::Table, seed), lattice(By::Grid, seed));
        let rng = &mut Rng::new(seed + 1000);
        for step in 0..60 {
            table.step_event();
            grid.step_event();
            let ids: Vec<DiscId> = table.ids().collect();
            if !ids.is_empty() && rng.chance(40) {
                let (id, kind, v) = (rng.pick(&ids), rng.below(5), rng.vector(2.0));
                let place = DVec2::new(rng.below(15) as f64 - 7.0, rng.below(15) as f64 - 7.0) * 0.5;
                edit(&mut table, id, kind, v, place);
                edit(&mut grid, id, kind, v, place);
                edits += 1;
            }
            let what = || format!("seed {seed}, step {step}");
            assert!(table.next_event() == grid.next_event(), "{}: next event", what());
            assert!(state_bits(&table) == state_bits(&grid), "{}: states", what());
        }
    }
    assert!(edits > 500, "{edits} edits");
}

fn edit(world: &mut World<Forces>, id: DiscId, kind: usize, v: DVec2, place: DVec2) {
    match kind {
        0 => world.set_velocity(id, v).unwrap(),
        1 => world.set_velocity(id, DVec2::ZERO).unwrap(),
        // Which is refused where something is.
        2 | 3 => _ = world.set_position(id, place),
        _ if world.get(id).unwrap().mass() > 0.0 => world.set_mass(id, 2.0).unwrap(),
        _ => drop(world.remove(id).unwrap()),
    }
}
