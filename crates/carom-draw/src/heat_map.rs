//! A number for each cell of a grid, as colours.

use glam::DVec2;

use crate::canvas::{Canvas, Ends};
use crate::clip::Area;
use crate::lettering::{Anchor, Lettering, Weight};
use crate::{DrawError, Rgb, Style, picture};

const PAPER: Rgb = Rgb(0xf7, 0xf6, 0xf1);
const INK: Rgb = Rgb(0x2b, 0x2d, 0x33);
const GREY: Rgb = Rgb(0x6b, 0x6d, 0x73);
const MISSING: Rgb = Rgb(0xd6, 0xd5, 0xcf);

/// From the least to the greatest value: even steps of lightness, in the order of night, sea, sand.
const SCALE: [Rgb; 5] = [
    Rgb(0x1d, 0x1b, 0x3f),
    Rgb(0x1f, 0x4f, 0x7d),
    Rgb(0x1f, 0x8f, 0x8a),
    Rgb(0x8c, 0xc0, 0x5f),
    Rgb(0xfb, 0xe7, 0x7a),
];

/// The most cells.
const MOST_CELLS: usize = 4_000_000;

/// Parts of an axis between numbers.
const TICKS: usize = 4;

/// An axis of a [`HeatMap`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Axis {
    /// What varies along it, with its unit.
    pub label: String,
    /// The value at its beginning: the left or lower edge of the first cell.
    pub from: f64,
    /// The value at its end.
    pub to: f64,
}

/// A number for each cell of a grid, as its colour: what comes of two things that are varied.
///
/// ```
/// use carom_draw::{Axis, HeatMap};
///
/// let map = HeatMap {
///     title: "A saddle".into(),
///     measure: "x y".into(),
///     across: Axis { label: "x".into(), from: -1.0, to: 1.0 },
///     upwards: Axis { label: "y".into(), from: -1.0, to: 1.0 },
///     columns: 3,
///     values: vec![Some(1.0), Some(0.0), Some(-1.0), Some(0.0), None, Some(0.0)],
///     width: 400,
/// };
/// assert!(map.png()?.starts_with(b"\x89PNG"));
/// # Ok::<(), carom_draw::DrawError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct HeatMap {
    /// The line above it.
    pub title: String,
    /// What the colours mean.
    pub measure: String,
    /// From left to right.
    pub across: Axis,
    /// From the bottom up.
    pub upwards: Axis,
    /// How many cells there are in a row.
    pub columns: usize,
    /// The values, row by row from the lower left; cells without one are grey.
    pub values: Vec<Option<f64>>,
    /// Pixels across, within the range of [`Style::width`](crate::Style); four fifths of that down.
    pub width: u32,
}

impl HeatMap {
    /// Draws it, as a PNG.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a width out of its range, rows that are not full, no cells or more than
    /// four million, and numbers that are not finite.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        DrawError::check("width", self.width, Style::MIN_WIDTH..=Style::MAX_WIDTH)?;
        let cells = self.values.len();
        DrawError::check("number of cells", cells, 1..=MOST_CELLS)?;
        DrawError::check("columns", self.columns, 1..=cells)?;
        DrawError::check("cells beyond the last full row", cells % self.columns, 0..=0)?;
        let most = f64::MAX / 8.0;
        let values = self.values.iter().flatten().map(|&value| ("value", value));
        let edges = [&self.across, &self.upwards].map(|axis| [("from", axis.from), ("to", axis.to)]);
        for (field, number) in edges.into_iter().flatten().chain(values) {
            DrawError::check(field, number, -most..=most)?;
        }
        let height = (4 * self.width).div_ceil(5);
        let mut canvas = Canvas::new(self.width, height, PAPER)?;
        Sheet::new(self, f64::from(self.width), f64::from(height)).draw(&mut canvas);
        picture::encode(&canvas)
    }

    /// The least and the greatest value.
    fn ends(&self) -> [f64; 2] {
        let values = self.values.iter().flatten();
        let ends = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, greatest], &value| {
            [least.min(value), greatest.max(value)]
        });
        if ends[0] <= ends[1] { ends } else { [0.0, 0.0] }
    }
}

/// The colour at a share of the scale, 0 to 1.
fn colour_at(share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let below = (place as usize).min(SCALE.len() - 2);
    SCALE[below].mix(SCALE[below + 1], place - below as f64)
}

/// A number of an axis: as many digits as its step asks for.
fn shown(value: f64, step: f64) -> String {
    let decimals = if step > 0.0 { (2.0 - libm::log10(step).floor()).clamp(0.0, 9.0) } else { 2.0 };
    let text = format!("{value:.*}", decimals as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// Where everything is on the sheet.
struct Sheet<'m> {
    map: &'m HeatMap,
    lettering: Lettering,
    plot: Area,
    scale: Area,
    /// The height of letters.
    text: f64,
}

impl<'m> Sheet<'m> {
    fn new(map: &'m HeatMap, width: f64, height: f64) -> Self {
        let text = width / 48.0;
        let (left, right) = ((5.6 * text).round(), (width - 8.4 * text).round());
        let (top, bottom) = ((5.0 * text).round(), (height - 4.6 * text).round());
        let plot = Area::new(DVec2::new(left, top), DVec2::new(right, bottom));
        let scale = Area::new(
            DVec2::new((right + 1.4 * text).round(), top),
            DVec2::new((right + 2.8 * text).round(), bottom),
        );
        Self { map, lettering: Lettering::new(), plot, scale, text }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let (plot, text) = (self.plot, self.text);
        let room = plot.size().x + 6.0 * text;
        let title = self.lettering.fitted(&self.map.title, 1.25 * text, Weight::Bold, room);
        let at = DVec2::new(plot.min.x, 2.2 * text);
        self.lettering.write(canvas, &title, at, Anchor::Left, 1.25 * text, Weight::Bold, INK);
        self.cells(canvas);
        self.colours(canvas);
        self.axes(canvas);
    }

    fn cells(&self, canvas: &mut Canvas) {
        let (plot, map) = (self.plot, self.map);
        let [least, greatest] = map.ends();
        let light = |value: Option<f64>| match value {
            Some(value) if greatest > least => colour_at((value - least) / (greatest - least)).light(),
            Some(_) => colour_at(0.5).light(),
            None => MISSING.light(),
        };
        let lights: Vec<[f32; 3]> = map.values.iter().map(|&value| light(value)).collect();
        let (columns, rows) = (map.columns, map.values.len() / map.columns);
        let across = plot.size().x as usize;
        let down = plot.size().y as usize;
        let mut line = vec![[0.0_f32; 4]; across];
        for y in 0..down {
            let row = rows - 1 - (y * rows / down).min(rows - 1);
            for (x, pixel) in line.iter_mut().enumerate() {
                let [red, green, blue] = lights[row * columns + x * columns / across];
                *pixel = [red, green, blue, 1.0];
            }
            canvas.cover(plot.min.x as usize, plot.min.y as usize + y, &line);
        }
    }

    /// The scale of colours, with what they mean.
    fn colours(&self, canvas: &mut Canvas) {
        let (area, text) = (self.scale, self.text);
        let (across, down) = (area.size().x as usize, area.size().y as usize);
        for y in 0..down {
            let [red, green, blue] = colour_at(1.0 - (y as f64 + 0.5) / down as f64).light();
            let line = vec![[red, green, blue, 1.0]; across];
            canvas.cover(area.min.x as usize, area.min.y as usize + y, &line);
        }
        let [least, greatest] = self.map.ends();
        for k in 0..=TICKS {
            let share = k as f64 / TICKS as f64;
            let y = area.max.y - share * area.size().y;
            let words = shown(least + (greatest - least) * share, (greatest - least) / TICKS as f64);
            let at = DVec2::new(area.max.x + 0.5 * text, y + 0.3 * text);
            self.lettering.write(canvas, &words, at, Anchor::Left, 0.92 * text, Weight::Regular, GREY);
        }
        let room = 0.55 * self.plot.size().x;
        let words = self.lettering.fitted(&self.map.measure, text, Weight::Regular, room);
        let at = DVec2::new(area.max.x + 4.4 * text, self.plot.min.y - 1.3 * text);
        self.lettering.write(canvas, &words, at, Anchor::Right, text, Weight::Regular, INK);
    }

    fn axes(&self, canvas: &mut Canvas) {
        let (plot, text, map) = (self.plot, self.text, self.map);
        let size = 0.92 * text;
        for k in 0..=TICKS {
            let share = k as f64 / TICKS as f64;
            let at = |axis: &Axis| {
                let step = (axis.to - axis.from).abs() / TICKS as f64;
                shown(axis.from + (axis.to - axis.from) * share, step)
            };
            let x = plot.min.x + share * plot.size().x;
            let mark = [DVec2::new(x, plot.max.y), DVec2::new(x, plot.max.y + 0.4 * text)];
            canvas.line(&mark, 0.08 * text, Ends::Flat, GREY, 1.0);
            let below = DVec2::new(x, plot.max.y + 1.2 * text);
            self.lettering.write(
                canvas,
                &at(&map.across),
                below,
                Anchor::Middle,
                size,
                Weight::Regular,
                GREY,
            );
            let y = plot.max.y - share * plot.size().y;
            let mark = [DVec2::new(plot.min.x, y), DVec2::new(plot.min.x - 0.4 * text, y)];
            canvas.line(&mark, 0.08 * text, Ends::Flat, GREY, 1.0);
            let beside = DVec2::new(plot.min.x - 0.7 * text, y + 0.3 * text);
            self.lettering.write(
                canvas,
                &at(&map.upwards),
                beside,
                Anchor::Right,
                size,
                Weight::Regular,
                GREY,
            );
        }
        let middle = DVec2::new(0.5 * (plot.min.x + plot.max.x), plot.max.y + 3.0 * text);
        self.lettering.write(canvas, &map.across.label, middle, Anchor::Middle, text, Weight::Regular, INK);
        let above = DVec2::new(0.4 * text, plot.min.y - 1.3 * text);
        self.lettering.write(canvas, &map.upwards.label, above, Anchor::Left, text, Weight::Regular, INK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: usize, values: Vec<Option<f64>>) -> HeatMap {
        let axis = |label: &str| Axis { label: label.into(), from: 0.0, to: 1.0 };
        let (across, upwards) = (axis("a"), axis("b"));
        HeatMap { title: "t".into(), measure: "m".into(), across, upwards, columns, values, width: 480 }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let one = || vec![Some(1.0)];
        for (map, field) in [
            (of(1, vec![]), "number of cells"),
            (of(0, one()), "columns"),
            (of(2, vec![None; 3]), "cells beyond"),
            (of(1, vec![Some(f64::NAN)]), "value"),
            (HeatMap { width: 1, ..of(1, one()) }, "width"),
            (HeatMap { across: Axis { to: f64::INFINITY, ..Axis::default() }, ..of(1, one()) }, "to"),
        ] {
            assert!(map.png().unwrap_err().to_string().starts_with(field));
        }
        assert!(of(1, one()).png().is_ok() && of(1, vec![None]).png().is_ok());
    }

    /// The first value is at the lower left, and the ends of the scale are the least and the greatest.
    #[test]
    fn cells_are_where_they_belong() {
        let map = of(2, vec![Some(-3.0), Some(5.0), None, Some(1.0)]);
        let sheet = Sheet::new(&map, 480.0, 384.0);
        let mut canvas = Canvas::new(480, 384, PAPER).unwrap();
        sheet.draw(&mut canvas);
        let pixel = |right: f64, up: f64| {
            let x = (sheet.plot.min.x + right * sheet.plot.size().x) as usize;
            let y = (sheet.plot.max.y - up * sheet.plot.size().y) as usize;
            let at = 3 * (y * 480 + x);
            Rgb(canvas.rgb()[at], canvas.rgb()[at + 1], canvas.rgb()[at + 2])
        };
        let found = [pixel(0.25, 0.25), pixel(0.75, 0.25), pixel(0.25, 0.75), pixel(0.75, 0.75)];
        for (found, expected) in found.into_iter().zip([SCALE[0], SCALE[4], MISSING, SCALE[2]]) {
            assert!(found.distance(expected) < 0.01, "{found:?} {expected:?}");
        }
    }

    /// Lightness rises evenly enough that a copy without colours says the same.
    #[test]
    fn the_scale_becomes_lighter_all_the_way() {
        let lightness: Vec<f64> = (0..=20).map(|k| colour_at(f64::from(k) / 20.0).lightness()).collect();
        assert!(lightness.windows(2).all(|pair| pair[1] > pair[0] + 0.015), "{lightness:?}");
    }

    #[test]
    fn numbers_have_the_digits_that_they_need() {
        assert_eq!([shown(2.0, 0.5), shown(-0.0, 1.0), shown(91.25, 0.25)], ["2", "0", "91.25"]);
        assert_eq!([shown(0.125, 0.125), shown(3e4, 1e4)], ["0.125", "30000"]);
    }
}
