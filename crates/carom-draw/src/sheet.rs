//! A picture that is drawn by hand, stroke by stroke.

use carom_engine::{DebugDraw, Mark, WallShape};
use glam::{DQuat, DVec2};

use crate::ball::{Ball, Finish};
use crate::canvas::{Canvas, Ends};
use crate::lettering::{Anchor, Lettering, Weight};
use crate::palette::Theme;
use crate::recording::Recording;
use crate::turned::Marks;
use crate::view::View;
use crate::{DrawError, Rgb, Style, picture, table, wall};

/// A picture that is drawn stroke by stroke, in coordinates of the world: of a game, whose discs come and go.
///
/// Debug drawing goes onto it, too: it is a [`DebugDraw`]. [`film_gif`](crate::film_gif) makes a movie of
/// such sheets. Opacities are from 0, not there, to 1. What is not finite is not drawn.
///
/// ```
/// use carom_draw::{Sheet, Style, Surface};
/// use carom_engine::{DVec2, DebugView, Disc, Wall, World};
///
/// let mut world = World::new();
/// world.add_wall(Wall::container([0.0, 0.0], [16.0, 9.0]))?;
/// world.insert(Disc::new([3.0, 4.0], 1.0).with_velocity([20.0, 9.0]))?;
///
/// let style = Style {
///     bounds: Some((DVec2::ZERO, DVec2::new(16.0, 9.0))),
///     surface: Surface::Plain("#182034".parse()?),
///     title: Some("What the world knows".into()),
///     ..Style::default()
/// };
/// let mut sheet = Sheet::new(&style)?;
/// world.debug_draw(&DebugView::default().with_next_impacts(5.0), &mut sheet);
/// assert!(sheet.png()?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sheet {
    canvas: Canvas,
    view: View,
    theme: Theme,
    lettering: Lettering,
    title: Option<String>,
}

impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sheet").field("width", &self.view.width).field("height", &self.view.height).finish()
    }
}

impl Sheet {
    /// An empty sheet that shows the bounds of the style, or the unit square without any.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a number in `style` out of its range, [`DrawError::NoMemory`].
    pub fn new(style: &Style) -> Result<Self, DrawError> {
        style.check()?;
        let bounds = style.bounds.or(Some((DVec2::ZERO, DVec2::ONE)));
        let recording = Recording::new(Style { bounds, ..style.clone() }, 0.0, 1);
        let view = View::new(&recording, style.width, false);
        let theme = Theme::new(&recording);
        let mut canvas = Canvas::new(view.width, view.height, theme.page)?;
        wall::surface(&mut canvas, &view, &theme, &recording);
        table::pockets(&mut canvas, &view, &style.pockets);
        Ok(Self { canvas, view, theme, lettering: Lettering::new(), title: style.title.clone() })
    }

    /// A plain disc.
    pub fn fill_disc(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64) {
        self.canvas.disc(self.view.place(center), self.view.length(radius), colour, share(opacity));
    }

    /// A light that fades from the centre outwards.
    pub fn glow(&mut self, center: DVec2, radius: f64, colour: Rgb, opacity: f64) {
        let (at, radius) = (self.view.place(center), self.view.length(radius));
        let fade = [(0.0, colour, share(opacity)), (0.4, colour, 0.4 * share(opacity)), (1.0, colour, 0.0)];
        self.canvas.shaded_disc(at, radius, at, radius, &fade);
    }

    /// A disc as a ball with its shadow, and a number or a name on it if there is room.
    pub fn ball(&mut self, center: DVec2, radius: f64, colour: Rgb, label: Option<&str>) {
        self.finished_ball(center, radius, colour, false, label);
    }

    /// As [`Sheet::ball`], white with a stripe of the colour.
    pub fn striped_ball(&mut self, center: DVec2, radius: f64, colour: Rgb, label: Option<&str>) {
        self.finished_ball(center, radius, colour, true, label);
    }

    /// A ball that has turned from its first place, in which its number is in front and upright: with x to
    /// the right, y up the sheet and z towards the eye.
    pub fn turned_ball(&mut self, center: DVec2, radius: f64, marks: &Marks<'_>, turned: DQuat) {
        let (centre, radius) = (self.view.place(center), self.view.length(radius));
        if !self.view.plot.touches_circle(centre, radius) || !turned.is_finite() {
            return;
        }
        let colour = marks.colour;
        let finish = Finish::Round;
        let ball = Ball { centre, radius, colour, stripe: false, label: None, finish, turned: None };
        ball.shadow(&mut self.canvas);
        ball.draw_turned(&mut self.canvas, &self.lettering, marks, turned);
    }

    fn finished_ball(&mut self, center: DVec2, radius: f64, colour: Rgb, stripe: bool, label: Option<&str>) {
        let (centre, radius) = (self.view.place(center), self.view.length(radius));
        if !self.view.plot.touches_circle(centre, radius) {
            return;
        }
        let ball = Ball { centre, radius, colour, stripe, label, finish: Finish::Round, turned: None };
        ball.shadow(&mut self.canvas);
        ball.draw(&mut self.canvas, &self.lettering);
    }

    /// The line of a circle, `width` wide.
    pub fn ring(&mut self, center: DVec2, radius: f64, width: f64, colour: Rgb, opacity: f64) {
        let (at, radius) = (self.view.place(center), self.view.length(radius));
        let width = self.stroke_width(width);
        self.canvas.circle(at, radius, width, colour, share(opacity));
    }

    /// A line through points, `width` wide, with round ends.
    pub fn stroke(&mut self, points: &[DVec2], width: f64, colour: Rgb, opacity: f64) {
        let points: Vec<DVec2> = points.iter().map(|&p| self.view.place(p)).collect();
        let width = self.stroke_width(width);
        self.canvas.line(&points, width, Ends::Round, colour, share(opacity));
    }

    /// A straight line that fades towards its start, `width` wide.
    pub fn fading(&mut self, from: DVec2, to: DVec2, width: f64, colour: Rgb, opacity: f64) {
        let width = self.stroke_width(width);
        let fade = [(0.0, colour, 0.0), (1.0, colour, share(opacity))];
        self.canvas.shaded_line(self.view.place(from), self.view.place(to), width, &fade);
    }

    /// A filled polygon.
    pub fn fill(&mut self, points: &[DVec2], colour: Rgb, opacity: f64) {
        let points: Vec<DVec2> = points.iter().map(|&p| self.view.place(p)).collect();
        self.canvas.polygon(&points, colour, share(opacity));
    }

    /// A wall: a stroke, what is solid hatched.
    pub fn wall(&mut self, shape: &WallShape) {
        wall::draw(&mut self.canvas, &self.view, &self.theme, shape);
    }

    /// Words around a place, `size` high in lengths of the world.
    pub fn text(&mut self, at: DVec2, size: f64, words: &str, colour: Rgb) {
        let (at, size) = (self.view.place(at), self.view.length(size));
        if at.is_finite() && (2.0..=f64::from(self.view.width)).contains(&size) {
            self.lettering.write(&mut self.canvas, words, at, Anchor::Middle, size, Weight::Bold, colour);
        }
    }

    /// Title and, on the right, words above the picture; covers what hangs over its edges. To be called last.
    pub fn head(&mut self, words: &str) {
        let stage = crate::stage::Head {
            view: &self.view,
            theme: &self.theme,
            lettering: &self.lettering,
            title: self.title.as_deref(),
        };
        stage.trim(&mut self.canvas);
        stage.title(&mut self.canvas, words);
        stage.aside(&mut self.canvas, words);
    }

    /// The sheet as a PNG.
    ///
    /// # Errors
    /// [`DrawError::Png`] does not happen unless memory runs out.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        picture::encode(&self.canvas)
    }

    /// Sheets below each other as one PNG, as wide as the first.
    ///
    /// # Errors
    /// [`DrawError::NoMemory`], and as [`Sheet::png`].
    pub fn strip_png(sheets: &[Sheet]) -> Result<Vec<u8>, DrawError> {
        let canvases: Vec<&Canvas> = sheets.iter().map(|sheet| &sheet.canvas).collect();
        picture::encode(&Canvas::below_each_other(&canvases)?)
    }

    pub(crate) fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    fn stroke_width(&self, width: f64) -> f64 {
        self.view.length(width).max(0.5)
    }

    /// Width of an ordinary line in pixels.
    fn thin(&self) -> f64 {
        self.view.line(1.2, 1.0)
    }
}

fn share(opacity: f64) -> f64 {
    if opacity.is_nan() { 0.0 } else { opacity.clamp(0.0, 1.0) }
}

/// Colour and width, as a multiple of a thin line, of what debug drawing shows.
fn debug_ink(theme: &Theme, mark: Mark) -> (Rgb, f64) {
    let on = |strength: f64| theme.surface.mix(theme.wall, strength);
    match mark {
        Mark::Disc(_) => (on(0.9), 1.0),
        Mark::Wall(_) => (theme.wall, 1.6),
        Mark::Sensor(_) | Mark::Region(_) => (theme.surface.mix(Rgb(0x3a, 0x9d, 0x75), 0.75), 1.0),
        Mark::Entered(_) => (Rgb(0x4d, 0xc4, 0x93), 2.0),
        Mark::Velocity(_) => (Rgb(0x2e, 0x9f, 0xd8), 1.2),
        Mark::Contact => (Rgb(0xe0, 0x4b, 0x4b), 1.4),
        Mark::NextImpact(_) => (Rgb(0xe9, 0xa2, 0x3b), 1.0),
        Mark::Path => (theme.surface.mix(Rgb(0xe9, 0xa2, 0x3b), 0.8), 1.4),
        _ => (on(0.6), 1.0),
    }
}

/// Regions and sensors in green, velocities in blue, contacts in red, what will be in orange.
impl DebugDraw for Sheet {
    fn line(&mut self, from: DVec2, to: DVec2, mark: Mark) {
        let (colour, weight) = debug_ink(&self.theme, mark);
        let line = [self.view.place(from), self.view.place(to)];
        self.canvas.line(&line, weight * self.thin(), Ends::Round, colour, 1.0);
    }

    fn circle(&mut self, center: DVec2, radius: f64, mark: Mark) {
        let (colour, weight) = debug_ink(&self.theme, mark);
        let (at, radius) = (self.view.place(center), self.view.length(radius));
        if matches!(mark, Mark::Region(_) | Mark::Entered(_) | Mark::Sensor(_)) {
            self.canvas.disc(at, radius, colour, 0.12);
        }
        self.canvas.circle(at, radius, weight * self.thin(), colour, 1.0);
    }

    fn point(&mut self, at: DVec2, mark: Mark) {
        let (colour, _) = debug_ink(&self.theme, mark);
        self.canvas.disc(self.view.place(at), self.view.line(2.2, 1.5), colour, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Surface;
    use carom_engine::{DebugView, Disc, Region, Wall, World};

    fn pixel(sheet: &Sheet, at: DVec2) -> Rgb {
        let at = sheet.view.place(at);
        let index = 4 * (at.y as usize * sheet.view.width as usize + at.x as usize);
        let rgba = &sheet.canvas.rgba()[index..];
        Rgb(rgba[0], rgba[1], rgba[2])
    }

    /// So wide that the thinnest line covers whole pixels.
    fn blank() -> Sheet {
        let bounds = Some((DVec2::ZERO, DVec2::new(16.0, 9.0)));
        let surface = Surface::Plain(Rgb(0x18, 0x20, 0x34));
        Sheet::new(&Style { bounds, surface, width: 4000, ..Style::default() }).unwrap()
    }

    /// Each kind of stroke has its colour where the world has the thing, and the rest is bare.
    #[test]
    fn debug_drawing_is_where_things_are() {
        let mut world = World::new();
        world.add_wall(Wall::segment([12.0, 2.0], [12.0, 7.0])).unwrap();
        world.add_region(Region::rectangle([1.0, 6.0], [3.0, 8.0])).unwrap();
        world.insert(Disc::new([4.0, 4.0], 1.0).with_velocity([2.0, 0.0])).unwrap();
        let mut sheet = blank();
        world.debug_draw(&DebugView::default().with_velocities(2.0).with_next_impacts(10.0), &mut sheet);
        let ink = |mark| debug_ink(&sheet.theme, mark).0;
        let id = world.ids().next().unwrap();
        let wall = world.walls().next().unwrap().0;
        let region = world.regions().next().unwrap().0;
        assert_eq!(pixel(&sheet, DVec2::new(4.0, 5.0)), ink(Mark::Disc(id)));
        assert_eq!(pixel(&sheet, DVec2::new(12.0, 3.0)), ink(Mark::Wall(wall)));
        assert_eq!(pixel(&sheet, DVec2::new(2.0, 6.0)), ink(Mark::Region(region)));
        assert_eq!(pixel(&sheet, DVec2::new(6.5, 4.0)), ink(Mark::Velocity(id)));
        // It meets the wall with its centre at 11.
        assert_eq!(pixel(&sheet, DVec2::new(11.0, 5.0)), ink(Mark::NextImpact(id)));
        assert_eq!(pixel(&sheet, DVec2::new(7.0, 7.0)), sheet.theme.surface);
    }

    /// Numbers that are none, and lengths without bounds, are drawn as far as they can be seen.
    #[test]
    fn nothing_panics() {
        let mut sheet = blank();
        let empty = sheet.canvas.rgb();
        let nowhere = DVec2::splat(f64::NAN);
        sheet.ball(nowhere, 1.0, Rgb::WHITE, Some("1"));
        sheet.fill_disc(DVec2::ONE, f64::NAN, Rgb::WHITE, 1.0);
        sheet.stroke(&[nowhere, DVec2::ONE], 1.0, Rgb::WHITE, 1.0);
        sheet.text(nowhere, 1.0, "words", Rgb::WHITE);
        sheet.fading(nowhere, DVec2::ONE, 1.0, Rgb::WHITE, 1.0);
        sheet.glow(nowhere, 1.0, Rgb::WHITE, 1.0);
        sheet.fill_disc(DVec2::ONE, 1.0, Rgb::WHITE, f64::NAN);
        assert!(sheet.canvas.rgb() == empty);
        sheet.ring(DVec2::splat(1e150), 1e150, 1.0, Rgb::WHITE, 1.0);
        sheet.fill(&[DVec2::splat(-1e15), DVec2::new(1e15, 0.0), DVec2::new(0.0, 1e15)], Rgb::WHITE, 2.0);
        assert_eq!(pixel(&sheet, DVec2::new(8.0, 4.5)), Rgb::WHITE);
    }
}
