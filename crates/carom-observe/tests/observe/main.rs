//! What is measured in gases, against what is known exactly, by hand or from other methods.

mod distributions;
mod order;
mod periodic;
mod pressure;
mod voronoi;
mod xyz;

use carom_math::{DVec2, Periods};

/// A plane that repeats itself after these lengths.
fn rectangle(sides: DVec2) -> Periods {
    Periods::new(Some(sides.x), Some(sides.y)).unwrap()
}

/// A lattice of spacing 1 with rows at this distance: triangular where that is less than 1, or square. Its
/// places and its periods.
fn lattice(columns: u32, rows: u32, height: f64) -> (Vec<DVec2>, DVec2) {
    let shift = if height < 1.0 { 0.5 } else { 0.0 };
    let place = |k: u32| {
        let (column, row) = (f64::from(k % columns), f64::from(k / columns));
        DVec2::new(column + shift * (row % 2.0), row * height)
    };
    ((0..columns * rows).map(place).collect(), DVec2::new(f64::from(columns), f64::from(rows) * height))
}
