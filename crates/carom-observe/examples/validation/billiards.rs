//! Mean free paths of billiard tables: π·area/perimeter, of the table of the disc's centre.
//!
//! Stadium and diamond are chaotic, circle and rectangle integrable, the half moon neither: averaged over all
//! starts the law holds for each (see `table`).

use crate::table::Table;
use carom::{DVec2, Wall};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

fn table(walls: Vec<(Wall, f64)>, radius: f64, area: f64, is_free: Box<dyn Fn(DVec2) -> bool>) -> Table {
    Table {
        walls,
        fixed: None,
        radius,
        area,
        period: None,
        bounds: [DVec2::splat(-2.0), DVec2::splat(2.0)],
        is_free,
    }
}

/// Straights of length 2, half circles of radius 1.
fn stadium(r: f64) -> Table {
    let round = 1.0 - r;
    let wall = Wall::stadium(DVec2::ZERO, 1.0, 1.0);
    let is_free = move |p: DVec2| p.distance(DVec2::new(p.x.clamp(-1.0, 1.0), 0.0)) < round;
    table(vec![(wall, TAU * round + 4.0)], r, PI * round * round + 4.0 * round, Box::new(is_free))
}

/// Radius 1.
fn circle(r: f64) -> Table {
    let round = 1.0 - r;
    let wall = Wall::circle(DVec2::ZERO, 1.0);
    table(vec![(wall, TAU * round)], r, PI * round * round, Box::new(move |p| p.length() < round))
}

/// 2 by 3, of half-planes.
fn rectangle(r: f64) -> Table {
    let half = DVec2::new(1.0, 1.5);
    let free = half - r;
    let is_free = move |p: DVec2| p.abs().cmplt(free).all();
    let wall = (Wall::container(-half, half), 4.0 * (free.x + free.y));
    table(vec![wall], r, 4.0 * free.x * free.y, Box::new(is_free))
}

/// A right triangle of legs 1 and 2, closed, of two-sided segments. A disc's centres have a similar one.
fn triangle(r: f64) -> Table {
    let hypotenuse = 5.0_f64.sqrt();
    let incircle = (3.0 - hypotenuse) / 2.0;
    let scale = 1.0 - r / incircle;
    let wall = Wall::polygon(&[DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(0.0, 1.0)]);
    let is_free = move |p: DVec2| p.x > r && p.y > r && (2.0 - p.x - 2.0 * p.y) / hypotenuse > r;
    table(vec![(wall, (3.0 + hypotenuse) * scale)], r, scale * scale, Box::new(is_free))
}

/// Half a circle of radius 1 and its diameter: an arc and a segment. A disc's centres have a segment of a
/// circle.
fn half_moon(r: f64) -> Table {
    let round = 1.0 - r;
    let angle = (r / round).acos();
    let chord = 2.0 * round * angle.sin();
    let arc = (Wall::arc(DVec2::ZERO, 1.0, 0.0, PI), 2.0 * round * angle);
    let diameter = (Wall::segment(DVec2::NEG_X, DVec2::X), chord);
    let is_free = move |p: DVec2| p.y > r && p.length() < round;
    table(vec![arc, diameter], r, round * round * angle - 0.5 * r * chord, Box::new(is_free))
}

/// What four discs around the corners of a square of side 2 leave free: all walls round, bulging inwards.
fn diamond(r: f64) -> Table {
    let round = 1.2 + r;
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(DVec2::from);
    // Neighbours overlap in lenses, of which the halves inside the square count.
    let angle = (1.0 / round).acos();
    let half_lens = round * round * angle - (round * round - 1.0).sqrt();
    let length = round * (FRAC_PI_2 - 2.0 * angle);
    let walls = corners.map(|corner| (Wall::disc(corner, 1.2), length)).to_vec();
    let is_free = move |p: DVec2| {
        p.abs().max_element() < 1.0 && corners.iter().all(|corner| p.distance(*corner) > round)
    };
    table(walls, r, 4.0 - 4.0 * FRAC_PI_4 * round * round + 4.0 * half_lens, Box::new(is_free))
}

/// Makes a table for a disc of some radius.
type Make = fn(f64) -> Table;

const TABLES: [(&str, Make); 6] = [
    ("stadium", stadium),
    ("circle", circle),
    ("rectangle", rectangle),
    ("triangle", triangle),
    ("half moon", half_moon),
    ("diamond", diamond),
];

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("| table | radius of the disc | mean free path | π·area/perimeter | deviation / error |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, make) in TABLES {
        for radius in [0.0, 0.1] {
            let table = make(radius);
            let measured = table.run((1000.0 * times).ceil() as usize, 100.0, 1)?.all.inverse();
            let exact = 1.0 / table.expected().sum::<f64>();
            println!("| {name} | {radius} | {measured} | {exact:.6} | {:+.2} |", measured.sigmas(exact));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Disc, World};
    use carom_scene::{Generator, Random};

    /// A point on a circle of radius 1 flies the same chord 2h for ever: 1 + ⌊(t − d)/2h⌋ hits, d to the
    /// first of them. To the last one; the rounding of t after a thousand hits decides one count in 10¹².
    #[test]
    fn hits_on_a_circle_are_those_of_its_chord() {
        let mut random = Random::new(Generator::default(), 3);
        for _ in 0..200 {
            let (place, direction) = (random.in_unit_disc(), random.direction());
            let mut world = World::new();
            world.add_wall(Wall::circle(DVec2::ZERO, 1.0)).unwrap();
            world.insert(Disc::new(place, 0.0).with_velocity(direction)).unwrap();
            let half_chord = (1.0 - place.perp_dot(direction).powi(2)).sqrt();
            let first = half_chord - place.dot(direction);
            let hits = 1 + ((100.0 - first) / (2.0 * half_chord)).floor() as u64;
            assert_eq!(world.advance(100.0).unwrap().events, hits, "{place} {direction}");
        }
    }

    /// 4σ; each piece of the edge by itself, too.
    #[test]
    fn the_mean_free_path_is_pi_area_over_perimeter() {
        for (name, make) in TABLES {
            for radius in [0.0, 0.1] {
                let table = make(radius);
                let hits = table.run(40, 20.0, 2).unwrap();
                let expected: f64 = table.expected().sum();
                assert!(hits.all.error < 0.02 * expected, "{name} {}", hits.all);
                assert!(hits.all.sigmas(expected).abs() < 4.0, "{name} {radius}: {} {expected}", hits.all);
                for (piece, expected) in hits.pieces.iter().zip(table.expected()) {
                    assert!(piece.sigmas(expected).abs() < 4.0, "{name} {radius}: {piece} {expected}");
                }
            }
        }
    }
}
