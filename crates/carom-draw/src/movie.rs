//! The movie: an animated GIF, written frame by frame.

use std::borrow::Cow;
use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::ball::Finish;
use crate::canvas::Canvas;
use crate::quantise::{Census, UNCHANGED};
use crate::recording::Recording;
use crate::stage::Stage;
use crate::trail::Trails;
use crate::{DrawError, MovieOptions};

/// Seconds of the movie for which a trail lasts.
const TRAIL: f64 = 0.7;
/// Seconds of the movie for which an impact point stays.
const MARK: f64 = 0.3;
/// Hundredths of a second for which the last frame stays before the movie starts again.
const HOLD: u64 = 100;
/// Frames whose colours make the palette.
const SAMPLES: usize = 12;

/// Discs are drawn round as long as all together cover no more than this, in pixels: what is shaded and moves
/// is most of the file.
const ROUND: f64 = 30_000.0;

/// When each frame is shown and what it shows.
struct Timing {
    frames: usize,
    rate: u64,
    speed: f64,
    from: f64,
    to: f64,
}

impl Timing {
    fn new(recording: &Recording, options: &MovieOptions) -> Self {
        let (from, to) = (recording.known_from.min(recording.end), recording.end);
        let needed = ((to - from) / options.speed * f64::from(options.frames_per_second)).ceil() + 1.0;
        // A float that is too large, or not a number, becomes the greatest or the least integer: no overflow.
        let frames = (needed as usize).clamp(1, options.max_frames);
        Self { frames, rate: u64::from(options.frames_per_second), speed: options.speed, from, to }
    }

    /// Hundredths of a second from the start of the movie at which a frame appears.
    fn shown_at(&self, frame: usize) -> u64 {
        (frame as u64 * 100 + self.rate / 2) / self.rate
    }

    /// The recording's time that a frame shows.
    fn time(&self, frame: usize) -> f64 {
        (self.from + self.speed * (self.shown_at(frame) as f64 / 100.0)).min(self.to)
    }

    fn delay(&self, frame: usize) -> u64 {
        if self.frames > 1 && frame + 1 == self.frames {
            HOLD
        } else {
            self.shown_at(frame + 1) - self.shown_at(frame)
        }
    }
}

/// Draws the frames.
struct Player<'a> {
    stage: Stage<'a>,
    ground: Canvas,
    speed: f64,
    last_clock: String,
    finish: Finish,
}

impl<'a> Player<'a> {
    fn new(recording: &'a Recording, options: &MovieOptions) -> Result<Self, DrawError> {
        let stage = Stage::new(recording, options.width, false);
        let ground = stage.ground()?;
        // The title leaves the room that the longest clock will take.
        let last_clock = stage.clock(recording.end, 2);
        let covered: f64 =
            recording.actors.iter().map(|a| stage.view.length(a.radius).powi(2) * std::f64::consts::PI).sum();
        let finish = if covered <= ROUND { Finish::Round } else { Finish::Flat };
        Ok(Self { ground, stage, speed: options.speed, last_clock, finish })
    }

    fn draw(&self, time: f64, canvas: &mut Canvas) {
        let stage = &self.stage;
        canvas.copy_from(&self.ground);
        if !stage.is_crowd() {
            let from = (time - TRAIL * self.speed).max(stage.recording.known_from);
            let widest = stage.view.line(3.0, 1.5);
            let mut trails = Trails { from, to: time, strength: (0.0, 0.75), widest, ink: 0.3 };
            trails.from = trails.legible_from(&stage.view, stage.recording);
            trails.draw(canvas, &stage.view, &stage.theme, stage.recording, &stage.colours);
        }
        stage.fixtures(canvas);
        stage.marks(canvas, time - MARK * self.speed, time);
        stage.discs(canvas, time, self.finish);
        stage.trim(canvas);
        stage.title(canvas, &self.last_clock);
        stage.aside(canvas, &stage.clock(time, 2));
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Patch {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The smallest rectangle around all that differs between two frames, `width` pixels wide.
fn changed(before: &[u8], after: &[u8], width: usize) -> Option<Patch> {
    let rows = || before.chunks_exact(width).zip(after.chunks_exact(width)).enumerate();
    let (mut left, mut right) = (width, 0);
    let (mut top, mut bottom) = (None, 0);
    for (y, (a, b)) in rows().filter(|(_, (a, b))| a != b) {
        let differs = |x: &usize| a[*x] != b[*x];
        let (first, last) = ((0..width).find(differs)?, (0..width).rfind(differs)?);
        left = left.min(first);
        right = right.max(last + 1);
        top = top.or(Some(y));
        bottom = y + 1;
    }
    top.map(|top| Patch { left, top, width: right - left, height: bottom - top })
}

/// What changed in a patch; [`UNCHANGED`] elsewhere.
fn difference(before: &[u8], after: &[u8], width: usize, patch: Patch) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(patch.width * patch.height);
    for y in patch.top..patch.top + patch.height {
        let row = y * width + patch.left..y * width + patch.left + patch.width;
        let pairs = before[row.clone()].iter().zip(&after[row]);
        pixels.extend(pairs.map(|(a, b)| if a == b { UNCHANGED } else { *b }));
    }
    pixels
}

/// Writes a recording as an animated GIF. `progress` is called with the number of frames done and of all
/// frames.
pub(crate) fn write<W: Write>(
    recording: &Recording,
    out: W,
    options: &MovieOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), DrawError> {
    options.check()?;
    let timing = Timing::new(recording, options);
    let player = Player::new(recording, options)?;
    let sheet = player.ground.clone();
    let draw = |frame: usize, sheet: &mut Canvas| {
        player.draw(timing.time(frame), sheet);
        Ok(())
    };
    write_frames(out, sheet, timing.frames, |frame| timing.delay(frame), draw, progress)
}

/// Writes frames that are drawn one after the other, on a sheet that each of them covers; some of them are
/// drawn before, for their colours. `delay`: hundredths of a second for which a frame stays.
pub(crate) fn write_frames<W: Write>(
    out: W,
    mut sheet: Canvas,
    frames: usize,
    delay_of: impl Fn(usize) -> u64,
    mut draw: impl FnMut(usize, &mut Canvas) -> Result<(), DrawError>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), DrawError> {
    let mut census = Census::default();
    let samples = frames.min(SAMPLES);
    for k in 0..samples {
        draw(k * (frames - 1) / (samples - 1).max(1), &mut sheet)?;
        census.add(&sheet);
    }
    let mut palette = census.palette();

    let (width, height) = (sheet.width() as u16, sheet.height() as u16);
    let across = usize::from(width);
    let mut encoder = Encoder::new(out, width, height, &palette.table())?;
    encoder.set_repeat(Repeat::Infinite)?;

    let (mut shown, mut next) = (Vec::new(), Vec::new());
    // Held back until it is known how long it stays: frames that look the same become one.
    let mut waiting: Option<(Patch, Vec<u8>)> = None;
    let mut delay = 0;
    for frame in 0..frames {
        draw(frame, &mut sheet)?;
        palette.indices(&sheet, &mut next);
        let patch = if frame == 0 {
            Some(Patch { left: 0, top: 0, width: across, height: usize::from(height) })
        } else {
            changed(&shown, &next, across)
        };
        if let Some(patch) = patch {
            let pixels = if frame == 0 { next.clone() } else { difference(&shown, &next, across, patch) };
            if let Some((patch, pixels)) = waiting.replace((patch, pixels)) {
                write_frame(&mut encoder, patch, pixels, delay)?;
            }
            delay = 0;
            std::mem::swap(&mut shown, &mut next);
        }
        delay += delay_of(frame);
        progress(frame + 1, frames);
    }
    if let Some((patch, pixels)) = waiting {
        write_frame(&mut encoder, patch, pixels, delay)?;
    }
    encoder.into_inner()?.flush().map_err(gif::EncodingError::from)?;
    Ok(())
}

fn write_frame<W: Write>(
    encoder: &mut Encoder<W>,
    patch: Patch,
    pixels: Vec<u8>,
    delay: u64,
) -> Result<(), DrawError> {
    let frame = Frame {
        // Ten minutes at most: the field has 16 bits.
        delay: u16::try_from(delay).unwrap_or(u16::MAX),
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        left: patch.left as u16,
        top: patch.top as u16,
        width: patch.width as u16,
        height: patch.height as u16,
        buffer: Cow::Owned(pixels),
        ..Frame::default()
    };
    Ok(encoder.write_frame(&frame)?)
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::recording::Actor;
    use crate::track::{Piece, Track};
    use crate::{Look, Rgb, Style, demo};

    /// A movie read back: every frame as it is on the screen, with its delay and the size of its patch.
    struct Played {
        width: usize,
        height: usize,
        repeat: Repeat,
        frames: Vec<(Vec<u8>, u16, usize)>,
    }

    impl Played {
        fn new(bytes: &[u8]) -> Self {
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::RGBA);
            let mut decoder = options.read_info(bytes).unwrap();
            let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
            let mut screen = vec![0; 4 * width * height];
            let mut frames = Vec::new();
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                assert_eq!(frame.dispose, DisposalMethod::Keep);
                let across = usize::from(frame.width);
                for (k, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                    let (x, y) = (k % across + usize::from(frame.left), k / across + usize::from(frame.top));
                    if pixel[3] > 0 {
                        screen[4 * (y * width + x)..][..4].copy_from_slice(pixel);
                    }
                }
                frames.push((screen.clone(), frame.delay, across * usize::from(frame.height)));
            }
            Self { width, height, repeat: decoder.repeat(), frames }
        }

        fn of(recording: &Recording, options: &MovieOptions) -> Self {
            let mut bytes = Vec::new();
            write(recording, &mut bytes, options, &mut |_, _| ()).unwrap();
            Self::new(&bytes)
        }

        fn at(&self, frame: usize, p: DVec2) -> Rgb {
            let at = 4 * (p.y as usize * self.width + p.x as usize);
            let screen = &self.frames[frame].0;
            Rgb(screen[at], screen[at + 1], screen[at + 2])
        }
    }

    fn v(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    const BLUE: Rgb = Rgb(0x1f, 0x4e, 0xa8);

    /// One disc that flies to the right at 2 for 1.5 s and then rests until 4 s.
    fn one_disc() -> Recording {
        let mut recording =
            Recording::new(Style { bounds: Some((v(0.0, 0.0), v(8.0, 4.0))), ..Style::default() }, 0.0, 100);
        let first = Piece::straight(0.0, v(2.0, 1.0), v(2.0, 0.0));
        let look = Look { colour: Some(BLUE), ..Look::default() };
        recording.actors.push(Actor { radius: 0.5, look, track: Track::new(first) });
        recording.push(0, Piece::straight(1.5, v(5.0, 1.0), DVec2::ZERO));
        recording.end = 4.0;
        recording
    }

    #[test]
    fn each_frame_shows_its_own_moment_in_real_time() {
        let recording = one_disc();
        let options = MovieOptions { width: 400, ..MovieOptions::default() };
        let played = Played::of(&recording, &options);
        let view = Stage::new(&recording, 400, false).view;
        assert_eq!((played.width, played.height), (400, view.height as usize));
        assert_eq!(played.repeat, Repeat::Infinite);
        let total: u64 = played.frames.iter().map(|f| u64::from(f.1)).sum();
        assert_eq!(total, 400 + HOLD, "hundredths of a second");
        let mut shown_at = 0;
        for (k, (_, delay, _)) in played.frames.iter().enumerate() {
            let time = shown_at as f64 / 100.0;
            let centre = view.place(recording.actors[0].track.position_at(time));
            assert!(played.at(k, centre).distance(BLUE) < 0.03, "at {time} s: {}", played.at(k, centre));
            // Ahead of the disc there is nothing yet.
            let ahead = centre + v(view.length(0.5) * 1.6, 0.0);
            assert!(played.at(k, ahead).distance(Rgb::WHITE) < 0.01, "at {time} s: {}", played.at(k, ahead));
            shown_at += u64::from(*delay);
        }
    }

    #[test]
    fn frames_hold_only_what_changed_and_none_where_nothing_does() {
        let mut recording = one_disc();
        recording.style.title = Some("A long title that stays as it is".into());
        let played = Played::of(&recording, &MovieOptions::default());
        let whole = played.width * played.height;
        assert_eq!(played.frames[0].2, whole);
        assert!(played.frames[1..].iter().all(|f| f.2 < whole));
        // Without a clock, which a narrow sheet has no room for, the rest of the disc is one frame.
        let small = Played::of(&recording, &MovieOptions { width: 120, ..MovieOptions::default() });
        let moving = (1.5 * 25.0) as usize + (0.7 * 25.0) as usize + 3;
        assert!(small.frames.len() > 37 && small.frames.len() <= moving, "{}", small.frames.len());
        assert!(small.frames[small.frames.len() - 1].1 > 150);
    }

    #[test]
    fn speed_rate_and_the_limit_of_frames_are_kept() {
        let recording = one_disc();
        let count = |speed, frames_per_second, max_frames| {
            let options = MovieOptions { width: 240, frames_per_second, speed, max_frames };
            let played = Played::of(&recording, &options);
            (played.frames.len(), played.frames.iter().map(|f| u64::from(f.1)).sum::<u64>())
        };
        assert_eq!(count(1.0, 25, 1000), (101, 500));
        assert_eq!(count(2.0, 10, 1000), (21, 300));
        assert_eq!(count(1.0, 25, 10), (10, 9 * 4 + HOLD));
        assert_eq!(count(1.0, 25, 1), (1, 4));
        // 30 a second: delays of 3 and 4 hundredths.
        assert_eq!(count(1.0, 30, 31), (31, 100 + HOLD));
    }

    #[test]
    fn progress_tells_every_frame_and_the_bytes_are_always_the_same() {
        let recording = demo::nine_ball(0.4);
        let options = MovieOptions { width: 320, ..MovieOptions::default() };
        let (mut first, mut second, mut reported) = (Vec::new(), Vec::new(), Vec::new());
        write(&recording, &mut first, &options, &mut |done, all| reported.push((done, all))).unwrap();
        write(&recording.clone(), &mut second, &options, &mut |_, _| ()).unwrap();
        assert!(first == second);
        assert_eq!(reported, (1..=11).map(|k| (k, 11)).collect::<Vec<_>>());
    }

    #[test]
    fn cloth_and_balls_keep_their_colours_and_still_parts_do_not_flicker() {
        let recording = demo::nine_ball(0.5);
        let options = MovieOptions::default();
        let played = Played::of(&recording, &options);
        let view = Stage::new(&recording, options.width, false).view;
        let corner = view.place(v(0.2, 0.2));
        let cloth = recording.style.surface.colour();
        let timing = Timing::new(&recording, &options);
        for k in 0..played.frames.len() {
            assert_eq!(played.at(k, corner), cloth, "frame {k}");
            for actor in &recording.actors {
                let centre = view.place(actor.track.position_at(timing.time(k)));
                let colour = actor.look.colour.unwrap();
                assert!(
                    played.at(k, centre).distance(colour) < 0.08,
                    "frame {k}: {colour} {}",
                    played.at(k, centre)
                );
            }
        }
    }

    #[test]
    fn bad_options_and_broken_writers_are_errors() {
        struct Broken(usize);
        impl Write for Broken {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::Error::other("disk full"))?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let recording = one_disc();
        let attempt = |options: MovieOptions, room| {
            write(&recording, Broken(room), &options, &mut |_, _| ()).map_err(|e| e.to_string())
        };
        let good = MovieOptions { width: 64, ..MovieOptions::default() };
        for room in [0, 100, 1500, 3000] {
            assert_eq!(attempt(good.clone(), room), Err("the movie could not be written".into()), "{room}");
        }
        assert_eq!(attempt(good.clone(), 1 << 20), Ok(()));
        for (options, field, value) in [
            (MovieOptions { width: 31, ..good.clone() }, "width", "31"),
            (MovieOptions { width: 4000, ..good.clone() }, "width", "4000"),
            (MovieOptions { frames_per_second: 0, ..good.clone() }, "frames_per_second", "0"),
            (MovieOptions { frames_per_second: 51, ..good.clone() }, "frames_per_second", "51"),
            (MovieOptions { speed: 0.0, ..good.clone() }, "speed", "0"),
            (MovieOptions { speed: f64::NAN, ..good.clone() }, "speed", "NaN"),
            (MovieOptions { speed: -1.0, ..good.clone() }, "speed", "-1"),
            (MovieOptions { max_frames: 0, ..good.clone() }, "max_frames", "0"),
        ] {
            let error = attempt(options, 1 << 20).unwrap_err();
            assert!(error.contains(field) && error.contains(value) && error.contains("allowed"), "{error}");
        }
    }

    #[test]
    fn the_patch_is_just_large_enough() {
        let before = [7; 30];
        let mut after = before;
        assert_eq!(changed(&before, &after, 6), None);
        after[2 * 6 + 4] = 9;
        after[3 * 6 + 1] = 8;
        let patch = changed(&before, &after, 6).unwrap();
        assert_eq!(patch, Patch { left: 1, top: 2, width: 4, height: 2 });
        let u = UNCHANGED;
        assert_eq!(difference(&before, &after, 6, patch), [u, u, u, 9, 8, u, u, u]);
    }

    #[test]
    fn delays_add_up_to_the_real_time() {
        for rate in 1..=50 {
            let timing = Timing { frames: 1000, rate, speed: 2.0, from: 3.0, to: 1e9 };
            let total: u64 = (0..998).map(|k| timing.delay(k)).sum();
            assert_eq!(total, timing.shown_at(998));
            assert!((total as f64 / 100.0 - 998.0 / rate as f64).abs() <= 0.005 + 1e-9, "{rate} a second");
            assert_eq!(timing.time(500), 3.0 + 2.0 * timing.shown_at(500) as f64 / 100.0);
        }
    }

    #[test]
    fn the_number_of_frames_is_bounded_whatever_the_numbers() {
        let mut recording = Recording::new(Style::default(), 0.0, 1);
        for (end, speed, frames) in
            [(0.0, 1.0, 1), (1.0, 1.0, 26), (1e300, 1e-100, 1500), (1e-300, 1.0, 2), (2.0, 4.0, 14)]
        {
            recording.end = end;
            let options = MovieOptions { speed, ..MovieOptions::default() };
            let timing = Timing::new(&recording, &options);
            assert_eq!(timing.frames, frames, "{end} s at {speed}");
            assert!(timing.time(timing.frames - 1) <= end);
        }
    }
}
