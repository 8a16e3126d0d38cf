use carom::{DVec2, WallShape};
use carom_draw::{DrawError, Rgb, Sheet, Style, Surface};

/// What a game is drawn on: a [`Sheet`], or whatever else can do this much. Lengths are those of the game,
/// opacities go from 0 to 1.
pub trait Board {
    /// A polygon.
    fn fill(&mut self, points: &[DVec2], colour: Rgb, opacity: f64);
    /// A line from point to point.
    fn stroke(&mut self, points: &[DVec2], width: f64, colour: Rgb, opacity: f64);
    /// A disc of one colour.
    fn fill_disc(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64);
    /// A light that fades out to the radius.
    fn glow(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64);
    /// A disc that looks like a ball.
    fn ball(&mut self, center: DVec2, radius: f64, colour: Rgb);
    /// A circle, of a line as wide as this.
    fn ring(&mut self, center: DVec2, radius: f64, width: f64, colour: Rgb, opacity: f64);
    /// A line that begins transparent.
    fn fading(&mut self, from: DVec2, to: DVec2, width: f64, colour: Rgb, opacity: f64);
    /// A wall.
    fn wall(&mut self, shape: &WallShape);
    /// A word, centred, with letters of this size.
    fn text(&mut self, at: DVec2, size: f64, words: &str, colour: Rgb);
}

/// An empty sheet of this width for what is between two corners.
pub(crate) fn empty_sheet(
    title: &str,
    bounds: (DVec2, DVec2),
    ground: Rgb,
    width: u32,
) -> Result<Sheet, DrawError> {
    let surface = Surface::Plain(ground);
    Sheet::new(&Style { title: Some(title.into()), bounds: Some(bounds), surface, width, ..Style::default() })
}

impl Board for Sheet {
    fn fill(&mut self, points: &[DVec2], colour: Rgb, opacity: f64) {
        Sheet::fill(self, points, colour, opacity);
    }

    fn stroke(&mut self, points: &[DVec2], width: f64, colour: Rgb, opacity: f64) {
        Sheet::stroke(self, points, width, colour, opacity);
    }

    fn fill_disc(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64) {
        Sheet::fill_disc(self, center, radius, colour, opacity);
    }

    fn glow(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64) {
        Sheet::glow(self, center, radius, colour, opacity);
    }

    fn ball(&mut self, center: DVec2, radius: f64, colour: Rgb) {
        Sheet::ball(self, center, radius, colour, None);
    }

    fn ring(&mut self, center: DVec2, radius: f64, width: f64, colour: Rgb, opacity: f64) {
        Sheet::ring(self, center, radius, width, colour, opacity);
    }

    fn fading(&mut self, from: DVec2, to: DVec2, width: f64, colour: Rgb, opacity: f64) {
        Sheet::fading(self, from, to, width, colour, opacity);
    }

    fn wall(&mut self, shape: &WallShape) {
        Sheet::wall(self, shape);
    }

    fn text(&mut self, at: DVec2, size: f64, words: &str, colour: Rgb) {
        Sheet::text(self, at, size, words, colour);
    }
}
