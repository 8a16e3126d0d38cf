//! Many discs at one moment, each in a colour of its own.

use carom_engine::{DiscId, Physics, World};
use glam::DVec2;

use crate::clip::Area;
use crate::lettering::{Anchor, Weight};
use crate::outline::Outline as _;
use crate::recording::{Recording, with_edge};
use crate::splat::{self, Spot};
use crate::stage::{Stage, grouped, seconds};
use crate::{DrawError, Rgb, Style, picture};

/// What colours mean: an entry of the line below a picture.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Legend {
    /// One is drawn as a disc, several as a strip from the first to the last.
    pub colours: Vec<Rgb>,
    /// Stands before it.
    pub before: String,
    /// Stands after it.
    pub after: String,
}

/// Discs as they are at one moment, each in a colour of its own: for crowds, of up to millions.
///
/// There are no paths and no labels, and every disc has the light of its area, however small it is on the
/// sheet: what is finer than a pixel is averaged, and neither flickers nor beats with the pixels. Only discs
/// that would be lost are drawn larger, as long as that covers no more than a tenth of what is shown.
///
/// About 2 s and 150 MB for a million discs on 2000 by 2000 pixels.
///
/// ```
/// use carom_draw::{Portrait, Rgb, Style};
/// use carom_engine::{DVec2, Disc, World};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// let mut discs = Vec::new();
/// for k in 0..6 {
///     discs.push(world.insert(Disc::new(DVec2::new(2.0 * f64::from(k), 0.0), 1.0))?);
/// }
/// // Sixths of a turn.
/// let angles = (0..6).map(|k| f64::from(k) / 6.0);
/// let colours: Vec<Rgb> = angles.map(f64::sin_cos).map(|(y, x)| Rgb::of_phase(x, y)).collect();
/// let png = Portrait::new(&world, &discs, &colours, Style::default())?.png()?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Portrait {
    recording: Recording,
    discs: Vec<(DVec2, f64)>,
    colours: Vec<Rgb>,
    legend: Vec<Legend>,
}

impl Portrait {
    /// Of these discs, as they are. Colours go with discs in order; discs beyond the last colour are grey.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a number in `style` out of its range, [`DrawError::UnknownDisc`] for a
    /// handle of no disc in the world.
    pub fn new<P: Physics>(
        world: &World<P>,
        discs: &[DiscId],
        colours: &[Rgb],
        style: Style,
    ) -> Result<Self, DrawError> {
        style.check()?;
        let mut recording = Recording::new(style, world.now().as_secs(), 1);
        recording.outlines = world.walls().map(|(_, wall)| wall.shape.clone()).collect();
        recording.periods = world.periods().lengths();
        let mut places = Vec::with_capacity(discs.len());
        for (index, &id) in discs.iter().enumerate() {
            let disc =
                world.get(id).ok_or_else(|| DrawError::UnknownDisc { index, disc: format!("{id:?}") })?;
            places.push((disc.position(), disc.radius()));
        }
        if recording.style.bounds.is_none() {
            let shown = shown(&recording, &places);
            recording.style.bounds = Some((shown.min, shown.max));
        }
        Ok(Self { recording, discs: places, colours: colours.to_vec(), legend: Vec::new() })
    }

    /// Lower left and upper right corner of what is shown, in world units: those of the style, or else one
    /// period, closed walls, or the bulk of the discs.
    #[must_use]
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let shown = self.recording.bounds();
        (shown.min, shown.max)
    }

    /// Says what the colours mean, as far as there is room.
    #[must_use]
    pub fn with_legend(mut self, legend: Vec<Legend>) -> Self {
        self.legend = legend;
        self
    }

    /// The picture, as a PNG of `style.width` pixels.
    ///
    /// # Errors
    /// [`DrawError::NoMemory`]; [`DrawError::Png`] does not happen unless memory runs out.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        let recording = &self.recording;
        let stage = Stage::new(recording, recording.style.width, true);
        let mut canvas = stage.ground()?;
        splat::paint(&mut canvas, &stage.view.plot, &self.spots(&stage));
        stage.fixtures(&mut canvas);
        stage.trim(&mut canvas);
        let noun = if self.discs.len() == 1 { "disc" } else { "discs" };
        let aside = format!("{} · {} {noun}", seconds(recording.clock, 3), grouped(self.discs.len() as u64));
        stage.title(&mut canvas, &aside);
        stage.aside(&mut canvas, &aside);
        self.draw_legend(&mut canvas, &stage);
        picture::encode(&canvas)
    }

    fn spots(&self, stage: &Stage<'_>) -> Vec<Spot> {
        let size = stage.view.plot.size();
        let room = 0.1 * size.x * size.y / (std::f64::consts::PI * self.discs.len().max(1) as f64);
        let least = LEAST_RADIUS.min(room.sqrt());
        let colours = self.colours.iter().copied().chain(std::iter::repeat(stage.theme.grey));
        let mut spots = Vec::with_capacity(self.discs.len());
        for (&(position, radius), colour) in self.discs.iter().zip(colours) {
            let radius = stage.view.length(radius).max(least);
            // In a periodic world what hangs over an edge is seen at the other one.
            stage.tiles.images(stage.view.place(position), |centre| {
                if stage.view.plot.grown(splat::REACH).touches_circle(centre, radius) {
                    spots.push(Spot { centre, radius, colour });
                }
            });
        }
        spots
    }

    fn draw_legend(&self, canvas: &mut crate::canvas::Canvas, stage: &Stage<'_>) {
        let Some(text) = stage.view.text else { return };
        let (size, plot) = (0.86 * text, stage.view.plot);
        let line = 0.5 * (plot.max.y + stage.view.sheet().max.y);
        let (gap, mut x) = (0.45 * size, plot.min.x);
        let width = |words: &str| match words {
            "" => 0.0,
            _ => stage.lettering.width(words, size, Weight::Regular) + gap,
        };
        for Legend { colours, before, after } in &self.legend {
            let strip = match colours.len() {
                0 => 0.0,
                1 => 0.9 * size,
                _ => 7.0 * size,
            };
            let start = x + width(before);
            let end = start + strip + width(after);
            if end > plot.max.x {
                break;
            }
            let mut write = |words: &str, x: f64| {
                let at = DVec2::new(x, line + 0.3 * size);
                stage.lettering.write(
                    canvas,
                    words,
                    at,
                    Anchor::Left,
                    size,
                    Weight::Regular,
                    stage.theme.grey,
                );
            };
            write(before, x);
            write(after, start + strip + gap);
            if let [one] = colours[..] {
                canvas.disc(DVec2::new(start + 0.5 * strip, line), 0.38 * size, one, 1.0);
            } else {
                let stops: Vec<_> = (0_u32..)
                    .zip(colours)
                    .map(|(k, &colour)| (f64::from(k) / (colours.len() - 1) as f64, colour, 1.0))
                    .collect();
                let (left, right) = (DVec2::new(start, line), DVec2::new(start + strip, line));
                let half = DVec2::new(0.0, 0.36 * size);
                canvas.shaded_polygon(
                    &[left - half, right - half, right + half, left + half],
                    left,
                    right,
                    &stops,
                );
            }
            x = end + 1.6 * size;
        }
    }
}

/// Discs smaller than this many pixels are hard to see one by one.
const LEAST_RADIUS: f64 = 0.5;

/// How much of the discs, along an axis, may be so far off that they are left out, and how far off that is in
/// sizes of what the others take up: of a gas that flies apart, the bulk is what is to be seen.
const STRAGGLERS: f64 = 0.005;
const FAR: f64 = 0.25;

/// What is to be seen by default: one period, closed walls, or else the bulk of the discs.
fn shown(recording: &Recording, discs: &[(DVec2, f64)]) -> Area {
    let periods = recording.periods;
    let walls = recording.outlines.iter().filter_map(|wall| wall.bounds()).reduce(|a, b| a.union(&b));
    if let Some(walls) = walls
        && recording.is_framed()
    {
        return walls;
    }
    let axis = |at: fn(&DVec2) -> f64| -> (f64, f64) {
        if at(&periods) > 0.0 {
            return (0.0, at(&periods));
        }
        let mut places: Vec<f64> = discs.iter().map(|(place, _)| at(place)).collect();
        let largest = discs.iter().map(|(_, radius)| *radius).fold(0.0, f64::max);
        let Some(last) = places.len().checked_sub(1) else { return (0.0, 0.0) };
        let few = (STRAGGLERS * last as f64) as usize;
        let mut nth = |n: usize| *places.select_nth_unstable_by(n, f64::total_cmp).1;
        let (first, low, high, end) = (nth(0), nth(few), nth(last - few), nth(last));
        let far = FAR * (high - low);
        (first.max(low - far) - largest, end.min(high + far) + largest)
    };
    let (x, y) = (axis(|place| place.x), axis(|place| place.y));
    let bulk = Area::new(DVec2::new(x.0, y.0), DVec2::new(x.1, y.1));
    let all = match walls {
        Some(walls) if !discs.is_empty() => bulk.union(&walls),
        Some(walls) => walls,
        None => bulk,
    };
    if periods.min_element() > 0.0 {
        return bulk;
    }
    // What it stands on is part of a scene.
    let all = recording.outlines.iter().fold(all, |all, outline| with_edge(&all, outline));
    recording.of_a_period(&all.grown(0.025 * all.size().max_element()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::{Disc, Settings};

    const RED: Rgb = Rgb(200, 30, 40);
    const BLUE: Rgb = Rgb(30, 60, 200);

    fn v(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn world(period: [Option<f64>; 2], discs: &[(DVec2, f64)]) -> (World, Vec<DiscId>) {
        let mut world = World::with_settings(Settings::default().with_period(period)).unwrap();
        let ids = discs.iter().map(|&(at, radius)| world.insert(Disc::new(at, radius)).unwrap()).collect();
        (world, ids)
    }

    /// The portrait's pixels at places of the world.
    fn seen(portrait: &Portrait, places: &[DVec2]) -> Vec<Rgb> {
        let png = portrait.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let width = reader.next_frame(&mut rgb).unwrap().width as usize;
        let stage = Stage::new(&portrait.recording, portrait.recording.style.width, true);
        let pixel = |place: &DVec2| {
            let at = stage.view.place(*place);
            let at = 3 * (at.y as usize * width + at.x as usize);
            Rgb(rgb[at], rgb[at + 1], rgb[at + 2])
        };
        places.iter().map(pixel).collect()
    }

    #[test]
    fn discs_are_where_they_are_in_their_colours() {
        let (world, ids) = world([None; 2], &[(v(0.0, 0.0), 1.0), (v(4.0, 1.0), 0.5), (v(2.0, 3.0), 0.5)]);
        let portrait = Portrait::new(&world, &ids, &[RED, BLUE], Style::default()).unwrap();
        let places = [v(0.0, 0.0), v(0.9, 0.0), v(4.0, 1.0), v(1.1, 0.0), v(2.0, 3.0)];
        let grey = Stage::new(&portrait.recording, 1600, true).theme.grey;
        assert_eq!(seen(&portrait, &places), [RED, RED, BLUE, Rgb::WHITE, grey]);
        // Only those that are named.
        let one = Portrait::new(&world, &ids[1..2], &[BLUE], Style::default()).unwrap();
        assert_eq!(seen(&one, &[v(4.0, 1.0)]), [BLUE]);
        let bad = Style { width: 5, ..Style::default() };
        assert!(matches!(Portrait::new(&world, &ids, &[], bad), Err(DrawError::OutOfRange { .. })));
    }

    #[test]
    fn what_hangs_over_the_edge_of_a_period_is_seen_at_the_other() {
        let discs = [(v(0.5, 0.25), 1.0), (v(5.0, 5.0), 1.0)];
        for (period, corners) in
            [([Some(10.0); 2], [RED; 4]), ([Some(10.0), None], [RED, RED, Rgb::WHITE, Rgb::WHITE])]
        {
            let (world, ids) = world(period, &discs);
            let style = Style { bounds: Some((v(-1.0, -1.0), v(11.0, 11.0))), ..Style::default() };
            let portrait = Portrait::new(&world, &ids, &[RED, BLUE], style).unwrap();
            let places = [v(0.3, 0.3), v(9.9, 0.3), v(0.3, 9.9), v(9.9, 9.9), v(5.0, 5.0)];
            assert_eq!(seen(&portrait, &places), [&corners[..], &[BLUE]].concat());
        }
        let (world, ids) = world([Some(10.0), Some(7.0)], &discs);
        let portrait = Portrait::new(&world, &ids, &[], Style::default()).unwrap();
        assert_eq!(portrait.bounds(), (v(0.0, 0.0), v(10.0, 7.0)));
    }

    #[test]
    fn a_floor_that_is_near_is_shown() {
        let (mut world, ids) = world([None; 2], &[(v(0.0, 3.0), 1.0)]);
        world.add_wall(carom_engine::Wall::half_plane(v(0.0, 1.0), v(0.0, 1.0))).unwrap();
        world.add_wall(carom_engine::Wall::half_plane(v(0.0, 99.0), v(0.0, -1.0))).unwrap();
        let (min, max) = Portrait::new(&world, &ids, &[RED], Style::default()).unwrap().bounds();
        assert!(min.y < 1.0 && max.y < 5.0, "{min} {max}");
    }

    #[test]
    fn who_flies_off_does_not_shrink_the_rest() {
        let mut discs: Vec<(DVec2, f64)> =
            (0..1000).map(|k| (v(f64::from(k % 40), f64::from(k / 40)), 0.1)).collect();
        discs.push((v(1e9, 5.0), 0.1));
        let (world, ids) = world([None; 2], &discs);
        let portrait = Portrait::new(&world, &ids, &[], Style::default()).unwrap();
        let (min, max) = portrait.bounds();
        assert!(min.x > -3.0 && min.x <= -0.1 && max.x >= 39.1 && max.x < 52.0, "{min} {max}");
        assert!(max.y >= 24.1 && max.y < 28.0, "{max}");
        for empty in [&discs[..0], &discs[..1]] {
            let ids = &ids[..empty.len()];
            assert!(Portrait::new(&world, ids, &[], Style::default()).unwrap().png().is_ok());
        }
    }

    /// A few points are dots; a million of them do not make the sheet black.
    #[test]
    fn small_discs_are_seen_as_far_as_there_is_room() {
        for (count, least) in [(100_u32, LEAST_RADIUS), (40_000, 0.0)] {
            let side = f64::from(count).sqrt();
            let discs: Vec<(DVec2, f64)> = (0..count)
                .map(|k| (v((f64::from(k) % side).floor(), (f64::from(k) / side).floor()), 0.0))
                .collect();
            let (world, ids) = world([None; 2], &discs);
            let style = Style { width: 200, ..Style::default() };
            let portrait = Portrait::new(&world, &ids, &[], style).unwrap();
            let stage = Stage::new(&portrait.recording, 200, true);
            let spots = portrait.spots(&stage);
            let covered: f64 = spots.iter().map(|s| std::f64::consts::PI * s.radius * s.radius).sum();
            let size = stage.view.plot.size();
            assert!(covered <= 0.100_001 * size.x * size.y, "{covered}");
            assert!(spots.iter().all(|spot| spot.radius > 0.0 && spot.radius >= least));
        }
    }
}
