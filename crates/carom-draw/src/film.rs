//! A movie of sheets.

use crate::{DrawError, Sheet, movie};

/// Hundredths of a second for which the last frame stays.
const HOLD: u64 = 100;

/// An animated GIF of sheets that are drawn one after the other, at this many frames per second, 1 to 50. All
/// must be as large as the first. A few frames are drawn before the others, for their colours, so a frame
/// must look the same each time it is drawn.
///
/// ```
/// use carom_draw::{Rgb, Sheet, Style, film_gif};
/// use carom_engine::DVec2;
///
/// let style = Style { width: 200, ..Style::default() };
/// let gif = film_gif(50, 25, |frame| {
///     let mut sheet = Sheet::new(&style)?;
///     sheet.fill_disc(DVec2::new(frame as f64 / 50.0, 0.5), 0.1, Rgb::INK, 1.0);
///     Ok(sheet)
/// })?;
/// assert!(gif.starts_with(b"GIF89a"));
/// # Ok::<(), carom_draw::DrawError>(())
/// ```
///
/// # Errors
/// [`DrawError::OutOfRange`] for no frames, a rate out of range, a sheet wider or higher than a GIF can be,
/// or of another size than the first; those of `draw`.
pub fn film_gif(
    frames: usize,
    frames_per_second: u32,
    mut draw: impl FnMut(usize) -> Result<Sheet, DrawError>,
) -> Result<Vec<u8>, DrawError> {
    DrawError::check("frames", frames, 1..=100_000)?;
    DrawError::check("frames_per_second", frames_per_second, 1..=50)?;
    let first = draw(0)?.canvas().clone();
    let (width, height) = (first.width(), first.height());
    DrawError::check("width of the sheets", width, 1..=u32::from(u16::MAX))?;
    DrawError::check("height of the sheets", height, 1..=u32::from(u16::MAX))?;
    let rate = u64::from(frames_per_second);
    let shown_at = |frame: usize| (frame as u64 * 100 + rate / 2) / rate;
    let delay = |frame: usize| if frame + 1 == frames { HOLD } else { shown_at(frame + 1) - shown_at(frame) };
    let mut bytes = Vec::new();
    let copy = |frame: usize, canvas: &mut crate::canvas::Canvas| {
        let sheet = draw(frame)?;
        DrawError::check("width of the sheets", sheet.canvas().width(), width..=width)?;
        DrawError::check("height of the sheets", sheet.canvas().height(), height..=height)?;
        canvas.copy_from(sheet.canvas());
        Ok(())
    };
    movie::write_frames(&mut bytes, first, frames, delay, copy, &mut |_, _| ())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rgb, Style};
    use glam::DVec2;

    #[test]
    fn frames_play_at_their_rate_and_sizes_must_agree() {
        let sheet = |width: u32, k: usize| -> Result<Sheet, DrawError> {
            let mut sheet = Sheet::new(&Style { width, ..Style::default() })?;
            sheet.fill_disc(DVec2::new(0.1 * k as f64, 0.5), 0.1, Rgb::INK, 1.0);
            Ok(sheet)
        };
        let gif = film_gif(9, 30, |k| sheet(100, k)).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&gif[..]).unwrap();
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(u64::from(frame.delay));
        }
        // Eight frames of a thirtieth of a second, and the last one.
        assert_eq!(delays.iter().sum::<u64>(), 27 + HOLD);
        assert_eq!(delays.len(), 9);
        assert!(film_gif(0, 30, |k| sheet(100, k)).is_err());
        assert!(film_gif(2, 51, |k| sheet(100, k)).is_err());
        assert!(film_gif(2, 30, |k| sheet(100 + k as u32, k)).is_err());
    }
}
