//! A number for each cell of a grid, as its colour.

use carom_draw::{DrawError, Rgb, Sheet, Style};
use carom_engine::DVec2;

/// Pixels from left to right.
const WIDTH: u32 = 1200;
/// The upper right corner of the cells on the sheet; the lower left one is the origin.
const CORNER: DVec2 = DVec2::new(12.0, 9.0);
/// Left and right edge of the scale of colours, and how many steps it has.
const SCALE_AT: [f64; 2] = [12.4, 12.8];
const SCALE_STEPS: u32 = 180;
/// Parts of an axis between numbers.
const TICKS: u32 = 4;
const LETTERS: f64 = 0.22;

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

/// What varies along an axis, with its unit, and the values at its ends.
#[derive(Default)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

pub(crate) struct HeatMap {
    pub(crate) title: String,
    /// What the colours mean.
    pub(crate) measure: String,
    pub(crate) across: Axis,
    pub(crate) upwards: Axis,
    /// How many cells there are in a row.
    pub(crate) columns: usize,
    /// Row by row from the lower left; cells without a value are grey.
    pub(crate) values: Vec<Option<f64>>,
}

impl HeatMap {
    pub(crate) fn png(&self) -> Result<Vec<u8>, DrawError> {
        let bounds = Some((DVec2::new(-0.9, -0.9), DVec2::new(13.7, 9.6)));
        let title = Some(self.title.clone());
        let mut sheet = Sheet::new(&Style { title, bounds, width: WIDTH, ..Style::default() })?;
        let values = self.values.iter().flatten();
        let [least, greatest] =
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], &value| [a.min(value), b.max(value)]);
        for k in 0..self.values.len() {
            let ([min, max], colour) = self.cell(k, [least, greatest]);
            // A pixel and a half more, which the next cells cover: no paper shines through between them.
            rectangle(&mut sheet, min, (max + 0.02).min(CORNER), colour);
        }
        let step = CORNER.y / f64::from(SCALE_STEPS);
        for k in 0..SCALE_STEPS {
            let [left, right] = SCALE_AT.map(|x| DVec2::new(x, f64::from(k) * step));
            let colour = colour_at((f64::from(k) + 0.5) / f64::from(SCALE_STEPS));
            rectangle(&mut sheet, left, DVec2::new(right.x, (right.y + 2.0 * step).min(CORNER.y)), colour);
        }
        for k in 0..=TICKS {
            let share = f64::from(k) / f64::from(TICKS);
            let mut write = |x: f64, y: f64, from: f64, to: f64| {
                let words = number(from + (to - from) * share, (to - from) / f64::from(TICKS));
                sheet.text(DVec2::new(x, y), LETTERS, &words, GREY);
            };
            write(share * CORNER.x, -0.3, self.across.from, self.across.to);
            write(-0.45, share * CORNER.y, self.upwards.from, self.upwards.to);
            if least <= greatest {
                write(SCALE_AT[1] + 0.45, share * CORNER.y, least, greatest);
            }
        }
        sheet.text(DVec2::new(0.5 * CORNER.x, -0.65), LETTERS, &self.across.label, Rgb::INK);
        sheet.text(DVec2::new(0.6, CORNER.y + 0.35), LETTERS, &self.upwards.label, Rgb::INK);
        sheet.head(&self.measure);
        sheet.png()
    }

    /// The corners and the colour of a cell.
    fn cell(&self, k: usize, [least, greatest]: [f64; 2]) -> ([DVec2; 2], Rgb) {
        let size = CORNER / DVec2::new(self.columns as f64, self.values.len().div_ceil(self.columns) as f64);
        let min = DVec2::new((k % self.columns) as f64, (k / self.columns) as f64) * size;
        let share = |value: f64| if greatest > least { (value - least) / (greatest - least) } else { 0.5 };
        let colour = self.values[k].map_or(MISSING, |value| colour_at(share(value)));
        ([min, min + size], colour)
    }
}

fn rectangle(sheet: &mut Sheet, min: DVec2, max: DVec2, colour: Rgb) {
    sheet.fill(&[min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)], colour, 1.0);
}

/// The colour at a share of the scale, 0 to 1.
fn colour_at(share: f64) -> Rgb {
    let place = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let below = (place as usize).min(SCALE.len() - 2);
    SCALE[below].mix(SCALE[below + 1], place - below as f64)
}

/// A number of an axis: as many digits as its step asks for.
pub(crate) fn number(value: f64, step: f64) -> String {
    let power: i32 = format!("{step:e}").rsplit('e').next().and_then(|power| power.parse().ok()).unwrap_or(0);
    let text = format!("{value:.*}", (2 - power).clamp(0, 9) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness rises evenly enough that a copy without colours says the same.
    #[test]
    fn the_scale_becomes_lighter_all_the_way() {
        let lightness: Vec<f64> = (0..=20).map(|k| colour_at(f64::from(k) / 20.0).lightness()).collect();
        assert!(lightness.windows(2).all(|pair| pair[1] > pair[0] + 0.015), "{lightness:?}");
    }

    #[test]
    fn numbers_have_the_digits_that_they_need() {
        assert_eq!([number(2.0, 0.5), number(-0.0, 1.0), number(91.25, 0.25)], ["2", "0", "91.25"]);
        assert_eq!([number(0.125, 0.125), number(3e4, 1e4)], ["0.125", "30000"]);
    }

    fn map(columns: usize, values: Vec<Option<f64>>) -> HeatMap {
        let [across, upwards] = [(); 2].map(|()| Axis { label: "a".into(), from: 0.0, to: 1.0 });
        HeatMap { title: "t".into(), measure: "m".into(), across, upwards, columns, values }
    }

    #[test]
    fn cells_are_where_they_belong() {
        let map = map(2, vec![Some(-3.0), Some(5.0), None, Some(1.0)]);
        let middle = 0.5 * CORNER;
        let expected = [
            ([DVec2::ZERO, middle], SCALE[0]),
            ([DVec2::new(middle.x, 0.0), DVec2::new(CORNER.x, middle.y)], SCALE[4]),
            ([DVec2::new(0.0, middle.y), DVec2::new(middle.x, CORNER.y)], MISSING),
            ([middle, CORNER], SCALE[2]),
        ];
        assert_eq!([0, 1, 2, 3].map(|k| map.cell(k, [-3.0, 5.0])), expected);
    }

    #[test]
    fn maps_of_one_value_and_of_none_are_drawn() {
        for values in [vec![Some(1.0)], vec![None]] {
            assert!(map(1, values).png().is_ok());
        }
    }
}
