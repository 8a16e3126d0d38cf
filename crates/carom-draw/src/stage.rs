//! What picture and movie share: the empty stage, the discs on it, the words above.

use glam::DVec2;

use crate::ball::{Ball, Finish, LEAST_RADIUS};
use crate::canvas::Canvas;
use crate::lettering::{Anchor, Lettering, Weight};
use crate::palette::{Theme, disc_colours};
use crate::recording::{Mark, Recording};
use crate::tiles::Tiles;
use crate::view::View;
use crate::{DrawError, Rgb, table, wall};

/// A recording on a sheet of a certain size.
pub(crate) struct Stage<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) view: View,
    pub(crate) theme: Theme,
    pub(crate) colours: Vec<Rgb>,
    pub(crate) lettering: Lettering,
    pub(crate) tiles: Tiles,
}

/// From this many discs on there are no shadows, and in a movie no trails: they would be a haze.
const CROWD: usize = 400;
/// Up to this many discs are followed one by one: ghosts of their starts, impact points, strong trails.
const FEW: usize = 40;

impl<'a> Stage<'a> {
    pub(crate) fn new(recording: &'a Recording, width: u32, footer: bool) -> Self {
        let view = View::new(recording, width, footer);
        Self {
            tiles: Tiles::new(&view, recording.periods),
            view,
            theme: Theme::new(recording),
            colours: disc_colours(recording),
            lettering: Lettering::new(),
            recording,
        }
    }

    pub(crate) fn is_crowd(&self) -> bool {
        self.recording.actors.len() >= CROWD
    }

    /// The page with the surface, or the table, on it.
    pub(crate) fn ground(&self) -> Result<Canvas, DrawError> {
        let mut canvas = Canvas::new(self.view.width, self.view.height, self.theme.page)?;
        match &self.view.table {
            Some((_, field)) => table::draw(&mut canvas, &self.theme, field),
            None => wall::surface(&mut canvas, &self.view, &self.theme, self.recording),
        }
        Ok(canvas)
    }

    /// Walls and pockets.
    pub(crate) fn fixtures(&self, canvas: &mut Canvas) {
        let frame = self.view.table.as_ref().map(|(index, _)| *index);
        for (index, outline) in self.recording.outlines.iter().enumerate() {
            if Some(index) != frame {
                wall::draw(canvas, &self.view, &self.theme, outline);
            }
        }
        table::pockets(canvas, &self.view, &self.recording.style.pockets);
    }

    /// All discs as they are at a moment.
    pub(crate) fn discs(&self, canvas: &mut Canvas, time: f64, finish: Finish) {
        let edge = self.view.plot;
        let mut balls: Vec<Ball<'_>> = Vec::new();
        for (actor, &colour) in self.recording.actors.iter().zip(&self.colours) {
            if !actor.track.present_at(time) {
                continue;
            }
            let radius = self.view.length(actor.radius).max(LEAST_RADIUS);
            let turned = self.recording.turns.then(|| actor.track.angle_at(time));
            self.tiles.images(self.view.place(actor.track.position_at(time)), |centre| {
                if edge.touches_circle(centre, radius) {
                    let label = actor.look.label.as_deref();
                    let stripe = actor.look.stripe;
                    balls.push(Ball { centre, radius, colour, stripe, label, finish, turned });
                }
            });
        }
        if !self.is_crowd() {
            balls.iter().for_each(|ball| ball.shadow(canvas));
        }
        balls.iter().for_each(|ball| ball.draw(canvas, &self.lettering));
    }

    pub(crate) fn is_few(&self) -> bool {
        self.recording.actors.len() <= FEW
    }

    /// Where the discs began, if they are somewhere else now.
    pub(crate) fn ghosts(&self, canvas: &mut Canvas, now: f64) {
        if !self.is_few() {
            return;
        }
        for (actor, &colour) in self.recording.actors.iter().zip(&self.colours) {
            let start = self.view.place(actor.track.start);
            let radius = self.view.length(actor.radius).max(LEAST_RADIUS);
            let moved = (start - self.view.place(actor.track.position_at(now))).length();
            if moved > 0.1 * radius {
                self.tiles.images(start, |start| {
                    if self.view.plot.touches_circle(start, radius) {
                        self.ghost(canvas, start, radius, colour);
                    }
                });
            }
        }
    }

    /// A faint disc.
    pub(crate) fn ghost(&self, canvas: &mut Canvas, at: DVec2, radius: f64, colour: Rgb) {
        let width = (0.08 * radius).clamp(0.7, 3.0);
        canvas.disc(at, radius, self.theme.trail(colour, 0.2), 1.0);
        canvas.circle(at, radius - 0.5 * width, width, self.theme.trail(colour, 0.6), 1.0);
    }

    /// Radius of an impact point in pixels.
    pub(crate) fn mark_radius(&self) -> f64 {
        self.view.line(2.1, 1.5)
    }

    /// The latest impact points from a stretch of time, as many as leave the picture legible: a dot between
    /// discs, a ring at a wall.
    pub(crate) fn marks(&self, canvas: &mut Canvas, from: f64, to: f64) {
        let r = self.mark_radius();
        let mut places: Vec<(DVec2, bool)> = Vec::new();
        for mark in self.legible_marks(from, to) {
            self.tiles.images(self.view.place(mark.point), |at| {
                if self.view.plot.touches_circle(at, r) {
                    places.push((at, mark.at_wall));
                }
            });
        }
        // First what makes them stand out, then the points themselves: of neighbours both stay visible.
        for &(at, at_wall) in &places {
            let (radius, opacity) = if at_wall { (1.1 * r, 1.0) } else { (1.35 * r, 0.8) };
            canvas.disc(at, radius, self.theme.mark_edge, opacity);
        }
        for (at, at_wall) in places {
            if at_wall {
                canvas.circle(at, r, 0.6 * r, self.theme.mark, 1.0);
            } else {
                canvas.disc(at, r, self.theme.mark, 1.0);
            }
        }
    }

    pub(crate) fn legible_marks(&self, from: f64, to: f64) -> &[Mark] {
        if !self.is_few() {
            return &[];
        }
        let marks = self.recording.marks(from, to);
        let size = self.view.plot.size();
        let most = (0.02 * size.x * size.y / (self.mark_radius() * self.mark_radius() * 3.0)) as usize;
        &marks[marks.len().saturating_sub(most)..]
    }

    fn head(&self) -> Head<'_> {
        let title = self.recording.style.title.as_deref();
        Head { view: &self.view, theme: &self.theme, lettering: &self.lettering, title }
    }

    /// See [`Head::trim`].
    pub(crate) fn trim(&self, canvas: &mut Canvas) {
        self.head().trim(canvas);
    }

    /// See [`Head::title`].
    pub(crate) fn title(&self, canvas: &mut Canvas, aside: &str) {
        self.head().title(canvas, aside);
    }

    /// See [`Head::aside`].
    pub(crate) fn aside(&self, canvas: &mut Canvas, words: &str) {
        self.head().aside(canvas, words);
    }

    /// "1.250 s · 27 impacts": the clock and the count at a moment.
    pub(crate) fn clock(&self, time: f64, decimals: usize) -> String {
        let impacts = self.recording.impacts_until(time);
        let noun = if impacts == 1 { "impact" } else { "impacts" };
        format!("{} · {} {noun}", seconds(self.recording.clock + time, decimals), grouped(impacts))
    }
}

/// What stands around a picture.
pub(crate) struct Head<'a> {
    pub(crate) view: &'a View,
    pub(crate) theme: &'a Theme,
    pub(crate) lettering: &'a Lettering,
    pub(crate) title: Option<&'a str>,
}

impl Head<'_> {
    /// Covers what hangs over the edge of what is shown.
    pub(crate) fn trim(&self, canvas: &mut Canvas) {
        if self.view.table.is_some() {
            // Nothing gets out of a table, and its shadow falls on the page.
            return;
        }
        let (sheet, plot) = (self.view.sheet(), self.view.plot);
        let band = |canvas: &mut Canvas, min: DVec2, max: DVec2| {
            canvas.rounded(&crate::clip::Area::new(min, max), 0.0, self.theme.page, 1.0);
        };
        band(canvas, sheet.min, DVec2::new(sheet.max.x, plot.min.y));
        band(canvas, DVec2::new(sheet.min.x, plot.max.y), sheet.max);
        band(canvas, sheet.min, DVec2::new(plot.min.x, sheet.max.y));
        band(canvas, DVec2::new(plot.max.x, sheet.min.y), sheet.max);
    }

    /// Base line of the words above the plot.
    fn header_line(&self, text: f64) -> f64 {
        self.view.plot.min.y - 0.55 * text - 0.1 * (self.view.plot.min.y - text).max(0.0)
    }

    /// The title, upper left, as far as it leaves room for `aside` on the right.
    pub(crate) fn title(&self, canvas: &mut Canvas, aside: &str) {
        let (Some(text), Some(title)) = (self.view.text, self.title) else { return };
        let size = 1.15 * text;
        let taken = self.lettering.width(aside, text, Weight::Regular);
        let room = self.view.plot.size().x - taken - 2.0 * text;
        let title = self.lettering.fitted(title, size, Weight::Bold, room);
        let at = DVec2::new(self.view.plot.min.x, self.header_line(text));
        self.lettering.write(canvas, &title, at, Anchor::Left, size, Weight::Bold, self.theme.ink);
    }

    /// Words at the upper right.
    pub(crate) fn aside(&self, canvas: &mut Canvas, words: &str) {
        let Some(text) = self.view.text else { return };
        let words = self.lettering.fitted(words, text, Weight::Regular, self.view.plot.size().x);
        let at = DVec2::new(self.view.plot.max.x, self.header_line(text));
        self.lettering.write(canvas, &words, at, Anchor::Right, text, Weight::Regular, self.theme.grey);
    }
}

/// A time for people: plain where that is short, with an exponent where not.
pub(crate) fn seconds(time: f64, decimals: usize) -> String {
    let size = time.abs();
    if size == 0.0 || (1e-2..1e7).contains(&size) {
        format!("{time:.decimals$} s")
    } else {
        format!("{time:.3e} s")
    }
}

/// A count with its thousands set apart: 3 141 592.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, digit) in digits.chars().enumerate() {
        // Four digits read well as they are.
        if k > 0 && (digits.len() - k).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(3141), "3141");
        assert_eq!(grouped(3_141_592), "3\u{202f}141\u{202f}592");
        assert_eq!(seconds(1.25, 2), "1.25 s");
        assert_eq!(seconds(0.0, 3), "0.000 s");
        assert_eq!(seconds(2e-9, 3), "2.000e-9 s");
        assert_eq!(seconds(1e9, 3), "1.000e9 s");
    }
}
