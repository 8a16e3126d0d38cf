//! Putting discs into a region so that they do not overlap.

use crate::disc::SceneDisc;
use crate::grid::Levels;
use crate::random::Random;
use crate::region::Region;
use crate::steps::Steps;
use glam::DVec2;

/// The densest packing for which random places are tried. Adding discs one by one at random jams at 0.547 (Feder 1980),
/// and the number of tries grows without bound on the way there.
const DENSEST_RANDOM: f64 = 0.45;

/// Work allowed per disc, in discs and cells looked at. At the densest packing 500 are needed.
const WORK_PER_DISC: u64 = 20_000;

/// Work allowed in any case.
const LEAST_WORK: u64 = 10_000_000;

/// In which order discs are placed at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// As their radii are given; if room for all is not found, all again, the largest first.
    Given,
    /// The largest first, as it finds the least room; equals as given.
    Largest,
}

/// Places for discs of these radii, one after another, each at the first random point at which it overlaps neither
/// another of them nor one of `others`. `O(N)` below the densest packing; gives up after a bounded amount of work.
pub(crate) fn at_random(
    region: &Region,
    radii: &[f64],
    others: &[SceneDisc],
    first: First,
    random: &mut Random,
    steps: &mut Steps<'_>,
) -> Result<Vec<DVec2>, String> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    fits(region, largest)?;
    let covered: f64 = radii.iter().map(|radius| std::f64::consts::PI * (radius * radius)).sum();
    let packing = covered / region.area();
    if packing > DENSEST_RANDOM {
        return Err(format!(
            "the packing fraction is {packing:.3}; at random at most {DENSEST_RANDOM} is possible, on a lattice more"
        ));
    }
    let (min, max) = region.bounds();
    let mut standing = Levels::new(min, max, others.iter().map(|disc| disc.radius));
    for disc in others {
        standing.add(disc.position, disc.radius);
    }
    let mut order: Vec<u32> = (0..radii.len() as u32).collect();
    let before = steps.done();
    if first == First::Given {
        match in_order(region, radii, &order, &standing, random, steps) {
            Err(_) if radii.iter().any(|radius| *radius != largest) => steps.go_to(before),
            done => return done,
        }
    }
    order.sort_by(|&a, &b| radii[b as usize].total_cmp(&radii[a as usize]));
    in_order(region, radii, &order, &standing, random, steps)
}

fn in_order(
    region: &Region,
    radii: &[f64],
    order: &[u32],
    standing: &Levels,
    random: &mut Random,
    steps: &mut Steps<'_>,
) -> Result<Vec<DVec2>, String> {
    let (min, max) = region.bounds();
    let mut placed = Levels::new(min, max, radii.iter().copied());
    let mut centres = vec![DVec2::NAN; radii.len()];
    let mut work = 0;
    let most_work = WORK_PER_DISC.saturating_mul(radii.len() as u64).saturating_add(LEAST_WORK);
    for (n, &index) in order.iter().enumerate() {
        let radius = radii[index as usize];
        centres[index as usize] = loop {
            let centre = match region {
                Region::Rectangle { min, max } => DVec2::new(
                    random.between(min.x + radius, max.x - radius),
                    random.between(min.y + radius, max.y - radius),
                ),
                Region::Circle { center, radius: around } => {
                    *center + random.in_unit_disc() * (around - radius)
                }
            };
            if placed.is_free(centre, radius, &mut work) && standing.is_free(centre, radius, &mut work) {
                placed.add(centre, radius);
                break centre;
            }
            if work > most_work {
                return Err(format!(
                    "found room for {n} of {} discs only; make the region larger or the discs fewer",
                    radii.len()
                ));
            }
        };
        steps.step();
    }
    Ok(centres)
}

/// Places on a square lattice that fills a rectangle, row by row from its lower left corner.
pub(crate) fn on_square_lattice(region: &Region, radii: &[f64]) -> Result<Vec<DVec2>, String> {
    let (min, size, largest) = lattice_box(region, radii)?;
    let count = radii.len();
    let spacing = |length: f64, places: usize| {
        if places > 1 { length / (places - 1) as f64 } else { f64::INFINITY }
    };
    let ideal = carom_math::sqrt(count as f64 * (size.x / size.y));
    let (mut columns, mut closest) = (1, 0.0);
    // The best number of columns is next to the one that makes the spacings equal; rounding of the rows moves it a little.
    for candidate in [ideal - 1.0, ideal, ideal + 1.0, ideal + 2.0] {
        let candidate = (candidate as usize).clamp(1, count);
        let nearest = spacing(size.x, candidate).min(spacing(size.y, count.div_ceil(candidate)));
        if nearest > closest {
            (columns, closest) = (candidate, nearest);
        }
    }
    enough_room(closest, largest, count)?;
    let step = DVec2::new(spacing(size.x, columns), spacing(size.y, count.div_ceil(columns)));
    let at = |index: usize, step: f64| if index == 0 { 0.0 } else { index as f64 * step };
    Ok((0..count).map(|n| min + DVec2::new(at(n % columns, step.x), at(n / columns, step.y))).collect())
}

/// Places on a triangular lattice that fills a rectangle, row by row from its lower left corner.
pub(crate) fn on_hexagonal_lattice(region: &Region, radii: &[f64]) -> Result<Vec<DVec2>, String> {
    let (min, size, largest) = lattice_box(region, radii)?;
    let count = radii.len();
    let row_height = carom_math::sqrt(0.75);
    // How many places a row and the column of rows have at a spacing. Every odd row is shifted by half of it.
    let in_row = |spacing: f64, odd: bool| {
        let length = if odd { size.x - 0.5 * spacing } else { size.x };
        if length < 0.0 { 0.0 } else { (length / spacing).floor() + 1.0 }
    };
    let room = |spacing: f64| {
        let rows = (size.y / (spacing * row_height)).floor() + 1.0;
        let odd_rows = (rows / 2.0).floor();
        (rows - odd_rows) * in_row(spacing, false) + odd_rows * in_row(spacing, true)
    };
    // The room shrinks as the spacing grows: halve down to the largest spacing with room for all.
    let (mut fitting, mut too_wide) = (0.0, 2.0 * (size.x + size.y) + f64::MIN_POSITIVE);
    for _ in 0..200 {
        let middle = 0.5 * (fitting + too_wide);
        if room(middle) >= count as f64 {
            fitting = middle;
        } else {
            too_wide = middle;
        }
    }
    enough_room(fitting, largest, count)?;
    let mut places = Vec::with_capacity(count);
    let mut row = 0_u64;
    while places.len() < count {
        let odd = row % 2 == 1;
        let wanted = (in_row(fitting, odd) as usize).min(count - places.len());
        let shift = if odd { 0.5 } else { 0.0 };
        let y = row as f64 * (fitting * row_height);
        places.extend((0..wanted).map(|n| min + DVec2::new((n as f64 + shift) * fitting, y)));
        row += 1;
    }
    Ok(places)
}

/// The box for centres of a lattice: its lower left corner and size, and the largest radius.
fn lattice_box(region: &Region, radii: &[f64]) -> Result<(DVec2, DVec2, f64), String> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let Region::Rectangle { min, max } = region else {
        return Err("a lattice needs a rectangular region, with `min` and `max`".to_owned());
    };
    fits(region, largest)?;
    Ok((*min + largest, *max - *min - 2.0 * largest, largest))
}

fn enough_room(spacing: f64, largest: f64, count: usize) -> Result<(), String> {
    if spacing >= 2.0 * largest && spacing > 0.0 {
        return Ok(());
    }
    Err(format!(
        "a lattice of {count} places in this region has a spacing of {spacing}, less than the largest diameter {}",
        2.0 * largest
    ))
}

fn fits(region: &Region, largest: f64) -> Result<(), String> {
    let width = match region {
        Region::Rectangle { min, max } => (*max - *min).min_element(),
        Region::Circle { radius, .. } => 2.0 * radius,
    };
    if 2.0 * largest > width {
        return Err(format!("a disc of radius {largest} is wider than the region ({width})"));
    }
    Ok(())
}
