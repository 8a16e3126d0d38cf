//! Counts beside what they are expected to be.

use glam::DVec2;

use crate::canvas::{Canvas, Ends};
use crate::clip::Area;
use crate::lettering::{Anchor, Lettering, Weight};
use crate::{DrawError, Rgb, Style, picture};

const PAPER: Rgb = Rgb(0xf7, 0xf6, 0xf1);
const PLOT: Rgb = Rgb(0xff, 0xff, 0xff);
const INK: Rgb = Rgb(0x2b, 0x2d, 0x33);
const GREY: Rgb = Rgb(0x6b, 0x6d, 0x73);
const FAINT: Rgb = Rgb(0xe2, 0xe1, 0xdb);
const COUNTED: Rgb = Rgb(0x17, 0x79, 0x9c);
const EXPECTED: Rgb = Rgb(0xe4, 0x57, 0x2e);

/// The largest number of bars.
const MOST_BARS: usize = 200;

/// A bar of a [`Histogram`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bar {
    /// What is written below it, under the count.
    pub label: String,
    /// How many there are.
    pub count: f64,
    /// How many are expected: drawn as a dot.
    pub expected: f64,
    /// The standard deviation of that: a line reaches from two of them below the dot to two above.
    pub deviation: f64,
}

/// Counts as bars, each beside what is expected: for the bins of a Galton board, speeds, free times.
///
/// ```
/// use carom_draw::{Bar, Histogram};
///
/// # fn main() -> Result<(), carom_draw::DrawError> {
/// let counts = [4.0, 7.0, 5.0];
/// let expected = [4.0, 8.0, 4.0];
/// let bar = |(count, expected): (f64, f64)| Bar {
///     label: format!("{expected} of 16"),
///     count,
///     expected,
///     deviation: (expected * (1.0 - expected / 16.0)).sqrt(),
/// };
/// let histogram = Histogram {
///     title: "Two coins, sixteen times".into(),
///     caption: "The dots are the binomial distribution, the lines two standard deviations.".into(),
///     bars: counts.into_iter().zip(expected).map(bar).collect(),
///     width: 600,
/// };
/// assert!(histogram.png()?.starts_with(b"\x89PNG"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Histogram {
    /// The line above it.
    pub title: String,
    /// The line below it.
    pub caption: String,
    /// From left to right.
    pub bars: Vec<Bar>,
    /// Pixels across, within the range of [`Style::width`](crate::Style); three fifths of that down.
    pub width: u32,
}

impl Histogram {
    /// Draws it, as a PNG.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a width out of its range, no bars or more than 200, and numbers that are
    /// negative or not finite.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        DrawError::check("width", self.width, Style::MIN_WIDTH..=Style::MAX_WIDTH)?;
        DrawError::check("number of bars", self.bars.len(), 1..=MOST_BARS)?;
        for bar in &self.bars {
            for (field, value) in
                [("count", bar.count), ("expected", bar.expected), ("deviation", bar.deviation)]
            {
                DrawError::check(field, value, 0.0..=f64::MAX / 8.0)?;
            }
        }
        let height = (3 * self.width).div_ceil(5);
        let mut canvas = Canvas::new(self.width, height, PAPER)?;
        Sheet::new(self, f64::from(self.width), f64::from(height)).draw(&mut canvas);
        picture::encode(&canvas)
    }

    /// The highest that is drawn.
    fn highest(&self) -> f64 {
        let top = |bar: &Bar| bar.count.max(bar.expected + 2.0 * bar.deviation);
        self.bars.iter().map(top).fold(0.0, f64::max)
    }
}

/// Where everything is on the sheet.
struct Sheet<'h> {
    histogram: &'h Histogram,
    lettering: Lettering,
    plot: Area,
    /// The height of letters.
    text: f64,
    /// The value at the upper edge of the plot.
    most: f64,
}

impl<'h> Sheet<'h> {
    fn new(histogram: &'h Histogram, width: f64, height: f64) -> Self {
        let text = width / 55.0;
        let min = DVec2::new(1.6 * text, 3.4 * text);
        let max = DVec2::new(width - 1.6 * text, height - 7.4 * text);
        let highest = histogram.highest();
        let most = if highest > 0.0 { 1.12 * highest } else { 1.0 };
        Self { histogram, lettering: Lettering::new(), plot: Area::new(min, max), text, most }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let (plot, text) = (self.plot, self.text);
        let at = DVec2::new(plot.min.x, 2.2 * text);
        let title = self.lettering.fitted(&self.histogram.title, 1.25 * text, Weight::Bold, plot.size().x);
        self.lettering.write(canvas, &title, at, Anchor::Left, 1.25 * text, Weight::Bold, INK);
        canvas.rounded(&plot, 0.3 * text, PLOT, 1.0);
        canvas.rounded_line(&plot, 0.3 * text, 0.08 * text, FAINT, 1.0);
        for k in 0..self.histogram.bars.len() {
            self.bar(canvas, k);
        }
        self.key(canvas);
        let caption = self.lettering.fitted(&self.histogram.caption, text, Weight::Regular, plot.size().x);
        let at = DVec2::new(plot.min.x, plot.max.y + 6.2 * text);
        self.lettering.write(canvas, &caption, at, Anchor::Left, text, Weight::Regular, INK);
    }

    fn height_of(&self, value: f64) -> f64 {
        self.plot.max.y - self.plot.size().y * (value / self.most)
    }

    fn bar(&self, canvas: &mut Canvas, k: usize) {
        let bar = &self.histogram.bars[k];
        let step = self.plot.size().x / self.histogram.bars.len() as f64;
        let middle = self.plot.min.x + (k as f64 + 0.5) * step;
        let (half, foot, top) = (0.36 * step, self.plot.max.y, self.height_of(bar.count));
        let corner = |x: f64, y: f64| DVec2::new(middle + x, y);
        let outline = [corner(-half, foot), corner(-half, top), corner(half, top), corner(half, foot)];
        canvas.polygon(&outline, COUNTED, 0.85);
        let size = (0.92 * self.text).min(0.5 * step);
        let mut below = |words: &str, lines: f64, weight: Weight, ink: Rgb| {
            let at = corner(0.0, foot + lines * self.text);
            let words = self.lettering.fitted(words, size, weight, step);
            self.lettering.write(canvas, &words, at, Anchor::Middle, size, weight, ink);
        };
        below(&format!("{}", bar.count), 1.1, Weight::Bold, COUNTED);
        below(&bar.label, 2.5, Weight::Regular, GREY);
        self.mark(canvas, middle, bar, 0.22 * half.min(2.0 * self.text));
    }

    /// The dot of what is expected, with two standard deviations to either side.
    fn mark(&self, canvas: &mut Canvas, x: f64, bar: &Bar, half: f64) {
        let reach = 2.0 * bar.deviation;
        let high = DVec2::new(x, self.height_of(bar.expected + reach));
        let low = DVec2::new(x, self.height_of((bar.expected - reach).max(0.0)));
        let width = 0.14 * self.text;
        let across = DVec2::new(half, 0.0);
        for line in [[low, high], [low - across, low + across], [high - across, high + across]] {
            canvas.line(&line, width, Ends::Flat, EXPECTED, 1.0);
        }
        canvas.disc(DVec2::new(x, self.height_of(bar.expected)), 0.32 * self.text, EXPECTED, 1.0);
    }

    /// What bars and dots are.
    fn key(&self, canvas: &mut Canvas) {
        let (text, line) = (self.text, self.plot.max.y + 4.4 * self.text);
        let mut x = self.plot.min.x;
        for (ink, words) in [(COUNTED, "counted"), (EXPECTED, "expected, ± 2 standard deviations")] {
            canvas.disc(DVec2::new(x + 0.4 * text, line), 0.36 * text, ink, 1.0);
            let at = DVec2::new(x + 1.2 * text, line + 0.3 * text);
            self.lettering.write(canvas, words, at, Anchor::Left, 0.92 * text, Weight::Regular, GREY);
            x += 2.8 * text + self.lettering.width(words, 0.92 * text, Weight::Regular);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bars: Vec<Bar>) -> Histogram {
        Histogram { title: "t".into(), caption: "c".into(), bars, width: 400 }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let bar = |count| Bar { count, ..Bar::default() };
        for (histogram, field) in [
            (of(vec![]), "number of bars"),
            (of(vec![bar(-1.0)]), "count"),
            (of(vec![bar(f64::NAN)]), "count"),
            (Histogram { width: 1, ..of(vec![bar(1.0)]) }, "width"),
        ] {
            assert!(histogram.png().unwrap_err().to_string().starts_with(field));
        }
        assert!(of(vec![bar(0.0)]).png().is_ok());
    }

    /// Bars are as high as their counts: of two of which one is twice the other, by the pixels in the middle
    /// of each.
    #[test]
    fn bars_are_in_proportion() {
        let bar = |count| Bar { count, expected: count, ..Bar::default() };
        let histogram = of(vec![bar(10.0), bar(20.0)]);
        let sheet = Sheet::new(&histogram, 400.0, 240.0);
        let mut canvas = Canvas::new(400, 240, PAPER).unwrap();
        sheet.draw(&mut canvas);
        let column = |x: usize| {
            let is_bar = |y: &usize| {
                let pixel = &canvas.rgb()[3 * (y * 400 + x)..][..3];
                // Of the colour of a bar on white: much more blue than red.
                i32::from(pixel[2]) - i32::from(pixel[0]) > 60
            };
            (0..240).filter(is_bar).count() as f64
        };
        // A third from the left of each bar, beside the numbers.
        let [small, large] = [65, 255].map(column);
        assert!((large / small - 2.0).abs() < 0.05, "{small} and {large} pixels");
    }
}
