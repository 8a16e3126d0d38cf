//! The worlds that are measured: elastic unit-mass discs at temperature 1, from a fixed seed.

use carom::{DVec2, Disc, SchedulerKind, Settings, Wall, World};
use carom_scene::{Expanded, Gas, Order, Placement, Radii, Region, Scene};
use std::error::Error;

type Built = Result<World, Box<dyn Error>>;

fn settings(scheduler: SchedulerKind) -> Settings {
    Settings::default().with_budget(u64::MAX).with_record_events(false).with_scheduler(scheduler)
}

fn gas(discs: usize, packing: f64, placement: Placement, seed: u64) -> Gas {
    Gas {
        placement,
        temperature: Some(1.0),
        zero_momentum: true,
        order: Some(Order::Curve),
        ..Gas::packed(discs as u64, Radii::Same(0.5), packing, seed)
    }
}

/// The square that gas fills, and its discs.
fn start(gas: Gas, is_periodic: bool) -> Result<Expanded, Box<dyn Error>> {
    let mut scene = Scene::new("scaling");
    scene.gases.push(gas);
    scene.periodic.gas = is_periodic.then_some(0);
    Ok(scene.expand()?)
}

fn corners(start: &Expanded) -> Result<[DVec2; 2], Box<dyn Error>> {
    match start.regions.first() {
        Some(&Region::Rectangle { min, max }) => Ok([min, max]),
        _ => Err("the gas fills no rectangle".into()),
    }
}

fn insert(world: &mut World, start: &Expanded, offset: DVec2) -> Result<(), Box<dyn Error>> {
    for disc in &start.discs {
        let disc = Disc::new(disc.position + offset, disc.radius).with_velocity(disc.velocity);
        world.insert(disc)?;
    }
    Ok(())
}

/// In a square with four walls.
pub(crate) fn walled(discs: usize, packing: f64) -> Built {
    let start = start(gas(discs, packing, Placement::Square, 1), false)?;
    let [min, max] = corners(&start)?;
    let mut world = World::with_settings(settings(SchedulerKind::Fastest))?;
    world.add_wall(Wall::container(min, max))?;
    insert(&mut world, &start, DVec2::ZERO)?;
    Ok(world)
}

/// In a periodic square, around one disc of radius `large` periods, if not 0.
pub(crate) fn periodic(discs: usize, packing: f64, large: f64) -> Built {
    let start = start(gas(discs, packing, Placement::Hexagonal, 1), true)?;
    let [min, max] = corners(&start)?;
    let settings = settings(SchedulerKind::Fastest).with_period(start.periods);
    let mut world = World::with_settings(settings)?;
    let (middle, radius) = (0.5 * (min + max), large * (max.x - min.x));
    for disc in &start.discs {
        if radius == 0.0 || disc.position.distance(middle) > radius + disc.radius {
            world.insert(Disc::new(disc.position, disc.radius).with_velocity(disc.velocity))?;
        }
    }
    if radius > 0.0 {
        world.insert(Disc::new(middle, radius).with_mass(radius * radius * 4.0))?;
    }
    Ok(world)
}

/// Half of the discs at packing 0.5 in a box of their own inside of a square box `wider` times as wide, in
/// the rest of which the other half are: both halves keep their density.
pub(crate) fn uneven(discs: usize, wider: f64) -> Built {
    let dense = start(gas(discs / 2, 0.5, Placement::Square, 1), false)?;
    let [min, max] = corners(&dense)?;
    let (side, middle) = (max.x - min.x, 0.5 * (min + max));
    let mut world = World::with_settings(settings(SchedulerKind::Fastest))?;
    let half = DVec2::splat(0.5 * wider * side);
    world.add_wall(Wall::container(middle - half, middle + half))?;
    let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    world.add_wall(Wall::polygon(&corners))?;
    insert(&mut world, &dense, DVec2::ZERO)?;
    let packing = (discs - discs / 2) as f64 * std::f64::consts::FRAC_PI_4 / (wider * side).powi(2);
    let dilute = start(gas(discs - discs / 2, packing, Placement::Square, 2), false)?;
    let [low, high] = self::corners(&dilute)?;
    let offset = middle - 0.5 * (low + high);
    let cell = min - 1.0..max + 1.0;
    for disc in &dilute.discs {
        let mut position = disc.position + offset;
        // Those that would be in the inner box start beside it.
        if position.cmpge(cell.start).all() && position.cmple(cell.end).all() {
            position.x += side + 2.0;
        }
        // Two of them may now be at one place, and are refused: a handful of thousands.
        let _ = world.insert(Disc::new(position, disc.radius).with_velocity(disc.velocity));
    }
    Ok(world)
}

/// On a square at that packing in the open plane: a gas that expands for ever.
pub(crate) fn unconfined(discs: usize, packing: f64) -> Built {
    let start = start(gas(discs, packing, Placement::Square, 1), false)?;
    let mut world = World::with_settings(settings(SchedulerKind::Fastest))?;
    insert(&mut world, &start, DVec2::ZERO)?;
    Ok(world)
}

/// A gas in a box with this many short segments strewn over it, each where there is room.
pub(crate) fn with_segments(discs: usize, segments: usize, scheduler: SchedulerKind) -> Built {
    // Segments of length 1 on a lattice of side 4, every other one across, and discs in some of the gaps.
    let columns = (segments.max(4 * discs) as f64).sqrt().ceil() as usize;
    let side = 4.0 * columns as f64;
    let mut world = World::with_settings(settings(scheduler))?;
    world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side)))?;
    let place = |k: usize| 4.0 * DVec2::new((k % columns) as f64, (k / columns) as f64) + 1.0;
    for k in 0..segments {
        let along = if k % 2 == 0 { DVec2::X } else { DVec2::Y };
        world.add_wall(Wall::segment(place(k), place(k) + along))?;
    }
    let flying = start(gas(discs, 0.1, Placement::Random, 3), false)?;
    let stride = (columns * columns / discs).max(1);
    for (k, disc) in flying.discs.iter().enumerate() {
        world.insert(Disc::new(place(k * stride) + 1.9, disc.radius).with_velocity(disc.velocity))?;
    }
    Ok(world)
}
