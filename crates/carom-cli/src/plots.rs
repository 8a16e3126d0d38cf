//! Curves of what was measured: six panels.

use crate::heat_map::number;
use crate::measured::Measured;
use carom_draw::{DrawError, Rgb, Sheet, Style};
use carom_engine::DVec2;

const WIDTH: u32 = 1600;
/// The size of a panel, from its lower left corner to that of the next, and of the axes in it.
const PANEL: DVec2 = DVec2::new(12.0, 8.4);
const AXES: DVec2 = DVec2::new(10.0, 6.0);
const TICKS: u32 = 4;
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
    for k in 0..=TICKS {
        let share = f64::from(k) / f64::from(TICKS);
        let (x, y) = (left + (right - left) * share, bottom + (top - bottom) * share);
        let steps = [(right - left) / f64::from(TICKS), (top - bottom) / f64::from(TICKS)];
        sheet.text(place(x, bottom) - DVec2::new(0.0, 0.35), LETTERS, &number(x, steps[0]), GREY);
        sheet.text(place(left, y) - DVec2::new(0.7, 0.0), LETTERS, &number(y, steps[1]), GREY);
    }
    sheet.text(corner + DVec2::new(0.5 * AXES.x, -0.85), LETTERS, panel.across, Rgb::INK);
}
