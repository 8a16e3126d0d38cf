//! Queries: against formulas of their own, one scheduler against the other, and what they refuse.

mod casts;
mod rays;
mod refused;
mod schedulers;
mod sets;

use crate::common::by::By;
use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, DiscForces, Forces, Physics, Settings, Wall, World};

/// Some walls of every kind around and in a box of half-width 20.
fn walls<S: Copy + Default>(rng: &mut Rng) -> Vec<Wall<S>> {
    let mut walls = vec![Wall::container([-20.0, -20.0], [20.0, 20.0])];
    for _ in 0..rng.pick(&[0, 1, 3, 6, 40]) {
        let at = rng.vector(15.0);
        walls.push(match rng.below(7) {
            0 => Wall::segment(at, at + rng.vector(5.0) + DVec2::X * 0.1),
            1 => Wall::one_sided_segment(at, at + rng.vector(5.0) + DVec2::X * 0.1),
            2 => Wall::disc(at, rng.range(0.1, 2.0)),
            3 => Wall::arc(at, rng.range(0.5, 4.0), rng.range(0.0, 6.0), rng.range(0.3, 6.2)),
            4 => Wall::rectangle(at, at + DVec2::new(rng.range(0.5, 4.0), rng.range(0.5, 4.0))),
            5 => Wall::stadium(at, rng.range(0.5, 2.0), rng.range(0.5, 2.0)),
            _ => Wall::circle(DVec2::ZERO, rng.range(25.0, 30.0)),
        });
    }
    walls
}

/// A place, often one at which things touch: of whole coordinates.
fn place(rng: &mut Rng) -> DVec2 {
    if rng.chance(50) { rng.vector(18.0) } else { (rng.vector(18.0)).round() }
}

fn disc<B: Default, X: Default>(rng: &mut Rng) -> Disc<B, X> {
    let radius = rng.pick(&[0.0, 0.5, 0.5, 0.5, 1.0, 1e-6, 3.0]);
    let disc = Disc::new(place(rng), radius).with_velocity(rng.vector(4.0)).with_overlap();
    let disc = disc.with_mass(rng.pick(&[1.0, 1.0, 1.0, 2.0, 0.0])).with_restitution(rng.pick(&[1.0, 0.6]));
    match rng.below(4) {
        0 => disc.with_groups(1 << rng.below(3), rng.bits() as u32),
        1 => disc.with_team(rng.below(3) as u32),
        _ => disc,
    }
}

/// What a world may be.
const KINDS: usize = 5;

fn settings(kind: usize) -> Settings {
    let settings = Settings::default().with_budget(3000);
    match kind {
        1 => settings.with_period([Some(40.0), Some(40.0)]),
        2 => settings.with_period([None, Some(30.0)]),
        3 => settings.with_drag(0.7),
        _ => settings,
    }
}

/// A world of smooth discs: plain, periodic along both axes or one, with drag, or growing.
fn smooth(by: By, kind: usize, rng: &mut Rng) -> World {
    let mut world = by.world(settings(kind));
    if kind == 4 {
        world.set_growth(0.05).unwrap();
    }
    for wall in walls(rng) {
        // In a periodic world there are none, and none with a hollow side where discs grow.
        _ = world.add_wall(wall);
    }
    fill(&mut world, rng, 120);
    world
}

/// A world in which discs fall and rest, or slide to a stop.
fn heavy(by: By, rng: &mut Rng) -> World<Forces> {
    let is_table = rng.chance(50);
    let forces =
        if is_table { Forces::new().with_weight(3.0) } else { Forces::new().with_gravity([0.0, -3.0]) };
    let mut world = World::with_physics(forces.unwrap(), by.settings(settings(0))).unwrap();
    for wall in walls(rng) {
        world.add_wall(wall).unwrap();
    }
    fill(&mut world, rng, 40);
    let ids: Vec<_> = world.ids().collect();
    for id in ids.into_iter().filter(|_| is_table) {
        world.set_body(id, DiscForces { friction: 0.2, ..DiscForces::default() }).unwrap();
    }
    world
}

fn fill<P: Physics>(world: &mut World<P>, rng: &mut Rng, most: usize) {
    for _ in 0..5 + rng.below(most) {
        world.insert(disc(rng)).unwrap();
    }
}
