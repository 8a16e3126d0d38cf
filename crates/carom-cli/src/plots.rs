//! Curves of what was measured: six panels.

use crate::heat_map::number;
use crate::measured::Measured;
use crate::numbers::brief;
use carom_draw::{DrawError, Rgb, Sheet, Style};
use carom_engine::DVec2;

const WIDTH: u32 = 1600;
/// The size of a panel, from its lower left corner to that of the next, and of the axes in it.
const PANEL: DVec2 = DVec2::new(12.0, 8.4);
const AXES: DVec2 = DVec2::new(10.0, 6.0);
/// Steps between ticks of an axis, at most.
const STEPS: f64 = 5.0;
const LETTERS: f64 = 0.26;
const GREY: Rgb = Rgb(0x6b, 0x6d, 0x73);
const CURVE: Rgb = Rgb(0x1f, 0x6f, 0xb0);

/// What a panel shows.
struct Panel<'data> {
    title: &'static str,
    across: &'static str,
    points: &'data [[f64; 2]],
    /// A level to be marked: that of an ideal gas.
    level: Option<f64>,
}

pub(crate) fn png(measured: &Measured) -> Result<Vec<u8>, DrawError> {
    let bounds = Some((DVec2::new(-1.4, -1.2), DVec2::new(23.0, 24.2)));
    let title = Some(format!("{}: {} discs", measured.scene, measured.discs));
    let mut sheet = Sheet::new(&Style { title, bounds, width: WIDTH, ..Style::default() })?;
    let cooling: Vec<[f64; 2]> = measured.cooling.iter().map(|one| [one.time, one.temperature]).collect();
    let panel = |title, across, points, level| Panel { title, across, points, level };
    let panels = [
        panel("radial distribution g(r)", "r", &measured.radial[..], Some(1.0)),
        panel("structure factor S(k)", "k", &measured.structure, Some(1.0)),
        panel("mean square displacement", "seconds", &measured.displacement, None),
        panel("temperature", "time in seconds", &cooling, None),
        panel("distribution of speeds", "speed", &measured.speeds, None),
        panel("distribution of free times", "seconds", &measured.free_times, None),
    ];
    for (k, panel) in panels.iter().enumerate() {
        draw(&mut sheet, panel, PANEL * DVec2::new((k % 2) as f64, (2 - k / 2) as f64));
    }
    sheet.head(&format!("{} to {} s", brief(measured.from), brief(measured.until)));
    sheet.png()
}

/// Draws a panel with its lower left corner at a place.
fn draw(sheet: &mut Sheet, panel: &Panel<'_>, corner: DVec2) {
    let points: Vec<[f64; 2]> =
        panel.points.iter().copied().filter(|point| point.iter().all(|x| x.is_finite())).collect();
    sheet.text(corner + DVec2::new(0.5 * AXES.x, AXES.y + 0.5), LETTERS * 1.2, panel.title, Rgb::INK);
    let frame = [DVec2::ZERO, DVec2::new(AXES.x, 0.0), AXES, DVec2::new(0.0, AXES.y), DVec2::ZERO];
    sheet.stroke(&frame.map(|point| corner + point), 0.02, GREY, 1.0);
    if points.is_empty() {
        sheet.text(corner + 0.5 * AXES, LETTERS, "not measured of this scene", GREY);
        return;
    }
    let range = |axis: usize| {
        let ends = points.iter().map(|point| point[axis]);
        let (low, high) = ends.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        // From 0 on, unless all are far from it.
        let low = if low > 0.5 * high && axis == 0 { low } else { low.min(0.0) };
        if high > low { [low, high] } else { [low, low + 1.0] }
    };
    let [[left, right], [bottom, top]] = [range(0), range(1)];
    let top = bottom + 1.05 * (top - bottom);
    let place = |x: f64, y: f64| {
        corner + DVec2::new((x - left) / (right - left), (y - bottom) / (top - bottom)) * AXES
    };
    if let Some(level) = panel.level.filter(|level| (bottom..top).contains(level)) {
        sheet.stroke(&[place(left, level), place(right, level)], 0.02, GREY, 0.6);
    }
    let curve: Vec<DVec2> = points.iter().map(|&[x, y]| place(x, y)).collect();
    sheet.stroke(&curve, 0.06, CURVE, 1.0);
    for (x, words) in ticks(left, right) {
        sheet.text(place(x, bottom) - DVec2::new(0.0, 0.35), LETTERS, &words, GREY);
    }
    for (y, words) in ticks(bottom, top) {
        sheet.text(place(left, y) - DVec2::new(0.7, 0.0), LETTERS, &words, GREY);
    }
    sheet.text(corner + DVec2::new(0.5 * AXES.x, -0.85), LETTERS, panel.across, Rgb::INK);
}

/// The round numbers of an axis, multiples of 1, 2 or 5 times a power of ten, and how they are written.
fn ticks(low: f64, high: f64) -> impl Iterator<Item = (f64, String)> {
    let least = (high - low) / STEPS;
    let power = 10.0_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    (0..=STEPS as u32)
        .map(move |k| (first + f64::from(k)) * step)
        .take_while(move |at| *at <= high)
        .map(move |at| (at, number(at, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let words = |low, high| ticks(low, high).map(|(_, words)| words).collect::<Vec<_>>();
        assert_eq!(words(0.0, 1.723), ["0", "0.5", "1", "1.5"]);
        assert_eq!(words(0.3, 3.0), ["1", "2", "3"]);
        assert_eq!(words(0.0, 0.00525), ["0", "0.002", "0.004"]);
        assert_eq!(words(-3.0, 95.0), ["0", "20", "40", "60", "80"]);
    }
}
