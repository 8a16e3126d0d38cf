//! Pictures and movies of shots.

use crate::motion::{Motion, length};
use crate::{Happening, Layout, Piece, Recording, Table, Turning, look};
use carom_draw::{DrawError, Marks, MovieOptions, Rgb, Sheet, Style, Surface, film_gif};
use carom_engine::DVec2;
use carom_engine::glam::DQuat;
use carom_engine::math::Shown;

const WOOD: Rgb = rgb(look::WOOD);
const WOOD_EDGE: Rgb = rgb(look::WOOD_EDGE);
const DIAMOND: Rgb = rgb(look::DIAMOND);
const CLOTH: Rgb = rgb(look::CLOTH);
const CUSHION: Rgb = rgb(look::CUSHION);
const HOLE: Rgb = rgb(look::HOLE);
const SLIDING: Rgb = rgb(look::SLIDING);
const SPINNING: Rgb = rgb(look::SPINNING);
const CONTACT: Rgb = rgb(look::CONTACT);

const fn rgb([red, green, blue]: look::Rgb) -> Rgb {
    Rgb(red, green, blue)
}

/// Width of the rails beyond the noses, in metres, and of the page around them.
const RAIL: f64 = 0.15;
const PAGE: f64 = 0.03;

/// Straight strokes of a path of a second, at least.
const STROKES: f64 = 40.0;

/// A spin in its place that is shown, in seconds at least.
const LONG_SPIN: f64 = 0.05;

/// Length of the line of the stroke in a strip, in metres.
const AIM: f64 = 0.5;

/// How long the trail of a ball is in a movie, in seconds.
const TRAIL: f64 = 0.35;

/// Draws a recorded shot: the table lies on its side, its head on the left.
///
/// A path has the colour of its ball, and is edged in orange where that slides; a violet ring is where a ball
/// spins in its place. Dots are impacts of balls, pale discs where balls lay at the start. In a movie balls
/// roll: their stripes, numbers and dots are where the spin has turned them.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    table: &'a Table,
    layout: &'a Layout,
    recording: &'a Recording,
    title: Option<String>,
    width: u32,
    is_numbered: bool,
}

impl<'a> Picture<'a> {
    /// Of a shot on a table, 1600 pixels wide.
    #[must_use]
    pub fn new(table: &'a Table, layout: &'a Layout, recording: &'a Recording) -> Self {
        Picture { table, layout, recording, title: None, width: 1600, is_numbered: false }
    }

    /// With a title.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Picture { title: Some(title.into()), ..self }
    }

    /// This many pixels wide.
    #[must_use]
    pub fn with_width(self, width: u32) -> Self {
        Picture { width, ..self }
    }

    /// With the numbers of the cushions and pockets, by which outcomes name them.
    #[must_use]
    pub fn with_numbers(self) -> Self {
        Picture { is_numbered: true, ..self }
    }

    /// The whole shot as a PNG: paths, and the balls where they came to rest.
    ///
    /// # Errors
    /// For a width out of range.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        self.whole()?.png()
    }

    /// A strip that explains the shot, as a PNG: the balls before it with the line of the stroke, the paths,
    /// and the balls after it, below each other.
    ///
    /// # Errors
    /// For a width out of range.
    pub fn strip_png(&self) -> Result<Vec<u8>, DrawError> {
        let (mut before, mut after) = (self.empty()?, self.empty()?);
        let outcome = &self.recording.outcome;
        let (from, way) = (self.table.to_world(outcome.from), outcome.strike.velocity.normalize_or_zero());
        before.stroke(&[from, from + way * AIM].map(across), 0.004, DIAMOND, 0.9);
        self.draw_balls(&mut before, 0.0, None);
        let speed = outcome.strike.velocity.length();
        before.head(&format!("before: the ball leaves along the line, at {speed:.2} m/s"));
        self.draw_balls(&mut after, f64::INFINITY, None);
        let fell: Vec<String> =
            outcome.potted.iter().map(|fell| format!("{} into {}", fell.ball, fell.pocket)).collect();
        let fell = if fell.is_empty() { "nothing falls".into() } else { fell.join(", ") };
        after.head(&format!("after {:.1} s: {fell}", outcome.duration));
        Sheet::strip_png(&[before, self.whole()?, after])
    }

    fn whole(&self) -> Result<Sheet, DrawError> {
        let mut sheet = self.empty()?;
        for (k, placed) in self.layout.balls.iter().enumerate() {
            let (at, radius) = (across(self.table.to_world(placed.at)), placed.ball.radius);
            let colour = look(&placed.label).0;
            sheet.fill_disc(at, radius, colour, 0.15);
            sheet.ring(at, radius, 0.0015, colour, 0.6);
            for (piece, end) in self.pieces(k) {
                stroke(&mut sheet, piece, [piece.start, end], colour, 0.9);
                if piece.at.motion == Motion::Spinning && end - piece.start > LONG_SPIN {
                    sheet.ring(across(piece.at.position), 1.35 * radius, 0.003, SPINNING, 0.9);
                }
            }
        }
        for moment in self.recording.moments.iter().filter(|moment| moment.what == Happening::Balls) {
            if let [(_, a, _), (_, b, _)] = &moment.balls[..] {
                sheet.fill_disc(across((a.position + b.position) * 0.5), 0.0035, CONTACT, 0.9);
            }
        }
        self.draw_balls(&mut sheet, f64::INFINITY, None);
        let outcome = &self.recording.outcome;
        let fallen = match outcome.potted.len() {
            1 => "1 ball falls".to_string(),
            count => format!("{count} balls fall"),
        };
        sheet.head(&format!(
            "{:.1} s, {} events, {fallen}; orange: slides, violet: spins",
            outcome.duration, outcome.events
        ));
        Ok(sheet)
    }

    /// The shot as a GIF. `speed` is a multiple of real time, one of
    /// [`MovieOptions::SPEEDS`](carom_draw::MovieOptions::SPEEDS). What would be more than 5000 frames is cut
    /// off there.
    ///
    /// # Errors
    /// For a width, a speed or a rate out of range.
    pub fn gif(&self, speed: f64, frames_per_second: u32) -> Result<Vec<u8>, DrawError> {
        let rate = f64::from(frames_per_second.max(1));
        if !MovieOptions::SPEEDS.contains(&speed) {
            let allowed = "1e-100 to 1e100".into();
            return Err(DrawError::OutOfRange { field: "speed", value: Shown(speed).to_string(), allowed });
        }
        let seconds = self.recording.outcome.duration / speed + 0.5;
        let frames = (seconds * rate).clamp(1.0, 5000.0) as usize;
        let time_of = |frame: usize| frame as f64 / rate * speed;
        let turned = self.turned(frames, time_of);
        let turned = |frame: usize| turned.get(frame).map(Vec::as_slice).unwrap_or_default();
        film_gif(frames, frames_per_second, |frame| self.frame(time_of(frame), turned(frame)))
    }

    /// The balls at one time, in seconds since the stroke, with short trails, as a PNG: a frame of the movie.
    ///
    /// # Errors
    /// For a width out of range.
    pub fn png_at(&self, time: f64) -> Result<Vec<u8>, DrawError> {
        let turned = self.turned(1, |_| time);
        self.frame(time, turned.first().map(Vec::as_slice).unwrap_or_default())?.png()
    }

    fn frame(&self, time: f64, turned: &[DQuat]) -> Result<Sheet, DrawError> {
        let mut sheet = self.empty()?;
        for k in 0..self.layout.balls.len() {
            let colour = look(&self.layout.balls[k].label).0;
            for (piece, end) in self.pieces(k) {
                let (start, end) = (piece.start.max(time - TRAIL), end.min(time));
                if start < end {
                    stroke(&mut sheet, piece, [start, end], colour, 0.7);
                }
            }
        }
        self.draw_balls(&mut sheet, time, Some(turned));
        sheet.head(&format!("{time:.2} s"));
        Ok(sheet)
    }

    /// How each ball has turned by the time of each frame.
    fn turned(&self, frames: usize, time_of: impl Fn(usize) -> f64) -> Vec<Vec<DQuat>> {
        let gravity = self.table.physics.gravity;
        let balls = self.layout.balls.iter().zip(&self.recording.paths);
        let mut turnings: Vec<Turning<'_>> =
            balls.map(|(placed, path)| Turning::new(path, &placed.ball, gravity)).collect();
        let of_frame = |frame| {
            let time = time_of(frame).min(self.recording.outcome.duration);
            turnings.iter_mut().map(|turning| seen(turning.at(time))).collect()
        };
        (0..frames).map(of_frame).collect()
    }

    /// The pieces of a ball's path on which it moves, with their ends.
    fn pieces(&self, ball: usize) -> impl Iterator<Item = (&Piece, f64)> {
        let path = &self.recording.paths[ball];
        let end = self.recording.outcome.duration;
        let ends = path.iter().skip(1).map(|piece| piece.start).chain([end]);
        let moves = |piece: &Piece| piece.is_on_table && piece.at.motion != Motion::Resting;
        path.iter().zip(ends).filter(move |(piece, _)| moves(piece))
    }

    /// The balls that are on the table at a time, upright or as they have turned.
    fn draw_balls(&self, sheet: &mut Sheet, time: f64, turned: Option<&[DQuat]>) {
        let time = time.min(self.recording.outcome.duration);
        for (k, (placed, path)) in self.layout.balls.iter().zip(&self.recording.paths).enumerate() {
            let now = path.partition_point(|piece| piece.start <= time).max(1) - 1;
            let Some(piece) = path.get(now).filter(|piece| piece.is_on_table) else { continue };
            let ((colour, stripe), at) = (look(&placed.label), across(piece.position(time)));
            let label = placed.label.parse::<u32>().is_ok().then_some(placed.label.as_str());
            if let Some(turned) = turned.and_then(|turned| turned.get(k)) {
                let dots = label.is_none().then(|| dots(colour));
                let marks = Marks { colour, stripe, label, dots };
                sheet.turned_ball(at, placed.ball.radius, &marks, *turned);
            } else if stripe {
                sheet.striped_ball(at, placed.ball.radius, colour, label);
            } else {
                sheet.ball(at, placed.ball.radius, colour, label);
            }
        }
    }

    /// The table without balls.
    fn empty(&self) -> Result<Sheet, DrawError> {
        let half = across(self.table.centre()).abs();
        let (rail, page) = (half + DVec2::splat(RAIL), half + DVec2::splat(RAIL + PAGE));
        let mut sheet = Sheet::new(&Style {
            title: self.title.clone(),
            bounds: Some((-page, page)),
            surface: Surface::Plain(Rgb::WHITE),
            width: self.width,
            ..Style::default()
        })?;
        rectangle(&mut sheet, rail, WOOD_EDGE);
        rectangle(&mut sheet, rail - DVec2::splat(0.008), WOOD);
        let cushion = self.table.pockets.map_or(0.05, |pockets| pockets.cushion_width);
        rectangle(&mut sheet, half + DVec2::splat(cushion), CLOTH);
        for (center, radius) in self.table.pocket_circles() {
            sheet.fill_disc(across(center), radius + 0.006, WOOD_EDGE, 1.0);
            sheet.fill_disc(across(center), radius, HOLE, 1.0);
        }
        for outline in self.table.cushion_outlines() {
            let outline: Vec<DVec2> = outline.into_iter().map(across).collect();
            sheet.fill(&outline, CUSHION, 1.0);
            if self.table.outline.is_some() {
                sheet.stroke(&outline, 0.012, CUSHION, 1.0);
            }
        }
        for (center, radius) in self.table.jaw_circles() {
            if radius < cushion || self.table.outline.is_some() {
                sheet.fill_disc(across(center), radius, CUSHION, 1.0);
            }
        }
        let sights = half + DVec2::splat(0.5 * (cushion + RAIL));
        for k in -3..=3 {
            let along = f64::from(k) / 4.0;
            for side in [-1.0, 1.0] {
                if k != 0 || self.table.pockets.is_none() {
                    sheet.fill_disc(DVec2::new(along * half.x, side * sights.y), 0.006, DIAMOND, 1.0);
                }
                if k % 2 == 0 {
                    sheet.fill_disc(DVec2::new(side * sights.x, along * half.y), 0.006, DIAMOND, 1.0);
                }
            }
        }
        if self.is_numbered {
            self.number(&mut sheet);
        }
        Ok(sheet)
    }

    /// Numbers noses and facings beside their middles, jaws behind their middles, and pockets.
    fn number(&self, sheet: &mut Sheet) {
        let number = |sheet: &mut Sheet, at: DVec2, size, number: usize| {
            sheet.text(across(at), size, &number.to_string(), Rgb::WHITE);
        };
        let half = self.table.centre();
        let segments = self.table.segments();
        for (k, [a, b]) in segments.iter().enumerate() {
            let middle = (*a + *b) * 0.5;
            let is_nose = length(*b - *a) > 0.3;
            let gap = (half - middle.abs()).abs();
            let out = if gap.x < gap.y { DVec2::X } else { DVec2::Y } * middle.signum();
            number(
                sheet,
                middle + out * if is_nose { 0.075 } else { 0.0 },
                if is_nose { 0.05 } else { 0.026 },
                k,
            );
        }
        for (k, (at, _)) in self.table.jaw_circles().into_iter().enumerate() {
            number(sheet, at * (1.0 - 0.045 / length(at).max(0.1)), 0.026, segments.len() + k);
        }
        for (k, (at, _)) in self.table.pocket_circles().into_iter().enumerate() {
            number(sheet, at, 0.06, k);
        }
    }
}

/// From worlds, where the table stands upright, to the page.
fn across(at: DVec2) -> DVec2 {
    DVec2::new(at.y, -at.x)
}

fn rectangle(sheet: &mut Sheet, half: DVec2, colour: Rgb) {
    let corners = [half, DVec2::new(-half.x, half.y), -half, DVec2::new(half.x, -half.y)];
    sheet.fill(&corners, colour, 1.0);
}

/// A part of a piece of a path, in the colour of its ball.
fn stroke(sheet: &mut Sheet, piece: &Piece, [start, end]: [f64; 2], colour: Rgb, opacity: f64) {
    let is_straight = piece.at.motion == Motion::Rolling;
    let strokes = if is_straight { 1.0 } else { (STROKES * (end - start)).ceil().clamp(1.0, 400.0) };
    let at = |k: usize| across(piece.position(start + (end - start) * (k as f64 / strokes)));
    let points: Vec<DVec2> = (0..=strokes as usize).map(at).collect();
    if piece.at.motion == Motion::Sliding {
        sheet.stroke(&points, 0.016, SLIDING, 0.5 * opacity);
    }
    sheet.stroke(&points, 0.0045, colour, opacity);
}

/// How a ball is seen to have turned: the page has y of the world to the right and x downwards.
fn seen(turned: DQuat) -> DQuat {
    DQuat::from_xyzw(turned.y, -turned.x, turned.z, turned.w)
}

fn dots(Rgb(red, green, blue): Rgb) -> Rgb {
    rgb(look::of_dots([red, green, blue]))
}

/// The colour of a ball by its label, and whether it is a stripe.
fn look(label: &str) -> (Rgb, bool) {
    let (colour, is_striped) = look::of_ball(label);
    (rgb(colour), is_striped)
}
