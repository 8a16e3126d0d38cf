//! The square Lorentz gas: a point among fixed discs on a square lattice.
//!
//! The lattice is one disc in a periodic square, or in a room of which the reflections are unfolded, so the
//! flights from disc to disc are those of the lattice: by the rule of `table`, (1 − πR²)/(2R) long on
//! average, for a lattice of side 1. The horizon is infinite: there are straight paths that meet no disc, and
//! lengths above l have a probability that falls as l⁻² (P. Bleher, J. Stat. Phys. 66 (1992) 315). Their
//! variance is infinite, and a mean over one trajectory is slow to converge; a count in a fixed time, over
//! many starts, is not.
//!
//! A point and a scatterer of radius R are also a disc of radius r and one of R − r, and two equal discs of
//! diameter R on a torus in the frame of one of them: 2R·v/(1 − πR²) collisions a second, v the relative
//! speed.

use crate::statistics::Estimate;
use crate::table::{Hits, Table};
use carom::{DVec2, Disc, Wall};
use std::error::Error;
use std::f64::consts::{PI, TAU};

/// How the scatterer is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scatterer {
    /// A fixed wall of the radius R, and points.
    Wall,
    /// Half of R is the radius of the disc that moves; the cell is larger by as much on all sides.
    Half,
    /// A disc of infinite mass, found through the table of pairs, and tracers; of half the radius each.
    Disc,
    /// As `Disc`, and a period instead of walls.
    Torus,
    /// The same of points and a disc of the radius R.
    TorusOfPoints,
}

pub(crate) fn table(radius: f64, scatterer: Scatterer) -> Table {
    let points = matches!(scatterer, Scatterer::Wall | Scatterer::TorusOfPoints);
    let own = if points { 0.0 } else { radius / 2.0 };
    let cell = DVec2::splat(0.5 + own);
    let period = matches!(scatterer, Scatterer::Torus | Scatterer::TorusOfPoints).then_some(1.0);
    let mut walls = Vec::new();
    if period.is_none() {
        walls.push((Wall::container(-cell, cell), 4.0));
    }
    let edge = TAU * radius;
    let mut fixed = None;
    if matches!(scatterer, Scatterer::Wall | Scatterer::Half) {
        walls.push((Wall::disc(DVec2::ZERO, radius - own), edge));
    } else {
        fixed = Some((Disc::new(DVec2::ZERO, radius - own).with_mass(f64::INFINITY), edge));
    }
    Table {
        walls,
        fixed,
        radius: own,
        area: 1.0 - PI * radius * radius,
        period,
        bounds: [DVec2::splat(-0.5), DVec2::splat(0.5)],
        is_free: Box::new(move |place| place.length() > radius),
    }
}

fn free_path(hits: &Hits) -> Estimate {
    hits.pieces[hits.pieces.len() - 1].inverse()
}

fn exact(radius: f64) -> f64 {
    (1.0 - PI * radius * radius) / (2.0 * radius)
}

pub(crate) fn report(times: f64) -> Result<(), Box<dyn Error>> {
    println!("| R | scatterer | mean free path | exact | deviation / error |");
    println!("| --- | --- | --- | --- | --- |");
    let worlds = (500.0 * times).ceil() as usize;
    for radius in [0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49] {
        for (seed, scatterer) in [
            (1, Scatterer::Wall),
            (2, Scatterer::Half),
            (3, Scatterer::Disc),
            (5, Scatterer::Torus),
            (6, Scatterer::TorusOfPoints),
        ] {
            let measured = free_path(&table(radius, scatterer).run(worlds, 100.0, seed)?);
            let exact = exact(radius);
            let sigmas = measured.sigmas(exact);
            println!("| {radius} | {scatterer:?} | {measured} | {exact:.6} | {sigmas:+.2} |");
        }
    }
    println!("\n| length of a run, R = 0.2 | variance of its hits / their number |");
    println!("| --- | --- |");
    for time in [10.0_f64, 100.0, 1000.0] {
        let worlds = (1500.0 * times / time.sqrt()).ceil() as usize;
        println!("| {time} | {:.2} |", table(0.2, Scatterer::Wall).run(worlds, time, 4)?.spread);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The starts are independent and the counts bounded, so the error is normal: 4σ.
    #[test]
    fn the_mean_free_path_is_that_of_the_lattice() {
        for (radius, scatterer) in [
            (0.1, Scatterer::Wall),
            (0.3, Scatterer::Half),
            (0.45, Scatterer::Disc),
            (0.1, Scatterer::Torus),
            (0.49, Scatterer::Torus),
            (0.3, Scatterer::TorusOfPoints),
        ] {
            let table = table(radius, scatterer);
            let hits = table.run(60, 20.0, 3).unwrap();
            let measured = free_path(&hits);
            assert!(measured.error < 0.02 * exact(radius), "{measured}");
            assert!(measured.sigmas(exact(radius)).abs() < 4.0, "{measured} {}", exact(radius));
            for (piece, expected) in hits.pieces.iter().zip(table.expected()) {
                assert!(piece.sigmas(expected).abs() < 4.0, "{piece} {expected}");
            }
        }
    }
}
