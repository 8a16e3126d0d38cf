//! Small plots, and numbers to be read.

use crate::polyline;
use eframe::egui::{Color32, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

/// A curve in a frame, as large as the panel is wide. Gives the frame, the first and last time, and the least
/// and greatest value.
pub(crate) fn curve(
    ui: &mut Ui,
    height: f32,
    points: &[(f64, f64)],
    colour: Color32,
    zero: bool,
) -> Option<(Rect, [f64; 4])> {
    let (response, painter) = ui.allocate_painter(vec2(ui.available_width() - 4.0, height), Sense::hover());
    let rect = response.rect.shrink(2.0);
    painter.rect_filled(response.rect, 3.0, ui.visuals().extreme_bg_color);
    let finite: Vec<(f64, f64)> =
        points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let (first, last) = (finite.first()?, finite.last()?);
    let fold = |of: fn(f64, f64) -> f64, start: f64| finite.iter().map(|point| point.1).fold(start, of);
    let (mut low, mut high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
    if zero {
        (low, high) = (low.min(0.0), high.max(0.0));
    }
    // A constant is a line in the middle, and rounding is no curve.
    let least = 1e-12 * low.abs().max(high.abs()).max(1e-300);
    if high - low < least {
        (low, high) = (low - least, high + least);
    }
    let bounds = [first.0, last.0.max(first.0 + 1e-300), low, high];
    if zero {
        let (left, right) = (place(rect, bounds, (bounds[0], 0.0)), place(rect, bounds, (bounds[1], 0.0)));
        painter.line_segment([left, right], Stroke::new(1.0, ui.visuals().weak_text_color()));
    }
    let points = finite.iter().map(|&point| place(rect, bounds, point));
    polyline::draw(&painter, points, Stroke::new(1.5, colour));
    Some((rect, bounds))
}

/// Where a point of a curve is on the screen.
pub(crate) fn place(rect: Rect, [x0, x1, y0, y1]: [f64; 4], (x, y): (f64, f64)) -> Pos2 {
    let part = |value: f64, from: f64, to: f64| ((value - from) / (to - from)).clamp(-1.0, 2.0) as f32;
    pos2(rect.left() + rect.width() * part(x, x0, x1), rect.bottom() - rect.height() * part(y, y0, y1))
}

/// A number with groups of three digits, rounded to a whole one.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    if number < 0.0 { format!("−{text}") } else { text }
}

/// A number with this many digits that count.
pub(crate) fn digits(number: f64, count: i32) -> String {
    let before = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 + 1 };
    format!("{number:.*}", (count - before).clamp(0, 12) as usize)
}
