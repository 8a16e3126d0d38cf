//! Putting discs into a region so that they do not overlap.

use super::grid::Levels;
use super::random::Random;
use super::room::Room;
use super::steps::Steps;
use crate::model::{Region, SceneDisc};
use carom_math::Shown;
use glam::DVec2;

/// The densest packing for which random places are tried. Adding discs one by one at random jams at 0.547
/// (Feder 1980), and the number of tries grows without bound on the way there.
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

/// Places for discs of these radii, one after another, each at the first random point at which it overlaps
/// neither another of them nor one of `others`, nor their images in a periodic plane. `O(N)` below the
/// densest packing; gives up after a bounded amount of work.
pub(crate) fn at_random(
    room: Room<'_>,
    radii: &[f64],
    others: &[SceneDisc],
    first: First,
    random: &mut Random,
    steps: &mut Steps<'_>,
) -> Result<Vec<DVec2>, String> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let region = room.region;
    fits(region, largest)?;
    let covered: f64 = radii.iter().map(|radius| std::f64::consts::PI * (radius * radius)).sum();
    let packing = covered / region.area();
    if packing > DENSEST_RANDOM {
        return Err(format!(
            "the packing fraction is {packing:.3}; at random at most {DENSEST_RANDOM} is possible, on a \
             lattice more"
        ));
    }
    let (min, max) = region.bounds();
    let mut standing = Levels::new(min, max, others.iter().map(|disc| disc.radius));
    for disc in others {
        for image in room.images(disc.position, disc.radius + largest) {
            standing.add(image, disc.radius);
        }
    }
    let mut order: Vec<u32> = (0..radii.len() as u32).collect();
    let before = steps.done();
    if first == First::Given {
        match in_order(room, radii, &order, &standing, random, steps) {
            Err(_) if radii.iter().any(|radius| *radius != largest) => steps.go_to(before),
            done => return done,
        }
    }
    order.sort_by(|&a, &b| radii[b as usize].total_cmp(&radii[a as usize]));
    in_order(room, radii, &order, &standing, random, steps)
}

fn in_order(
    room: Room<'_>,
    radii: &[f64],
    order: &[u32],
    standing: &Levels,
    random: &mut Random,
    steps: &mut Steps<'_>,
) -> Result<Vec<DVec2>, String> {
    let (min, max) = room.region.bounds();
    let largest = radii.iter().copied().fold(0.0, f64::max);
    // On a joined axis a centre may be anywhere.
    let off = |axis: usize, radius: f64| if room.joined[axis] { 0.0 } else { radius };
    let is_joined = room.joined != [false; 2];
    let mut placed = Levels::new(min, max, radii.iter().copied());
    let mut centres = vec![DVec2::NAN; radii.len()];
    let mut work = 0;
    let most_work = WORK_PER_DISC.saturating_mul(radii.len() as u64).saturating_add(LEAST_WORK);
    for (n, &index) in order.iter().enumerate() {
        let radius = radii[index as usize];
        centres[index as usize] = loop {
            let center = match room.region {
                Region::Rectangle { min, max } => {
                    let (x, y) = (off(0, radius), off(1, radius));
                    DVec2::new(random.between(min.x + x, max.x - x), random.between(min.y + y, max.y - y))
                }
                Region::Circle { center, radius: around } => {
                    *center + random.in_unit_disc() * (around - radius)
                }
            };
            if placed.is_free(center, radius, &mut work) && standing.is_free(center, radius, &mut work) {
                placed.add(center, radius);
                if is_joined {
                    let images = room.images(center, radius + largest).filter(|image| *image != center);
                    images.for_each(|image| placed.add(image, radius));
                }
                break center;
            }
            if work > most_work {
                return Err(format!(
                    "found room for {n} of {} discs only; make the region larger or the discs fewer",
                    radii.len()
                ));
            }
        };
        steps.step();
        if steps.is_cancelled() {
            return Err(String::new());
        }
    }
    Ok(centres)
}

/// Places on a square lattice that fills a rectangle, row by row from its lower left corner.
pub(crate) fn on_square_lattice(room: Room<'_>, radii: &[f64]) -> Result<Vec<DVec2>, String> {
    let LatticeBox { min, size, largest } = LatticeBox::new(room, radii)?;
    let count = radii.len();
    let spacing = |axis: usize, places: usize| match places {
        _ if room.joined[axis] => size[axis] / places as f64,
        0 | 1 => f64::INFINITY,
        _ => size[axis] / (places - 1) as f64,
    };
    let ideal = carom_math::sqrt(count as f64 * (size.x / size.y));
    let (mut columns, mut closest) = (1, 0.0);
    // The best number of columns is next to the one that makes the spacings equal; rounding of the rows moves
    // it a little.
    for candidate in [ideal - 1.0, ideal, ideal + 1.0, ideal + 2.0] {
        let candidate = (candidate as usize).clamp(1, count);
        let nearest = spacing(0, candidate).min(spacing(1, count.div_ceil(candidate)));
        if nearest > closest {
            (columns, closest) = (candidate, nearest);
        }
    }
    enough_room(closest, largest, count)?;
    let step = DVec2::new(spacing(0, columns), spacing(1, count.div_ceil(columns)));
    let at = |index: usize, step: f64| if index == 0 { 0.0 } else { index as f64 * step };
    Ok((0..count).map(|n| min + DVec2::new(at(n % columns, step.x), at(n / columns, step.y))).collect())
}

/// Places on a triangular lattice that fills a rectangle, row by row from its lower left corner.
pub(crate) fn on_hexagonal_lattice(room: Room<'_>, radii: &[f64]) -> Result<Vec<DVec2>, String> {
    if room.joined != [false; 2] {
        return on_joined_hexagonal_lattice(room, radii);
    }
    let LatticeBox { min, size, largest } = LatticeBox::new(room, radii)?;
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

/// The same where the rectangle joins itself: with as many places in each row, and a whole number of pairs of
/// rows along a joined y. Its triangles are as nearly equilateral as that allows.
fn on_joined_hexagonal_lattice(room: Room<'_>, radii: &[f64]) -> Result<Vec<DVec2>, String> {
    let LatticeBox { min, size, largest } = LatticeBox::new(room, radii)?;
    let count = radii.len();
    let [joined_x, joined_y] = room.joined;
    let in_row = |places: usize| match places {
        _ if joined_x => size.x / places as f64,
        // Every other row is shifted by half of it.
        _ => size.x / (places as f64 - 0.5),
    };
    let height = |rows: usize| match rows {
        _ if joined_y => size.y / rows as f64,
        0 | 1 => f64::INFINITY,
        _ => size.y / (rows - 1) as f64,
    };
    let ideal = carom_math::sqrt(count as f64 * (size.y / size.x) / carom_math::sqrt(0.75)) as usize;
    let (mut best, mut closest) = ((1, 1), 0.0);
    for rows in ideal.saturating_sub(4)..=ideal + 4 {
        let rows = if joined_y { rows + rows % 2 } else { rows }.max(if joined_y { 2 } else { 1 });
        let places = count.div_ceil(rows);
        let (along, up) = (in_row(places), height(rows));
        let nearest = along.min(carom_math::sqrt(0.25 * along * along + up * up));
        if nearest > closest {
            (best, closest) = ((places, rows), nearest);
        }
    }
    enough_room(closest, largest, count)?;
    let (places, rows) = best;
    let (along, up) = (in_row(places), height(rows));
    let up = if up.is_finite() { up } else { 0.0 };
    let at = |n: usize| {
        let (column, row) = (n % places, n / places);
        DVec2::new((column as f64 + 0.5 * (row % 2) as f64) * along, row as f64 * up)
    };
    Ok((0..count).map(|n| min + at(n)).collect())
}

/// The box for the centres of a lattice: its lower left corner and size, and the largest radius.
struct LatticeBox {
    min: DVec2,
    size: DVec2,
    largest: f64,
}

impl LatticeBox {
    fn new(room: Room<'_>, radii: &[f64]) -> Result<Self, String> {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let Region::Rectangle { min, max } = room.region else {
            return Err("a lattice needs a rectangular region, with `min` and `max`".to_owned());
        };
        fits(room.region, largest)?;
        let [x, y] = room.joined.map(|joined| if joined { 0.0 } else { largest });
        let off = DVec2::new(x, y);
        Ok(Self { min: *min + off, size: *max - *min - 2.0 * off, largest })
    }
}

fn enough_room(spacing: f64, largest: f64, count: usize) -> Result<(), String> {
    if spacing >= 2.0 * largest && spacing > 0.0 {
        return Ok(());
    }
    Err(format!(
        "a lattice of {count} places in this region has a spacing of {}, less than the largest diameter {}",
        Shown(spacing),
        Shown(2.0 * largest)
    ))
}

fn fits(region: &Region, largest: f64) -> Result<(), String> {
    let width = match region {
        Region::Rectangle { min, max } => (*max - *min).min_element(),
        Region::Circle { radius, .. } => 2.0 * radius,
    };
    if 2.0 * largest > width {
        let [largest, width] = [largest, width].map(Shown);
        return Err(format!("a disc of radius {largest} is wider than the region ({width})"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Generator;
    use std::ops::ControlFlow;

    /// Against a look at all discs and all their images: on each axis joined or not, alone and around a disc
    /// that stands in a corner.
    #[test]
    fn nobody_overlaps_an_image() {
        let region = Region::Rectangle { min: DVec2::ZERO, max: DVec2::new(20.0, 13.0) };
        for periods in [[None; 2], [Some(20.0), None], [None, Some(13.0)], [Some(20.0), Some(13.0)]] {
            let room = Room::new(&region, periods).unwrap();
            let joined = [periods[0].is_some(), periods[1].is_some()];
            assert_eq!(room.joined, joined);
            let nearest = |a: DVec2, b: DVec2| {
                let mut d = (a - b).abs();
                for axis in 0..2 {
                    if let Some(period) = periods[axis] {
                        d[axis] = d[axis].min((period - d[axis]).abs());
                    }
                }
                d.length()
            };
            let mut random = Random::new(Generator::ChaCha8, 5);
            let mut reaches = [false; 2];
            for count in [1, 2, 7, 60, 110] {
                let others = [SceneDisc::new(DVec2::new(20.5, -0.5), 2.0)];
                let radii: Vec<f64> = (0..count).map(|k| if k % 3 == 0 { 0.7 } else { 0.4 }).collect();
                let equal = vec![0.55; count];
                let mut steps = |_: f64| ControlFlow::Continue(());
                let mut steps = Steps::new(1, &mut steps);
                for (k, (places, radii)) in [
                    (at_random(room, &radii, &others, First::Given, &mut random, &mut steps), &radii),
                    (at_random(room, &radii, &others, First::Largest, &mut random, &mut steps), &radii),
                    (on_square_lattice(room, &equal), &equal),
                    (on_hexagonal_lattice(room, &equal), &equal),
                ]
                .into_iter()
                .enumerate()
                {
                    let places = places.unwrap();
                    assert_eq!(places.len(), count);
                    for (i, &place) in places.iter().enumerate() {
                        for axis in 0..2 {
                            let (size, radius) = (region.bounds().1[axis], radii[i]);
                            let off = if joined[axis] { 0.0 } else { radius };
                            // A lattice reaches its last place by a sum.
                            let slack = 8.0 * f64::EPSILON * size;
                            assert!(
                                place[axis] >= off - slack && place[axis] <= size - off + slack,
                                "{place}"
                            );
                            reaches[axis] |= k < 2 && (place[axis] < radius || place[axis] > size - radius);
                        }
                        for (j, &other) in places.iter().enumerate().take(i) {
                            let gap = nearest(place, other) - radii[i] - radii[j];
                            assert!(gap >= -1e-13, "{periods:?} {count} {k}: {place} and {other}");
                        }
                        if k < 2 {
                            assert!(
                                nearest(place, others[0].position) > radii[i] + 2.0,
                                "{periods:?} {place}"
                            );
                        }
                    }
                }
            }
            assert_eq!(reaches, joined, "discs hang over edges that are joined, and over no others");
        }
    }

    /// As dense as 30 by 34 discs in a square can be: the rows are 1.02 times as far apart as they would be
    /// in a perfect lattice, so the packing is π/(2√3)/1.0188 = 0.890 where discs touch along the rows.
    #[test]
    fn a_joined_lattice_wastes_no_rim() {
        let region = Region::Rectangle { min: DVec2::ZERO, max: DVec2::splat(30.0) };
        let room = Room::new(&region, [Some(30.0); 2]).unwrap();
        let radius = 0.5 - 1e-12;
        assert!(on_hexagonal_lattice(room, &vec![radius; 30 * 34]).is_ok());
        assert!(
            on_hexagonal_lattice(Room::new(&region, [None; 2]).unwrap(), &vec![radius; 30 * 34]).is_err()
        );
        assert!(on_square_lattice(room, &vec![radius; 900]).is_ok());
        assert!(on_square_lattice(room, &vec![radius; 901]).is_err());
    }

    #[test]
    fn a_region_beyond_its_period_is_refused() {
        let region = Region::Rectangle { min: DVec2::ZERO, max: DVec2::new(20.0, 13.0) };
        for (periods, says) in [
            (
                [Some(19.0), None],
                "the region reaches from 0 to 20 along x; it must lie within one period, from 0 to 19",
            ),
            ([None, Some(12.0)], "the region reaches from 0 to 13 along y"),
        ] {
            assert!(Room::new(&region, periods).unwrap_err().starts_with(says));
        }
        let circle = Region::Circle { center: DVec2::splat(5.0), radius: 5.0 };
        assert_eq!(Room::new(&circle, [Some(10.0); 2]).unwrap().joined, [false; 2]);
        let left = Region::Circle { center: DVec2::splat(4.0), radius: 5.0 };
        assert!(Room::new(&left, [Some(10.0); 2]).is_err());
        // A part of a period has edges.
        assert_eq!(Room::new(&region, [Some(20.0), Some(14.0)]).unwrap().joined, [true, false]);
    }
}
