//! Discs by the hundred thousand, from many pixels wide to far less than one.
//!
//! Each pixel gets the light of the plane around it, weighted by a Gaussian: the discs are convolved with it,
//! and the result is sampled. A filter that only cut the plane into squares would let what is finer than a
//! pixel through, and a lattice finer than that beats with the pixels: moiré. This one leaves 8·10⁻⁴ of a
//! lattice of one pixel.

use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

use glam::DVec2;

use crate::Rgb;
use crate::canvas::Canvas;
use crate::clip::Area;

/// A disc on the sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) centre: DVec2,
    pub(crate) radius: f64,
    pub(crate) colour: Rgb,
}

/// Standard deviation of the filter, in pixels: edges are still sharp, and exp(−2π²σ²) is small.
const SIGMA: f64 = 0.6;
/// How far beyond its edge a disc reaches: 3.5 deviations leave out 0.2 % of the light of a point.
pub(crate) const REACH: f64 = 3.5 * SIGMA;
/// From this radius on the edge of a disc is straight on the scale of the filter, to σ²/2R, a fiftieth of a
/// pixel.
const STRAIGHT: f64 = 8.0;
/// Smaller discs are looked up by radius, in steps of this.
const STEP: f64 = 1.0 / 32.0;
/// Places in a profile.
const PLACES: usize = 512;
/// The light of this many pixels is held at a time: 64 MB.
const BAND: usize = 1 << 22;

/// Paints discs within `area`. Where discs do not overlap their order does not matter. O(pixels covered).
pub(crate) fn paint(canvas: &mut Canvas, area: &Area, spots: &[Spot]) {
    let (first, end) = pixels(area.min.y, area.max.y, canvas.height());
    let (left, right) = pixels(area.min.x, area.max.x, canvas.width());
    if first >= end || left >= right {
        return;
    }
    let width = right - left;
    let rows = (BAND / width).clamp(1, end - first);
    let mut profiles = Profiles::new();
    let light: Vec<f32> = (0..=255).map(|level| Rgb(level, level, level).light()[0]).collect();
    let mut band = Band { left, top: first, width, light: vec![[0.0; 4]; rows * width] };
    for top in (first..end).step_by(rows) {
        band.top = top;
        band.light.fill([0.0; 4]);
        for spot in spots {
            let Rgb(r, g, b) = spot.colour;
            let colour = [r, g, b].map(|level| light[usize::from(level)]);
            band.add(spot.centre, colour, profiles.of(spot.radius));
        }
        let rows = rows.min(end - top);
        for (row, light) in band.light.chunks(width).take(rows).enumerate() {
            canvas.cover(left, top + row, light);
        }
    }
}

/// The pixels whose centres lie between two places, the end left out.
fn pixels(low: f64, high: f64, count: u32) -> (usize, usize) {
    // A negative number becomes 0.
    let at = |place: f64| ((place - 0.5).ceil() as usize).min(count as usize);
    (at(low), at(high))
}

/// Rows of the sheet, and the light that falls on each pixel: red, green, blue, and how much of it is
/// covered.
struct Band {
    left: usize,
    top: usize,
    width: usize,
    light: Vec<[f32; 4]>,
}

impl Band {
    fn add(&mut self, centre: DVec2, colour: [f32; 3], profile: Profile<'_>) {
        let reach = profile.reach();
        if !centre.is_finite() {
            return;
        }
        // Pixels are known by their centres.
        let place = centre - DVec2::new(self.left as f64, self.top as f64) - 0.5;
        let rows = self.light.len() / self.width;
        let range = |at: f64, count: usize| {
            let (low, high) = ((at - reach).ceil().max(0.0), (at + reach).floor().min(count as f64 - 1.0));
            if high >= low { low as usize..high as usize + 1 } else { 0..0 }
        };
        let columns = range(place.x, self.width);
        if columns.is_empty() {
            return;
        }
        for row in range(place.y, rows) {
            let dy = row as f64 - place.y;
            let pixels = &mut self.light[row * self.width..][columns.clone()];
            for (pixel, column) in pixels.iter_mut().zip(columns.clone()) {
                let dx = column as f64 - place.x;
                let covered = profile.at(dx * dx + dy * dy);
                for (light, colour) in pixel.iter_mut().zip(colour) {
                    *light += covered * colour;
                }
                pixel[3] += covered;
            }
        }
    }
}

/// How much of a pixel a disc covers, by the distance of the centres.
#[derive(Clone, Copy)]
enum Profile<'a> {
    /// Values at squares of distances, evenly spaced; how many a unit; a factor.
    Small { values: &'a [f32], per_square: f64, factor: f32, reach: f64 },
    /// The radius; values across a straight edge.
    Large { radius: f64, edge: &'a [f32] },
}

impl Profile<'_> {
    fn reach(&self) -> f64 {
        match *self {
            Profile::Small { reach, .. } => reach,
            Profile::Large { radius, .. } => radius + REACH,
        }
    }

    #[inline]
    fn at(&self, square: f64) -> f32 {
        match *self {
            Profile::Small { values, per_square, factor, .. } => {
                factor * between(values, square * per_square)
            }
            Profile::Large { radius, edge } => {
                let inner = radius - REACH;
                if square <= inner * inner {
                    return 1.0;
                }
                let across = square.sqrt() - inner;
                between(edge, across * ((PLACES - 1) as f64 / (2.0 * REACH)))
            }
        }
    }
}

/// The value at a place between the first (0) and the last; 0 beyond.
#[inline]
fn between(values: &[f32], place: f64) -> f32 {
    let index = place as usize;
    let part = (place - index as f64) as f32;
    match values.get(index..index + 2) {
        Some(&[a, b]) => a + part * (b - a),
        _ => 0.0,
    }
}

/// Profiles of all sizes, made when they are needed.
struct Profiles {
    small: Vec<Vec<f32>>,
    edge: Vec<f32>,
}

impl Profiles {
    fn new() -> Self {
        let across = |k: usize| 2.0 * REACH * k as f64 / (PLACES - 1) as f64 - REACH;
        let edge = (0..PLACES).map(|k| 0.5 * libm::erfc(across(k) / (SQRT_2 * SIGMA)) as f32).collect();
        Self { small: vec![Vec::new(); (STRAIGHT / STEP) as usize + 1], edge }
    }

    fn of(&mut self, radius: f64) -> Profile<'_> {
        if radius >= STRAIGHT {
            return Profile::Large { radius, edge: &self.edge };
        }
        let step = (radius / STEP).round().max(1.0);
        let near = step * STEP;
        let reach = near + REACH;
        let per_square = (PLACES - 1) as f64 / (reach * reach);
        let values = &mut self.small[step as usize];
        if values.is_empty() {
            values.extend((0..PLACES).map(|k| covered(near, (k as f64 / per_square).sqrt()) as f32));
        }
        // The light is that of the true radius.
        let factor = (radius * radius / (near * near)) as f32;
        Profile::Small { values, per_square, factor, reach }
    }
}

/// A disc of this radius convolved with the filter, at a distance from its centre: ∫ g(d − x)·erf(√(R² −
/// x²)/√2σ) dx for x = R sin θ, by the midpoint rule, which converges faster than any power for what is
/// smooth at both ends.
fn covered(radius: f64, distance: f64) -> f64 {
    const POINTS: u32 = 48;
    let step = PI / f64::from(POINTS);
    let sum: f64 = (0..POINTS)
        .map(|k| {
            let (sin, cos) = libm::sincos((f64::from(k) + 0.5) * step - FRAC_PI_2);
            let off = (distance - radius * sin) / SIGMA;
            let density = libm::exp(-0.5 * off * off) / (SIGMA * (2.0 * PI).sqrt());
            density * libm::erf(radius * cos / (SQRT_2 * SIGMA)) * radius * cos
        })
        .sum();
    sum * step
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgb = Rgb(0, 0, 0);

    /// The part of each pixel that is covered, for black discs on white.
    fn painted(size: u32, spots: &[Spot]) -> Vec<f64> {
        let mut canvas = Canvas::new(size, size, Rgb::WHITE).unwrap();
        paint(&mut canvas, &Area::new(DVec2::ZERO, DVec2::splat(f64::from(size))), spots);
        let light = |level: u8| f64::from(Rgb(level, level, level).light()[0]);
        canvas.rgb().chunks(3).map(|pixel| 1.0 - light(pixel[0])).collect()
    }

    fn spot(x: f64, y: f64, radius: f64) -> Spot {
        Spot { centre: DVec2::new(x, y), radius, colour: INK }
    }

    #[test]
    fn a_disc_covers_its_area_wherever_it_is_and_however_small() {
        let mut profiles = Profiles::new();
        for radius in [0.01, 0.3, 0.37, 0.5, 1.0, 2.2, 7.99, 8.01, 20.0] {
            for shift in [0.0, 0.21, 0.5, 0.83] {
                let mut band = Band { left: 3, top: 7, width: 64, light: vec![[0.0; 4]; 64 * 64] };
                let centre = DVec2::new(35.0 + shift, 39.0 - 0.3 * shift);
                band.add(centre, [1.0, 0.5, 0.0], profiles.of(radius));
                let sum = |k: usize| band.light.iter().map(|light| f64::from(light[k])).sum::<f64>();
                let area = PI * radius * radius;
                // exp(−3.5²/2) = 0.22 % of a point is beyond the reach, and sampling leaves 4·exp(−2π²σ²) =
                // 0.33 % at most; of larger discs less of both, but edges that are taken as straight are off
                // by σ²/2R.
                let bent = if radius < STRAIGHT { 0.0 } else { PI * SIGMA * SIGMA };
                assert!(
                    (sum(3) - area).abs() < 0.006 * area + bent,
                    "{radius} at {centre}: {} of {area}",
                    sum(3)
                );
                assert!((sum(1) - 0.5 * sum(0)).abs() < 1e-5 * area && sum(2) == 0.0);
            }
        }
    }

    /// Against the integral over the disc itself, by a fine grid.
    #[test]
    fn profiles_are_convolutions() {
        let mut profiles = Profiles::new();
        for radius in [0.25, 1.0, 3.0, 7.5, 8.0, 12.0] {
            for distance in [0.0, 0.4, 0.9, 1.0, 1.2] {
                let d = distance * radius;
                let (n, reach) = (400, 5.0 * SIGMA);
                let cell = 2.0 * reach / f64::from(n);
                let at = |k: i32| (f64::from(k) + 0.5) * cell - reach;
                let mut sum = 0.0;
                for (x, y) in (0..n * n).map(|k| (at(k % n), at(k / n))) {
                    if (d + x).hypot(y) < radius {
                        sum += (-0.5 * (x * x + y * y) / (SIGMA * SIGMA)).exp();
                    }
                }
                let want = sum * cell * cell / (2.0 * PI * SIGMA * SIGMA);
                let got = f64::from(profiles.of(radius).at(d * d));
                // The edge moves by less than σ²/2R where it is taken as straight; its slope is 1/√2πσ at
                // most.
                let bent = if radius < STRAIGHT { 0.0 } else { SIGMA / (2.0 * radius * (2.0 * PI).sqrt()) };
                assert!((got - want).abs() < 2e-3 + bent, "{radius} {distance}: {got} is {want}");
            }
        }
    }

    /// A triangular lattice whose rows are nearly a pixel apart would beat with the pixels every fifty of
    /// them.
    #[test]
    fn a_lattice_as_fine_as_the_pixels_is_even() {
        let spacing = 1.02 * 2.0 / 3.0_f64.sqrt();
        let spots: Vec<Spot> = (0..150 * 150)
            .map(|k| {
                let (column, row) = (f64::from(k % 150), f64::from(k / 150));
                let shift = 0.5 * (row % 2.0);
                spot(
                    (column + shift - 10.0) * spacing,
                    (row - 10.0) * 0.75_f64.sqrt() * spacing,
                    0.44 * spacing,
                )
            })
            .collect();
        let covered = painted(100, &spots);
        let inner = covered
            .iter()
            .enumerate()
            .filter(|(k, _)| (8..92).contains(&(k % 100)) && (800..9200).contains(k));
        let (low, high) = inner.fold((1.0_f64, 0.0_f64), |(low, high), (_, &c)| (low.min(c), high.max(c)));
        // π/(2√3)·0.88² = 0.702. The six waves of the lattice, each 2·0.702·J₁(kR)/kR = 0.12 high and damped
        // by exp(−2π²σ²/1.02²) = 0.0011, add up to 8·10⁻⁴; a level of grey is 0.005 of the light there.
        assert!(low > 0.69 && high < 0.715 && high - low < 0.012, "{low} {high}");
    }

    #[test]
    fn what_is_beside_the_sheet_or_no_number_is_not_painted() {
        for (x, y, radius) in [
            (-50.0, 5.0, 3.0),
            (5.0, 1e300, 3.0),
            (f64::NAN, 5.0, 3.0),
            (5.0, f64::INFINITY, 1.0),
            (5.0, 5.0, 0.0),
        ] {
            assert!(painted(16, &[spot(x, y, radius)]).iter().all(|&c| c == 0.0), "{x} {y} {radius}");
        }
        assert!(painted(16, &[spot(8.0, 8.0, 1e9)]).iter().all(|&c| c == 1.0));
        // Bands do not show: the same whether a disc lies in one or in many.
        let mut tall = Canvas::new(40, 3000, Rgb::WHITE).unwrap();
        let area = Area::new(DVec2::ZERO, DVec2::new(40.0, 3000.0));
        paint(&mut tall, &area, &[spot(20.0, 1500.0, 1400.0)]);
        assert!(tall.rgb()[3 * 40 * 1500..][..3 * 40].iter().all(|&level| level == 0));
    }
}
