//! The kinetic energy is what the ledger says that it is, in worlds in which all that changes it happens.

use carom_engine::math::eft::DoubleDouble as Dd;
use carom_engine::{DVec2, Disc, DiscId, Physics, Settings, Simultaneous, Wall, World};
use std::collections::BTreeMap;

use crate::common::rng::{Rng, cases};
use crate::common::toys::{Extra, Laws, Toy};
use carom_testkit::at;

/// By a speed, along and across the normal.
fn push(e: f64, speed: f64) -> [f64; 2] {
    match e {
        0.6 => [0.0, 0.3 * speed],
        0.4 => [-0.5 * speed, -0.2 * speed],
        0.2 => [1e16, 0.0],
        _ => [0.0; 2],
    }
}

/// A physics that changes energy at impacts of discs whose restitutions combine to 0.7 (kicks), 0.6 (a
/// tangential push), 0.4 (pulled together, so that the engine looks again) and 0.2 (beyond the largest
/// speed); and between impacts: the amount is the time to the next change of motion.
const LIVELY: Laws = Laws {
    restitution: |_, approach| if approach.combined == 0.7 { 1.5 } else { approach.combined },
    evolve: |_, _, state, dt| Extra::amount(state.extra.amount - dt),
    next_change: |_, _, state| (state.extra.amount > 0.0).then_some((state.extra.amount, 0)),
    change: |_, _, _, state| (state.velocity, state.extra.amount) = (state.velocity * 0.75, 1.25),
    wall: |_, contact, _, _, a| {
        let [along, across] = push(contact.restitution, contact.approach_speed);
        a.velocity += contact.normal.perp() * across - contact.normal * along;
    },
    pair: |_, contact, [of_a, of_b], a, b| {
        let [along, across] = push(contact.restitution, contact.approach_speed);
        let push = contact.normal * along + contact.normal.perp() * across;
        let share = |mass: f64| if mass < f64::INFINITY { 1.0 } else { 0.0 };
        a.velocity -= push * share(of_a.mass);
        b.velocity += push * share(of_b.mass);
    },
    ..Laws::NONE
};

/// Kinetic energy, in double-double.
fn energy_of<P: Physics>(world: &World<P>) -> f64 {
    let discs = world.discs().filter(|(_, disc)| disc.mass < f64::INFINITY);
    let energy = discs.fold(Dd::ZERO, |sum, (_, disc)| {
        let DVec2 { x, y } = disc.velocity;
        sum + (Dd::product(x, x) + Dd::product(y, y)) * Dd::from(0.5 * disc.mass)
    });
    energy.to_f64()
}

/// A world, and the largest energy that it has had.
struct Watched<P: Physics> {
    world: World<P>,
    most: f64,
}

impl<P: Physics> Watched<P> {
    fn new(world: World<P>) -> Self {
        Watched { world, most: 0.0 }
    }

    /// Advances event by event, by at most this many, to see all energies that there are.
    fn advance(&mut self, dt: f64, events: u32) {
        let until = self.world.now().as_secs() + dt;
        for _ in 0..events {
            if self.world.next_event().is_none_or(|next| next.time.as_secs() > until) {
                self.world.advance_to(until).unwrap();
                return;
            }
            self.world.step_event();
            self.most = self.most.max(energy_of(&self.world));
        }
    }

    /// Checks the law; returns by how much it is off, of the largest energy.
    fn check(&mut self, case: u64, after: &str) -> f64 {
        let (energy, ledger) = (energy_of(&self.world), self.world.counters().ledger);
        self.most = self.most.max(energy);
        // Impacts round energies by ulps of themselves, and so they do to what comes and goes with them.
        let turnover: f64 = ledger.entries().map(|(_, added)| added.abs()).sum();
        let scale = self.most.max(1e-3 * turnover).max(f64::MIN_POSITIVE);
        let off = (energy - ledger.total).abs() / scale;
        assert!(off <= 1e-12, "case {case}, after {after}: off by {off:e} of {:e}: {ledger:#?}", self.most);
        off
    }
}

fn edit(rng: &mut Rng, world: &mut World<Toy>, ids: &mut Vec<DiscId>) {
    let disc = Disc::new(rng.vector(7.0), 0.5).with_velocity(rng.vector(1.0)).with_overlap();
    let k = rng.below(ids.len());
    match rng.below(7) {
        0 => drop(world.set_velocity(ids[k], rng.vector(2.0))),
        1 => drop(world.set_mass(ids[k], rng.pick(&[0.0, 0.5, 3.0, f64::INFINITY]))),
        2 => drop(world.remove(ids.swap_remove(k))),
        3 => ids.extend(world.insert(disc)),
        4 => world.scale_velocities(rng.range(0.5, 1.5)).unwrap_or(()),
        5 => drop(world.apply_impulse(ids[k], rng.vector(2.0))),
        _ => drop(world.separate_overlaps(1.0)),
    }
    if ids.is_empty() {
        ids.extend(world.insert(disc));
    }
}

const RESTITUTIONS: [f64; 9] = [1.0, 1.0, 0.0, 0.9, 0.5, 0.7, 0.6, 0.4, 0.2];

/// A room of touching and flying discs, some unstoppable, some without mass, in walls that are straight or
/// round.
fn lively_room(rng: &mut Rng) -> (World<Toy>, Vec<DiscId>) {
    let mut settings = Settings::default();
    if rng.chance(20) {
        settings = settings.with_simultaneous(Simultaneous::OneByOne);
    }
    let mut world = World::with_physics(Toy::of(&LIVELY), settings).unwrap();
    // Most worlds have one restitution or two; that beyond the largest speed is for a few.
    let known = if rng.chance(5) { 9 } else { 8 };
    let e = [0; 2].map(|_| RESTITUTIONS[rng.below(known)]);
    let is_round = rng.chance(40);
    let room = if is_round {
        Wall::circle(at(0.0, 0.0), 9.0)
    } else {
        Wall::container(at(-8.0, -8.0), at(8.0, 8.0))
    };
    world.add_wall(room.with_restitution(e[0])).unwrap();
    let mut ids = Vec::new();
    for _ in 0..18 {
        let mass = rng.pick(&[1.0, 1.0, 1.0, 2.5, 1e-3, f64::INFINITY, 0.0]);
        let place = at(rng.below(8) as f64 * 2.0 - 7.0, rng.below(8) as f64 * 2.0 - 7.0);
        let velocity = at(rng.pick(&[0.0, 1.0, -1.0]), rng.pick(&[0.0, 0.5, -1.0]));
        let velocity = if rng.chance(50) { velocity } else { rng.vector(2.0) };
        let disc =
            Disc::new(place, 1.0).with_mass(mass).with_velocity(velocity).with_restitution(rng.pick(&e));
        let changes = if rng.chance(20) { rng.range(0.1, 3.0) } else { 0.0 };
        ids.extend(world.insert(disc.with_extra(Extra::amount(changes))));
    }
    if !is_round && rng.chance(30) {
        world.set_growth(rng.range(0.0, 0.2)).unwrap();
    }
    (world, ids)
}

#[test]
fn energy_is_what_the_ledger_says() {
    let mut rng = Rng::new(21);
    // How many worlds each entry is not 0 in.
    let (mut seen, mut worst) = (BTreeMap::new(), 0.0_f64);
    for case in 0..cases(500) {
        let (world, mut ids) = lively_room(&mut rng);
        let mut watched = Watched::new(world);
        watched.check(case, "insertion");
        for _ in 0..6 {
            watched.advance(rng.range(0.1, 1.5), 400);
            worst = worst.max(watched.check(case, "a call"));
            edit(&mut rng, &mut watched.world, &mut ids);
            worst = worst.max(watched.check(case, "an edit"));
        }
        for (entry, value) in watched.world.ledger().entries() {
            *seen.entry(entry).or_insert(0) += u32::from(value != 0.0);
        }
    }
    println!("off by at most {worst:e}; worlds with an entry: {seen:?}");
    // Entries of discs that accelerate, see `forces`, that rub, and that slow down, see `drag`.
    let elsewhere = ["forces", "rest", "held", "friction", "drag"];
    assert!(seen.iter().all(|(entry, &worlds)| worlds >= 10 || elsewhere.contains(entry)), "{seen:?}");
}

/// An inelastic gas about a disc of infinite mass that moves, heated whenever it has cooled by half: the
/// energy that comes and goes is tens of thousands of times that which is there.
#[test]
fn the_ledger_closes_over_a_million_events() {
    let mut rng = Rng::new(22);
    let mut world =
        World::with_settings(Settings::default().with_budget(10_000).with_record_events(false)).unwrap();
    world.add_wall(Wall::container(at(-10.0, -10.0), at(10.0, 10.0)).with_restitution(0.8)).unwrap();
    for k in 0..60 {
        let mass = if k == 0 { f64::INFINITY } else { rng.range(0.5, 2.0) };
        let velocity = if k == 0 { at(0.5, 0.3) } else { rng.vector(1.0) };
        let place = at(f64::from(k % 8) * 2.4 - 8.4, f64::from(k / 8) * 2.4 - 8.4);
        let disc = Disc::new(place, 0.9).with_mass(mass).with_velocity(velocity);
        world.insert(disc.with_restitution(0.8)).unwrap();
    }
    let start = world.kinetic_energy();
    let mut watched = Watched::new(world);
    let mut worst = watched.check(0, "insertion");
    while watched.world.counters().events < 1_000_000 {
        watched.world.advance(0.3).unwrap();
        worst = worst.max(watched.check(0, "a call"));
        let energy = watched.world.kinetic_energy();
        if energy < 0.5 * start {
            watched.world.scale_velocities((start / energy).sqrt()).unwrap();
        }
    }
    let ledger = watched.world.counters().ledger;
    println!("off by at most {worst:e}: {ledger:?}");
    assert!(ledger.restitution > 1e4 * start, "{ledger:?}");
}

/// What impacts of finite masses take is −½ Σ λ(D′₋ + D′₊), from the events alone.
#[test]
fn losses_are_those_of_the_impulses() {
    let mut rng = Rng::new(23);
    let (mut groups, mut worst) = (0, 0.0_f64);
    for case in 0..cases(300) {
        let mut world =
            World::with_settings(Settings::default().with_budget(300).with_sliding(None)).unwrap();
        let e = rng.pick(&[0.0, 0.3, 0.8, 1.0]);
        world.add_wall(Wall::container(at(-8.0, -8.0), at(8.0, 8.0)).with_restitution(e)).unwrap();
        for _ in 0..30 {
            let mass = if rng.chance(10) { f64::INFINITY } else { rng.range(0.2, 3.0) };
            let place = at(rng.below(8) as f64 * 2.0 - 7.0, rng.below(8) as f64 * 2.0 - 7.0);
            let velocity = if mass < f64::INFINITY { rng.vector(2.0) } else { DVec2::ZERO };
            let _ = world
                .insert(Disc::new(place, 1.0).with_mass(mass).with_velocity(velocity).with_restitution(e));
        }
        let start = world.kinetic_energy();
        world.advance(2.0).unwrap();
        let impacts = || world.events().iter().filter_map(|event| event.impact());
        let opening = |normal: DVec2, [a, b]: [DVec2; 2]| (b - a).dot(normal);
        let lost: f64 = impacts()
            .map(|impact| {
                let [before, after] = [impact.before, impact.after].map(|two| opening(impact.normal, two));
                -0.5 * impact.impulse * (before + after)
            })
            .sum();
        // What is summed up there, without its cancellation: rounding is a part of it.
        let summed: f64 = impacts()
            .map(|impact| {
                let speeds: f64 = [impact.before, impact.after].iter().flatten().map(|v| v.length()).sum();
                impact.impulse.abs() * speeds
            })
            .sum();
        let ledger = world.counters().ledger;
        let off = (lost - ledger.restitution - ledger.collapse).abs() / (start + summed);
        assert!(off <= 2e-15, "case {case}: {off:e} {lost} of {start}: {ledger:#?}");
        assert!(ledger.restitution > 0.0 || e == 1.0);
        (groups, worst) = (groups + world.counters().groups, worst.max(off));
    }
    println!("{groups} groups, off by at most {worst:e}");
    assert!(groups > 500);
}
