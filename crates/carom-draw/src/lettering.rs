//! Words and numbers, as outlines of an embedded font (Noto Sans).

use glam::DVec2;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::Rgb;
use crate::canvas::Canvas;

/// How thick the letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// Which point of the text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Left end of the base line.
    Left,
    /// Right end of the base line.
    Right,
    /// The middle of the text, half the height of a capital above the base line.
    Middle,
}

/// The fonts. They are part of the program; should one fail to parse, its text is left out.
pub(crate) struct Lettering {
    regular: Option<Face<'static>>,
    bold: Option<Face<'static>>,
}

/// Text longer than this is cut: what cannot be read must not cost time.
const MOST_CHARACTERS: usize = 400;

impl Lettering {
    pub(crate) fn new() -> Self {
        Self {
            regular: Face::parse(notosans::REGULAR_TTF, 0).ok(),
            bold: Face::parse(notosans::BOLD_TTF, 0).ok(),
        }
    }

    fn face(&self, weight: Weight) -> Option<&Face<'static>> {
        match weight {
            Weight::Regular => self.regular.as_ref(),
            Weight::Bold => self.bold.as_ref(),
        }
    }

    /// Width in pixels of a text `size` pixels high (em).
    pub(crate) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        self.face(weight).map_or(0.0, |face| advances(face, text).map(|(_, a)| a).sum::<f64>() * size)
    }

    /// The text, shortened with an ellipsis if it is wider than `room` pixels; empty if nothing fits.
    pub(crate) fn fitted(&self, text: &str, size: f64, weight: Weight, room: f64) -> String {
        let text: String = text.chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS).collect();
        if self.width(&text, size, weight) <= room {
            return text;
        }
        let letters: Vec<char> = text.chars().collect();
        (1..letters.len())
            .rev()
            .map(|n| letters[..n].iter().collect::<String>().trim_end().to_owned() + "…")
            .find(|shorter| self.width(shorter, size, weight) <= room)
            .unwrap_or_default()
    }

    /// Writes a text `size` pixels high (em).
    #[expect(
        clippy::too_many_arguments,
        reason = "a text is this much; a struct would be written once and read once"
    )]
    pub(crate) fn write(
        &self,
        canvas: &mut Canvas,
        text: &str,
        at: DVec2,
        anchor: Anchor,
        size: f64,
        weight: Weight,
        ink: Rgb,
    ) {
        if let Some(path) = self.path(text, at, anchor, size, weight) {
            canvas.fill_path(&path, ink, 1.0);
        }
    }

    fn path(&self, text: &str, at: DVec2, anchor: Anchor, size: f64, weight: Weight) -> Option<Path> {
        let face = self.face(weight)?;
        let scale = size / f64::from(face.units_per_em());
        let shift = match anchor {
            Anchor::Left => DVec2::ZERO,
            Anchor::Right => DVec2::new(-self.width(text, size, weight), 0.0),
            Anchor::Middle => {
                let capital = face.capital_height().map_or(0.7 * size, |h| f64::from(h) * scale);
                DVec2::new(-0.5 * self.width(text, size, weight), 0.5 * capital)
            }
        };
        let mut pen = Pen { builder: PathBuilder::new(), origin: at + shift, scale };
        for (glyph, advance) in advances(face, text) {
            face.outline_glyph(glyph, &mut pen);
            pen.origin.x += advance * size;
        }
        pen.builder.finish()
    }
}

/// Glyphs of a text and how far each moves the pen, in units of the text's size. A character that the font
/// lacks becomes its empty box.
fn advances<'a>(face: &'a Face<'static>, text: &'a str) -> impl Iterator<Item = (GlyphId, f64)> + 'a {
    let em = f64::from(face.units_per_em());
    text.chars().take(MOST_CHARACTERS).map(move |c| {
        let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
        (glyph, f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / em)
    })
}

/// Draws a glyph's outline at a place on the sheet; fonts count upwards, sheets downwards.
struct Pen {
    builder: PathBuilder,
    origin: DVec2,
    scale: f64,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let p = self.origin + DVec2::new(f64::from(x), -f64::from(y)) * self.scale;
        (p.x as f32, p.y as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fonts_are_there_and_digits_are_equally_wide() {
        let lettering = Lettering::new();
        for weight in [Weight::Regular, Weight::Bold] {
            let widths: Vec<f64> =
                "0123456789".chars().map(|c| lettering.width(&c.to_string(), 20.0, weight)).collect();
            assert!(widths[0] > 8.0 && widths.iter().all(|w| *w == widths[0]), "{widths:?}");
        }
    }

    #[test]
    fn anchors_put_the_text_where_they_say() {
        let lettering = Lettering::new();
        let bounds =
            |anchor| lettering.path("HH", DVec2::splat(100.0), anchor, 20.0, Weight::Bold).unwrap().bounds();
        let middle = bounds(Anchor::Middle);
        assert!((middle.left() + middle.right() - 200.0).abs() < 0.5);
        assert!((middle.top() + middle.bottom() - 200.0).abs() < 0.5);
        assert!(bounds(Anchor::Left).left() >= 100.0 && bounds(Anchor::Right).right() <= 100.0);
    }

    #[test]
    fn long_text_is_shortened_to_the_room() {
        let lettering = Lettering::new();
        let fit = |text: &str, room| lettering.fitted(text, 20.0, Weight::Regular, room);
        assert_eq!(fit("Nine-ball", 500.0), "Nine-ball");
        let short = fit("Nine-ball break\nat 8 m/s", 100.0);
        assert!(short.starts_with("Nine") && short.ends_with('…'), "{short}");
        assert!(lettering.width(&short, 20.0, Weight::Regular) <= 100.0);
        assert_eq!(fit("Nine-ball", 1.0), "");
        assert!(fit(&"x".repeat(100_000), 1e9).len() <= 400);
    }
}
